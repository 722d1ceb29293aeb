"""What modules have one of behind functions, where the code can get at them; and what is registered for good."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from typing import Any

from reflex_ipython.state.kinds import interpreter, module_entries, shell_events
from reflex_ipython.state.kinds.kind import Kind

_SWITCHES = (*interpreter.ROWS, *module_entries.ROWS, *shell_events.ROWS)
_FOR_GOOD = Kind(
    "codecs.register, sys.addaudithook and other permanent registrations",
    "named",
    lambda o, walk: None,
    lambda o, saved: False,
)
_REGISTERING = (
    ("codecs", "register"),
    ("codecs", "unregister"),
    ("codecs", "register_error"),
    ("os", "register_at_fork"),
    ("os", "nice"),
    ("sys", "addaudithook"),
    ("bokeh", "curdoc"),
    ("cv2", "randn"),
    ("cv2", "randShuffle"),
    ("cv2", "randu"),
    ("cv2", "setRNGSeed"),
    ("pyarrow", "register_extension_type"),
    ("pyarrow", "unregister_extension_type"),
)
"""And what nobody can read: whether an extension type is known to Arrow, how far OpenCV's random numbers are; the
document that bokeh has one of holds models that notice every change."""


def reached(modules: Collection[str], words: Collection[str]) -> Iterator[tuple[str, Kind, Any]]:
    """Those that the code can get at, with a label for each.

    Parameters
    ----------
    modules : collection of str
        The modules that it can get at.
    words : collection of str
        The names and attributes that it uses.
    """
    used = {*modules, *(["builtins"] if "__builtins__" in words else [])}
    for module, needed, label, kind in _SWITCHES:
        loaded = sys.modules.get(module) if module in used else None
        if loaded is not None and (not needed or not needed.isdisjoint(words)):
            yield label, kind, loaded
    for module, word in _REGISTERING:
        if module in used and word in words:
            yield f"{module}.{word}", _FOR_GOOD, sys.modules[module]


KINDS = (*(kind for *_, kind in _SWITCHES), _FOR_GOOD)
