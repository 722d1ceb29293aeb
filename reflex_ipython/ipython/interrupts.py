"""Ctrl-C that strikes while our own code runs: it was meant for the user's, and is handed on to it."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from IPython.core.interactiveshell import InteractiveShell

_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_RUNNERS = (InteractiveShell.run_code.__code__, InteractiveShell.run_ast_nodes.__code__)
_BEGIN = ("do_execute", "run_cell_async")
"""How the functions of ipykernel and IPython are called that prepare a cell, run it and see to what is left."""
_PATIENCE = 10.0
"""Seconds after which nobody waits for the interrupt any more."""
_GAP = 0.05
"""Seconds that may pass from our code to the user's, besides what IPython does of it: if it has not begun by then, the
cell is over."""
_AGAIN = (0.05, 0.2)
"""Seconds after which an interrupt that was not taken is sent again."""
_MOMENT = 0.001
"""Seconds that our code takes at most to look at a call of the user's, more or less."""
_over = [0]
"""How many cells are over."""
_asked = [0]
"""How many interrupts were to be handed on: one that struck our code once more replaces the one before."""


def hand_on() -> None:
    """Interrupt the main thread as soon as it has left our code and runs the user's; never what is around that."""
    _asked[0] += 1
    threading.Thread(target=_when_left, args=(_over[0], _asked[0]), name="reflex-interrupt", daemon=True).start()


def handing_on(transform: Callable[[list[str]], list[str]], word: str) -> Callable[[list[str]], list[str]]:
    """An input transformer of IPython's that an interrupt does not end: IPython runs them outside of the cell.

    The interrupt is the cell's, which is about to begin: that begins as it stands, and gets it.

    Parameters
    ----------
    transform : callable
        As IPython asks of transformers: lines with their ends in, lines out.
    word : str
        It is asked only about cells with that word in a line: IPython goes through every cell's lines twice.
    """

    def transformed(lines: list[str]) -> list[str]:
        try:
            return transform(lines) if word in "".join(lines) else lines
        except KeyboardInterrupt:
            hand_on()
            return lines

    return transformed


@contextmanager
def held() -> Iterator[None]:
    """An interrupt that strikes meanwhile is handed on once this is done: for what must not be left half done.

    Code of the user's that runs meanwhile, as an object ends, is interrupted at once, and so is all by the second one:
    whatever runs here may hang. If that has ended this, none is handed on: it would strike what tells the user of it.
    """
    usual = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield  # a handler of the user's is theirs
        return
    from reflex_ipython.base.library_files import is_library  # not for cells that succeed, and not as a signal comes

    begun_in = sys._getframe(2)  # beyond this generator and `contextlib`
    struck: list[int] = []
    repeated: list[int] = []
    """Those that are sent once more, and have not struck since."""

    def strike(number: int, frame: FrameType | None) -> None:
        looks_on = False
        while frame is not None and frame is not begun_in:
            if frame.f_code.co_filename.startswith(_OURS):
                looks_on = True
            elif not is_library(frame.f_code.co_filename):
                break
            frame = frame.f_back
        if frame is None or frame is begun_in:
            signal.signal(signal.SIGINT, again)
            struck.append(number)
        elif looks_on:  # at a call of the user's, which goes on in a moment and would never hear of it
            repeated.append(number)
            itself = signal.getsignal(signal.SIGINT)  # by its name it would be a cycle, which collections find
            threading.Thread(target=_once_more, args=(itself,), name="reflex-interrupt", daemon=True).start()
        else:
            repeated.clear()
            usual(number, frame)

    def again(number: int, frame: FrameType | None) -> None:
        struck.append(number)
        usual(number, frame)

    signal.signal(signal.SIGINT, strike)
    try:
        yield
    except BaseException:
        if len(struck) > 1:
            struck.clear()
            repeated.clear()
        raise
    finally:
        if signal.getsignal(signal.SIGINT) in (strike, again):
            signal.signal(signal.SIGINT, usual)
        if struck or repeated:
            hand_on()


def _once_more(handler: object) -> None:
    """Interrupt the main thread once more in a moment, and again where that took no notice of it."""
    time.sleep(_MOMENT)
    place = _place()
    for pause in _AGAIN:
        if signal.getsignal(signal.SIGINT) is not handler:
            return
        _interrupt()
        time.sleep(pause)
        if _place() != place:
            return


def is_over() -> None:
    """The cell is over: what was meant for it does not strike the next one."""
    _over[0] += 1


def _when_left(cells: int, asked: int) -> None:
    now = time.monotonic()
    last, end = now + _PATIENCE, now + _GAP
    while now < min(last, end):
        time.sleep(0.0005)
        now = time.monotonic()
        frames = _frames()
        if _is_settled(cells, asked):
            return
        if not any(frame.f_code.co_filename.startswith(_OURS) for frame in frames):
            if any(frame.f_code in _RUNNERS for frame in frames) or _cancels():
                _strike(cells, asked)
                return
            if not any(frame.f_code.co_name in _BEGIN for frame in frames):
                continue
        end = now + _GAP


def _is_settled(cells: int, asked: int) -> bool:
    """Whether that cell is over, or somebody else hands a later interrupt on: two would show as two."""
    return _over[0] != cells or _asked[0] != asked


def _strike(cells: int, asked: int) -> None:
    """Interrupt the main thread until it takes notice: what comes just before a sleep begins does not end that."""
    place = _place()
    _interrupt()
    for pause in _AGAIN:
        time.sleep(pause)
        if (
            _is_settled(cells, asked)
            or _place() != place
            or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        ):
            return
        _interrupt()


def _place() -> list[tuple[int, int]]:
    """The instructions at which the main thread is; one that has taken notice of an interrupt is at others."""
    return [(id(frame.f_code), frame.f_lasti) for frame in _frames()]


def _interrupt() -> None:
    """Send the main thread the signal itself, where there are such: it may be in a sleep, which nothing else ends."""
    if signal.getsignal(signal.SIGINT) in (signal.SIG_DFL, signal.SIG_IGN, None):
        return
    ident = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and ident is not None:
        signal.pthread_kill(ident, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _frames() -> list[FrameType]:
    """Where the main thread is."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    frames = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return frames


def _cancels() -> bool:
    """Whether somebody takes care of an interrupt, wherever it strikes: ipykernel, while a cell awaits."""
    return signal.getsignal(signal.SIGINT) not in (signal.default_int_handler, signal.SIG_IGN, signal.SIG_DFL)
