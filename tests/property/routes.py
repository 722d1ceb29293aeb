"""The ways in which a fix is accepted: what is typed into the notebook with the extension, and what is right."""

from __future__ import annotations

import ast
import dataclasses
import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.property.grammar import Case


@dataclasses.dataclass(frozen=True)
class Step:
    """One thing that a person does.

    Parameters
    ----------
    do : str
        "run" a cell, "accept" a fix of the cell that has just failed, "undo" it, take the last cell "back", "command"
        of ours.
    source : str
        The cell's text; for "accept", the failing cell's new one.
    cell : str
        Its id.
    whole : bool
        For "accept": all of the cell is to run.
    earlier : tuple of str
        For "accept": the id of an earlier cell that the fix changes, and its new text.
    fails : bool
        Whether it is meant to fail.
    """

    do: str
    source: str = ""
    cell: str = "cell"
    whole: bool = False
    earlier: tuple[str, ...] = ()
    fails: bool = False


@dataclasses.dataclass(frozen=True)
class Played:
    """A case as two notebooks: what is done with the extension, and what a kernel without it runs."""

    steps: tuple[Step, ...]
    right: tuple[Step, ...]


Way = Callable[["Case"], Played]

_FAILS_AGAIN = "missing_again"
_DEFINED = "def {}(v=0):\n    return v"
_TOOLS = """
class Tools:
    rate = 2
    def scale(self, v): return v * self.rate

def step(n):
    effect(n)
    return {}

step_too = step"""


def play(case: Case) -> Played:
    """The steps of a case."""
    setup = _cell(case.setup, "setup")
    played = _WAYS[case.route](case)
    return Played((setup, *played.steps), (setup, *played.right))


def _cell(statements: Sequence[str], cell: str = "cell", *, fails: bool = False) -> Step:
    return Step("run", "\n".join(statements) or "pass", cell, fails=fails)


def _failing(case: Case) -> Step:
    return _cell([*case.before, case.bad, *case.after], fails=True)


def _right(case: Case) -> Step:
    return _cell([*case.before, case.good, *case.after])


def _accept(right: Step, *, whole: bool = False) -> Step:
    return Step("accept", right.source, whole=whole)


def _between(*steps: Step) -> Way:
    """The failing cell, then these, then the fix."""

    def way(case: Case) -> Played:
        right = _right(case)
        return Played((_failing(case), *steps, _accept(right)), (right,))

    return way


def _whole(case: Case) -> Played:
    right = _right(case)
    return Played((_failing(case), _accept(right, whole=True)), (right,))


def _healthy(case: Case) -> Played:
    return Played((_right(case),), (_right(case),))


def _earlier_line(case: Case) -> Played:
    """The fix takes a line out that has run."""
    fails, right = _cell([case.other, *case.before, case.bad, *case.after], fails=True), _right(case)
    return Played((fails, _accept(right)), (right,))


def _inserted(on_top: bool) -> Way:
    """The fix puts a definition in; where that is what was missing, it changes nothing else."""

    def way(case: Case) -> Played:
        lacks = "missing_call" in case.bad
        place = 0 if on_top else len(case.before)
        defined = _DEFINED.format("missing_call" if lacks else "inserted")
        before = [*case.before[:place], defined, *case.before[place:]]
        right = _cell([*before, case.bad if lacks else case.good, *case.after])
        return Played((_failing(case), _accept(right)), (right,))

    return way


def _dropped(case: Case) -> Played:
    right = _cell([*case.before, *case.after])
    return Played((_failing(case), _accept(right)), (right,))


def _earlier_cell(case: Case) -> Played:
    """The mistake is in a function of an earlier cell, which is called half-way."""
    effect = f"def effect(n):\n    exec({case.other!r}, globals())"
    if "await" in case.other or "async " in case.other:
        effect = "def effect(n): pass"
    old, new = (_cell([effect, _TOOLS.format(text)], "defines") for text in ("missing_name", "n * 2"))
    cell = [*case.before, "stepped = [step(k) for k in range(2)]", *case.after]
    accept = Step("accept", _cell(cell).source, earlier=("defines", new.source))
    return Played((old, _cell(cell, fails=True), accept), (new, _cell(cell)))


def _fails_again(case: Case) -> Played:
    """The first fix leads to another failure, and that to another fix."""
    before, last = [*case.before], [*case.after[:-1], _FAILS_AGAIN, *case.after[-1:]]
    first, second = _cell([*before, case.bad, *last], fails=True), _cell([*before, case.good, *last])
    right = _right(case)
    return Played((first, dataclasses.replace(_accept(second), fails=True), _accept(right)), (right,))


def _undone_and_accepted(case: Case) -> Played:
    right = _right(case)
    return Played((_failing(case), _accept(right), Step("undo"), _accept(right)), (right,))


def _undone(case: Case) -> Played:
    fails, right = _failing(case), _right(case)
    begun = Step("run", _common_beginning(fails.source, right.source) or "pass")
    return Played((fails, dataclasses.replace(_accept(right), fails=True), Step("undo")), (begun,))


def _back(of: Callable[[Case], Step]) -> Way:
    """A cell is taken back: it is as if it had never run."""
    return lambda case: Played((of(case), Step("back")), ())


def _resumed_and_back(case: Case) -> Played:
    return Played((_failing(case), _accept(_right(case)), Step("back")), ())


def _another_cell(case: Case) -> Played:
    other, right = Step("run", case.other, "other"), _right(case)
    return Played((_failing(case), other, _accept(right)), (other, right))


def _layout(case: Case) -> Played:
    """The fix changes the layout of what has run as well."""
    right = _right(case)
    laid_out = "\n\n".join(f"# why\n{source}" for source in (*case.before, case.good, *case.after))
    return Played((_failing(case), Step("accept", laid_out)), (right,))


def _common_beginning(some: str, other: str) -> str:
    """The statements with which both begin: there a resumed run begins, and to there it is undone."""
    pairs = zip(ast.parse(some).body, ast.parse(other).body)
    same = itertools.takewhile(lambda pair: ast.dump(pair[0]) == ast.dump(pair[1]), pairs)
    return "\n".join(ast.unparse(one) for one, _ in same)


_WAYS: dict[str, Way] = {
    "resume": _between(),
    "whole": _whole,
    "earlier line": _earlier_line,
    "inserted on top": _inserted(True),
    "inserted between": _inserted(False),
    "dropped": _dropped,
    "earlier cell": _earlier_cell,
    "fails again": _fails_again,
    "accept, undo, accept": _undone_and_accepted,
    "accept, undo": _undone,
    "another cell between": _another_cell,
    "command between": _between(Step("command", "%reflex")),
    "layout": _layout,
    "healthy": _healthy,
    "back": _back(_right),
    "failed, back": _back(_failing),
    "resumed, back": _resumed_and_back,
}
ROUTES = (*_WAYS, "resume", "resume", "whole", "earlier line", "earlier cell", "healthy", "back")
"""Some come up more often."""
