"""Brackets: not closed, closed by another kind, or closed once too often.

Where a bracket should have been closed is certain only if no other place would do: `len(x > 3` may be `len(x) > 3`.
"""

from __future__ import annotations

import builtins
import itertools
import re
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.candidate import (
    CLOSERS,
    HEADERS,
    Candidate,
    candidate,
    ends_operand,
    problem_line,
    same_program,
    starts_operand,
)
from reflex_ipython.propose.rules.well_known import WELL_KNOWN

_NEVER_CLOSED = re.compile(r"'([(\[{])' was never closed")
_MISMATCH = re.compile(r"closing parenthesis '([)\]}])' does not match opening parenthesis '([(\[{])'")
_UNMATCHED = re.compile(r"(?:f-string: )?unmatched '([)\]}])'")
_BINARY = frozenset({"and", "or", "in", "is", "if"}) | frozenset(
    ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "<<", ">>")
)
_FUNCTIONS = tuple(name for name in dir(builtins) if name.islower() and not name.startswith("_"))
_MOST_LINES = 20  # behind the opening bracket
_MOST_PLACES = 40  # in one line


def unclosed(cell: Cell) -> Iterator[Candidate]:
    """What is still open is closed at the end of a line: the one line where that makes sense."""
    assert cell.problem is not None
    if not (_NEVER_CLOSED.match(cell.problem.message) or _stops_at_colon(cell)):
        return
    stack: list[Token] = []
    first = cell.lineno(cell.problem.position)
    code = [token for token in cell.tokens if token.kind not in ("newline", "comment")]
    for index, token in enumerate(code):
        if token.kind == "open":
            stack.append(token)
        elif token.kind == "close" and stack:
            stack.pop()
        row = cell.lineno(token.end - 1)
        if row > first + _MOST_LINES:
            return
        following = code[index + 1] if index + 1 < len(code) else None
        ends_line = following is None or cell.lineno(following.start) > row
        if ends_line and row >= first and stack and stack[0].start <= cell.problem.position:
            yield from _closed_behind(cell, code[: index + 1], stack)
            if following is None or _never_meet(token, following):
                return  # still open further on, it would not parse


def _never_meet(left: Token, right: Token) -> bool:
    """Whether two values would stand side by side inside brackets, which only strings may."""
    texts = left.kind == "string" and right.kind == "string"
    return ends_operand(left) and starts_operand(right) and right.text != "not" and not texts


def _stops_at_colon(cell: Cell) -> bool:
    """Whether the parser stopped at a header's colon, `for i in range(10:`, saying just "invalid syntax"."""
    assert cell.problem is not None
    line = [token for token in problem_line(cell) if token.start <= cell.problem.position]
    return bool(line) and line[0].text in HEADERS and line[-1].text == ":" and line[-1].depth > 0


def mismatched(cell: Cell) -> Iterator[Candidate]:
    """`foo(a[0)`: the missing `]` before the `)`; `[1, 2)`: `]` instead of `)`."""
    assert cell.problem is not None
    match = _MISMATCH.match(cell.problem.message)
    wrong = next(
        (token for token in cell.tokens if token.kind == "close" and token.start >= cell.problem.position), None
    )
    if match is None or wrong is None or wrong.text != match.group(1):
        return
    before = [token for token in cell.tokens if token.end <= wrong.start and token.kind not in ("newline", "comment")]
    opener = _open_at_end(before)
    if not opener:
        return
    closer = CLOSERS[match.group(2)]
    why = f"`{opener[-1].text}` is closed by `{closer}`."
    other_kind = candidate(cell, [SpanEdit(wrong.start, wrong.end, closer)], why, "mismatched bracket")
    problem = read(other_kind.source).problem
    if problem is None or not any(kind.match(problem.message) for kind in (_UNMATCHED, _MISMATCH, _NEVER_CLOSED)):
        yield other_kind
    missing = candidate(cell, [SpanEdit(before[-1].end, before[-1].end, closer)], why, "missing bracket")
    if not _other_place(cell, before, opener[-1], missing, commas=not _is_plain_list(before, opener[-1])):
        yield missing


