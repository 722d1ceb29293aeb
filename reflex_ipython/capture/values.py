"""Summaries of live values: bounded text, and the labels that are really there."""

from __future__ import annotations

import itertools
import types
from typing import Any

from reflex_ipython.base.classes import is_exactly, module_vars
from reflex_ipython.capture import arrays, libraries, safe_inspection, signatures, tables
from reflex_ipython.capture.bounds import SummaryDeadline, attempt, clean, clip
from reflex_ipython.capture.safe_repr import ReprBudget, attributes, is_enum_member, items_of, safe_repr, size_of
from reflex_ipython.models import ValueKind, ValueSummary

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodDescriptorType)

# So many labels are kept. The columns and keys of a table or mapping are what a fix may need; a module's names are not.
_LABELS: dict[str, int] = {"table": 500, "mapping": 500, "module": 0}


def summarize(name: str, value: Any, clock: SummaryDeadline, size: int) -> ValueSummary:
    """What is known of a value.

    Parameters
    ----------
    name : str
        The variable's name.
    value : object
        It may be anything, and hostile: none of its own code runs.
    clock : SummaryDeadline
        When to give up.
    size : int
        The longest text, in characters.
    """
    kind = clip(attempt("", safe_inspection.type_name, value), 200)
    unknown = ValueSummary(name, kind, "", "unknown")
    if clock.over:
        return unknown
    clock.start()
    return attempt(unknown, _summary, name, kind, value, clock, size)


def _summary(name: str, kind: str, value: Any, clock: SummaryDeadline, size: int) -> ValueSummary:
    family, text, labels = _describe(value, clock, size)
    kept = labels[: _LABELS.get(family, 100)]
    return ValueSummary(name, kind, clip(text, size), family, tuple(clean(label) for label in kept))


def _describe(value: Any, clock: SummaryDeadline, size: int) -> tuple[ValueKind, str, tuple[str, ...]]:
    if (table := tables.summarize(value, clock)) is not None:
        return "table", *table
    if (text := arrays.summarize(value, clock)) is not None:
        return "array", text, ()
    if safe_inspection.is_a(value, dict):
        return "mapping", _counted(value, clock), libraries.labels(items_of(value))
    if (count := size_of(value)) is not None:
        labels = libraries.labels(safe_inspection.in_class(value, "_fields")) if _is_named_tuple(value) else ()
        return "sequence", _counted(value, clock) if count else safe_repr(value, _wide(clock)), labels
    if is_exactly(value, _FUNCTIONS) or _wraps_a_function(value):
        return "function", _function(value, clock), tuple(signatures.keywords(value))
    if safe_inspection.is_a(value, types.ModuleType):
        return "module", _module(value), ()
    if safe_inspection.is_a(value, type):
        return "object", _class(value, clock), _names(value)
    if _is_scalar(value):
        return "scalar", safe_repr(value, _wide(clock, size)), ()
    return "object", _object(value, clock), _names(value)


def _wide(clock: SummaryDeadline, text: int = 200) -> ReprBudget:
    return ReprBudget(clock, text=text, items=20, depth=3)


def _counted(value: Any, clock: SummaryDeadline) -> str:
    kind = safe_inspection.type_name(value)
    return f"{kind} of {size_of(value):,}: {safe_repr(value, _wide(clock))}"


def _is_named_tuple(value: Any) -> bool:
    return safe_inspection.is_a(value, tuple) and type(safe_inspection.in_class(value, "_fields")) is tuple


def _is_scalar(value: Any) -> bool:
    return (
        is_enum_member(value)
        or safe_inspection.is_a(value, str, bytes, bytearray, int, float, complex, type(None), range)
        or bool(libraries.scalar(value))
        or safe_inspection.type_name(value).partition(".")[0]
        in ("datetime", "decimal", "fractions", "pathlib", "uuid", "re")
    )


def _wraps_a_function(value: Any) -> bool:
    """`functools.lru_cache`, numpy's dispatchers and the like: what they wrap is in their dictionary."""
    return dict.__contains__(safe_inspection.instance_dict(value), "__wrapped__")


def _names(value: Any) -> tuple[str, ...]:
    return libraries.labels(safe_inspection.public(safe_inspection.names(value)))


def _function(value: Any, clock: SummaryDeadline) -> str:
    name = (
        value.__name__
        if is_exactly(value, _FUNCTIONS)
        else dict.get(safe_inspection.instance_dict(value), "__name__", "")
    )
    return f"{name}{signatures.signature(value, lambda one: safe_repr(one, ReprBudget(clock, text=40, depth=1)))}"


def _module(value: Any) -> str:
    attributes = module_vars(value)
    version = attributes.get("__version__")
    return f"module {attributes.get('__name__')}" + (f" {version}" if type(version) is str else "")


def _class(value: Any, clock: SummaryDeadline) -> str:
    name = safe_inspection.class_name(value)
    bases = ", ".join(safe_inspection.class_name(base) for base in safe_inspection.mro(value)[1:-1][:5])
    takes = signatures.signature(value, lambda one: safe_repr(one, ReprBudget(clock, text=40, depth=1)))
    return f"class {name}{takes}" + (f", derived from {bases}" if bases else "")


def _object(value: Any, clock: SummaryDeadline) -> str:
    budget = _wide(clock).deeper()
    lines = [f"{safe_inspection.type_name(value)} object"]
    for name, held in itertools.islice(attributes(value), 20):
        if clock.late:
            break
        lines.append(f".{name} = {safe_repr(held, budget)}")
    methods = [
        name
        for name, found in safe_inspection.class_dict(type(value)).items()
        if safe_inspection.is_method(name, found)
    ]
    return "\n".join(lines) + (f"\nmethods: {', '.join(methods[:40])}" if methods else "")
