"""The ways in which a fix is accepted: what is typed into the notebook with the extension, and what is right."""

from __future__ import annotations

import ast
import dataclasses
import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.property.grammar import Case


@dataclasses.dataclass(frozen=True)
class Step:
    """One thing that a person does.

    Parameters
    ----------
    do : str
        "run" a cell, "accept" a fix of the cell that has just failed, "undo" it, "command" of ours.
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


ROUTES = (
    "resume", "resume", "resume", "whole", "whole", "earlier line", "earlier line", "inserted on top", "inserted between", "dropped",
    "earlier cell", "earlier cell", "fails again", "accept, undo, accept", "accept, undo", "another cell between", "command between", "layout", "healthy", "healthy",
)  # fmt: skip
"""Some come up more often."""

_FAILS_AGAIN = "missing_again"
_DEFINED = "def inserted(v=0):\n    return v"


def play(case: Case) -> Played:
    """The steps of a case."""
    setup = Step("run", "\n".join(case.setup) or "pass", "setup")
    good = [*case.before, case.good, *case.after]
    bad = [*case.before, case.bad, *case.after]
    fails, right = _cell(bad, fails=True), _cell(good)
    accept = Step("accept", right.source)
    steps: list[Step]
    if case.route == "whole":
        steps = [fails, dataclasses.replace(accept, whole=True)]
    elif case.route == "healthy":
        steps = [right]
    elif case.route == "earlier line":
        steps = [_cell([case.other, *bad], fails=True), accept]
    elif case.route in ("inserted on top", "inserted between"):
        place = 0 if case.route == "inserted on top" else len(case.before)
        bad = [*case.before, case.bad.replace("missing_name", "inserted(1 / 0)"), *case.after]
        inserted = _DEFINED if "missing_call" not in case.bad else _DEFINED.replace("inserted", "missing_call")
        new = [*case.before[:place], inserted, *case.before[place:], case.good, *case.after]
        if "missing_call" in case.bad:  # the inserted definition is what it lacked: nothing else changes
            new[len(case.before) + 1] = case.bad
        right = _cell(new)
        steps = [_cell(bad, fails=True), Step("accept", right.source)]
    elif case.route == "dropped":
        right = _cell([*case.before, *case.after])
        steps = [fails, Step("accept", right.source)]
    elif case.route == "earlier cell":
        return _earlier_cell(case, setup)
    elif case.route == "fails again":
        second = _cell([*case.before, case.good, *case.after[:-1], _FAILS_AGAIN, *case.after[-1:]])
        first = _cell([*case.before, case.bad, *case.after[:-1], _FAILS_AGAIN, *case.after[-1:]], fails=True)
        steps = [first, Step("accept", second.source, fails=True), accept]
    elif case.route == "accept, undo, accept":
        steps = [fails, accept, Step("undo"), accept]
    elif case.route == "accept, undo":
        steps = [fails, dataclasses.replace(accept, fails=True), Step("undo")]
        right = Step("run", _common_beginning(fails.source, right.source) or "pass")
    elif case.route == "another cell between":
        steps = [fails, Step("run", case.other, "other"), accept]
        return Played((setup, *steps), (setup, Step("run", case.other, "other"), right))
    elif case.route == "command between":
        steps = [fails, Step("command", "%reflex"), accept]
    elif case.route == "layout":
        laid_out = "\n\n".join([f"# why\n{source}" for source in good])
        steps = [fails, Step("accept", laid_out)]
    else:
        steps = [fails, accept]
    return Played((setup, *steps), (setup, right))


def _cell(statements: list[str] | tuple[str, ...], *, fails: bool = False) -> Step:
    return Step("run", "\n".join(statements) or "pass", fails=fails)


def _common_beginning(some: str, other: str) -> str:
    """The statements with which both begin: there a resumed run begins, and to there it is undone."""
    pairs = zip(ast.parse(some).body, ast.parse(other).body)
    same = itertools.takewhile(lambda pair: ast.dump(pair[0]) == ast.dump(pair[1]), pairs)
    return "\n".join(ast.unparse(one) for one, _ in same)


def _earlier_cell(case: Case, setup: Step) -> Played:
    """The mistake is in a function of an earlier cell, which is called half-way."""
    definition = "class Tools:\n    rate = 2\n    def scale(self, v): return v * self.rate\n\ndef step(n):\n    effect(n)\n    return {}\n\nstep_too = step"
    effect = f"def effect(n):\n    exec({case.other!r}, globals())"
    if "await" in case.other:
        effect = "def effect(n): pass"
    old, new = (Step("run", f"{effect}\n{definition.format(text)}", "defines") for text in ("missing_name", "n * 2"))
    cell = [*case.before, "stepped = [step(k) for k in range(2)]", *case.after]
    accept = Step("accept", "\n".join(cell), earlier=("defines", new.source))
    return Played((setup, old, _cell(cell, fails=True), accept), (setup, new, _cell(cell)))
