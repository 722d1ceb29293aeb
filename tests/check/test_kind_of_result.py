"""A function that gives another kind of thing than its name, docstring or uses say is doubted."""

from __future__ import annotations

import pytest

from reflex_ipython.check.critic.kind_of_result import ResultKindChecker
from tests.check import build


def found(old: str, new: str, *earlier: str) -> list[str]:
    failure = build.failure(old, earlier=earlier)
    return [one.text for one in ResultKindChecker().check(failure, build.fix(old, new))]


def of(head: str, *body: str) -> str:
    return f"{head}\n" + "\n".join(f"    {line}" for line in body)


WRONG = {
    "a list for a mean": (of("def mean_of(xs):", "return [x / 2 for x in xs]"), "a list, where its name says a number"),
    "a text for a question": (of("def is_valid(x):", "return 'yes'"), "a text, where its name says a truth value"),
    "one of several results": (
        of("def is_valid(x):", "if not x:", "    return f'{x} is empty'", "return True"),
        "a text, where its name says a truth value",
    ),
    "a name in between": (of("def total(xs):", "out = {}", "return out"), "a dictionary, where its name says a number"),
    "against its annotation": (of("def f(xs) -> str:", "return len(xs)"), "a number, where its annotation says a text"),
    "against its docstring": (
        of("def f(xs):", '"""Return a list of the names."""', "return ', '.join(xs)"),
        "a text, where its docstring says a list",
    ),
    "against its uses": (
        of("def f(xs):", "return str(xs)") + "\nprint(f(1) / 2)",
        "a text, where it is used as a number",
    ),
    "a price that is formatted": (
        of("def f(xs):", "return sorted(xs)") + '\nprint(f"{f(1):.2f}")',
        "a list, where it is used as a number",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_another_kind_is_told(case: str) -> None:
    new, words = WRONG[case]
    (text,) = found("f(1)", new)
    assert text.endswith(words)


RIGHT = {
    "a number": of("def mean_of(xs):", "return sum(xs) / len(xs)"),
    "what can't be told": of("def mean_of(xs):", "return xs.mean()"),
    "nothing for nothing": of("def mean_of(xs):", "if not xs:", "    return None", "return sum(xs) / len(xs)"),
    "one for each": of("def mean_by_group(xs):", "return {x: 1 for x in xs}"),
    "two things": of("def mean_and_std(xs):", "return xs.mean(), xs.std()"),
    "a number for a question": of("def is_even(x):", "return int(x % 2 == 0)"),
    "what a function inside gives": of("def total(xs):", "def inner():", "    return []", "return sum(inner())"),
    "what it collects": of("def total(xs):", "out = []", "for out in xs:", "    pass", "return out"),
    "no kind that is known": of("def area(x) -> 'Figure':", "return [x]"),
    "a generator": of("def total(xs):", "yield 1", "return [1]"),
    "another word": of("def isolate(xs):", "return [xs]"),
}


@pytest.mark.parametrize("case", RIGHT)
def test_what_is_or_may_be_right_raises_no_alarm(case: str) -> None:
    assert found("f(1)", RIGHT[case]) == []


def test_what_it_gave_before_is_its_own_affair() -> None:
    old = of("def mean_of(xs):", "return [nope]")
    assert found(old, old.replace("nope", "xs")) == []
    assert found(old, f"{old}\nmean_of(1)") == []
