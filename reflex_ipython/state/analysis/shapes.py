"""The shapes of the commonest statements: what they do, known by their bytecode and the types of what they read.

`a = 1` and `b = "x"` are the same bytecode, with other names and constants. So what a statement needs to be understood
is worked out once, from its tree, and asked of the next ones by places in `co_names`: that takes a third of the time of
another look at the tree (`quick`), which says the same of them. What has no shape, or is of other types, is left to it.
"""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

from reflex_ipython.state.analysis.quick_values import (
    ARRAY_ATTRIBUTES,
    ATOMS,
    BOXES,
    COMPUTED,
    LEN,
    PRINT,
    PURE_FUNCTIONS,
    Names,
    builtin,
    is_array,
    is_pure,
    value,
)
from reflex_ipython.state.analysis.streams import stream_is_known
from reflex_ipython.state.kinds.layout import identity

_MOST = 1_000
"""Pieces of bytecode that are remembered."""
_LONGEST = 160
"""Bytes of a piece."""
_OFTEN = 3
"""How often a piece is met before its shape is worked out, which takes as long as some looks at the tree."""
_SHOWS = frozenset(["PRINT_EXPR", "CALL_INTRINSIC_1"])


Called = tuple[str, ...]
"""The names that a statement uses."""
Fits = Callable[[Called, int, Any, Names], bool]
Requirement = tuple[Fits, int, Any]
Place = tuple[bool, int]
"""Whether it is one among the constants, else among the names; which one."""


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
    more : tuple of (callable, int, object)
        What else is asked of what it reads: each says whether that is so, given the names that a statement uses, a
        place among them, what is wanted of it, and the namespace.
    binds : int
        The place of the name that is bound; -1 if none is.
    grows : int
        The place of the list that something is appended to; -1 if nothing is. It must be one of Python's own.
    method : int
        The place of the name of the method that does so; it must be `append`.
    puts : int
        The place of the list or dict into which something is put; -1 if nothing is.
    rereads : bool
        Whether it uses the name that it binds: what that was bound to may be in what it gives.
    shows : bool
        Whether it shows what it gives, or prints something.
    prints : bool
        Whether it prints something, and shows nothing beside.

    Raises
    ------
    LookupError
        If it is not as simple as that.
    """

    __slots__ = ("_key", "_names", "atoms", "binds", "grows", "method", "more", "prints", "puts", "rereads", "shows")

    def __init__(self, code: CodeType, node: ast.stmt) -> None:
        self._names = code.co_names
        self.atoms: tuple[int, ...] = ()
        self.more: tuple[Requirement, ...] = ()
        self._key: Place | None = None
        self.binds = self.grows = self.method = self.puts = -1
        self.shows = any(each.opname in _SHOWS for each in dis.get_instructions(code))
        self.prints = False
        if type(node) is ast.Assign and len(node.targets) == 1:
            self._target(node.targets[0])
            self._value(node.value)
        elif type(node) is ast.AugAssign:
            self.binds = self._place(node.target)
            self._atom(node.target)
            self._atom(node.value)
        elif type(node) is ast.Expr:
            self._expression(node.value)
        elif type(node) is not ast.Pass:
            raise LookupError
        if self.puts >= 0:
            self._key = _key(code)
        bound = self._names[self.binds] if self.binds >= 0 else ""
        read = node.value if type(node) is ast.Assign else node
        self.rereads = any(type(each) is ast.Name and each.id == bound for each in ast.walk(read))

    def key(self, code: CodeType, node: ast.Assign, names: Names) -> Any:
        """Under which key a statement puts something; `COMPUTED` if nobody knows before it runs."""
        if self._key is None:
            return value(node.targets[0].slice, names)  # type: ignore[attr-defined]  # it is an item
        is_constant, place = self._key
        return code.co_consts[place] if is_constant else names.get(code.co_names[place], COMPUTED)

    def _place(self, node: ast.expr) -> int:
        if type(node) is not ast.Name or node.id not in self._names:  # what is folded away leaves no name
            raise LookupError
        return self._names.index(node.id)

    def _needs(self, fits: Fits, place: int, wanted: Any = None) -> None:
        self.more = (*self.more, (fits, place, wanted))

    def _target(self, node: ast.expr) -> None:
        if isinstance(node, ast.Subscript):
            self.puts = self._place(node.value)
            self._atom(node.slice)
        else:
            self.binds = self._place(node)

    def _expression(self, node: ast.expr) -> None:
        """A value that may be shown; or a call of a list's `append`."""
        if isinstance(node, ast.Attribute) or (isinstance(node, ast.Subscript) and not self.shows):
            self._of_array(node, shown=self.shows)
        elif type(node) is ast.Call and type(node.func) is ast.Name and node.func.id == "print":
            self._printed(node)
        elif type(node) is not ast.Call or type(node.func) is not ast.Attribute:
            self._atom(node)
        elif node.func.attr == "append" and len(node.args) == 1 and not node.keywords:
            self.grows = self._place(node.func.value)
            self.method = self._names.index("append")
            self._value(node.args[0])
        else:
            raise LookupError

    def _printed(self, node: ast.Call) -> None:
        """Values that nothing of the user's makes a text of, where the shell takes it."""
        if node.keywords:
            raise LookupError
        self.shows, self.prints = True, not self.shows
        self._needs(_prints, self._place(node.func))
        for each in node.args:
            self._atom(each)

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
            self._needs(_takes, self._place(called), self._place(node.args[0]))
            return
        self._needs(_is_pure, self._place(called), len(node.args))
        for each in node.args:
            self._atom(each)

    def _of_array(self, node: ast.expr, *, shown: bool = False) -> None:
        """A plain array by its name, an attribute of one, or a part: of all of them, nothing of the user's is asked."""
        if isinstance(node, ast.Attribute):
            words = ARRAY_ATTRIBUTES if shown else _OF_ARRAYS
            if node.attr not in words:
                raise LookupError
            self._needs(_is_one_of, self._names.index(node.attr), words)
            self._of_array(node.value)
        elif isinstance(node, ast.Subscript):
            self._index(node.slice)
            self._of_array(node.value)
        else:
            self._needs(_is_plain_array, self._place(node))

    def _index(self, node: ast.expr) -> None:
        if isinstance(node, ast.Slice):
            for each in (node.lower, node.upper, node.step):
                if each is not None:
                    self._atom(each)
        else:
            self._atom(node)


