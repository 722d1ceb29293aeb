"""The shell that runs the cells, which the user's code may hold under any name."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.base.classes import class_vars
from reflex_ipython.state.user_code import contents


def current_shell() -> Any:
    """IPython's shell; None where there is none. Nothing is imported for it, and no code of anybody runs."""
    cls = contents(sys.modules.get("IPython.core.interactiveshell")).get("InteractiveShell")
    return None if cls is None else class_vars(cls).get("_instance")
