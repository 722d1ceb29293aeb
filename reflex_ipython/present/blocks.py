"""What there is to show, before anybody decides whether it becomes text, colours in a terminal, or HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reflex_ipython.present.diff import Hunk, Line
from reflex_ipython.present.excerpt import ExcerptBounds, excerpt
from reflex_ipython.present.fold import folded
from reflex_ipython.present.notice import Tone


@dataclass(frozen=True)
class Title:
    """What the whole is about, and a note that stands back."""

    text: str
    note: str = ""


@dataclass(frozen=True)
class Heading:
    """The title of a part, and a note that stands back."""

    text: str
    note: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; `backticks` make code. Its tone has a sign for who sees no colours. `quiet`: it stands back."""

    text: str
    tone: Tone = "plain"
    quiet: bool = False


@dataclass(frozen=True)
class Facts:
    """Names and their values, a line each."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Diff:
    """A change; long unchanged parts are folded. `label` names the cell where it is not the failing one.

    `bounds`: how much of it is shown; None: all that has changed.
    """

    hunks: tuple[Hunk, ...]
    label: str = ""
    bounds: ExcerptBounds | None = None

    def lines(self) -> Iterator[tuple[str, Line]]:
        """Pairs of a sign and a line, as `folded` gives them."""
        return folded(self.hunks) if self.bounds is None else excerpt(self.hunks, self.bounds)


@dataclass(frozen=True)
class Code:
    """A source. The line numbered `marked`, 1-based, is pointed at."""

    source: str
    marked: int | None = None


@dataclass(frozen=True)
class Fold:
    """Something that few want to see at once: HTML folds it away, text has `instead` (empty: nothing)."""

    summary: str
    blocks: tuple[Block, ...]
    instead: str = ""


Block = Title | Heading | Paragraph | Facts | Diff | Code | Fold

SIGNS: dict[Tone, str] = {"plain": "", "good": "✓ ", "warning": "! ", "bad": "✗ "}
