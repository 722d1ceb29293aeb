"""The user's code that an object may run, by whatever way it holds it, and what may bind whatever it likes.

Objects are gone through one within the other, and not collected: what a running cell lets go of is not held.
"""

from __future__ import annotations

import builtins
import functools
import gc
import signal
import sys
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CodeType,
    CoroutineType,
    FrameType,
    FunctionType,
    GeneratorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly

ANYTHING = frozenset(
    {
        *("exec", "eval", "globals", "locals", "vars", "setattr", "delattr", "get_ipython", "reload", "__dict__"),
        *("currentframe", "_getframe", "f_globals", "user_ns", "user_global_ns", "__globals__", "modules", "__main__"),
        *("builtins", "__builtins__", "patch", "install"),
        *("var", "init_session", "interactive", "inject", "enable_pylab", "run_cell", "run_line_magic", "push"),
    }
)
"""Names with which code may bind whatever it likes; magics and shell commands are calls of `get_ipython`. Those of the
last two rows are, as well, functions of libraries that do: `sympy.var("x")`, `gettext.install("app")`.
"""
_FRAMES = frozenset({"currentframe", "_getframe", "f_globals", "f_locals", "user_ns", "get_ipython", "__main__"})
_SETS_NAMES = _FRAMES | {"builtins"}
"""What a library's function asks that sets names of who calls it, or of everybody."""
_BIND = (exec, eval, globals, locals, vars, setattr, delattr, builtins, vars(builtins))
_MOST, _DEPTH, _BUDGET = 200, 3, 500
"""Things in a container that are looked at, containers within each other, and things in all."""
Codes = tuple["CodeType | None", ...]
_SEQUENCES = (list, tuple, set, frozenset, deque)
_PLAIN = (str, int, float, bool, bytes, type(None))


def codes(o: Any, namespace: dict[str, Any], depth: int = _DEPTH) -> Iterator[CodeType | None]:
    """The code of the user's that calling it, or something of it, or something in it, may run.

    None stands for what may bind whatever it likes: `exec`, or the namespace itself by another name.
    """
    return _codes(o, namespace, depth, [_BUDGET])


def of_name(name: str, namespace: dict[str, Any], known: dict[str, Codes]) -> Codes:
    """That of what has a name; `known` is what was found so far, in one look."""
    if name not in known:
        known[name] = tuple(codes(dict.get(namespace, name), namespace))
    return known[name]


def _codes(o: Any, namespace: dict[str, Any], depth: int, budget: list[int]) -> Iterator[CodeType | None]:
    budget[0] -= 1
    if is_exactly(o, _PLAIN) or budget[0] < 0:
        return
    if o is namespace or o is sys.modules.get("__main__") or any(o is one for one in _BIND):
        yield None
        return
    yield from _own(o, namespace)
    if depth > 0:
        for inside in held(o):
            if is_exactly(inside, _PLAIN):  # most of it
                continue
            yield from _codes(inside, namespace, depth - 1, budget)


def _own(o: Any, namespace: dict[str, Any]) -> Iterator[CodeType]:
    kind = type(o)
    if kind is CodeType:
        yield o
    elif kind is FunctionType:
        if o.__globals__ is namespace:
            yield o.__code__
    elif is_exactly(o, (GeneratorType, CoroutineType, AsyncGeneratorType)):
        yield from _of_frame(getattr(o, "gi_frame", None) or getattr(o, "cr_frame", None), namespace)
        yield from _of_frame(getattr(o, "ag_frame", None), namespace)
    elif kind is not ModuleType and kind is not dict and not is_exactly(o, _SEQUENCES):
        yield from _of_class(o if inherits(kind, type) else kind, namespace)


