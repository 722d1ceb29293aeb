"""What goes wrong with numpy, pandas, scikit-learn and matplotlib, told by messages and types: mostly candidates."""

from reflex_ipython.propose.rules.proposal import Rule
from reflex_ipython.propose.rules.science import (
    arguments,
    arrays,
    estimators,
    files,
    frames,
    plots,
    renames,
    truth,
    types,
)

RULES: tuple[Rule, ...] = (
    *truth.RULES,
    *renames.RULES,
    *arguments.RULES,
    *types.RULES,
    *estimators.RULES,
    *plots.RULES,
    *files.RULES,
    *frames.RULES,
    *arrays.RULES,
)
"""The candidates, and what is sure where no other rule is."""

FIRST: tuple[Rule, ...] = renames.FIRST
"""What is sure, and to be asked before the closest spelling is looked for."""
