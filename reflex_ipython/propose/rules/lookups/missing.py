"""A name or attribute that was looked up in vain, with the places of the failing cell where it is read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.misspelt_attribute import failing_accesses
from reflex_ipython.propose.rules.misspelt_name import replacements
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_line, failing_nodes, statement_at

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Missing:
    """What was looked up in vain.

    Parameters
    ----------
    failure : Failure
    lookup : Lookup
    cell : Cell
        The failing one, which compiles.
    """

    failure: Failure
    lookup: Lookup
    cell: Cell

    @property
    def wanted(self) -> str:
        """What was asked for."""
        return self.lookup.wanted

    @property
    def is_unassigned(self) -> bool:
        """Whether it is a local variable that has no value yet."""
        return self.failure.error.ename == "UnboundLocalError"

    def there(self, name: str) -> bool:
        """Whether a name means something of the user's."""
        return name in self.cell.bound or name in self.failure.situation.names

    def is_module(self, name: str, module: str) -> bool:
        """Whether the user's name stands for that module."""
        return self.failure.situation.meanings.get(name) == module

    def names_of(self, module: str) -> list[str]:
        """The user's names that stand for a module."""
        return [name for name, full in self.failure.situation.meanings.items() if full == module]

    def reads(self) -> list[ast.Name]:
        """Where the failing statement reads the missing name."""
        nodes = failing_nodes(self.failure, self.cell)
        return [
            node
            for node in nodes
            if isinstance(node, ast.Name) and node.id == self.wanted and not isinstance(node.ctx, ast.Store)
        ]

    def calls(self) -> list[ast.Call]:
        """The calls of the missing name anywhere in the cell."""
        return [
            node
            for node in self.cell.every(ast.Call)
            if isinstance(node.func, ast.Name) and node.func.id == self.wanted
        ]

    def function(self) -> Function | None:
        """The innermost function of the cell in which it failed."""
        line = failing_line(self.failure)
        around = [
            node
            for node in self.cell.nodes()
            if isinstance(node, Function) and line and node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        return around[-1] if around else None

    def statement(self) -> ast.stmt | None:
        """The innermost statement that failed."""
        return statement_at(self.cell, failing_line(self.failure))

    def outer_statement(self) -> ast.stmt | None:
        """The statement of the cell's top level that failed."""
        assert self.cell.tree is not None
        line = self.failure.lineno or 0
        found = (node for node in self.cell.tree.body if node.lineno <= line <= (node.end_lineno or node.lineno))
        return next(found, None)

    def renamed(self, word: str) -> list[SpanEdit]:
        """The edits that read another name instead: in the whole cell if the cell gives it no value, else here."""
        bound = self.wanted in self.cell.bound
        edits = replacements(self.cell, self.wanted, word, self.statement() if bound else None)
        return edits or []

    def changed(
        self, edits: Iterable[SpanEdit], why: str, rule: str, prior: float, imports: Iterable[str] = ()
    ) -> Iterator[Proposal]:
        """The cell with the edits made and the imports added, if it compiles and is another one then."""
        edits = [*edits]
        statements = [statement for statement in dict.fromkeys(imports) if statement]
        if statements:
            added = import_edit(self.cell, statements)
            here = [edit for edit in edits if edit.start == edit.end == added.start]
            # What is put in at the same place comes after the import.
            edits = [edit for edit in edits if edit not in here]
            edits.append(SpanEdit(added.start, added.end, added.text + "".join(edit.text for edit in here)))
        if any(after.start < before.end for before, after in zip(sorted(set(edits)), sorted(set(edits))[1:])):
            return
        source = apply(self.cell.source, edits)
        if edits and source != self.cell.source and read(source).tree is not None:
            yield Proposal(source, why, rule, prior)


def missing_name(failure: Failure) -> Missing | None:
    """The name that is not defined, if the failing cell's own code asked for it."""
    return _missing(failure, "name")


def missing_attribute(failure: Failure) -> Missing | None:
    """The attribute that is not there, if the failing cell's own code asked for it."""
    return _missing(failure, "attribute")


def accesses(missing: Missing) -> list[ast.Attribute]:
    """Where the cell asks the same expression for the missing attribute."""
    return failing_accesses(missing.failure, missing.cell)


def bound_names(statement: ast.stmt) -> set[str]:
    """The names that a statement of the top level sets there."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _missing(failure: Failure, kind: str) -> Missing | None:
    lookup = failure.lookup
    if lookup is None or lookup.kind != kind:
        return None
    cell = failing_cell(failure)
    return None if cell is None else Missing(failure, lookup, cell)
