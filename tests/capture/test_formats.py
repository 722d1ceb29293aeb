"""The formats of a text column that could not be converted."""

from __future__ import annotations

import pytest

from reflex_ipython.capture.redactor import SecretRedactor
from tests.capture.conftest import Notebook

pytest.importorskip("pandas")

MIXED = ["2024-03-01"] * 50 + ["March 9, 2024", "2024/03/15", "2024-05-01"]


@pytest.mark.parametrize(
    "cell",
    [
        "when = pd.to_datetime(df['when'])",
        "df['when'] = df['when'].astype(float)",
        "df.when.astype(int)",
        "when = df['when'].map(float)",
    ],
)
def test_one_example_of_each_format_is_told(notebook: Notebook, cell: str) -> None:
    notebook.namespace["texts"] = MIXED
    notebook.run("import pandas as pd\ndf = pd.DataFrame({'when': texts, 'n': range(len(texts))})")
    [remark] = notebook.fail(cell).remarks
    assert remark.endswith("has texts in 3 formats, such as '2024-03-01', 'March 9, 2024', '2024/03/15'")


def test_of_a_table_each_text_column_is_told(notebook: Notebook) -> None:
    notebook.run("import pandas as pd\ndf = pd.DataFrame({'a': ['1', 'x'], 'b': ['$1', '2'], 'c': [1, 2]})")
    assert notebook.fail("df.astype(float)").remarks == (
        "df['a'] has texts in 2 formats, such as '1', 'x'",
        "df['b'] has texts in 2 formats, such as '$1', '2'",
    )


@pytest.mark.parametrize(
    "cell", ["df['n'].missing", "df['m']", "int('x')", "df['same'].astype(float)", "df['n'] + 'x'"]
)
def test_where_nothing_was_converted_or_all_are_alike_nothing_is_told(notebook: Notebook, cell: str) -> None:
    notebook.run("import pandas as pd\ndf = pd.DataFrame({'n': [1, 2], 'same': ['$1', '$2']})")
    assert notebook.fail(cell).remarks == ()


def test_the_code_of_a_compiled_library_is_not_the_users(notebook: Notebook) -> None:
    notebook.run("import pandas as pd\ndf = pd.DataFrame({'when': ['x', '2024-01-01']})")
    frames = notebook.fail("pd.to_datetime(df['when'])").error.frames
    assert [frame.function for frame in frames if frame.variables][:1] == ["<module>"]
    assert not [frame for frame in frames if frame.filename.endswith(".pyx") and frame.source]


def test_what_is_told_of_a_column_of_passwords_does_not_leave(notebook: Notebook) -> None:
    words = ["hunter2-xyz", "Tr0ub4dor&3", "correct horse", "mysecret+99", "5 monkeys!"]
    notebook.namespace["words"] = words
    notebook.run("import pandas as pd\ndf = pd.DataFrame({'password': words})")
    for cell in ("df['password'].astype(float)", "df.astype(float)", "df.password.astype(float)"):
        told = str(SecretRedactor().cause(notebook.fail(cell)).remarks)
        assert [word for word in words if word in told] == []
