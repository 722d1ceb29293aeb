"""Lists, dicts and calls over several lines whose bracket is not closed, and the number of digits of a `round`."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.bracket_places import unclosed
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import CLOSERS, HEADERS, Candidate


def unclosed_display(broken: Broken) -> Iterator[Candidate]:
    """`config = {` with a member a line: its bracket on a line of its own, in front of the next statement."""
    opener = _opener(broken)
    if opener is None:
        return
    cell, row = broken.cell, broken.cell.lineno(opener.start)
    if cell.line(row)[opener.end - cell.starts[row - 1] :].split("#")[0].strip():
        return
    level = len(cell.line(row)) - len(cell.line(row).lstrip())
    last = row
    for number in range(row + 1, len(cell.starts) + 1):
        line = cell.line(number)
        if not line.strip():
            continue
        if len(line) - len(line.lstrip()) <= level:
            break
        last = number
    end = cell.starts[last - 1] + len(cell.line(last))
    if last > row:
        closer = CLOSERS[opener.text]
        why = f"`{opener.text}` on line {row} was never closed; `{closer}` stands behind its last line."
        text = f"{cell.newline}{cell.line(row)[:level]}{closer}"
        yield broken.guess([SpanEdit(end, end, text)], 0.93, why, "missing bracket")


def digits_of_round(broken: Broken) -> Iterator[Candidate]:
    """`round(sum(prices, 2)`: `round(sum(prices), 2)`."""
    opener = _opener(broken)
    tokens = [token for token in broken.cell.tokens if token.kind not in ("newline", "comment", "magic")]
    place = tokens.index(opener) if opener is not None else 0
    if place < 1 or tokens[place - 1].text != "round":
        return
    for comma, number, close in zip(tokens[place:], tokens[place + 1 :], tokens[place + 2 :]):
        digits = number.kind == "number" and number.text.isdigit()
        if comma.text == "," and digits and close.text == ")" and comma.depth == tokens[place].depth + 2:
            why = f"`round` takes the number of digits, {number.text}; what is rounded is closed in front of it."
            yield broken.guess([SpanEdit(comma.start, comma.start, ")")], 0.93, why, "missing bracket")
            return


def _opener(broken: Broken) -> Token | None:
    """The bracket that was never closed."""
    tokens = [token for token in broken.cell.tokens if token.kind not in ("newline", "comment", "magic")]
    return unclosed(broken, tokens)


def _names(line: list[Token], token: Token | None) -> bool:
    """Whether a token may be the name of an argument."""
    return token is not None and token.kind == "name" and line[line.index(token) - 1].text in ("(", ",")


def keyword_with_colon(broken: Broken) -> Iterator[Candidate]:
    """`sorted(words, reverse: True)`: `sorted(words, reverse=True)`."""
    line, edits = broken.line, []
    if not line or line[0].text in HEADERS | {"lambda"} or "lambda" in broken.texts:
        return
    stack: list[tuple[str, bool]] = []
    for before, token, after in zip([None, *line], line, [*line[1:], None]):
        if token.kind == "open":
            stack.append((token.text, before is not None and (before.kind == "name" or before.kind == "close")))
        elif token.kind == "close" and stack:
            stack.pop()
        elif token.text == ":" and stack[-1:] == [("(", True)] and _names(line, before) and after is not None:
            edits.append(SpanEdit(token.start, after.start, "="))
    if edits:
        why = "In a call, a value gets its name with `=`; `name: value` belongs into a dict."
        yield broken.guess(edits, 0.93, why, "keyword argument")
