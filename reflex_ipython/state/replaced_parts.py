"""Small parts of objects of numpy and matplotlib, which a statement puts others in the place of: nobody watches them.

matplotlib's transforms refer to each other weakly; those references are its own, and nobody is told of their end.
"""

from __future__ import annotations

import sys
import weakref
from types import FunctionType, MethodType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits
from reflex_ipython.state.kinds.layout import attributes_of, is_static
from reflex_ipython.state.references import callback
from reflex_ipython.state.user_code import contents, is_users, owned_class

_TRANSFORMS = "matplotlib.transforms"
_SMALL = 16_000
"""Bytes of an array up to which it is small."""
_CORNERS = 72
"""Bytes of a matrix of 3 × 3 numbers."""
_PLAIN = "biufcmMSU"
"""Kinds of arrays that hold nothing."""


def parts_of_a_replaced(o: Any) -> list[object] | None:
    """What hangs on a number or a small masked array of numpy, or on a transform; None for all else."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and inherits(type(o), numpy.generic):
        return [] if is_static(type(o)) and o.dtype.kind in _PLAIN else None
    if is_masked(o):
        if o.nbytes > _SMALL or o.dtype.kind not in _PLAIN or weakref.getweakrefcount(o):
            return None
        return [o.base, *attributes_of(o).values()]
    if type(o) is weakref.ReferenceType:
        return [] if _is_its_own(o) else None
    if type(o) is MethodType:  # a transform that wraps another one has its methods
        return [o.__self__] if is_transform(o.__self__) and not is_users(o.__func__) else None
    return [each for each in attributes_of(o).values() if not _is_corners(each)] if is_transform(o) else None


def _is_corners(o: Any) -> bool:
    """Whether it is an array of a box's corners, or a matrix: a part of the transform, whoever has it too."""
    array = contents(sys.modules.get("numpy")).get("ndarray")
    if type(o) is not array or o.nbytes > _CORNERS or weakref.getweakrefcount(o):
        return False
    return o.base is None or _is_corners(o.base)


def is_masked(o: Any) -> bool:
    """Whether it is a masked array of numpy's own class."""
    masked = contents(sys.modules.get("numpy.ma")).get("MaskedArray")
    return masked is not None and type(o) is masked


def is_transform(o: Any) -> bool:
    """Whether it is a transform of a library's class to which nobody but matplotlib refers weakly."""
    node = contents(sys.modules.get(_TRANSFORMS)).get("TransformNode")
    if node is None or not inherits(type(o), node):
        return False
    ends = any(owned_class(cls) or "__del__" in class_vars(cls) for cls in classes(type(o)))
    return not ends and all(map(_is_its_own, weakref.getweakrefs(o)))


def _is_its_own(reference: Any) -> bool:
    """Whether matplotlib has made it, to strike a transform off a list of its own."""
    called = callback(reference)
    return type(called) is FunctionType and called.__module__ == _TRANSFORMS
