"""Whether anybody is told of requests of HTTP: the methods that make them are replaced while somebody listens.

Nothing is imported for that: a library that is imported meanwhile is seen to then. The last one who listens puts back
what was there.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import threading
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from reflex_ipython.traces.asking import LIBRARIES, listeners
from reflex_ipython.traces.network import NetworkLog

_lock = threading.RLock()
_replaced: list[tuple[Any, str, Any, Any]] = []
"""A class, the name of its method, what was there, and what is there now."""


def listen(log: NetworkLog) -> Callable[[], None]:
    """Have a log told of what is asked from now on, on all threads.

    Parameters
    ----------
    log : NetworkLog

    Returns
    -------
    callable
        Ends it.
    """
    with _lock:
        listeners.append(log)
        if len(listeners) == 1:
            sys.meta_path.insert(0, _imports)
            for name in LIBRARIES:
                if name in sys.modules:
                    _replace(name, sys.modules[name])

    def undo() -> None:
        with _lock:
            if log in listeners:
                listeners.remove(log)
                if not listeners:
                    _put_back()

    return undo


def silence() -> None:
    """End it for all, in a copy of the process."""
    with _lock:
        listeners.clear()
        _put_back()


def _replace(name: str, module: ModuleType) -> None:
    try:
        for owner, method, new in LIBRARIES[name](module):
            _replaced.append((owner, method, vars(owner)[method], new))
            setattr(owner, method, new)
    except (AttributeError, KeyError):  # another version than is known: what it asks is not recorded
        return


def _put_back() -> None:
    if _imports in sys.meta_path:
        sys.meta_path.remove(_imports)
    while _replaced:
        owner, method, was, new = _replaced.pop()
        if vars(owner).get(method) is new:  # else another's place by now, who calls ours: it then does nothing
            setattr(owner, method, was)


class _Imports(importlib.abc.MetaPathFinder):
    """Sees the known libraries being imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """What the others find, with a loader that has the module's methods replaced once it is there."""
        if name not in LIBRARIES:
            return None
        for finder in [*sys.meta_path]:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec: importlib.machinery.ModuleSpec | None = None if find is None else find(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


class _Loader(importlib.abc.Loader):
    def __init__(self, real: Any) -> None:
        self._real = real

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """As the real one."""
        found: ModuleType | None = self._real.create_module(spec)
        return found

    def exec_module(self, module: ModuleType) -> None:
        """As the real one, which the module has from then on."""
        module.__loader__ = self._real
        if module.__spec__ is not None:
            module.__spec__.loader = self._real
        self._real.exec_module(module)
        with _lock:
            if listeners:
                _replace(module.__name__, module)


_imports = _Imports()
