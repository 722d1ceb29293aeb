"""Statements of Python 2."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.candidate import Candidate, Logical, candidate, starts_operand

_STATEMENTS = ("print", "exec")


def print_statements(cell: Cell) -> Iterator[Candidate]:
    """`print x`: `print(x)`, everywhere in the cell; `exec` likewise."""
    edits: list[SpanEdit] = []
    names = []
    for line in cell.logical_lines:
        for statement in _simple_statements(line):
            if _is_old(statement):
                edits += _called(statement)
                names.append(statement[0].text)
    if edits:
        names = list(dict.fromkeys(names))
        both = " and ".join(f"`{name}`" for name in names)
        why = f"{both} {'are functions' if len(names) > 1 else 'is a function'} in Python 3, called with brackets."
        yield candidate(cell, edits, why, "statement of Python 2")


def except_comma(cell: Cell) -> Iterator[Candidate]:
    """`except ValueError, error:`: `except ValueError as error:`."""
    edits = []
    for line in cell.logical_lines:
        texts = [token.text for token in line]
        comma = texts.index(",") if texts[0] == "except" and "," in texts else 0
        if comma and line[comma].depth == 0 and texts[comma + 2 : comma + 3] == [":"] and texts[comma + 1].islower():
            edits.append(SpanEdit(line[comma].start, line[comma + 1].start, " as "))
    if edits:
        yield candidate(cell, edits, "Python 3 names a caught exception with `as`.", "statement of Python 2")


def raise_comma(cell: Cell) -> Iterator[Candidate]:
    """`raise ValueError, "text"`: `raise ValueError("text")`."""
    edits = []
    for line in cell.logical_lines:
        for statement in _simple_statements(line):
            commas = [token for token in statement if token.text == "," and token.depth == statement[0].depth]
            if statement[0].text == "raise" and len(commas) == 1 and len(statement) > 3 and statement[2] is commas[0]:
                edits += [
                    SpanEdit(commas[0].start, statement[3].start, "("),
                    SpanEdit(statement[-1].end, statement[-1].end, ")"),
                ]
    if edits:
        yield candidate(
            cell, edits, "In Python 3, the message of an exception goes in brackets.", "statement of Python 2"
        )


def _simple_statements(line: Logical) -> Iterator[list[Token]]:
    """The statements of a logical line: between semicolons, and behind the colon of a header."""
    statement: list[Token] = []
    for token in line:
        if token.depth == 0 and token.text in (";", ":"):
            if statement:
                yield statement
            statement = []
        else:
            statement.append(token)
    if statement:
        yield statement


def _is_old(statement: list[Token]) -> bool:
    if statement[0].text not in _STATEMENTS or len(statement) < 2:
        return False
    second = statement[1]
    if second.text in ("in", "if", "is", "and", "or", "for"):
        return False
    return starts_operand(second) or second.text in ("[", "{", ">>", "-", "~")


def _called(statement: list[Token]) -> list[SpanEdit]:
    """The edits that put brackets around what is printed."""
    word, first, last = statement[0], statement[1], statement[-1]
    ending = ")"
    within = next((token for token in statement if token.text == "in" and token.depth == word.depth), None)
    if word.text == "exec" and within is not None:
        before = max(token.end for token in statement if token.end <= within.start)
        return [
            SpanEdit(word.end, first.start, "("),
            SpanEdit(before, within.end, ","),
            SpanEdit(last.end, last.end, ")"),
        ]
    if last.text == "," and word.text == "print":
        return [SpanEdit(word.end, first.start, "("), SpanEdit(last.start, last.end, ', end=" ")')]
    if first.text == ">>":
        comma = next((token for token in statement if token.text == "," and token.depth == word.depth), None)
        if comma is None or comma is last:
            return []
        target = statement[2 : statement.index(comma)]
        if len(target) != 1 and target[1].text != ".":
            return []
        name = "".join(token.text for token in target)
        ending = f", file={name})"
        first = statement[statement.index(comma) + 1]
    return [SpanEdit(word.end, first.start, "("), SpanEdit(last.end, last.end, ending)]
