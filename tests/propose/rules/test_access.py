"""Keys, columns, rows and files that are called otherwise or are somewhere else."""

from __future__ import annotations

import dataclasses

import pytest

from reflex_ipython.models import CellRef, CellSource, Failure, Lookup, ValueSummary
from reflex_ipython.propose.rules.access.nearness import near, nearest
from tests.propose.rules.build import failure, fixes, no_attribute, no_column, no_key
from tests.propose.rules.candidates import candidates, likeliest

COLUMNS = ("region", "product", "price", "units")


def holding(failed: Failure, *values: ValueSummary) -> Failure:
    """The failure with these variables in its frame."""
    frame = dataclasses.replace(failed.error.frames[0], variables=values)
    return dataclasses.replace(failed, exceptions=(dataclasses.replace(failed.error, frames=(frame,)),))


def earlier(*sources: str) -> tuple[CellSource, ...]:
    return tuple(CellSource(CellRef(str(number), number), source) for number, source in enumerate(sources))


def asked(source: str, wanted: str, kind: str = "dict", error: str = "KeyError: 'x'", **fields: object) -> Failure:
    """A failed look-up with what is known of its owner `x`."""
    lookup = Lookup("key", wanted, "x", kind, **fields)  # type: ignore[arg-type]  # the fields that a case names
    return failure(source, error, lookup=lookup)


class TestNearness:
    @pytest.mark.parametrize(
        ("wanted", "word"),
        [
            ("Price", "price"),
            ("unit_price", "Unit Price"),
            ("price", " price "),
            ("prices", "price"),
            ("category", "categories"),
            ("lr", "learning_rate"),
            ("epoch", "n_epochs"),
            ("rev", "revenue"),
            ("qty", "quantity"),
            ("prise", "price"),
        ],
    )
    def test_the_words_that_may_be_meant(self, wanted: str, word: str) -> None:
        assert near(wanted, ["zzz", word, "other"])[0].word == word

    def test_what_is_only_written_otherwise_is_likelier_than_what_is_a_part(self) -> None:
        found = near("Price", ["price", "price_usd"])
        assert [one.word for one in found] == ["price", "price_usd"]
        assert found[0].prior > 2 * found[1].prior

    def test_words_that_are_equally_near_are_a_choice(self) -> None:
        assert [one.prior for one in near("price", ["price_x", "price_y"])] == [0.45, 0.45]

    def test_what_says_more_than_any_word_is_a_guess(self) -> None:
        assert near("total_price", ["price"])[0].prior < 0.5
        assert near("weight", ["height"])[0].prior < 0.5
        assert near("data", ["date"])[0].prior < 0.5

    def test_other_words_are_not_near(self) -> None:
        assert near("price", ["region", "units", "x1"]) == []
        assert near("x1", ["x2", "x3"]) == []
        assert nearest("epoch", ["n_epochs"]) is None


