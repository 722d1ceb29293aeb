"""From code to a pattern: what stands before and after alike, and is the notebook's own, becomes a hole."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Sequence

from reflex_ipython.base.tree_copy import copied
from reflex_ipython.propose.recall.holes import HOLE, REST, hole, is_hole, key, meaning_hole

_GONE = 90
"""The number of the first hole for an argument that is left out afterwards, whatever it was."""


class LessonPattern:
    """The holes of one lesson.

    Parameters
    ----------
    after : sequence of AST
        All code that is put in: only what is still there can be a hole.
    meanings : dict of str to str
        What the names of the situation stand for, `np` for `numpy`.
    stays : frozenset of str
        Names that are the same in every notebook.
    whole : bool
        Whether nothing changes of what is looked for: then its structure says what is looked for, and stays.
    """

    def __init__(
        self, after: Sequence[ast.AST], meanings: dict[str, str], stays: frozenset[str], *, whole: bool
    ) -> None:
        self._kept = Counter(key(each) for node in after for each in ast.walk(node) if isinstance(each, ast.expr))
        self._meanings = meanings
        self._stays = stays
        self._whole = whole
        self._holes: dict[str, ast.Name] = {}

    def before(self, node: ast.AST) -> ast.AST:
        """The pattern of what is looked for."""
        if isinstance(node, (ast.Name, ast.Constant)):
            return _Before(self).visit(node)
        return _Before(self).generic_visit(copied(node))

    def after(self, node: ast.AST) -> ast.AST:
        """The pattern of what is put in: with the same holes."""
        return _After(self).visit(copied(node))

    def hole(self, node: ast.expr) -> ast.Name:
        """The hole for some code, a new one if it has none yet."""
        return self._holes.setdefault(key(node), hole(len(self._holes) + 1))

    def filled(self, node: ast.AST) -> ast.Name | None:
        """The hole that stands for some code."""
        return self._holes.get(key(node)) if isinstance(node, ast.expr) else None

    def name(self, node: ast.Name) -> ast.Name:
        """A name as it stands in what is looked for."""
        known = self.known_name(node)
        if known is not None:
            return known
        return self.hole(node) if self._kept[key(node)] else node

    def known_name(self, node: ast.Name) -> ast.Name | None:
        """A name that means the same everywhere, as it stands in patterns; None if it is the notebook's own."""
        meaning = self._meanings.get(node.id)
        if meaning and not meaning.startswith("__main__"):
            return ast.Name(meaning_hole(meaning), ast.Load())
        same = hasattr(builtins, node.id) or node.id in self._stays or node.id == REST or is_hole(node)
        return node if same else None

    def can_be_a_hole(self, node: ast.expr) -> bool:
        """Whether it is still there afterwards, as a whole, and is the notebook's own: `np.float64` is not."""
        times = self._kept[key(node)]
        if not times or isinstance(node, (ast.Starred, ast.Slice)):
            return False
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (str, int, float, complex)) and not isinstance(node.value, bool)
        if self._whole:
            return False
        leaves = [each for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Constant))]
        own = [each for each in leaves if isinstance(each, ast.Constant) or self.known_name(each) is None]
        parts = Counter(key(each) for each in own)
        return bool(own) and all(self._kept[part] == count * times for part, count in parts.items())


class _Before(ast.NodeTransformer):
    def __init__(self, pattern: LessonPattern) -> None:
        self._pattern = pattern

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Name):
            return self._pattern.name(node)
        if isinstance(node, ast.expr) and self._pattern.can_be_a_hole(node):
            return self._pattern.hole(node)
        return node if isinstance(node, ast.JoinedStr) else self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # which method it is says the most
            node.func = super().generic_visit(node.func)  # type: ignore[assignment]  # it stays an attribute
            node.args = [self.visit(each) for each in node.args]  # type: ignore[misc]  # and expressions stay such
            node.keywords = [super(_Before, self).generic_visit(each) for each in node.keywords]  # type: ignore[misc]
            return node
        return super().generic_visit(node)


class _After(ast.NodeTransformer):
    def __init__(self, pattern: LessonPattern) -> None:
        self._pattern = pattern

    def visit(self, node: ast.AST) -> ast.AST:
        filled = self._pattern.filled(node)
        if filled is not None:
            return filled
        if isinstance(node, ast.Name):
            return self._pattern.known_name(node) or node
        return node if isinstance(node, ast.JoinedStr) else self.generic_visit(node)


def with_rest(old: ast.Call, new: ast.Call) -> tuple[ast.Call, ast.Call] | None:
    """Two calls of one function without the arguments that are the same in both and have nothing to do with the others.

    None if those are calls of different functions.
    """
    if key(old.func) != key(new.func):
        return None
    same = {key(each) for each in old.keywords} & {key(each) for each in new.keywords}
    changed = [each for call in (old, new) for each in call.keywords if key(each) not in same]
    same_places = list(map(key, old.args)) == list(map(key, new.args))
    concerned = _leaves([*changed, *([] if same_places else [*old.args, *new.args])])
    explicit = not same_places or bool(_leaves(old.args) & concerned)
    rest = ast.Name(REST, ast.Load())
    still_given = {each.arg for each in new.keywords} | {key(each.value) for each in new.keywords}

    def is_gone(keyword: ast.keyword) -> bool:
        return keyword.arg not in still_given and key(keyword.value) not in still_given

    def reduced(call: ast.Call) -> ast.Call:
        keywords = [each for each in call.keywords if key(each) not in same or _leaves([each]) & concerned]
        if call is old:
            numbered = enumerate(keywords, _GONE)
            keywords = [ast.keyword(each.arg, hole(number)) if is_gone(each) else each for number, each in numbered]
        places: list[ast.expr] = call.args if explicit else [ast.Starred(rest, ast.Load())]
        return ast.Call(call.func, places, [*keywords, *([ast.keyword(None, rest)] if explicit else [])])

    return reduced(old), reduced(new)


def _leaves(nodes: Iterable[ast.AST]) -> set[str]:
    """What code says of its own: names and values."""
    found = [each for node in nodes for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Constant))]
    return {key(each) for each in found if not (isinstance(each, ast.Name) and hasattr(builtins, each.id))}


def said(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that code says other than by a name that is read or assigned: what an import binds, say."""
    found: set[str] = set()
    for node in (each for one in nodes for each in ast.walk(one)):
        if isinstance(node, ast.alias):
            found |= {node.name.partition(".")[0], node.name, node.asname or ""}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            found.add(node.name)
    return frozenset(found)


def is_anchored(pattern: ast.AST) -> bool:
    """Whether something in a pattern is the same in every notebook, and not just any operator or loop."""
    return any(_anchors(node) for node in ast.walk(pattern))


def _anchors(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return not HOLE.fullmatch(node.id) and node.id != REST
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and len(node.value) > 1
    if isinstance(node, ast.keyword):
        return node.arg is not None
    return isinstance(node, (ast.Attribute, ast.Import, ast.ImportFrom, ast.FunctionDef))


def fills_all(put_in: Iterable[ast.AST], looked_for: ast.AST) -> bool:
    """Whether every hole of what is put in can be filled from what is looked for."""
    given = {each.id for each in ast.walk(looked_for) if isinstance(each, ast.Name)}
    holes = (each for node in put_in for each in ast.walk(node) if isinstance(each, ast.Name) and is_hole(each))
    return all(each.id in given for each in holes)