def held(o: Any) -> Iterable[Any]:
    """What an object holds; a function what it wraps: a decorated one holds the other in a cell, or says so."""
    kind = type(o)
    try:
        if is_exactly(o, _SEQUENCES):
            return list(islice(o, _MOST))
        if kind is dict:
            return list(islice(o.values(), _MOST))
        if kind is functools.partial:
            return [o.func, *o.args, *o.keywords.values()]
        if kind is MethodType:
            return [o.__func__, o.__self__]
        if kind is BuiltinFunctionType:  # a method of something built in: `namespace.update`
            return [] if type(o.__self__) is ModuleType else [o.__self__]
        if kind is FunctionType:
            cells = [cell.cell_contents for cell in o.__closure__ or () if _is_full(cell)]
            return [*cells, *(o.__defaults__ or ()), dict.get(o.__dict__, "__wrapped__")]
        return [] if kind is ModuleType or inherits(kind, type) else list(islice(vars_of(o).values(), _MOST))
    except RuntimeError:  # it was changed meanwhile
        return []


def vars_of(o: Any) -> dict[str, Any]:
    """An object's own attributes, without asking it."""
    for base in classes(type(o)):
        descriptor = class_vars(base).get("__dict__")
        if isinstance(descriptor, (GetSetDescriptorType, MemberDescriptorType)):
            found = descriptor.__get__(o)
            return found if type(found) is dict else {}
    return {}


def _of_class(cls: type, namespace: dict[str, Any]) -> Iterator[CodeType]:
    for base in classes(cls):
        for member in list(class_vars(base).values()):
            for function in _functions(member):
                if type(function) is FunctionType and function.__globals__ is namespace:
                    yield function.__code__


def _functions(member: Any) -> tuple[Any, ...]:
    if is_exactly(member, (staticmethod, classmethod)):
        return (member.__func__,)
    if type(member) is property:
        return (member.fget, member.fset, member.fdel)
    return (member.func,) if type(member) is functools.cached_property else (member,)


def _of_frame(frame: Any, namespace: dict[str, Any]) -> Iterator[CodeType]:
    if frame is not None and frame.f_globals is namespace:
        yield frame.f_code


def _is_full(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def codes_of(function: FunctionType | CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those inside it."""
    todo = [function.__code__ if isinstance(function, FunctionType) else function]
    while todo:
        code = todo.pop()
        yield code
        todo += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def reaches_out(function: Any) -> bool:
    """Whether a function of a library gets at the namespace of who calls it: `sympy.var` does.

    It may leave that to another one of its module.
    """
    if type(function) is not FunctionType:
        return False
    names = {name for code in codes_of(function) for name in code.co_names}
    if not _SETS_NAMES.isdisjoint(names):
        return True
    others = [dict.get(function.__globals__, name) for name in names]
    near = [one for one in others if type(one) is FunctionType and one.__globals__ is function.__globals__]
    return any(not _SETS_NAMES.isdisjoint(code.co_names) for one in near for code in codes_of(one))


def _of_other_threads() -> list[FrameType | None]:
    """Where threads are that a cell may have begun. This one's frame, held in itself, would keep what it looks at."""
    frames = sys._current_frames()
    for known in (threading.get_ident(), threading.main_thread().ident):
        frames.pop(known or 0, None)
    return list(frames.values())


def at_any_time(namespace: dict[str, Any]) -> Iterator[CodeType | None]:
    """Code that nobody calls by name: of threads, signals, finalizers, and of the collection of garbage."""
    for behind in _of_other_threads():
        while behind is not None:
            yield from _of_frame(behind, namespace)
            behind = behind.f_back
    for thread in threading.enumerate():
        own = vars_of(thread)
        for name in ("_target", "_args", "_kwargs", "function", "args", "kwargs"):
            yield from codes(own.get(name), namespace, 2)
    for number in signal.valid_signals():
        yield from codes(signal.getsignal(number), namespace, 2)
    yield from codes(gc.callbacks, namespace, 2)
    for info in list(getattr(weakref.finalize, "_registry", {}).values()):
        yield from codes([info.func, info.args, info.kwargs], namespace, 2)
