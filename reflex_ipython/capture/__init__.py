"""Capture: from a live exception to a plain `Failure`.

What may leave this machine of it is `redactor`'s, which is imported where something leaves: most failures never do.
"""

from __future__ import annotations

from reflex_ipython.capture.cells import CellLookup
from reflex_ipython.capture.failure import capture_failure, exception_info
from reflex_ipython.capture.fingerprint import fingerprint
from reflex_ipython.capture.held import held_secrets
from reflex_ipython.capture.wanted import capture_situation

__all__ = [
    "CellLookup",
    "capture_failure",
    "capture_situation",
    "exception_info",
    "fingerprint",
    "held_secrets",
]