class TestCloseLabels:
    def test_all_wrong_columns_of_a_statement_are_mended_at_once(self) -> None:
        source = "x = df.groupby('Region')['Price'].mean()"
        found = candidates(no_column(source, "Region", *COLUMNS))
        assert next(iter(found)) == "x = df.groupby('region')['price'].mean()"

    def test_so_are_those_of_the_cells_other_statements(self) -> None:
        source = "a = df['Region']\nb = df['Price']"
        assert likeliest(no_column(source, "Region", *COLUMNS)) == "a = df['region']\nb = df['price']"

    def test_a_column_that_the_cell_makes_is_left_alone(self) -> None:
        source = "df['Price'] = 1\na = df['Region']\nb = df['Price']"
        found = candidates(no_column(source, "Region", *COLUMNS, line=2))
        assert not any("df['price']" in text for text in found)

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("df.agg({'prices': 'mean', 'unit': 'sum'})", "df.agg({'price': 'mean', 'units': 'sum'})"),
            ("df[['prices', 'Units']]", "df[['price', 'units']]"),
            ("cols = ['prices', 'Units']\ndf[cols]", "cols = ['price', 'units']\ndf[cols]"),
            ("df.sort_values(by=['prices', 'Units'])", "df.sort_values(by=['price', 'units'])"),
            ("d.agg(m=('prices', 'mean'), n=('Units', max))", "d.agg(m=('price', 'mean'), n=('units', max))"),
        ],
    )
    def test_wherever_columns_are_named(self, source: str, expected: str) -> None:
        assert likeliest(no_column(source, "prices", *COLUMNS, line=source.count("\n") + 1)) == expected

    def test_another_owners_key_is_left_alone(self) -> None:
        assert likeliest(no_key("d['epoch'] + e['epoch']", "epoch", "epochs")) == "d['epochs'] + e['epoch']"

    def test_a_text_that_is_printed_is_no_column(self) -> None:
        assert candidates(no_column("print('regoin')", "regoin", "region")) == {}

    def test_columns_as_attributes(self) -> None:
        failed = no_attribute("df.Price * df.Units", "Price", "df", "pandas.DataFrame", "price", "units")
        assert likeliest(failed) == "df.price * df.units"
        failed = no_attribute("df.unit_price", "unit_price", "df", "pandas.DataFrame", "Unit Price")
        assert likeliest(failed) == "df['Unit Price']"

    def test_the_key_of_a_merge_is_a_guess(self) -> None:
        source = "pd.merge(a, b, on='id')"
        found = candidates(no_column(source, "id", "code", "name", owner="b"))
        assert found["pd.merge(a, b, left_on='id', right_on='code')"] < 0.5

    def test_names_inside_a_query(self) -> None:
        source = "df.query('Price > 10 and Units == @Units and region == \"Price\"')"
        expected = "df.query('price > 10 and units == @Units and region == \"Price\"')"
        assert likeliest(no_column(source, "Price", *COLUMNS)) == expected
        assert (
            likeliest(no_column("df.eval('total = prices * 2')", "prices", "price")) == "df.eval('total = price * 2')"
        )

    def test_a_column_in_a_variable_of_an_earlier_cell(self) -> None:
        failed = no_column("y = 1\nx = df[features]", "Price", *COLUMNS, line=2)
        failed = holding(failed, ValueSummary("features", "list", "list of 2: ['Price', 'unit']", "sequence"))
        assert likeliest(failed) == "y = 1\nfeatures = ['price', 'units']\nx = df[features]"


class TestRenamed:
    def test_the_new_name_of_a_column(self) -> None:
        failed = no_column("df['price'] * df['n']", "price", "cost", "count")
        cells = earlier("df = df.rename(columns={'price': 'cost', 'n': 'count'})")
        failed = dataclasses.replace(failed, situation=dataclasses.replace(failed.situation, earlier=cells))
        assert likeliest(failed) == "df['cost'] * df['count']"

    def test_new_names_by_position(self) -> None:
        failed = no_column("df['price']", "price", "a", "b")
        cells = earlier("df = pd.DataFrame({'n': [1], 'price': [2]})", "df.columns = ['a', 'b']")
        failed = dataclasses.replace(failed, situation=dataclasses.replace(failed.situation, earlier=cells))
        assert likeliest(failed) == "df['b']"

    def test_a_rename_without_effect(self) -> None:
        source = "df.rename(columns={'price': 'cost'})\nx = df['cost']"
        found = candidates(no_column(source, "cost", "price", line=2))
        assert list(found) == [
            "df = df.rename(columns={'price': 'cost'})\nx = df['cost']",
            "df.rename(columns={'price': 'cost'})\nx = df['price']",
        ]


