"""Putting a lesson into a cell: its pattern is found there, and what it becomes is written with the cell's own code."""

from __future__ import annotations

import ast
import builtins
import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import SpanEdit, apply, first_line
from reflex_ipython.models import Failure, Lesson
from reflex_ipython.propose.recall.holes import HOLE, is_hole, meaning_of
from reflex_ipython.propose.recall.matching import Match
from reflex_ipython.propose.recall.place import failing_statements
from reflex_ipython.propose.rules.cell import Cell, read

_ATOMS = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp)
_NAMES = ("id", "attr", "arg", "name", "asname")
"""Fields of a syntax tree that hold a name; a dotted one stands in an import."""
_PLACES = 2
"""So many places of a statement are tried: where the pattern is found more often, it says too little."""


def rewritten(failure: Failure, lesson: Lesson) -> Iterator[str]:
    """The cell's new texts by a lesson; none where its pattern is not found, or can't be filled here."""
    cell, statements = failing_statements(failure)
    before, after = read(lesson.before).tree, read(lesson.after).tree
    if cell.tree is None or not statements or before is None or after is None:
        return
    text = cell.source if cell.source.isascii() else unicodedata.normalize("NFKC", cell.source)  # as Python reads it
    if not all(name in text for name in named(lesson.before)):
        return
    scope = statements[:1] if lesson.here else [each for each in cell.tree.body if each not in statements]
    found = list(_found(before, cell, scope, failure))
    for node, match in sorted(found, key=lambda one: not _fails(one[0], failure))[:_PLACES]:
        new = _Written(failure, cell, match).cell(node, statement_of(cell, node), after)
        if new is not None and new != cell.source and read(new).tree is not None:
            yield new


def statement_of(cell: Cell, node: ast.AST) -> ast.stmt:
    """The innermost statement that a node is a part of."""
    return (
        node if isinstance(node, ast.stmt) else next(each for each in cell.around(node) if isinstance(each, ast.stmt))
    )


def _found(
    before: ast.Module, cell: Cell, scope: Sequence[ast.stmt], failure: Failure
) -> Iterator[tuple[ast.AST, Match]]:
    """Where the pattern stands in these statements of the cell, in their order, in each from the outside inwards."""
    [pattern] = before.body if len(before.body) == 1 else [None]
    wanted = pattern.value if isinstance(pattern, ast.Expr) else pattern
    if wanted is None:
        return
    order = {statement: place for place, statement in enumerate(scope)}
    found: list[tuple[int, ast.AST, Match]] = []
    kind = ast.expr if is_hole(wanted) else type(wanted)
    all_of_kind = cell.nodes() if is_hole(wanted) else cell.every(type(wanted))
    for node in ast.walk(scope[0]) if len(scope) == 1 else all_of_kind:
        if not isinstance(node, kind):
            continue
        match = Match(failure.situation.meanings)
        if match.matches(wanted, node):
            around = (node, *cell.around(node))
            found += [(order[each], node, match) for each in around if isinstance(each, ast.stmt) and each in order]
    yield from ((node, match) for _, node, match in sorted(found, key=lambda one: one[0]))


@functools.lru_cache(maxsize=1_000)
def named(pattern: str) -> frozenset[str]:
    """The names that code has in it, letter for letter, wherever that pattern is found."""
    tree = read(pattern).tree
    names = [
        name
        for node in (ast.walk(tree) if tree is not None else ())
        for field, value in ast.iter_fields(node)
        if field in _NAMES and isinstance(value, str)
        for name in value.split(".")
    ]
    return frozenset(name for name in names if name.isascii() and not name.startswith("__"))


def _fails(node: ast.AST, failure: Failure) -> bool:
    """Whether the failing expression is in a node, or the other way round."""
    span = next((frame.span for frame in failure.error.frames if frame.cell == failure.situation.cell), None)
    if span is None or not isinstance(node, (ast.expr, ast.stmt)):
        return True
    start, end = (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)
    failing = (span[0], span[2]), (span[1], span[3])
    return (start <= failing[0] and failing[1] <= end) or (failing[0] <= start and end <= failing[1])


