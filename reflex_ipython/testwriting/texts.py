"""Modules of the user's with other texts than their files have now, for one process."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType


class ModuleTexts(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules, and runs given texts for them.

    Parameters
    ----------
    texts : dict of str to tuple of str
        The file and the text of each, by the module's name.
    """

    def __init__(self, texts: Mapping[str, tuple[str, str]]) -> None:
        self._texts = texts

    def install(self) -> None:
        """From now on, for what is not imported yet."""
        sys.meta_path.insert(0, self)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Ours, for a module that has a text."""
        if name not in self._texts:
            return None
        file = self._texts[name][0]
        return importlib.util.spec_from_file_location(name, file, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Run its text."""
        file, text = self._texts[module.__name__]
        exec(compile(text, file, "exec"), vars(module))