class TestLevels:
    def test_a_column_that_is_in_the_index(self) -> None:
        lookup = Lookup("column", "region", "t", "pandas.DataFrame", ("price",), levels=("region",))
        found = candidates(failure("x = t['region']", "KeyError: 'region'", lookup=lookup))
        assert list(found) == ["x = t.reset_index()['region']", "x = t.index"]
        found = candidates(failure("t.plot(x='region')", "KeyError: 'region'", lookup=lookup))
        assert list(found) == ["t.reset_index().plot(x='region')"]

    def test_a_column_that_is_the_index_already(self) -> None:
        lookup = Lookup("column", "region", "t", "pandas.DataFrame", ("price",), levels=("region",))
        error = "KeyError: \"None of ['region'] are in the columns\""
        assert (
            likeliest(failure("t.set_index('region')", error, lookup=lookup)) == "t.reset_index().set_index('region')"
        )

    def test_of_a_series_it_is_the_index_itself(self) -> None:
        lookup = Lookup("key", "region", "t", "pandas.Series", (), levels=("region", "year"))
        found = candidates(failure("x = t['region']", "KeyError: 'region'", lookup=lookup))
        assert next(iter(found)) == "x = t.index.get_level_values('region')"

    def test_a_column_that_has_several_levels(self) -> None:
        pairs = ("('price', 'mean')", "('price', 'max')", "('units', 'max')")
        lookup = Lookup("column", "price_mean", "t", "pandas.DataFrame", ("price", "units"), others=pairs)
        assert likeliest(failure("t['price_mean']", "KeyError: 'price_mean'", lookup=lookup)) == "t[('price', 'mean')]"
        lookup = dataclasses.replace(lookup, wanted="max")
        found = candidates(failure("t['max']", "KeyError: 'max'", lookup=lookup))
        assert found == {"t[('price', 'max')]": 0.45, "t[('units', 'max')]": 0.45}

    def test_a_misspelt_level(self) -> None:
        lookup = Lookup("key", "Level Region not found", "t", "pandas.DataFrame", levels=("region", "year"))
        failed = failure("t.unstack('Region')", "KeyError: 'Level Region not found'", lookup=lookup)
        assert likeliest(failed) == "t.unstack('region')"


class TestOrientation:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("df.drop('price')", "df.drop(columns='price')"),
            ("df.drop(['price'], inplace=True)", "df.drop(columns=['price'], inplace=True)"),
            ("df.drop('b', axis=1)", "df.drop('b', axis=0)"),
            ("df.drop(columns='b')", "df.drop(index='b')"),
        ],
    )
    def test_drop_takes_rows_or_columns(self, source: str, expected: str) -> None:
        assert likeliest(failure(source, "KeyError: \"['price'] not found in axis\"")) == expected

    def test_a_column_that_is_dropped_already_is_a_guess(self) -> None:
        found = candidates(failure("df.drop(columns='b')", "KeyError: \"['b'] not found in axis\""))
        assert found["df.drop(columns='b', errors=\"ignore\")"] < 0.5

    def test_apply_over_rows(self) -> None:
        lookup = Lookup("key", "price", "r", "pandas.Series")
        source = "df.apply(lambda r: r['price'] * 2)"
        assert likeliest(failure(source, "KeyError: 'price'", lookup=lookup)) == source[:-1] + ", axis=1)"
        assert candidates(failure(source[:-1] + ", axis=1)", "KeyError: 'price'", lookup=lookup)) == {}

    def test_labels_where_positions_are_taken(self) -> None:
        error = "ValueError: Location based indexing can only have [integer] types"
        assert likeliest(failure("df.iloc[0, 'price']", error)) == "df['price'].iloc[0]"
        assert likeliest(failure("df.iloc[:, 'price']", error)) == "df.loc[:, 'price']"
        assert likeliest(failure("df.iloc[0, 'price'] = 1", error)) == "df.loc[0, 'price'] = 1"

    def test_a_column_where_rows_are_asked_for(self) -> None:
        assert likeliest(asked("x.loc['price']", "price", "pandas.DataFrame")) == "x['price']"
        assert likeliest(asked("x.loc['price', 'b']", "price", "pandas.DataFrame")) == "x.loc['b', 'price']"


