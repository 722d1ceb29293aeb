from __future__ import annotations

import pytest

from reflex_ipython.capture.dataflow import earlier, names
from reflex_ipython.models import CellRef, CellSource


def cells(*sources: str) -> list[CellSource]:
    return [CellSource(CellRef(None, number), source) for number, source in enumerate(sources, 1)]


def kept(source: str, *sources: str) -> list[str]:
    return [cell.source for cell in earlier(source, cells(*sources))]


@pytest.mark.parametrize(
    ("source", "reads", "defines"),
    [
        ("y = x + 1", {"x"}, {"y"}),
        ("x = 1\ny = x", set(), {"x", "y"}),
        ("x += 1", {"x"}, {"x"}),
        ("def f(a):\n    return a + b", {"b"}, {"f"}),
        ("def f():\n    global g\n    g = 1", set(), {"f", "g"}),
        ("class A(Base):\n    x = 1\n    y = x + z", {"Base", "z"}, {"A"}),
        ("import a.b, c as d\nfrom e import f", set(), {"a", "d", "f"}),
        ("[i for i in rows if i > low]", {"rows", "low"}, set()),
        ("for i in rows: pass", {"rows"}, {"i"}),
        ("del x", {"x"}, set()),
        ("await fetch(url)", {"fetch", "url"}, set()),
        ("f'{a} {b!r:>{c}}'", {"a", "b", "c"}, set()),
        ("try:\n    a\nexcept E as e:\n    pass", {"a", "E"}, {"e"}),
        ("%matplotlib inline\nx = y", {"y"}, {"x"}),
        ("%time x = f(y)", {"f", "y"}, {"x"}),
        ("x = !ls\ny = %pwd\nprint(z)", {"z"}, {"x", "y"}),
        ("!ls {a}\nb", {"b"}, set()),
        ("%%time\nx = y", {"y"}, {"x"}),
        ("%%capture out\nprint(x)", {"x"}, {"out"}),
        ("%%bash\necho $x", set(), set()),
        ("%%mine\nx = y", {"y"}, {"x"}),
        ("%%mine\nSELECT y FROM z", set(), set()),
        ("%%px\nx = y", set(), set()),
        ("%%time\n%%capture out\nx = y", {"y"}, {"out", "x"}),
        ("%timeit -n 3 f(y)", {"f", "y"}, set()),
        ("%lprun -f f x = f(y)", {"f", "y"}, {"x"}),
        ("text = '''\n%not {a}\n'''\n!ls\nx", {"x"}, {"text"}),
        ("df?\nx = 1", set(), {"x"}),
        ("return x", {"x"}, set()),
        ("x = = 'text' # comment\ny.z(w)", {"x", "y", "w"}, set()),
    ],
)  # fmt: skip
def test_what_a_cell_reads_and_defines(source: str, reads: set[str], defines: set[str]) -> None:
    found = names(source)

    builtin = {"print"}
    assert found.reads - builtin == reads
    assert found.defines == defines


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        ("df['a'] = 1", {"df"}),
        ("df.loc[0, 'a'] += 1", {"df"}),
        ("model.rate = 2", {"model"}),
        ("rows.append(1)", {"rows"}),
        ("df.drop(columns='a', inplace=True)", {"df"}),
        ("df.head()", set()),
        ("df.info()\ny = 1", {"df"}),
        ("y = df.head()", set()),
        ("def f():\n    local = []\n    local.append(1)", set()),
    ],
)
def test_what_a_cell_changes_in_place(source: str, changes: set[str]) -> None:
    assert names(source).changes == changes


def test_the_latest_definition_and_the_changes_since_are_kept_in_order() -> None:
    found = kept(
        "df['x'].plot()",
        "df = 0",
        "df['old'] = 1",
        "import pandas as pd",
        "df = pd.DataFrame()",
        "unrelated = 3",
        "df['x'] = 1",
        "df.head()",
    )

    assert found == ["import pandas as pd", "df = pd.DataFrame()", "df['x'] = 1"]


def test_definitions_are_followed_to_their_own() -> None:
    assert kept("print(c)", "a = 1", "b = a", "c = b", "a = 2") == ["a = 1", "b = a", "c = b"]


def test_what_a_module_is_asked_to_do_does_not_define_it() -> None:
    assert kept("plt.show()", "import matplotlib.pyplot as plt", "plt.plot([1])\nx = 1") == [
        "import matplotlib.pyplot as plt"
    ]


def test_cells_that_refer_to_each_other_end() -> None:
    assert kept("a", "a = 0", "b = a", "a = b") == ["a = 0", "b = a", "a = b"]


def test_at_most_ten_cells_and_some_text_are_kept() -> None:
    chain = [f"v{number} = v{number - 1}" for number in range(1, 30)]
    assert kept("v29", *chain) == chain[-10:]

    large = "x = '" + "a" * 20_000 + "'"
    assert kept("x, y", large, "y = 1") == ["y = 1"]


def test_the_cells_in_the_traceback_come_first() -> None:
    sources = cells("def f(): 1/0", *(f"v{number} = 1" for number in range(20)))
    reads = "+".join(f"v{number}" for number in range(20))

    assert sources[0] in earlier(reads, sources, [sources[0]])


def test_the_failing_cells_own_earlier_run_is_left_out() -> None:
    assert kept("x = x + 1", "x = x + 1", "x = 0") == ["x = 0"]


def test_what_python_warns_of_is_not_said_again() -> None:
    assert names("'\\d', 1 is 1, (1)(2), x").reads == {"x"}  # warnings are errors here


@pytest.mark.parametrize("source", ["", "   ", "\0", "\ud800 = 1", "(" * 500, "x = 1\n" * 20_000])
def test_odd_cells_are_no_trouble(source: str) -> None:
    assert isinstance(names(source).reads, frozenset)
    assert kept(source, "x = 1", source) is not None


def test_a_cell_that_ends_with_a_changed_copy_may_have_been_meant_to_change() -> None:
    assert "df" in names("df.rename(columns={'a': 'b'})").changes
    assert "df" not in names("df.head()").changes
