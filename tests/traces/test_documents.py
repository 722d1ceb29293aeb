"""Traces as JSON."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import jsonschema
import pytest

import reflex_ipython
from reflex_ipython.cli import main
from reflex_ipython.errors import BadInput
from reflex_ipython.traces.documents import from_text, read, schema, to_lines, to_text, write
from reflex_ipython.traces.recorded import Commit, Message, Raised, Trace, WebExchange


def divide(one: float, other: float) -> float:
    return one / other


@pytest.fixture(scope="module")
def trace() -> Trace:
    with reflex_ipython.trace(values=True, lines=True, calls=2) as recording:
        divide(1, 2)
        with pytest.raises(ZeroDivisionError):
            divide(1, 0)
        divide(3, 4)
    exchange = WebExchange("GET", "/x", "a=1", Message((("Host", "x"),), "", 0), 200, calls=(0,), exception=Raised("E"))
    return dataclasses.replace(recording.trace, exchanges=(exchange,), git=Commit("abc", "main", "", True))


@pytest.mark.parametrize("name", ["trace.json", "trace.jsonl"])
def test_a_trace_is_read_back_exactly(trace: Trace, name: str, tmp_path: Path) -> None:
    write(trace, tmp_path / name)
    assert read(tmp_path / name) == trace
    assert len(trace.calls) == 2
    assert trace.limits


def test_lines_hold_a_call_each(trace: Trace) -> None:
    lines = [json.loads(line) for line in to_lines(trace)]
    assert [next(iter(line)) for line in lines] == ["trace", "function", "call", "call", "exchange"]


def test_the_published_schema_describes_what_is_written(trace: Trace, capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    validator = jsonschema.Draft202012Validator(schema())
    assert main(["trace", "schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema()
    document = json.loads(to_text(trace))
    validator.validate(document)
    document["calls"][0]["duration"] = "long"
    assert not validator.is_valid(document)


def test_what_an_older_file_lacks_has_a_default() -> None:
    trace = from_text('{"functions": [], "calls": [{"id": 0, "function": 0, "parent": null}]}')
    assert trace.calls[0].thread == "MainThread"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nothing", "no trace: Expecting value in line 1"),
        ('{"calls": 3}', "no trace: calls"),
        ('{"format": 99}', "format 99; this version reads up to 1"),
        ('{"trace": {}}\n{"other": 1}\n', "line 2 is none of function, call, exchange"),
    ],
)
def test_what_is_no_trace_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        from_text(text)


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"missing\.json can't be read: No such file"):
        read(tmp_path / "missing.json")


def test_a_name_that_no_file_can_have_is_refused_in_words(trace: Trace) -> None:
    with pytest.raises(BadInput, match="can't be written"):
        write(trace, "\0.json")