class TestPositions:
    def test_a_number_among_numbers_may_be_a_label_that_is_missing(self) -> None:
        found = candidates(asked("x[4]", "4", "pandas.Series", others=("1", "5")))
        assert found == {"x.iloc[4]": 0.45, "x.get(4, 0)": 0.45}
        source = "for i in range(len(x)):\n    x[i]"
        lookup = Lookup("key", "2", "x", "pandas.Series", others=("1", "5"))
        assert candidates(failure(source, "KeyError: 2", lookup=lookup, line=2)) == {
            source.replace("x[i]", "x.iloc[i]"): 0.85
        }

    def test_a_row_of_a_series(self) -> None:
        assert candidates(asked("x[0]", "0", "pandas.Series")) == {"x.iloc[0]": 0.9}
        assert likeliest(asked("x.loc[0]", "0", "pandas.Series")) == "x.iloc[0]"
        assert candidates(asked("x['a']", "a", "pandas.Series")) == {}

    def test_a_row_or_a_column_of_a_table(self) -> None:
        lookup = Lookup("column", "0", "x", "pandas.DataFrame", ("a",))
        found = candidates(failure("x[0]", "KeyError: 0", lookup=lookup))
        assert list(found) == ["x.iloc[0]", "x.iloc[:, 0]"]
        assert found["x.iloc[:, 0]"] >= found["x.iloc[0]"] / 2

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("df[:, 'price']", "df.loc[:, 'price']"),
            ("df[1:3, 2]", "df.iloc[1:3, 2]"),
            ("df[df.a > 1, 'b']", "df.loc[df.a > 1, 'b']"),
        ],
    )
    def test_rows_and_columns_need_an_indexer(self, source: str, expected: str) -> None:
        assert likeliest(failure(source, "InvalidIndexError: (slice(None, None, None), 'price')")) == expected

    def test_a_list_of_lists_is_asked_twice(self) -> None:
        error = "TypeError: list indices must be integers or slices, not tuple"
        assert likeliest(failure("rows[0, 1]", error)) == "rows[0][1]"

    def test_columns_of_groups_are_a_list(self) -> None:
        error = "ValueError: Cannot subset columns with a tuple with more than one element. Use a list instead."
        assert likeliest(failure("df.groupby('a')['b', 'c'].sum()", error)) == "df.groupby('a')[['b', 'c']].sum()"

    def test_a_condition_on_a_column(self) -> None:
        error = "TypeError: '>' not supported between instances of 'str' and 'int'"
        failed = failure("df['price' > 10]", error, types={"df": "pandas.DataFrame"})
        assert likeliest(failed) == "df[df['price'] > 10]"
        assert candidates(failure("a['price' > 10]", error, types={"a": "list"})) == {}


class TestKeyTypes:
    def test_a_text_where_numbers_are(self) -> None:
        assert likeliest(asked("x['1']", "1", others=("1", "2"))) == "x[1]"
        assert likeliest(asked("x[['0', '2']]", "0", others=("0", "1", "2"))) == "x[[0, 2]]"
        assert likeliest(asked("x[answer]", "1", others=("1",))) == "x[int(answer)]"

    def test_a_number_where_texts_are(self) -> None:
        assert likeliest(asked("x[1]", "1", available=("1", "2"))) == 'x["1"]'
        assert likeliest(asked("[x[k] for k in y]", "1", available=("1", "2"))) == "[x[str(k)] for k in y]"

    def test_other_letters(self) -> None:
        assert likeliest(asked("x[name]", "N", available=("n", "s"))) == "x[name.lower()]"

    def test_a_key_of_no_type_that_is_there_is_left_alone(self) -> None:
        assert "x[int(answer)]" not in candidates(asked("x[answer]", "1", others=("2",)))


