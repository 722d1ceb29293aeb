"""What goes wrong with numpy, pandas, scikit-learn and matplotlib, told by messages and types: mostly candidates."""

from reflex_ipython.propose.rules.proposal import Rule
from reflex_ipython.propose.rules.science import (
    alignment,
    arguments,
    arrays,
    axes,
    estimators,
    features,
    files,
    fitting,
    frames,
    in_place,
    indexing,
    merging,
    metrics,
    places,
    plot_styles,
    plots,
    renames,
    sampling,
    shapes,
    splits,
    truth,
    types,
)

RULES: tuple[Rule, ...] = (
    *truth.RULES,
    *renames.RULES,
    *arguments.RULES,
    *types.RULES,
    *features.RULES,
    *splits.RULES,
    *fitting.RULES,
    *metrics.RULES,
    *estimators.RULES,
    *axes.RULES,
    *plots.RULES,
    *plot_styles.RULES,
    *files.RULES,
    *indexing.RULES,
    *alignment.RULES,
    *merging.RULES,
    *in_place.RULES,
    *frames.RULES,
    *shapes.RULES,
    *places.RULES,
    *sampling.RULES,
    *arrays.RULES,
)
"""The candidates, and what is sure where no other rule is."""

FIRST: tuple[Rule, ...] = renames.FIRST
"""What is sure, and to be asked before the closest spelling is looked for."""
