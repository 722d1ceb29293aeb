"""Cells that do not parse."""

from reflex_ipython.propose.rules.proposal import Rule
from reflex_ipython.propose.rules.syntax.search import STEPS, repaired_syntax

RULES: tuple[Rule, ...] = (repaired_syntax,)
"""One for all of them: what is meant is what nothing else rivals."""

__all__ = ["RULES", "STEPS", "repaired_syntax"]
