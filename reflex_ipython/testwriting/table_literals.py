"""Frames, columns and arrays as small constructors; what is too long for that is a file beside the test."""

from __future__ import annotations

import contextlib
import pickle
from typing import Any

from reflex_ipython.base.article import a
from reflex_ipython.testwriting.literals import CannotWrite, LiteralWriter, quoted

MOST = 120
"""Values of a table that are written out."""
MOST_BYTES = 5 << 20
"""Of a file beside a test."""
PANDAS, NUMPY = "import pandas as pd", "import numpy as np"


def written(writer: LiteralWriter, value: Any) -> str:
    """The expression of a value of numpy's or pandas'. Raises `CannotWrite` for what has none."""
    kind = type(value).__name__
    if type(value).__module__.partition(".")[0] == "numpy":
        writer.needs(NUMPY)
        return _of_numpy(writer, value)
    writer.needs(PANDAS)
    write = {"DataFrame": _frame, "Series": _series}.get(kind)
    if write is not None:
        return write(writer, value)
    if kind.endswith("Index"):
        return _index(writer, value)
    if kind in ("Timestamp", "Timedelta"):
        zone = getattr(value, "tz", None)
        return f"pd.{kind}({quoted(str(value.isoformat()))})" if zone is None else f"pd.{value!r}".replace("'", '"')
    if kind in ("NaTType", "NAType"):
        return f"pd.{kind.removesuffix('Type')}"
    raise CannotWrite(f"is {a(kind)} of pandas, which has no short way to be written")


def _of_numpy(writer: LiteralWriter, value: Any) -> str:
    import numpy

    if isinstance(value, numpy.generic):
        plain = value.item()
        if type(plain) not in (int, float, bool, complex, str):
            raise CannotWrite(f"is {a(type(value).__name__)} of numpy")
        return f"np.{type(value).__name__.rstrip('_') if type(plain) is not bool else 'bool_'}({writer.written(plain)})"
    if type(value) is not numpy.ndarray:
        raise CannotWrite(f"is {a(type(value).__name__)} of numpy")
    if value.size > MOST:
        return _pickled(writer, value, value.nbytes)
    if value.dtype.names or value.dtype.kind not in "biufcUSO":
        return _pickled(writer, value, value.nbytes)
    usual = value.dtype in (numpy.dtype(int), numpy.dtype(float), numpy.dtype(bool)) and value.size
    dtype = "" if usual else f", dtype={_dtype(value.dtype)}"
    if value.size == 0 and value.ndim != 1:
        return f"np.empty({value.shape}{dtype})"
    return f"np.array({writer.written(value.tolist())}{dtype})"


def _dtype(dtype: Any) -> str:
    return quoted(str(dtype)) if dtype.kind not in "OU" else ("object" if dtype.kind == "O" else quoted(dtype.str))


def _frame(writer: LiteralWriter, table: Any) -> str:
    if table.size > MOST or not table.columns.is_unique or table.columns.nlevels > 1:
        return _table_file(writer, table)
    columns = {label: table[label] for label in table.columns}
    parts = [f"{writer.written(label)}: {_column(writer, column)}" for label, column in columns.items()]
    index = _row_labels(writer, table.index)
    if not parts:
        return f"pd.DataFrame({index.removeprefix(', ')})"
    text = f"pd.DataFrame({{{', '.join(parts)}}}{index})"
    return _checked(text, writer, table)


def _series(writer: LiteralWriter, column: Any) -> str:
    if column.size > MOST:
        return _pickled(writer, column, column.memory_usage(deep=True))
    name = "" if column.name is None else f", name={writer.written(column.name)}"
    dtype = "" if _is_usual(column) and len(column) else f", dtype={quoted(str(column.dtype))}"
    text = f"pd.Series({_values(writer, column)}{_row_labels(writer, column.index)}{name}{dtype})"
    return _checked(text, writer, column)


