from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.models import Failure, Lookup
from tests.capture.conftest import Notebook


def lookup(failure: Failure) -> Lookup:
    assert failure.lookup is not None
    return failure.lookup


def told(failure: Failure) -> tuple[str, str, str, str]:
    found = lookup(failure)
    return found.kind, found.wanted, found.owner, found.owner_type


# ------------------------------------------------------------------------------------------------ names


def test_a_missing_name_comes_with_the_users_names_first(notebook: Notebook) -> None:
    notebook.run("sales = 1; _hidden = 2; regions = 3")

    failure = notebook.fail("print(salse)")

    assert told(failure) == ("name", "salse", "", "")
    assert lookup(failure).available[:2] == ("sales", "regions")
    assert "print" in lookup(failure).available
    assert not {"In", "Out", "_hidden", "__name__"} & set(lookup(failure).available)


def test_it_comes_with_the_names_that_hold_something_called_so(notebook: Notebook) -> None:
    notebook.run("import math, cmath\nd = {'sqrt': 1}\nclass A:\n    sqrt = 2\na = A(); b = 3; kind = A")
    notebook.run("class Wild:\n    def __getattr__(self, name):\n        raise SystemExit\nw = Wild()")
    notebook.run("import pandas as pd\ndf = pd.DataFrame({'sqrt': [1]}); other = pd.DataFrame({'x': [1]})")

    assert lookup(notebook.fail("sqrt(2)")).holders == {
        **{"other": "table", "df": "column", "a": "attribute", "d": "key", "cmath": "member", "math": "member"}
    }


def test_so_many_holders_are_told_at_most(notebook: Notebook) -> None:
    notebook.run("for i in range(100):\n    globals()[f'd{i}'] = {'x': i}")

    held = lookup(notebook.fail("x")).holders
    assert len(held) == 12
    assert "d99" in held


def test_it_comes_with_the_cells_that_would_have_set_it(notebook: Notebook) -> None:
    failed = notebook.fail("1 / 0\ntotal = 3")
    [(name, ran)] = notebook.cells.items()
    notebook.cells[name] = dataclasses.replace(ran, error=failed.title, error_line=1)
    notebook.run("def f():\n    total = 5")

    [setter] = lookup(notebook.fail("print(total)")).setters
    assert (setter.cell, setter.error, setter.error_line) == (ran.cell, "ZeroDivisionError: division by zero", 1)


def test_a_function_sees_its_own_names_before_the_globals(notebook: Notebook) -> None:
    failure = notebook.fail("total = 0\ndef add(amount):\n    more = 1\n    return amuont\nadd(1)")

    assert lookup(failure).available[:4] == ("amount", "more", "total", "add")


def test_a_local_name_that_has_no_value_yet_is_a_name(notebook: Notebook) -> None:
    failure = notebook.fail("count = 0\ndef step(by):\n    count += by\nstep(1)")

    assert failure.error.ename == "UnboundLocalError"
    assert told(failure) == ("name", "count", "", "")
    assert lookup(failure).available[0] == "by"


def test_private_names_are_told_when_one_is_wanted(notebook: Notebook) -> None:
    notebook.run("_cache = 1")

    assert "_cache" in lookup(notebook.fail("_cahce")).available


def test_a_name_error_that_the_user_raised_names_nothing(notebook: Notebook) -> None:
    assert notebook.fail("raise NameError('something else')").lookup is None


def test_a_library_that_lacks_a_name_shows_its_own_names(notebook: Notebook) -> None:
    library = type(sys)("somelib.inner")
    exec(compile("here = 1\ndef call(): return theer", "/x/site-packages/somelib.py", "exec"), library.__dict__)
    notebook.namespace["somelib"] = library

    assert "here" in lookup(notebook.fail("somelib.call()")).available


# ------------------------------------------------------------------------------------------------ attributes


@pytest.mark.parametrize(
    ("source", "owner", "owner_type", "there"),
    [
        ("import math as m\nm.sqroot(2)", "m", "module", "sqrt"),
        ("'abc'.uppercase()", "'abc'", "str", "upper"),
        ("a = [1]\na.apend(2)", "a", "list", "append"),
        ("box = {'a': [[1]]}\nbox['a'][0].apend(2)", "box['a'][0]", "list", "append"),
        ("int('3').reel", "int('3')", "int", "real"),
        ("str.uper", "str", "type", "upper"),
        (
            "class A:\n    def __init__(self): self.size = 1\n    def fit(self): self.sise\nA().fit()",
            "self",
            "A",
            "size",
        ),
        ("class A:\n    __slots__ = ('size',)\na = A(); a.size = 1\na.sise", "a", "A", "size"),
        ("import os.path\nos.path.jion('a')", "os.path", "module", "join"),
        ("from collections import namedtuple as n\np = n('P', 'left right')(1, 2)\np.lfet", "p", "P", "left"),
    ],
)
def test_a_missing_attribute_comes_with_those_that_are_there(
    notebook: Notebook, source: str, owner: str, owner_type: str, there: str
) -> None:
    failure = notebook.fail(source)

    assert (lookup(failure).kind, lookup(failure).owner, lookup(failure).owner_type) == ("attribute", owner, owner_type)
    assert there in lookup(failure).available
    assert not [name for name in lookup(failure).available if name.startswith("_")]


