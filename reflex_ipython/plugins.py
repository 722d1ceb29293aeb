"""Providers, checkers and stores from installed packages: three groups of entry points, ours among them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.metadata import EntryPoint, MetadataPathFinder, entry_points
from typing import Any

from reflex_ipython.protocols import Checker, FixProvider, RepairStore, StoreContext

PROVIDERS = "reflex_ipython.providers"
CHECKERS = "reflex_ipython.checkers"
STORES = "reflex_ipython.stores"

_PROTOCOLS: dict[str, type] = {PROVIDERS: FixProvider, CHECKERS: Checker, STORES: RepairStore}


def load(group: str, context: StoreContext, warn: Callable[[str], None]) -> list[Any]:
    """Make one object of every entry point of a group.

    Parameters
    ----------
    group : str
        One of `PROVIDERS`, `CHECKERS`, `STORES`.
    context : StoreContext
        What each of them is called with: a `Context`, but for stores.
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
            loaded.append(_complete(point.load()(context), _PROTOCOLS[group]))
        except Exception as error:  # noqa: BLE001 - a plugin is foreign code, and must not take the others with it
            warn(f"the plugin {point.name!r} ({point.value}) was skipped: {type(error).__name__}: {error}")
    return loaded


def forget_packages() -> None:
    """Let go of what looking for plugins has left in Python's cache of all installed packages.

    It holds three objects for each of them, and every full garbage collection would walk through these from then on.
    Whoever asks for packages next has the folders read once more, as after each `pip install`: a few milliseconds.
    """
    MetadataPathFinder().invalidate_caches()


def _complete(plugin: Any, protocol: type) -> Any:
    """The plugin, if it has all members that are asked of it: one that was missed later would end every search."""
    parts = protocol.__mro__
    members = {name for part in parts for name in (*inspect.get_annotations(part), *vars(part)) if name[0] != "_"}
    missing = sorted(name for name in members if not hasattr(plugin, name))
    if missing:
        raise TypeError(f"it has no {', '.join(f'`{name}`' for name in missing)}")
    return plugin


def _ours_first(point: EntryPoint) -> tuple[bool, str]:
    return not point.value.startswith("reflex_ipython."), point.name
