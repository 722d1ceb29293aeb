"""Texts that a piece of code spells out in a roundabout way: `"sys" + "tem"`, `"metsys"[::-1]`, `chr(111)`.

Nothing of it is run: only the few pure operations below are computed, within bounds.
"""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
import encodings.aliases
import operator
import os.path
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from reflex_ipython.check.critic.words import words

Plain = str | bytes | int | list["Plain"]
"""What can be computed."""

_LONGEST = 100_000
_DEEPEST = 30

_METHODS = words(
    """capitalize casefold decode encode format hex join lower lstrip partition removeprefix removesuffix replace
    rsplit rstrip split strip swapcase title upper zfill"""
)


def _inflate(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, _LONGEST)


_FUNCTIONS: dict[str, Callable[..., object]] = {
    "base64.a85decode": base64.a85decode,
    "base64.b16decode": base64.b16decode,
    "base64.b32decode": base64.b32decode,
    "base64.b64decode": base64.b64decode,
    "base64.b85decode": base64.b85decode,
    "base64.decodebytes": base64.decodebytes,
    "base64.standard_b64decode": base64.standard_b64decode,
    "base64.urlsafe_b64decode": base64.urlsafe_b64decode,
    "binascii.a2b_base64": binascii.a2b_base64,
    "binascii.a2b_hex": binascii.a2b_hex,
    "binascii.unhexlify": binascii.unhexlify,
    "bytearray": lambda given, *rest: given.encode(*rest) if isinstance(given, str) else bytes(given),
    "bytearray.fromhex": bytes.fromhex,
    "bytes": lambda given, *rest: given.encode(*rest) if isinstance(given, str) else bytes(given),
    "bytes.fromhex": bytes.fromhex,
    "chr": chr,
    "codecs.decode": codecs.decode,
    "int": int,
    "list": list,
    "ord": ord,
    "os.environ.get": lambda name, *rest: {"HOME": "~"}[name],
    "os.getenv": lambda name, *rest: {"HOME": "~"}[name],
    "os.path.abspath": str,
    "os.path.expanduser": str,
    "os.path.expandvars": str,
    "os.path.join": os.path.join,
    "os.path.normpath": str,
    "os.path.realpath": str,
    "pathlib.Path": lambda *parts: os.path.join("", *parts),
    "pathlib.Path.home": lambda: "~",
    "reversed": lambda given: list(given)[::-1],
    "str": lambda given, *rest: given.decode(*rest) if isinstance(given, bytes) else str(given),
    "tuple": list,
    "zlib.decompress": _inflate,
}
DECODERS = frozenset(name for name in _FUNCTIONS if name.partition(".")[0] in ("base64", "binascii", "codecs", "zlib"))
"""What makes another text of one that nobody can read."""

_NAMES = {"os.sep": "/", "os.path.sep": "/", "os.pardir": "..", "os.path.pardir": "..", "os.curdir": "."}
_GIVE_THEMSELVES = words("absolute expanduser resolve as_posix")
"""Methods of a path that give the same place."""

_OPERATORS: dict[type[ast.operator], Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.BitXor: operator.xor,
    ast.Mod: operator.mod,
    ast.Div: lambda left, right: os.path.join(left, right),
}


class _Unknown(Exception):
    """This can only be known when it runs."""


_ERRORS = (_Unknown, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, zlib.error)


