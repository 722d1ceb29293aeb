"""Calls that were refused, values that were called, functions that were not."""

from __future__ import annotations

import dataclasses

import pytest

from reflex_ipython.models import Callee, CellRef, CellSource, Failure, Lookup
from tests.propose.rules.build import failure, no_argument, no_attribute
from tests.propose.rules.candidates import candidates, likeliest


def refused(
    source: str, error: str, *parameters: str, types: dict[str, str] | None = None, **fields: object
) -> Failure:
    """A call of what stands first in the source before a bracket, which has these parameters."""
    written = source.rpartition("= ")[2].partition("(")[0]
    failed = failure(source, f"TypeError: {error}", types=types, line=source.count("\n") + 1, **fields)
    return dataclasses.replace(failed, callee=Callee(written, "function", parameters))


class TestUncalled:
    @pytest.mark.parametrize(
        ("source", "error", "expected"),
        [
            ("s.mean + 1", "unsupported operand type(s) for +: 'method' and 'int'", "s.mean() + 1"),
            ("s.max - s.min", "unsupported operand type(s) for -: 'method' and 'method'", "s.max() - s.min()"),
            ("name.upper[0]", "'builtin_function_or_method' object is not subscriptable", "name.upper()[0]"),
            (
                "for k in d.items: pass",
                "'builtin_function_or_method' object is not iterable",
                "for k in d.items(): pass",
            ),
            ("len(s.tolist)", "object of type 'method' has no len()", "len(s.tolist())"),
            ("round(s.mean, 1)", "type method doesn't define __round__ method", "round(s.mean(), 1)"),
            ("x[x > x.mean]", "'>' not supported between instances of 'float' and 'method'", "x[x > x.mean()]"),
            ("float(a.area)", "float() argument must be a string or a real number, not 'method'", "float(a.area())"),
            ("'-'.join(x.split)", "can only join an iterable", "'-'.join(x.split())"),
        ],
    )
    def test_a_method_is_called(self, source: str, error: str, expected: str) -> None:
        assert likeliest(failure(source, f"TypeError: {error}")) == expected

    def test_what_is_asked_for_an_attribute(self) -> None:
        failed = no_attribute("df.groupby('a').sum.reset_index()", "reset_index", "", "function")
        assert likeliest(failed) == "df.groupby('a').sum().reset_index()"

    def test_a_function_of_ones_own(self) -> None:
        error = "TypeError: unsupported operand type(s) for *: 'int' and 'function'"
        assert likeliest(failure("100 * rate", error, types={"rate": "function"})) == "100 * rate()"
        assert candidates(failure("100 * rate", error, types={"rate": "int"})) == {}

    def test_a_list_of_functions_that_was_made_before(self) -> None:
        error = "TypeError: sequence item 0: expected str instance, builtin_function_or_method found"
        source = "c = [l.strip for l in ls]\nx = ','.join(c)"
        assert likeliest(failure(source, error, line=2)) == "c = [l.strip() for l in ls]\nx = ','.join(c)"


class TestCalledValues:
    @pytest.mark.parametrize(
        ("source", "kind", "expected"),
        [
            ("p.name()", "str", "p.name"),
            ("np.pi()", "float", "np.pi"),
            ("a(2)", "numpy.ndarray", "a[2]"),
            ("a(1, 2)", "numpy.ndarray", "a[1, 2]"),
            ("df(['a', 'b'])", "DataFrame", "df[['a', 'b']]"),
            ("2(a + 1)", "int", "2*(a + 1)"),
            ("(a - b)(a + b)", "float", "(a - b)*(a + b)"),
            ("[(1, 2)(3, 4)]", "tuple", "[(1, 2), (3, 4)]"),
            ("['a' ('b')]", "str", "['a', ('b')]"),
            ("model(X)", "LinearRegression", "model.predict(X)"),
        ],
    )
    def test_a_value_is_not_called(self, source: str, kind: str, expected: str) -> None:
        assert likeliest(failure(source, f"TypeError: '{kind}' object is not callable")) == expected

    def test_a_value_of_another_type_is_left_alone(self) -> None:
        error = "TypeError: 'numpy.ndarray' object is not callable"
        failed = failure("f(2) + a(1)", error, types={"f": "function", "a": "numpy.ndarray"})
        assert candidates(failed) == {"f(2) + a[1]": 0.9}

    def test_lists_without_a_comma(self) -> None:
        error = "TypeError: list indices must be integers or slices, not tuple"
        assert likeliest(failure("np.array([[1, 2]\n[3, 4]])", error)) == "np.array([[1, 2],\n[3, 4]])"
        assert likeliest(failure("[[1, 2] [3, 4] [5, 6]]", error)) == "[[1, 2], [3, 4], [5, 6]]"

    def test_an_indexer_in_round_brackets(self) -> None:
        error = "TypeError: _LocationIndexer.__call__() takes from 1 to 2 positional arguments but 3 were given"
        assert likeliest(failure("df.loc(0, 'a')", error)) == "df.loc[0, 'a']"


