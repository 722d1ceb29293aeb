"""Rules for numpy, pandas, scikit-learn and matplotlib, on failures built by hand."""

from __future__ import annotations

import time

import pytest

from reflex_ipython.models import LIKELY, Lookup, ValueSummary
from reflex_ipython.propose.rules.science import FIRST, RULES
from reflex_ipython.propose.rules.science.cleaning import cleanings, date_formats
from tests.propose.rules.build import best, failure, no_attribute, offered

AMBIGUOUS = "ValueError: The truth value of a Series is ambiguous. Use a.empty, a.item(), a.any() or a.all()."
MEANINGS = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}


def table(name: str, *columns: str, rows: int = 3) -> ValueSummary:
    """A DataFrame with columns such as `'price': str; '$1', '$2'`."""
    size = f"DataFrame, {rows} rows × {len(columns)} columns"
    return ValueSummary(name, "pandas.DataFrame", "\n".join([size, "index: RangeIndex", *columns]), "table")


def array(name: str, *shape: int) -> ValueSummary:
    size = f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
    return ValueSummary(name, "numpy.ndarray", f"array, shape {size}; dtype int64", "array")


class TestTruth:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("x = df[(df.a > 2) and (df.b < 8)]", "x = df[(df.a > 2) & (df.b < 8)]"),
            ("x = df[df.a > 2 or df.b < 8]", "x = df[(df.a > 2) | (df.b < 8)]"),
            ("x = df[not df.a > 2]", "x = df[~(df.a > 2)]"),
            ("x = df[not (df.a > 2)]", "x = df[~(df.a > 2)]"),
            ("x = df[df.a > 2 & df.b < 8]", "x = df[(df.a > 2) & (df.b < 8)]"),
            ("x = df[0 < df.a < 8]", "x = df[(0 < df.a) & (df.a < 8)]"),
            ("x = df[df.a in [1, 2]]", "x = df[df.a.isin([1, 2])]"),
            ("x = df[df.a not in [1, 2]]", "x = df[~df.a.isin([1, 2])]"),
            ("x = 'hi' if df.a > 2 else 'lo'", "x = np.where(df.a > 2, 'hi', 'lo')"),
        ],
    )
    def test_a_column_is_compared_element_by_element(self, source: str, expected: str) -> None:
        found = offered(failure(source, AMBIGUOUS, meanings=MEANINGS))
        assert found[expected] >= LIKELY
        assert max(found, key=lambda one: found[one]) == expected

    def test_of_any_and_all_neither_is_an_answer(self) -> None:
        found = offered(failure("if df.a > 2:\n    pass", AMBIGUOUS))
        assert found == {"if (df.a > 2).any():\n    pass": 0.39, "if (df.a > 2).all():\n    pass": 0.39}

    def test_a_table_is_asked_whether_it_is_empty(self) -> None:
        message = AMBIGUOUS.replace("Series", "DataFrame")
        found = offered(failure("if df:\n    pass", message, types={"df": "pandas.DataFrame"}))
        assert max(found, key=lambda one: found[one]) == "if not df.empty:\n    pass"

    def test_a_function_of_math_becomes_that_of_numpy(self) -> None:
        found = failure(
            "y = math.sqrt(s)", "TypeError: must be real number, not Series", meanings={**MEANINGS, "math": "math"}
        )
        assert best(found) == "y = np.sqrt(s)"

    def test_a_statement_of_several_lines_keeps_all_else(self) -> None:
        source = "x = df[  # those\n    (df.a > 2)  # large\n    and (df.b < 8)\n]"
        expected = "x = df[  # those\n    (df.a > 2)  # large\n    & (df.b < 8)\n]"
        assert best(failure(source, AMBIGUOUS)) == expected


