"""The few values of numpy, pandas and torch, recognized without importing them, and told in a word or two.

A class derived from one of theirs is read through theirs: what a subclass overrides is not called.
"""

from __future__ import annotations

from typing import Any

from reflex_ipython.capture import safe_inspection

LABELS = 2_000
"""So many columns, keys or names are told at most."""

_LABEL = 100  # a longer one is no name that a person mistyped


def labels(found: Any) -> tuple[str, ...]:
    """The strings among these that may be names: bounded, in order."""
    kept: list[str] = []
    for label in found:
        if len(kept) == LABELS:
            break
        if type(label) is str and len(label) <= _LABEL:
            kept.append(label)
        elif safe_inspection.is_a(label, str) and str.__len__(label) <= _LABEL:  # numpy.str_ and the like
            kept.append(str.__str__(label))
    return tuple(kept)


def frame(value: Any) -> Any:
    """A plain pandas DataFrame with the same data, or None if the value is no DataFrame."""
    return _plain(value, "DataFrame")


def series(value: Any) -> Any:
    """A plain pandas Series with the same data, or None."""
    return _plain(value, "Series")


def _plain(value: Any, name: str) -> Any:
    base = safe_inspection.loaded("pandas", name)
    if base is safe_inspection.MISSING or not safe_inspection.is_a(value, base):
        return None
    if type(value) is base:
        return value
    manager = dict.get(safe_inspection.instance_dict(value), "_mgr")
    return None if manager is None else base._from_mgr(manager, manager.axes)


def index(value: Any) -> Any:
    """The value itself if it is a pandas Index of pandas' own, else None."""
    base = safe_inspection.loaded("pandas", "Index")
    own = base is not safe_inspection.MISSING and safe_inspection.is_a(value, base)
    return value if own and safe_inspection.class_name(type(value)).startswith("pandas.") else None


def grouped(value: Any) -> Any:
    """The table behind a pandas `groupby`; any other value as it is."""
    if not safe_inspection.type_name(value).startswith("pandas."):
        return value
    inner = dict.get(safe_inspection.instance_dict(value), "obj")
    return value if inner is None or (frame(inner) is None and series(inner) is None) else inner


def array(value: Any) -> Any:
    """The value as a plain numpy array that shares its memory, or None."""
    base = safe_inspection.loaded("numpy", "ndarray")
    if base is safe_inspection.MISSING or not safe_inspection.is_a(value, base):
        return None
    return value if type(value) is base else base.view(value, base)


def tensor(value: Any) -> Any:
    """The value itself if it is a torch tensor of torch's own, else None."""
    own = (safe_inspection.loaded("torch", "Tensor"), safe_inspection.loaded("torch.nn", "Parameter"))
    return value if any(type(value) is one for one in own) else None


def scalar(value: Any) -> str:
    """A numpy or pandas scalar as text, or an empty string."""
    name = safe_inspection.type_name(value)
    if name.startswith("pandas.") and name.rpartition(".")[2] in _PANDAS_SCALARS:
        return str(value)
    base = safe_inspection.loaded("numpy", "generic")
    if base is safe_inspection.MISSING or not safe_inspection.is_a(value, base) or not name.startswith("numpy."):
        return ""
    return f"{name}(…)" if value.dtype.hasobject or value.dtype.itemsize > 64 else f"{name}({value})"


_PANDAS_SCALARS = ("Timestamp", "Timedelta", "NaTType", "NAType", "Period", "Interval")


def rows_by_columns(table: Any) -> str:
    """The shape in words."""
    rows, columns = table.shape
    return f"{rows:,} row{'s' * (rows != 1)} × {columns:,} column{'s' * (columns != 1)}"


def brief(value: Any) -> str:
    """What the value is in a word or two, for use inside of others; empty if it is none of theirs."""
    if (table := frame(value)) is not None:
        return f"<DataFrame, {rows_by_columns(table)}>"
    if (column := series(value)) is not None:
        return f"<Series of {len(column):,}, {column.dtype}>"
    if (labels_ := index(value)) is not None:
        return f"<{safe_inspection.class_name(type(labels_)).rpartition('.')[2]} of {len(labels_):,}>"
    if (numbers := array(value)) is not None:
        return f"<array {numbers.shape} {_dtype(numbers)}>"
    if (numbers := tensor(value)) is not None:
        return f"<tensor {tuple(numbers.shape)} {numbers.dtype}>"
    return scalar(value)


def _dtype(numbers: Any) -> str:
    return str(numbers.dtype) if numbers.dtype.names is None else "structured"
