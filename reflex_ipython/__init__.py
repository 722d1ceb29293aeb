"""reflex_ipython: when a notebook cell fails, a checked fix under the traceback; one click repairs and re-runs it.

`%load_ext reflex_ipython` starts it, `%reflex?` tells the rest.
"""

from __future__ import annotations

from reflex_ipython.version import __version__

__all__ = ["__version__"]
