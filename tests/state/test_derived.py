"""Values that never change but refer to a class or an object of the user's: what is done to that by them is undone."""

from __future__ import annotations

import re

import pytest

from reflex_ipython.state.kinds.derived import users_derive_from
from reflex_ipython.state.kinds.table import KindTable
from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, halves

OWN = """
import re, typing
class Text(str): pass
class Number(float): pass
class Part:
    __slots__ = ("a",)
    count = 0
    seen = []
text, number = Text("abc"), Number(1)
text.seen, number.seen = [], []
tell = lambda *parts, text=text, number=number, Part=Part: (text.seen, number.seen, Part.count, Part.seen)
"""


def of(says: str, make: str, change: str) -> Half:
    return Half(says, f"{OWN}\n{make}\ndel text, number, Part", change, "tell()")


@halves(
    of("a match", "o = re.match('a', text)", "o.string.seen.append(1)"),
    of("matches", "o = [*re.finditer('.', text)]", "o[0].string.seen.append(1)"),
    of("a pattern", "o = re.compile(text)", "o.pattern.seen.append(1)"),
    of("the pattern of a match", "o = re.compile(text).match('abc')", "o.re.pattern.seen.append(1)"),
    of("a bound", "o = typing.TypeVar('o', bound=Part)", "o.__bound__.seen.append(1)"),
    of("constraints", "o = typing.TypeVar('o', Part, int)", "o.__constraints__[0].count += 1"),
    of("an alternative", "o = int | Part", "o.__args__[1].count += 1"),
    of("a slot", "o = Part.a", "o.__objclass__.seen.append(1)"),
)
def test_what_is_done_to_what_it_refers_to_is_undone(half: Half) -> None:
    check(half)


def test_an_attribute_of_a_type_variable_is_undone() -> None:
    check(Half("", "import typing\no = typing.TypeVar('o')\no.seen = []", "o.seen.append(1)", "o.seen"))


@halves(of("an interval", "o = pd.Interval(0, number)", "o.right.seen.append(1)"))
def test_what_is_done_to_an_end_of_an_interval_is_undone(half: Half) -> None:
    check(half, pd=pytest.importorskip("pandas"))


@pytest.mark.parametrize("made", ["re.match('a', 'a')", "datetime.time(1)", "int | None", "typing.TypeVar('o')"])
def test_one_that_was_replaced_is_there_again(made: str) -> None:
    names = namespace(f"import datetime, re, typing\no = {made}")
    before = names["o"]
    assert run(names, f"o = {made}\n1 / 0").rollback(0).exact
    assert names["o"] is before


def test_matches_are_not_looked_at_as_long_as_the_user_has_no_class_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    names = namespace(OWN)
    assert users_derive_from(names["Text"].__base__)
    assert KindTable().kinds(re.Match)
    monkeypatch.setattr("reflex_ipython.state.kinds.derived.users_derive_from", lambda *bases: False)
    assert not KindTable().kinds(re.Match)
