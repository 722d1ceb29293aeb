"""The file of a module of the user's own in which a failure happened, if it still has the text that ran."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import CodeType

from reflex_ipython.base.library_files import is_library
from reflex_ipython.base.parsing import compile_error, compiled, parsed
from reflex_ipython.base.text_file import read
from reflex_ipython.capture import chain, safe_inspection
from reflex_ipython.capture.trace import Step, user_step
from reflex_ipython.models import FileRef, FileSource


def own_files(exc: BaseException, steps: list[Step]) -> tuple[FileSource, ...]:
    """The file in which it failed, if that is where the user's own code failed at last; empty if it is no file's.

    A module of a package that is installed is a library's, and no file of the user's; one that is installed to be
    edited, from a folder of its own, is.

    Parameters
    ----------
    exc : BaseException
        A syntax error names the file that does not parse; no code of that has run.
    steps : list of Step
        The traceback.
    """
    return tuple(_unparsed(exc)) or tuple(_of_step(user_step(steps)))


def _of_step(step: Step | None) -> Iterator[FileSource]:
    source = _text(step.filename) if step is not None and step.cell is None else None
    if step is not None and source is not None and _has(source, step.frame.f_code):
        name = dict.get(step.frame.f_globals, "__name__")
        module = name if type(name) is str else ""
        yield FileSource(FileRef(_path(step.filename)), source, step.filename, module)


def _unparsed(exc: BaseException) -> Iterator[FileSource]:
    filename = chain.field(exc, SyntaxError, "filename") if safe_inspection.is_a(exc, SyntaxError) else None
    if type(filename) is str and not is_library(filename):
        source = _text(filename)
        if source is not None and not _compiles(source):
            yield FileSource(FileRef(_path(filename)), source, filename)


def _text(filename: str) -> str | None:
    """The text of a Python file; None if there is none, or none that can be edited as one."""
    if not filename.endswith(".py") or filename.startswith("<"):
        return None
    found = read(_path(filename))
    return found.text if found is not None else None


def _path(filename: str) -> str:
    return os.path.abspath(filename)


def _compiles(source: str) -> bool:
    tree = parsed(source)
    return not isinstance(tree, SyntaxError) and compile_error(tree) is None


def _has(source: str, code: CodeType) -> bool:
    """Whether a text has the code that ran: a file may have been edited since it was imported."""
    tree = parsed(source)
    whole = compiled(tree) if not isinstance(tree, SyntaxError) else None
    return isinstance(whole, CodeType) and any(_same(code, one) for one in _codes(whole))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if type(inner) is CodeType:
            yield from _codes(inner)


def _same(code: CodeType, other: CodeType) -> bool:
    place = (code.co_name, code.co_firstlineno, code.co_varnames, code.co_names)
    return place == (other.co_name, other.co_firstlineno, other.co_varnames, other.co_names) and _plain(code) == _plain(
        other
    )


def _plain(code: CodeType) -> tuple[bytes, list[tuple[type, object]]]:
    """Its instructions, and what they load that is no code in turn."""
    constants = [(type(one), one) for one in code.co_consts if type(one) is not CodeType]
    return code.co_code, constants
