"""Values of Python's own types as expressions."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import functools
import math
import pathlib
import uuid
from collections.abc import Callable, Iterable
from typing import Any

from reflex_ipython.testwriting.literals import LiteralWriter, quoted

LONGEST = 20_000
"""Characters of one text; a longer one is a file beside the test."""


def _text(writer: LiteralWriter, value: str) -> str:
    if len(value) > LONGEST:
        return f'{writer.beside(value.encode("utf-8", "surrogatepass"), ".txt")}.read_text(encoding="utf-8")'
    return quoted(value)


def _bytes(writer: LiteralWriter, value: Any) -> str:
    if len(value) > LONGEST:
        return f"{writer.beside(bytes(value), '.bin')}.read_bytes()"
    return repr(value)


def _float(writer: LiteralWriter, value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'


def _several(opening: str, closing: str) -> Callable[[LiteralWriter, Any], str]:
    def write(writer: LiteralWriter, value: Iterable[Any]) -> str:
        return f"{opening}{', '.join(map(writer.written, value))}{closing}"

    return write


def _tuple(writer: LiteralWriter, value: tuple[Any, ...]) -> str:
    parts = [writer.written(one) for one in value]
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _set(writer: LiteralWriter, value: Any) -> str:
    parts = sorted(writer.written(one) for one in value)
    inside = f"{{{', '.join(parts)}}}" if parts else ""
    if type(value) is set:
        return inside or "set()"
    return f"frozenset({inside})"


def _dict(writer: LiteralWriter, value: Any) -> str:
    return f"{{{', '.join(f'{writer.written(key)}: {writer.written(one)}' for key, one in value.items())}}}"


def _collection(writer: LiteralWriter, value: Any) -> str:
    kind = type(value)
    writer.needs(f"from collections import {kind.__name__}")
    if kind is collections.deque:
        bound = "" if value.maxlen is None else f", maxlen={value.maxlen}"
        return f"deque([{', '.join(map(writer.written, value))}]{bound})"
    if kind is collections.defaultdict:
        return f"defaultdict({writer.written(value.default_factory)}, {_dict(writer, value)})"
    return f"{kind.__name__}({_dict(writer, value)})"


def _imported(module: str) -> Callable[[LiteralWriter, Any], str]:
    """One whose `repr` is the call that makes it, behind its module's name or none."""

    def write(writer: LiteralWriter, value: Any) -> str:
        writer.needs(f"import {module}" if module == "datetime" else f"from {module} import {type(value).__name__}")
        return repr(value).replace("'", '"')

    return write


def _path(writer: LiteralWriter, value: pathlib.PurePath) -> str:
    writer.needs("from pathlib import Path")
    return f"Path({quoted(str(value))})"


def _partial(writer: LiteralWriter, value: Any) -> str:
    writer.needs("from functools import partial")
    parts = [writer.written(value.func), *map(writer.written, value.args)]
    parts += [f"{name}={writer.written(one)}" for name, one in value.keywords.items()]
    return f"partial({', '.join(parts)})"


def _repr(writer: LiteralWriter, value: Any) -> str:
    return repr(value)


def _builtin(writer: LiteralWriter, value: Any) -> str:
    if value.__module__ != "builtins":
        writer.needs(f"import {value.__module__}")
        return f"{value.__module__}.{value.__name__}"
    return str(value.__name__)


PLAIN: dict[type, Callable[[LiteralWriter, Any], str]] = {
    **dict.fromkeys((type(None), bool, int, complex, range, slice, type(...)), _repr),
    str: _text,
    bytes: _bytes,
    bytearray: _bytes,
    float: _float,
    list: _several("[", "]"),
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    dict: _dict,
    **dict.fromkeys(
        (collections.deque, collections.defaultdict, collections.Counter, collections.OrderedDict), _collection
    ),
    **dict.fromkeys(
        (datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone), _imported("datetime")
    ),
    decimal.Decimal: _imported("decimal"),
    fractions.Fraction: _imported("fractions"),
    uuid.UUID: _imported("uuid"),
    type(pathlib.Path()): _path,
    functools.partial: _partial,
    type(NotImplemented): _repr,
    type(len): _builtin,
}