class TestTexts:
    @pytest.mark.parametrize(
        ("value", "calls"),
        [
            ("$1,200", '.str.replace(r"[$,]", "", regex=True)'),
            ("1,200", '.str.replace(",", "", regex=False)'),
            ("1,5", '.str.replace(",", ".")'),
            ("1 200", '.str.replace(r"[\\s]", "", regex=True)'),
            ("12%", '.str.rstrip("% ")'),
            ("10 kg", '.str.replace(r"\\s*kg\\.?$", "", regex=True)'),
            ("n/a", ".replace('n/a', np.nan)"),
        ],
    )
    def test_signs_are_taken_away_as_the_value_has_them(self, value: str, calls: str) -> None:
        assert next(iter(cleanings(value, "np.nan"))).calls == calls

    def test_words_are_no_numbers(self) -> None:
        assert not list(cleanings("Berlin", "np.nan"))

    def test_what_drops_values_is_a_guess(self) -> None:
        error = "ValueError: could not convert string to float: '$1,200'"
        found = offered(failure('df["p"].astype(float)', error, meanings=MEANINGS))
        assert found['df["p"].str.replace(r"[$,]", "", regex=True).astype(float)'] >= LIKELY
        assert found['pd.to_numeric(df["p"], errors="coerce")'] < LIKELY

    def test_dates_are_read_by_the_format_that_fits_all(self) -> None:
        assert date_formats(["31.01.2024", "05.02.2024"]) == ["%d.%m.%Y"]
        assert date_formats(["05.01.2024"])[:2] == ["%d.%m.%Y", "%m.%d.%Y"]
        assert date_formats(["2024-01-05 10:30"]) == ["%Y-%m-%d %H:%M", "%Y-%d-%m %H:%M"]
        assert not date_formats(["soon"])

    def test_dates_of_texts_are_asked_for_wherever_the_cell_does(self) -> None:
        source = "df['y'] = df['d'].dt.year\ndf['m'] = df['d'].dt.month"
        error = "AttributeError: Can only use .dt accessor with datetimelike values"
        expected = "df['y'] = pd.to_datetime(df['d']).dt.year\ndf['m'] = pd.to_datetime(df['d']).dt.month"
        assert best(failure(source, error, meanings=MEANINGS)) == expected

    def test_statistics_of_a_table_leave_text_out(self) -> None:
        error = "TypeError: Cannot perform reduction 'mean' with string dtype"
        assert best(failure("df.mean()", error, values=(table("df", "'a': str; 'x'"),))) == "df.mean(numeric_only=True)"

    def test_statistics_of_a_column_of_text_read_its_numbers(self) -> None:
        error = "TypeError: Cannot perform reduction 'mean' with string dtype"
        values = (table("df", "'a': str; '1.5', '2'"),)
        assert best(failure("df['a'].mean()", error, values=values)) == "df['a'].astype(float).mean()"

    def test_of_two_types_of_keys_the_text_becomes_the_number(self) -> None:
        error = "ValueError: You are trying to merge on int64 and str columns for key 'id'. If you wish to proceed"
        found = offered(failure("a.merge(b, on='id')", error, meanings=MEANINGS))
        assert found["a.merge(b.assign(**{'id': b['id'].astype('int64')}), on='id')"] >= LIKELY
        assert found["a.assign(**{'id': a['id'].astype(str)}).merge(b, on='id')"] < LIKELY

    def test_missing_values_in_whole_numbers_are_a_choice(self) -> None:
        error = "IntCastingNaNError: Cannot convert non-finite values (NA or inf) to integer."
        found = offered(failure("df['a'].astype(int)", error))
        assert "df['a'].astype(\"Int64\")" in found
        assert max(found.values()) < LIKELY


class TestArrays:
    def test_a_side_is_transposed_where_the_shapes_want_it(self) -> None:
        error = "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature"
        found = offered(failure("A @ B", error, values=(array("A", 2, 3), array("B", 2, 4))))
        assert {"A.T @ B", "A @ B.T"} <= set(found)

    def test_what_lost_an_axis_keeps_it(self) -> None:
        error = "ValueError: operands could not be broadcast together with shapes (2,3) (2,)"
        found = offered(failure("A / A.sum(axis=1)", error, values=(array("A", 2, 3),)))
        assert max(found, key=lambda one: found[one]) == "A / A.sum(axis=1, keepdims=True)"

    def test_the_dimension_that_can_not_be_is_found_out(self) -> None:
        error = "ValueError: cannot reshape array of size 12 into shape (5,4)"
        assert best(failure("a.reshape(5, 4)", error)) == "a.reshape(-1, 4)"
        assert best(failure("a.reshape(5, 5)", error.replace("(5,4)", "(5,5)"))) is None

    def test_arrays_are_joined_as_one_list(self) -> None:
        error = "TypeError: vstack() takes 1 positional argument but 2 were given"
        assert best(failure("np.vstack(a, b)", error)) == "np.vstack([a, b])"

    def test_whole_numbers_are_not_changed_into_floats_in_place(self) -> None:
        error = (
            "UFuncTypeError: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64')"
            " with casting rule 'same_kind'"
        )
        assert best(failure("a += b if c else 0.5", error)) == "a = a + (b if c else 0.5)"


