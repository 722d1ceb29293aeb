"""Misspelt names, attributes, keys, columns, modules and arguments."""

from __future__ import annotations

import pytest

from reflex_ipython.models import CellRef, Lookup
from tests.propose.rules.build import (
    failure,
    fixed,
    fixes,
    no_argument,
    no_attribute,
    no_column,
    no_key,
    no_module,
    not_in_module,
    sure,
    undefined,
)


class TestNames:
    def test_every_read_of_the_name_is_replaced_and_no_text(self) -> None:
        source = "# toatl\nprint('toatl', toatl)\ny = [toatl for _ in x]"
        expected = "# toatl\nprint('toatl', total)\ny = [total for _ in x]"
        assert fixed(undefined(source, "toatl", "total", "x", line=2)) == expected

    def test_inside_f_strings_too(self) -> None:
        source = "print(f'toatl {toatl:.2f} {x + toatl}', 'é', toatl)"
        expected = "print(f'toatl {total:.2f} {x + total}', 'é', total)"
        assert fixed(undefined(source, "toatl", "total", "x")) == expected

    def test_an_f_string_whose_text_looks_like_code_is_left_alone(self) -> None:
        assert fixed(undefined("print(f'{{toatl}} {toatl}')", "toatl", "total")) is None

    def test_a_builtin_is_meant_only_where_it_can_stand(self) -> None:
        assert fixed(undefined("pritn('a')", "pritn")) == "print('a')"
        assert fixed(undefined("for i in rang(3): pass", "rang")) == "for i in range(3): pass"
        assert fixed(undefined("x = pritn", "pritn")) is None
        assert fixed(undefined("x = Flase", "Flase")) == "x = False"

    def test_a_name_of_a_function_is_replaced_in_that_function(self) -> None:
        source = "def f(items):\n    return len(itmes)\ndef g():\n    return itmes\nf([])"
        found = failure(
            source,
            "NameError: name 'itmes' is not defined",
            lookup=Lookup("name", "itmes", available=("items", "len")),
            line=2,
        )
        assert fixed(found) == source.replace("len(itmes)", "len(items)")

    def test_a_name_that_the_cell_defines_later_is_not_misspelt(self) -> None:
        assert fixed(undefined("print(toatl)\ntoatl = 2", "toatl", "total")) is None

    def test_a_magic_is_not_touched(self) -> None:
        assert fixed(undefined("%run toatl", "toatl", "total")) is None
        source = "%timeit toatl\nx = toatl"
        assert fixed(undefined(source, "toatl", "total", line=2)) == "%timeit toatl\nx = total"

    def test_constants_of_other_languages_are_translated_together(self) -> None:
        [fix] = sure(undefined("x = {'a': true, 'b': [null, false]}", "true"))
        assert fix.edits[-1].source == "x = {'a': True, 'b': [None, False]}"
        assert fixed(undefined("x = [true, null]", "true", "null")) == "x = [True, null]"

    def test_the_explanation_states_the_facts(self) -> None:
        [fix] = fixes(undefined("toatl", "toatl", "total"))
        assert fix.explanation == "The name `toatl` is not defined; the closest is `total`."
        assert fix.origin == "rule: closest name"

    def test_an_earlier_cell_is_left_alone(self) -> None:
        assert fixed(undefined("toatl", "toatl", "total", cell=CellRef("other", 1))) is None