class TestSubscripted:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("f[3]", "f(3)"),
            ("f[3, 4]", "f(3, 4)"),
            ("np.array[1, 2]", "np.array([1, 2])"),
            ("d.get['a']", "d.get('a')"),
        ],
    )
    def test_a_function_is_called_with_round_brackets(self, source: str, expected: str) -> None:
        found = candidates(failure(source, "TypeError: 'function' object is not subscriptable"))
        assert expected in list(found)[:2]

    @pytest.mark.parametrize(
        ("source", "error", "expected"),
        [
            ("d.keys()[0]", "'dict_keys' object is not subscriptable", "list(d.keys())[0]"),
            ("len(zip(a, b))", "object of type 'zip' has no len()", "len(list(zip(a, b)))"),
            ("g[2]", "'generator' object is not subscriptable", "list(g)[2]"),
        ],
    )
    def test_an_iterator_becomes_a_list(self, source: str, error: str, expected: str) -> None:
        assert likeliest(failure(source, f"TypeError: {error}")) == expected


class TestPacking:
    @pytest.mark.parametrize(
        ("source", "error", "expected"),
        [
            (
                "np.concatenate(a, b)",
                "only integer scalar arrays can be converted to a scalar index",
                "np.concatenate([a, b])",
            ),
            ("sum(a, b)", "'int' object is not iterable", "sum([a, b])"),
            ("sum(1, 2, 3)", "sum() takes at most 2 arguments (3 given)", "sum([1, 2, 3])"),
            ("', '.join('a', 'b')", "str.join() takes exactly one argument (2 given)", "', '.join(['a', 'b'])"),
            ("list(1, 2)", "list expected at most 1 argument, got 2", "[1, 2]"),
            ("set(1, 2)", "set expected at most 1 argument, got 2", "{1, 2}"),
            (
                "r.normal(0, 1, 2, 3)",
                "normal() takes at most 3 positional arguments (4 given)",
                "r.normal(0, 1, (2, 3))",
            ),
            (
                "isinstance(x, [int, str])",
                "isinstance() arg 2 must be a type, a tuple of types",
                "isinstance(x, (int, str))",
            ),
            (
                "x.startswith(['a'])",
                "startswith first arg must be str or a tuple of str, not list",
                "x.startswith(('a',))",
            ),
            ("print('%d %d' % a, b)", "not enough arguments for format string", "print('%d %d' % (a, b))"),
            ("np.full(2, 3, 0)", "Cannot interpret '0' as a data type", "np.full((2, 3), 0)"),
        ],
    )
    def test_several_arguments_are_one(self, source: str, error: str, expected: str) -> None:
        assert likeliest(failure(source, f"TypeError: {error}")) == expected

    def test_by_the_only_parameter(self) -> None:
        error = "total() takes 1 positional argument but 3 were given"
        assert likeliest(refused("total(1, 2, 3)", error, "values")) == "total([1, 2, 3])"
        found = candidates(refused("total(1, 2, 3)", error, "name"))
        assert all(prior < 0.5 for prior in found.values())

    def test_appending_several_is_a_choice(self) -> None:
        found = candidates(failure("l.append(1, 2)", "TypeError: list.append() takes exactly one argument (2 given)"))
        assert found == {"l.extend([1, 2])": 0.5, "l.append((1, 2))": 0.45}

    def test_one_list_is_several_arguments(self) -> None:
        error = "dist() missing 1 required positional argument: 'y'"
        assert likeliest(refused("dist(p)", error, "x", "y", types={"p": "tuple"})) == "dist(*p)"
        assert likeliest(refused("dist(p)", error, "x", "y", types={"p": "dict"})) == "dist(**p)"
        assert likeliest(refused("dist((1, 2))", error, "x", "y")) == "dist(1, 2)"
        assert candidates(refused("dist(p)", error, "x", "y", types={"p": "int"})) == {}
        error = "line() missing 1 required positional argument: 'b'"
        assert likeliest(refused("line(3, p)", error, "x", "m", "b", types={"p": "list"})) == "line(3, *p)"

    def test_a_shape_is_several_arguments(self) -> None:
        error = "TypeError: 'tuple' object cannot be interpreted as an integer"
        assert likeliest(failure("np.random.rand((2, 3))", error)) == "np.random.rand(2, 3)"

    def test_range_of_a_list(self) -> None:
        error = "TypeError: 'list' object cannot be interpreted as an integer"
        assert likeliest(failure("for i in range(xs):\n    xs[i]", error)) == "for i in range(len(xs)):\n    xs[i]"
        assert likeliest(failure("for x in range(xs):\n    print(x)", error)) == "for x in xs:\n    print(x)"

    def test_a_list_of_files_is_a_choice(self) -> None:
        assert "open(files[0])" in candidates(failure("open(files)", "TypeError: unhashable type: 'list'"))
        error = "TypeError: expected str, bytes or os.PathLike object, not list"
        found = candidates(failure("pd.read_csv(files)", error, types={"files": "list"}, names=("pd",)))
        assert set(found) == {"pd.concat([pd.read_csv(file) for file in files])", "pd.read_csv(files[0])"}
        assert max(found.values()) < 0.5


