"""Ctrl-C that strikes while our own code runs: it was meant for the user's, and is handed on to it."""

from __future__ import annotations

import _thread
import os
import sys
import threading
import time

_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_PATIENCE = 1.0
"""Seconds after which nobody waits for the interrupt any more."""


def hand_on() -> None:
    """Interrupt the main thread as soon as it has left our code."""
    threading.Thread(target=_when_left, name="reflex-interrupt", daemon=True).start()


def _when_left() -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        time.sleep(0.0005)
        if not _inside():
            _thread.interrupt_main()
            return


def _inside() -> bool:
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None:
        if frame.f_code.co_filename.startswith(_OURS):
            return True
        frame = frame.f_back
    return False
