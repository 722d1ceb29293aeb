"""reflex_ipython: when a notebook cell fails, a checked fix under the traceback; one click repairs and re-runs it.

`%load_ext reflex_ipython` loads it; `%reflex?` explains the rest.
"""

from __future__ import annotations

from typing import Any

from reflex_ipython.version import __version__

__all__ = ["__version__", "load_ipython_extension", "unload_ipython_extension"]


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext reflex_ipython` calls."""
    from reflex_ipython.ipython.extension import load  # for who imports the package for its models alone

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext reflex_ipython` calls."""
    from reflex_ipython.ipython.extension import unload

    unload(shell)
