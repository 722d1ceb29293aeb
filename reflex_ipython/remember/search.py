"""Finding repairs by words, newest first, in a history of any length.

An index of words has to put together all rows that have a word before it gives the first: for a word that every row
has, that takes longer than anybody waits. So the newest rows are looked at first, which finds what is frequent. Only
for what is rare the index is asked, and only for the rarest words: whether the others are there as well, the rows that
it names say themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reflex_ipython.models import RepairFilter
from reflex_ipython.remember import schema
from reflex_ipython.remember.in_memory import words

LOOKED_AT, AT_MOST = 1_000, 5_000
"""Rows: so many are looked at first, and so many where it is known by then that they will do."""
WALKED = 50_000
"""Rows whose numbers alone are held against what the index says."""
_APART = 8
"""So many words are told apart; the shortest of more are taken together."""
_AS_RARE = 20
"""A word that is so many times as frequent as the rarest is looked up in the rows, not in the index."""


class Executes(Protocol):
    """A connection inside a transaction. Parameters are named, `:name`."""

    def execute(self, statement: str, parameters: dict[str, Any] = ...) -> Any:
        """Run one statement; gives its rows."""


@dataclass(frozen=True)
class TextSearch:
    """How a database finds the rows that have words, each at a word's beginning.

    Parameters
    ----------
    said : str
        The condition that a row says so itself, on a row of `repairs`: with a parameter's name for `{}`.
    saying : callable
        Makes that parameter of the words.
    indexed : str
        The condition that the index of words says so, with its parameter `:indexed`. Empty: there is no index.
    asking : callable
        Makes that parameter.
    walked : str
        A statement that goes along the `:walked` newest rows and gives the numbers of those that the index names, the
        newest first, `:count` at most; with another condition for `{}`. Empty: the database finds that way by itself.
    named : str
        A statement that gives the numbers of the rows that the index names, `:most` at most, in no order. Empty: that
        the rows of a rare word are few, the database knows by itself.
    """

    said: str
    saying: Callable[[Sequence[str]], str]
    indexed: str
    asking: Callable[[Sequence[str]], str]
    walked: str = ""
    named: str = ""

    def condition(self, wanted: Sequence[str], others: Sequence[str] = ()) -> tuple[str, dict[str, Any]]:
        """The condition on each row that has all of them, and its parameters; `others`: which the row is asked for."""
        if not self.indexed:
            wanted, others = (), (*wanted, *others)
        found = [self.indexed] if wanted else []
        parameters = {"indexed": self.asking(wanted)} if wanted else {}
        if others:
            found.append(self.said.format(":others"))
            parameters["others"] = self.saying(others)
        return " AND ".join(found), parameters


def found(connection: Executes, which: RepairFilter, count: int, search: TextSearch) -> Iterator[int]:
    """The numbers of the latest rows that are meant, newest first.

    Parameters
    ----------
    connection : Executes
    which : RepairFilter
        With a word in its text.
    count : int
        The maximum number.
    search : TextSearch
    """
    given = set[int]()
    for seq in _found(connection, which, count, search, given):
        if seq not in given:
            given.add(seq)
            yield seq
            if len(given) == count:
                return


def _found(connection: Executes, which: RepairFilter, count: int, search: TextSearch, given: set[int]) -> Iterator[int]:
    """The same, some of them several times; `given`: those that were taken by now."""
    parts = _apart(words(which.text))
    conditions, parameters = schema.conditions(which)
    parameters["count"] = count
    flags = ", ".join(search.said.format(f":part{number}") for number in range(len(parts)))
    said = {f"part{number}": search.saying(part) for number, part in enumerate(parts)}
    frequent = [0] * len(parts)
    for most in (LOOKED_AT, AT_MOST):
        looked = 0
        statement = f"{schema.rows(conditions, f'seq, {flags}')} LIMIT :most"
        for seq, *has in connection.execute(statement, {**parameters, **said, "most": most}):
            looked += 1
            frequent = [before + bool(one) for before, one in zip(frequent, has)]
            if all(has):
                yield seq
        if looked < most:
            return  # these were all
        if most == AT_MOST or not (_will_do(len(given), count) or _are_few(connection, conditions, parameters)):
            break
    limit = _AS_RARE * max(min(frequent), 1)
    rare = [word for part, times in zip(parts, frequent) if times <= limit for word in part]
    others = [word for part, times in zip(parts, frequent) if times > limit for word in part]
    if search.walked and not conditions:
        asked = {"indexed": search.asking(rare), "others": search.saying(others), "walked": WALKED, "count": count}
        for [seq] in connection.execute(search.walked.format(search.said.format(":others") if others else "1"), asked):
            yield seq
    condition, more = search.condition(rare, others)
    if search.named:
        asked = {"indexed": search.asking(rare), "most": AT_MOST}
        named = [seq for [seq] in connection.execute(search.named, asked)]
        if len(named) < AT_MOST:
            condition, more = search.condition((), others) if others else ("TRUE", {})
            condition, more = f"seq = ANY(:named) AND {condition}", {**more, "named": named}
    statement = f"{schema.rows(schema.also(conditions, condition))} LIMIT :count"
    for [seq] in connection.execute(statement, {**parameters, **more}):
        yield seq


def _apart(wanted: Sequence[str]) -> list[list[str]]:
    longest_first = sorted(dict.fromkeys(wanted), key=len, reverse=True)
    parts = [[word] for word in longest_first[: _APART - 1]]
    rest = longest_first[_APART - 1 :]
    return [*parts, rest] if rest else parts


def _will_do(found: int, count: int) -> bool:
    """Whether more rows have enough, if they are as those that were looked at."""
    return found * AT_MOST >= 2 * count * LOOKED_AT


def _are_few(connection: Executes, conditions: str, parameters: dict[str, Any]) -> bool:
    """Whether more rows are all of them."""
    if not conditions:
        return False
    statement = f"SELECT count(*) FROM (SELECT 1 FROM repairs {conditions} LIMIT :most) AS few"
    [[rows]] = connection.execute(statement, {**parameters, "most": AT_MOST})
    return int(rows) < AT_MOST
