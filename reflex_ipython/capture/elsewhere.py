"""Errors that were raised in another process, led home: the user's function that failed there, found in its cell.

Pools, Dask, joblib, ipyparallel and Spark send back an exception, and of its traceback a text or a copy without
variables. Each entry becomes a frame of this process again, at the same line, with the notebook's own names around it.
"""

from __future__ import annotations

import builtins
import dataclasses
import re
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, TracebackType
from typing import Any, NamedTuple

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.capture import chain, safe_inspection
from reflex_ipython.capture.cells import FailingCell
from reflex_ipython.capture.trace import Step, steps

_ENTRIES = (
    re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+), in (?P<function>[^\s(]+)'),
    re.compile(r"^(?:File )?(?P<file>\S*ipykernel_\d+/\d+\.py):(?P<line>\d+),? in (?P<function>[^\s(]+)", re.MULTILINE),
)
"""A line of a traceback as Python writes it, and as IPython does, which ipyparallel sends."""
_RAISED = re.compile(r"^(?:\[[^\]]*\]: ?)?(?:[\w.]+\.)?(?P<ename>[A-Z]\w+)(?:: ?(?P<evalue>.*))?$")
_SUGGESTION = re.compile(r"\. Did you mean: '[^']*'\?$")
"""What Python writes behind the message, and is no part of it."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_LONGEST = 100_000
_NO_FILE = "<dynamic-code>"
"""What cloudpickle calls the file of every function that it sends, since 3.1.3."""
_WRAPPERS = {"RemoteError": "ipyparallel", "CompositeError": "ipyparallel", "PythonException": "pyspark"}
"""Exceptions that stand for another one, which is told in a text, by their libraries."""
_TEXTS = ("_RemoteTraceback", "RemoteTraceback")
"""Causes that are nothing but the text of a traceback elsewhere: of pools, executors and joblib."""


class Entry(NamedTuple):
    """A line of a traceback."""

    file: str
    line: int
    function: str


def steps_elsewhere(exc: BaseException, cells: FailingCell, namespace: dict[str, Any]) -> list[Step]:
    """The steps in the user's cells that an exception made in another process, outermost first.

    Parameters
    ----------
    exc : BaseException
    cells : FailingCell
    namespace : dict
        The user's, in which the functions of cells are defined.
    """
    return _at_home(_entries(_text(exc)), cells, namespace)


def steps_at_home(found: list[Step], cells: FailingCell, namespace: dict[str, Any]) -> list[Step]:
    """The steps of a traceback, those anew that are copies from another process, as Dask sends them.

    Parameters
    ----------
    found : list of Step
    cells : FailingCell
    namespace : dict
    """
    led: list[Step] = []
    for step in found:
        is_known = step.cell is not None or step.filename == _NO_FILE
        is_copy = is_known and "__traceback_maker" in step.frame.f_code.co_names  # tblib's
        entry = Entry(step.filename, step.lineno, step.frame.f_code.co_name)
        led += (_at_home([entry], cells, namespace) or [step]) if is_copy else [step]
    return led


def raised_elsewhere(exc: BaseException) -> BaseException | None:
    """The exception that a library's own one stands for; None if it stands for none, or for none of Python's.

    Parameters
    ----------
    exc : BaseException
    """
    if not _is_wrapper(exc):
        return None
    for line in reversed(_text(exc).strip().splitlines()):
        told = _RAISED.match(line.strip())
        kind = getattr(builtins, told["ename"], None) if told else None
        if told and isinstance(kind, type) and issubclass(kind, Exception):
            return _made(kind, _SUGGESTION.sub("", told["evalue"] or ""))
    return None


def _is_wrapper(exc: BaseException) -> bool:
    library = _WRAPPERS.get(chain.ename(exc))
    module = safe_inspection.class_dict(type(exc)).get("__module__")
    return library is not None and type(module) is str and module.partition(".")[0] == library


def _made(kind: type[Exception], message: str) -> Exception | None:
    try:
        return kind(message[1:-1] if kind is KeyError and message[:1] in ("'", '"') else message)
    except TypeError:  # it is made of more than a message
        return None


def _text(exc: BaseException) -> str:
    """The text of a traceback elsewhere that an exception brings along; empty if there is none."""
    cause = chain.cause(exc)
    if cause is not None and chain.ename(cause) in _TEXTS:
        return _joined([dict.get(safe_inspection.instance_dict(cause), "tb")])
    if not _is_wrapper(exc):
        return ""
    own = safe_inspection.instance_dict(exc)
    elements = dict.get(own, "elist")
    first = elements[0] if type(elements) is list and elements else ()
    told: list[Any] = [dict.get(own, name) for name in ("traceback", "desc", "_desc")]
    told += [chain.message(exc), *(first if type(first) is tuple else ())]
    names = dict.get(own, "ename"), dict.get(own, "evalue")
    return _joined([*told, f"{names[0]}: {names[1]}" if type(names[0]) is type(names[1]) is str else None])


def _joined(told: Iterable[Any]) -> str:
    lines = (line for one in told for line in (one if type(one) is list else [one]))
    return _COLOURS.sub("", "\n".join(line for line in lines if type(line) is str)[-_LONGEST:])


def _entries(text: str) -> Iterator[Entry]:
    found = next((found for pattern in _ENTRIES if (found := list(pattern.finditer(text)))), [])
    for one in found:
        yield Entry(one["file"], int(one["line"]), one["function"])


def _at_home(entries: Iterable[Entry], cells: FailingCell, namespace: dict[str, Any]) -> list[Step]:
    placed = (_placed(one, namespace) for one in entries)
    made = [_reached(one, namespace) for one in placed if cells.find(one.file) is not None]
    found = [step for traceback in made for step in steps(traceback, cells)]
    return [dataclasses.replace(step, span=None) for step in found]  # the frame that stands for it tells no place


def _placed(entry: Entry, namespace: dict[str, Any]) -> Entry:
    """The entry with its file, where it tells none: that of the user's only function of this name with this line."""
    if entry.file != _NO_FILE:
        return entry
    found = {
        code.co_filename
        for code in _codes(list(namespace.values()))
        if code.co_name == entry.function and any(line == entry.line for *_, line in code.co_lines())
    }
    return entry._replace(file=found.pop()) if len(found) == 1 else entry


