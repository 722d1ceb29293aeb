"""pyarrow and polars: tables and arrays are still, readers and buffers move."""

from __future__ import annotations

import pytest

from tests.state.halves.half import Half, check, check_read, halves

pytest.importorskip("pyarrow", reason="pyarrow is not installed (150 MB); `pip install pyarrow` runs these as well")

TABLE = "import pyarrow as pa\ntable = pa.table({'a': [1, 2], 'b': ['x', 'y']})\n"


@halves(
    Half(
        "a buffer that can be written to",
        TABLE + "it = pa.py_buffer(bytearray(b'abc'))",
        "memoryview(it)[0] = 9",
        "bytes(it)",
    ),
    Half(
        "a buffer of its own memory",
        TABLE + "it = pa.allocate_buffer(4); memoryview(it).cast('B')[:] = b'abcd'",
        "memoryview(it).cast('B')[0] = 9",
        "bytes(it)",
    ),
    Half("a buffer that is resized", TABLE + "it = pa.allocate_buffer(4, resizable=True)", "it.resize(9)", named="it"),
    Half("a reader over a buffer", TABLE + "it = pa.BufferReader(b'abc')", "it.read(1)", named="it"),
    Half("a stream in memory", TABLE + "it = pa.BufferOutputStream()", "it.write(b'a')", named="it"),
    Half(
        "a reader of record batches",
        TABLE + "it = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())",
        "it.read_next_batch()",
        named="it",
    ),
    Half(
        "a reader of csv",
        TABLE + "import pyarrow.csv, io\nit = pyarrow.csv.open_csv(io.BytesIO(b'a\\n1\\n'))",
        "it.read_next_batch()",
        named="it",
    ),
    Half(
        "options of a csv reader",
        TABLE + "import pyarrow.csv\nit = pyarrow.csv.ReadOptions()",
        "it.skip_rows = 2",
        named="it",
    ),
)
def test_what_moves_is_put_back_or_named(half: Half) -> None:
    check(half)


@pytest.mark.parametrize(
    "read",
    [
        "table.num_rows; table['a']; table.schema; table.to_pandas()",
        "table['a'].to_pylist(); table.slice(1); table.schema.field('a').type",
        "array[0].as_py(); array.buffers(); array.dictionary_encode()",
        "batch.num_rows; batch.to_pydict()",
        "pa.compute.sum(array); expression; frame.dtypes; frame['b'].str.len()",
    ],
)
def test_what_is_still_is_not_named(read: str) -> None:
    more = (
        "import pyarrow.compute\narray = pa.array([1, 2]); batch = table.to_batches()[0]\n"
        "expression = pa.compute.field('a') > 1; frame = table.to_pandas()\n"
    )
    check_read(TABLE + more, read)
