"""The modules that the files of a folder are, by their names alone."""

from __future__ import annotations

import os

_MOST_ENTRIES = 5_000


def modules_in(folder: str) -> list[str]:
    """The names of the modules and packages in a folder, sorted; none where it can't be read.

    Parameters
    ----------
    folder : str
        Its path.
    """
    found = []
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_MOST_ENTRIES), entries):
                name, dot, _rest = entry.name.partition(".")
                if name.isidentifier() and _is_module(entry, dot):
                    found.append(name)
    except OSError:
        return []  # not a folder, or not ours to read
    return sorted(found)


def _is_module(entry: os.DirEntry[str], dot: str) -> bool:
    if dot:
        return entry.name.endswith((".py", ".so", ".pyd"))
    return os.path.exists(os.path.join(entry.path, "__init__.py"))