class TestEstimators:
    ONE = "ValueError: Expected 2D array, got 1D array instead:"

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("model.fit(df['a'], y)", "model.fit(df[['a']], y)"),
            ("model.fit(x, y)", "model.fit(x.reshape(-1, 1), y)"),
            ("model.predict(50)", "model.predict([[50]])"),
            ("model.predict([50, 2])", "model.predict([[50, 2]])"),
        ],
    )
    def test_one_dimension_becomes_a_table(self, source: str, expected: str) -> None:
        assert best(failure(source, self.ONE)) == expected

    def test_the_side_that_belongs_to_the_other_is_found_by_its_name(self) -> None:
        error = "ValueError: Found input variables with inconsistent numbers of samples: [15, 5]"
        names = ("X_train", "X_test", "y_train", "y_test", "model")
        found = offered(failure("model.fit(X_train, y_test)", error, names=names))
        assert max(found, key=lambda one: found[one]) == "model.fit(X_train, y_train)"

    def test_what_is_not_fitted_is_fitted_to_the_training_data(self) -> None:
        error = "NotFittedError: This LinearRegression instance is not fitted yet."
        found = offered(failure("p = m.predict(X_test)", error, names=("X_train", "X_test", "y_train", "y_test")))
        assert max(found, key=lambda one: found[one]) == "m.fit(X_train, y_train)\np = m.predict(X_test)"

    def test_what_becomes_of_missing_values_is_a_choice(self) -> None:
        found = offered(failure("model.fit(X, y)", "ValueError: Input X contains NaN.", values=(table("X"),)))
        assert len(found) >= 3
        assert max(found.values()) < LIKELY

    def test_an_order_of_parts_that_the_split_does_not_give_is_mended(self) -> None:
        source = "X_train, y_train, X_test, y_test = train_test_split(X, y)\nmodel.fit(X_train, y_train)"
        error = "ValueError: Found input variables with inconsistent numbers of samples: [15, 5]"
        found = offered(failure(source, error, line=2))
        assert found[source.replace("y_train, X_test", "X_test, y_train", 1)] > 0.9


class TestTables:
    def test_a_place_is_asked_for_by_iloc(self) -> None:
        assert best(failure("s[-1]", "KeyError: -1", types={"s": "pandas.Series"})) == "s.iloc[-1]"
        assert best(failure("df[:, 0]", "InvalidIndexError: (slice(None, None, None), 0)")) == "df.iloc[:, 0]"
        assert best(failure("df['a', 'b']", "KeyError: ('a', 'b')")) == "df[['a', 'b']]"

    def test_a_key_of_a_dictionary_is_no_place(self) -> None:
        assert best(failure("d[0]", "KeyError: 0", types={"d": "dict"})) is None

    def test_a_row_or_a_column_of_a_table_is_a_choice(self) -> None:
        found = offered(failure("df[0]", "KeyError: 0", types={"df": "pandas.DataFrame"}))
        assert set(found) == {"df.iloc[0]", "df.iloc[:, 0]"}
        assert max(found.values()) < LIKELY

    def test_the_fix_of_nothing_is_where_it_was_assigned(self) -> None:
        source = "df = df.drop(columns=['a'], inplace=True)\nprint(df.shape)"
        error = "AttributeError: 'NoneType' object has no attribute 'shape'"
        assert best(failure(source, error, line=2)) == "df = df.drop(columns=['a'])\nprint(df.shape)"

    def test_a_list_is_sorted_in_place(self) -> None:
        error = "TypeError: 'NoneType' object is not subscriptable"
        assert best(failure("l = l.sort()\nl[0]", error, line=2)) == "l.sort()\nl[0]"

    def test_columns_that_mean_the_same_are_merged(self) -> None:
        values = (table("a", "'id': int64; 1"), table("b", "'user_id': int64; 1"))
        expected = 'a.merge(b, left_on="id", right_on="user_id")'
        assert best(failure("a.merge(b, on='id')", "KeyError: 'id'", values=values)) == expected


class TestPlots:
    def test_axes_set_their_properties(self) -> None:
        source = "ax.plot(x)\nax.xlabel('a')\nax.ylabel('b')"
        lookup = Lookup("attribute", "xlabel", "ax", "matplotlib.axes._axes.Axes", ("set_xlabel", "plot"))
        found = failure(source, "AttributeError: 'Axes' object has no attribute 'xlabel'", lookup=lookup, line=2)
        assert best(found) == "ax.plot(x)\nax.set_xlabel('a')\nax.set_ylabel('b')"

    def test_a_grid_of_axes_is_counted_one_by_one(self) -> None:
        source = "fig, axes = plt.subplots(2, 2)\nfor ax in axes:\n    ax.plot(x)"
        error = "AttributeError: 'numpy.ndarray' object has no attribute 'plot'"
        lookup = Lookup("attribute", "plot", "ax", "numpy.ndarray", ("T", "flat"))
        found = failure(source, error, lookup=lookup, line=3)
        assert best(found) == source.replace("in axes:", "in axes.flat:")

    def test_single_axes_take_no_index(self) -> None:
        source = "fig, ax = plt.subplots()\nax[0].plot(x)\nax[0].legend()"
        found = failure(source, "TypeError: 'Axes' object is not subscriptable", line=2)
        assert best(found) == source.replace("ax[0]", "ax")

    def test_a_style_of_seaborn_carries_its_version(self) -> None:
        error = "OSError: 'seaborn-whitegrid' is not a valid package style, path of style file"
        expected = "plt.style.use('seaborn-v0_8-whitegrid')"
        assert best(failure("plt.style.use('seaborn-whitegrid')", error)) == expected

    def test_which_values_of_the_longer_are_drawn_is_a_choice(self) -> None:
        error = "ValueError: x and y must have same first dimension, but have shapes (3,) and (2,)"
        found = offered(failure("plt.plot(x, y)", error, values=(array("x", 3), array("y", 2))))
        assert set(found) == {"plt.plot(x[:len(y)], y)", "plt.plot(x[-len(y):], y)"}
        assert max(found.values()) < LIKELY


