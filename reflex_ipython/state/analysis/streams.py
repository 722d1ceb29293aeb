"""Where `print` writes to."""

from __future__ import annotations

import io
import sys
from typing import Any

from reflex_ipython.base.classes import module_name
from reflex_ipython.state.kinds.layout import identity


def stream_is_known(stream: Any) -> bool:
    """Whether what is printed goes where the shell takes it, and into no object of the user's."""
    if stream is sys.__stdout__:
        return True
    cls = type(stream)
    known = _streams.get(identity(cls))
    if known is None:
        root = module_name(cls).partition(".")[0]
        known = cls is not io.StringIO and root in ("ipykernel", "IPython", "_pytest", "colorama")
        if known:
            _streams[identity(cls)] = True
            _kept.append(cls)
    return known


_streams: dict[int, bool] = {}
_kept: list[type] = []
