"""A failure of the scientific libraries as rules see it: the failing code, and what is known of the values in it."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.models import Failure, Frame, ValueSummary
from reflex_ipython.propose.home import innermost
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.statements import failing_cell, failing_line, failing_nodes, statement_at

N = TypeVar("N", bound=ast.AST)

_ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.JoinedStr)
_COLUMN = re.compile(r"^('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[-\w.]+): (.*)$", re.M)
_VALUE = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_SHAPE = re.compile(r"^(?:array|tensor), shape \(([\d, ]*)\)")
_FRAME = re.compile(r"^DataFrame, ([\d,]+) rows? × ([\d,]+) columns?")
_LENGTH = re.compile(r"^(?:Series|[\w.]+) of ([\d,]+)")
_MESSAGE = 3_000  # characters of a message that are looked at


@dataclass(frozen=True)
class Scene:
    """The failing code of a cell that compiles, and the facts about it."""

    failure: Failure
    cell: Cell

    @functools.cached_property
    def nodes(self) -> list[ast.AST]:
        """The nodes of the failing statement that stand where the tree says."""
        nodes = failing_nodes(self.failure, self.cell)
        # Before Python 3.12 the tree does not tell the places of what stands inside an f-string.
        inside = {
            id(part)
            for node in nodes
            if isinstance(node, ast.JoinedStr)
            for value in node.values
            for part in ast.walk(value)
        }
        return [node for node in nodes if id(node) not in inside]

    def every(self, kind: type[N]) -> list[N]:
        """The failing nodes of one type, in the order of the text."""
        found = [node for node in self.nodes if isinstance(node, kind)]
        return sorted(found, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))

    def calls(self, *names: str) -> list[ast.Call]:
        """The failing calls of functions or methods with one of these names; all of them if none is named."""
        return [node for node in self.every(ast.Call) if not names or called(node) in names]

    def loops(self, *, failing: bool = False) -> list[ast.For | ast.comprehension]:
        """The loops and comprehensions of the cell, or of the failing statement only."""
        nodes = self.nodes if failing else self.cell.nodes()
        return [node for node in nodes if isinstance(node, (ast.For, ast.comprehension))]

    def statement(self) -> ast.stmt | None:
        """The innermost statement that failed."""
        return statement_at(self.cell, failing_line(self.failure))

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node."""
        return self.cell.text(node)

    def operand(self, node: ast.expr) -> str:
        """The text of a node, in brackets where something that binds more tightly may follow."""
        text = self.text(node)
        bare = isinstance(node, _ATOMS) or (isinstance(node, ast.Constant) and not isinstance(node.value, (int, float)))
        return text if bare or (isinstance(node, ast.Tuple) and text.startswith("(")) else f"({text})"

    def put(self, node: ast.expr | ast.stmt, text: str) -> SpanEdit:
        """The edit that replaces a node."""
        return SpanEdit(*self.cell.span(node), text)

    def after(self, node: ast.expr, text: str) -> SpanEdit:
        """The edit that adds a text behind a node, which is put in brackets if it must be."""
        bare = self.operand(node)
        return self.put(node, bare + text)

    def argument(self, call: ast.Call, text: str) -> SpanEdit:
        """The edit that adds an argument to a call."""
        end = self.cell.span(call)[1] - 1
        given = [*map(self.cell.span, call.args), *map(self.cell.span, call.keywords)]
        if not given:
            return SpanEdit(end, end, text)
        last = max(given)[1]
        return SpanEdit(last, last, f", {text}")

    def without(self, call: ast.Call, argument: ast.keyword | ast.expr) -> SpanEdit:
        """The edit that takes an argument out of a call, with the comma that belongs to it."""
        return self.cell.without(call, argument)

    def line_above(self, statement: ast.stmt, text: str) -> SpanEdit:
        """The edit that adds a line of code in front of a statement."""
        start = self.cell.span(statement)[0]
        line = self.cell.starts[self.cell.lineno(start) - 1]
        indent = self.cell.source[line:start]
        if indent.strip():
            return SpanEdit(start, start, f"{text}; ")
        return SpanEdit(start, start, f"{text}{self.cell.newline}{indent}")

    def proposal(self, edits: Iterable[SpanEdit], why: str, rule: str, prior: float) -> Proposal:
        """The proposal of some edits."""
        return Proposal(apply(self.cell.source, edits), why, rule, prior)

    def module(self, module: str) -> tuple[str, list[SpanEdit]]:
        """What the module is called here, and the import that it takes."""
        for name, meaning in self.failure.situation.meanings.items():
            if meaning == module:
                return name, []
        usual = {"numpy": "np", "pandas": "pd", "matplotlib.pyplot": "plt"}.get(module)
        if usual is None:
            return module, [import_edit(self.cell, [f"import {module}"])]
        if usual in self.failure.situation.names and usual not in self.failure.situation.meanings:
            return usual, []
        return usual, [import_edit(self.cell, [f"import {module} as {usual}"])]

    def meaning(self, node: ast.expr) -> str:
        """What a name or a dotted name stands for, as far as that is known: `numpy.float64` for `np.float64`."""
        if isinstance(node, ast.Name):
            return self.failure.situation.meanings.get(node.id, "")
        if isinstance(node, ast.Attribute):
            inner = self.meaning(node.value)
            return f"{inner}.{node.attr}" if inner else ""
        return ""

    # ------------------------------------------------------------------------------------------------ values

    @functools.cached_property
    def _values(self) -> dict[str, ValueSummary]:
        frame = innermost(self.failure)
        own: tuple[Frame, ...] = () if frame is None else (frame,)
        known = [*self.failure.situation.values, *(value for one in own for value in one.variables)]
        return {value.name: value for value in known}

    def value(self, node: ast.expr | str) -> ValueSummary | None:
        """What is known of a variable."""
        name = node if isinstance(node, str) else node.id if isinstance(node, ast.Name) else ""
        return self._values.get(name)

    def type(self, node: ast.expr | str) -> str:
        """The last word of a variable's type; empty if it is not known."""
        value = self.value(node)
        return value.type.rpartition(".")[2] if value else ""

    def columns(self, node: ast.expr | str) -> dict[str, str]:
        """What is told of each column of a table: its dtype, its first values."""
        value = self.value(node)
        if value is None or not value.text.startswith("DataFrame"):
            return {}
        rows = value.text.split("\n", 2)[2:]
        return {_unquoted(name): facts for name, facts in _COLUMN.findall(rows[0] if rows else "")}

    def column(self, node: ast.expr) -> str:
        """What is told of a column or a Series: `int64; 1, 2, 3`; empty if nothing is."""
        if isinstance(node, ast.Name):
            value = self.value(node)
            lines = value.text.split("\n") if value and value.text.startswith("Series") else []
            return lines[2] if len(lines) > 2 else ""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self.columns(node.value).get(str(node.slice.value), "")
        if isinstance(node, ast.Attribute):
            return self.columns(node.value).get(node.attr, "")
        return ""

    def dtype(self, node: ast.expr) -> str:
        """The dtype of a column, a Series or an array; empty if it is not known."""
        found = (
            re.search(r"; dtype (\w+)", value.text) if (value := self.value(node)) and value.kind == "array" else None
        )
        return found[1] if found else self.column(node).partition(";")[0].strip()

    def samples(self, node: ast.expr) -> list[str]:
        """The first texts of a column."""
        return [one or other for one, other in _VALUE.findall(self.column(node))]

    def is_column(self, node: ast.expr) -> bool:
        """Whether it is known to be a column or a Series."""
        return bool(self.column(node)) or self.type(node) == "Series"

    def is_table(self, node: ast.expr) -> bool:
        """Whether it is known to be a DataFrame, or one that is cut from one: `df[["a", "b"]]`."""
        if isinstance(node, ast.Subscript):
            return self.is_table(node.value) and isinstance(node.slice, (ast.List, ast.Compare, ast.BinOp, ast.BoolOp))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr in ("drop", "dropna", "copy", "fillna", "head", "sample") and self.is_table(
                node.func.value
            )
        return self.type(node) == "DataFrame"

    def shape(self, node: ast.expr) -> tuple[int, ...] | None:
        """The shape of a variable, or of the column of one; None if it is not known."""
        value = self.value(node)
        if value is None:
            owner = node.value if isinstance(node, (ast.Subscript, ast.Attribute)) else None
            table = self.shape(owner) if owner is not None and self.column(node) else None
            return table[:1] if table else None
        if found := _SHAPE.match(value.text):
            return tuple(int(one) for one in found[1].split(",") if one.strip())
        if found := _FRAME.match(value.text):
            return int(found[1].replace(",", "")), int(found[2].replace(",", ""))
        if found := _LENGTH.match(value.text):
            return (int(found[1].replace(",", "")),)
        return None