def _codes(values: list[Any]) -> Iterator[CodeType]:
    """The code of functions and of classes' methods, with what stands inside."""
    seen: set[int] = set()
    while values:
        value = values.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, CodeType):
            yield value
            values += [one for one in value.co_consts if type(one) is CodeType]
        elif type(value) is FunctionType:
            values += [value.__code__, value.__dict__.get("__wrapped__")]
        elif is_exactly(value, (staticmethod, classmethod)):
            values.append(value.__func__)
        elif type(value) is property:
            values += [value.fget, value.fset]
        elif type(value) is type:
            members = safe_inspection.class_dict(value)
            module = members.get("__module__")
            values += members.values() if type(module) is str and module == "__main__" else ()


def _reached(entry: Entry, namespace: dict[str, Any]) -> TracebackType | None:
    """A traceback of one frame, at that line, whose globals are the user's. Nothing of the user's runs."""
    names: dict[str, Any] = {"co_filename": entry.file, "co_name": entry.function, "co_firstlineno": entry.line}
    if hasattr(_RAISES, "co_qualname"):
        names["co_qualname"] = entry.function
    try:
        FunctionType(_RAISES.replace(**names), namespace)()
    except TypeError as error:
        return error.__traceback__.tb_next if error.__traceback__ is not None else None
    return None


_RAISES: CodeType = (lambda: "" + 0).__code__  # type: ignore[operator]
"""In one line, so that its first line is the one that raises."""
