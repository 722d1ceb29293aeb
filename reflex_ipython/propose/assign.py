"""Which cell a block of an answer is meant for: by the name in its first line, `# In [3]`, else by likeness. Pure."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reflex_ipython.models import CellRef, CellSource
from reflex_ipython.propose.blocks import Block, bare_code

_NUMBER = (
    r"(?:(?:(?:the|new|fixed|corrected|earlier|changed)\s+)*cell\s*:?\s*)?In\s*\[\s*(\d+)\s*\]"
    r"|cell\s*#?\s*\[?\s*(\d+)\s*\]?"
)
_REMARK = r"[\s:*_`]*(?:\([^)]*\))?[\s:*_`]*(?:[,–—:-]\s+[^\n]{0,80})?"
_COMMENT = re.compile(rf"^\s*#+\s*(?:{_NUMBER}){_REMARK}$", re.IGNORECASE)
_PROMPT = re.compile(r"^\s*(?:cell\s+)?In ?\[ ?(\d+) ?\]:?\s*$", re.IGNORECASE)
_HEADING = re.compile(rf"^[\s#*_>`-]*(?:\d+[.)]\s+)?[*_`]*(?:{_NUMBER}){_REMARK}$", re.IGNORECASE)

_FAMILIAR = 50.0
"""Per cent of likeness that a block without a name must have to count, if it is not the only one."""

_CLEAR = 80.0
"""Per cent of likeness from which a block is clearly a cell's, whatever name it goes by."""

Meant = CellSource | int | None
"""The cell that is named; the number of one that nobody knows; None: no name is there."""


@dataclass(frozen=True)
class Assigned:
    """The blocks that are meant for each cell, without the names.

    Parameters
    ----------
    blocks : list of list of Block
        One list a cell.
    unknown : tuple of int
        The numbers by which some blocks are named and no cell is.
    """

    blocks: list[list[Block]]
    unknown: tuple[int, ...] = ()


def name(cell: CellRef) -> str:
    """The name by which the question and the answer call a cell."""
    return f"# In [{cell.execution_count or ' '}]"


def assigned(
    blocks: Sequence[Block], text: str, cells: Sequence[CellSource], shown: Sequence[CellSource] = ()
) -> Assigned:
    """The blocks that are meant for each cell.

    Parameters
    ----------
    blocks : sequence of Block
        Some of an answer's.
    text : str
        The whole answer.
    cells : sequence of CellSource
        Those that are likely meant, the one that failed last: if there is just one, a block without a name is its own.
    shown : sequence of CellSource
        Other cells that the question showed: what is named for one, or is clearly its text, is meant for it.

    Returns
    -------
    Assigned
        For the shown cells, then for the others.
    """
    every = (*shown, *cells)
    found = (piece for block in blocks for piece in _pieces(block, text.split("\n"), every))
    pieces = [piece for piece in found if _lines(piece[1].text) or (len(every) == 1 and piece[1].text.strip())]
    named = any(cell is not None for cell, _ in pieces)
    alone = len(pieces) == 1
    meant = [(_meant(cell, block, cells, shown, named=named, alone=alone), block) for cell, block in pieces]
    unknown = tuple(dict.fromkeys(cell for cell, _ in meant if isinstance(cell, int)))
    return Assigned([[block for other, block in meant if other is cell] for cell in every], unknown)


def _meant(
    cell: Meant,
    block: Block,
    cells: Sequence[CellSource],
    shown: Sequence[CellSource],
    *,
    named: bool,
    alone: bool,
) -> Meant:
    """The cell that a block is for in the end: its name may be wrong, and may be missing."""
    if isinstance(cell, int):
        return _clearly(block, cells) or cell
    if cell is not None:
        every = (*shown, *cells)
        if _misnamed(block, cell, every):
            return _clearly(block, every) or cell
        return cell if cell is cells[-1] or _familiar(block, cell) >= _FAMILIAR else _resembled(block, cells)
    other = _likely(block, shown) if shown else None
    if other is not None and _familiar(block, other) >= _CLEAR and _familiar(block, _likely(block, cells)) < _FAMILIAR:
        return other
    if named:  # a remark, if it is not clearly one of the cells
        return _clearly(block, cells)
    return _likely(block, cells) if alone or len(cells) == 1 else _resembled(block, cells)


def _pieces(block: Block, lines: Sequence[str], cells: Sequence[CellSource]) -> Iterator[tuple[Meant, Block]]:
    """The block, cut where another cell's name stands; each piece with the cell that is named."""
    counts = Counter(cell.cell.execution_count for cell in cells)
    known = {str(number): cell for cell in cells if counts[number := cell.cell.execution_count] == 1}
    own = {line for cell in cells for line in cell.source.split("\n")}
    above = next((line for line in reversed(lines[: max(block.start, 0)]) if line.strip()), "")
    meant = _named(above, known, _HEADING)
    piece: list[str] = []
    for line in block.text.split("\n"):
        found = None if line in own else _named(line, known, _COMMENT, _PROMPT)
        if found is None or (isinstance(found, int) and _lines("\n".join(piece))):  # in the midst of code: a remark
            piece.append(line)
            continue
        yield meant, dataclasses.replace(block, text="\n".join(piece))
        meant, piece = found, []
    yield meant, dataclasses.replace(block, text="\n".join(piece))


def _named(line: str, known: Mapping[str, CellSource], *forms: re.Pattern[str]) -> Meant:
    for form in forms:
        found = form.match(line)
        if found is not None:
            number = next(group for group in found.groups() if group is not None)
            return known.get(number.lstrip("0") or "0", int(number[:9]))
    return None


def _likely(block: Block, cells: Sequence[CellSource]) -> CellSource:
    """The cell whose lines are most like the block's."""
    return max(cells, key=lambda cell: _familiar(block, cell))


def _resembled(block: Block, cells: Sequence[CellSource]) -> CellSource | None:
    """The cell that a block is like; None: a text that is foreign to all of them takes no cell's place."""
    likely = _likely(block, cells)
    return likely if _familiar(block, likely) >= _FAMILIAR else None


def _clearly(block: Block, cells: Sequence[CellSource]) -> CellSource | None:
    """The cell whose text a block clearly is; None: it is none's."""
    likely = _likely(block, cells)
    return likely if _familiar(block, likely) >= _CLEAR else None


def _misnamed(block: Block, cell: CellSource, cells: Sequence[CellSource]) -> bool:
    """Whether a block that goes by a cell's name has none of its lines, and clearly those of another."""
    others = [other for other in cells if other is not cell]
    own = set(_lines(cell.source)).difference(*(_lines(other.source) for other in others))
    return own.isdisjoint(_lines(bare_code(block.text))) and bool(others) and _clearly(block, others) is not None


def _familiar(block: Block, cell: CellSource) -> float:
    """How alike the block's lines are to lines of a cell, in per cent: a part of it is as familiar as all of it."""
    return familiar(bare_code(block.text), cell.source)


def familiar(code: str, cell: str) -> float:
    """How alike lines are to those of a cell, in per cent."""
    from rapidfuzz import process  # imported at the first answer, not at load
    from rapidfuzz.fuzz import ratio

    lines, known = _lines(code), _lines(cell)
    if not lines or not known:
        return 0.0
    return sum(float(process.extractOne(line, known, scorer=ratio)[1]) for line in lines) / len(lines)


def _lines(code: str) -> list[str]:
    """The lines with code in them."""
    return [line.strip() for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]