Answer = Callable[[Scene, "re.Match[str]"], Iterator[Proposal]]
"""What is proposed for a message."""


def answers(name: str, *messages: tuple[str, Answer]) -> Rule:
    """A rule that answers certain messages.

    Parameters
    ----------
    name : str
        The rule's name.
    messages : tuple of str and callable
        A pattern that the error's name and message together match, and what is proposed then.
    """
    known = [(re.compile(pattern, re.S), answer) for pattern, answer in messages]

    def rule(failure: Failure) -> Iterator[Proposal]:
        title = f"{failure.error.ename}: {failure.error.evalue[:_MESSAGE]}"
        scene: Scene | None = None
        for pattern, answer in known:
            found = pattern.search(title)
            if found is None:
                continue
            if scene is None:
                cell = failing_cell(failure)
                if cell is None:
                    return
                scene = Scene(failure, cell)
            yield from answer(scene, found)

    rule.__name__ = rule.__qualname__ = name
    return rule


def called(call: ast.expr) -> str:
    """The last word of what is called: `mean` for `df.groupby("a").mean()`."""
    node = call.func if isinstance(call, ast.Call) else call
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def owner_of(call: ast.Call) -> ast.expr | None:
    """What a method is called on; None for a plain function."""
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def keyword(call: ast.Call, *names: str) -> ast.keyword | None:
    """The keyword argument with one of these names."""
    return next((one for one in call.keywords if one.arg in names), None)


def chain(node: ast.expr) -> Iterator[ast.expr]:
    """The expression and what it is asked of in turn: `df.groupby("a").mean()`, `df.groupby("a")`, `df`."""
    while True:
        yield node
        inner = node.func if isinstance(node, ast.Call) else node
        if not isinstance(inner, (ast.Attribute, ast.Subscript)):
            return
        node = inner.value


@working_cache(maxsize=256)  # several rules of one failure ask for the same columns
def _unquoted(name: str) -> str:
    if name[:1] in "'\"":
        try:
            return str(literal_value(name))
        except (ValueError, SyntaxError):
            return name[1:-1]
    return name
