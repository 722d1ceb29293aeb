"""An SDK is imported when it is needed; the user's own file of that name would be run in its place."""

from __future__ import annotations

import importlib.util
import sys

from reflex_ipython.errors import ModelError


def refuse_own_file(name: str) -> None:
    """To be called before an SDK is imported, which is a package.

    Parameters
    ----------
    name : str

    Raises
    ------
    ModelError
        If there is a plain file of that name in its place, as a first try at it is often called.
    """
    spec = importlib.util.find_spec(name) if name not in sys.modules else getattr(sys.modules[name], "__spec__", None)
    if spec is not None and spec.has_location and spec.submodule_search_locations is None:
        raise ModelError(
            f"`import {name}` finds your own file {spec.origin}, not the library that asks the model. "
            "Give it another name, restart the kernel, then ask again.",
            "other",
        )
