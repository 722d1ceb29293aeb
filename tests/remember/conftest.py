"""Repairs to remember, and stores to remember them in."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reflex_ipython.models import Repair
from reflex_ipython.protocols import StoreContext
from reflex_ipython.remember.store import SqliteStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import full_repair
from tests.remember.postgres import Server, programs

NOBODY = 65534


@pytest.fixture(scope="session")
def make_repair() -> Callable[..., Repair]:
    return full_repair


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.sqlite"


@pytest.fixture(scope="session")
def sqlite() -> Callable[..., SqliteStore]:
    """Opens a store on a file."""

    def opened(path: Path, **options: object) -> SqliteStore:
        return SqliteStore(StoreContext(lambda: Settings(history_file=str(path))), **options)  # type: ignore[arg-type]  # passed on

    return opened


@pytest.fixture
def unprivileged() -> Callable[[], object]:
    """A context in which file permissions count, also where the tests run as root."""

    @contextmanager
    def without_privileges() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    return without_privileges


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that everybody may read and only its owner may write to."""
    folder = Path(tempfile.mkdtemp(prefix="history-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server of the tests' own."""
    if programs() is None:
        pytest.skip("PostgreSQL is not installed: `make postgresql` installs it (Debian: apt-get install postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed here")
    running = Server()
    yield running
    running.close()


@pytest.fixture
def server(postgres: Server) -> Iterator[Server]:
    """The same, running and empty."""
    drop = "DROP TABLE IF EXISTS repairs, bodies, precedents, tallies, reflex_schema"
    postgres.execute(drop)
    yield postgres
    postgres.start_again()
