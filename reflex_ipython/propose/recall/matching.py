"""Finding a pattern in code: what its holes stand for there."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from reflex_ipython.propose.recall.holes import is_hole, is_rest, key, meaning_of


@dataclass
class Match:
    """What the holes stand for.

    Parameters
    ----------
    meanings : dict of str to str
        What the names of the situation stand for.
    """

    meanings: dict[str, str]
    holes: dict[str, ast.expr] = field(default_factory=dict)
    rest: list[ast.expr | ast.keyword] = field(default_factory=list)

    def matches(self, pattern: object, code: object) -> bool:
        """Whether the code is an instance of the pattern; then the holes are filled."""
        if isinstance(pattern, list):
            if not isinstance(code, list) or len(pattern) != len(code):
                return False
            return all(self.matches(one, other) for one, other in zip(pattern, code))
        if not isinstance(pattern, ast.AST) or not isinstance(code, ast.AST):
            return pattern == code and type(pattern) is type(code)
        if isinstance(pattern, ast.Name):
            return self._name(pattern, code)
        if type(pattern) is not type(code):
            return False
        if isinstance(pattern, ast.Call) and isinstance(code, ast.Call) and _has_rest(pattern):
            return self._call(pattern, code)
        fields = [name for name in pattern._fields if name not in ("ctx", "kind", "type_comment")]
        return all(self.matches(getattr(pattern, name, None), getattr(code, name, None)) for name in fields)

    def _name(self, pattern: ast.Name, code: ast.AST) -> bool:
        if is_hole(pattern):
            known = self.holes.get(pattern.id)
            if known is not None:
                return key(known) == key(code)
            if not isinstance(code, ast.expr) or isinstance(code, ast.Starred) or self._means_something(code):
                return False
            self.holes[pattern.id] = code
            return True
        if not isinstance(code, ast.Name):
            return False
        meaning = meaning_of(pattern.id)
        return self.meanings.get(code.id) == meaning if meaning else pattern.id == code.id

    def _means_something(self, code: ast.expr) -> bool:
        """Whether it is a module's name: no hole stood for one."""
        return isinstance(code, ast.Name) and code.id in self.meanings

    def _call(self, pattern: ast.Call, code: ast.Call) -> bool:
        if not self.matches(pattern.func, code.func):
            return False
        places = [each for each in pattern.args if not is_rest(each)]
        wanted = [each for each in pattern.keywords if not is_rest(each)]
        if len(places) == len(pattern.args) and len(places) != len(code.args):
            return False  # `**__rest` takes keywords alone
        if not self.matches(places, code.args[: len(places)]):
            return False
        given = {each.arg: each for each in code.keywords}
        if not all(each.arg in given and self.matches(each.value, given[each.arg].value) for each in wanted):
            return False
        taken = {each.arg for each in wanted}
        self.rest = [*code.args[len(places) :], *(each for each in code.keywords if each.arg not in taken)]
        return True


def _has_rest(call: ast.Call) -> bool:
    return any(map(is_rest, [*call.args, *call.keywords]))
