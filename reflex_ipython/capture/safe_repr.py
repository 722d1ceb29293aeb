"""A value in a few words: the text that `repr` would give, made from structure alone and bounded.

Built-in values are written as Python writes them; of anything else only its class, its shape and its stored attributes
are told. No foreign `__repr__`, `__len__`, `__iter__` or property runs: one that raises, hangs or never ends costs
nothing.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import itertools
import pathlib
import re
import types
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from reflex_ipython.base.classes import is_exactly, module_vars
from reflex_ipython.capture import libraries, safe_inspection, signatures
from reflex_ipython.capture.bounds import SummaryDeadline, clip

_BITS = 2_000  # an integer beyond this is told by its size: Python refuses to print longer ones


@dataclass
class ReprBudget:
    """What a safe repr may still take.

    Parameters
    ----------
    clock : SummaryDeadline
        Tells when it is late.
    text : int
        Characters of one string.
    items : int
        Items of one container.
    depth : int
        Levels of containers.
    """

    clock: SummaryDeadline
    text: int = 80
    items: int = 6
    depth: int = 3
    open: set[int] = field(default_factory=set)

    def deeper(self) -> ReprBudget:
        """The pen for what is inside."""
        return ReprBudget(self.clock, min(self.text, 60), min(self.items, 6), self.depth - 1, self.open)


def safe_repr(value: Any, budget: ReprBudget) -> str:
    """The value in a few words."""
    write = _BY_TYPE.get(id(type(value)))  # by identity: a metaclass may have a hash of its own
    if write is not None:
        return write(value, budget)
    if type(value) is type or safe_inspection.is_a(value, type):
        return f"<class {safe_inspection.class_name(value)}>"
    if budget.depth <= 0 or budget.clock.late or id(value) in budget.open:
        return "…"
    budget.open.add(id(value))
    try:
        return _structured(value, budget)
    finally:
        budget.open.discard(id(value))


def _structured(value: Any, budget: ReprBudget) -> str:
    for base, write in _CONTAINERS:
        if safe_inspection.is_a(value, base):
            return write(value, budget)
    return libraries.brief(value) or _object(value, budget)


def items_of(value: Any) -> Iterable[Any]:
    """The items of a built-in container or of a class derived from one, its own methods left aside; keys for a dict."""
    base = next((base for base, _ in _CONTAINERS if safe_inspection.is_a(value, base)), None)
    return () if base is None else base.__iter__(value)


def size_of(value: Any) -> int | None:
    """How many items such a container has; None for anything else."""
    base = next((base for base, _ in _CONTAINERS if safe_inspection.is_a(value, base)), None)
    return None if base is None else base.__len__(value)


# ------------------------------------------------------------------------------------------------ scalars


def _plain(value: Any, budget: ReprBudget) -> str:
    return repr(value)


def _text(value: Any, budget: ReprBudget) -> str:
    return clip(repr(value[: budget.text]), budget.text * 10) + ("…" if len(value) > budget.text else "")


def _integer(value: int, budget: ReprBudget) -> str:
    bits = value.bit_length()
    return repr(value) if bits <= _BITS else f"<int of {bits:,} bits>"


def _range(value: range, budget: ReprBudget) -> str:
    return f"range({', '.join(_integer(part, budget) for part in (value.start, value.stop, value.step))})"


def _moment(value: Any, budget: ReprBudget) -> str:
    zoned = type(value) is not datetime.date and value.tzinfo is not None
    plain = value.replace(tzinfo=None) if zoned else value  # a time zone of the user's is foreign code
    return f"{plain.isoformat()}{' with time zone' if zoned else ''}"


def _number(value: Any, budget: ReprBudget) -> str:
    if type(value) is fractions.Fraction:
        return f"{_integer(value.numerator, budget)}/{_integer(value.denominator, budget)}"
    return clip(str(value), budget.text)


def _pattern(value: re.Pattern[Any], budget: ReprBudget) -> str:
    return f"re.compile({_text(value.pattern, budget)})"


def _function(value: Any, budget: ReprBudget) -> str:
    inner = budget.deeper()
    return f"<function {value.__qualname__}{signatures.signature(value, lambda one: safe_repr(one, inner))}>"


def _method(value: types.MethodType, budget: ReprBudget) -> str:
    return f"<method of {safe_inspection.type_name(value.__self__)}>"


def _module(value: types.ModuleType, budget: ReprBudget) -> str:
    name = module_vars(value).get("__name__")
    return f"<module {name}>" if type(name) is str else "<module>"


_SCALARS: dict[type, Callable[[Any, ReprBudget], str]] = {
    **dict.fromkeys((bool, float, complex, type(None), type(Ellipsis), type(NotImplemented)), _plain),
    **dict.fromkeys((str, bytes, bytearray), _text),
    **dict.fromkeys((datetime.datetime, datetime.date, datetime.time), _moment),
    **dict.fromkeys((decimal.Decimal, fractions.Fraction, uuid.UUID, datetime.timedelta), _number),
    **dict.fromkeys((pathlib.PosixPath, pathlib.WindowsPath, pathlib.PurePosixPath, pathlib.PureWindowsPath), _number),
    int: _integer,
    range: _range,
    re.Pattern: _pattern,
    types.FunctionType: _function,
    types.MethodType: _method,
    types.ModuleType: _module,
}
_BY_TYPE = {id(cls): write for cls, write in _SCALARS.items()}


# ------------------------------------------------------------------------------------------------ containers


def _series(open_: str, close: str) -> Callable[[Any, ReprBudget], str]:
    def write(value: Any, budget: ReprBudget) -> str:
        fields = _field_names(value)
        inner = budget.deeper()
        parts = [safe_repr(item, inner) for item in itertools.islice(items_of(value), budget.items)]
        if fields:
            parts = [f"{name}={part}" for name, part in zip(fields, parts)]
        text = ", ".join(parts) + (", …" if (size_of(value) or 0) > len(parts) else "")
        if is_exactly(value, (list, tuple, set)):
            return f"{open_}{text}{',' if type(value) is tuple and len(parts) == 1 else ''}{close}"
        name = safe_inspection.class_name(type(value))
        return f"{name}({text})" if open_ == "(" else f"{name}({open_}{text}{close})"

    return write


def _field_names(value: Any) -> tuple[str, ...]:
    """The names of a named tuple's fields."""
    found = safe_inspection.in_class(value, "_fields") if safe_inspection.is_a(value, tuple) else ()
    return found if type(found) is tuple and all(type(name) is str for name in found) else ()


