"""Random cells over every kind of object fail somewhere; what the report does not name is as it was."""

from __future__ import annotations

import ast
from typing import Any

import hypothesis
from hypothesis import strategies as st

from reflex_ipython.state.journal import Journal
from reflex_ipython.state.restoration import Restoration
from tests.state.cells import GENEROUS
from tests.state.examples import available, notebook, nothing_of_the_users_may_run
from tests.state.picture import Picture

EVERY = available()
KINDS = {example.kind for example in EVERY} - {""}
NAMES = sorted({example.name for example in EVERY if example.name.isidentifier()})

changes = st.sampled_from([change for example in EVERY for change in (*example.changes, *example.beyond)])
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
statements = st.one_of(changes, changes, links)
half_done = st.builds("for _ in range(2):\n    {0}\n    if _: 1 / 0".format, statements)
"""A statement that fails when it has done something already."""


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


def test_there_are_fifty_kinds_and_more() -> None:
    assert len(KINDS) >= 50


@hypothesis.settings(max_examples=150, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(begun=st.lists(statements, max_size=5), failing=half_done, data=st.data())
def test_after_a_rollback_every_name_that_the_report_does_not_list_is_as_it_was(
    begun: list[str], failing: str, data: st.DataObject
) -> None:
    namespace = notebook(EVERY)
    journal = Journal(namespace, GENEROUS)
    sources = [*begun, failing]
    target = data.draw(st.integers(0, len(sources) - 1))
    before = run(namespace, journal, sources, target)
    if target < len(journal):  # else an earlier one failed: by chance, one change makes another impossible
        with nothing_of_the_users_may_run():
            restoration = journal.rollback(target)
        assert unlisted(before, Picture(namespace), restoration) == set(), restoration.words
    if len(journal):
        journal.rollback(0)  # the next example begins with the folder, the settings and the figures that there were
    journal.clear()


def unlisted(before: Picture, after: Picture, restoration: Restoration) -> set[str]:
    """The names that differ and are not listed, nor hang on anything that is."""
    listed = {text.partition(" (")[0] for text in (*restoration.except_names, *restoration.not_undone)}
    differing = before.differences(after)
    assert restoration.exact or listed
    return {name for name in differing - listed if not any(_reaches(before, name, other) for other in listed)}


def _reaches(picture: Picture, name: str, other: str) -> bool:
    """Whether what is listed under the other name hangs on this one as well."""
    value = picture.names.get(other)
    return bool(picture.reach(picture.names[name]) & picture.reach(value)) if value is not None else False