class TestMissingArguments:
    def test_a_name_that_stands_ready(self) -> None:
        error = "area() missing 1 required positional argument: 'height'"
        failed = refused("x = area(width)", error, "width", "height", names=("width", "height"))
        assert likeliest(failed) == "x = area(width, height)"

    def test_the_name_with_the_same_ending(self) -> None:
        error = "LinearRegression.fit() missing 1 required positional argument: 'y'"
        failed = refused("model.fit(X_train)", error, "X", "y", names=("X_train", "y_train", "y_test", "y"))
        assert likeliest(failed) == "model.fit(X_train, y_train)"

    def test_the_only_table(self) -> None:
        error = "summary() missing 1 required positional argument: 'df'"
        earlier = (CellSource(CellRef("a", 1), "sales = pd.read_csv('x.csv')"),)
        failed = refused("summary()", error, "df", names=("sales", "n"), earlier=earlier)
        assert likeliest(failed) == "summary(sales)"

    def test_one_that_goes_by_name(self) -> None:
        error = "f() missing 1 required keyword-only argument: 'scale'"
        assert likeliest(refused("f(2)", error, "a", "*", "scale", names=("scale",))) == "f(2, scale=scale)"

    def test_nothing_stands_ready(self) -> None:
        error = "area() missing 1 required positional argument: 'height'"
        assert candidates(refused("area(2)", error, "width", "height", names=("zoo",))) == {}

    def test_a_function_that_is_handed_on(self) -> None:
        failed = refused("list(map(inc(), xs))", "inc() missing 1 required positional argument: 'x'", "x")
        assert likeliest(failed) == "list(map(inc, xs))"

    def test_a_class_for_its_object(self) -> None:
        error = "Calc.add() missing 1 required positional argument: 'b'"
        assert likeliest(refused("Calc.add(1, 2)", error, "a", "b", types={"Calc": "type"})) == "Calc().add(1, 2)"
        assert candidates(refused("calc.add(1)", error, "a", "b", types={"calc": "Calc"})) == {}
        earlier = (CellSource(CellRef("a", 1), "rex = Dog('rex')"),)
        error = "Dog.hi() missing 1 required positional argument: 'self'"
        found = candidates(refused("Dog.hi()", error, types={"Dog": "type"}, earlier=earlier))
        assert "rex.hi()" in found

    def test_a_method_without_self_in_an_earlier_cell(self) -> None:
        error = "Conv.c2f() takes 1 positional argument but 2 were given"
        assert "Conv.c2f(100)" in candidates(refused("conv.c2f(100)", error, types={"conv": "Conv"}))


