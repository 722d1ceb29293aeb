"""Operators with their characters swapped, or of other languages, and `=` where `==` is meant."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.syntax.candidate import CONDITIONS, Candidate, Logical, candidate, problem_line

# Two tokens that touch: what they should be, and where that is certain.
_PAIRS: dict[tuple[str, str], tuple[str, str]] = {
    ("=", "!"): ("!=", "value"),
    ("=", "<"): ("<=", "value"),
    ("=", ">"): (">=", "test"),
    ("<", ">"): ("!=", "anywhere"),
    ("==", "="): ("==", "anywhere"),
    ("!=", "="): ("!=", "anywhere"),
    ("=", "+="): ("+=", "anywhere"),
    ("=", "-="): ("-=", "anywhere"),
    ("=", "*="): ("*=", "anywhere"),
    ("=", "/="): ("/=", "anywhere"),
    # For arrays and tables `&` would be meant: certain only in a condition.
    ("&", "&"): ("and", "condition"),
    ("|", "|"): ("or", "condition"),
}


def foreign_operators(cell: Cell) -> Iterator[Candidate]:
    """`a =! b`: `a != b`; `if a && !b`: `if a and not b`."""
    line = problem_line(cell)
    edits, names = [], []
    for index, token in enumerate(line):
        following = line[index + 1] if index + 1 < len(line) else None
        right, where = _PAIRS.get((token.text, following.text if following else ""), ("", ""))
        if following and right and following.start == token.end and _fits(line, index, where):
            edits.append(_edit(cell, token.start, following.end, right))
            names.append(right)
        elif token.text == "!" and following and _fits(line, index, "condition") and not _touches(line, index, "="):
            edits.append(SpanEdit(token.start, following.start, "not "))
            names.append("not")
    if edits:
        shown = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
        yield candidate(cell, edits, f"Python writes {shown}.", "operator")


def increment(cell: Cell) -> Iterator[Candidate]:
    """`i++`: `i += 1`."""
    line = problem_line(cell)
    texts = [token.text for token in line if token.text != ";"]
    if (
        len(texts) == 3
        and line[0].kind == "name"
        and texts[1:] in (["+", "+"], ["-", "-"])
        and line[1].end == line[2].start
    ):
        edit = SpanEdit(line[0].end, line[2].end, f" {texts[1]}= 1")
        yield candidate(cell, [edit], f"Python has no `{texts[1] * 2}`; `{texts[1]}= 1` does the same.", "operator")


def assignment_in_condition(cell: Cell) -> Iterator[Candidate]:
    """`if x = 3:`: `if x == 3:`. `while line = read():` may be meant to assign: silence."""
    line = problem_line(cell)
    edits = []
    for index, token in enumerate(line):
        if token.text == "=" and _tests(line, index):
            rest = line[index + 1 :]
            if any(a.kind == "name" and b.text == "(" and a.end == b.start for a, b in itertools.pairwise(rest)):
                return
            edits.append(SpanEdit(token.start, token.end, "=="))
    if edits:
        yield candidate(cell, edits, "`=` gives a value to a name; `==` compares.", "comparison")


def _fits(line: Logical, index: int, where: str) -> bool:
    """Whether an operator's meaning is certain there: in a condition, in a subscript, among printed values."""
    if where == "anywhere":
        return True
    in_condition = line[0].text in CONDITIONS and _opener(line, index) != "["
    if where == "condition" or in_condition:
        return in_condition
    opener = _opener(line, index)
    return opener == "[" or opener == "print" or (where == "value" and opener != "")


def _tests(line: Logical, index: int) -> bool:
    """Whether an `=` stands where only a comparison makes sense."""
    token = line[index]
    if token.depth == 0:
        return line[0].text in CONDITIONS and line[0].text != "return"
    opener = _opener(line, index)
    if not any(other.kind == "close" and other.depth == token.depth for other in line[index:]):
        return False  # the bracket is still open: the `=` may stand behind it
    if opener == "[":
        return True
    return opener in ("(", "if", "elif", "while", "and", "or", "not") and line[0].text in CONDITIONS


def _opener(line: Logical, index: int) -> str:
    """What opened the innermost bracket around a token: the function called, a keyword, or the bracket itself."""
    for place in range(index - 1, -1, -1):
        opener = line[place]
        if opener.kind == "open" and opener.depth == line[index].depth - 1:
            called = opener.text == "(" and place > 0 and line[place - 1].kind == "name"
            return line[place - 1].text if called else opener.text
    return ""


def _touches(line: Logical, index: int, text: str) -> bool:
    """Whether the token before stands right at it and is that text."""
    return 0 < index < len(line) and line[index - 1].text == text and line[index - 1].end == line[index].start


def _edit(cell: Cell, start: int, end: int, text: str) -> SpanEdit:
    if not text.isalpha():
        return SpanEdit(start, end, text)
    left = "" if cell.source[start - 1 : start].isspace() else " "
    right = "" if cell.source[end : end + 1].isspace() else " "
    return SpanEdit(start, end, f"{left}{text}{right}")
