"""Classes whose objects are not set up, and functions that are handed on or called for each member."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import failure, offered
from tests.propose.rules.running import answer, sources

POINT = "class Point:\n    def {}(self, x):\n        {}\n\np = Point(3)\np.x"


@pytest.mark.parametrize("name", ["_init_", "__int__", "init", "__init", "_init__", "__inti__"])
def test_a_misspelt_constructor_gets_its_name(name: str) -> None:
    assert answer(POINT.format(name, "self.x = x")) == POINT.format("__init__", "self.x = x")


def test_a_constructor_is_mended_in_the_cell_that_has_the_class() -> None:
    setup = "class Box:\n    def _init_(self, size):\n        self.size = size"
    assert answer("Box(2).size", setup) == setup.replace("_init_", "__init__")


def test_a_class_without_a_constructor_stays_as_it_is() -> None:
    assert sources("class Box:\n    def point(self, x):\n        return x\nBox(2)") == []


def test_what_the_constructor_keeps_to_itself_is_given_to_the_object() -> None:
    cell = POINT.format("__init__", "x = x")
    assert answer(cell) == POINT.format("__init__", "self.x = x")


@pytest.mark.parametrize("place", ["here", "earlier"])
def test_the_parent_sets_up_its_part(place: str) -> None:
    parent = "class Shape:\n    def __init__(self, name):\n        self.name = name\n"
    child = "class Disc(Shape):\n    def __init__(self, name, r):\n        self.r = r\n"
    use = 'd = Disc("a", 2)\nd.name'
    mended = child.replace("self.r", "super().__init__(name)\n        self.r")
    if place == "here":
        assert answer(f"{parent}\n{child}\n{use}") == f"{parent}\n{mended}\n{use}"
    else:
        assert answer(f"{child}\n{use}", parent) == f"{mended}\n{use}"


def test_an_attribute_that_no_class_sets_is_not_made_up() -> None:
    assert sources("class Box:\n    def __init__(self, size):\n        self.size = size\nBox(1).weight") == []


def test_a_method_of_an_earlier_cell_gets_self() -> None:
    setup = "class Room:\n    t = 20\n\n    def warmer(degrees):\n        self.t += degrees"
    assert answer("r = Room()\nr.warmer(2)\nr.t", setup) == setup.replace("(degrees)", "(self, degrees)")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("r = list(map(margin, pairs))\nr", "r = [margin(*pair) for pair in pairs]\nr"),
        ("r = sum(map(margin, pairs))\nr", "r = sum((margin(*pair) for pair in pairs))\nr"),
        ("r = list(map(lambda a, b: a * b, pairs))\nr", "r = [(lambda a, b: a * b)(*pair) for pair in pairs]\nr"),
        ("r = list(map(lambda p: p[0] + p[1], xs, ys))\nr", "r = list(map(lambda p: p[0] + p[1], zip(xs, ys)))\nr"),
        ("r = celsius(xs)\nr", "r = [celsius(x) for x in xs]\nr"),
        (
            "if True:\n    r = margin(xs, cost=ys)\nr",
            "if True:\n    r = [margin(x, cost=y) for x, y in zip(xs, ys)]\nr",
        ),
        ("r = margin(xs, 2)\nr", "r = [margin(x, 2) for x in xs]\nr"),
        ("ws = ['bb', 'a']\nws.sort(len)\nws", "ws = ['bb', 'a']\nws.sort(key=len)\nws"),
        ("ws = sorted(['bb', 'a'], len, True)\nws", "ws = sorted(['bb', 'a'], key=len, reverse=True)\nws"),
        (
            "r = sorted([2, 1], cmp=lambda a, b: a - b)\nr",
            "import functools\nr = sorted([2, 1], key=functools.cmp_to_key(lambda a, b: a - b))\nr",
        ),
        (
            "try:\n    int('a')\nexcept [ValueError, KeyError]:\n    r = 1\nr",
            "try:\n    int('a')\nexcept (ValueError, KeyError):\n    r = 1\nr",
        ),
        ("r = [celsius(name, x) for name, x in zip('ab', xs)]", None),
    ],
)
def test_functions_of_several_values(cell: str, expected: str | None) -> None:
    setup = """
def margin(price, cost):
    return price - cost
def celsius(f):
    return (f - 32) / 2
pairs = [(10, 7), (8, 3)]
xs, ys = [40, 50], [2, 3]"""
    if expected is not None:
        assert answer(cell, setup) == expected
    else:
        assert all("map" not in one and "zip(xs" not in one for one in sources(cell, setup))


def test_of_too_many_arguments_the_one_that_is_called_like_no_parameter_goes() -> None:
    setup = 'def bmi(weight, height):\n    return weight / height ** 2\npeople = [("Ana", 61.0, 1.7)]'
    cell = "r = [bmi(name, w, h) for name, w, h in people]\nr"
    assert answer(cell, setup) == "r = [bmi(w, h) for name, w, h in people]\nr"


def test_an_async_function_is_waited_for() -> None:
    cell = "async def fetch(n):\n    return n\nr = {0}fetch(1) + {0}fetch(2)"
    error = "TypeError: unsupported operand type(s) for +: 'coroutine' and 'coroutine'"
    found = offered(failure(cell.format(""), error, line=3))
    assert found[cell.format("await ")] > 0.9
