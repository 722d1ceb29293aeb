"""A picture of a namespace that two runs can be compared by: every object by its identity, with its contents.

Made by other means than the journal's: by the objects' public faces, so that a mistake of one is not a mistake of both.
"""

from __future__ import annotations

import array
import collections
import copy
import csv
import decimal
import io
import locale
import logging
import os
import random
import socket
import sys
import threading
import types
import warnings
import weakref
from _abc import _get_dump
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

_MODULES = ("own_example", "string")
"""Modules that are looked into."""
_ATOMS = (int, float, complex, str, bytes, type(None), range, types.BuiltinFunctionType, types.CodeType)


class Picture:
    """What every name is bound to, and what is in every object. It keeps them all alive, so that ids stay theirs."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.names = {**namespace, **_ambient()}
        self.objects: dict[int, Any] = {}
        self.contents: dict[int, Any] = {}
        todo = [value for name, value in self.names.items() if name != "__builtins__"]
        while todo:
            o = todo.pop()
            if id(o) in self.contents or _atom(o):
                continue
            self.objects[id(o)] = o
            self.contents[id(o)], children = _describe(o)
            todo += children

    def differences(self, other: Picture) -> set[str]:
        """The names that are not the same, or through which something can be reached that is not."""
        bad = {id for id, contents in self.contents.items() if other.contents.get(id, contents) != contents}
        differing = set(self.names.keys() ^ other.names.keys())
        for name, value in self.names.items():
            if (
                name in other.names and not (value is other.names[name] or _same_atom(value, other.names[name]))
            ) or not bad.isdisjoint(self.reach(value)):
                differing.add(name)
        return differing

    def reach(self, o: Any) -> set[int]:
        seen: set[int] = set()
        todo = [o]
        while todo:
            o = todo.pop()
            if id(o) not in seen and id(o) in self.contents:
                seen.add(id(o))
                todo += _describe(o)[1]
        return seen


def _loggers() -> Iterator[tuple[Any, ...]]:
    """Those that are set in some way, and how."""
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            settings = (logger.level, logger.propagate, logger.disabled, logger.handlers, logger.filters)
            if settings != (0, True, False, [], []):
                yield logger.name, *map(repr, settings)


def _ambient() -> dict[str, Any]:
    """What a process has of its own, by the names that a report has for it."""
    found = {
        "the state of random": repr(random.getstate()),
        "os.environ": repr(dict(os.environ)),
        "the current folder": os.getcwd(),
        "sys.path": repr(sys.path),
        "warnings.filters": repr(warnings.filters),
        "loggers": repr(sorted(_loggers())),
        "the recursion limit": sys.getrecursionlimit(),
        "the locale": locale.setlocale(locale.LC_ALL),
        "the default timeout": repr(socket.getdefaulttimeout()),
        "dialects": repr(csv.list_dialects()),
        "levels": logging.getLevelName(25),
        "sys.modules": "made_up" in sys.modules,
        "decimal's context": f"{id(decimal.getcontext())} {decimal.getcontext()}",
    }
    numpy, pandas, matplotlib = (sys.modules.get(name) for name in ("numpy", "pandas", "matplotlib"))
    if numpy is not None:
        found["the state of numpy.random"] = repr(numpy.random.get_state())
        found["numpy settings"] = repr(
            (numpy.geterr(), numpy.get_printoptions(), numpy.getbufsize(), numpy.geterrcall())
        )
    if pandas is not None:
        found["pandas options"] = repr(pandas._config.config._global_config)
    if matplotlib is not None:
        found["matplotlib.rcParams"] = repr(list(dict.items(matplotlib.rcParams)))
        found["the current figure"] = repr(list(matplotlib._pylab_helpers.Gcf.figs.items()))
    if "sklearn" in sys.modules:
        found["scikit-learn's configuration"] = repr(sys.modules["sklearn"].get_config())
    if "torch" in sys.modules:
        found["the state of torch.random"] = repr(sys.modules["torch"].get_rng_state().tolist())
    return found


def _atom(o: Any) -> bool:
    return type(o) in _ATOMS or (type(o) is types.ModuleType and o.__name__ not in _MODULES)


def _same_atom(some: Any, other: Any) -> bool:
    return type(some) is type(other) and type(some) in _ATOMS and repr(some) == repr(other)


def _checkpoint(o: Any) -> Any:
    return repr(o) if _atom(o) else id(o)


def _describe(o: Any) -> tuple[Any, list[Any]]:
    """Its contents as something comparable, and its children."""
    contents, children = _own(o)
    try:
        fields = object.__getattribute__(o, "__dict__") if not isinstance(o, type) else {}
    except AttributeError:
        fields = {}
    if type(o).__module__.startswith("pandas"):
        fields = {name: value for name, value in fields.items() if name in ("_attrs", "_name")}
    if type(o).__name__ in ("CallbackRegistry", "_AxesStack"):  # how many there ever were
        fields = {name: value for name, value in fields.items() if name not in ("_cid_gen", "_counter")}
    slots = [_slot(o, name) for name in ("a", "b") if "__slots__" in dir_of(type(o))]
    plain = {name: _checkpoint(value) for name, value in fields.items()} if not isinstance(o, type) else {}
    return (contents, sorted(plain.items()), [_checkpoint(slot) for slot in slots]), [
        *children,
        *fields.values(),
        *slots,
    ]


def dir_of(cls: type) -> set[str]:
    return {name for base in type.__dict__["__mro__"].__get__(cls) for name in type.__dict__["__dict__"].__get__(base)}


def _slot(o: Any, name: str) -> Any:
    try:
        return object.__getattribute__(o, name)
    except AttributeError:
        return "unset"


def _own(o: Any) -> tuple[Any, list[Any]]:
    bases = type.__dict__["__mro__"].__get__(type(o))
    if list in bases:
        items = list(list.__iter__(o))
    elif tuple in bases:
        items = list(tuple.__iter__(o))
    elif collections.deque in bases:
        items = [*o, o.maxlen]
    elif collections.OrderedDict in bases:
        items = [thing for pair in o.items() for thing in pair]
    elif dict in bases:
        items = [thing for pair in dict.items(o) for thing in pair]
        if collections.defaultdict in bases:
            items.append(o.default_factory)
    elif set in bases or frozenset in bases:
        return sorted(map(str, map(_checkpoint, o))), list(o)
    elif bytearray in bases or array.array in bases:
        return bytes(o), []
    elif io.StringIO in bases or io.BytesIO in bases:
        return ("closed" if o.closed else (o.getvalue(), o.tell())), []
    elif type in bases:
        own = {k: v for k, v in type.__dict__["__dict__"].__get__(o).items() if k not in ("__dict__", "__weakref__")}
        owned = own.get("__module__") == "__main__"
        registered = sorted(id(ref()) for ref in _get_dump(o)[0]) if "_abc_impl" in own else []
        # Of one class: Python itself forgets what others were not, once anything is registered.
        asked = o.__name__ == "Asked" and any(hasattr(one.__callback__, "__self__") for one in weakref.getweakrefs(o))
        shown = (sorted((k, _checkpoint(v)) for k, v in own.items()), registered, asked)
        return (shown, list(own.values())) if owned else ("library", [])
    elif types.FunctionType in bases:
        cells = [cell.cell_contents for cell in o.__closure__ or ()]
        items = [o.__code__, o.__defaults__, o.__kwdefaults__, *cells]
    elif types.ModuleType in bases:
        items = [thing for pair in vars(o).items() for thing in pair if pair[0] != "__builtins__"]
    elif types.MethodType in bases:
        items = [o.__self__, o.__func__]
    elif threading.local in bases:
        items = [thing for pair in o.__dict__.items() for thing in pair]
    elif BaseException in bases:
        items = [o.args, o.__cause__, o.__context__]
    elif random.Random in bases:
        return o.getstate(), []
    elif type(o).__name__.endswith("iterator") or type(o) in (zip, map):
        return _rest(o), []
    else:
        return _foreign(o)
    return [_checkpoint(item) for item in items], items


def _released(o: Any) -> bool:
    try:
        return o.obj is None
    except ValueError:
        return True


def _rest(o: Any) -> Any:
    return [repr(item) for item in copy.deepcopy(o)] if type(o) is not zip else None


def _foreign(o: Any) -> tuple[Any, list[Any]]:
    name = type(o).__name__
    if isinstance(o, weakref.ReferenceType):
        return id(o()), [o()]
    if type(o) is weakref.ProxyType:
        return id(o.__repr__.__self__), [o.__repr__.__self__]
    # By type: else an abstract class would be asked about the classes of the user, and remember.
    if type(o) in (
        weakref.WeakSet,
        weakref.WeakKeyDictionary,
        weakref.WeakValueDictionary,
    ):  # nobody is asked about a class
        return sorted(
            map(str, map(_checkpoint, (thing for pair in getattr(o, "items", lambda: [[*o]])() for thing in pair)))
        ), []
    if name in ("ndarray", "MaskedArray"):
        base = o.base
        data = o.tolist() if o.dtype == object else o.tobytes()
        objects = list(o.ravel()) if o.dtype == object else []
        shown = [_checkpoint(item) for item in objects] if objects else data
        return (o.shape, o.strides, str(o.dtype), o.flags.writeable, id(base), shown), [*objects, base]
    if name in ("Generator",):
        return (repr(o.bit_generator.state) if hasattr(o, "bit_generator") else o.get_state().tolist()), []
    if name == "RandomState":
        return repr(o.get_state()), []
    if name == "DataFrame":
        objects = [v for c in range(o.shape[1]) if o.dtypes.iloc[c].kind == "O" for v in o.iloc[:, c]]
        labels = (list(o.columns), o.columns.name, list(o.index), o.index.name, id(o.index), id(o.columns))
        return (repr(o.to_dict("split")), list(map(str, o.dtypes)), labels, [_checkpoint(x) for x in objects]), objects
    if name == "Series":
        return (repr(o.tolist()), repr(o.name), list(o.index), id(o.index)), []
    if name.endswith("Index"):
        return (list(o), repr(o.name)), []
    return (type(o), _PROGRESS.get(name, lambda o: None)(o)), []


_PROGRESS: dict[str, Callable[[Any], Any]] = {
    "broadcast": lambda o: o.index,
    "Context": lambda o: [(id(k), id(v)) for k, v in o.items()] if hasattr(o, "items") else repr(o),
    "ContextVar": lambda o: id(o.get(None)),
    "Element": lambda o: ElementTree.tostring(o),
    "Compress": lambda o: o.copy().flush(),
    "Plain": lambda o: None,
    "VoidDType": lambda o: o.names,
    "callable_iterator": lambda o: len(o.__reduce__()[1]),
    "finalize": lambda o: o.alive,
    "reader": lambda o: o.line_num,
    "generator": lambda o: o.gi_frame and o.gi_frame.f_lasti,
    "Token": lambda o: repr(o).startswith("<Token used"),
    "frame": lambda o: repr([o.f_locals.get("inner"), o.f_locals.get("left")]),
    "traceback": lambda o: o.tb_next and (id(o.tb_next), repr(o.tb_next.tb_frame.f_locals)),
    "coroutine": lambda o: o.cr_frame and (o.cr_frame.f_lasti, repr(o.cr_frame.f_locals)),
    "async_generator": lambda o: o.ag_frame and repr(o.ag_frame.f_locals),
    "count": repr,
    "enumerate": lambda o: o.__reduce__()[1][1],
    "lock": lambda o: o.locked(),
    "RLock": repr,
    "HASH": lambda o: o.digest(),
    "_lru_cache_wrapper": lambda o: o.cache_info().currsize,
    "memoryview": _released,
    "TextIOWrapper": lambda o: o.closed or o.tell(),
    "PCG64": lambda o: repr(o.state),
    "flatiter": lambda o: o.index,
    "SeedSequence": lambda o: o.n_children_spawned,
    "Tree": lambda o: (o.value.tobytes(), o.node_count),
    "void": lambda o: repr(o),
    "Categorical": lambda o: repr(list(o)),
    "Tensor": lambda o: (o.tolist(), o.requires_grad, o.data_ptr()),
    "UntypedStorage": lambda o: o.tolist(),
}
"""How far a thing has got, or what is in it, by the name of its type."""
