"""A failure in a function of an earlier cell, as it looks from there: so the rules find it where it happened."""

from __future__ import annotations

import ast
import dataclasses

from reflex_ipython.models import Failure
from reflex_ipython.propose.home import home, innermost
from reflex_ipython.propose.rules.cell import Cell, read

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def defining_cell(failure: Failure) -> Failure | None:
    """The failure as if the earlier cell had failed: its text, its line. None if it is no earlier cell's function.

    What the function was given is the caller's choice, so that the types of its parameters prove nothing: they are
    left out.
    """
    cell, frame = home(failure), innermost(failure)
    functions = functions_at(read(cell.source), frame.lineno) if cell and frame else []
    if cell is None or frame is None or not functions:
        return None
    given = {name for function in functions for name in parameters(function)}
    known = tuple(variable for variable in frame.variables if variable.name not in given)
    frames = tuple(dataclasses.replace(one, variables=known) if one is frame else one for one in failure.error.frames)
    raised = dataclasses.replace(failure.error, frames=frames)
    return dataclasses.replace(
        failure,
        situation=dataclasses.replace(
            failure.situation,
            place=cell.cell,
            source=cell.source,
            earlier=tuple(one for one in failure.situation.earlier if one != cell),
        ),
        lineno=frame.lineno,
        exceptions=(raised, *failure.exceptions[1:]),
    )


def functions_at(cell: Cell, lineno: int) -> list[Function]:
    """The functions on a line of a cell, the outermost first."""
    return [node for node in cell.nodes() if isinstance(node, Function) and _covers(node, lineno)]


def parameters(function: Function) -> list[str]:
    """What a function is given, but for the object that a method belongs to."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    return [argument.arg for argument in every if argument is not None and argument.arg not in ("self", "cls")]


def place(there: Failure) -> str:
    """Where it happened, in words: "`Cart.total` in In [3]"."""
    frame, cell = innermost(there), read(there.situation.source)
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    around = [node for node in cell.nodes() if isinstance(node, scopes) and frame and _covers(node, frame.lineno)]
    name = f"`{'.'.join(node.name for node in around)}`" if around else "The lambda"
    number = there.situation.cell.execution_count
    return f"{name} in {'an earlier cell' if number is None else f'In [{number}]'}"


def _covers(node: ast.stmt | ast.expr, lineno: int) -> bool:
    return node.lineno <= lineno <= (node.end_lineno or node.lineno)