class TestFiles:
    def test_the_byte_that_does_not_fit_tells_the_encoding(self) -> None:
        error = "UnicodeDecodeError: 'utf-8' codec can't decode byte {} in position {}: invalid start byte"
        latin = offered(failure("pd.read_csv('a.csv')", error.format("0xe9", 5)))
        assert latin["pd.read_csv('a.csv', encoding=\"latin-1\")"] >= LIKELY
        assert best(failure("pd.read_csv('a.csv')", error.format("0xff", 0))) == (
            "pd.read_csv('a.csv', encoding=\"utf-16\")"
        )

    def test_lines_with_more_fields_may_be_separated_otherwise(self) -> None:
        error = "ParserError: Error tokenizing data. C error: Expected 1 fields in line 3, saw 2"
        found = offered(failure("pd.read_csv('a.csv')", error))
        assert found["pd.read_csv('a.csv', sep=\";\")"] >= LIKELY
        assert found["pd.read_csv('a.csv', on_bad_lines=\"skip\")"] < LIKELY


class TestNames:
    def test_numpy_says_itself_what_replaces_a_name(self) -> None:
        error = "AttributeError: `np.NINF` was removed in the NumPy 2.0 release. Use `-np.inf` instead."
        found = failure("x = np.NINF", error, lookup=Lookup("attribute", "NINF", "np", "module", ("inf",)))
        assert best(found) == "x = -np.inf"

    def test_a_method_that_is_gone_is_written_out(self) -> None:
        found = no_attribute("df['a'].mad()", "mad", "df['a']", "pandas.core.series.Series")
        assert best(found) == "(df['a'] - df['a'].mean()).abs().mean()"

    def test_a_method_of_texts_is_asked_of_the_texts(self) -> None:
        found = no_attribute("df['a'].lower()", "lower", "df['a']", "pandas.core.series.Series")
        assert best(found) == "df['a'].str.lower()"

    @pytest.mark.parametrize(
        ("source", "wanted", "expected"),
        [
            ("df.fillna(method='ffill')", "method", "df.ffill()"),
            ("pd.read_csv('a', squeeze=True)", "squeeze", "pd.read_csv('a').squeeze(\"columns\")"),
            ("ts.resample('D', how='mean')", "how", "ts.resample('D').mean()"),
            ("plt.plot(x, figsize=(3, 2))", "figsize", "plt.figure(figsize=(3, 2))\nplt.plot(x)"),
            ("np.sort(a, reverse=True)", "reverse", "np.sort(a)[::-1]"),
            ("mean_squared_error(a, b, squared=False)", "squared", "np.sqrt(mean_squared_error(a, b))"),
        ],
    )
    def test_an_argument_that_is_gone_is_said_otherwise(self, source: str, wanted: str, expected: str) -> None:
        error = f"TypeError: f() got an unexpected keyword argument '{wanted}'"
        lookup = Lookup("argument", wanted, "f", "function", ("x",))
        assert expected in offered(failure(source, error, lookup=lookup, meanings=MEANINGS))

    def test_the_library_says_what_it_takes(self) -> None:
        error = (
            "InvalidParameterError: The 'criterion' parameter of DecisionTreeRegressor must be a str among"
            " {'poisson', 'squared_error'}. Got 'mse' instead."
        )
        assert best(failure("t = Tree(criterion='mse')", error)) == "t = Tree(criterion='squared_error')"


@pytest.mark.parametrize("error", ["ZeroDivisionError: division by zero", "ValueError: " + "x" * 3_000])
def test_the_rules_cost_little_where_they_have_nothing_to_say(error: str) -> None:
    found = failure("y = df['a'].mean() / x\n" * 30, error)
    list(RULES[0](found))
    start = time.process_time()
    for rule in (*FIRST, *RULES):
        assert not list(rule(found))
    assert time.process_time() - start < 0.02
