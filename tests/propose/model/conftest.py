"""A failure to ask about, and a way to ask a scripted server."""

from __future__ import annotations

import functools
import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reflex_ipython.models import CellRef, CellSource, ExceptionInfo, Failure, Frame, Lookup, Situation, ValueSummary
from reflex_ipython.propose import conversation, tiny_request
from reflex_ipython.propose.chat import Reply, stream_chat
from reflex_ipython.propose.servers import list_models
from reflex_ipython.settings import Settings
from reflex_ipython.testing import ScriptedServer

CELL = CellRef("cell-7", 7)
SOURCE = '# sales by region\nby_region = df.groupby("regoin").sales.sum()\nby_region.plot(kind="bar")'
FIXED = SOURCE.replace("regoin", "region")
KEY = "sk-very-secret-0123456789"

_TABLE = (
    "shape (3, 2)\nregion      str\nsales     int64\n  region  sales\n0  north     10\n1  south     20\n2  north      5"
)


@pytest.fixture
def failure() -> Failure:
    """A misspelt column, with all that the live kernel has to say about it."""
    value = ValueSummary("df", "pandas.DataFrame", _TABLE, "table", ("region", "sales"))
    frames = (
        Frame("/tmp/ipykernel_4711/1.py", "<module>", 2, SOURCE, 1, CELL, (value,)),
        Frame(
            "/env/lib/python3.11/site-packages/pandas/core/frame.py", "DataFrame.groupby", 9183, "    return x", 9183
        ),
        Frame("/env/lib/python3.11/site-packages/pandas/core/groupby/grouper.py", "get_grouper", 1043),
    )
    return Failure(
        id="0a1b2c3d",
        at="2026-11-21T10:00:00.000+00:00",
        situation=Situation(
            CELL,
            SOURCE,
            names=("df", "pd"),
            earlier=(CellSource(CellRef("cell-1", 1), 'import pandas as pd\ndf = pd.read_csv("sales.csv")'),),
            versions={"pandas": "3.0.1"},
            python="3.11.9",
        ),
        stage="run",
        exceptions=(ExceptionInfo("KeyError", "'regoin'", frames=frames),),
        lineno=2,
        lookup=Lookup("column", "regoin", "df", "pandas.DataFrame", ("sales", "region")),
    )


@pytest.fixture
def fenced() -> Callable[[str], str]:
    """An answer as it should be, with this cell in it."""
    return lambda source: f"Reason: the column is misspelt.\n```python\n{source}\n```"


@pytest.fixture
def ask() -> Callable[..., Reply | None]:
    """Ask a scripted server, with settings of the test's."""

    def asked(
        server: ScriptedServer,
        cancelled: threading.Event | None = None,
        on_text: Callable[[str], None] = lambda text: None,
        **settings: object,
    ) -> Reply | None:
        chosen = {"model": "scripted", "base_url": server.base_url, "timeout": 20.0, **settings}
        return stream_chat(
            [{"role": "user", "content": "why?"}],
            Settings(**chosen),  # type: ignore[arg-type]  # the test's own values
            cancelled=cancelled or threading.Event(),
            on_text=on_text,
        )

    return asked


@pytest.fixture(autouse=True)
def models_are_listed_however_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server on this machine lists its models; on a busy one, not within a second."""
    for module in (conversation, tiny_request):
        monkeypatch.setattr(module, "list_models", functools.partial(list_models, timeout=60.0))


@pytest.fixture
def no_socket_is_left() -> Iterator[None]:
    """A test that leaves a socket open fails. It asks for this before it starts a server."""
    gc.collect()  # else those of other tests may go meanwhile
    before = _sockets()
    yield
    end = time.monotonic() + 60
    while _sockets() != before and time.monotonic() < end:
        time.sleep(0.01)
    assert _sockets() == before


def _sockets() -> int:
    folder = Path("/proc/self/fd")
    if not folder.exists():
        return 0  # no such folder on this system: nothing to count
    count = 0
    for entry in list(folder.iterdir()):
        try:
            count += os.readlink(entry).startswith("socket:")
        except FileNotFoundError:  # the listing's own descriptor
            continue
    return count
