"""Random cells over some fifty kinds of objects fail somewhere; what the report does not name is as it was."""

from __future__ import annotations

import ast
from typing import Any

import hypothesis
from hypothesis import strategies as st

from reflex_ipython.state.bounds import Bounds
from reflex_ipython.state.journal import Journal
from tests.state.examples import NAMED, available, notebook, nothing_of_the_users_may_run
from tests.state.picture import Picture

GENEROUS = Bounds(nodes=100_000, bytes=10**9, milliseconds=60_000)
EVERY = (*available(), *NAMED)
NAMES = sorted({example.name for example in EVERY})

changes = st.sampled_from([change for example in EVERY for change in example.changes])
names = st.sampled_from(NAMES)
links = st.builds(
    lambda pattern, some, other: pattern.format(some=some, other=other),
    st.sampled_from(
        (
            "{some} = {other}",
            "items.append({some})",
            "mapping['{some}'] = {other}",
            "plain.{some} = {other}",
            "fresh = [{some}, {other}]",
            "number = ({some}, {other})",
            "globals()['{some}'] = None",
            "exec('{some} = [{other}]')",
            "del {some}",
        )
    ),
    names,
    names,
)
cells = st.lists(st.one_of(changes, changes, links), min_size=1, max_size=6)


def run(namespace: dict[str, Any], journal: Journal, sources: list[str], target: int) -> Picture:
    """Run the statements until one fails; the picture is the one before the target."""
    picture = None
    for place, source in enumerate(sources):
        code = compile(ast.parse(source), "<cell>", "exec")
        if place == target:
            picture = Picture(namespace)
        with nothing_of_the_users_may_run():
            journal.before(code)
        try:
            exec(code, namespace)
        except Exception:  # noqa: BLE001 - a cell may fail with anything
            break
    return picture or Picture(namespace)


def named(texts: tuple[str, ...]) -> set[str]:
    return {text.partition(" (")[0] for text in texts}


@hypothesis.settings(max_examples=150, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(sources=cells, data=st.data())
def test_after_a_rollback_every_name_that_the_report_does_not_list_is_as_it_was(
    sources: list[str], data: st.DataObject
) -> None:
    namespace = notebook(EVERY)
    journal = Journal(namespace, GENEROUS)
    sources = [*sources, "1 / 0"]
    target = data.draw(st.integers(0, len(sources) - 1))
    before = run(namespace, journal, sources, target)
    if target >= len(journal):
        target = len(journal) - 1
        journal.clear()
        return
    with nothing_of_the_users_may_run():
        restoration = journal.rollback(target)
    listed = named(restoration.except_names) | named(restoration.not_undone)
    differing = before.differences(Picture(namespace))
    reaching = {name for name in before.names if any(_reaches(before, name, other) for other in listed)}
    assert differing - listed - reaching == set(), restoration.words
    assert restoration.exact or listed


def _reaches(picture: Picture, name: str, other: str) -> bool:
    """Whether what is listed under the other name hangs on this one as well."""
    value = picture.names.get(other)
    return bool(picture.reach(picture.names[name]) & picture.reach(value)) if value is not None else False
