"""Which notebooks are meant, and where each healed one goes."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from reflex_ipython.errors import BadInput

SUFFIX = ".ipynb"
HEALED = ".healed.ipynb"
"""How the names end of what is written beside its notebook."""
CHECKPOINTS = ".ipynb_checkpoints"


def notebooks(names: Sequence[str]) -> list[Path]:
    """The files that names mean: files, folders with all that is below them, and patterns with `*` and `**`.

    What was written beside a notebook by an earlier run, and what editors keep for themselves, is not meant unless it
    is named.

    Parameters
    ----------
    names : sequence of str

    Returns
    -------
    list of Path
        Each once, in the order of the names.

    Raises
    ------
    BadInput
        If a name means none.
    """
    found: dict[Path, None] = {}
    for name in names:
        paths = list(_meant(name))
        if not paths:
            raise BadInput(f"There is no notebook {name!r}.")
        found |= dict.fromkeys(paths)
    return list(found)


def _meant(name: str) -> Iterator[Path]:
    path = Path(name)
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from filter(_is_input, sorted(path.rglob(f"*{SUFFIX}")))
    elif glob.has_magic(name):
        yield from filter(_is_input, map(Path, sorted(glob.glob(name, recursive=True))))


def _is_input(path: Path) -> bool:
    return path.suffix == SUFFIX and not path.name.endswith(HEALED) and CHECKPOINTS not in path.parts


def targets(paths: Sequence[Path], output: Path | None, *, in_place: bool) -> dict[Path, Path]:
    """Where each healed notebook is written.

    Parameters
    ----------
    paths : sequence of Path
    output : Path or None
        A file, or a folder in which several get the places that they have below their common one. None: beside each.
    in_place : bool

    Raises
    ------
    BadInput
        If one would overwrite a notebook that is read, or another one that is written.
    """
    made = {path: _target(path, paths, output, in_place) for path in paths}
    resolved = [target.resolve() for target in made.values()]
    if not in_place:
        read = {path.resolve(): path for path in paths}
        clash = next((read[target] for target in resolved if target in read), None)
        if clash is not None:
            raise BadInput(f"{clash} would be overwritten: say --in-place if you mean that.")
    if len(set(resolved)) < len(resolved):
        raise BadInput("Two notebooks would be written to one place: give -o a folder.")
    return made


def _target(path: Path, paths: Sequence[Path], output: Path | None, in_place: bool) -> Path:
    if in_place:
        return path
    if output is None:
        return path.with_name(path.name.removesuffix(SUFFIX) + HEALED)
    if len(paths) == 1 and not output.is_dir() and output.suffix == SUFFIX:
        return output
    if output.suffix == SUFFIX:
        raise BadInput(f"{output} is one notebook, and there are {len(paths)}: give -o a folder.")
    common = os.path.commonpath([one.resolve().parent for one in paths])
    return output / path.resolve().relative_to(common)