class _Written:
    """The text of what is put in."""

    def __init__(self, failure: Failure, cell: Cell, match: Match) -> None:
        self._situation = failure.situation
        self._cell = cell
        self._match = match
        self._quote = '"' if cell.source.count('"') >= cell.source.count("'") else "'"

    def cell(self, node: ast.AST, statement: ast.stmt, after: ast.Module) -> str | None:
        """The cell's new text; None if a hole can't be filled, or a name is not there."""
        assert isinstance(node, (ast.expr, ast.stmt))
        *prelude, last = after.body
        texts = [self._text(each) for each in (*prelude, last)]
        if None in texts or not self._names_are_there(after):
            return None
        start, end = self._cell.span(node)
        texts[-1] = self._fitting(str(texts[-1]), node)
        edits = [] if texts[-1] == self._cell.source[start:end] else [SpanEdit(start, end, str(texts[-1]))]
        for each, text in zip(prelude, texts):
            edits.append(self._line(each, statement, str(text)))
        return apply(self._cell.source, _merged(edits))

    def _line(self, put_in: ast.stmt, statement: ast.stmt, text: str) -> SpanEdit:
        """A statement of its own: imports in front of all, others in front of the statement."""
        tree = self._cell.tree
        assert tree is not None
        where = tree.body[0] if isinstance(put_in, (ast.Import, ast.ImportFrom)) else statement
        lineno = first_line(where)
        line = self._cell.line(lineno)
        indent = line[: len(line) - len(line.lstrip())]
        lines = "".join(f"{indent}{each}{self._cell.newline}" for each in text.split("\n"))
        at = self._cell.starts[lineno - 1]
        return SpanEdit(at, at, lines)

    def _fitting(self, text: str, node: ast.AST) -> str:
        """In brackets where the operators around it would take it apart."""
        parent = self._cell.parent(node)
        new = read(text).tree
        value = new.body[0].value if new is not None and new.body and isinstance(new.body[0], ast.Expr) else None
        tight = isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute, ast.BoolOp, ast.Await))
        tight = tight or node in (getattr(parent, "func", None), isinstance(parent, ast.Subscript) and parent.value)
        return f"({text})" if value is not None and tight and not isinstance(value, (*_ATOMS, ast.Constant)) else text

    def _text(self, pattern: ast.stmt) -> str | None:
        text = ast.unparse(pattern)
        if self._quote == '"':
            text = re.sub(r"'([^'\"\\\n]*)'", r'"\1"', text)
        text = self._with_rest(text)
        loose = {each.id for each in _standing_alone(pattern)}
        try:
            text = HOLE.sub(lambda found: self._filled(found[0], found[0] in loose), text)
            return re.sub(r"__is_[\w·]+", lambda found: self._named(meaning_of(found[0])), text)
        except KeyError:
            return None

    def _with_rest(self, text: str) -> str:
        rest = ", ".join(self._source(each) for each in self._match.rest)
        if rest:
            return re.sub(r"\*{1,2}__rest", lambda found: rest, text)
        return re.sub(r"\*{1,2}__rest, |(?:, )?\*{1,2}__rest", "", text)

    def _filled(self, hole: str, alone: bool) -> str:
        code = self._match.holes[hole]
        text = self._source(code)
        simple = isinstance(code, _ATOMS) or (isinstance(code, ast.Constant) and isinstance(code.value, str))
        return text if alone or simple else f"({text})"

    def _named(self, meaning: str) -> str:
        """The name that a module has here; of a module that has none yet, the lesson brings the import along."""
        return {known: name for name, known in self._match.meanings.items()}[meaning]

    def _source(self, node: ast.expr | ast.keyword) -> str:
        start, end = self._cell.span(node)
        return self._cell.source[start:end]

    def _names_are_there(self, after: ast.Module) -> bool:
        """Whether each name that is put in is known here."""
        bound = {each.id for each in ast.walk(after) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        bound |= {each.arg for each in ast.walk(after) if isinstance(each, ast.arg)}
        for node in ast.walk(after):
            if isinstance(node, ast.alias):
                bound.add((node.asname or node.name).partition(".")[0])
        known = {*self._situation.names, *self._cell.bound, *bound}
        used = [each.id for each in ast.walk(after) if isinstance(each, ast.Name) and not each.id.startswith("__")]
        return all(name in known or hasattr(builtins, name) for name in used)


def _standing_alone(pattern: ast.stmt) -> Iterator[ast.Name]:
    """The holes around which no operator stands."""
    for node in ast.walk(pattern):
        if isinstance(node, ast.Call):
            yield from (
                each for each in [*node.args, *(one.value for one in node.keywords)] if isinstance(each, ast.Name)
            )
        elif isinstance(node, (ast.Assign, ast.Expr, ast.Return)) and isinstance(node.value, ast.Name):
            yield node.value
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            yield node.slice
        elif isinstance(node, (ast.List, ast.Dict)):
            yield from (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.Name))


def _merged(edits: list[SpanEdit]) -> list[SpanEdit]:
    """The edits, those that put something in at one place as one."""
    merged: dict[tuple[int, int], str] = {}
    for edit in edits:
        merged[edit.start, edit.end] = merged.get((edit.start, edit.end), "") + edit.text
    return [SpanEdit(start, end, text) for (start, end), text in merged.items()]