class TestAbsentKeys:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("x[w] += 1", "x[w] = x.get(w, 0) + 1"),
            ("x[w] += [1]", "x[w] = x.get(w, []) + [1]"),
            ("x[w] -= a + b", "x[w] = x.get(w, 0) - (a + b)"),
            ("x[w] = x[w] + 1", "x[w] = x.get(w, 0) + 1"),
            ("x[w].append(1)", "x.setdefault(w, []).append(1)"),
            ("x[w].add(1)", "x.setdefault(w, set()).add(1)"),
            ("x[a][b] = 1", "x.setdefault(a, {})[b] = 1"),
        ],
    )
    def test_a_new_key_gets_its_first_value(self, source: str, expected: str) -> None:
        found = candidates(asked(source, "a"))
        assert next(iter(found)) == expected
        assert found[expected] >= 0.5

    def test_an_optional_key_is_a_guess(self) -> None:
        assert candidates(asked("[x['age']]", "age")) == {"[x.get('age')]": 0.4}

    @pytest.mark.parametrize(
        ("source", "also"),
        [
            ("[x['age'] for x in xs]", ["[x['age'] for x in xs if 'age' in x]"]),
            ("[x['age'] for x in xs if x]", ["[x['age'] for x in xs if x and 'age' in x]"]),
            ("n = 1 + x['age']", ["n = 1 + x.get('age', 0)"]),
            ("n += x['age']", ["n += x.get('age', 0)"]),
            ("x['age'].lower()", ["x.get('age', \"\").lower()"]),
            ("f(x['age'])", []),
            (
                "sum(x['age'] for x in xs)",
                ["sum(x.get('age', 0) for x in xs)", "sum(x['age'] for x in xs if 'age' in x)"],
            ),
        ],
    )
    def test_what_stands_for_an_optional_key_or_leaving_it_out_is_another_guess(
        self, source: str, also: list[str]
    ) -> None:
        found = candidates(asked(source, "age"))
        assert list(found) == [source.replace("x['age']", "x.get('age')", 1), *also]
        assert max(found.values()) == 0.4

    def test_a_round_of_a_loop_without_the_key_may_be_left_out(self) -> None:
        source, lookup = "for x in xs:\n    print(x['age'])", Lookup("key", "age", "x", "dict")
        failed = failure(source, "KeyError: 'age'", line=2, lookup=lookup)
        assert "for x in xs:\n    if 'age' not in x:\n        continue\n    print(x['age'])" in candidates(failed)

    def test_removing_what_is_not_there(self) -> None:
        assert likeliest(asked("x.remove('c')", "c", "set")) == "x.discard('c')"
        failed = failure("x.remove('bananna')", "ValueError: list.remove(x): x not in list")
        failed = holding(failed, ValueSummary("x", "list", "list of 1: ['banana']", "sequence"))
        assert list(candidates(failed)) == ["x.remove('banana')", "if 'bananna' in x: x.remove('bananna')"]


class TestNested:
    def test_a_list_of_dicts(self) -> None:
        failed = failure("n = d['items']['name']", "TypeError: list indices must be integers or slices, not str")
        found = candidates(failed)
        assert "n = d['items'][0]['name']" in found
        assert "n = [item['name'] for item in d['items']]" in found

    def test_a_loop_over_keys(self) -> None:
        source, error = "for u in users:\n    u['age']", "TypeError: string indices must be integers, not 'str'"
        failed = failure(source, error, line=2, types={"users": "dict"})
        assert likeliest(failed) == "for u in users.values():\n    u['age']"
        failed = failure(source, error, line=2, types={"users": "pandas.DataFrame"})
        assert likeliest(failed) == "for _, u in users.iterrows():\n    u['age']"

    def test_a_key_that_is_further_inside(self) -> None:
        failed = holding(
            asked("x['user']['mail']", "user"),
            ValueSummary("x", "dict", "dict of 1: {'data': {'user': {'mail': 'm'}}}", "mapping"),
        )
        assert likeliest(failed) == "x['data']['user']['mail']"

    def test_keys_and_attributes(self) -> None:
        failed = no_attribute("c.lr * c.n", "lr", "c", "dict")
        failed = holding(failed, ValueSummary("c", "dict", "", "mapping", ("lr", "n")))
        assert likeliest(failed) == 'c["lr"] * c["n"]'
        failed = failure("p['name']", "TypeError: 'Person' object is not subscriptable")
        assert likeliest(holding(failed, ValueSummary("p", "Person", "", "object", ("name",)))) == "p.name"
        assert candidates(holding(failed, ValueSummary("p", "Person", "", "object", ("age",)))) == {}