def _column(writer: LiteralWriter, column: Any) -> str:
    values = _values(writer, column)
    kind = column.dtype.kind if hasattr(column.dtype, "kind") else "O"
    if kind == "M":
        return f"pd.to_datetime({values})"
    if kind == "m":
        return f"pd.to_timedelta({values})"
    if _is_usual(column) and len(column):
        return values
    return f"pd.array({values}, dtype={quoted(str(column.dtype))})"


def _is_usual(column: Any) -> bool:
    """Whether pandas gives a list of these values this type by itself."""
    import pandas

    return bool(pandas.Series(column.tolist()).dtype == column.dtype)


def _values(writer: LiteralWriter, column: Any) -> str:
    values = column.tolist()
    if getattr(column.dtype, "kind", "O") in "Mm":
        return writer.written([None if value != value else str(value) for value in values])
    return writer.written(values)


def _row_labels(writer: LiteralWriter, index: Any) -> str:
    if type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1 and index.name is None:
        return ""
    return f", index={_index(writer, index)}"


def _index(writer: LiteralWriter, index: Any) -> str:
    kind = type(index).__name__
    name = "" if index.name is None else f", name={writer.written(index.name)}"
    if kind == "RangeIndex":
        return f"pd.RangeIndex({index.start}, {index.stop}, {index.step}{name})"
    if kind == "MultiIndex" and index.size <= MOST:
        names = "" if not any(index.names) else f", names={writer.written(list(index.names))}"
        return f"pd.MultiIndex.from_tuples({writer.written(index.tolist())}{names})"
    if kind == "Index" and index.size <= MOST:
        plain = writer.written(index.tolist())
        return f"pd.Index({plain}{name})" if name or not index.size else plain
    if kind == "DatetimeIndex" and index.size <= MOST and index.tz is None:
        every = "" if index.freq is None else f", freq={quoted(index.freqstr)}"
        return f"pd.DatetimeIndex({writer.written([str(one) for one in index])}{every}{name})"
    return _pickled(writer, index, index.memory_usage(deep=True))


def _table_file(writer: LiteralWriter, table: Any) -> str:
    """A file of comma-separated values, if the table is read from it as it was; else a pickle."""
    import io

    import pandas

    if _row_labels(writer, table.index[:0]) == "" and table.columns.nlevels == 1:
        text = table.to_csv(index=False)
        # Before version 3, pandas reads numbers a little wrong without; later it has deprecated this.
        exactly = {"float_precision": "round_trip"} if pandas.__version__.startswith(("1.", "2.")) else {}
        for options in ({}, exactly):
            with contextlib.suppress(AssertionError, ValueError):
                pandas.testing.assert_frame_equal(
                    pandas.read_csv(io.StringIO(text), **options), table, check_exact=True
                )
                _check_size(len(text))
                more = "".join(f", {name}={quoted(value)}" for name, value in options.items())
                return f"pd.read_csv({writer.beside(text.encode(), '.csv')}{more})"
    return _pickled(writer, table, int(table.memory_usage(deep=True).sum()))


def _pickled(writer: LiteralWriter, value: Any, size: int) -> str:
    _check_size(size)
    writer.needs("import pickle")
    return f"pickle.loads({writer.beside(pickle.dumps(value, protocol=4), '.pickle')}.read_bytes())"


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise CannotWrite(f"takes {size / 1e6:,.0f} MB, and a file beside a test has at most {MOST_BYTES >> 20}")


def _checked(text: str, writer: LiteralWriter, value: Any) -> str:
    """The expression, if it gives the same; else a file of the value."""
    import numpy
    import pandas

    if writer.names or writer.files:
        return text  # what it is made of is nobody's but the notebook's: the test itself shows whether it is the same
    is_frame = type(value).__name__ == "DataFrame"
    testing = pandas.testing
    try:
        made = eval(text, {"pd": pandas, "np": numpy})  # literals and pandas' constructors
        (testing.assert_frame_equal if is_frame else testing.assert_series_equal)(made, value)
    except Exception:  # noqa: BLE001 - whatever makes it another one
        size = value.memory_usage(deep=True)
        return _pickled(writer, value, int(size.sum() if is_frame else size))
    return text
