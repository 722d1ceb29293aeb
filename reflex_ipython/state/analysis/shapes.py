"""The shapes of the commonest statements: what they do, known by their bytecode and the types of what they read.

`a = 1` and `b = "x"` are the same bytecode, with other names and constants. So what a statement needs to be understood
is worked out once, from its tree, and asked of the next ones by places in `co_names`: that takes a third of the time of
another look at the tree (`quick`), which says the same of them. What has no shape, or is of other types, is left to it.
"""

from __future__ import annotations

import ast
import dis
import sys
from types import CodeType
from typing import Any

from reflex_ipython.state.analysis.quick_values import (
    ARRAY_ATTRIBUTES,
    ATOMS,
    BOXES,
    LEN,
    PURE_FUNCTIONS,
    Names,
    builtin,
    is_array,
)
from reflex_ipython.state.kinds.layout import identity

_MOST = 1_000
"""Pieces of bytecode that are remembered."""
_LONGEST = 160
"""Bytes of a piece."""
_OFTEN = 3
"""How often a piece is met before its shape is worked out, which takes as long as some looks at the tree."""
_SHOWS = frozenset(["PRINT_EXPR", "CALL_INTRINSIC_1"])


class Shape:
    """What statements of the same bytecode need, and do.

    Parameters
    ----------
    code : code object
        One of them.
    node : ast.stmt
        Its tree.

    Attributes
    ----------
    atoms : tuple of int
        Places in `co_names` of what must be a number, a text … of Python's own.
    more : bool
        Whether more is asked of what it reads (`fits`).
    binds : int
        The place of the name that is bound; -1 if none is.
    grows : int
        The place of the list that something is appended to; -1 if nothing is.
    puts : int
        The place of the list or dict into which something is put; -1 if nothing is.
    shows : bool
        Whether it shows what it gives.

    Raises
    ------
    LookupError
        If it is not as simple as that.
    """

    __slots__ = (
        "_arrays",
        "_calls",
        "_functions",
        "_names",
        "_types",
        "_words",
        "atoms",
        "binds",
        "grows",
        "more",
        "puts",
        "shows",
    )

    def __init__(self, code: CodeType, node: ast.stmt) -> None:
        self._names = code.co_names
        self.atoms: tuple[int, ...] = ()
        self._types: tuple[tuple[int, frozenset[int]], ...] = ()
        self._arrays: tuple[int, ...] = ()
        self._functions: tuple[int, ...] = ()
        self._calls: tuple[tuple[int, int], ...] = ()
        """A function, and the name that alone it is given."""
        self._words: tuple[tuple[int, frozenset[str]], ...] = ()
        self.binds = self.grows = self.puts = -1
        self.shows = any(each.opname in _SHOWS for each in dis.get_instructions(code))
        if type(node) is ast.Assign and len(node.targets) == 1:
            self._target(node.targets[0])
            self._value(node.value)
        elif type(node) is ast.AugAssign:
            self.binds = self._place(node.target)
            self._atom(node.target)
            self._atom(node.value)
        elif type(node) is ast.Expr:
            self._expression(node.value)
        else:
            raise LookupError
        self.more = bool(self._types or self._arrays or self._functions or self._calls or self._words)

    def fits(self, code: CodeType, names: Names) -> bool:
        """Whether what a statement reads is as it must be, beside the atoms."""
        called, get = code.co_names, names.get
        for place, types in self._types:
            if identity(type(get(called[place], _NOTHING))) not in types:
                return False
        for place, words in self._words:
            if called[place] not in words:
                return False
        for place in self._arrays:
            o: Any = get(called[place])
            if not is_array(o) or o.dtype.hasobject:
                return False
        for place in self._functions:
            if identity(builtin(called[place], names)) not in PURE_FUNCTIONS:
                return False
        for place, given in self._calls:
            function, cls = builtin(called[place], names), identity(type(get(called[given], _NOTHING)))
            if cls not in ATOMS and (function is not LEN or cls not in _sized()):
                return False
            if identity(function) not in PURE_FUNCTIONS:
                return False
        return True

    def _place(self, node: ast.expr) -> int:
        if type(node) is not ast.Name or node.id not in self._names:  # what is folded away leaves no name
            raise LookupError
        return self._names.index(node.id)

    def _one_of(self, attribute: str, words: frozenset[str]) -> None:
        self._words += ((self._names.index(attribute), words),)

    def _target(self, node: ast.expr) -> None:
        if isinstance(node, ast.Subscript):
            self.puts = self._place(node.value)
            self._atom(node.slice)
        else:
            self.binds = self._place(node)

    def _needs(self, node: ast.expr, types: frozenset[int]) -> None:
        self._types += ((self._place(node), types),)

    def _expression(self, node: ast.expr) -> None:
        """A value that may be shown; or a call of a list's `append`."""
        if isinstance(node, ast.Attribute) or (isinstance(node, ast.Subscript) and not self.shows):
            self._of_array(node)
        elif type(node) is not ast.Call or type(node.func) is not ast.Attribute:
            self._atom(node)
        elif node.func.attr == "append" and len(node.args) == 1 and not node.keywords:
            self.grows = self._place(node.func.value)
            self._one_of("append", _APPEND)
            self._needs(node.func.value, _LIST)
            self._value(node.args[0])
        else:
            raise LookupError

    def _value(self, node: ast.expr) -> None:
        """It gives its value and does nothing else."""
        if type(node) is ast.Name:
            self._place(node)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for each in node.elts:
                self._value(each)
        elif isinstance(node, ast.Dict):
            for key, each in zip(node.keys, node.values):
                self._atom(key)
                self._value(each)
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            self._of_array(node)
        else:
            self._atom(node)

    def _atom(self, node: ast.expr | None) -> None:
        """The same, and the value is a number, a text … of Python's own."""
        if isinstance(node, ast.Name):
            self.atoms = (*self.atoms, self._place(node))
        elif isinstance(node, ast.Call):
            self._call(node)
        elif (
            node is None
            or type(node) not in _OF_ATOMS
            or (isinstance(node, ast.UnaryOp) and type(node.op) is ast.Invert)
        ):
            raise LookupError
        else:
            for each in ast.iter_child_nodes(node):
                if isinstance(each, ast.expr):
                    self._atom(each)

    def _call(self, node: ast.Call) -> None:
        called = node.func
        if node.keywords or not isinstance(called, ast.Name):
            raise LookupError
        if len(node.args) == 1 and type(node.args[0]) is ast.Name:
            self._calls = (*self._calls, (self._place(called), self._place(node.args[0])))
            return
        self._functions = (*self._functions, self._place(called))
        for each in node.args:
            self._atom(each)

    def _of_array(self, node: ast.expr) -> None:
        """A plain array by its name, an attribute of one, or a part: of all of them, nothing of the user's is asked."""
        if isinstance(node, ast.Attribute):
            words = ARRAY_ATTRIBUTES if self.shows else _OF_ARRAYS
            if node.attr not in words:
                raise LookupError
            self._one_of(node.attr, words)
            self._of_array(node.value)
        elif isinstance(node, ast.Subscript):
            self._index(node.slice)
            self._of_array(node.value)
        else:
            self._arrays = (*self._arrays, self._place(node))

    def _index(self, node: ast.expr) -> None:
        if isinstance(node, ast.Slice):
            for each in (node.lower, node.upper, node.step):
                if each is not None:
                    self._atom(each)
        else:
            self._atom(node)


