"""The modules that bring kinds of objects: a new one is a file in this folder and a line in this list.

What such a module may have, each only if it needs it:

- `KINDS`: the kinds of types that are always there, by type.
- `kinds()`: those of a library, by type; asked again whenever one of the module's `LIBRARIES` has come in.
- `LIBRARIES`: the names of the modules that `kinds()` looks up in `sys.modules`. It never imports them.
- `shared()`: what any statement may change without naming it, each as a label, its kind and the object.
"""

from __future__ import annotations

import importlib

_NAMES = (
    "containers",
    "buffers",
    "functions",
    "instances",
    "modules",
    "iterators",
    "errors",
    "loggers",
    "log_handlers",
    "weak",
    "locks",
    "opaque",
    "random_state",
    "process_settings",
    "library_settings",
    "arrays",
    "layouts",
    "frames",
    "figures",
    "estimators",
    "rotations",
    "catalogues",
    "tensors",
    "compiled",
    "moving",
    "patches",
    "search_trees",
    "derived",
    "zones",
    "callers",
    "call_frames",
)
"""Where two know the same type, the later one counts."""

FAMILIES = tuple(importlib.import_module(f"{__package__}.{name}") for name in _NAMES)
