"""What is new in a text: parts of the new syntax tree that the old one has not, or has less often."""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

from reflex_ipython.base.spans import LINE_END, first_line
from reflex_ipython.base.working_cache import working_cache
from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Fix

N = TypeVar("N", bound=ast.AST)

_CLOSE, _CLOSE_AND_SHORT, _SHORT = 75, 60, 6  # so similar in per cent are a misspelt word and the right one
_NAME = re.compile(r"\w+")
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclasses.dataclass(frozen=True)
class Change:
    """A cell before and after."""

    old: ParsedCell
    new: ParsedCell

    def added(self, kind: type[N], key: Callable[[N], Hashable | None]) -> Iterator[N]:
        """The nodes of a kind whose key the old text has less often; those with the key None are left out."""
        before = Counter(key(node) for node in self.old.nodes() if isinstance(node, kind))
        for node in self.new.nodes():
            if isinstance(node, kind) and (found := key(node)) is not None:
                before[found] -= 1
                if before[found] < 0:
                    yield node

    def is_new_text(self, text: str) -> bool:
        """Whether the old cell has no such string, nor one that this could be the corrected spelling of."""
        return not any(is_respelt(old, text) for old in self._old_texts)

    @functools.cached_property
    def _old_texts(self) -> list[str]:
        return [value for node in self.old.nodes() if isinstance(value := getattr(node, "value", None), str)]


@working_cache(maxsize=16)  # several checkers ask
def changed_parts(change: Change) -> Change:
    """The change without the statements that both sides have, but for those that use a name that is bound anew.

    So what is looked for costs what the change is long, not what the cell is.
    """
    if change.old.tree is None or change.new.tree is None:
        return change
    old, new = ({id(each): text for each, text in top_level(cell)} for cell in (change.old, change.new))
    gone, come = Counter(old.values()) - Counter(new.values()), Counter(new.values()) - Counter(old.values())
    bound = {name for each in change.new.tree.body if new[id(each)] in come for name in _bound(each)}
    return Change(_kept(change.old, old, gone, bound), _kept(change.new, new, come, bound))


def top_level(cell: ParsedCell) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of a cell that parses, each with the lines on which it stands."""
    assert cell.tree is not None
    lines = LINE_END.split(unicodedata.normalize("NFKC", cell.source))
    for each in cell.tree.body:
        yield each, "\n".join(lines[first_line(each) - 1 : each.end_lineno])


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds or imports; `*` for all."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name


def _kept(cell: ParsedCell, texts: dict[int, str], changed: Counter[str], bound: set[str]) -> ParsedCell:
    assert cell.tree is not None
    body = [
        each
        for each in cell.tree.body
        if texts[id(each)] in changed or "*" in bound or not bound.isdisjoint(_NAME.findall(texts[id(each)]))
    ]
    return dataclasses.replace(cell, tree=ast.Module(body, []))


def is_respelt(old: str, new: str) -> bool:
    """Whether one text is the other, but for words that were misspelt: nothing comes in, nothing goes."""
    if old == new:
        return True
    before, after = _WORD.findall(old), _WORD.findall(new)
    if len(before) == 1 or len(after) == 1:
        return len(before) == len(after) and _close(old, new)
    return len(before) == len(after) and all(map(_close, before, after))


def _close(old: str, new: str) -> bool:
    if old == new:
        return True
    enough = _CLOSE_AND_SHORT if len(new) < _SHORT else _CLOSE
    from rapidfuzz.fuzz import ratio  # imported with the first fix, not at load

    return bool(ratio(new, old) >= enough)


def changes(fix: Fix) -> list[Change]:
    """Each cell of a fix before and after."""
    return [Change(read(edit.expected), read(edit.source)) for edit in fix.edits]


def runs(fix: Fix) -> list[Change]:
    """All that runs: the same, and the cells that run first. Those count as new: what they do may not be done twice."""
    first = {step.cell for step in fix.runs_first}
    edits = [edit for edit in fix.edits if edit.target not in first]
    return [
        *(Change(read(""), read(step.source)) for step in fix.runs_first),
        *(Change(read(edit.expected), read(edit.source)) for edit in edits),
    ]


def texts(node: ast.AST) -> list[str]:
    """The string constants inside a node."""
    found = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return [value for value in found if isinstance(value, str)]
