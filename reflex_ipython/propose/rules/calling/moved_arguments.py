"""What arguments are called now, or elsewhere: data only."""

from __future__ import annotations

# By function and argument: what the whole argument becomes; `{value}` stands for its value. Empty: it is left out.
REPLACED: dict[tuple[str, str], str] = {
    ("read_csv", "error_bad_lines"): "on_bad_lines='skip'",
    ("read_csv", "warn_bad_lines"): "",
    ("read_csv", "infer_datetime_format"): "",
    ("read_csv", "date_parser"): "",
    ("read_csv", "squeeze"): "",
    ("read_table", "error_bad_lines"): "on_bad_lines='skip'",
    ("to_datetime", "infer_datetime_format"): "",
    ("grid", "b"): "visible={value}",
    ("boxplot", "labels"): "tick_labels={value}",
    ("LinearRegression", "normalize"): "",
    ("Ridge", "normalize"): "",
    ("Lasso", "normalize"): "",
    ("ElasticNet", "normalize"): "",
    ("LogisticRegression", "multi_class"): "",
    ("TSNE", "n_iter"): "max_iter={value}",
    ("groupby", "axis"): "",
    ("sort_values", "columns"): "by={value}",
    ("legend", "location"): "loc={value}",
    ("barplot", "ci"): "errorbar={value}",
    ("lineplot", "ci"): "errorbar={value}",
    ("pointplot", "ci"): "errorbar={value}",
    ("KMeans", "n_jobs"): "",
    ("CountVectorizer", "max_feature"): "max_features={value}",
    ("DataFrame", "column"): "columns={value}",
    ("compile", "lr"): "learning_rate={value}",
}

# Methods whose work another method does, by the argument: what the call becomes.
METHODS: dict[tuple[str, str], dict[str, str]] = {
    ("fillna", "method"): {"ffill": "ffill()", "pad": "ffill()", "bfill": "bfill()", "backfill": "bfill()"},
    ("replace", "method"): {"ffill": "ffill()", "bfill": "bfill()"},
}

# Arguments that a function hands on to another one.
_FIGURE = ("figsize", "dpi", "facecolor", "edgecolor", "layout")
HANDED_ON: dict[str, tuple[str, ...]] = {
    "subplots": (*_FIGURE, "sharex", "sharey", "gridspec_kw", "subplot_kw"),
    "subplot_mosaic": _FIGURE,
    "figure": _FIGURE,
    "savefig": ("dpi", "bbox_inches", "transparent", "facecolor", "format"),
    "plot": (
        "figsize",
        "title",
        "kind",
        "color",
        "label",
        "linewidth",
        "linestyle",
        "marker",
        "alpha",
        "xlabel",
        "ylabel",
    ),
    "hist": ("bins", "alpha", "color", "label", "edgecolor", "density"),
    "bar": ("color", "alpha", "label", "width", "edgecolor"),
    "scatter": ("s", "c", "color", "alpha", "label", "marker", "cmap"),
}

# Words that functions use for the same thing.
SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in """
    color colour c
    seed random_state random_seed rng
    sep separator delimiter delim
    columns column by on key keys cols
    size figsize
    size fontsize
    size s markersize
    name names label labels title
    lr learning_rate
    epochs n_epochs num_epochs iterations max_iter n_iter num_iter
    n num count size k n_samples
    alpha opacity transparency
    width linewidth lw
    enc encoding
    axis dim
    func function f fn aggfunc
    start begin
    stop end
    bins n_bins nbins
    k n_clusters n_neighbors n_components
    filename file path filepath fname
    indent tab
    decimals digits ndigits precision
    verbose log
    test_size split test_ratio test_split test_fraction
    trees n_trees n_tree ntree ntrees num_trees n_estimators
    depth max_depth
    xlabel x_label
    line style linestyle
""".strip().splitlines()
)