def unmatched(cell: Cell) -> Iterator[Candidate]:
    """`print(int(x)))`: one less. `len x)`: the bracket that should open it."""
    assert cell.problem is not None
    match = _UNMATCHED.match(cell.problem.message)
    line = problem_line(cell)
    extra = next((token for token in line if token.kind == "close" and token.start >= cell.problem.position), None)
    if match is None or extra is None:
        return
    before = [token for token in line if token.end <= extra.start]
    after = [token for token in line if token.start >= extra.end]
    closing = not after or (after[0].text == ":" and len(after) == 1)
    if closing and before and before[-1].text == extra.text:
        less = candidate(
            cell, [SpanEdit(extra.start, extra.end, "")], f"`{extra.text}` closes nothing.", "extra bracket"
        )
        if not _may_be_unopened(cell, before, extra, less):
            yield less
    pairs = [
        (a, b)
        for a, b in itertools.pairwise(before)
        if a.kind == "name" and ends_operand(a) and starts_operand(b) and _apart(a, b)
    ]
    if extra.text == ")" and len(pairs) == 1:
        name, operand = pairs[0]
        edit = SpanEdit(name.end, operand.start, "(")
        yield candidate(cell, [edit], f"`{name.text}` is called with brackets.", "missing bracket")


def _closed_behind(cell: Cell, before: list[Token], stack: list[Token]) -> Iterator[Candidate]:
    """Close everything that is open behind the last of the tokens; before the colon of a header."""
    last = before[-1]
    if last.text == ":" and _logical_line(cell, stack[0])[0].text in HEADERS:
        before = before[:-1]
        last = before[-1]
    empty_call = last is stack[-1] and len(before) > 1 and ends_operand(before[-2]) and last.text == "("
    if last.kind not in ("name", "number", "string", "close") and not empty_call:
        return
    closers = "".join(CLOSERS[token.text] for token in reversed(stack))
    names = " and ".join(f"`{token.text}` on line {cell.lineno(token.start)}" for token in stack)
    why = f"{names} {'were' if len(stack) > 1 else 'was'} never closed."
    option = candidate(cell, [SpanEdit(last.end, last.end, closers)], why, "missing bracket")
    if len(stack) == 1:
        unsure = _other_place(cell, before, stack[0], option, commas=_groups(before, stack[0]))
    else:
        outer = [] if _only_acts(cell, stack[0]) else stack[:1]
        unsure = any(_has(before, opener, _BINARY | {","}) for opener in stack[1:])
        unsure = unsure or any(_has(before, opener, _BINARY) for opener in outer)
    if not unsure:
        yield option


def _other_place(cell: Cell, before: Sequence[Token], opener: Token, option: Candidate, *, commas: bool) -> bool:
    """Whether the bracket could as well be closed somewhere inside, and would then make another program."""
    closer = CLOSERS[opener.text]
    acts = _only_acts(cell, opener)
    places = [
        left.end
        for index, (left, right) in enumerate(itertools.pairwise(before))
        if left.start >= opener.start
        and not (acts and right.depth == opener.depth + 1)
        and (left is opener or ends_operand(left))
        and _breaks(cell, before, index + 1, opener, commas=commas)
    ]
    return any(_is_other_program(apply(cell.source, [SpanEdit(place, place, closer)]), option) for place in places)


def _breaks(cell: Cell, before: Sequence[Token], index: int, opener: Token, *, commas: bool) -> bool:
    """Whether a value that is in brackets may end in front of a token."""
    left, token = before[index - 1], before[index]
    following = before[index + 1] if index + 1 < len(before) else None
    outermost = token.depth == opener.depth + 1
    if token.text in _BINARY or (token.text == "=" and opener.text == "["):
        return True
    if token.text == "." and cell.lineno(token.start) > cell.lineno(left.end - 1):
        return True  # a chain of calls, one a row
    if token.text == ".":
        called = following is not None and [other.text for other in before[index + 2 : index + 3]] == ["("]
        return left.kind == "string" or (outermost and called and left.text not in WELL_KNOWN)
    if token.text == "[":
        return left.end == token.start and (outermost or left.kind == "string")
    if token.text == "," and not outermost and _only_acts(cell, opener):
        # A deeper bracket that is closed with others at the end, or that goes on in the next line, may be the one.
        ends_row = following is not None and cell.lineno(following.start) > cell.lineno(token.start)
        return ends_row or [other.kind for other in before[-2:]] == ["close", "close"]
    if token.text == "," and not outermost:
        return _is_in_call(before, index)
    return commas and token.text == ","


