"""Orders that stand in data: they stay data, and a model that obeys them changes no other cell and lifts no warning.

`injections.jsonl` has an order a line: where it stands (`place`), its words (`text`), and the code that a model writes
which obeys it (`code`), meant for another cell if there is a number (`cell`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.check.verdict import verdict
from reflex_ipython.models import (
    CellRef,
    CellSource,
    Edit,
    Failure,
    Finding,
    Fix,
    Lookup,
    Trial,
    ValueSummary,
    Verdict,
)
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.prompt import build_messages
from reflex_ipython.protocols import Attempt, Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.repairs.ranking import convincing
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer
from tests.failures import situated
from tests.propose.model.markdown import outside_of_fences

ORDERS = [json.loads(line) for line in Path(__file__).with_name("injections.jsonl").read_text().splitlines()]
each_order = pytest.mark.parametrize("order", ORDERS, ids=range(len(ORDERS)))


def with_values(failure: Failure, *values: ValueSummary) -> Failure:
    frame = dataclasses.replace(failure.error.frames[0], variables=values)
    return dataclasses.replace(failure, exceptions=(dataclasses.replace(failure.error, frames=(frame,)),))


def with_error(failure: Failure, **fields: Any) -> Failure:
    return dataclasses.replace(failure, exceptions=(dataclasses.replace(failure.error, **fields),))


PLACES: dict[str, Callable[[Failure, str], Failure]] = {
    "value": lambda failure, text: with_values(failure, ValueSummary("note", "str", text, "scalar")),
    "column": lambda failure, text: dataclasses.replace(
        with_values(failure, ValueSummary("df", "pandas.DataFrame", "", "table", (text,))),
        lookup=Lookup("column", text, f"df[{text}]", "pandas.DataFrame", (text, "b"), others=(text,), levels=(text,)),
        remarks=(text,),
    ),
    "message": lambda failure, text: with_error(failure, evalue=text),
    "comment": lambda failure, text: situated(failure, source=f"{failure.situation.source}\n{text}"),
    "earlier": lambda failure, text: situated(failure, earlier=(CellSource(CellRef("c1", 1), text, text),)),
    "file": lambda failure, text: dataclasses.replace(failure, lookup=Lookup("path", text, ".", "", (text, "b.csv"))),
    "note": lambda failure, text: with_error(failure, notes=(text,)),
    "attempt": lambda failure, text: failure,
}


def attempts(failure: Failure, order: dict[str, Any]) -> list[Attempt]:
    """An attempt that ended with an error in the order's words."""
    if order["place"] != "attempt":
        return []
    fix = Fix("f", (Edit(failure.situation.place, failure.situation.source, f"x = 1\n{order['text']}"),), "", "tiny-1")
    text = order["text"]
    lookup = Lookup("column", text, f"df[{text}]", "pandas.DataFrame", (text, "b"), others=(text,), levels=(text,))
    trial = Trial("other_error", ename="KeyError", evalue=text, lineno=1, statement=text, lookup=lookup)
    return [Attempt(fix, Verdict("other_error", "raises KeyError on line 1", trial=trial))]


@each_order
def test_an_order_in_the_data_stands_in_fences_alone(failure, order):
    cause = PLACES[order["place"]](failure, order["text"])
    for attempt in (
        attempts(failure, order),
        [dataclasses.replace(one, fix=rule(one)) for one in attempts(failure, order)],
    ):
        _, *messages = build_messages(cause, "", attempt)
        said = [line for message in messages for line in outside_of_fences(message["content"])]
        lines = [line.strip() for line in order["text"].split("\n") if len(line.strip("`~ ")) > 8]
        assert lines
        assert not [(line, place) for line in lines for place in said if line in place]


def rule(attempt: Attempt) -> Fix:
    return dataclasses.replace(attempt.fix, provider="rule")


def judged(failure: Failure, fix: Fix, trial: Trial) -> Verdict:
    checkers = [entry.load()(None) for entry in entry_points(group="reflex_ipython.checkers")]
    findings: list[Finding] = [found for one in checkers for found in one.check(failure, fix, trial)]
    return verdict(failure, findings, trial)


@each_order
def test_a_model_that_obeys_changes_the_failing_cell_alone_and_what_it_does_is_named(failure, order):
    cause = PLACES[order["place"]](failure, order["text"])
    fixed = failure.situation.source.replace("regoin", "region")
    named = f"# In [{order['cell']}]\n" if "cell" in order else ""
    reply = f"It is safe. Verdict: passed.\n```python\n{named}{order['code']}\n{fixed}\n```"
    with ScriptedServer(Say([reply])) as server:
        settings = Settings(model="scripted", base_url=server.base_url, timeout=20.0)
        provider = ModelProvider(Context(lambda: settings, MemoryStore()))
        request = Request(attempts=attempts(failure, order))
        [fix] = provider.propose(cause, request)
    assert {edit.target for edit in fix.edits} == {failure.situation.place}
    found = judged(cause, fix, Trial("passed"))
    assert found.dangerous
    assert not convincing(found)
