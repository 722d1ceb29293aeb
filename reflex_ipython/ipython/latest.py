"""`reflex_ipython.last`: what came of the latest request in words in this kernel."""

from __future__ import annotations

import sys

from reflex_ipython.models import Execution


def last() -> Execution | None:
    """What came of it so far; None if nothing was asked for in words, or the extension is not loaded."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    extension = getattr(shell, "reflex_extension", None)
    assembled = getattr(extension, "assembled", None)
    return None if assembled is None else assembled.execution()
