"""Where a trial stood when its time was up, and whether it worked or waited."""

from __future__ import annotations

import faulthandler
import itertools
import os
import re
import signal
import time
from dataclasses import dataclass

from reflex_ipython.models import Outcome

_FRAME = re.compile(r'File "([^"\n]*)", line (\d+)(?: in (.*))?')
_WAITING = ("threading.py", "queue.py", "selectors.py", "socket.py", "subprocess.py", "connection.py", "synchronize.py")
_OURS = "candidate.py"  # what lies further out is the stack of the kernel, from before the fork
_BEFORE = "before_the_cell"  # its function that runs what comes before the failing cell: other texts, other lines
_OUTERMOST = "become_candidate"  # its function that all others run in
_LIBRARY = re.compile(r"/(?:site|dist)-packages/([A-Za-z]\w*)")
_LONGEST = 1 << 16
_ASKED = signal.SIGRTMAX
_PATIENCE = 1.0  # seconds


@dataclass(frozen=True)
class TimeoutReport:
    """What is known of a run that had to be stopped.

    Parameters
    ----------
    lineno : int or None
        The failing cell's line, 1-based; None where that has not begun, or is too far out to be seen.
    waits : bool
        Whether the innermost call is one that waits: for a lock, a thread, a queue, a process.
    library : str
        The library that the innermost call is in; empty for Python's own, and for the cell itself.
    runnable : bool
        Whether it was running, or ready to: on a busy machine a process may get little time and wait for nothing.
    cpu_seconds : float
        Processor time that it used by then; 0 if not known.
    elapsed : float
        Seconds that it ran.
    """

    lineno: int | None
    waits: bool
    library: str
    runnable: bool
    cpu_seconds: float
    elapsed: float

    def words(self, seconds: float) -> tuple[Outcome, str]:
        """The outcome, and the reason in words.

        Parameters
        ----------
        seconds : float
            The limit.
        """
        late = f"timed out after {seconds:g} s" + (f" on line {self.lineno}" if self.lineno is not None else "")
        if self.waits or (not self.runnable and self.cpu_seconds < self.elapsed / 4):
            threads = f"threads of {self.library}" if self.library else "a thread"
            missing = f"possibly waiting for {threads} that the copy of the kernel does not have"
            return "inconclusive", f"{late}, {missing}"
        return "timed_out", late


def answer_with_stack(trace: int) -> None:
    """Have this process write down where its main thread stands when it is asked to, or has used up its processor time.

    It stands still meanwhile: `faulthandler`'s own thread looks at frames that come and go, and may crash by that.

    Parameters
    ----------
    trace : int
        The descriptor that it is written to.
    """
    faulthandler.register(_ASKED, file=trace, all_threads=False)
    faulthandler.register(signal.SIGXCPU, file=trace, all_threads=False, chain=True)  # it ends by that


def ask_for_stack(pid: int, trace: int) -> None:
    """Ask another process for that, and wait until it is there; not for long, as it may be kept from answering.

    Parameters
    ----------
    pid : int
        A child that has not been waited for.
    trace : int
        As in `answer_with_stack`.
    """
    os.kill(pid, _ASKED)
    end = time.monotonic() + _PATIENCE
    while f"in {_OUTERMOST}\n" not in _written(trace) and time.monotonic() < end:
        time.sleep(0.002)


def timeout_report(trace: int, elapsed: float, cpu_seconds: float, *, runnable: bool) -> TimeoutReport:
    """Read what `faulthandler` wrote.

    Parameters
    ----------
    trace : int
        The descriptor that it wrote to.
    elapsed, cpu_seconds : float
        Of the run.
    runnable : bool
        As in `TimeoutReport`.
    """
    everything = _FRAME.findall(_written(trace).rpartition("(most recent call first):")[2])
    frames = list(itertools.takewhile(lambda frame: os.path.basename(frame[0]) != _OURS, everything))
    around = [function for file, _, function in everything[len(frames) :] if os.path.basename(file) == _OURS]
    whole = _OUTERMOST in around  # of a deep stack, the outermost frames are missing
    cell = frames if whole and _BEFORE not in around else []
    module = [int(line) for _, line, function in cell if function == "<module>"]
    waits = bool(frames) and os.path.basename(frames[0][0]) in _WAITING
    found = _LIBRARY.search(frames[0][0]) if frames else None
    library = found[1] if found else ""
    return TimeoutReport(module[-1] if module else None, waits, library, runnable, cpu_seconds, elapsed)


def _written(trace: int) -> str:
    return os.pread(trace, _LONGEST, 0).decode("utf-8", "replace")