class TestSurplusArguments:
    @pytest.mark.parametrize(
        ("source", "parameters", "expected"),
        [
            ("df.drop('a', 1)", ("labels=None", "*", "axis=0", "index=None"), "df.drop('a', axis=1)"),
            (
                "df.pivot('a', 'b', 'c')",
                ("*", "columns", "index=x", "values=x"),
                "df.pivot(index='a', columns='b', values='c')",
            ),
            (
                "df.sort_values('a', False)",
                ("by", "*", "axis=0", "ascending=True"),
                "df.sort_values('a', ascending=False)",
            ),
            ("f(2, 3.0)", ("a", "*", "scale=1.0", "flip=False"), "f(2, scale=3.0)"),
            ("f(2, True)", ("a", "*", "scale=1.0", "flip=False"), "f(2, flip=True)"),
        ],
    )
    def test_an_argument_goes_by_name(self, source: str, parameters: tuple[str, ...], expected: str) -> None:
        error = "f() takes 1 positional argument but 2 were given"
        assert likeliest(refused(source, error, *parameters)) == expected

    def test_what_is_too_much_is_left_out_as_a_guess(self) -> None:
        error = "greet() takes 1 positional argument but 2 were given"
        assert candidates(refused("greet('a', 'b')", error, "name"))["greet('a')"] < 0.5

    def test_one_given_twice_is_a_choice(self) -> None:
        error = "f() got multiple values for argument 'a'"
        assert candidates(refused("f(1, a=2)", error, "a", "b")) == {"f(1)": 0.45, "f(a=2)": 0.45}


class TestRefusedKeywords:
    def test_all_that_are_not_taken_are_renamed_at_once(self) -> None:
        failed = no_argument("train(x, lr=0.1, epochs=3)", "lr", "train", "data", "learning_rate", "n_epochs")
        assert likeliest(failed) == "train(x, learning_rate=0.1, n_epochs=3)"

    @pytest.mark.parametrize(
        ("source", "wanted", "owner", "taken", "expected"),
        [
            ("sorted(x, ascending=False)", "ascending", "sorted", ("key", "reverse"), "sorted(x, reverse=True)"),
            ("plt.grid(b=True)", "b", "plt.grid", ("visible", "which"), "plt.grid(visible=True)"),
            ("s.fillna(method='ffill')", "method", "s.fillna", ("value", "axis"), "s.ffill()"),
            ("s.sum(level=0)", "level", "s.sum", ("axis",), "s.groupby(level=0).sum()"),
            ("df.groupby('a', axis=0)", "axis", "df.groupby", ("by", "level"), "df.groupby('a')"),
            ("plt.subplots(size=(3, 2))", "size", "plt.subplots", ("nrows",), "plt.subplots(figsize=(3, 2))"),
            ("split(x, seed=1)", "seed", "split", ("random_state", "test_size"), "split(x, random_state=1)"),
            (
                "mean_squared_error(a, b, squared=False)",
                "squared",
                "mean_squared_error",
                ("y_true", "y_pred"),
                "mean_squared_error(a, b) ** 0.5",
            ),
        ],
    )
    def test_what_it_is_called_now(
        self, source: str, wanted: str, owner: str, taken: tuple[str, ...], expected: str
    ) -> None:
        assert likeliest(no_argument(source, wanted, owner, *taken)) == expected

    def test_leaving_it_out_is_a_guess(self) -> None:
        assert candidates(no_argument("f(1, zzz=2)", "zzz", "f", "a")) == {"f(1)": 0.22}


class TestOtherOwners:
    def test_a_function_of_pythons_own(self) -> None:
        failed = no_attribute("math.abs(-2) + math.round(1.2)", "abs", "math", "math", "ceil", "floor")
        assert likeliest(failed) == "abs(-2) + round(1.2)"

    def test_a_function_of_a_module_that_is_there(self) -> None:
        failed = no_attribute("math.mean(x)", "mean", "math", "math", "ceil")
        situation = dataclasses.replace(failed.situation, meanings={"np": "numpy", "mine": "mine"})
        assert candidates(dataclasses.replace(failed, situation=situation)) == {"np.mean(x)": 0.8}

    def test_an_attribute_that_is_not_called_is_left_alone(self) -> None:
        assert candidates(no_attribute("x = math.abs", "abs", "math", "math", "ceil")) == {}


def test_rules_say_nothing_of_other_failures() -> None:
    for error in ("ValueError: something", "ZeroDivisionError: division by zero", "RuntimeError: x"):
        assert candidates(failure("f(x, y=1)[0](2).z + a['b']", error)) == {}
    assert candidates(failure("f(x)", "KeyError: 'b'", lookup=Lookup("key", "b", "d", "dict"))) == {}
