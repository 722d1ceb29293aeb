"""Capture: from a live exception to a plain `Failure`, and what may leave this machine of it."""

from __future__ import annotations

from reflex_ipython.capture.cells import CellLookup
from reflex_ipython.capture.failure import capture_failure, exception_info
from reflex_ipython.capture.fingerprint import fingerprint
from reflex_ipython.capture.held import held_secrets
from reflex_ipython.capture.redactor import SecretRedactor, redact

__all__ = [
    "CellLookup",
    "SecretRedactor",
    "capture_failure",
    "exception_info",
    "fingerprint",
    "held_secrets",
    "redact",
]
