"""Indentation, and statements that go on in the next line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import HEADERS, Candidate

_GOES_ON = re.compile(r"\s*(?:\.[A-Za-z_]\w*|[-+*/%&|@]\s|\*\*|and\b|or\b|==|<|>|if\b.*\belse\b)")
_OPEN_END = frozenset(
    {"+", "-", "*", "/", "//", "%", "**", "and", "or", "&", "|", "==", ",", "not", "in", "=", "<", ">"}
)
_CONTINUES = ("else", "elif", "except", "finally")
_LEAVES = ("return", "raise", "break", "continue")


def chained(broken: Broken) -> Iterator[Candidate]:
    """A chain of calls or a sum over several lines: brackets around it."""
    lines = broken.cell.logical_lines
    for place in range(len(lines) - 1):
        if not _is_cut(broken, lines[place], lines[place + 1]):
            continue
        last = place + 1
        while last + 1 < len(lines) and _is_cut(broken, lines[last], lines[last + 1]):
            last += 1
        tokens = [token for line in lines[place : last + 1] for token in line]
        if not any(line[0].start >= broken.problem.position - 1 for line in lines[place : last + 1]) and (
            broken.problem.position > tokens[-1].end
        ):
            continue
        header = tokens[0].text in HEADERS | {"assert"} and tokens[-1].text == ":"
        first = next((i for i, token in enumerate(tokens) if token.text == "=" and token.depth == 0), -1) + 1
        if tokens[0].text in HEADERS | {"return", "assert"}:
            first = 1
        if first >= len(tokens):
            continue
        end = tokens[-2].end if header else tokens[-1].end
        why = "A statement goes on in the next line only inside brackets."
        edits = [SpanEdit(tokens[first].start, tokens[first].start, "("), SpanEdit(end, end, ")")]
        yield broken.guess(edits, 0.95, why, "statement in several lines")
        return


def moved_lines(broken: Broken) -> Iterator[Candidate]:
    """A line that is indented for no reason, or like no block above: every level where it may belong."""
    problem = broken.problem
    expected = problem.message.startswith("expected an indented block")
    if not expected and not problem.message.startswith(("unexpected indent", "unindent does not match")):
        if broken.texts[:1] and broken.texts[0] in _CONTINUES:
            yield from _aligned(broken, broken.cell.lineno(broken.line[0].start))
        return
    if expected:
        yield from _blocks(broken)
        return
    starts = _starts(broken)
    line = problem.lineno
    above = [start for start in starts if start < line]
    if not above:
        if problem.message.startswith("unexpected indent"):
            yield from _shifted(broken, line, "", 0.85, "This line is indented for no reason.")
        return
    old = _indent(broken, line)
    levels = list(dict.fromkeys(_indent(broken, start) for start in reversed(above)))
    for place, level in enumerate(levels):
        if level == old:
            continue
        shallower = all(
            len(_indent(broken, start)) >= len(level)
            for start in above[above.index(max(s for s in above if _indent(broken, s) == level)) :]
        )
        if not shallower:
            continue
        near = abs(len(level) - len(old))
        leaves = level == _indent(broken, above[-1]) and broken.cell.line(above[-1]).split()[0] in _LEAVES
        prior = (0.65 if near <= 2 else 0.5) * 0.8**place * (0.3 if leaves else 1)
        like = max(start for start in above if _indent(broken, start) == level)
        why = f"Line {line} is indented as no block above it is; now it is like line {like}."
        yield from _shifted(broken, line, level, prior, why)
    if problem.message.startswith("unexpected indent"):
        why = f"Line {above[-1]} is indented as line {line} is."
        yield from _shifted(broken, above[-1], old, 0.45, why, alone=True)


def mixed_tabs(broken: Broken) -> Iterator[Candidate]:
    """Tabs and spaces: tabs as four spaces, or as eight."""
    if not broken.message.startswith("inconsistent use of tabs"):
        return
    for width, prior in ((4, 0.6), (8, 0.4)):
        edits = []
        for line in _starts(broken):
            indent, start = _indent(broken, line), broken.cell.starts[line - 1]
            edits.append(SpanEdit(start, start + len(indent), indent.expandtabs(width)))
        why = f"Tabs and spaces are mixed; a tab is {width} spaces here."
        yield broken.guess(edits, prior, why, "tabs and spaces")


def _blocks(broken: Broken) -> Iterator[Candidate]:
    """What belongs to a header that has no block: one line, several, or nothing yet."""
    starts = _starts(broken)
    match = re.search(r"on line (\d+)", broken.message)
    header = int(match.group(1)) if match else 0
    header = max((start for start in starts if start < broken.problem.lineno or start == header), default=header)
    below = [start for start in starts if start > header]
    level = _indent(broken, header)
    unit = next((_indent(broken, s)[: len(_indent(broken, s))] for s in starts if _indent(broken, s)), "    ")
    unit = unit if unit.strip(" ") == "" and len(unit) <= 8 else "\t" if unit.startswith("\t") else "    "
    end = max(
        (
            token.end
            for token in broken.cell.tokens
            if broken.cell.lineno(token.start) == header and token.kind != "newline"
        ),
        default=0,
    )
    name = broken.cell.line(header).split()[0].rstrip(":")
    nothing = not below or len(_indent(broken, below[0])) < len(level)
    new = bool(below) and broken.cell.line(below[0]).split()[0].rstrip(":") in (*_CONTINUES, "def", "class", "@")
    comments = bool(below) and any(
        broken.cell.line(row).lstrip().startswith("#")
        and len(broken.cell.line(row)) - len(broken.cell.line(row).lstrip()) > len(level)
        for row in range(header + 1, below[0])
    )
    last = below[0] - 1 if below and comments else len(broken.cell.starts) if not below else header
    place = broken.cell.starts[last] - 1 if last < len(broken.cell.starts) and last > header else end
    if not below and last > header:
        place = len(broken.source.rstrip())
    apart = bool(below) and not broken.cell.line(header + 1).strip()
    new = new and not (name == "class" and broken.cell.line(below[0]).split()[0] == "def")
    edit = SpanEdit(place, place, f"{broken.cell.newline}{level}{unit}pass")
    why = f"The block of `{name}` on line {header} is empty, which Python writes as `pass`."
    yield broken.guess(
        [edit], 0.93 if nothing or comments else 0.85 if new else 0.6 if apart else 0.3, why, "empty block"
    )
    if nothing or _indent(broken, below[0]) != level:
        return
    rows: list[int] = []
    for index, start in enumerate(below):
        if len(_indent(broken, start)) < len(level) or (
            _indent(broken, start) == level
            and broken.cell.line(start).split()[0].rstrip(":") in _CONTINUES
            and rows
            and not _opens_inside(broken, rows)
        ):
            break
        gap = index > 0 and any(not broken.cell.line(row).strip() for row in range(below[index - 1] + 1, start))
        if gap and _indent(broken, start) == level:
            break
        rows.append(start)
        following = below[index + 1] if index + 1 < len(below) else None
        if following is None or _indent(broken, following) == level:
            everything = following is None or any(
                not broken.cell.line(row).strip() for row in range(start + 1, following)
            )
            prior = 0.65 if everything else 0.45 if len(rows) == 1 else 0.3
            if name in ("def", "class", "async") and everything:
                prior = 0.8
            if (
                broken.cell.line(start).split()[0] in _LEAVES
                and name in ("def", "async")
                and len(_indent(broken, start)) == len(level)
            ):
                prior = 0.9
            prior *= 0.5 if apart or new else 1
            shown = f"line {rows[0]}" if len(rows) == 1 else f"lines {rows[0]} to {rows[-1]}"
            why = f"`{name}` on line {header} needs an indented block: {shown}."
            upto = (following or len(broken.cell.starts) + 1) - 1
            edits = [
                SpanEdit(broken.cell.starts[row - 1], broken.cell.starts[row - 1], unit)
                for row in range(rows[0], upto + 1)
                if broken.cell.line(row).strip()
            ]
            if not _touches_text(broken, edits):
                yield broken.guess(edits, prior, why, "indentation")
        if len(rows) > 30:
            break


def _aligned(broken: Broken, line: int) -> Iterator[Candidate]:
    """`else:` at a level where no `if` is: every level where one is."""
    word = broken.texts[0]
    wanted = {"else": ("if", "elif", "for", "while", "try", "except"), "elif": ("if", "elif")}.get(
        word, ("try", "except")
    )
    above = [start for start in _starts(broken) if start < line]
    old = _indent(broken, line)
    levels: list[str] = []
    for start in reversed(above):
        if broken.cell.line(start).split()[0].rstrip(":") in wanted and _indent(broken, start) not in [*levels, old]:
            levels.append(_indent(broken, start))
    for place, level in enumerate(levels):
        why = f"`{word}` stands under the `{wanted[0]}` that it belongs to."
        yield from _shifted(broken, line, level, 0.8 * 0.7**place, why)
    # What is between the header and `else` may be what stands too far to the left.
    if above and levels == [] and len(above) > 1:
        body = [start for start in above if _indent(broken, start) == old]
        heads = [start for start in body if broken.cell.line(start).split()[0].rstrip(":") in wanted]
        if heads:
            rows = [start for start in body if start > heads[-1]]
            unit = "    "
            edits = [SpanEdit(broken.cell.starts[row - 1], broken.cell.starts[row - 1], unit) for row in rows]
            if edits:
                why = f"What stands between `{wanted[0]}` and `{word}` belongs to the block."
                yield broken.guess(edits, 0.85, why, "indentation")


def _shifted(
    broken: Broken, line: int, wanted: str, prior: float, why: str, *, alone: bool = False
) -> Iterator[Candidate]:
    """A line, or with those behind it that are at least as deep, moved to another level."""
    old = _indent(broken, line)
    edits: list[SpanEdit] = []
    for row in range(line, line + 1 if alone else len(broken.cell.starts) + 1):
        text = broken.cell.line(row)
        if text.strip():
            if not text.startswith(old) and row > line:
                break
            start = broken.cell.starts[row - 1]
            edits.append(SpanEdit(start, start + len(old), wanted))
    if edits and not _touches_text(broken, edits):
        single = not alone and len(edits) > 1 and read(apply(broken.source, edits[:1])).problem is None
        if single:
            yield broken.guess(edits[:1], prior, why, "indentation")
        yield broken.guess(edits, prior * (0.9 if single else 1), why, "indentation")


def _is_cut(broken: Broken, line: Sequence[Token], following: Sequence[Token]) -> bool:
    """Whether a line goes on in the next one, without brackets around them."""
    row = broken.cell.line(broken.cell.lineno(following[0].start))
    if line[-1].text in _OPEN_END and line[-1].text not in (",", "=") and len(line) > 1:
        return True
    starts = _GOES_ON.match(row) is not None
    deeper = len(broken.indent(following)) > len(broken.indent(line))
    return starts and (deeper or row.lstrip()[0] == ".") and line[-1].text != ":"


def _opens_inside(broken: Broken, rows: list[int]) -> bool:
    """Whether one of the lines starts a block that an `else` may belong to."""
    return any(broken.cell.line(row).split()[0].rstrip(":") in ("if", "for", "while", "try") for row in rows)


def _starts(broken: Broken) -> list[int]:
    return [broken.cell.lineno(line[0].start) for line in broken.cell.logical_lines]


def _indent(broken: Broken, line: int) -> str:
    text = broken.cell.line(line)
    return text[: len(text) - len(text.lstrip())]


def _touches_text(broken: Broken, edits: Sequence[SpanEdit]) -> bool:
    """Whether an edit would change a text of several lines."""
    strings = [token for token in broken.cell.tokens if token.kind in ("string", "broken") and "\n" in token.text]
    return any(string.start < edit.start < string.end for string in strings for edit in edits)
