"""The failing code as the rules of this package read it: its expressions, their types and values as far as known."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.base.syntax_trees import expression
from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.models import CellSource, Failure, ValueSummary
from reflex_ipython.propose.home import innermost
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_line, failing_nodes, statements_at
from reflex_ipython.propose.rules.values.types import UNKNOWN, first_items, members, type_of, value_of

__all__ = ["UNKNOWN", "Reading", "reading", "short"]

N = TypeVar("N", bound=ast.AST)

_ATOMS = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Call,
    ast.Constant,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.JoinedStr,
)
_Functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, eq=False)
class Reading:
    """A failure, and its cell read.

    Parameters
    ----------
    failure : Failure
    cell : Cell
        It compiles.
    """

    failure: Failure
    cell: Cell

    @property
    def message(self) -> str:
        """What the error says."""
        return self.failure.error.evalue

    @property
    def line(self) -> int:
        """The failing line of the cell, 1-based; 0 where it is not known."""
        return failing_line(self.failure) or 0

    # ------------------------------------------------------------------------------------------------ places

    @functools.cached_property
    def here(self) -> list[ast.AST]:
        """The nodes of the failing statement."""
        return failing_nodes(self.failure, self.cell)

    @functools.cached_property
    def exact(self) -> ast.AST | None:
        """The expression that failed, if Python told."""
        frame = innermost(self.failure)
        span = frame.span if frame is not None and frame.cell == self.failure.situation.cell else None
        found = (node for node in self.here if not isinstance(node, ast.Expr))  # it is where its value is
        return next((node for node in found if span is not None and _span(node) == tuple(span)), None)

    def nodes(self, kind: type[N]) -> list[N]:
        """Those that may have failed: the one that Python told, if it is of this kind; else the statement's."""
        if isinstance(self.exact, kind):
            return [self.exact]
        return [node for node in self.here if isinstance(node, kind) and self.sound(node)]

    @property
    def statement(self) -> ast.stmt | None:
        """The innermost failing statement."""
        found = statements_at(self.cell, self.line)
        return found[-1] if found else None

    def parent(self, node: ast.AST) -> ast.AST | None:
        """What a node is a part of."""
        return self.cell.parent(node)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """All that a node is a part of, the innermost first."""
        return self.cell.around(node)

    def scope(self, node: ast.AST) -> ast.AST | None:
        """The function that a node is in; None at the top."""
        return next((one for one in self.above(node) if isinstance(one, _Functions)), None)

    def loop_of(self, name: str) -> ast.For | ast.comprehension | None:
        """The loop around the failing code that gives a name its values."""
        around = [one for node in self.here[:1] for one in (node, *self.above(node))]
        inner = [node for node in self.here if isinstance(node, ast.comprehension)]
        for node in (*inner, *around):
            targets = ast.walk(node.target) if isinstance(node, (ast.For, ast.comprehension)) else ()
            if any(isinstance(part, ast.Name) and part.id == name for part in targets):
                return node  # type: ignore[return-value]  # one of the two, as it has targets
        return None

    def assigned(self, name: str) -> ast.Assign | None:
        """The last plain assignment to a name above the failing code, in the same function."""
        if not self.here:
            return None
        scope = self.scope(self.here[0])
        found = [
            node
            for node in self.cell.every(ast.Assign)
            if node.lineno < max(self.line, 1)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == name
            and self.scope(node) is scope
        ]
        return max(found, key=lambda node: node.lineno, default=None)

    def assigned_earlier(self, name: str) -> tuple[CellSource, ast.Assign] | None:
        """The last plain assignment to a name in the earlier cells that are known."""
        for source in reversed(self.failure.situation.earlier):
            cell = read(source.source)
            for node in reversed(cell.tree.body if cell.tree is not None else []):
                if isinstance(node, ast.Assign) and len(node.targets) == 1:
                    target = node.targets[0]
                    if isinstance(target, ast.Name) and target.id == name:
                        return source, node
        return None

    # ------------------------------------------------------------------------------------------------ values

    @functools.cached_property
    def variables(self) -> dict[str, ValueSummary]:
        """What is known of the variables of the failing code."""
        frame = innermost(self.failure)
        known = (*self.failure.situation.values, *(frame.variables if frame else ()))
        return {variable.name: variable for variable in known}

    def type(self, node: ast.AST) -> str:
        """The short name of an expression's type, `str`, `datetime.datetime`; empty if it is not known."""
        return type_of(node, self.variables)

    def value(self, node: ast.AST) -> Any:
        """The plain value of an expression, or `UNKNOWN`."""
        return value_of(node, self.variables)

    def members(self, node: ast.AST) -> list[Any]:
        """The first members of a list, tuple, set or dict (its keys), as far as they are plain values."""
        return members(node, self.variables)

    def first_items(self, node: ast.AST) -> Any:
        """The value of an expression, of which only the beginning may be known; else `UNKNOWN`."""
        return first_items(node, self.variables)

    def sample(self, node: ast.AST, comprehension: ast.comprehension) -> Any:
        """The plain value of an expression for the first item of a comprehension, or `UNKNOWN`."""
        first = next(iter(self.members(comprehension.iter)), UNKNOWN)
        target = comprehension.target
        if first is UNKNOWN or not isinstance(target, ast.Name):
            return UNKNOWN
        return value_of(node, {**self.variables, target.id: ValueSummary(target.id, "", repr(first))})

    def summary(self, node: ast.AST) -> ValueSummary | None:
        """What is known of a variable."""
        return self.variables.get(node.id) if isinstance(node, ast.Name) else None

    def item_of(self, loop: ast.For | ast.comprehension) -> Any:
        """The first item of what a loop goes over, if it is a plain value."""
        return next(iter(self.members(loop.iter)), UNKNOWN)

    def free(self, *builtins: str) -> bool:
        """Whether builtins still are what they were."""
        return not any(name in self.failure.situation.names or name in self.cell.bound for name in builtins)

    def fresh(self, *taken: str) -> str:
        """A name for the variable of a comprehension that nothing else has."""
        used = {node.id for node in self.cell.every(ast.Name)} | set(taken) | set(self.failure.situation.names)
        return next(name for name in ("x", "value", "item", "each", "one", "_x") if name not in used or name == "_x")

    def module(self, full: str) -> str | None:
        """The name by which the code knows a module, function or class: `np` for `numpy`; None if by none."""
        meant = self.failure.situation.meanings
        found = next((name for name, meaning in meant.items() if meaning == full and name[:1] != "_"), None)
        imported = (one for node in self.cell.every(ast.Import) for one in node.names)
        return found or next((one.asname or one.name for one in imported if one.name == full), None)

    @staticmethod
    def called(call: ast.Call) -> str:
        """The name of the function or method that is called; empty if it has none."""
        function = call.func
        return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")

    # ------------------------------------------------------------------------------------------------ text

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The raw text of a node."""
        return self.cell.text(node)

    def atom(self, node: ast.expr) -> str:
        """Its text, in round brackets where something that binds tighter follows."""
        text = self.cell.text(node)
        return text if isinstance(node, _ATOMS) or (text.startswith("(") and text.endswith(")")) else f"({text})"

    def sound(self, node: ast.AST) -> bool:
        """Whether a node's place is right: inside of f-strings Python before 3.12 is not exact."""
        if not isinstance(node, ast.expr) or not self.cell.every(ast.JoinedStr):
            return True
        if not any(isinstance(one, ast.JoinedStr) for one in self.above(node)):
            return True
        return _same(self.cell.text(node), node)

    def wrap(self, node: ast.expr, before: str, after: str = ")") -> list[SpanEdit]:
        """Put text around an expression."""
        start, end = self.cell.span(node)
        source = self.cell.source
        if self._shares_brackets(node) and before.endswith("(") and after == ")":
            return [SpanEdit(start, end, f"({before[:-1]}{source[start:end]})")]
        bracketed = source[:start].endswith("(") and source.startswith(")", end)
        call = isinstance(self.parent(node), ast.Call)
        if bracketed and not call and after == ")" and before.endswith("(") and before[:-1].isidentifier():
            return [SpanEdit(start - 1, start - 1, before[:-1])]
        return [SpanEdit(start, end, f"{before}{source[start:end]}{after}")]

    def replace(self, node: ast.expr | ast.stmt, text: str) -> list[SpanEdit]:
        """Put text in the place of a node."""
        return [SpanEdit(*self.cell.span(node), f"({text})" if self._shares_brackets(node) else text)]

    def _shares_brackets(self, node: ast.AST) -> bool:
        """Whether a node's round brackets are those of the call that it is given to: `max(x for x in y)`."""
        call = self.parent(node)
        if not isinstance(node, ast.GeneratorExp) or not isinstance(call, ast.Call) or len(call.args) != 1:
            return False
        return self.cell.span(call.func)[1] == self.cell.span(node)[0]

    def parameter(self, node: ast.AST) -> bool:
        """Whether a name is a parameter of the function that it is in."""
        scope = self.scope(node)
        given = scope.args if isinstance(scope, _Functions) else None
        return given is not None and any(
            isinstance(node, ast.Name) and one.arg == node.id for one in ast.walk(given) if isinstance(one, ast.arg)
        )

    def insert_above(self, statement: ast.stmt, line: str) -> list[SpanEdit]:
        """Add a line of code above a statement, as far to the right as it stands."""
        start = self.cell.offset(statement.lineno, 0)
        column = self.cell.span(statement)[0]
        indent = self.cell.source[start:column]
        if indent.strip():
            return [SpanEdit(column, column, f"{line}; ")]
        return [SpanEdit(start, start, f"{indent}{line}{self.cell.newline}")]

    def insert_below(self, statement: ast.stmt, line: str) -> list[SpanEdit]:
        """Add a line of code below a statement."""
        start, end = self.cell.span(statement)
        indent = self.cell.source[self.cell.offset(statement.lineno, 0) : start]
        if indent.strip():
            return [SpanEdit(end, end, f"; {line}")]
        return [SpanEdit(end, end, f"{self.cell.newline}{indent}{line}")]

    def propose(
        self, edits: Iterable[SpanEdit], why: str, rule: str, prior: float, *, imports: tuple[str, ...] = ()
    ) -> Iterator[Proposal]:
        """The cell with the edits, if it compiles then; with import statements added."""
        source = apply(self.cell.source, edits)
        if imports:
            edited = read(source)
            if edited.tree is None:
                return
            source = apply(source, [import_edit(edited, list(imports))])
        if source != self.cell.source and read(source).tree is not None:
            yield Proposal(source, why, rule, prior)


def reading(failure: Failure) -> Reading | None:
    """The failure's cell read; None if it does not compile, or the failing code is not in it."""
    cell = failing_cell(failure)
    return None if cell is None else Reading(failure, cell)


def short(text: str, most: int = 40) -> str:
    """A text that fits into a sentence."""
    return text if len(text) <= most else text[: most - 1] + "…"


@working_cache(maxsize=64)
def _parsed(text: str) -> str:
    try:
        return ast.dump(expression(text))
    except (SyntaxError, ValueError):
        return ""


def _same(text: str, node: ast.AST) -> bool:
    return _parsed(text) == ast.dump(node).replace("Store()", "Load()")


def _span(node: ast.AST) -> tuple[Any, ...]:
    return tuple(getattr(node, name, None) for name in ("lineno", "end_lineno", "col_offset", "end_col_offset"))
