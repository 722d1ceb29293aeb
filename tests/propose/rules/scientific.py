"""Values of the scientific libraries as failures tell of them."""

from __future__ import annotations

from reflex_ipython.models import ValueSummary

MEANINGS = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}


def table(name: str, *columns: str, rows: int = 3) -> ValueSummary:
    """A DataFrame with columns such as `'price': str; '$1', '$2'`."""
    size = f"DataFrame, {rows} rows × {len(columns)} columns"
    return ValueSummary(name, "pandas.DataFrame", "\n".join([size, "index: RangeIndex", *columns]), "table")


def array(name: str, *shape: int) -> ValueSummary:
    size = f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
    return ValueSummary(name, "numpy.ndarray", f"array, shape {size}; dtype int64", "array")
