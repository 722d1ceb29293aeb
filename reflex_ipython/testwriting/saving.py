"""A test in a file: a new one, or at the end of one that is there, which keeps every line that it has."""

from __future__ import annotations

import ast
import base64
import dataclasses
from collections.abc import Iterable
from pathlib import Path

from reflex_ipython.base import text_file
from reflex_ipython.base.parsing import parse
from reflex_ipython.errors import BadInput
from reflex_ipython.testwriting import formatting
from reflex_ipython.testwriting.module_text import WrittenTest
from reflex_ipython.testwriting.parametrised import ParametrisedTest

NOT_PYTHON = "{} does not parse as Python, so no test was added to it."
THERE = "{} has this very test already."
CANNOT_WRITE = "{} can't be written: {}."
CANNOT_SAY = "{} is written in {}, which can't say {!r}: give another file for the test."
OTHER_FILE = "{} is there already and holds something else: give another file for the test, in another folder."


def save(test: WrittenTest | ParametrisedTest, path: Path) -> list[Path]:
    """Write a test into a file, and beside it what it reads.

    Parameters
    ----------
    test : WrittenTest or ParametrisedTest
    path : Path
        Its folder is made, if it is not there.

    Returns
    -------
    list of Path
        What was written, the test first.

    Raises
    ------
    BadInput
        If the file is there and can't take the test, or can't be written. Then nothing was written.
    """
    try:
        return _saved(test, path)
    except UnicodeEncodeError as error:
        raise BadInput(CANNOT_SAY.format(path, error.encoding, error.object[error.start : error.end])) from None
    except (OSError, ValueError) as error:  # the latter of a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise BadInput(CANNOT_WRITE.format(getattr(error, "filename", None) or path, reason)) from None


def _saved(test: WrittenTest | ParametrisedTest, path: Path) -> list[Path]:
    if path.suffix != ".py":
        raise BadInput(f"{path} is no Python file: give a name like test_sales.py.")
    data = {path.with_name(name): base64.b64decode(text) for name, text in test.files.items()}
    for file, content in data.items():
        if file.exists() and file.read_bytes() != content:
            raise BadInput(OTHER_FILE.format(file))
    whole = text_with(test, path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for file, content in data.items():
        file.write_bytes(content)
    path.write_bytes(whole)
    return [path, *data]


def text_with(test: WrittenTest | ParametrisedTest, path: Path) -> bytes:
    """What a file holds once a test is in it. Raises `BadInput` if it is there and can't take the test."""
    return _extended(path, test) if path.exists() else formatting.formatted(test.text, str(path)).encode()


def sort_imports(path: Path, libraries: Iterable[str]) -> None:
    """Sort the imports at the top of a file that is nothing but tests of ours: each brought its own.

    Parameters
    ----------
    path : Path
    libraries : iterable of str
        Packages that are no files of the user's own.
    """
    text = path.read_text(encoding="utf-8")
    tree = parse(text)
    assert tree is not None  # it has just run
    nodes = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    lines = text.split("\n")
    lines[nodes[0].lineno - 1 : nodes[-1].end_lineno] = formatting.ordered(map(ast.unparse, nodes), libraries).split(
        "\n"
    )
    path.write_text(formatting.formatted("\n".join(lines), str(path)), encoding="utf-8")


def _extended(path: Path, test: WrittenTest | ParametrisedTest) -> bytes:
    """The file with the test at its end, and the imports that it lacks below its own; all other lines stay."""
    file = text_file.read(str(path))
    tree = parse(file.text) if file is not None else None
    if file is None or tree is None:
        raise BadInput(NOT_PYTHON.format(path))
    taken = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    test = dataclasses.replace(test, name=_free(test.name, taken))
    added = formatting.formatted(test.text, str(path))
    if _dumps(added, last=True) & _dumps(file.text):
        raise BadInput(THERE.format(path))
    imports, body = _apart(added)
    there = _dumps(file.text)
    lacking = [line for line in imports if not _dumps(line) <= there]
    lines = file.text.rstrip("\n").split("\n")
    below = _end_of_imports(tree)
    if lacking:
        block = lacking if below else [*lacking, ""]
        lines[below:below] = block
    definitions = _without_known(body, there)
    return file.encoded("\n".join(lines) + f"\n\n\n{definitions}\n")


def _free(name: str, taken: set[str]) -> str:
    """A name that no test of the file has."""
    number, free = 2, name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def _dumps(text: str, *, last: bool = False) -> set[str]:
    """The statements of a text, whatever their layout; functions without their names."""
    tree = parse(text)
    body = tree.body if tree is not None else []
    return {_dump(node) for node in (body[-1:] if last else body)}


def _dump(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
        node.name = "test"
    return ast.dump(node)


def _apart(text: str) -> tuple[list[str], str]:
    """The imports of a file, a statement each, and what stands below them."""
    tree = parse(text)
    assert tree is not None  # it has just run
    nodes = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    lines = text.split("\n")
    first = next(
        node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom)) and not _is_text(node)
    )
    start = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", ()))])
    return [ast.unparse(node) for node in nodes], "\n".join(lines[start - 1 :]).rstrip("\n")


def _without_known(body: str, there: set[str]) -> str:
    """What a file does not have yet: it may have the function that is tested, of an earlier test."""
    tree = parse(body)
    lines = body.split("\n")
    pieces = []
    for node in tree.body if tree is not None else ():
        if ast.dump(node) not in there:
            start = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
            pieces.append("\n".join(lines[start - 1 : node.end_lineno]))
    return "\n\n\n".join(pieces)


def _end_of_imports(tree: ast.Module) -> int:
    """The line behind the imports at the top of a file; behind its text, if it has none."""
    end = 0
    for node in tree.body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)) and not _is_text(node):
            break
        end = node.end_lineno or end
    return end


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
