"""What is new in a text: parts of the new syntax tree that the old one has not, or has less often."""

from __future__ import annotations

import ast
import difflib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from reflex_ipython.check.cell import Cell, read
from reflex_ipython.models import Fix

N = TypeVar("N", bound=ast.AST)

_CLOSE, _CLOSE_AND_SHORT, _SHORT = 0.75, 0.6, 6  # so similar are a misspelt word and the right one


@dataclass(frozen=True)
class Change:
    """A cell before and after."""

    old: Cell
    new: Cell

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
        olds = [value for node in self.old.nodes() if isinstance(value := getattr(node, "value", None), str)]
        enough = _CLOSE_AND_SHORT if len(text) < _SHORT else _CLOSE
        return not any(text == old or difflib.SequenceMatcher(None, text, old).ratio() >= enough for old in olds)


def changes(fix: Fix) -> list[Change]:
    """Each cell of a fix before and after."""
    return [Change(read(edit.expected), read(edit.source)) for edit in fix.edits]


def texts(node: ast.AST) -> list[str]:
    """The string constants inside a node."""
    found = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return [value for value in found if isinstance(value, str)]
