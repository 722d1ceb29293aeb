"""A failure in a function of an earlier cell or in a file, as it looks from there: rules find it where it happened."""

from __future__ import annotations

import ast
import dataclasses

from reflex_ipython.models import Failure, FileRef, FileSource
from reflex_ipython.propose.home import home, innermost
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.own_file import in_file

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def defining_cell(failure: Failure) -> Failure | None:
    """The failure as if the earlier cell, or the file, had failed: its text, its line. None if the failing cell did.

    What the function was given is the caller's choice, so that the types of its parameters prove nothing: they are
    left out.
    """
    there = home(failure)
    if isinstance(there, FileSource):
        seen = in_file(failure, there)
        return seen if seen.stage == "syntax" else _without_given(seen)
    frame = innermost(failure)
    if there is None or frame is None or not functions_at(read(there.source), frame.lineno):
        return None
    situation = dataclasses.replace(
        failure.situation,
        place=there.cell,
        source=there.source,
        earlier=tuple(one for one in failure.situation.earlier if one != there),
    )
    return _without_given(dataclasses.replace(failure, situation=situation, lineno=frame.lineno))


def _without_given(there: Failure) -> Failure:
    """The same without what the parameters of the function were."""
    frame = innermost(there)
    functions = functions_at(read(there.situation.source), frame.lineno) if frame is not None else []
    if frame is None or not functions:
        return there
    given = {name for function in functions for name in parameters(function)}
    known = tuple(variable for variable in frame.variables if variable.name not in given)
    frames = tuple(dataclasses.replace(one, variables=known) if one is frame else one for one in there.error.frames)
    raised = dataclasses.replace(there.error, frames=frames)
    return dataclasses.replace(there, exceptions=(raised, *there.exceptions[1:]))


def functions_at(cell: Cell, lineno: int) -> list[Function]:
    """The functions on a line of a cell, the outermost first."""
    return [node for node in cell.nodes() if isinstance(node, Function) and _covers(node, lineno)]


def parameters(function: Function) -> list[str]:
    """What a function is given, but for the object that a method belongs to."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    return [argument.arg for argument in every if argument is not None and argument.arg not in ("self", "cls")]


def place(there: Failure, failure: Failure) -> str:
    """Where it happened, in words: "`Cart.total` in In [3]", "`area` in shapes.py", "shapes.py".

    Parameters
    ----------
    there : Failure
        As it looks from there (`defining_cell`).
    failure : Failure
        As it was captured.
    """
    frame, cell, known = innermost(there), read(there.situation.source), home(failure)
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    around = [node for node in cell.nodes() if isinstance(node, scopes) and frame and _covers(node, frame.lineno)]
    if isinstance(known, FileSource) and not functions_at(cell, frame.lineno if frame else 0):
        return known.file.name
    name = f"`{'.'.join(node.name for node in around)}`" if around else "The lambda"
    if isinstance(known, FileSource):
        return f"{name} in {known.file.name}" if isinstance(known.file, FileRef) else name
    number = there.situation.cell.execution_count
    return f"{name} in {'an earlier cell' if number is None else f'In [{number}]'}"


def _covers(node: ast.stmt | ast.expr, lineno: int) -> bool:
    return node.lineno <= lineno <= (node.end_lineno or node.lineno)
