"""What objects of a failed run print as they end, while its fix is accepted: that goes the way of that run's output.

The accepted cell's output takes the place of it, and is that of a kernel in which the failed run never was. What an
interrupt has ended is shown: that is meant by who interrupts.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from reflex_ipython.base.classes import module_name


@contextmanager
def unprinted() -> Iterator[None]:
    """Nothing that this thread prints meanwhile is shown in a notebook; a terminal shows it, as it shows all."""
    streams = {id(stream): stream for stream in (sys.stdout, sys.stderr) if _is_kernels(stream)}  # they may be one
    kept = {place: vars(stream).get("write") for place, stream in streams.items()}
    said: list[str] = []
    for stream in streams.values():
        vars(stream)["write"] = _silent(stream.write, said)
    try:
        yield
    finally:
        for place, stream in streams.items():
            if kept[place] is None:
                vars(stream).pop("write", None)
            else:
                vars(stream)["write"] = kept[place]
        if "KeyboardInterrupt" in "".join(said):
            list(streams.values())[-1].write("".join(said))


def _is_kernels(stream: Any) -> bool:
    return module_name(type(stream)).startswith("ipykernel.")


def _silent(write: Callable[[str], int], said: list[str]) -> Callable[[str], int]:
    thread = threading.get_ident()

    def keep(text: str) -> int:
        if threading.get_ident() != thread or type(text) is not str:
            return write(text)
        said.append(text)
        return len(text)

    return keep
