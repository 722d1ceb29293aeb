"""What was changed between two texts of a cell: one place of its tree, and the statements put in front of that."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from reflex_ipython.propose.recall.holes import key


@dataclass(frozen=True)
class StatementChange:
    """One statement that became another, or got company.

    Parameters
    ----------
    statement : stmt
        As it was.
    becomes : stmt
        As it is now; the same if statements were put in front of it alone.
    prelude : tuple of stmt
        What was put in front of it; imports, which may stand anywhere, come first.
    """

    statement: ast.stmt
    becomes: ast.stmt
    prelude: tuple[ast.stmt, ...]


@dataclass(frozen=True)
class _Region:
    old: list[ast.stmt]
    new: list[ast.stmt]
    follows: ast.stmt | None
    """The old statement that stands behind it in the same block."""


def change(old: ast.Module, new: ast.Module, failing: ast.stmt | None) -> StatementChange | None:
    """What was changed; None if that is more than one place, or statements are gone."""
    regions = list(_regions(old.body, new.body))
    imports = [each for region in regions if not region.old for each in region.new if _is_import(each)]
    others = [region for region in regions if region.old or any(not _is_import(each) for each in region.new)]
    if not others and imports and failing is not None:
        return StatementChange(failing, failing, tuple(imports))
    if len(others) != 1:
        return None
    [region] = others
    if len(region.old) == 1 and region.new:
        front = [*imports, *sorted(region.new[:-1], key=lambda each: not _is_import(each))]
        return StatementChange(region.old[0], region.new[-1], tuple(front))
    if not region.old and region.follows is not None and region.follows is failing:
        front = [each for each in region.new if not _is_import(each)]
        return StatementChange(failing, failing, (*imports, *front))
    return None


def chain(old: ast.AST, new: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """The pairs of nodes from two statements down to the innermost ones that hold the whole difference."""
    pairs = [(old, new)]
    while (inner := _only_difference(*pairs[-1])) is not None:
        pairs.append(inner)
    return pairs


def _only_difference(old: ast.AST, new: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    if type(old) is not type(new):
        return None
    found: list[tuple[ast.AST, ast.AST]] = []
    for name in old._fields:
        before, after = getattr(old, name, None), getattr(new, name, None)
        if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
            pairs = list(zip(before, after))
        else:
            pairs = [(before, after)]
        for one, other in pairs:
            if isinstance(one, ast.AST) and isinstance(other, ast.AST):
                if key(one) != key(other):
                    found.append((one, other))
            elif one != other or type(one) is not type(other):
                return None
    return found[0] if len(found) == 1 else None


def _regions(old: list[ast.stmt], new: list[ast.stmt]) -> Iterator[_Region]:
    matcher = difflib.SequenceMatcher(None, [key(each) for each in old], [key(each) for each in new], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        follows = old[i2] if i2 < len(old) else None
        if tag == "replace" and i2 - i1 == j2 - j1:
            for before, after in zip(old[i1:i2], new[j1:j2]):
                yield from _inside(before, after, follows)
        else:
            yield _Region(old[i1:i2], new[j1:j2], follows)


def _inside(old: ast.stmt, new: ast.stmt, follows: ast.stmt | None) -> Iterator[_Region]:
    """The regions in the blocks of two statements that begin alike; else the two themselves."""
    if type(old) is type(new) and hasattr(old, "body") and _header(old) == _header(new):
        for name in ("body", "orelse", "finalbody"):
            yield from _regions(getattr(old, name, []), getattr(new, name, []))
    else:
        yield _Region([old], [new], follows)


def _header(statement: ast.stmt) -> list[str]:
    """What a compound statement is but for the blocks that are compared by themselves."""
    fields = [(name, getattr(statement, name, None)) for name in statement._fields]
    kept = [value for name, value in fields if name not in ("body", "orelse", "finalbody")]
    return [key(each) if isinstance(each, ast.AST) else repr(each) for each in _flat(kept)]


def _flat(values: list[object]) -> Iterator[object]:
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Import, ast.ImportFrom))
