"""Blocks in a terminal, with rich. The colours are the terminal's own sixteen: they suit its background."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group
from rich.padding import Padding
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from reflex_ipython.present.blocks import SIGNS, Block, Code, Diff, Facts, Fold, Heading, Paragraph, Title
from reflex_ipython.present.diff import Line
from reflex_ipython.present.fold import FOLD
from reflex_ipython.present.printable import one_line, printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

TONES = {"plain": "", "good": "green", "warning": "yellow", "bad": "red"}
_SIGN_STYLES = {"-": "red", "+": "green", FOLD: "dim", " ": ""}
_CODE = re.compile(r"`([^`\n]+)`")


class Drawing:
    """A renderable that can be printed where only ASCII can, too.

    Parameters
    ----------
    content : RenderableType
        What to draw.
    """

    def __init__(self, content: RenderableType) -> None:
        self._content = content

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw; without Unicode, `?` stands for what can't be shown."""
        for segment in console.render(self._content, options):
            if options.ascii_only and not segment.text.isascii():
                segment = segment._replace(text="".join(map(_ascii, segment.text.translate(_ASCII))))
            yield segment


def _ascii(character: str) -> str:
    return character if character.isascii() else "?" * cell_len(character)


_ASCII = str.maketrans({"✓": "v", "✗": "x", "…": ".", "·": "-", "→": ">", "—": "-", "’": "'"})


def panel(blocks: Sequence[Block]) -> Drawing:
    """Blocks in a frame: the title is its upper border."""
    title, note = next(((block.text, block.note) for block in blocks if isinstance(block, Title)), ("", ""))
    content = Group(*_renderables([block for block in blocks if not isinstance(block, Title)]))
    return Drawing(
        Panel(
            content,
            title=Text.assemble(("Reflex", "bold"), " ─ ", (one_line(title, 120), "bold red")),
            title_align="left",
            subtitle=Text(one_line(note, 120)) if note else None,
            subtitle_align="right",
            border_style="blue",
        )
    )


def page(blocks: Sequence[Block]) -> Drawing:
    """Blocks one below the other, without a frame."""
    return Drawing(Group(*_renderables(blocks)))


def _renderables(blocks: Sequence[Block]) -> Iterator[RenderableType]:
    for number, block in enumerate(blocks):
        if isinstance(block, (Title, Heading)):
            if number:
                yield ""
            yield _heading(block)
        elif isinstance(block, Paragraph):
            yield _words(block)
        elif isinstance(block, Facts):
            yield _facts(block)
        elif isinstance(block, Diff):
            yield from _diff(block)
        elif isinstance(block, Code):
            yield Padding(_code(block), (0, 0, 0, 2))
        elif isinstance(block, Fold) and block.instead:
            yield _words(Paragraph(block.instead, quiet=True))


def _heading(block: Title | Heading) -> RenderableType:
    style = "bold red" if isinstance(block, Title) else "bold"
    text = Text(one_line(block.text), style)
    if block.note:
        text.append(f"  {one_line(block.note)}", Style(bold=False, color="default", dim=True))
    return text


def _words(block: Paragraph) -> RenderableType:
    text = Text(style="dim" if block.quiet else "")
    shown = printable(block.text)
    end = 0
    for match in _CODE.finditer(shown):
        text.append(shown[end : match.start()])
        text.append(match[1], "not dim cyan")
        end = match.end()
    text.append(shown[end:])
    sign = SIGNS[block.tone]
    if not sign:
        return text
    grid = Table.grid()
    grid.add_column(width=2)
    grid.add_column(overflow="fold")
    grid.add_row(Text(sign, f"bold {TONES[block.tone]}"), text)
    return grid


def _facts(block: Facts) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in block.rows:
        grid.add_row(Text(one_line(name, 40)), Text(printable(value)))
    return grid


def _diff(block: Diff) -> Iterator[RenderableType]:
    if block.label:
        yield Text(f"{printable(block.label)}:", "dim")
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=1)
    grid.add_column(overflow="fold")
    for sign, line in block.lines():
        style = _SIGN_STYLES[sign]
        grid.add_row(Text(sign, f"bold {style}" if style else ""), _line(line, style))
    yield grid


def _line(line: Line, style: str) -> Text:
    text = Text(style=style, tab_size=4)
    for span in line:
        text.append(printable(span.text), "bold reverse" if span.changed else "")
    return text


def _code(block: Code) -> RenderableType:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(style="dim", justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    for number, line in enumerate(block.source.split("\n"), 1):
        here = number == block.marked
        mark = Text(f"→ {number}" if here else str(number), "bold red" if here else "")
        grid.add_row(mark, Text(printable(line), "bold" if here else "", tab_size=4))
    return grid
