"""What of an object is plain text, and the ways to its children."""

from __future__ import annotations

import contextvars
import datetime
import decimal
import fractions
import pathlib
import re
import sys
import types
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

from tests.property.graph import MEMBER, type_text

Contents = tuple[Any, Iterable[tuple[str, Any]]]
"""Plain data, and the children under their labels."""

_PLAIN = (
    bool,
    int,
    type(None),
    type(...),
    type(NotImplemented),
    range,
    slice,
    types.BuiltinFunctionType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.MethodWrapperType,
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
    datetime.timezone,
    decimal.Decimal,
    fractions.Fraction,
    re.Pattern,
    types.FrameType,
    types.TracebackType,
    types.GenericAlias,
    types.UnionType,
    contextvars.Token,
    pathlib.PosixPath,
    complex,
)
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}|(?<=id=')\d+")
_CELL_FILE = re.compile(r"/tmp/ipykernel_\d+/\d+\.py|<ipython-input-[^>]*>")


def text_of(o: Any) -> str:
    """Its `repr` without addresses; of objects of the user's, whose code must not run here, only the type."""
    if own_class(type(o)):
        return f"<{type_text(type(o))}>"
    try:
        return _CELL_FILE.sub("<cell>", without_addresses(repr(o)))[:2000]
    except Exception as error:  # noqa: BLE001 - that is as good a text as any
        return f"<{type_text(type(o))} whose repr raises {type(error).__name__}>"


def without_addresses(text: str) -> str:
    """The text, each address in it as 0x: two kernels have no two objects at the same."""
    return _ADDRESS.sub("0x", text)


def own_class(cls: type) -> bool:
    """Whether a class is the user's."""
    return own_module_name(type.__getattribute__(cls, "__module__"))


def own_module_name(name: Any) -> bool:
    """Whether a module is the user's: the notebook, a file in its folder, or one that was made by hand."""
    if name == "__main__":
        return True
    module = sys.modules.get(name) if isinstance(name, str) else None
    if module is None:
        return True
    file = getattr(module, "__file__", None)
    return getattr(module, "__spec__", None) is None or (
        isinstance(file, str) and not file.startswith(sys.prefix) and "filemod" in file
    )


def plain(o: Any) -> str | None:
    """The text of a value of which only that matters; None for all that has an identity."""
    cls = type(o)
    if cls in (bool, type(None)) or (cls is int and -5 <= o <= 256) or (cls in (str, bytes) and len(o) < 2):
        return f"{cls.__name__}:{o!r}"
    if cls is types.BuiltinFunctionType and not isinstance(o.__self__, (types.ModuleType, type(None), type)):
        return None  # a method of an object
    if cls in _PLAIN and cls is not int:
        return f"{type_text(cls)}:{text_of(o)}"
    if cls in weakref.ProxyTypes:  # of one whose object is gone nothing can be asked
        return None
    if isinstance(o, type) and not own_class(o):
        return f"class:{type_text(o)}"
    if cls is types.ModuleType and not own_module_name(o.__name__):
        return f"module:{o.__name__}"
    if cls is types.FunctionType and not own_module_name(o.__module__) and "<locals>" not in o.__qualname__:
        return f"function:{o.__module__}.{o.__qualname__}"
    if cls.__module__ == "numpy" and cls.__name__ == "ufunc":
        return f"ufunc:{o.__name__}"
    return None


def attributes(o: Any, leave_out: frozenset[str] = frozenset()) -> Iterator[tuple[str, Any]]:
    """What its `__dict__` and its slots hold."""
    cls = type(o)
    for base in type.__dict__["__mro__"].__get__(cls):
        own = type.__dict__["__dict__"].__get__(base)
        if "__slots__" in own:
            for name, member in own.items():
                if type(member) is types.MemberDescriptorType and name not in leave_out:
                    try:
                        yield f".{name}", member.__get__(o)
                    except AttributeError:
                        yield f".{name}", "unset"
    try:
        fields = object.__getattribute__(o, "__dict__")
    except AttributeError:
        return
    if isinstance(fields, dict):
        for name, value in fields.items():
            if name not in leave_out:
                yield f".{name}", value


def keyed(pairs: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    """The items of a mapping, in their order: a key that is plain is the label."""
    for place, (key, value) in enumerate(pairs):
        if type(key) in (str, int, bytes, float, bool, type(None)):
            yield f"[{key!r}]", value
        else:
            yield f"key {place}", key
            yield f"value {place}", value


def numbered(items: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """The items of a sequence."""
    for place, item in enumerate(items):
        yield f"[{place}]", item


def unordered(items: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """The members of a set. They are looked at in an order that depends on what they are, not on where."""
    for item in sorted(items, key=lambda o: (type_text(type(o)), plain(o) or text_of(o))):
        yield MEMBER, item
