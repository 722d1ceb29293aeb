"""Where corrected sources are kept by their ids, and which of them may be used: those of the same original text."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import inspect
import os
import re
import tempfile
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from reflex_ipython.errors import BadInput

_HEAD = re.compile(r"# healed from ([0-9a-f]{16})\n")


class FunctionStore(Protocol):
    """Keeps texts by names. Both methods may be coroutine functions."""

    def get(self, id: str) -> str | Awaitable[str | None] | None:
        """The text of that name; None if there is none."""

    def save(self, id: str, source: str) -> object:
        """Keep a text under a name, in place of the one before."""


class FolderStore:
    """A file for each id, in a folder of its own.

    Parameters
    ----------
    folder : Path or None
        None: `functions` in the user's data folder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def get(self, id: str) -> str | None:
        """The text, if there is one."""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return self._path(id).read_text(encoding="utf-8")
        return None

    def save(self, id: str, source: str) -> None:
        """Write it in one step; only the user may read it."""
        path = self._path(id)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, written = tempfile.mkstemp(dir=path.parent)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(source)
        os.replace(written, path)

    def _path(self, id: str) -> Path:
        """Readable, and different for different ids."""
        name = re.sub(r"[^\w.-]+", "_", id)[:80]
        return self._in() / f"{name}-{hashlib.sha256(id.encode()).hexdigest()[:8]}.py"

    def _in(self) -> Path:
        if self._folder is None:
            import platformdirs

            self._folder = platformdirs.user_data_path("reflex_ipython", appauthor=False) / "functions"
        return self._folder


class _Pair:
    def __init__(self, get: Callable[[str], Any], save: Callable[[str, str], Any]) -> None:
        self.get, self.save = get, save


def as_store(given: FunctionStore | tuple[Callable[[str], Any], Callable[[str, str], Any]] | None) -> FunctionStore:
    """The store that is meant: two callables, an object of the protocol, or the user's data folder.

    Raises
    ------
    BadInput
        If it is none of these.
    """
    if given is None:
        return FolderStore()
    if isinstance(given, tuple) and len(given) == 2 and all(map(callable, given)):
        return _Pair(*given)
    if callable(getattr(given, "get", None)) and callable(getattr(given, "save", None)):
        return given  # type: ignore[return-value]  # as just asked
    raise BadInput("A store is two callables (get, save), or an object with the methods get(id) and save(id, source).")


def stored(store: FunctionStore, id: str, original: str) -> str | None:
    """The corrected text of a function, if it was made from this very original; else it is shelved, and None.

    Parameters
    ----------
    store : FunctionStore
    id : str
    original : str
        The function's text as the user has it now.
    """
    found = settled(store.get(id))
    if not isinstance(found, str):
        return None
    head = _HEAD.match(found)
    if head is not None and head[1] == _digest(original):
        return found[head.end() :]
    if head is not None and found[head.end() :] == original:
        return None  # it has come into the user's own text by now
    settled(store.save(f"{id}.shelved", found))
    return None


def keep(store: FunctionStore, id: str, original: str, text: str) -> None:
    """Keep the corrected text of a function, with what it was made from."""
    settled(store.save(id, f"# healed from {_digest(original)}\n{text}"))


def settled(result: Any) -> Any:
    """What a store has answered, awaited if need be: on a thread of its own, as a loop may run on this one."""
    if not inspect.isawaitable(result):
        return result
    answers: list[Any] = []

    async def wait() -> Any:
        return await result

    def run() -> None:
        try:
            answers.append((asyncio.run(wait()), None))
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            answers.append((None, error))

    thread = threading.Thread(target=run, name="reflex-function-store")
    thread.start()
    thread.join()
    value, error = answers[0]
    if error is not None:
        raise error
    return value


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
