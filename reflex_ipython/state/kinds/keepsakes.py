"""Copies of small frames that come to an end: nobody else held the frame, so nobody can tell its copy from it.

The frame itself is not kept: as long as it lives, pandas copies what it shares before the next write.
"""

from __future__ import annotations

import sys
from typing import Any

_SMALL = 256_000
"""Bytes of a frame up to which it is copied."""


def keepsake(o: Any) -> Any:
    """A copy of a small frame or series of plain data; None for everything else."""
    pandas = sys.modules.get("pandas")
    if pandas is None or (type(o) is not pandas.DataFrame and type(o) is not pandas.Series) or o.attrs:
        return None
    blocks = getattr(o._mgr, "blocks", ())
    if sum(int(block.values.nbytes) for block in blocks) > _SMALL:
        return None
    if any(str(getattr(block.values, "dtype", "object")) == "object" for block in blocks):
        return None
    return o.copy()