class TestAttributes:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("df.gruopby('gruopby').x  # df.gruopby", "df.groupby('gruopby').x  # df.gruopby"),
            ("(df\n  .head()\n  .gruopby('é'))", "(df\n  .head()\n  .groupby('é'))"),
        ],
    )
    def test_the_access_is_replaced_and_nothing_else(self, source: str, expected: str) -> None:
        owner = "df" if source.startswith("df") else "df.head()"
        line = source.count("\n") + 1
        assert fixed(no_attribute(source, "gruopby", owner, "DataFrame", "groupby", "head", line=line)) == expected

    def test_the_same_expression_is_replaced_everywhere_but_another_is_not(self) -> None:
        source = "math.squrt(2)\nother.squrt(3)\nmath.squrt(4)"
        expected = "math.sqrt(2)\nother.squrt(3)\nmath.sqrt(4)"
        assert fixed(no_attribute(source, "squrt", "math", "math", "sqrt", "sin")) == expected

    def test_a_variable_that_gets_another_value_is_replaced_in_the_failing_line_only(self) -> None:
        source = "x.lenght_of\nx = other\nx.lenght_of"
        expected = "x.length_of\nx = other\nx.lenght_of"
        assert fixed(no_attribute(source, "lenght_of", "x", "Line", "length_of")) == expected

    def test_two_accesses_of_which_either_may_have_failed_are_left_alone(self) -> None:
        assert fixed(no_attribute("a.vlaue + b.vlaue", "vlaue", "A", "A", "value")) is None
        assert fixed(no_attribute("a.vlaue + b.vlaue", "vlaue", "b", "A", "value")) == "a.vlaue + b.value"

    def test_an_attribute_that_is_like_no_other_is_left_alone(self) -> None:
        assert fixed(no_attribute("url.csv()", "csv", "url", "str", "upper", "lower")) is None


class TestKeysAndColumns:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ('df["regoin"].sum()', 'df["region"].sum()'),
            ("df[['regoin', \"sales\"]]", "df[['region', \"sales\"]]"),
            ("df.loc[df.x > 1, r'regoin']", "df.loc[df.x > 1, r'region']"),
            ("df.groupby('regoin').sum()", "df.groupby('region').sum()"),
            ("df.agg({'regoin': 'sum'})  # regoin", "df.agg({'region': 'sum'})  # regoin"),
            ("sns.barplot(data=df, x='regoin')", "sns.barplot(data=df, x='region')"),
            ("df['new'] = df['regoin'] + 'é'", "df['new'] = df['region'] + 'é'"),
            ("df['regoin'].sum()\ndf['regoin'].mean()", "df['region'].sum()\ndf['region'].mean()"),
            ("df.regoin.sum()", "df.region.sum()"),
        ],
    )
    def test_the_column_is_replaced_in_its_own_quotes(self, source: str, expected: str) -> None:
        assert fixed(no_column(source, "regoin", "region", "sales")) == expected

    @pytest.mark.parametrize("put", ["df['regoin'] = 1", "df.loc[3, 'regoin'] = 1", "df['regoin'] += 1"])
    def test_a_cell_that_puts_the_column_there_itself_later_means_what_it_puts(self, put: str) -> None:
        source = f"df['regoin'].sum()\n{put}\ndf['regoin'].mean()"
        expected = f"df['region'].sum()\n{put}\ndf['regoin'].mean()"
        assert fixed(no_column(source, "regoin", "region", "sales")) == expected

    @pytest.mark.parametrize(
        "source",
        [
            "df.query('regoin == 3')",
            "df['reg' 'oin']",
            "df[name]",
            "df['regoin'] = 1",
            "print('regoin')",
        ],
    )
    def test_text_that_is_not_just_the_column_is_left_alone(self, source: str) -> None:
        assert fixed(no_column(source, "regoin", "region")) is None

    def test_a_name_with_quotes_is_not_put_between_quotes(self) -> None:
        assert fixed(no_column("df['it_s_name']", "it_s_name", "it's name")) is None

    def test_a_column_that_is_put_there_is_not_the_one_that_is_missing(self) -> None:
        source = "e['widht'] = d['widht']"
        assert fixed(no_key(source, "widht", "width")) == "e['widht'] = d['width']"

    def test_an_owner_known_by_its_type_must_be_the_only_one(self) -> None:
        assert fixed(no_key("d['alhpa']", "alhpa", "alpha", owner="dict")) == "d['alpha']"
        assert fixed(no_key("d['alhpa'] + e['alhpa']", "alhpa", "alpha", owner="dict")) is None

    def test_a_plural_may_be_another_key_but_not_another_column(self) -> None:
        assert fixed(no_key("d['price']", "price", "prices")) is None
        assert fixed(no_column("df['price']", "price", "prices")) == "df['prices']"

    def test_several_columns_need_a_list(self) -> None:
        found = no_column("df['a', 'b'].sum()", "('a', 'b')", "a", "b", "c")
        assert fixed(found) == "df[['a', 'b']].sum()"
        assert fixed(no_column("df['a', 'z'].sum()", "('a', 'z')", "a", "b")) is None

    def test_the_explanation_states_the_facts(self) -> None:
        [fix] = fixes(no_column("df['regoin']", "regoin", "region"))
        assert fix.explanation == "`df` has no column 'regoin'; the closest is 'region'."
        assert fix.origin == "rule: closest column"