def test_none_has_nothing(notebook: Notebook) -> None:
    failure = notebook.fail("found = None\nfound.strip()")

    assert told(failure) == ("attribute", "strip", "found", "NoneType")
    assert lookup(failure).available == ()


def test_an_error_inside_a_property_is_no_missing_attribute(notebook: Notebook) -> None:
    failure = notebook.fail("class A:\n    @property\n    def size(self): return self.inner\nA().size")

    assert told(failure)[1:3] == ("inner", "self")


def test_an_attribute_that_is_there_was_not_missing(notebook: Notebook) -> None:
    failure = notebook.fail(
        "class A:\n    @property\n    def size(self): raise AttributeError('no', name='size', obj=self)\nA().size"
    )

    assert failure.lookup is None


def test_an_attribute_error_without_its_object_is_told_by_the_expression(notebook: Notebook) -> None:
    failure = notebook.fail(
        "def check(thing):\n    raise AttributeError(\"'A' object has no attribute 'x'\")\ncheck(1)"
    )

    assert told(failure) == ("attribute", "x", "", "A")


# ------------------------------------------------------------------------------------------------ keys


@pytest.mark.parametrize(
    ("source", "wanted", "owner", "owner_type", "available"),
    [
        ("d['alhpa']", "alhpa", "d", "dict", ("alpha", "beta")),
        ("d['beta']['gama']", "gama", "d['beta']", "dict", ("gamma",)),
        ("d.pop('x')", "x", "d", "dict", ("alpha", "beta")),
        ("del d['x']", "x", "d", "dict", ("alpha", "beta")),
        ("d['x'] += 1", "x", "d", "dict", ("alpha", "beta")),
        ("[d[k] for k in ('alpha', 'zeta')]", "zeta", "d", "dict", ("alpha", "beta")),
        ("{'a': 1}['b'] + d['alpha']", "b", "{'a': 1}", "", ()),
        ("d[3]", "3", "d", "dict", ("alpha", "beta")),
        ("d['a', 'b']", "('a', 'b')", "d", "dict", ("alpha", "beta")),
        ("Holder().look('x')", "x", "self.kept", "dict", ("own",)),
        ("import collections\nc = collections.UserDict(one=1)\nc['x']", "x", "c", "collections.UserDict", ("one",)),
        ("import collections as c\no = c.OrderedDict(one=1)\no['x']", "x", "o", "collections.OrderedDict", ("one",)),
        ("import json\njson.loads('{}')['b']", "b", "json.loads('{}')", "", ()),
    ],
)  # fmt: skip
def test_a_missing_key_comes_with_the_mapping_and_its_keys(
    notebook: Notebook, source: str, wanted: str, owner: str, owner_type: str, available: tuple[str, ...]
) -> None:
    notebook.run("d = {'alpha': 1, 'beta': {'gamma': 2}}")
    notebook.run("class Holder:\n    kept = {'own': 1}\n    def look(self, key): return self.kept[key]")

    failure = notebook.fail(source)

    assert told(failure) == ("key", wanted, owner, owner_type)
    assert lookup(failure).available == available


