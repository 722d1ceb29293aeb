"""One notebook from its first cell to its last, healed on the way: `heal_notebook`."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import NoSuchKernel
from nbclient.client import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from reflex_ipython.errors import BadInput, told
from reflex_ipython.headless.healed import HealedNotebook, Status
from reflex_ipython.headless.healing import CantLoad, HealingRunner
from reflex_ipython.headless.limits import MAX_OUTPUT, Limited
from reflex_ipython.headless.notebook_file import parsed, read, with_parameters
from reflex_ipython.headless.policy import POLICIES, Policy
from reflex_ipython.headless.verification import failing_cell, verify

NO_INPUT = "StdinNotImplementedError"
MEMORY = "MemoryError"


@dataclass(frozen=True)
class Options:
    """How notebooks are healed.

    Parameters
    ----------
    accept : str
        Which fixes are accepted: "proven", "always" or "never".
    attempts : int
        How many fixes are accepted for one cell, one after the other.
    install : bool
        Whether a fix may install a well-known package.
    timeout : float or None
        Seconds for each cell; None: any.
    notebook_timeout : float or None
        Seconds for the whole notebook, its verification included; None: any.
    memory : int
        Bytes that the kernel may have for its data; 0: any. Linux only.
    max_output : int
        Bytes that the cells may show together.
    kernel : str
        The name of the kernel; empty: the notebook's own.
    parameters : mapping of str to object
        Names that are set, as papermill does.
    verify : bool
        Whether what was healed is run once more, from the top.
    folder : str
        Where the cells run; empty: in that of the notebook, if this machine has it, else in an empty one.
    settings : mapping of str to object
        Of the extension, by their names: `model`, `provider`, `base_url`, …
    """

    accept: Policy = "proven"
    attempts: int = 3
    install: bool = False
    timeout: float | None = None
    notebook_timeout: float | None = None
    memory: int = 0
    max_output: int = MAX_OUTPUT
    kernel: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    verify: bool = True
    folder: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.accept not in POLICIES:
            raise BadInput(f"accept is {self.accept!r}; it can be {', '.join(POLICIES)}.")
        if self.attempts < 1:
            raise BadInput("attempts has to be 1 or more.")


class Stop:
    """Ends a run from outside: from another thread, or when its time is up."""

    def __init__(self) -> None:
        self.reason: Status | None = None
        self._lock = threading.Lock()
        self._running: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None

    def watch(self) -> None:
        """The present task is what is ended."""
        with self._lock:
            task = asyncio.current_task()
            assert task is not None
            self._running = asyncio.get_running_loop(), task
            if self.reason:
                task.cancel()

    def over(self) -> None:
        """It has ended by itself."""
        with self._lock:
            self._running = None

    def now(self, reason: Status = "interrupted") -> None:
        """End it; the first reason counts."""
        with self._lock:
            self.reason = self.reason or reason
            if self._running is not None:
                loop, task = self._running
                loop.call_soon_threadsafe(task.cancel)


class HealingRun(Limited, HealingRunner):
    """Heals within bounds."""


class PlainRun(Limited):
    """Runs within bounds, and nothing else."""


def heal_notebook(source: str | os.PathLike[str] | Any, **options: Any) -> HealedNotebook:
    """Run a notebook from its first cell to its last, and heal the cells that fail.

    Parameters
    ----------
    source : str, path or NotebookNode
        A notebook's file, or a notebook. It stays as it is: the healed one is in the result.
    **options
        The fields of `Options`: `accept="proven"`, `attempts`, `install`, `timeout` and `notebook_timeout` (seconds),
        `memory` and `max_output` (bytes), `kernel`, `parameters`, `verify`, `folder`, `settings`.

    Returns
    -------
    HealedNotebook
        Whatever happens in the notebook is told there, and raises nothing.

    Raises
    ------
    BadInput
        If it can't be read, or an option is none.
    """
    known = {one.name for one in dataclasses.fields(Options)}
    unknown = sorted(set(options) - known)
    if unknown:
        raise BadInput(f"There is no option {unknown[0]!r}. There are: {', '.join(sorted(known))}.")
    chosen = Options(**options)
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        notebook = parsed(read(path), str(path))
        chosen = dataclasses.replace(chosen, folder=chosen.folder or str(path.resolve().parent))
    else:
        notebook = copy.deepcopy(source)
        chosen = dataclasses.replace(chosen, folder=chosen.folder or os.getcwd())
    notebook = with_parameters(notebook, chosen.parameters, chosen.kernel)
    stop = Stop()
    found: list[HealedNotebook] = []
    thread = threading.Thread(target=lambda: found.append(heal(notebook, chosen, stop)), name="reflex-heal")
    thread.start()
    try:
        thread.join()
    except BaseException:
        stop.now()
        thread.join()
        raise
    return found[0]


def heal(notebook: Any, options: Options, stop: Stop) -> HealedNotebook:
    """Heal a notebook in place, on a thread that is not the main one: nbclient would take its signals.

    Parameters
    ----------
    notebook : NotebookNode
    options : Options
    stop : Stop

    Returns
    -------
    HealedNotebook
    """
    try:
        return asyncio.run(_heal(notebook, options, stop))
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost what has run, nor the other notebooks
        return HealedNotebook(notebook, "failed", f"It could not be healed: {told(error)}.")


async def _heal(notebook: Any, options: Options, stop: Stop) -> HealedNotebook:
    began = time.monotonic()
    with _folder(options.folder) as folder:
        common: dict[str, Any] = {
            "kernel_name": options.kernel, "timeout_func": lambda cell: options.timeout, "memory": options.memory,
            "max_output": options.max_output, "resources": {"metadata": {"path": folder}},
        }  # fmt: skip
        client = HealingRun(
            notebook, accept=options.accept, attempts=options.attempts, install=options.install,
            settings=dict(options.settings), **common,
        )  # fmt: skip
        stop.watch()
        timer = _timer(options.notebook_timeout, stop)
        try:
            status, left, traceback = await _outcome(client, stop, options)
            client.set_widgets_metadata()
            verification = None
            if status == "healed" and options.verify:
                try:
                    verification = await verify(notebook, lambda fresh: PlainRun(fresh, **common))
                except (asyncio.CancelledError, DeadKernelError):
                    status, left = stop.reason or "interrupted", "Its verification was not finished."
                else:
                    status = "unverified" if verification.error else status
                    left = verification.words if verification.error else left
        finally:
            stop.over()
            if timer is not None:
                timer.cancel()
    seconds = round(time.monotonic() - began, 3)
    return HealedNotebook(notebook, status, left, tuple(client.repairs), verification, seconds, traceback)


async def _outcome(client: HealingRun, stop: Stop, options: Options) -> tuple[Status, str, str]:
    """Run it; gives how that ended, what is left to do, and the traceback of the cell that ended it."""
    try:
        await client.async_execute()
    except CellExecutionError as error:
        status, left = _failed(client, error)
        return status, left, error.traceback
    except CellTimeoutError:
        return "timeout", f"Cell {_running(client)} ran for more than {options.timeout or 0:g} s.", ""
    except NoSuchKernel as error:
        return "no-kernel", f"There is no kernel {error.name!r}: `jupyter kernelspec list` says which there are.", ""
    except CantLoad as error:
        return "no-kernel", str(error), ""
    except asyncio.CancelledError:
        return _stopped(client, stop)
    except (DeadKernelError, RuntimeError) as error:
        if stop.reason is not None:  # nbclient takes the end of its task for that of the kernel
            return _stopped(client, stop)
        return "kernel-died", _died(client, error), ""
    return ("healed" if any(repair.accepted for repair in client.repairs) else "clean"), "", ""


def _failed(client: HealingRun, error: CellExecutionError) -> tuple[Status, str]:
    number = failing_cell(client.nb) or _running(client)
    if client.too_much:
        return (
            "too-much-output",
            f"Cell {number} was interrupted: the cells show more than {client.max_output:,} bytes.",
        )
    if error.ename == NO_INPUT:
        return "input", f"Cell {number} asks for input, and nobody is there to answer."
    if error.ename.endswith((MEMORY, "OutOfMemoryError")):
        limit = f", which is limited to {client.memory:,} bytes" if client.memory else ""
        return "out-of-memory", f"Cell {number} needs more memory than there is{limit}: {error.evalue}".rstrip(": ")
    last = client.repairs[-1].outcome if client.repairs and not client.repairs[-1].accepted else ""
    return "failed", f"Cell {number} raises {error.ename}: {error.evalue}. {last}".rstrip()


def _stopped(client: HealingRun, stop: Stop) -> tuple[Status, str, str]:
    if stop.reason == "timeout":
        return "timeout", f"The time for the notebook was up in cell {_running(client)}.", ""
    return "interrupted", f"Interrupted in cell {_running(client)}; what ran before is kept.", ""


def _died(client: HealingRun, error: Exception) -> str:
    if client.process is None:
        return f"The kernel did not start: {error}"
    where = f"in cell {_running(client)}"
    if client.killed_by == getattr(signal, "SIGKILL", 9):
        return f"The kernel was killed {where}, as a system does that runs out of memory."
    return (
        f"The kernel died of signal {client.killed_by} {where}." if client.killed_by else f"The kernel ended {where}."
    )


def _running(client: NotebookClient) -> int:
    """The number of the cell that was sent last, from 1."""
    return int(getattr(client, "sent", 0)) or 1


def _timer(seconds: float | None, stop: Stop) -> asyncio.TimerHandle | None:
    if seconds is None:
        return None
    return asyncio.get_running_loop().call_later(seconds, stop.now, "timeout")


@contextmanager
def _folder(wanted: str) -> Iterator[str]:
    """Where the cells run."""
    if os.path.isdir(wanted):
        yield wanted
        return
    with tempfile.TemporaryDirectory(prefix="reflex-heal-", ignore_cleanup_errors=True) as folder:
        yield folder
