"""Cells that do not parse."""

from reflex_ipython.propose.rules.syntax.search import STEPS, repaired_syntax

__all__ = ["STEPS", "repaired_syntax"]