def test_an_environment_variable_is_a_key(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLEX_TEST_NAME", "secret value")

    failure = notebook.fail("import os\nos.environ['REFLEX_TEST_NMAE']")

    assert told(failure) == ("key", "REFLEX_TEST_NMAE", "os.environ", "os._Environ")
    assert "REFLEX_TEST_NAME" in lookup(failure).available
    assert "secret value" not in str(lookup(failure))


def test_a_huge_mapping_is_told_in_part(notebook: Notebook) -> None:
    notebook.run("d = {f'key{i}': i for i in range(100_000)}")

    assert len(lookup(notebook.fail("d['x']")).available) == 2_000


def test_of_an_exception_that_was_made_from_a_failed_lookup_the_cause_tells(notebook: Notebook) -> None:
    failure = notebook.fail(
        "d = {'a': 1}\ntry:\n    d['b']\nexcept KeyError as error:\n    raise ValueError('no') from error"
    )

    assert told(failure)[:3] == ("key", "b", "d")


# ------------------------------------------------------------------------------------------------ modules


def test_a_module_that_is_not_installed_comes_with_those_that_are(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alpha_module.py").write_text("")
    (tmp_path / "beta_package").mkdir()
    (tmp_path / "beta_package" / "__init__.py").write_text("")
    (tmp_path / "just_a_folder").mkdir()
    (tmp_path / "notes.txt").write_text("")
    monkeypatch.syspath_prepend(tmp_path)

    failure = notebook.fail("import alhpa_module")

    assert told(failure) == ("module", "alhpa_module", "", "")
    assert lookup(failure).available[:2] == ("alpha_module", "beta_package")
    assert {"json", "pytest"} <= set(lookup(failure).available)
    assert not {"just_a_folder", "notes"} & set(lookup(failure).available)


def test_a_submodule_that_is_not_there_comes_with_its_siblings(notebook: Notebook) -> None:
    failure = notebook.fail("import xml\nimport xml.etere.ElementTree")

    assert told(failure) == ("module", "xml.etere", "xml", "module")
    assert "xml.etree" in lookup(failure).available


def test_a_name_that_a_module_lacks_comes_with_its_names(notebook: Notebook) -> None:
    failure = notebook.fail("from math import sqrrt")

    assert told(failure) == ("import", "sqrrt", "math", "module")
    assert "sqrt" in lookup(failure).available


@pytest.mark.parametrize("source", ["from sklearn.datasets import load_boston", "datasets.load_boston()"])
def test_a_name_that_a_module_refuses_in_its_own_words_is_one_that_it_lacks(notebook: Notebook, source: str) -> None:
    pytest.importorskip("sklearn")
    notebook.run("from sklearn import datasets")
    found = notebook.fail(source).lookup
    assert found is not None
    assert (found.kind, found.wanted, found.owner) == ("import", "load_boston", "sklearn.datasets")
    assert "load_diabetes" in found.available


def test_a_submodule_counts_as_a_name_of_its_package(notebook: Notebook) -> None:
    assert "etree" in lookup(notebook.fail("from xml import etere")).available


# ------------------------------------------------------------------------------------------------ arguments


@pytest.mark.parametrize(
    ("source", "wanted", "owner", "there"),
    [
        ("def draw(width, *, colour=1): ...\ndraw(1, color=2)", "color", "draw", ("width", "colour")),
        ("class A:\n    def __init__(self, size): ...\nA(sise=1)", "sise", "A", ("size",)),
        ("class A:\n    def fit(self, data): ...\nA().fit(dta=1)", "dta", "A().fit", ()),
        ("class A:\n    def fit(self, data): ...\na = A()\na.fit(dta=1)", "dta", "a.fit", ("data",)),
        ("def inner(size): ...\ndef outer(name, **kw): inner(**kw)\nouter('x', sise=1)", "sise", "inner", ("size",)),
        ("sorted([1], revers=True)", "revers", "sorted", ("key", "reverse")),
        ("import json\njson.dumps(1, indnt=2)", "indnt", "json.dumps", ("indent",)),
        ("import functools\nf = functools.lru_cache(lambda size: 1)\nf(sise=1)", "sise", "f", ("size",)),
        ("import dataclasses\n@dataclasses.dataclass\nclass P:\n    left: int\nP(lfet=1)", "lfet", "P", ("left",)),
    ],
)
def test_an_argument_that_is_refused_comes_with_those_that_are_taken(
    notebook: Notebook, source: str, wanted: str, owner: str, there: tuple[str, ...]
) -> None:
    failure = notebook.fail(source)

    assert told(failure)[:3] == ("argument", wanted, owner)
    assert set(there) <= set(lookup(failure).available)
    assert "self" not in lookup(failure).available


def test_a_library_that_passes_arguments_on_shows_both_functions(notebook: Notebook) -> None:
    failure = notebook.fail("import json\njson.dumps({}, indnt=2)")

    assert {"indent", "sort_keys"} <= set(lookup(failure).available)


def test_matplotlibs_properties_are_arguments(notebook: Notebook) -> None:
    pytest.importorskip("matplotlib").use("agg")

    failure = notebook.fail("from matplotlib.figure import Figure\nFigure().subplots().plot([1], colour='red')")

    assert told(failure)[:2] == ("argument", "colour")
    assert "color" in lookup(failure).available


def test_a_slice_of_an_unsorted_index_is_no_lookup(notebook: Notebook) -> None:
    notebook.run("import pandas as pd\ns = pd.Series([1, 2, 3], index=[['b', 'a', 'b'], [1, 2, 3]])")
    assert notebook.fail("s.loc['a':'b', :]").lookup is None


def test_other_type_errors_are_no_lookups(notebook: Notebook) -> None:
    assert notebook.fail("1 + 'a'").lookup is None
    assert notebook.fail("def f(a): ...\nf()").lookup is None


# ------------------------------------------------------------------------------------------------ pandas


PANDAS = """
import io
import pandas as pd
df = pd.DataFrame({"region": ["a", "b"], "sales": [1, 2]})
right = pd.DataFrame({"Region": ["a"], "z": [1]})
col = "regoin"
class A:
    def __init__(self): self.frame = df
    def go(self): return self.frame["regoin"]
"""


@pytest.mark.parametrize(
    ("source", "owner"),
    [
        ('df["regoin"]', "df"),
        ("df[col]", "df"),
        ('df[["regoin", "sales"]]', "df"),
        ('df[["regoin"]]', "df"),
        ('df.groupby("regoin").sum()', "df"),
        ('df.groupby("region")["regoin"].sum()', "df"),
        ('df.groupby("region")[["regoin"]]', "df"),
        ('df.groupby("region").agg({"regoin": "sum"})', "df"),
        ('df.merge(right, left_on="regoin", right_on="Region")', "df"),
        ('df.drop(columns=["regoin"])', "df"),
        ('df.set_index("regoin")', "df"),
        ('df.sort_values("regoin")', "df"),
        ('df.agg({"regoin": "sum"})', "df"),
        ('df.query("regoin > 1")', "df"),
        ('df.pivot_table(index="regoin", values="sales")', "df"),
        ('df.pivot(index="region", columns="regoin")', "df"),
        ('df.loc[:, "regoin"]', "df"),
        ('df.loc[0, "regoin"]', "df"),
        ('df.dropna(subset=["regoin"])', "df"),
        ('df.drop_duplicates("regoin")', "df"),
        ('df.melt(id_vars=["regoin"])', "df"),
        ('df.astype({"regoin": int})', "df"),
        ('df.rename(columns={"regoin": "y"}, errors="raise")', "df"),
        ('df.plot(x="regoin")', "df"),
        ('df.assign(z=lambda x: x["regoin"])', "x"),
        ('df.head().dropna()["regoin"]', "df.head().dropna()"),
        ("A().go()", "self.frame"),
    ],
)
def test_a_missing_column_comes_with_the_table_and_its_columns(notebook: Notebook, source: str, owner: str) -> None:
    pytest.importorskip("pandas")
    if "plot" in source:
        pytest.importorskip("matplotlib").use("agg")
    notebook.run(PANDAS)

    failure = notebook.fail(source)

    assert told(failure) == ("column", "regoin", owner, "pandas.DataFrame")
    assert lookup(failure).available == ("region", "sales")


@pytest.mark.parametrize(
    ("source", "expected", "available"),
    [
        ("df[2019]", ("column", "2019", "df", "pandas.DataFrame"), ("region", "sales")),
        ('df["region", "sales"]', ("column", "('region', 'sales')", "df", "pandas.DataFrame"), ("region", "sales")),
        ('df.merge(right, on="region")', ("column", "region", "right", "pandas.DataFrame"), ("Region", "z")),
        ('s = df.set_index("region").sales; s["c"]', ("key", "c", "s", "pandas.Series"), ("a", "b")),
        ('x = df.set_index("region"); x.loc["c"]', ("key", "c", "x", "pandas.DataFrame"), ("a", "b")),
        ('df.apply(lambda r: r["sale"], axis=1)', ("key", "sale", "r", "pandas.Series"), ("region", "sales")),
        ('pd.read_csv(io.StringIO("a,b"), usecols=["c"])', ("column", "c", "", "pandas.DataFrame"), ("a", "b")),
        ('pd.read_csv("x", seperator=",")', ("argument", "seperator", "pd.read_csv", "function"), None),
    ],
)  # fmt: skip
def test_other_failed_lookups_of_pandas_are_told(
    notebook: Notebook, source: str, expected: tuple[str, ...], available: tuple[str, ...] | None
) -> None:
    pytest.importorskip("pandas")
    notebook.run(PANDAS)

    failure = notebook.fail(source)

    assert told(failure) == expected
    assert available is None or lookup(failure).available == available


def test_the_columns_of_a_table_are_attributes_and_come_first(notebook: Notebook) -> None:
    pytest.importorskip("pandas")
    notebook.run(PANDAS)

    failure = notebook.fail("df.regoin.sum()")

    assert told(failure) == ("attribute", "regoin", "df", "pandas.DataFrame")
    assert lookup(failure).available[:2] == ("region", "sales")
    assert "groupby" in lookup(failure).available


def test_a_column_that_is_made_anew_each_time_is_told_as_it_was_written(notebook: Notebook) -> None:
    pytest.importorskip("pandas")
    notebook.run(PANDAS)

    assert told(notebook.fail("df.sales.summ()")) == ("attribute", "summ", "df.sales", "pandas.Series")


def test_a_plain_key_error_is_not_laid_at_a_tables_door(notebook: Notebook) -> None:
    pytest.importorskip("pandas")
    notebook.run(PANDAS)

    failure = notebook.fail("d = {'a': 1}\ndf.apply(lambda row: d[row.region], axis=1).map({'b': d})['x']")

    assert told(failure)[:3] == ("key", "b", "d")


def test_asking_for_columns_does_not_ask_odd_labels(notebook: Notebook) -> None:
    pandas = pytest.importorskip("pandas")

    class Label:
        def __repr__(self) -> str:
            raise AssertionError

    frame: Any = pandas.DataFrame([[1, 2]], columns=pandas.Index([Label(), "sales"], dtype=object))
    notebook.namespace["df"] = frame

    assert lookup(notebook.fail("df['sale']")).available == ("sales",)


def test_a_module_of_a_package_that_is_not_imported_is_missing(notebook: Notebook) -> None:
    notebook.run("import types\npackage = types.ModuleType('package')\npackage.__all__ = ['inside', 'other']")

    failure = notebook.fail("package.inside.run()")

    assert told(failure)[:2] == ("attribute", "inside")
    assert lookup(failure).available == ("other",)


# ------------------------------------------------------------------------------------------------ labels of other types


def test_keys_that_are_no_strings_are_told_as_they_are_written(notebook: Notebook) -> None:
    found = lookup(notebook.fail("codes = {1: 'a', (2, 'b'): 'c', 'd': 3}\ncodes['1']"))

    assert found.available == ("d",)
    assert found.others == ("1", "(2, 'b')")


def test_the_items_of_a_set_are_told(notebook: Notebook) -> None:
    found = lookup(notebook.fail("seen = {'a', 2}\nseen.remove('b')"))

    assert (found.available, found.others) == (("a",), ("2",))


def test_a_table_tells_its_levels_and_its_columns_of_several_levels(notebook: Notebook) -> None:
    pytest.importorskip("pandas")
    notebook.run("import pandas as pd\ndf = pd.DataFrame({'g': ['x', 'y'], 'n': [1, 2]}).set_index('g')")
    notebook.run("stats = df.groupby('g').agg({'n': ['min', 'max']})")

    assert lookup(notebook.fail("df['g']")).levels == ("g",)
    assert lookup(notebook.fail("df.g")).levels == ("g",)
    assert lookup(notebook.fail("df[0]")).others == ()
    found = lookup(notebook.fail("stats['n_max']"))
    assert (found.kind, found.others) == ("column", ("('n', 'min')", "('n', 'max')"))


# ------------------------------------------------------------------------------------------------ paths


def test_a_missing_file_comes_with_the_files_near_it(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work" / "data").mkdir(parents=True)
    for name in ("sales.csv", "data/x.csv", ".hidden", "../sale.csv", "../other.csv"):
        (tmp_path / "work" / name).write_text("")
    monkeypatch.chdir(tmp_path / "work")

    failure = notebook.fail("open('sale.csv')")

    assert told(failure) == ("path", "sale.csv", ".", "")
    assert set(lookup(failure).available) == {"sales.csv", "data/", "data/x.csv", "../sale.csv"}


def test_a_path_object_is_a_path(notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    failure = notebook.fail("from pathlib import Path\n(Path('a') / 'b.txt').read_text()")

    assert told(failure) == ("path", "a/b.txt", "a", "")


def test_the_files_that_are_told_are_bounded(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(600):
        (tmp_path / f"{number}.csv").write_text("")
    monkeypatch.chdir(tmp_path)

    assert len(lookup(notebook.fail("open('x.csv')")).available) == 400


def test_another_trouble_with_a_file_is_no_missing_path(notebook: Notebook) -> None:
    assert notebook.fail("raise PermissionError(13, 'Permission denied', 'x')").lookup is None
    assert notebook.fail("raise OSError('something else')").lookup is None
