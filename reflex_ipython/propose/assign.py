"""Which cell a block of an answer is meant for: by the name in its first line, `# In [3]`, else by likeness. Pure."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from reflex_ipython.models import CellRef, CellSource
from reflex_ipython.propose.blocks import Block, bare_code

_NAME = re.compile(r"^[\s#*_>`]*(?:cell\s+)?In ?\[ ?(\d+) ?\][\s:*_`]*(?:\([^)]*\))?[\s:*_`]*$", re.IGNORECASE)
_FAMILIAR = 50.0
"""Per cent of likeness that a block without a name must have to count, if it is not the only one."""

_CLEAR = 80.0
"""Per cent of likeness from which a block is clearly a cell's, whatever name it goes by."""


def name(cell: CellRef) -> str:
    """The name by which the question and the answer call a cell."""
    return f"# In [{cell.execution_count or ' '}]"


def assigned(blocks: Sequence[Block], text: str, cells: Sequence[CellSource]) -> list[list[Block]]:
    """The blocks that are meant for each cell, without the names.

    Parameters
    ----------
    blocks : sequence of Block
        Some of an answer's.
    text : str
        The whole answer.
    cells : sequence of CellSource
        Those that may be meant. If there is just one, all is meant for it.
    """
    if len(cells) == 1:
        return [[_without_name(block, cells[0]) for block in blocks]]
    pieces = [piece for block in blocks for piece in _pieces(block, text.split("\n"), cells) if _lines(piece[1].text)]
    if all(cell is None for cell, _ in pieces):
        likely = [(_likely(block, cells), block) for _, block in pieces]
        pieces = [(cell, block) for cell, block in likely if len(pieces) == 1 or _familiar(block, cell) >= _FAMILIAR]
    meant = [
        (_likely(block, cells) if cell and _misnamed(block, cell, cells) else cell, block) for cell, block in pieces
    ]
    return [[block for other, block in meant if other is cell] for cell in cells]


def _without_name(block: Block, cell: CellSource) -> Block:
    """The block without the cell's name in its first line, unless the cell has that line itself."""
    first, _, rest = block.text.lstrip("\n").partition("\n")
    named = first not in cell.source.split("\n") and _named(first, {str(cell.cell.execution_count): cell})
    return dataclasses.replace(block, text=rest) if named else block


def _pieces(
    block: Block, lines: Sequence[str], cells: Sequence[CellSource]
) -> Iterator[tuple[CellSource | None, Block]]:
    """The block, cut where another cell's name stands; each piece with the cell that is named."""
    named = {str(cell.cell.execution_count): cell for cell in cells}
    named = named if len(named) == len(cells) else {}
    own = {line for cell in cells for line in cell.source.split("\n")}
    meant = _named(next((line for line in reversed(lines[: max(block.start, 0)]) if line.strip()), ""), named)
    piece: list[str] = []
    for line in block.text.split("\n"):
        found = None if line in own else _named(line, named)
        if found is not None:
            yield meant, dataclasses.replace(block, text="\n".join(piece))
            meant, piece = found, []
        else:
            piece.append(line)
    yield meant, dataclasses.replace(block, text="\n".join(piece))


def _named(line: str, named: Mapping[str, CellSource]) -> CellSource | None:
    found = _NAME.match(line)
    return named.get(found[1]) if found else None


def _likely(block: Block, cells: Sequence[CellSource]) -> CellSource:
    """The cell whose lines are most like the block's."""
    return max(cells, key=lambda cell: _familiar(block, cell))


def _misnamed(block: Block, cell: CellSource, cells: Sequence[CellSource]) -> bool:
    """Whether a block that goes by a cell's name has none of its lines, and clearly those of another."""
    others = [other for other in cells if other is not cell]
    own = set(_lines(cell.source)).difference(*(_lines(other.source) for other in others))
    clear = any(_familiar(block, other) >= _CLEAR for other in others)
    return clear and own.isdisjoint(_lines(bare_code(block.text)))


def _familiar(block: Block, cell: CellSource) -> float:
    """How alike the block's lines are to lines of a cell, in per cent: a part of it is as familiar as all of it."""
    from rapidfuzz import process  # imported at the first answer, not at load
    from rapidfuzz.fuzz import ratio

    lines, known = _lines(bare_code(block.text)), _lines(cell.source)
    if not lines or not known:
        return 0.0
    return sum(float(process.extractOne(line, known, scorer=ratio)[1]) for line in lines) / len(lines)


def _lines(code: str) -> list[str]:
    """The lines with code in them."""
    return [line.strip() for line in code.split("\n") if line.strip() and not line.lstrip().startswith("#")]