def _mapping(value: Any, budget: ReprBudget) -> str:
    inner = budget.deeper()
    parts = [
        f"{safe_repr(key, inner)}: {safe_repr(item, inner)}"
        for key, item in itertools.islice(dict.items(value), budget.items)
    ]
    text = "{" + ", ".join(parts) + (", …" if dict.__len__(value) > len(parts) else "") + "}"
    return text if type(value) is dict else f"{safe_inspection.class_name(type(value))}({text})"


def _scalar_of(base: Any) -> Callable[[Any, ReprBudget], str]:
    """For classes derived from a scalar: `numpy.float64`, strings with a class of their own."""
    strip: dict[Any, Callable[[Any], Any]] = {str: str.__str__, int: int.__int__, float: float.__float__}
    strip[bytes] = lambda value: bytes.__getitem__(value, slice(None))

    def write(value: Any, budget: ReprBudget) -> str:
        return f"{safe_inspection.class_name(type(value))}({_SCALARS[base](strip[base](value), budget)})"

    return write


_CONTAINERS: tuple[tuple[Any, Callable[[Any, ReprBudget], str]], ...] = (
    (dict, _mapping),
    (list, _series("[", "]")),
    (tuple, _series("(", ")")),
    (set, _series("{", "}")),
    (frozenset, _series("{", "}")),
    (collections.deque, _series("[", "]")),
)
_DERIVED: tuple[tuple[Any, Callable[[Any, ReprBudget], str]], ...] = tuple(
    (base, _scalar_of(base)) for base in (str, bytes, int, float)
)


# ------------------------------------------------------------------------------------------------ anything else


def attributes(value: Any) -> list[tuple[str, Any]]:
    """The stored attributes, public ones first."""
    stored = list(dict.items(safe_inspection.instance_dict(value))) + list(safe_inspection.slots(value))
    named = [(name, held) for name, held in stored if type(name) is str and not name.startswith("__")]
    return sorted(named, key=lambda one: one[0].startswith("_"))


def is_enum_member(value: Any) -> bool:
    """Whether the value is a member of an `enum.Enum`."""
    name = dict.get(safe_inspection.instance_dict(value), "_name_")
    return type(name) is str and safe_inspection.in_class(value, "_member_map_") is not safe_inspection.MISSING


def _object(value: Any, budget: ReprBudget) -> str:
    name = safe_inspection.class_name(type(value))
    if safe_inspection.is_a(value, types.ModuleType):
        return _module(value, budget)
    if is_enum_member(value):
        return f"{name}.{safe_inspection.instance_dict(value)['_name_']}"
    for base, write in _DERIVED:
        if safe_inspection.is_a(value, base):
            return write(value, budget)
    inner = budget.deeper()
    shown = [
        f"{attribute}={safe_repr(held, inner)}" for attribute, held in itertools.islice(attributes(value), budget.items)
    ]
    return f"<{name}{' ' if shown else ''}{', '.join(shown)}>"
