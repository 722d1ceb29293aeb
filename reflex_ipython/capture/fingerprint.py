"""A failure's fingerprint: the same for the same mistake, whenever and wherever it is made."""

from __future__ import annotations

import ast
import hashlib
import re

from reflex_ipython.base.parsing import parse
from reflex_ipython.models import Failure, Frame

_NOISE = (
    (re.compile(r"0x[0-9a-fA-F]+"), "0x…"),
    (re.compile(r"<ipython-input-[^>]*>|<timed (?:exec|eval)>|<[\w ]*cell[^>]*>"), "<cell>"),
    (re.compile(r"(?:[A-Za-z]:)?[\\/](?:[\w.~@+ -]+[\\/])+([\w.-]+)"), r"\1"),  # folders differ, files are the same
    (re.compile(r"\(?\bline \d+\)?"), "line"),
    (re.compile(r"(?<![\w'\"])\d+(?:\.\d+)?(?![\w'\"])"), "0"),
    (re.compile(r"\s+"), " "),
)


def fingerprint(failure: Failure) -> str:
    """A stable hash of the error's class and message, the failing statement and the library: 32 hexadecimal digits.

    Addresses, sizes, folders, line numbers, white space and comments don't count; names and quoted texts do.
    """
    error = failure.error
    library = next((_package(frame) for frame in reversed(error.frames) if _package(frame)), "")
    parts = (error.ename, normalized(error.evalue), failing_statement(failure), library)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def normalized(message: str) -> str:
    """The message without what differs from one run to the next."""
    for pattern, replacement in _NOISE:
        message = pattern.sub(replacement, message)
    return message.strip()


def failing_statement(failure: Failure) -> str:
    """The cell's innermost statement at the failing line, written in one way; if it does not parse, the line."""
    if failure.lineno is None:
        return " ".join(failure.situation.source.split())
    tree = parse(failure.situation.source)
    if tree is None:
        lines = failure.situation.source.split("\n")
        return " ".join(lines[failure.lineno - 1].split()) if failure.lineno <= len(lines) else ""
    nodes = list(ast.walk(tree))
    covering = [node for node in nodes if isinstance(node, ast.stmt) and node.lineno <= failure.lineno <= _last(node)]
    return ast.unparse(covering[-1]) if covering else ""


def _last(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _package(frame: Frame) -> str:
    """The installed package that a frame's file is in."""
    found = re.search(r"(?:site|dist)-packages[\\/]([^\\/.]+)", frame.filename)
    return found[1] if found else ""
