"""Providers, checkers and stores from installed packages: three groups of entry points, ours among them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from reflex_ipython.protocols import Context

PROVIDERS = "reflex_ipython.providers"
CHECKERS = "reflex_ipython.checkers"
STORES = "reflex_ipython.stores"


def load(group: str, context: Context, warn: Callable[[str], None]) -> list[Any]:
    """Make one object of every entry point of a group.

    Parameters
    ----------
    group : str
        One of `PROVIDERS`, `CHECKERS`, `STORES`.
    context : Context
        What each of them is called with.
    warn : callable
        Is told in a sentence of each plugin that can't be loaded; it is skipped.

    Returns
    -------
    list
        Our own first, then the others by their names.
    """
    loaded = []
    for point in sorted(entry_points(group=group), key=_ours_first):
        try:
            loaded.append(point.load()(context))
        except Exception as error:  # noqa: BLE001 - a plugin is foreign code, and must not take the others with it
            warn(f"the plugin {point.name!r} ({point.value}) is skipped: {type(error).__name__}: {error}")
    return loaded


def _ours_first(point: EntryPoint) -> tuple[bool, str]:
    return not point.value.startswith("reflex_ipython."), point.name
