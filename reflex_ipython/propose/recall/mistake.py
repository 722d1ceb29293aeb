"""Which mistake a failure is: the same fingerprint whatever the names, columns and values are."""

from __future__ import annotations

import ast
import builtins
import hashlib
import re

from reflex_ipython.base.syntax_trees import syntax_tree
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import read

_QUOTED = re.compile(r"(?<!\w)'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`[^`\n]*`")
_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+(?:\.\d+)?")
_LISTED = re.compile(r"\[[^\[\]]*\]")
_NUMBERS = ("int", "float", "complex")
_TYPES = {name for name, value in vars(builtins).items() if isinstance(value, type)} | {"NoneType", "function"}


def mistake(failure: Failure) -> str:
    """Of error, look-up and libraries, without values: 16 hexadecimal digits."""
    lookup = failure.lookup
    looked_up = f"{lookup.kind} of {lookup.owner_type.rpartition('.')[2]}" if lookup is not None else ""
    parts = (failure.error.ename, failure.stage, looked_up, _message(failure), _library(failure))
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def shape(statement: ast.stmt, meanings: dict[str, str]) -> str:
    """Of what a statement computes, without values and without names that mean nothing elsewhere: 8 hexadecimal digits.

    What is done with the result does not count: `x = a - b` has the shape of `a - b`.
    """
    value = getattr(statement, "value", None)
    code = value if isinstance(value, ast.expr) and not isinstance(statement, ast.AugAssign) else statement

    class Bare(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            known = meanings.get(node.id) or (node.id if hasattr(builtins, node.id) else "_")
            return ast.Name(known, ast.Load())

        def visit_Constant(self, node: ast.Constant) -> ast.Constant:
            return ast.Constant(type(node.value).__name__)

    bare = Bare().visit(syntax_tree(ast.unparse(code)))
    return hashlib.sha256(ast.dump(bare).encode("utf-8", "replace")).hexdigest()[:8]


def _message(failure: Failure) -> str:
    """The first line of the message, without what the user's code and data put into it."""
    types = _TYPES | {name.rpartition(".")[2] for name in failure.situation.types.values()}
    own = _texts(failure.situation.source) - types

    def quoted(found: re.Match[str]) -> str:
        inside = found[0][1:-1]
        return "number" if inside in _NUMBERS else found[0] if inside in types else "'…'"

    message = _QUOTED.sub(quoted, failure.error.evalue.strip().partition("\n")[0][:500])
    message = _WORD.sub(lambda found: "…" if found[0] in own else found[0], _LISTED.sub("[…]", message))
    return " ".join(_NUMBER.sub("0", message).split())


def _texts(source: str) -> set[str]:
    """The words of the texts in a cell; short ones may be words of the message as well."""
    texts = [node.value for node in read(source).every(ast.Constant) if isinstance(node.value, str)]
    return {word for text in texts for word in _WORD.findall(text) if len(word) > 3}


def _library(failure: Failure) -> str:
    """The installed package whose code raised it."""
    for frame in reversed(failure.error.frames):
        found = re.search(r"(?:site|dist)-packages[\\/]([^\\/.]+)", frame.filename)
        if found:
            return found[1]
        if frame.cell is not None:
            break
    return ""
