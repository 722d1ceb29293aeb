"""What was renamed, removed, or has another name elsewhere."""

from __future__ import annotations

import pytest

from reflex_ipython.models import Lookup
from tests.propose.rules.build import (
    best,
    failure,
    fixed,
    no_argument,
    no_attribute,
    no_module,
    not_in_module,
    offered,
    undefined,
)


@pytest.mark.parametrize(
    ("source", "wanted", "owner", "kind", "there", "expected"),
    [
        ("x.astype(np.float)", "float", "np", "numpy", "float64", "x.astype(float)"),
        ("np.randn(3)", "randn", "np", "numpy", "random", "np.random.randn(3)"),
        ("np.product(x)", "product", "np", "numpy", "prod", "np.prod(x)"),
        ("time.clock()", "clock", "time", "time", "perf_counter", "time.perf_counter()"),
        ("datetime.now()", "now", "datetime", "datetime", "datetime", "datetime.datetime.now()"),
        ("d.iteritems()", "iteritems", "d", "dict", "items", "d.items()"),
        ("s.append(1)", "append", "s", "set", "add", "s.add(1)"),
        ("'a'.trim()", "trim", "'a'", "str", "strip", "'a'.strip()"),
        ("print(w.length)", "length", "w", "list", "append", "print(len(w))"),
        ("print(w.length())", "length", "w", "list", "append", "print(len(w))"),
        (
            "pd.TimeGrouper('5min')",
            "TimeGrouper",
            "pd",
            "pandas",
            "Grouper",
            "pd.Grouper(freq='5min')",
        ),
    ],
)
def test_the_exact_replacement_takes_the_place(
    source: str, wanted: str, owner: str, kind: str, there: str, expected: str
) -> None:
    assert fixed(no_attribute(source, wanted, owner, kind, there)) == expected


@pytest.mark.parametrize(
    ("source", "wanted", "owner", "kind", "there"),
    [
        ("np.product(x)", "product", "np", "numpy", "sum"),  # a numpy that has no `prod`
        ("x.length", "length", "x", "Line", "start"),
        ("x.iteritems()", "iteritems", "x", "Mine", "all"),
        ("w.length(2)", "length", "w", "list", "append"),
    ],
)
def test_what_is_not_known_to_be_there_is_not_proposed(
    source: str, wanted: str, owner: str, kind: str, there: str
) -> None:
    assert fixed(no_attribute(source, wanted, owner, kind, there)) is None


def test_a_class_that_was_taken_for_its_module_is_used_itself() -> None:
    source = "from datetime import datetime\ndatetime.datetime.now()"
    found = failure(
        source,
        "AttributeError: type object 'datetime.datetime' has no attribute 'datetime'",
        lookup=Lookup("attribute", "datetime", "datetime", "type", ("now", "date")),
        line=2,
    )
    assert fixed(found) == "from datetime import datetime\ndatetime.now()"


class TestAppend:
    SOURCE = "df = df.append(other, ignore_index=True)  # df.append"

    def found(self, kind: str) -> str | None:
        found = failure(
            self.SOURCE,
            "AttributeError: 'DataFrame' object has no attribute 'append'",
            lookup=Lookup("attribute", "append", "df", "pandas.DataFrame", ("add",)),
            types={"df": "pandas.DataFrame", "other": kind},
            names=("pd", "df", "other"),
        )
        return best(found)

    def test_two_tables_are_put_together_with_concat(self) -> None:
        assert self.found("pandas.DataFrame") == "df = pd.concat([df, other], ignore_index=True)  # df.append"

    def test_a_row_of_another_type_is_made_a_table_first(self) -> None:
        assert self.found("dict") == "df = pd.concat([df, pd.DataFrame([other])], ignore_index=True)  # df.append"


@pytest.mark.parametrize(
    ("source", "wanted", "expected"),
    [
        ("import cPickle", "cPickle", "import pickle"),
        ("import cPickle as pickle", "cPickle", "import pickle"),
        (
            "from sklearn.grid_search import GridSearchCV",
            "sklearn.grid_search",
            "from sklearn.model_selection import GridSearchCV",
        ),
    ],
)
def test_a_module_is_imported_by_its_new_name(source: str, wanted: str, expected: str) -> None:
    assert fixed(no_module(source, wanted)) == expected


def test_a_name_is_imported_from_where_it_is_now_and_the_others_stay() -> None:
    source = "x = 1\nfrom collections import OrderedDict, Mapping as M\nM"
    expected = "x = 1\nfrom collections import OrderedDict\nfrom collections.abc import Mapping as M\nM"
    found = failure(
        source,
        "ImportError: cannot import name 'Mapping' from 'collections'",
        lookup=Lookup("import", "Mapping", "collections", "module", ("OrderedDict",)),
        line=2,
    )
    assert fixed(found) == expected


def test_an_import_with_comments_inside_is_left_alone() -> None:
    source = "from collections import (  # old\n    Mapping,\n)"
    assert fixed(not_in_module(source, "Mapping", "collections", "OrderedDict")) is None


def test_names_of_python_2_are_translated() -> None:
    assert fixed(undefined("for i in xrange(3): pass", "xrange")) == "for i in range(3): pass"
    assert fixed(undefined("for i in xrange(3): pass", "xrange", "range")) is None


def test_an_argument_is_called_by_its_new_name_in_the_function_that_renamed_it() -> None:
    assert fixed(no_argument("plt.hist(x, normed=True)", "normed", "set")) == "plt.hist(x, density=True)"
    assert fixed(no_argument("plt.hist(x, normed=True, density=True)", "normed", "set")) is None
    assert fixed(no_argument("plot(x, normed=True)", "normed", "plot", "x", "y")) is None


def test_a_data_set_that_was_removed_is_no_sure_other_one() -> None:
    source = "from sklearn.datasets import load_boston\nX = load_boston().data"
    found = offered(not_in_module(source, "load_boston", "sklearn.datasets", "load_diabetes"))
    assert next(iter(found.values())) < 0.5
    assert "from sklearn.datasets import load_diabetes\nX = load_diabetes().data" in found
