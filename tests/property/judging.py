"""One case from its text to a judgement: the same, named, silently different, or of no use."""

from __future__ import annotations

import ast
import dataclasses
from typing import Any

from tests.property.grammar import Case
from tests.property.graph import Difference, differences
from tests.property.named import Named
from tests.property.playing import Outcome, played
from tests.property.routes import Played, play


@dataclasses.dataclass
class Judgement:
    """What came of a case.

    Parameters
    ----------
    case : Case
    state : str
        "same", "named", "silent", "skipped": the right cell fails by itself, "trouble": it could not be played.
    silent, named : list
        The differences; with the named ones, what names them.
    words : list of str
    why : str
        Why it was skipped, or what the trouble was.
    """

    case: Case
    state: str
    silent: list[Difference] = dataclasses.field(default_factory=list)
    named: list[tuple[Difference, str]] = dataclasses.field(default_factory=list)
    words: list[str] = dataclasses.field(default_factory=list)
    why: str = ""


def judge(shell: Any, case: Case, *, plain: bool = False) -> Judgement:
    """Play a case both ways, and compare.

    Parameters
    ----------
    shell : InteractiveShell
    case : Case
    plain : bool
        Both without the extension: what differs then is the comparison's mistake.
    """
    notebooks = play(case)
    try:
        sources = [step.source for step in notebooks.steps if step.do != "command"]
        compile("\n".join(sources), "cells", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError as error:
        return Judgement(case, "skipped", why=str(error))
    if plain:
        notebooks = dataclasses.replace(notebooks, steps=notebooks.right)
    right = played(shell, notebooks.right, extension=False, wide=case.wide)
    if right.trouble or any(right.errors):
        return Judgement(
            case, "trouble" if right.trouble else "skipped", why=right.trouble or next(filter(None, right.errors))
        )
    return compare(case, notebooks, played(shell, notebooks.steps, extension=not plain, wide=case.wide), right)


def compare(case: Case, notebooks: Played, got: Outcome, right: Outcome) -> Judgement:
    """Compare what a notebook with the extension has come to with what is right."""
    if got.trouble or got.graph is None or right.graph is None:
        state = "skipped" if got.trouble.endswith("no repair\n") else "trouble"
        return Judgement(case, state, words=got.words, why=got.trouble)
    cells = [step.source for step in notebooks.steps if step.do in ("run", "accept")]
    if not notebooks.right[1:] and _unexpected(notebooks, got):  # of a cell that is taken back nobody else has said so
        return Judgement(case, "skipped", words=got.words, why=_unexpected(notebooks, got))
    named = Named(got.words, got.graph, right.graph, cells)
    found = list(differences(got.graph, right.graph))
    steps = [step for step in notebooks.steps if step.do in ("run", "accept")]
    for step, error in zip(steps, got.errors):
        if error and not step.fails and step.cell == "cell":
            found.insert(0, Difference("the accepted cell", "raises", "cell", error, "runs well"))
    raised = any(difference.what == "raises" for difference in found) and bool(named.names)
    judged = [(difference, named.by(difference) or ("what it needs" if raised else "")) for difference in found]
    silent = [difference for difference, by in judged if not by]
    state = "silent" if silent else "named" if judged else "same"
    return Judgement(case, state, silent, [(one, by) for one, by in judged if by], got.words)


def _unexpected(notebooks: Played, got: Outcome) -> str:
    """What a cell has raised that was not meant to fail."""
    steps = [step for step in notebooks.steps if step.do in ("run", "accept")]
    return next((error for step, error in zip(steps, got.errors) if error and not step.fails), "")