class Folding:
    """Computes what an expression spells.

    Parameters
    ----------
    values : callable
        Gives the expressions that a name is bound to.
    name : callable
        Gives the full name of a function that is called.
    """

    def __init__(self, values: Callable[[str], Sequence[ast.expr]], name: Callable[[ast.expr], str]) -> None:
        self._values, self._name = values, name
        self._known: dict[str, Plain] = {}
        self._named_before: dict[str, Plain | None] = {}
        self._depth = 0

    def text(self, node: ast.expr) -> str | None:
        """The text of an expression; None if it can't be told."""
        try:
            found = self._fold(node)
        except _ERRORS:
            return None
        if isinstance(found, bytes):
            return found.decode("latin-1")
        return found if isinstance(found, str) else None

    def _fold(self, node: ast.expr) -> Plain:
        self._depth += 1
        try:
            if self._depth > _DEEPEST:
                raise _Unknown
            found = self._folded(node)
        finally:
            self._depth -= 1
        if isinstance(found, (str, bytes, list)) and len(found) > _LONGEST:
            raise _Unknown
        return found

    def _folded(self, node: ast.expr) -> Plain:
        if isinstance(node, ast.Constant):
            return _plain(node.value)
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, ast.NamedExpr):
            return self._fold(node.value)
        if isinstance(node, ast.Attribute) and self._name(node) in _NAMES:
            return _NAMES[self._name(node)]
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self._fold(element) for element in node.elts]
        if isinstance(node, ast.JoinedStr):
            return "".join(str(self._fold(part)) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            return self._formatted(node)
        if isinstance(node, ast.BinOp):
            return self._combined(node)
        if isinstance(node, ast.Subscript):
            return self._part(node)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return list(self._each(node))
        if isinstance(node, ast.Call):
            return self._called(node)
        raise _Unknown

    def _named(self, name: str) -> Plain:
        if name in self._known:
            return self._known[name]
        if name not in self._named_before:
            self._named_before[name] = None  # what is made of itself can't be told
            self._named_before[name] = self._one_of(self._values(name))
        found = self._named_before[name]
        if found is None:
            raise _Unknown
        return found

    def _one_of(self, values: Sequence[ast.expr]) -> Plain | None:
        """What all the values are; None if they differ."""
        try:
            first, *others = (self._fold(value) for value in values)
        except _ERRORS:
            return None
        return first if all(other == first for other in others) else None

    def _formatted(self, node: ast.FormattedValue) -> str:
        spec = str(self._fold(node.format_spec)) if node.format_spec is not None else ""
        if len(spec) > 3:  # a width of a billion
            raise _Unknown
        value = self._fold(node.value)
        return format(repr(value) if node.conversion == ord("r") else value, spec)

    def _combined(self, node: ast.BinOp) -> Plain:
        left, right = self._fold(node.left), self._fold(node.right)
        if isinstance(node.op, ast.Mult):
            times, repeated = (left, right) if isinstance(left, int) else (right, left)
            if not isinstance(times, int) or isinstance(repeated, int) or times * len(repeated) > _LONGEST:
                raise _Unknown
            return _plain(repeated * times)
        if isinstance(node.op, ast.Mod) and isinstance(right, list):
            return _plain(operator.mod(left, tuple(right)))
        return _plain(_OPERATORS[type(node.op)](left, right))

    def _part(self, node: ast.Subscript) -> Plain:
        if self._name(node.value) == "os.environ" and self.text(node.slice) == "HOME":
            return "~"
        whole = self._fold(node.value)
        if isinstance(whole, int):
            raise _Unknown
        if not isinstance(node.slice, ast.Slice):
            return _plain(whole[self._int(node.slice) or 0])
        borders = (self._int(part) for part in (node.slice.lower, node.slice.upper, node.slice.step))
        return _plain(whole[slice(*borders)])

    def _int(self, node: ast.expr | None) -> int | None:
        if node is None:
            return None
        sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
        found = self._fold(node.operand if isinstance(node, ast.UnaryOp) else node)
        if not isinstance(found, int):
            raise _Unknown
        return sign * found

    def _each(self, node: ast.ListComp | ast.GeneratorExp) -> Iterator[Plain]:
        (loop,) = node.generators
        if loop.ifs or not isinstance(loop.target, ast.Name):
            raise _Unknown
        elements = self._fold(loop.iter)
        if isinstance(elements, int):
            raise _Unknown
        before = self._known
        for element in elements:
            self._known = {**before, loop.target.id: element}
            try:
                yield self._fold(node.elt)
            finally:
                self._known = before

    def _called(self, node: ast.Call) -> Plain:
        if any(keyword.arg is None for keyword in node.keywords):
            raise _Unknown
        name = self._name(node.func)
        if name == "map" and len(node.args) == 2 and (function := _FUNCTIONS.get(self._name(node.args[0]))):
            elements = self._fold(node.args[1])
            return [_plain(function(element)) for element in elements] if not isinstance(elements, int) else []
        arguments = [self._fold(argument) for argument in node.args]
        options = {keyword.arg: self._fold(keyword.value) for keyword in node.keywords if keyword.arg}
        if name in _FUNCTIONS:
            if name in _CODING:
                _check_coding(arguments[1:], options)
            return _plain(_FUNCTIONS[name](*arguments, **options))
        if isinstance(node.func, ast.Attribute) and node.func.attr in (*_METHODS, *_GIVE_THEMSELVES, "joinpath"):
            owner = self._fold(node.func.value)
            if node.func.attr in _GIVE_THEMSELVES and isinstance(owner, str):
                return owner
            if node.func.attr == "joinpath" and isinstance(owner, str):
                return os.path.join(owner, *map(str, arguments))
            if node.func.attr in ("decode", "encode"):
                _check_coding(arguments, options)
            return _plain(getattr(owner, node.func.attr)(*arguments, **options))
        raise _Unknown


_CODING = frozenset({"bytearray", "bytes", "codecs.decode", "str"})
_HANDLERS = frozenset(
    (
        *("backslashreplace", "ignore", "namereplace", "replace", "strict", "surrogateescape", "surrogatepass"),
        "xmlcharrefreplace",
    )
)
_CODECS = frozenset((*encodings.aliases.aliases, *encodings.aliases.aliases.values()))


def _check_coding(arguments: Sequence[Plain], options: Mapping[str, Plain]) -> None:
    """`_Unknown` for a codec or a handler of errors that is not Python's own: it would run code of the user's."""
    for text in (*arguments, *options.values()):
        own = isinstance(text, str) and (text in _HANDLERS or text.lower().replace("-", "_") in _CODECS)
        if not own:
            raise _Unknown


def _plain(value: object) -> Plain:
    if isinstance(value, (tuple, list)):
        return [_plain(element) for element in value]
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, (str, bytes, int)):
        return value
    raise _Unknown
