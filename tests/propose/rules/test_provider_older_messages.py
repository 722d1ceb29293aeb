"""What Python 3.10 and pandas 2 say is answered as what the newest say: their messages name no types."""

from __future__ import annotations

import pytest

from reflex_ipython.models import ValueSummary
from tests.propose.rules.build import candidates, failure

GENERATOR = "def opened():\n    yield 3\nwith opened() as n:\n    m = n"
DECORATED = f"from contextlib import contextmanager\n@contextmanager\n{GENERATOR}"
CODES = ValueSummary("codes", "pandas.Series", "Series of 2", "table", ("10", "20"))


@pytest.mark.parametrize(
    ("source", "error", "line", "value", "fixed"),
    [
        (
            'n = data["name"]', "TypeError: string indices must be integers", 1,
            ValueSummary("data", "str", "'{\"name\": \"a\"}'", "scalar"), 'import json\nn = json.loads(data)["name"]',
        ),
        (
            'import re\nt = re.sub("a", "x", n, 1)', "TypeError: expected string or bytes-like object", 2,
            ValueSummary("n", "int", "12", "scalar"), 'import re\nt = re.sub("a", "x", str(n), 1)',
        ),
        (
            "with lock:\n    n = 1", "AttributeError: __enter__", 1,
            ValueSummary("lock", "asyncio.locks.Lock", ""), "async with lock:\n    n = 1",
        ),
        (
            GENERATOR, "AttributeError: __enter__", 3,
            ValueSummary("opened", "function", ""), DECORATED,
        ),
        (
            "x = ids.str.zfill(2)", "AttributeError: Can only use .str accessor with string values!", 1,
            ValueSummary("ids", "pandas.Series", "Series of 2", "table"), "x = ids.astype(str).str.zfill(2)",
        ),
        (
            "x = codes[10]\ny = codes[20]", "IndexError: index 10 is out of bounds for axis 0 with size 2", 1,
            CODES, 'x = codes["10"]\ny = codes["20"]',
        ),
    ],
)  # fmt: skip
def test_the_statement_tells_what_the_message_does_not(
    source: str, error: str, line: int, value: ValueSummary, fixed: str
) -> None:
    found = candidates(failure(source, error, line=line, values=(value,)))
    assert found
    assert found[0][0] == fixed
