"""Notebooks as bytes and as files: read with words for what is wrong, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

from reflex_ipython.errors import BadInput

FORMAT = 4
"""The major version of the format that is run and written."""
NO_PAPERMILL = "Parameters are put in by papermill: pip install 'reflex-ipython[papermill]'."


def parsed(source: str | bytes, name: str = "The notebook") -> Any:
    """The notebook that a text is, of any version, as one of format 4.

    Parameters
    ----------
    source : str or bytes
    name : str
        Of the notebook, for what is said of it.

    Returns
    -------
    NotebookNode

    Raises
    ------
    BadInput
        If it is none.
    """
    try:
        document = source.decode("utf-8-sig") if isinstance(source, bytes) else source
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # cells without ids, which older notebooks are right not to have
            notebook = nbformat.reads(document, as_version=FORMAT)  # type: ignore[no-untyped-call]
            nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        raise BadInput(f"{name} is not a valid notebook: {str(error).strip().splitlines()[0]}") from None
    except Exception as error:  # noqa: BLE001 - nbformat raises whatever the document's shape makes it stumble over
        why = "it is not JSON" if type(error).__name__ == "NotJSONError" else _first_line(error)
        raise BadInput(f"{name} can't be read as a notebook: {why}.") from None
    return notebook


def read(path: Path) -> bytes:
    """The bytes of a notebook's file.

    Raises
    ------
    BadInput
        If it can't be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror}.") from None


def with_parameters(notebook: Any, parameters: Mapping[str, Any], kernel: str) -> Any:
    """A notebook with a cell that sets names, below the one with the tag `parameters`, as papermill puts it in.

    Parameters
    ----------
    notebook : NotebookNode
    parameters : mapping of str to object
    kernel : str
        The name of its kernel; empty: what the notebook says.

    Raises
    ------
    BadInput
        If papermill is not installed.
    """
    if not parameters:
        return notebook
    try:
        from papermill.parameterize import parameterize_notebook
    except ImportError:
        raise BadInput(NO_PAPERMILL) from None
    spec = notebook.metadata.get("kernelspec", {})
    notebook.metadata.setdefault("papermill", {})
    for cell in notebook.cells:
        cell.metadata.setdefault("tags", [])  # it looks there
    name, language = kernel or spec.get("name", "python3"), spec.get("language", "python")
    made = parameterize_notebook(notebook, dict(parameters), kernel_name=name, language=language)
    for cell in made.cells:
        if not cell.metadata.tags:
            del cell.metadata["tags"]
    return made


def write(notebook: Any, target: Path, *, backup: bool = False) -> Path | None:
    """Write a notebook: beside its place, flushed to the disk, then renamed, so that no half of one is ever there.

    Parameters
    ----------
    notebook : NotebookNode
    target : Path
        A link is followed.
    backup : bool
        Whether what is there now is kept beside it.

    Returns
    -------
    Path or None
        The backup; None if there is none.

    Raises
    ------
    OSError
        If it can't be written; nothing has changed then.
    """
    target = target.resolve()
    handle, beside = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text(notebook))
            file.flush()
            os.fsync(file.fileno())
        old = target.stat() if target.exists() else None
        os.chmod(beside, old.st_mode & 0o7777 if old is not None else 0o666 & ~_umask())
        kept = _kept(target) if backup and old is not None else None
        os.replace(beside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    _flush_folder(target.parent)
    return kept


def text(notebook: Any) -> str:
    """The text of a notebook's file."""
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


def from_own_text(document: str) -> Any:
    """The notebook that `text` has written; it is not looked through again, which takes some ms."""
    return nbformat.reader.reads(document)  # type: ignore[no-untyped-call]


def _kept(target: Path) -> Path:
    """A copy of the file beside it, under a name that nothing has yet."""
    number = 0
    while True:
        kept = target.with_name(f"{target.name}.bak{number or ''}")
        try:
            with kept.open("xb") as file, target.open("rb") as old:
                shutil.copyfileobj(old, file)
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            number += 1
            continue
        shutil.copystat(target, kept)
        return kept


def _flush_folder(folder: Path) -> None:
    """Have the new name on the disk as well, where a folder can be flushed."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200].rstrip(".")
