"""What will surely fail in the statements of a cell that have not begun yet, judged by the live namespace.

It is looked at while a cell runs, on another thread: so nothing of the user's runs here, no object is held for longer
than it takes to look at it, and little is imported.
"""

from __future__ import annotations

from reflex_ipython.foreseen.foresee import ForeseenFailure, foresee
from reflex_ipython.foreseen.raised import raised

__all__ = ["ForeseenFailure", "foresee", "raised"]
