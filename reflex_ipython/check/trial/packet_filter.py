"""A filter of system calls as a program of the kernel's classic packet filter.

The calls are put in order of their numbers. Each stretch of them that is held to the same rule is one block, and the
program goes from block to block until it has passed the number; what lies between two blocks is refused.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in the kernel's `struct seccomp_data`


class Condition(Protocol):
    """Something about one argument. A kernel's argument is the lower half of a register, unless it is a pointer."""

    def code(self, otherwise: int) -> list[bytes]:
        """Go on behind these instructions if it holds; skip so many more if not."""


Rule = tuple[tuple[Condition, ...], ...]
"""Allowed if all conditions of one of these hold; an empty rule allows everything."""


@dataclass(frozen=True)
class AnyOf:
    """An argument has one of these values."""

    position: int
    values: tuple[int, ...]

    def code(self, otherwise: int) -> list[bytes]:
        """As in `Condition`."""
        last = len(self.values) - 1
        tests = [_if(_EQUAL, value, last - n, 0 if n < last else otherwise) for n, value in enumerate(self.values)]
        return [_argument(self.position), *tests]


@dataclass(frozen=True)
class Not:
    """An argument has none of these values."""

    position: int
    values: tuple[int, ...]

    def code(self, otherwise: int) -> list[bytes]:
        """As in `Condition`."""
        last = len(self.values) - 1
        tests = [_if(_EQUAL, value, last - n + otherwise, 0) for n, value in enumerate(self.values)]
        return [_argument(self.position), *tests]


@dataclass(frozen=True)
class HasBit:
    """An argument has this bit."""

    position: int
    bit: int

    def code(self, otherwise: int) -> list[bytes]:
        """As in `Condition`."""
        return [_argument(self.position), _if(_ANY_BIT, self.bit, 0, otherwise)]


@dataclass(frozen=True)
class NoBit:
    """An argument has none of these bits."""

    position: int
    bits: int

    def code(self, otherwise: int) -> list[bytes]:
        """As in `Condition`."""
        return [_argument(self.position), _if(_ANY_BIT, self.bits, otherwise, 0)]


@dataclass(frozen=True)
class Null:
    """An argument is a null pointer."""

    position: int

    def code(self, otherwise: int) -> list[bytes]:
        """As in `Condition`."""
        low, high = _argument(self.position), _argument(self.position, high=True)
        return [low, _if(_EQUAL, 0, 0, 2 + otherwise), high, _if(_EQUAL, 0, 0, otherwise)]


@dataclass(frozen=True)
class Answers:
    """What the filter tells the kernel to do: the values of `linux/seccomp.h`."""

    allow: int
    refuse: int
    no_such_call: int
    kill: int


def program(audit: int, rules: Mapping[int, Rule | None], last: int, answers: Answers) -> Iterator[bytes]:
    """The filter, an instruction of eight bytes at a time.

    Parameters
    ----------
    audit : int
        The processor's number in `linux/audit.h`: a call by the conventions of another one ends the process.
    rules : mapping of int to Rule or None
        By the calls' numbers; None: there is no such call. A number that is not in it is refused.
    last : int
        From the next number on, the calls are newer than the rules, and there are none.
    answers : Answers
    """
    yield from (_do(_LOAD, _ARCHITECTURE), _if(_EQUAL, audit, 1, 0), _do(_RETURN, answers.kill), _do(_LOAD, _NUMBER))
    for start, stop, rule in _stretches(rules):
        block = [_if(_AT_LEAST, start, 1, 0), _do(_RETURN, answers.refuse), *_block(rule, answers)]
        yield _if(_AT_LEAST, stop, len(block), 0)
        yield from block
    yield from (_if(_AT_LEAST, last + 1, 1, 0), _do(_RETURN, answers.refuse), _do(_RETURN, answers.no_such_call))


def _stretches(rules: Mapping[int, Rule | None]) -> Iterator[tuple[int, int, Rule | None]]:
    """Numbers in a row with the same rule: the first, the one after the last, the rule."""
    ordered = enumerate(sorted(rules))
    for _, members in groupby(ordered, lambda item: (rules[item[1]], item[1] - item[0])):
        numbers = [number for _, number in members]
        yield numbers[0], numbers[-1] + 1, rules[numbers[0]]


def _block(rule: Rule | None, answers: Answers) -> list[bytes]:
    if rule is None:
        return [_do(_RETURN, answers.no_such_call)]
    if not rule:
        return [_do(_RETURN, answers.allow)]
    alternatives = [part for conditions in rule for part in _alternative(conditions, answers.allow)]
    return [*alternatives, _do(_RETURN, answers.refuse)]


def _alternative(conditions: Iterable[Condition], allow: int) -> list[bytes]:
    """Allow if all conditions hold; else fall out behind it. Built from the end, since jumps lead forward."""
    code = [_do(_RETURN, allow)]
    for condition in reversed(list(conditions)):
        code = condition.code(len(code)) + code
    return code


def _do(code: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, 0, 0, value)


def _if(code: int, value: int, then: int, otherwise: int) -> bytes:
    """Compare; skip so many instructions."""
    return struct.pack("=HBBI", code, then, otherwise, value)


def _argument(position: int, high: bool = False) -> bytes:
    return _do(_LOAD, _ARGUMENTS + 8 * position + (4 if high else 0))
