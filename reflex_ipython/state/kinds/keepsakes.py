"""Copies of small frames that come to an end: nobody else held the frame, so nobody can tell its copy from it.

The frame itself is not kept: as long as it lives, pandas copies what it shares before the next write.
"""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.base.classes import is_exactly

_SMALL = 256_000
"""Bytes of a frame up to which it is copied, and held while a statement runs."""


def keepsake(o: Any) -> Any:
    """A copy of a small frame or series of plain data; None for everything else."""
    if not is_small_frame(o) or o.attrs:
        return None
    blocks = getattr(o._mgr, "blocks", ())
    if any(str(getattr(block.values, "dtype", "object")) == "object" for block in blocks):
        return None
    return o.copy()


def is_small(o: Any) -> bool:
    """Whether it is little data of numpy or pandas: held while a statement runs, it takes no memory that counts."""
    array = getattr(sys.modules.get("numpy"), "ndarray", None)
    return (type(o) is array and o.nbytes <= _SMALL and o.dtype.kind != "O") or is_small_frame(o)


def is_small_frame(o: Any) -> bool:
    """Whether it is a frame or series of pandas, of no class of the user's, with little data."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not is_exactly(o, (getattr(pandas, "DataFrame", object), getattr(pandas, "Series", object))):
        return False  # `getattr`: it may be imported just now
    return sum(int(block.values.nbytes) for block in getattr(o._mgr, "blocks", ())) <= _SMALL
