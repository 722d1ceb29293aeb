"""Modules of the user's own that are imported from now on: somebody is told of each, once it has run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

from reflex_ipython.base.library_files import is_library

Tell = Callable[[ModuleType], None]


@contextlib.contextmanager
def telling_of_imports(tell: Tell) -> Iterator[None]:
    """Tell of those that are imported until the end of the block.

    Parameters
    ----------
    tell : callable
        Is called with each module, on the thread that imports it, before that goes on.
    """
    finder = _Finder(tell)
    known = list(sys.meta_path)
    place = known.index(PathFinder) if PathFinder in known else len(known)  # whoever else looks first, still does
    sys.meta_path.insert(place, finder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # somebody has taken it out
            sys.meta_path.remove(finder)


class _Finder:
    """Finds what Python itself would find next."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """How to make a module of the user's own; None of any other, which the others find."""
        spec = PathFinder.find_spec(name, path, target)
        loader = spec.loader if spec is not None else None
        if spec is None or type(loader) is not SourceFileLoader or is_library(str(spec.origin)):
            return None
        execute, tell = loader.exec_module, self._tell

        def execute_and_tell(module: ModuleType) -> None:
            execute(module)
            tell(module)

        loader.exec_module = execute_and_tell  # type: ignore[method-assign]  # of this module's loader alone
        return spec
