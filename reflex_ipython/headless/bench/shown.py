"""The figures as tables of texts, for a terminal and for Markdown alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reflex_ipython.headless.bench import figures as groups
from reflex_ipython.headless.bench.figures import CaseFigures, by, figures
from reflex_ipython.headless.bench.outcome import Outcome
from reflex_ipython.headless.tables import TextTable, markdown_table

if TYPE_CHECKING:
    from rich.console import Group, RenderableType


class Figure(NamedTuple):
    """A figure: its name, what it is taken of, what it means."""

    name: str
    of: Callable[[CaseFigures], int | float | None]
    meaning: str


FIGURES = (
    Figure("cases", lambda one: one.cases, "all that ran"),
    Figure("failed", lambda one: one.reproduced, "raised the exception that they should; all below are among these"),
    Figure("fix", lambda one: one.offered, "got a fix"),
    Figure(
        "ran", lambda one: one.shown_as_ran, "the first fix is shown as the answer, and ran in a copy of the kernel"
    ),
    Figure("runs", lambda one: one.runs, "the first fix was accepted, and the cell raised nothing"),
    Figure("right", lambda one: one.right, "the first fix is shown as the answer, and what it comes to is right"),
    Figure("choice", lambda one: one.choice, "got a choice between what may be meant"),
    Figure("in it", lambda one: one.right_in_choice, "one fix of the choice is right"),
    Figure("wrong", lambda one: one.wrong_as_ran, "shown as an answer that ran, and what it comes to is wrong"),
    Figure("said", lambda one: one.explained, "something is said about this very error"),
    Figure("offer", lambda one: one.seconds_to_offer, "median seconds from the error to the first fix"),
    Figure("verdict", lambda one: one.seconds_to_verdict, "median seconds from the error until all was tried"),
)
NARROW = -2
"""The end of the columns that a terminal has room for: all but the seconds."""
GROUPS = (("Exception", groups.exception_class), ("Family", groups.family), ("First fix", groups.rule))


def tables(outcomes: Sequence[Outcome]) -> Iterator[TextTable]:
    """One of all cases that says what each figure means, then one for each way to group them."""
    counted = figures(outcomes)
    yield TextTable(
        ("", "", "", "All cases"),
        tuple((one.name, _text(one.of(counted)), _share(one, counted), one.meaning) for one in FIGURES),
        range(1, 3),
    )
    for title, group in GROUPS:
        yield TextTable(
            (title, *(one.name for one in FIGURES)),
            tuple((name, *(_text(one.of(few)) for one in FIGURES)) for name, few in by(group, outcomes).items()),
            range(1, len(FIGURES) + 1),
        )


def rich_tables(outcomes: Sequence[Outcome]) -> Group:
    """The same for a terminal."""
    from rich.console import Group
    from rich.table import Table as RichTable

    drawn: list[RenderableType] = []
    for table in tables(outcomes):
        made = RichTable(box=None, pad_edge=False)
        end = NARROW if len(table.columns) > len(FIGURES) else None
        for number, column in enumerate(table.columns[:end]):
            numeric = number in table.numbers
            made.add_column(column, justify="right" if numeric else "left", no_wrap=numeric, overflow="fold")
        for row in table.rows:
            made.add_row(*row[:end])
        drawn += [made, ""]
    return Group(*drawn)


def markdown(outcomes: Sequence[Outcome]) -> str:
    """A report: the tables, and each case that was not put right.

    Parameters
    ----------
    outcomes : sequence of Outcome

    Returns
    -------
    str
        Markdown.
    """
    lines = ["# Bench", ""]
    for table in (*tables(outcomes), _not_right(outcomes)):
        lines += [*markdown_table(table), ""]
    return "\n".join(lines)


def _text(figure: int | float | None) -> str:
    return "–" if figure is None else f"{figure:.2f}" if isinstance(figure, float) else str(figure)


def _share(figure: Figure, counted: CaseFigures) -> str:
    """A count as a share of those that it is among; empty where there is none."""
    count = figure.of(counted)
    whole = counted.cases if figure.name == "failed" else counted.reproduced
    return f"{count / whole:.0%}" if isinstance(count, int) and figure.name != "cases" and whole else ""


def _not_right(outcomes: Sequence[Outcome]) -> TextTable:
    rows = [
        (outcome.id, outcome.ename, _what_came(outcome), outcome.rule, outcome.words.partition("\n")[0])
        for outcome in outcomes
        if not (outcome.right_first or outcome.right_in_choice)
    ]
    return TextTable(("Not put right", "Exception", "What came of it", "First fix", "Words"), tuple(rows))


def _what_came(outcome: Outcome) -> str:
    if outcome.trouble:
        return outcome.trouble
    if not outcome.reproduced:
        return f"raises {outcome.raised} instead" if outcome.raised else "does not fail"
    if not outcome.offered:
        return "explained, no fix" if outcome.explained else "no fix"
    if outcome.choice:
        return "no fix of the choice is right" if outcome.judged else "a choice, not judged"
    first = outcome.fixes[0]
    if first.trouble:
        return first.trouble
    return "wrong, though shown as ran" if outcome.wrong_as_ran else "wrong" if first.right is False else "not judged"
