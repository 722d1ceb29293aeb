"""What a statement will do, seen before it runs: from its code and the live types, without running anything."""

from reflex_ipython.state.analysis.foreseen import Foreseen, Functions, foresee

__all__ = ["Foreseen", "Functions", "foresee"]
