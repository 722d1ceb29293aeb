"""Functions of Python's own that are given something in another order or form than they take it."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import failure, fixes
from tests.propose.rules.candidates import candidates, likeliest

WORDS = {"words": "list", "prices": "dict", "seen": "set"}


@pytest.mark.parametrize(
    ("source", "error", "expected"),
    [
        (
            "list(filter([1, 2], lambda n: n > 1))",
            "TypeError: 'function' object is not iterable",
            "list(filter(lambda n: n > 1, [1, 2]))",
        ),
        (
            "list(map(words, len))",
            "TypeError: 'builtin_function_or_method' object is not iterable",
            "list(map(len, words))",
        ),
        (
            "max(words, len)",
            "TypeError: '>' not supported between instances of 'builtin_function_or_method' and 'list'",
            "max(words, key=len)",
        ),
        (
            'isinstance(x, ("str", "int"))',
            "TypeError: isinstance() arg 2 must be a type, a tuple of types, or a union",
            "isinstance(x, (str, int))",
        ),
        (
            "random.sample(seen, 2)",
            "TypeError: Population must be a sequence.  For dicts or sets, use sorted(d).",
            "random.sample(sorted(seen), 2)",
        ),
        ("random.choice(prices)", "KeyError: 1", "random.choice(list(prices))"),
        (
            'dict.fromkeys("a", "b", 0)',
            "TypeError: fromkeys expected at most 2 arguments, got 3",
            'dict.fromkeys(["a", "b"], 0)',
        ),
        (
            "class Sq(Shape):\n    def aera(self): return 1\nSq()",
            "TypeError: Can't instantiate abstract class Sq with abstract method area",
            "class Sq(Shape):\n    def area(self): return 1\nSq()",
        ),
        (
            "confusion_matrix(y_true=t, y_predict=p)",
            "TypeError: missing a required argument: 'y_pred'",
            "confusion_matrix(y_true=t, y_pred=p)",
        ),
        (
            "async def gen():\n    yield 1\n[v for v in gen()]",
            "TypeError: 'async_generator' object is not iterable",
            "async def gen():\n    yield 1\n[v async for v in gen()]",
        ),
        (
            "words.sort(lambda a, b: len(a) - len(b))",
            "TypeError: sort() takes no positional arguments",
            "import functools\nwords.sort(key=functools.cmp_to_key(lambda a, b: len(a) - len(b)))",
        ),
    ],
)
def test_what_is_meant_comes_first(source: str, error: str, expected: str) -> None:
    assert likeliest(failure(source, error, types=WORDS, line=source.count("\n") + 1)) == expected


def test_the_bounds_of_a_draw_are_a_question() -> None:
    error = "TypeError: Random.randint() missing 1 required positional argument: 'b'"
    assert candidates(failure("random.randint(6)", error)) == {"random.randint(1, 6)": 0.6, "random.randint(0, 6)": 0.5}


def test_a_text_that_names_no_class_keeps_its_quotes() -> None:
    error = "TypeError: isinstance() arg 2 must be a type, a tuple of types, or a union"
    assert fixes(failure('isinstance(x, "strng")', error)) == []


def test_texts_are_no_sizes_that_make_a_tuple() -> None:
    found = candidates(failure('f("a", "b", 0)', "TypeError: f expected at most 2 arguments, got 3"))
    assert not any('("b", 0)' in text for text in found)
