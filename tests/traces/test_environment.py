"""Environment variables that traced code asks for."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

import reflex_ipython
from reflex_ipython.traces.documents import read
from reflex_ipython.traces.recorded import EnvironmentRead, Trace
from reflex_ipython.traces.recording import Recording

SECRET = "ak-7Hd93kfLq02mZx81"


def place() -> str:
    return os.environ["REFLEX_TEST_PLACE"]


def both() -> tuple[str | None, bool]:
    return os.environ.get("REFLEX_TEST_PLACE"), "REFLEX_TEST_PLACE" in os.environ


def expanded() -> str:
    return os.path.expandvars("$REFLEX_TEST_PLACE/x")


def missing() -> str | None:
    return os.getenv("REFLEX_TEST_MISSING")


def key() -> str | None:
    return os.getenv("REFLEX_TEST_API_KEY")


def exported() -> int:
    return len({**os.environ})


def found_by_a_library() -> str | None:
    return shutil.which("sh")


def reads(trace: Trace) -> dict[str, list[EnvironmentRead]]:
    """The variables that each function asked for."""
    names = {call.id: trace.function_of(call).name for call in trace.calls}
    found: dict[str, list[EnvironmentRead]] = {name: [] for name in names.values()}
    for one in trace.environment:
        found[names[one.call]].append(one)
    return found


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch) -> Recording:
    monkeypatch.setenv("REFLEX_TEST_PLACE", "Graz")
    monkeypatch.setenv("REFLEX_TEST_API_KEY", SECRET)
    with reflex_ipython.trace(values=True) as found:
        place(), both(), expanded(), missing(), key(), exported(), found_by_a_library()
        thread = threading.Thread(target=place)
        thread.start()
        thread.join()
        os.environ["REFLEX_TEST_PLACE"]  # beneath no call
    return found


def test_what_a_call_asks_for_is_recorded_by_whatever_way(trace: Recording) -> None:
    found = reads(trace.trace)
    values = {name: [(one.name, one.value) for one in asked] for name, asked in found.items()}
    assert values == {
        "place": [("REFLEX_TEST_PLACE", "Graz"), ("REFLEX_TEST_PLACE", "Graz")],
        "both": [("REFLEX_TEST_PLACE", "Graz")],
        "expanded": [("REFLEX_TEST_PLACE", "Graz")],
        "missing": [("REFLEX_TEST_MISSING", None)],
        "key": [("REFLEX_TEST_API_KEY", SECRET)],
        "exported": [("", None)],
        "found_by_a_library": [],
    }
    assert found["exported"][0].unkept == "goes through all environment variables"


def test_it_round_trips_and_a_secret_is_taken_out(trace: Recording, tmp_path: Path) -> None:
    for name in ("trace.json", "trace.jsonl"):
        trace.save(tmp_path / name)
        assert SECRET not in (tmp_path / name).read_text(encoding="utf-8")
        found = reads(read(tmp_path / name))
        assert found["place"] == reads(trace.trace)["place"]
        (hidden,) = found["key"]
        assert (hidden.value, "holds a secret" in hidden.unkept) == (None, True)


def test_nothing_is_replaced_but_while_a_trace_with_values_is_on() -> None:
    before = type(os.environ).__getitem__, type(os.environ).__iter__
    with reflex_ipython.trace() as plain:
        assert (type(os.environ).__getitem__, type(os.environ).__iter__) == before
        missing()
    with reflex_ipython.trace(values=True), reflex_ipython.trace(values=True):
        assert type(os.environ).__getitem__ is not before[0]
        with pytest.raises(KeyError, match="REFLEX_TEST_MISSING"):
            os.environ["REFLEX_TEST_MISSING"]
        assert dict(os.environ) == os.environ.copy()
    assert (type(os.environ).__getitem__, type(os.environ).__iter__) == before
    assert plain.trace.environment == ()