def _key(code: CodeType) -> Place | None:
    """Where the key comes from with which a statement ends that puts something under it."""
    steps = list(dis.get_instructions(code))
    puts = next(place for place in range(len(steps)) if steps[place].opname == "STORE_SUBSCR")
    last = steps[puts - 1]
    if last.opname not in ("LOAD_CONST", "LOAD_NAME") or last.arg is None:
        return None
    return last.opname == "LOAD_CONST", last.arg


# ------------------------------------------------------------------------------------------ what is asked


def _is_one_of(called: Called, place: int, words: frozenset[str], names: Names) -> bool:
    return called[place] in words


def _is_plain_array(called: Called, place: int, wanted: Any, names: Names) -> bool:
    o: Any = names.get(called[place])
    return is_array(o) and not o.dtype.hasobject


def _is_pure(called: Called, place: int, count: int, names: Names) -> bool:
    return is_pure(builtin(called[place], names), count)


def _takes(called: Called, place: int, given: int, names: Names) -> bool:
    """Whether it is a function that gives an atom of what alone it is given."""
    function, cls = builtin(called[place], names), type(names.get(called[given], _NOTHING))
    if cls is int or cls is str or identity(cls) in ATOMS:
        return identity(function) in PURE_FUNCTIONS
    return function is LEN and (cls is list or cls is dict or identity(cls) in _sized())


def _prints(called: Called, place: int, wanted: Any, names: Names) -> bool:
    return builtin(called[place], names) is PRINT and stream_is_known(sys.stdout)


_NOTHING = object()
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
    known : dict of bytes to Shape
        By bytecode.
    """

    def __init__(self) -> None:
        self.known: dict[bytes, Shape] = {}
        self._met: dict[bytes, int] = {}
        """How often a piece of bytecode was met whose shape was not worked out; what has none is met no more."""

    def meet(self, code: CodeType, node: ast.stmt) -> None:
        """A statement is met of which no shape is known."""
        times = self._met.get(code.co_code, 0)
        if times > _OFTEN or len(code.co_code) > _LONGEST:
            return
        if len(self._met) + len(self.known) >= _MOST:
            self._met.clear()
            self.known.clear()
        self._met[code.co_code] = times + 1
        if times == _OFTEN and (shape := _worked_out(code, node)) is not None:
            self.known[code.co_code] = shape
            del self._met[code.co_code]


def _worked_out(code: CodeType, node: ast.stmt) -> Shape | None:
    try:
        return Shape(code, node)
    except LookupError:
        return None