_NOTHING = object()
_LIST = frozenset([identity(list)])
_APPEND = frozenset(["append"])
_OF_ARRAYS = ARRAY_ATTRIBUTES | {"T", "dtype"}
_OF_ATOMS = frozenset(
    [ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.JoinedStr, ast.FormattedValue]
)
_BOXES = frozenset(map(identity, BOXES))


def _sized() -> frozenset[int]:
    """The types, beside atoms, of which `len` does nothing but tell how many there are."""
    numpy = sys.modules.get("numpy")
    return _BOXES if numpy is None else _BOXES | {identity(numpy.ndarray)}


class Shapes:
    """Those that were met.

    Attributes
    ----------
    known : dict of bytes to Shape or int
        By bytecode; how often it was met, if its shape was not worked out; -1 if it has none.
    """

    def __init__(self) -> None:
        self.known: dict[bytes, Shape | int] = {}

    def meet(self, code: CodeType, node: ast.stmt) -> None:
        """A statement is met of which no shape is known."""
        times = self.known.get(code.co_code, 0)
        if type(times) is not int or times < 0 or len(code.co_code) > _LONGEST:
            return
        if len(self.known) >= _MOST:
            self.known.clear()
        self.known[code.co_code] = times + 1 if times < _OFTEN else _worked_out(code, node)


def _worked_out(code: CodeType, node: ast.stmt) -> Shape | int:
    try:
        return Shape(code, node)
    except LookupError:
        return -1
