"""The shell, where the code of a statement gets at it: it is no library's object, and binds names by itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Iterator, Set
from typing import Any

from reflex_ipython.state.bytecode_names import SHELL, SHELL_EVERYTHING, SHELL_MAGICS, Reads
from reflex_ipython.state.kinds import shell_events, shell_records, shell_settings
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.libraries import CodeWords
from reflex_ipython.state.shells import current_shell

_ALL_NAMES = SHELL_EVERYTHING | SHELL_MAGICS
"""Attributes by which code that has the shell, under whatever name, gets at all names: `ip.push`."""
_SETTINGS = shell_events.WORDS | shell_settings.WORDS
"""Words of code that may change what the shell does; all of them are looked at where the code has the shell."""


class ShellReached:
    """What the code that a walk has met can do by the shell.

    Parameters
    ----------
    words : CodeWords
        Of all code that was met; they become more while the walk goes on, as do the other two.
    met : iterable of Reads
        The same, of each.
    seen : container of int
        The identities of the objects that were met.
    """

    def __init__(self, words: CodeWords, met: Iterable[Reads], seen: Container[int]) -> None:
        self._words = words
        self._met = met
        self._seen = seen

    def binds_all_names(self, *, elsewhere: bool, modules: Callable[[], Container[str]]) -> bool:
        """Whether code that has the shell, or a module of the user's that asks for it, gets at all names by it.

        Parameters
        ----------
        elsewhere : bool
            Whether code of other namespaces has words with which a shell binds names.
        modules : callable
            Gives those of libraries that the code can get at.
        """
        shell, words = current_shell(), self._words
        if identity(shell) in self._seen and words.attributes & _ALL_NAMES:
            return True
        if not elsewhere or shell is None:
            return False
        return SHELL in words.names or SHELL in words.attributes or shell_settings.MODULE in modules()

    def registries(self) -> Any:
        """The module that stands for what is registered with the shell and set there, if the code may do so; else None.

        A magic is known by its name alone.
        """
        words = self._words.names | self._words.attributes | self._words.stored
        if words.isdisjoint(_SETTINGS) and not (SHELL in words and self._words.stored):
            return None
        shell, module = current_shell(), sys.modules.get(shell_events.MODULE)
        if shell is None or module is None:
            return None
        has_shell = SHELL in words or identity(shell) in self._seen
        return module if has_shell or identity(shell.events) in self._seen else None

    def records(self) -> Iterator[tuple[str, Kind, Any]]:
        """What the shell records of the cells, with a label, if the code may change that."""
        words, wanted = self._words, shell_records.WORDS
        if not (wanted.isdisjoint(words.names) and wanted.isdisjoint(words.attributes)) and current_shell() is not None:
            yield shell_records.LABEL, shell_records.RECORDS, sys.modules[shell_settings.MODULE]

    def is_noted(self) -> bool:
        """Whether all is noted that the code may set there. The shell has to be met by it, or asked for."""
        shell = current_shell()
        if identity(shell) in self._seen:
            words = self._words
            return shell_settings.all_noted(shell, words.names, words.attributes, words.stored)
        return all(shell_settings.all_noted(shell, *words) for words in self._asking())

    def _asking(self) -> Iterable[tuple[Set[str], Set[str], Set[str]]]:
        """What code uses that asks for the shell: names and words of texts, attributes, those that it sets."""
        return [(found.names, found.attributes, found.stored) for found in self._met if SHELL in found.names]
