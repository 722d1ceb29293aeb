"""A PostgreSQL server of a test's own: a cluster in a folder, which listens on a socket there and nowhere else."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

NOBODY = "nobody"
"""Who runs it where the tests run as root: it refuses root."""


def programs() -> Path | None:
    """The folder with `initdb` and `pg_ctl`: the newest that Debian has, or what is on the path."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: float(Path(path).parts[4]))
    path = found[-1] if found else shutil.which("initdb")
    return Path(path).parent if path else None


class Server:
    """Started at once; `stop` and `start` as often as a test likes; `close` takes it away.

    Parameters
    ----------
    syncs : bool
        Whether it waits for its disk, which a test need not.
    """

    def __init__(self, *, syncs: bool = False) -> None:
        self._syncs = syncs
        there = programs()
        assert there is not None
        self._programs = there
        self._folder = Path(tempfile.mkdtemp(prefix="pg-"))  # a socket's path has 107 characters at most
        self._data = self._folder / "data"
        self._user = pwd.getpwnam(NOBODY) if os.geteuid() == 0 else None
        if self._user is not None:
            os.chown(self._folder, self._user.pw_uid, self._user.pw_gid)
        self._run("initdb", "-D", str(self._data), "-U", "reflex", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://reflex@/postgres?host={self._folder}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}'"
        options += f" -c fsync={'on' if self._syncs else 'off'}"
        self._run(
            "pg_ctl", "-D", str(self._data), "-w", "-t", "120", "-l", str(self._folder / "log"), "-o", options, "start"
        )

    def stop(self) -> None:
        """As if the machine were gone: no goodbye."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-t", "120", "-m", "immediate", "stop")

    def start_again(self) -> None:
        """Start it, if a test has left it stopped."""
        if not (self._data / "postmaster.pid").exists():
            self.start()

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        import psycopg

        with psycopg.connect(self.url.replace("+psycopg", ""), autocommit=True) as connection:
            ran = connection.execute(statement)
            return ran.fetchall() if ran.description else []

    def close(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        user = {} if self._user is None else {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(self._folder)}
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            cwd=self._folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **user,
        )  # type: ignore[call-overload]  # with a user or without
