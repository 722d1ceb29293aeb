"""Values of a type that can't do what is asked of them."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import best, failure, fixed, fixes

NOT_ITERABLE = "TypeError: 'int' object is not iterable"
CONCATENATION = 'TypeError: can only concatenate str (not "int") to str'


class TestRange:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("for i in 10:\n    pass", "for i in range(10):\n    pass"),
            ("for i in len(x): print(i)", "for i in range(len(x)): print(i)"),
        ],
    )
    def test_a_number_is_looped_over_with_range(self, source: str, expected: str) -> None:
        [fix] = fixes(failure(source, NOT_ITERABLE))
        assert fix.edits[-1].source == expected
        assert not fix.is_candidate

    @pytest.mark.parametrize("kind", ["int", "numpy.int64"])
    def test_of_a_variable_its_digits_may_be_meant_as_well(self, kind: str) -> None:
        found = fixes(failure("y = [i for i in n]", NOT_ITERABLE, types={"n": kind}))
        assert [fix.edits[-1].source for fix in found] == ["y = [i for i in range(n)]", "y = [i for i in str(n)]"]
        assert all(fix.prior < LIKELY for fix in found)

    def test_a_loop_over_the_digits_of_a_number_says_so(self) -> None:
        assert best(failure("y = [digit for digit in n]", NOT_ITERABLE, types={"n": "int"})) == (
            "y = [digit for digit in str(n)]"
        )

    def test_a_reading_whose_function_is_another_now_is_left_out(self) -> None:
        found = fixes(failure("y = [i for i in n]", NOT_ITERABLE, types={"n": "int"}, names=("n", "str")))
        assert [fix.edits[-1].source for fix in found] == ["y = [i for i in range(n)]"]

    def test_what_is_not_known_to_be_the_number_is_left_alone(self) -> None:
        assert fixed(failure("for i in x: pass", NOT_ITERABLE)) is None
        assert fixed(failure("list(3)", NOT_ITERABLE)) is None
        assert fixed(failure("[i + j for i in 3 for j in 4]", NOT_ITERABLE)) is None
        assert fixed(failure("for i in 10: pass", NOT_ITERABLE, names=("range",))) is None


class TestDivision:
    def test_an_index_is_divided_without_remainder(self) -> None:
        error = "TypeError: list indices must be integers or slices, not float"
        assert fixed(failure("x[len(x) / 2] / 3  # a / b", error)) == "x[len(x) // 2] / 3  # a / b"

    def test_a_range_is_divided_without_remainder(self) -> None:
        error = "TypeError: 'float' object cannot be interpreted as an integer"
        assert fixed(failure("for i in range(n/2): pass", error)) == "for i in range(n//2): pass"
        assert fixed(failure("range(n / 2, m / 2)", error)) is None
        assert fixed(failure("range(0.5 / 2)", error)) is None

    def test_a_share_that_is_multiplied_is_not_surely_rounded_first(self) -> None:
        error = "TypeError: list indices must be integers or slices, not float"
        assert fixed(failure("x[i / n * 10]", error)) is None
        assert fixed(failure("x[i / n + 1]", error)) == "x[i // n + 1]"


class TestText:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("print('Age: ' + age)", "print('Age: ' + str(age))"),
            ("'Age: ' + age + ' years'", "'Age: ' + str(age) + ' years'"),
            ("'é: ' + (age + 1)", "'é: ' + str(age + 1)"),
            ("'of ' + len(x)", "'of ' + str(len(x))"),
        ],
    )
    def test_a_number_among_words_becomes_text(self, source: str, expected: str) -> None:
        assert fixed(failure(source, CONCATENATION, types={"age": "int"})) == expected

    @pytest.mark.parametrize(
        "source", ["'5' + 5", "'Sum: ' + age + age", "x + y", "'a: ' + x + y", "'a' + age; 'b' + age"]
    )
    def test_of_what_may_be_a_sum_nothing_is_sure(self, source: str) -> None:
        assert fixed(failure(source, CONCATENATION, types={"age": "int"})) is None


class TestCalls:
    def test_a_hidden_builtin_is_taken_back(self) -> None:
        error = "TypeError: 'str' object is not callable"
        found = failure("# so\nprint(len(str(5)))", error, line=2, names=("str",), types={"str": "str"})
        assert fixed(found) == "import builtins\n# so\nprint(len(builtins.str(5)))"

    @pytest.mark.parametrize(
        ("source", "names", "types"),
        [
            ("print(len(str(5)))", ("len", "str"), {}),
            ("print(str(5))", ("str",), {"str": "function"}),
            ("x = str\nstr(5)", ("str",), {}),
            ("foo(5)", ("foo",), {}),
        ],
    )
    def test_it_stays_hidden_where_something_else_may_be_wrong(
        self, source: str, names: tuple[str, ...], types: dict[str, str]
    ) -> None:
        error = "TypeError: 'str' object is not callable"
        assert fixed(failure(source, error, line=source.count("\n") + 1, names=names, types=types)) is None

    def test_a_module_is_asked_for_its_function(self) -> None:
        error = "TypeError: 'module' object is not callable"
        source = "for i in tqdm(x):\n    tqdm.write('tqdm')"
        assert fixed(failure(source, error)) == "for i in tqdm.tqdm(x):\n    tqdm.write('tqdm')"
        assert fixed(failure("numpy(3)", error)) is None

    def test_a_method_is_called_with_round_brackets(self) -> None:
        error = "TypeError: 'method' object is not subscriptable"
        assert fixed(failure("df.head[5]['a[5]']", error)) == "df.head(5)['a[5]']"
        assert fixed(failure("df.mean['a']", error)) is None
        assert fixed(failure("df.groupby['a', 'b']", error)) is None

    def test_a_value_is_not_called(self) -> None:
        assert fixed(failure("df.shape()[0]", "TypeError: 'tuple' object is not callable")) == "df.shape[0]"
        assert fixed(failure("df.size_of()", "TypeError: 'tuple' object is not callable")) is None

    def test_an_item_is_asked_for_with_square_brackets(self) -> None:
        error = "TypeError: 'list' object is not callable"
        assert fixed(failure("words(0)", error, types={"words": "list"})) == "words[0]"
        assert fixed(failure("words(0)", error)) is None
        assert fixed(failure("words(i)", error, types={"words": "list", "i": "int"})) is None

    def test_a_shape_is_one_argument(self) -> None:
        error = "TypeError: Cannot interpret '4' as a data type"
        assert fixed(failure("x = np.zeros(3, 4)", error)) == "x = np.zeros((3, 4))"
        assert fixed(failure("x = np.full(3, 4)", error)) is None


class TestSelf:
    ERROR = "TypeError: A.area() takes 1 positional argument but 2 were given"

    def test_a_method_gets_its_first_argument(self) -> None:
        source = "class A:\n    def area(r):  # of r\n        return r\n\nA().area(3)"
        assert fixed(failure(source, self.ERROR, line=5)) == source.replace("(r):", "(self, r):")

    @pytest.mark.parametrize(
        "source",
        [
            "class A:\n    def area(self):\n        return 1\n\nA().area(3)",
            "class A:\n    def area(this):\n        return this.r\n\nA().area(3)",
            "class A:\n    @staticmethod\n    def area(r):\n        return r\n\nA().area(3)",
            "\n\n\n\nA().area(3)",
        ],
    )
    def test_a_call_with_too_much_is_not_the_methods_fault(self, source: str) -> None:
        assert fixed(failure(source, self.ERROR, line=5)) is None
