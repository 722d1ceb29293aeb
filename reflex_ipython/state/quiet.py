"""What may be kept without anybody seeing that it lives: small, plain data.

All else comes to an end when it would have ended without us: a file is closed, a finalizer runs, a weak reference is
empty, memory is free again.
"""

from __future__ import annotations

import gc
import sys
import types
import weakref
from collections import deque
from itertools import filterfalse
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly, module_name, qualname
from reflex_ipython.state.kinds.keepsakes import shares_its_data
from reflex_ipython.state.kinds.layout import identity, is_static, layout, type_name
from reflex_ipython.state.kinds.table import ATOMS, REFERRING
from reflex_ipython.state.references import others
from reflex_ipython.state.replaced_parts import is_transform, parts_of_a_replaced
from reflex_ipython.state.user_code import contents, owned_module
from reflex_ipython.state.weak import has_references

_SMALL = 16_000
"""Bytes of a text or an array up to which it is small."""
FEW = 1_000
"""Objects up to which data is small."""
_HANDFUL = 100
"""Objects up to which data is looked through at every statement's end."""
_UNCHANGING = ATOMS.union(map(identity, REFERRING))
_LISTS = (list, tuple, set, frozenset, deque)


def is_atom(o: object) -> bool:
    """Whether it has no contents, and is small: a number, a short text, None, a date."""
    cls = type(o)
    return identity(cls) in _UNCHANGING and ((cls is not str and cls is not bytes) or len(o) <= _SMALL)  # type: ignore[arg-type]  # sized


def is_plain(o: object) -> bool:
    """Whether it is small data of Python's own: a number or a text, or a list, tuple or dict of such.

    Whoever else holds it: there is no way to see it end.
    """
    if is_atom(o):
        return True
    left, todo = _HANDFUL, [o]
    while todo:
        some: Any = todo.pop()
        if not is_exactly(some, (list, tuple, dict)):
            return False
        left -= 1 + len(some)
        if left < 0:
            return False
        todo += filterfalse(is_atom, [*some])  # of a dict, the keys; as they are now: another thread may add some
        todo += filterfalse(is_atom, [*some.values()]) if type(some) is dict else ()
    return True


def is_constant(o: object) -> bool:
    """Whether it is such, and nobody can put anything else into it: a number, a text, a tuple of those."""
    return is_plain(o) and not lists_in(o)


def parts_are_its_own(o: object) -> bool:
    """Whether nobody else has one of the lists and dicts in such data: then it can be changed by it alone."""
    todo: list[Any] = [o]
    while todo:
        some = todo.pop()
        inside = [*filterfalse(is_atom, some.values() if type(some) is dict else some)]
        for place in range(len(inside)):
            if others(inside, place) > 1 and not is_constant(inside[place]):
                return False
        todo += inside
    return True


def is_quiet(o: object) -> bool:
    """Whether nobody would see it end, if nobody else holds it: it and all that hangs on it is small, and has no
    finalizer, no weak reference, no buffer that others see.
    """
    seen = {identity(o)}
    todo = _inside(o)
    if todo is None:
        return False
    while todo:
        shared = others(todo, -1) > 1  # than what it hangs on: others may look at its end later
        some = todo.pop()
        shared = shared and not _is_labels(some) and not is_transform(some)  # an axes has it as well
        if is_atom(some) or identity(some) in seen or lasts(some):
            continue
        seen.add(identity(some))
        inside = None if shared and has_references(type(some)) else _inside(some)
        if inside is None or len(seen) + len(todo) + len(inside) > FEW:
            return False
        todo += inside
        del inside
    return True


def lists_in(o: object) -> list[object]:
    """The lists and dicts in it, however deep, itself included: whoever else has one of them may change it."""
    found: list[object] = []
    seen: set[int] = set()
    todo = [o]
    while todo:
        some = todo.pop()
        if is_atom(some) or identity(some) in seen or lasts(some):
            continue
        seen.add(identity(some))
        if type(some) is list or type(some) is dict:
            found.append(some)
        todo += _inside(some) or ()
    return found


_PLAIN = "biufcmMSU"
"""Kinds of arrays that hold nothing."""
_VARIABLES = frozenset(["xarray.core.variable.IndexVariable", "xarray.core.variable.Variable"])


