"""reflex_ipython: when a notebook cell fails, a checked fix under the traceback; one click repairs and re-runs it.

`%load_ext reflex_ipython` loads it; `%reflex?` explains the rest.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from reflex_ipython.version import __version__

if TYPE_CHECKING:
    from reflex_ipython.execution.run import aexecute as aexecute
    from reflex_ipython.execution.run import execute as execute
    from reflex_ipython.functions.decorator import heal as heal
    from reflex_ipython.functions.modules import active as active
    from reflex_ipython.functions.modules import heal_module as heal_module
    from reflex_ipython.functions.run import run as run
    from reflex_ipython.headless.heal import heal_notebook as heal_notebook
    from reflex_ipython.headless.healed import HealedNotebook as HealedNotebook
    from reflex_ipython.models import Execution as Execution
    from reflex_ipython.settings import Settings as Settings
    from reflex_ipython.traces.recording import trace as trace

    last: Execution | None

_LATER = {
    "Execution": "reflex_ipython.models",
    "Settings": "reflex_ipython.settings",
    "active": "reflex_ipython.functions.modules",
    "heal": "reflex_ipython.functions.decorator",
    "heal_module": "reflex_ipython.functions.modules",
    "run": "reflex_ipython.functions.run",
    "aexecute": "reflex_ipython.execution.run",
    "execute": "reflex_ipython.execution.run",
    "HealedNotebook": "reflex_ipython.headless.healed",
    "heal_notebook": "reflex_ipython.headless.heal",
    "last": "reflex_ipython.ipython.latest",
    "trace": "reflex_ipython.traces.recording",
}
"""Where the names are that are imported when they are asked for: `%load_ext` needs none of them."""

_NOW = ("last",)
"""Those among them that stand for what a function gives when they are asked for."""

__all__ = [
    "Execution",
    "HealedNotebook",
    "Settings",
    "__version__",
    "active",
    "aexecute",
    "execute",
    "heal",
    "heal_module",
    "heal_notebook",
    "last",
    "load_ipython_extension",
    "run",
    "trace",
    "unload_ipython_extension",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(_LATER[name]), name)
    return found() if name in _NOW else found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext reflex_ipython` calls."""
    from reflex_ipython.ipython.extension import load  # for who imports the package for its models alone

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext reflex_ipython` calls."""
    from reflex_ipython.ipython.extension import unload

    unload(shell)