def missing(source: str, wanted: str, *there: str, error: str = "", folder: str = ".") -> Failure:
    lookup = Lookup("path", wanted, folder, "", there)
    return failure(
        source, error or f"FileNotFoundError: [Errno 2] No such file or directory: '{wanted}'", lookup=lookup
    )


class TestPaths:
    @pytest.mark.parametrize(
        ("wanted", "there"),
        [
            ("prices.csv", "stock.csv"),
            ("prices.csv", "q1.csv"),  # what they have in common is the ending
            ("ab.parquet", "xy.parquet"),
            ("report.docx", "requirements.txt"),
            ("sales_2023.csv", "sales_2024.csv"),
        ],
    )
    def test_the_only_file_that_is_there_is_not_the_one_that_is_meant(self, wanted: str, there: str) -> None:
        assert candidates(missing(f"open({wanted!r})", wanted, there)) == {}

    @pytest.mark.parametrize(
        ("wanted", "path"),
        [
            ("sale.csv", "sales.csv"),
            ("data/sales.csv", "sales.csv"),
            ("x.csv", "data/x.csv"),
            ("../data/x.csv", "data/x.csv"),
            ("/data/x.csv", "data/x.csv"),
            ("Data/X.csv", "data/x.csv"),
            ("sales.cvs", "sales.csv"),
            ("sales", "sales.csv"),
            ("dta/x.csv", "data/x.csv"),
        ],
    )
    def test_the_path_that_is_there(self, wanted: str, path: str) -> None:
        failed = missing(f"pd.read_csv({wanted!r})", wanted, "sales.csv", "data/", "data/x.csv", "notes.txt")
        assert likeliest(failed) == f"pd.read_csv({path!r})"

    def test_separators_of_another_system(self) -> None:
        assert likeliest(missing(r"open(r'data\x.csv')", r"data\x.csv", "data/x.csv")) == "open('data/x.csv')"

    def test_a_file_of_another_kind_has_another_reader(self) -> None:
        failed = missing("pd.read_csv('sales.csv')", "sales.csv", "sales.xlsx")
        assert likeliest(failed) == "pd.read_excel('sales.xlsx')"

    def test_namesakes_are_a_choice(self) -> None:
        found = candidates(missing("open('x.csv')", "x.csv", "a/x.csv", "b/x.csv"))
        assert found == {"open('a/x.csv')": 0.45, "open('b/x.csv')": 0.45}

    def test_a_path_in_a_variable(self) -> None:
        failed = missing("t = open(path)", "sale.csv", "sales.csv")
        failed = holding(failed, ValueSummary("path", "str", "'sale.csv'", "scalar"))
        assert likeliest(failed) == "path = 'sales.csv'\nt = open(path)"

    def test_a_path_of_parts(self) -> None:
        failed = missing("open(os.path.join(base, 'othr.csv'))", "data/othr.csv", "data/other.csv")
        assert likeliest(failed) == "open(os.path.join(base, 'other.csv'))"
        failed = missing("(DATA / 'x.csv').read_text()", "dta/x.csv", "data/x.csv")
        failed = holding(failed, ValueSummary("DATA", "pathlib.PosixPath", "dta", "scalar"))
        assert likeliest(failed) == "DATA = type(DATA)('data')\n(DATA / 'x.csv').read_text()"

    def test_the_home_folder(self) -> None:
        failed = missing("open('~/x.txt')", "~/x.txt", "~/x.txt")
        assert likeliest(failed) == "import os\nopen(os.path.expanduser('~/x.txt'))"

    def test_a_folder_to_write_into_is_made(self) -> None:
        failed = missing("x = 1\nopen('out/x.txt', 'w')", "out/x.txt", "sales.csv", folder="out")
        failed = dataclasses.replace(failed, lineno=2, exceptions=holding_line(failed, 2))
        expected = "import os\nx = 1\nos.makedirs('out', exist_ok=True)\nopen('out/x.txt', 'w')"
        assert candidates(failed) == {expected: 0.88}

    def test_what_exists_is_never_written_over(self) -> None:
        found = candidates(missing("open('out/x.txt', 'w')", "out/x.txt", "x.txt", "outs/", "outs/x.txt", folder="out"))
        assert not any("'x.txt'" in source or "outs/x.txt" in source for source in found)

    def test_a_folder_that_is_called_nearly_so_may_be_meant(self) -> None:
        failed = missing("open('fig/x.txt', 'w')", "fig/x.txt", "figs/", "old/", "old/fig/", folder="fig")
        [fix] = [fix for fix in fixes(failed) if fix.edits[-1].source == "open('figs/x.txt', 'w')"]
        assert fix.explanation == "There is no 'fig', but 'figs' is there."
        assert not any("old" in source for source in candidates(failed))

    def test_the_file_in_a_folder(self) -> None:
        failed = missing(
            "open('data')", "data", "data/", "data/x.csv", error="IsADirectoryError: Is a directory: 'data'"
        )
        assert likeliest(failed) == "open('data/x.csv')"

    def test_names_from_a_folder(self) -> None:
        failed = missing("[open(f) for f in os.listdir('data')]", "x.csv", "data/x.csv")
        failed = dataclasses.replace(failed, situation=dataclasses.replace(failed.situation, names=("os",)))
        assert likeliest(failed) == "[open(os.path.join('data', f)) for f in os.listdir('data')]"

    def test_nothing_near_is_no_path(self) -> None:
        assert candidates(missing("open('x.csv')", "x.csv", "notes.txt", "a/")) == {}


