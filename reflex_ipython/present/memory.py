"""What was learnt of accepted fixes, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reflex_ipython.present.page import text
from reflex_ipython.present.printable import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

NOTHING = (
    "Nothing is remembered yet. When you accept a fix and its cell runs, the same mistake gets it again elsewhere."
)
MORE = (
    "%reflex memory --off ID: never propose that again; --on ID takes it back. "
    "‹1› stands for any code, … for what else is there."
)
COLUMNS = ("ID", "What was written", "What it becomes", "How it went", "State")

_WRAPPED = "white-space:pre-wrap;overflow-wrap:anywhere"
"""A cell of long code is as wide as there is room: a notebook cuts off what is wider than its page."""


@dataclass(frozen=True)
class Remembered:
    """One lesson in words.

    Parameters
    ----------
    id : str
    before, after : str
        The code, with holes as a person reads them.
    evidence : str
        How often it was right, when and where last.
    state : str
        "rule": right in several notebooks; "remembered"; "given up": wrong as often as right; "off": by the user.
    """

    id: str
    before: str
    after: str
    evidence: str
    state: str


def memory_table(lessons: Sequence[Remembered]) -> RenderableType:
    """The lessons for a terminal, to be printed on a rich console: three lines each, whatever its width."""
    return "\n".join([*map(_in_lines, lessons), MORE]) if lessons else NOTHING


def _in_lines(lesson: Remembered) -> str:
    before, after = printable(lesson.before), printable(lesson.after).split("\n")
    return "\n".join(
        [
            f"{lesson.id}  {lesson.state}: {printable(lesson.evidence)}",
            f"    {before}",
            *(f"  → {line}" for line in after),
            "",
        ]
    )


def memory_html(lessons: Sequence[Remembered]) -> str:
    """The same as static HTML."""
    if not lessons:
        return f"<p>{NOTHING}</p>"
    head = "".join(f'<th style="text-align:left">{name}</th>' for name in COLUMNS)
    body = "".join(f"<tr>{_html_row(each)}</tr>" for each in lessons)
    return f'<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p style="opacity:.75">{text(MORE)}</p>'


def _html_row(lesson: Remembered) -> str:
    id, before, after, evidence, state = _cells(lesson)
    code = (f'<code style="{_WRAPPED}">{text(each)}</code>' for each in (before, after))
    went = f'<span style="overflow-wrap:anywhere">{text(evidence)}</span>'  # it names a notebook
    cells = [f"<code>{text(id)}</code>", *code, went, text(state)]
    return "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells)


def _cells(lesson: Remembered) -> tuple[str, ...]:
    after = "; ".join(lesson.after.split("\n"))
    return lesson.id, lesson.before, after, lesson.evidence, lesson.state