def _is_in_call(before: Sequence[Token], index: int) -> bool:
    """Whether the innermost bracket around a token calls something."""
    for place in range(index - 1, 0, -1):
        if before[place].kind == "open" and before[place].depth == before[index].depth - 1:
            return before[place].text == "(" and ends_operand(before[place - 1])
    return False


def _may_be_unopened(cell: Cell, before: Sequence[Token], extra: Token, option: Candidate) -> bool:
    """Whether a bracket that is closed once too often could as well be opened somewhere before, with another sense."""
    if any((token.text == "," and token.depth == 0) or _is_glued(cell, token) for token in before):
        return True
    opener = next(opening for opening, closing in CLOSERS.items() if closing == extra.text)
    call = next((token for token in before if token.kind == "open"), None)
    acts = call is not None and _only_acts(cell, call)
    starts = [token for token in before if token.kind == "open" or starts_operand(token)]
    places = [token.start for token in starts if not (acts and token.depth == 1)]
    if len(before) > 2 and before[-2].kind == "name" and before[-3].text == ".":
        places.append(before[-1].start)  # a method that should have been called: `data.fillna(data.mean))`
    return len(places) > _MOST_PLACES or any(
        _is_other_program(apply(cell.source, [SpanEdit(place, place, opener)]), option) for place in places
    )


def _is_other_program(source: str, option: Candidate) -> bool:
    """Whether the text parses, and is not the same program as the option."""
    return read(source).tree is not None and not same_program(source, option.source)


def _apart(name: Token, operand: Token) -> bool:
    """Whether two tokens are two words, not one that was cut: `len x`, `print"x"`, but not `printf"x"`."""
    return name.end < operand.start or (operand.text[0] in "\"'" and name.text[:-1] not in _FUNCTIONS)


def _is_glued(cell: Cell, token: Token) -> bool:
    """Whether a name is a function's name and another name of the cell in one, as if the bracket between were lost."""
    if token.kind != "name" or hasattr(builtins, token.text):
        return False
    others = {other.text for other in cell.tokens if other.kind == "name"}.union(_FUNCTIONS)
    return any(token.text.startswith(function) and token.text[len(function) :] in others for function in _FUNCTIONS)


def _groups(before: Sequence[Token], opener: Token) -> bool:
    """Whether a round bracket calls nothing and has other brackets in it: where a tuple ends is anybody's guess."""
    index = list(before).index(opener)
    calls = index > 0 and ends_operand(before[index - 1])
    return opener.text == "(" and not calls and any(token.kind == "open" for token in before[index + 1 :])


def _is_plain_list(before: Sequence[Token], opener: Token) -> bool:
    """Whether what follows a bracket is a list of literals of one kind, which nobody would cut in two."""
    inside = [token for token in before if token.start > opener.start]
    kinds = {token.kind for token in inside if token.text not in (",", "-")}
    return len(kinds) == 1 and kinds <= {"string", "number"}


def _has(before: Sequence[Token], opener: Token, texts: frozenset[str]) -> bool:
    return any(
        token.start > opener.start and token.depth == opener.depth + 1 and token.text in texts for token in before
    )


def _open_at_end(tokens: Sequence[Token]) -> list[Token]:
    stack: list[Token] = []
    for token in tokens:
        if token.kind == "open":
            stack.append(token)
        elif token.kind == "close" and stack:
            stack.pop()
    return stack


def _logical_line(cell: Cell, opener: Token) -> list[Token]:
    """The tokens from the start of the logical line up to a bracket, the bracket left out."""
    line: list[Token] = []
    for token in cell.tokens:
        if token.start >= opener.start:
            break
        if token.kind == "newline" and token.depth == 0:
            line = []
        elif token.kind not in ("newline", "comment"):
            line.append(token)
    return line or [opener]


def _only_acts(cell: Cell, opener: Token) -> bool:
    """Whether the bracket opens a call that is made for what it does, `print(` or `plt.plot(`: no sum has its value."""
    statement: list[str] = []
    for token in _logical_line(cell, opener):
        statement = [] if token.text in (":", ";") and token.depth == 0 else [*statement, token.text]
    return opener.text == "(" and (
        statement in (["print"], ["display"]) or statement[:2] in (["plt", "."], ["ax", "."])
    )