def holding_line(failed: Failure, line: int) -> tuple[object, ...]:
    frame = dataclasses.replace(failed.error.frames[0], lineno=line)
    return (dataclasses.replace(failed.error, frames=(frame,)),)


class TestFormerIndex:
    MADE = "counts = d['a'].value_counts().reset_index()"

    def test_the_index_is_a_column_by_its_name(self) -> None:
        failed = no_column(f"{self.MADE}\nx = counts['index'][0]", "index", "a", "count", owner="counts", line=2)
        assert likeliest(failed) == f"{self.MADE}\nx = counts['a'][0]"

    def test_it_may_have_been_made_in_an_earlier_cell(self) -> None:
        failed = no_column("x = counts.loc[0, 'index']", "index", "a", "count", owner="counts")
        assert "x = counts.loc[0, 'a']" not in candidates(failed)
        situation = dataclasses.replace(failed.situation, earlier=earlier(self.MADE))
        assert candidates(dataclasses.replace(failed, situation=situation))["x = counts.loc[0, 'a']"] >= 0.5

    def test_rename_with_a_dict_alone_renames_rows(self) -> None:
        source = "d = df.rename({'a': 'b'})\nx = d['b']"
        failed = no_column(source, "b", "a", "c", owner="d", line=2)
        assert likeliest(failed) == "d = df.rename(columns={'a': 'b'})\nx = d['b']"


class TestListsInDicts:
    def test_what_a_list_can_do_is_asked_of_the_list_in_the_dict(self) -> None:
        failed = no_attribute("data.append(3)", "append", "data", "dict")
        held = holding(failed, ValueSummary("data", "dict", "{'n': 2, 'items': [1, 2]}", "mapping", ("n", "items")))
        assert candidates(held) == {'data["items"].append(3)': 0.6}

    def test_of_several_lists_none_is_likely(self) -> None:
        failed = no_attribute("data.append(3)", "append", "data", "dict")
        held = holding(failed, ValueSummary("data", "dict", "{'a': [], 'b': []}", "mapping", ("a", "b")))
        assert candidates(held) == {'data["a"].append(3)': 0.4, 'data["b"].append(3)': 0.4}
