"""A session without a kernel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.own_files import OwnFiles
from reflex_ipython.repairs.services import Services
from reflex_ipython.repairs.session import Session
from reflex_ipython.settings import Settings
from tests.repairs.fakes import Copies, Model, Open, Rules, Seen, Shouting, Ways


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def trials() -> Copies:
    return Copies()


@pytest.fixture
def consequences() -> Ways:
    return Ways()


@pytest.fixture
def redactors() -> list[type[Open]]:
    """The last one is used."""
    return [Open]


@pytest.fixture
def session(
    seen: Seen, model: Model, trials: Copies, consequences: Ways, redactors: list[type[Open]]
) -> Iterator[Session]:
    made = Session(
        Settings(search_time=600.0),  # all candidates are tried, however busy the machine is
        presenter=seen,
        recorder=Recorder(MemoryStore),
        services=Services(
            lambda: redactors[-1](),
            lambda: ([Rules(), model], [Shouting()]),
            trials,
            consequences,
            files=OwnFiles(lambda path, data: None),
        ),
        clock=iter(range(1000)).__next__,
    )
    yield made
    model.go.set()
    made.close()
