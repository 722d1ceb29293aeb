"""A process that works on requests, one after the other: for callers that can't be copied, threads and servers."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from reflex_ipython.errors import BadInput, ReflexError, told
from reflex_ipython.execution.events import ExecutionEvent, Listen
from reflex_ipython.execution.process_trials import ExecutionBounds
from reflex_ipython.models import Execution, from_json
from reflex_ipython.settings import Settings

START = "import sys; del sys.path[0]; from reflex_ipython.execution.worker import main; main()"
"""Without the working folder, whose files may have any names, until what is needed is imported."""
NOT_GIVEN = "`{}` can't be given to another process ({}): call it on the main thread, or leave that name out."
ENDED = "The process that worked on the request has ended (exit code {})."


@dataclasses.dataclass(frozen=True)
class ExecutionJob:
    """A request with all that goes with it."""

    request: str
    namespace: Mapping[str, Any]
    settings: Settings
    bounds: ExecutionBounds

    def line(self) -> str:
        """As one line of JSON, for the worker alone: the settings hold the key."""
        given, left_out = _pickled(self.namespace)
        if left_out:
            names = ", ".join(f"`{name}`" for name in left_out)
            warnings.warn(f"not given to the code, as it can't be pickled: {names}", RuntimeWarning, stacklevel=4)
        return json.dumps(
            {
                "request": self.request,
                "namespace": base64.b64encode(given).decode(),
                "settings": dataclasses.asdict(self.settings),
                "bounds": dataclasses.asdict(self.bounds),
                "path": sys.path,
            }
        )

    @classmethod
    def of(cls, line: str) -> ExecutionJob:
        """The reverse of `line`, in the worker, which then finds the caller's modules as well.

        Raises
        ------
        BadInput
            If a value can't be made here: its class is in the caller's script, say.
        """
        given = json.loads(line)
        sys.path += [folder for folder in given["path"] if folder not in sys.path]
        names = pickle.loads(base64.b64decode(given["namespace"]))
        bounds = ExecutionBounds(**{**given["bounds"], "files": tuple(given["bounds"]["files"])})
        namespace = {name: _unpickled(name, value) for name, value in names.items()}
        return cls(given["request"], namespace, Settings(**given["settings"]), bounds)


class WorkerProcess:
    """Such a process. It ends with this one, and with `close`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # a Ctrl-C is the caller's
        )
        self._lock = threading.Lock()
        self.served = 0
        """Requests so far."""

    @property
    def alive(self) -> bool:
        """Whether it can take another request."""
        return self._process.poll() is None

    def run(self, job: ExecutionJob, listen: Listen = lambda event: None) -> Execution:
        """Work on a request, and wait for its end.

        Raises
        ------
        BadInput, ReflexError
            As `execute` does, or if the process ends meanwhile.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = job.line()
        with self._lock:
            self.served += 1
            try:
                self._process.stdin.write(f"{line}\n")
                self._process.stdin.flush()
            except OSError:
                raise ReflexError(ENDED.format(self._process.wait())) from None
            for answer in self._process.stdout:
                message = json.loads(answer)
                if "event" in message:
                    listen(ExecutionEvent(message["event"], message["data"]))
                elif "refused" in message:
                    raise BadInput(message["refused"])
                else:
                    return from_json(Execution, message["execution"])
        raise ReflexError(ENDED.format(self._process.wait()))

    def close(self) -> None:
        """End it at once, whatever it works on."""
        end(self._process)

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def end(process: subprocess.Popen[str]) -> None:
    """Kill a process, and close the pipes to it."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # what was still to be written reaches nobody
                stream.close()


def _pickled(namespace: Mapping[str, Any]) -> tuple[bytes, list[str]]:
    """The names whose values can be pickled, each by itself; and the others."""
    given: dict[str, bytes] = {}
    left_out = []
    for name, value in namespace.items():
        try:
            given[name] = pickle.dumps(value)
        except Exception:  # noqa: BLE001 - any object may refuse in its own way
            left_out.append(name)
    return pickle.dumps(given), left_out


def _unpickled(name: str, value: bytes) -> Any:
    try:
        return pickle.loads(value)
    except Exception as error:  # noqa: BLE001 - as above
        raise BadInput(NOT_GIVEN.format(name, told(error))) from None
