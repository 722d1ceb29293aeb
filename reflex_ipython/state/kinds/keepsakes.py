"""Copies of small frames that come to an end: nobody else held the frame, so nobody can tell its copy from it.

The frame itself is not kept: as long as it lives, pandas copies what it shares before the next write.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.user_code import owned_class

_SMALL = 256_000
"""Bytes of a frame up to which it is copied, and held while a statement runs."""


def keepsake(o: Any) -> Any:
    """A copy of a small frame or series of plain data; None for everything else."""
    if not is_small_frame(o) or o.attrs or any(map(shares_its_data, o._mgr.axes)):
        return None  # of the last, a copy would share what a series holds as well
    if any(str(block.dtype) == "object" for block in o._mgr.blocks):
        return None
    return o.copy()


def is_small_array(o: Any) -> bool:
    """Whether it is an array of numpy's own with little and plain data, to which nobody refers weakly."""
    array = getattr(sys.modules.get("numpy"), "ndarray", None)
    return type(o) is array and o.nbytes <= _SMALL and o.dtype.kind != "O" and not weakref.getweakrefcount(o)


def is_small_frame(o: Any) -> bool:
    """Whether it is a frame or series of pandas, of no class of the user's, with little data of libraries' classes."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not is_exactly(o, (getattr(pandas, "DataFrame", object), getattr(pandas, "Series", object))):
        return False  # `getattr`: it may be imported just now
    values = [block.values for block in getattr(o._mgr, "blocks", ())]
    return not any(owned_class(type(each)) for each in values) and sum(int(each.nbytes) for each in values) <= _SMALL


def shares_its_data(index: Any) -> bool:
    """Whether a series has the same array: pandas would then copy it before the next write, as long as these live."""
    shared = vars(index).get("_references")
    holders = [reference() for reference in shared.referenced_blocks] if shared is not None else []
    return any(holder is not None and not hasattr(holder, "_view") for holder in holders)  # a block; others are labels