class TestImports:
    @pytest.mark.parametrize(
        ("source", "wanted", "available", "expected"),
        [
            ("import nmupy as np", "nmupy", "numpy", "import numpy as np"),
            ("import os, nmupy\nnmupy.zeros(3)", "nmupy", "numpy", "import os, numpy\nnumpy.zeros(3)"),
            ("from nmupy.linalg import norm", "nmupy", "numpy", "from numpy.linalg import norm"),
            (
                "import matplotlib.pylot as plt",
                "matplotlib.pylot",
                "matplotlib.pyplot",
                "import matplotlib.pyplot as plt",
            ),
        ],
    )
    def test_a_module_is_replaced_where_it_is_imported_and_read(
        self, source: str, wanted: str, available: str, expected: str
    ) -> None:
        assert fixed(no_module(source, wanted, available, "json", "os")) == expected

    def test_a_module_that_is_like_no_other_is_left_alone(self) -> None:
        assert fixed(no_module("import torch", "torch", "json", "numpy")) is None

    def test_among_several_that_are_near_the_usual_short_name_tells(self) -> None:
        near = ("runpy", "pty", "numpy", "pandas")
        [fix] = fixes(no_module("import nunpy as np", "nunpy", *near))
        assert fix.edits[0].source == "import numpy as np"
        assert fix.explanation == "There is no module `nunpy`; what is called `np` is `numpy`."
        for unsure in ("import nunpy", "import nunpy as n", "import torch as np", "import nunpy as pd"):
            assert fixed(no_module(unsure, unsure.split()[1], *near)) is None

    def test_an_imported_name_is_replaced_where_it_is_imported_and_read(self) -> None:
        source = "from math import pi, sqrrt  # sqrrt\nsqrrt(2)"
        expected = "from math import pi, sqrt  # sqrrt\nsqrt(2)"
        assert fixed(not_in_module(source, "sqrrt", "math", "sqrt", "sin")) == expected

    def test_an_alias_stays(self) -> None:
        source = "from math import sqrrt as root\nroot(2)"
        assert fixed(not_in_module(source, "sqrrt", "math", "sqrt")) == source.replace("sqrrt", "sqrt")


class TestArguments:
    def test_the_keyword_is_replaced(self) -> None:
        source = "plt.figure(figszie=(3, 2))  # figszie"
        expected = "plt.figure(figsize=(3, 2))  # figszie"
        assert fixed(no_argument(source, "figszie", "plt.figure", "figsize", "dpi")) == expected

    def test_of_two_calls_the_one_that_refused_is_changed(self) -> None:
        source = "g(f(alhpa=1), alhpa=2)"
        assert fixed(no_argument(source, "alhpa", "f", "alpha")) == "g(f(alpha=1), alhpa=2)"

    def test_an_argument_that_is_like_no_other_is_left_alone(self) -> None:
        assert fixed(no_argument("f(foo=1)", "foo", "f", "bar", "baz")) is None


def test_a_package_that_is_imported_by_its_own_name_is_imported_by_its_modules() -> None:
    source = "from scikit_learn.svm import SVC"
    assert fixed(no_module(source, "scikit_learn", "sklearn", "numpy")) == "from sklearn.svm import SVC"
    assert fixed(no_module("import Pillow\nPillow.x", "Pillow", "PIL")) == "import PIL\nPIL.x"
    assert fixes(no_module("import scikit_learn", "scikit_learn", "numpy")) == []
