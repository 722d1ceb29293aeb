"""Parsing the user's code once more, in silence: what Python warns of, it has said when the cell ran.

As in a cell, `await` may stand at the top level. What is long is read in pieces: Python reads a text in one breath, in
which no other thread runs, the user's next cell included.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from types import CodeType
from typing import TypeVar

from reflex_ipython.base import syntax_trees
from reflex_ipython.base.unwarned import unwarned
from reflex_ipython.base.working_cache import working_cache

_T = TypeVar("_T")
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_PIECE = 100
"""Lines, or statements: about a millisecond."""
_BEGINS = re.compile(r"(?!(?:else|elif|except|finally)\b)\w")
"""How a line begins that may be the first of a statement at the top level; some that may are left out."""


def parsed(source: str) -> ast.Module | SyntaxError:
    """The syntax tree of a source, or why there is none. Never raises, whatever the text is."""
    body: list[ast.stmt] = []
    for piece in _pieces(source):
        found = _tree(piece)
        if not isinstance(found, ast.Module):
            break  # cut in the midst of a text in quotes, say; or it does not parse
        body += found.body
    else:
        return ast.Module(body, [])
    return _tree(source)


@working_cache(maxsize=64)  # the stages and the rules of one failure read the same few texts
def parsed_once(source: str) -> ast.Module | SyntaxError:
    """As `parsed`, for those who change nothing in it: all who ask for a text get the same tree."""
    return parsed(source)


def parse(source: str) -> ast.Module | None:
    """The syntax tree of a source; None if it does not parse."""
    found = parsed(source)
    return found if isinstance(found, ast.Module) else None


def parse_once(source: str) -> ast.Module | None:
    """As `parse`, for those who change nothing in it."""
    found = parsed_once(source)
    return found if isinstance(found, ast.Module) else None


def compiled(tree: ast.Module) -> CodeType | SyntaxError:
    """The bytecode of a tree, or why it has none: a tree may have a `return` outside of a function, say."""
    return _or_error(lambda: compile(tree, "<cell>", "exec", _FLAGS, dont_inherit=True))


def compile_error(tree: ast.Module) -> SyntaxError | None:
    """Why a tree has no bytecode; None if it has. The statements are taken as IPython takes them: each for itself."""
    for start in range(0, len(tree.body), _PIECE):
        error = compiled(ast.Module(tree.body[start : start + _PIECE], []))
        if isinstance(error, SyntaxError):
            return error
    return None


def _pieces(source: str) -> Iterator[str]:
    """A text, cut before lines that may begin a statement, each part with as many lines above it as there are.

    Where all of them parse, the cuts were between statements: one in the midst of a bracket, of a text in quotes or of
    a line that goes on leaves something in front of it that does not parse.
    """
    if "\r" in source or source.count("\n") < 2 * _PIECE:  # Python takes each of "\r" and "\r\n" for one line's end
        yield source
        return
    lines = re.split(r"(?<=\n)", source)
    start = 0
    for number in range(_PIECE, len(lines)):
        if number - start >= _PIECE and _BEGINS.match(lines[number]) and not lines[number - 1].startswith("@"):
            yield "\n" * start + "".join(lines[start:number])
            start = number
    yield "\n" * start + "".join(lines[start:])


def _tree(source: str) -> ast.Module | SyntaxError:
    return _or_error(lambda: syntax_trees.syntax_tree(source, "<cell>", flags=_FLAGS))


def _or_error(make: Callable[[], _T]) -> _T | SyntaxError:
    try:
        with unwarned():
            return make()
    except SyntaxError as error:
        return error.with_traceback(None)  # it may be kept, and the frames with it
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nested too deep for the parser
        return SyntaxError(str(error) or "nested too deep", ("<cell>", 1, 1, None))
