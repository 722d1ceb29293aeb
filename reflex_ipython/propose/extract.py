"""The new cells and the reason, out of whatever a model wrote. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from reflex_ipython.base.parsing import parse
from reflex_ipython.models import CellSource
from reflex_ipython.propose.assign import assigned
from reflex_ipython.propose.blocks import Block, blocks
from reflex_ipython.propose.candidates import candidates as shapes
from reflex_ipython.propose.candidates import likeness, own_part
from reflex_ipython.propose.comments import keep_comments
from reflex_ipython.propose.excerpt import is_excerpt, spliced
from reflex_ipython.propose.magics import keep_magics, parses, without_header
from reflex_ipython.propose.plain import plain

NO_REASON = "The model gave no reason."
_LONGEST_REASON = 300
_WEB_PAGE = re.compile(r"\A\s*<(!doctype|html|head|body)\b", re.IGNORECASE)
_MARKUP = re.compile(
    r"^\s*(?:[#>*-]+\s+|\d+[.)]\s+)?(?:(\*\*|__)?(reason|explanation|fix|answer|why)(\*\*|__)?:(\*\*|__)?\s*)?",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(r"(?:(?<=^)|(?<=[.!?]\s))[^.!?]*:$")


@dataclass(frozen=True)
class Answer:
    """The complete new cells, and why.

    Parameters
    ----------
    sources : tuple of str
        A text for each of the cells that might change; those that need not are as they were.
    reason : str
    """

    sources: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Unusable:
    """Why there is no fix in a reply.

    Parameters
    ----------
    problem : str
        As a sentence.
    repeats : bool
        Whether the model said what was said before.
    again : bool
        Whether another answer of the same model may be better.
    came : str
        What came of it before, in a sentence, where it is not that it fails.
    """

    problem: str
    repeats: bool = False
    again: bool = True
    came: str = ""


def extract(
    reply: str, cells: Sequence[CellSource], *, shown: Sequence[CellSource] = (), complete: bool = True
) -> Answer | Unusable:
    """Find the new cells in a model's reply.

    Parameters
    ----------
    reply : str
        All that the model wrote.
    cells : sequence of CellSource
        The cells that likely need a change: the one that failed comes last.
    shown : sequence of CellSource
        Other cells that the question showed: each changes if a block is named for it.
    complete : bool
        Whether the reply ended as it should. If not, code counts only if its block was closed.

    Returns
    -------
    Answer or Unusable
        With a text for each of the shown cells, then for each of the others.
    """
    text = plain(reply)
    if not text.strip():
        return Unusable("The model sent an empty answer.")
    if _WEB_PAGE.match(text):
        return Unusable("The server sent a web page, not a model's answer: is Reflex.base_url right?", again=False)
    fenced = blocks(text)
    usable = [block for block in fenced if (block.closed or complete) and block.text.strip()]
    if not fenced and complete:
        usable = [Block(text, "", closed=False, start=0, end=0)]
    every, meant = (*shown, *cells), assigned(usable, text, cells, shown)
    whole = text if fenced and sum(map(bool, meant.blocks)) == 1 else ""
    found = []
    for own, cell in zip(meant.blocks, every):
        new = shapes(own, cell.source, whole, fenced=bool(fenced), earlier=cell is not every[-1])
        found.append(_new_source([own_part(one, cell, every) for one in new], cell))
    if any(isinstance(one, str) for one in found):
        sources = tuple(one if isinstance(one, str) else cell.source for one, cell in zip(found, every))
        return Answer(sources, _reason(text, fenced) if fenced else NO_REASON)
    if meant.unknown:
        names = " and ".join(f"In [{number}]" for number in meant.unknown)
        return Unusable(f"The model's answer is for {names}, which is none of the cells that it may change.")
    cut = not complete or any(not block.closed for block in fenced)
    no_code = Unusable("The model's answer was cut off." if cut else "The model answered with no code for this cell.")
    return next((one for one in reversed(found) if isinstance(one, Unusable)), no_code)


def _new_source(candidates: Sequence[str], cell: CellSource) -> str | Unusable | None:
    """The best of the candidates for one cell, complete; None where there is none."""
    if not candidates:
        return None
    old = cell.source
    candidates = [without_header(one, old) for one in candidates]
    source = _whole(max(candidates, key=lambda candidate: _merit(candidate, old)), old)
    if source is None:
        return Unusable("The model answered with only a part of the cell.")
    source = _framed_alike(keep_comments(old, keep_magics(old, source)), old)
    return Unusable("The model answered with the same cell.", repeats=True) if is_same(source, old) else source


def alternatives(reply: str, cell: CellSource) -> list[Answer]:
    """What each block of a reply would make of a cell, where they are several things that may be meant.

    Parameters
    ----------
    reply : str
        All that the model wrote.
    cell : CellSource
        The one that failed.

    Returns
    -------
    list of Answer
        Each different, and with the words in front of its block.
    """
    text, found = plain(reply), dict[str, Answer]()
    fenced = [block for block in blocks(text) if block.closed and block.text.strip()]
    for number, block in enumerate(fenced):
        own = assigned([block], text, [cell]).blocks[0]
        source = _new_source(list(shapes(own, cell.source, "", fenced=True, earlier=False)), cell)
        if isinstance(source, str) and parses(source):
            before = text.split("\n")[fenced[number - 1].end + 1 if number else 0 : block.start]
            found.setdefault(source, Answer((source,), prose("\n".join(before)) or NO_REASON))
    return list(found.values())


def _merit(cell: str, failing: str) -> tuple[bool, bool, float]:
    """What makes a candidate the answer rather than a quotation of the old cell, a side remark or a shell command."""
    return _bare(cell) != _bare(failing), parses(cell), likeness(cell, failing)


def _whole(cell: str, failing: str) -> str | None:
    """The cell; put in its place, if it is an excerpt with one clear place."""
    return spliced(cell, failing) if is_excerpt(cell, failing) else cell


def _framed_alike(source: str, failing: str) -> str:
    """The source with as many empty lines before and after it as the cell has."""
    before, after = failing[: len(failing) - len(failing.lstrip("\n"))], failing[len(failing.rstrip("\n")) :]
    return before + source.strip("\n") + after


def is_same(one: str, other: str) -> bool:
    """Whether two cells are the same but for comments and blanks; as text, where they are not plain Python."""
    trees = parse(one), parse(other)
    if trees[0] is None or trees[1] is None:
        return _code(one) == _code(other)
    return _meaning(trees[0]) == _meaning(trees[1])


def _meaning(tree: ast.Module) -> list[str]:
    """Its statements but for texts that nobody uses: those are comments. The last one is what the cell shows."""
    said = [each for each in tree.body[:-1] if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
    return [ast.dump(each) for each in tree.body if each not in said]


def _code(source: str) -> list[str]:
    """The lines without comments; all of them, where there is nothing else."""
    return [line for line in _bare(source) if line.strip() and not line.lstrip().startswith("#")] or _bare(source)


def _bare(source: str) -> list[str]:
    return [line.rstrip() for line in source.strip("\n").rstrip().split("\n")]


def _reason(text: str, fenced: Sequence[Block]) -> str:
    """The prose before the first block, else the prose after the last."""
    lines = text.split("\n")
    before, after = "\n".join(lines[: fenced[0].start]), "\n".join(lines[fenced[-1].end + 1 :])
    return next((words for words in map(prose, (before, after)) if words), NO_REASON)


def prose(text: str) -> str:
    """The first paragraph that says something, in one line, without "Here is the corrected cell:"."""
    for paragraph in re.split(r"\n\s*\n", text):
        words = " ".join(_MARKUP.sub("", paragraph).split())
        words = _LEAD_IN.sub("", words).strip()
        heading = paragraph.lstrip().startswith("#") and "\n" not in paragraph.strip()
        if any(map(str.isalpha, words)) and not heading:
            return words if len(words) <= _LONGEST_REASON else f"{words[:_LONGEST_REASON].rpartition(' ')[0]} …"
    return ""