def _is_labels(o: Any) -> bool:
    """Whether it is what stands for the labels of a table, which several have: nobody waits for the end of one."""
    return type_name(type(o)) in _LABELS  # pandas itself refers weakly to an index


_LABELS = frozenset(
    [
        "pandas.DatetimeIndex",
        "pandas.Index",
        "pandas.RangeIndex",
        "pandas.core.indexes.base.Index",
        "pandas.core.indexes.datetimes.DatetimeIndex",
        "pandas.core.indexes.range.RangeIndex",
        "xarray.core.indexes.PandasIndex",
    ]
)


def lasts(o: Any) -> bool:
    """Whether it is a module of a library, or what such a module has by its name: that stays when others let it go."""
    cls = type(o)
    if cls is types.ModuleType:
        module, name = contents(o).get("__name__"), None
    elif is_exactly(o, (types.FunctionType, types.BuiltinFunctionType)):
        module, name = o.__module__, o.__name__
    elif inherits(cls, type):
        module, name = module_name(o), qualname(o)
    elif type_name(cls) in _NUMPYS:
        module, name = "numpy", o.__name__
    else:
        return False
    if type(module) is not str or owned_module(module):
        return False
    there = sys.modules.get(module)
    return o is (there if name is None else contents(there).get(name))


_NUMPYS = ("numpy.ufunc", "numpy._ArrayFunctionDispatcher")


def _inside(o: Any) -> list[object] | None:
    """What hangs on an object that ends unseen; None for one that may not."""
    cls = type(o)
    if cls is dict:
        return [*o, *o.values()] if len(o) < FEW else None
    if is_exactly(o, _LISTS):
        return list(o) if len(o) < FEW and not _referred_to(o) else None
    if cls is types.FunctionType:
        return [o.__defaults__, o.__kwdefaults__, o.__dict__] if o.__closure__ is None and not _referred_to(o) else None
    for inside in (_of_a_library(o), parts_of_a_replaced(o)):
        if inside is not None:
            return inside
    return _attributes(o)


def _of_a_library(o: Any) -> list[object] | None:
    """What hangs on a small array of numpy, or on labels or an array of pandas."""
    if type(o) is contents(sys.modules.get("decimal")).get("Context"):
        return []  # numbers and flags
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if numpy is not None and inherits(type(o), numpy.dtype):
        return []
    if type_name(type(o)) in _VARIABLES:
        data = o._data
        inside = [each for each in gc.get_referents(o) if each is not type(o)]
        small = type(data) is getattr(numpy, "ndarray", None) and data.nbytes <= _SMALL and data.dtype.kind in _PLAIN
        return [each for each in inside if each is not data] if small else inside  # a part of it, whoever has it too
    if numpy is not None and type(o) is numpy.ndarray:
        if o.nbytes > _SMALL or _referred_to(o) or o.dtype.kind not in f"{_PLAIN}O":
            return None
        return [o.base, *(o.ravel(order="K").tolist() if o.dtype.kind == "O" else ())]
    if pandas is None or module_name(type(o)).partition(".")[0] != "pandas":
        return None
    if inherits(type(o), pandas.Index) and not shares_its_data(o) and type(o) is not pandas.MultiIndex:
        return [vars(o).get("_name")] if _is_small_data(_labels(o)) else None  # its index engine holds it too
    return [] if _is_small_data(o) else None


def _labels(index: Any) -> Any:
    fields = vars(index)
    return fields.get("_data", fields.get("_range"))


def _is_small_data(o: Any) -> bool:
    """Whether it is an array of pandas, or the range of an index, with small and plain data."""
    backed = sys.modules["pandas._libs.arrays"].NDArrayBacked
    data = o._ndarray if inherits(type(o), backed) else o
    if type(data) is range:
        return True
    if type(data) is not sys.modules["numpy"].ndarray or data.nbytes > _SMALL:
        return False
    return data.dtype.kind != "O" or all(map(is_atom, data.ravel(order="K").tolist()))


def _attributes(o: Any) -> list[object] | None:
    form = layout(type(o))
    if form.solid is not object or _referred_to(o) or is_static(type(o)):
        return None
    if any("__del__" in class_vars(cls) for cls in classes(type(o))):
        return None
    return [each for each in gc.get_referents(o) if each is not type(o)]  # to ask for `__dict__` would make one


def _referred_to(o: object) -> bool:
    return weakref.getweakrefcount(o) > 0
