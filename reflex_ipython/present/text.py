"""Blocks as plain text: for `text/plain`, logs, and whoever sees no HTML and no colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reflex_ipython.models import Repair
from reflex_ipython.present.blocks import SIGNS, Block, Code, Diff, Facts, Heading, Paragraph, Title
from reflex_ipython.present.diff import plain
from reflex_ipython.present.printable import one_line, printable
from reflex_ipython.present.proposal import proposal

if TYPE_CHECKING:
    from rich.console import RenderableType


def repair_panel(repair: Repair) -> RenderableType:
    """What there is to say below a failed cell, for a terminal: to be printed on a rich console."""
    from reflex_ipython.present.terminal import panel  # rich: 0.1 s to import

    return panel(proposal(repair))


def as_text(blocks: Sequence[Block]) -> str:
    """The blocks as lines of text."""
    return "\n".join(line for block in blocks for line in _lines(block))


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, (Title, Heading)):
        yield one_line(block.text) + (f"  ({one_line(block.note)})" if block.note else "")
    elif isinstance(block, Paragraph):
        yield SIGNS[block.tone] + printable(block.text)
    elif isinstance(block, Facts):
        yield from (f"{printable(name)}: {printable(value)}" for name, value in block.rows)
    elif isinstance(block, Diff):
        if block.label:
            yield f"{printable(block.label)}:"
        yield from (f"{sign} {printable(plain(line))}" if line else sign.strip() for sign, line in block.lines())
    elif isinstance(block, Code):
        for number, line in enumerate(block.source.split("\n"), 1):
            yield f"{'→' if number == block.marked else ' '} {printable(line)}"
    elif block.instead:
        yield printable(block.instead)
