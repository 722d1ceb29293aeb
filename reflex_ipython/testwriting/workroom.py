"""A process of its own, where code runs in sandboxed copies: to record what it does, and to see tests fail and pass."""

from __future__ import annotations

import importlib.util
import json
import os
import site
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from reflex_ipython.errors import BadInput
from reflex_ipython.execution.worker_process import end
from reflex_ipython.models import Trial, from_json
from reflex_ipython.testwriting.recorder import OUT

START = "import sys; del sys.path[0]; from reflex_ipython.testwriting.worker import main; main()"
NO_PYTEST = "pytest is not installed here, and a test is only shown once it was seen to run: `pip install pytest`."
NO_SANDBOX = "A test is only shown once it was seen to fail and to pass in a sandbox, which needs Linux; this is {}."
ENDED = "The process that was to try the test has ended (exit code {})."


class Workroom:
    """Such a process. It ends with `close`.

    Parameters
    ----------
    imports : iterable of str
        Modules that the code imports: libraries among them are imported beforehand.
    seconds : float
        That each run may take.
    hash_seed : int
        By which sets of texts are ordered: two rooms with other seeds show what depends on it.
    folders : iterable of str
        Where modules are found besides those of this process's own path.

    Raises
    ------
    BadInput
        If pytest is not installed, or there is no sandbox.
    """

    def __init__(self, imports: Iterable[str], seconds: float, hash_seed: int, folders: Iterable[str] = ()) -> None:
        if importlib.util.find_spec("pytest") is None:
            raise BadInput(NO_PYTEST)
        if not sys.platform.startswith("linux"):
            raise BadInput(NO_SANDBOX.format(sys.platform))
        self.took = 0.0
        """Seconds of the longest run in which something was recorded."""
        self._folder = tempfile.TemporaryDirectory(prefix="reflex-test-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [sys.executable, "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # a Ctrl-C is the caller's
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        )
        path = [*folders, *(os.path.abspath(one) for one in sys.path)]
        begin = {"folder": self.folder, "path": path, "libraries": libraries(imports), "seconds": seconds}
        self._send(begin)

    @property
    def folder(self) -> str:
        """Where the code may write, and what it is given stands."""
        return os.path.realpath(self._folder.name)

    def run(self, code: str, seconds: float | None = None) -> tuple[Trial, dict[str, Any]]:
        """Run code in a copy, and give what was seen, with what it wrote to `out.json`: nothing if it did not end.

        Parameters
        ----------
        code : str
        seconds : float or None
            That it may take at most, if that is less than any run may.

        Raises
        ------
        BadInput
            If the process has ended.
        """
        out = Path(self.folder, OUT)
        out.unlink(missing_ok=True)
        self._send({"code": code, "seconds": seconds})
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise BadInput(ENDED.format(self._process.wait()))
        trial = from_json(Trial, json.loads(line))
        try:
            written = json.loads(out.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            written = {}
        return trial, written if isinstance(written, dict) else {}

    def close(self) -> None:
        """End it at once."""
        end(self._process)
        self._folder.cleanup()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise BadInput(ENDED.format(self._process.wait())) from None

    def __enter__(self) -> Workroom:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def libraries(imports: Iterable[str]) -> list[str]:
    """Those modules among some that are no files of the user's own."""
    return [name for name in imports if _is_library(name.partition(".")[0])]


def _is_library(package: str) -> bool:
    if package in sys.stdlib_module_names:
        return True
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return False
    homes = [*site.getsitepackages(), site.getusersitepackages(), sysconfig.get_paths()["purelib"]]
    origin = os.path.realpath(spec.origin) if spec is not None and spec.origin else ""
    return any(origin.startswith(os.path.realpath(home) + os.sep) for home in homes)
