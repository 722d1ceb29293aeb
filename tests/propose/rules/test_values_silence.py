"""Where the rules about types and values say nothing, or nothing that is sure."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY, Failure
from reflex_ipython.propose.rules.values.rules import RULES
from tests.propose.rules.build import best, failure, fixes
from tests.propose.rules.running import failed, sources


@pytest.mark.parametrize(
    "error",
    [
        "NameError: name 'x' is not defined",
        "ValueError: something of a library",
        "TypeError: f() takes 1 positional argument but 2 were given",
        "KeyError: 'a'",
        "AttributeError: module 'numpy' has no attribute 'foo'",
        "AttributeError: 'Model' object has no attribute 'fit'",
        "IndexError: index 5 is out of bounds for axis 0 with size 3",
    ],
)
def test_of_errors_of_others_they_say_nothing(error: str) -> None:
    failed = failure("x = a.b(c[0]) + f'{d:.2f}'", error)
    assert [found for rule in RULES for found in rule(failed)] == []


def test_where_code_does_not_compile_they_say_nothing() -> None:
    failed = failure("x = 'a' + (", 'TypeError: can only concatenate str (not "int") to str', stage="syntax")
    assert [found for rule in RULES for found in rule(failed)] == []


@pytest.mark.parametrize(
    ("source", "error", "name"),
    [
        ("x = '5' - y", "TypeError: unsupported operand type(s) for -: 'str' and 'int'", "int"),
        ("', '.join(y)", "TypeError: sequence item 0: expected str instance, int found", "str"),
        ("for k in d: del d[k]", "RuntimeError: dictionary changed size during iteration", "list"),
        ("int('1,000')", "ValueError: invalid literal for int() with base 10: '1,000'", "int"),
    ],
)
def test_a_builtin_that_has_another_value_is_not_called(source: str, error: str, name: str) -> None:
    found = [fix.edits[-1].source for fix in fixes(failure(source, error, names=(name,)))]
    assert all(f"{name}(" not in text.replace(source, "") or f"{name}(" in source for text in found)
    assert best(failure(source, error)) is not None


def _prose() -> Failure:
    return failed("total = 5 + name\ntotal", 'name = "Anna"')


def test_words_become_no_number() -> None:
    assert sources("total = 5 + name\ntotal", 'name = "Anna"') == ["total = str(5) + name\ntotal"]
    assert all("int(" not in fix.edits[-1].source for fix in fixes(_prose()))


def test_what_stands_for_a_result_is_never_an_answer() -> None:
    assert all(fix.prior < LIKELY for fix in fixes(failed("r = 1 / n\nr", "n = 0")))
    assert all(fix.prior < LIKELY for fix in fixes(failed("m = max(x)\nm", "x = []")))


def test_all_that_they_propose_has_to_be_tried() -> None:
    found = fixes(failed("d = {}\nd[[1, 2]] = 3"))
    assert found
    assert all(fix.is_candidate for fix in found)


def test_a_value_that_hides_nothing_else_keeps_the_rest_of_the_cell() -> None:
    cell = "# first\nx = 1 ;  y = 2\nlast = nums[ len(nums) ]  # the end\n\n"
    assert sources(cell, "nums = [1, 2]") == [cell.replace("len(nums) ]", "len(nums) - 1 ]")]


def test_a_literal_of_a_message_is_quoted_where_it_is_written() -> None:
    cell = "n = int(s)\nn"
    found = sources(cell, "s = '12\"); x = (1'")
    assert all("x = (1" not in text or "12" not in text for text in found)
