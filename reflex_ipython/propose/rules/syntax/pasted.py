"""What comes along when code is copied from elsewhere: prompts and Markdown fences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.parsing import parse
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.syntax.candidate import Candidate

_PROMPT = re.compile(r"[ \t]*(?:>>>|\.\.\.)(?: |(?=[\r\n]|$))")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)[ \t]*\w*[ \t]*\r?\n?")


def prompts(cell: Cell) -> Iterator[Candidate]:
    """`>>>` and `...` go; what an example printed becomes a comment."""
    lines = cell.source.splitlines(keepends=True)
    code = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not code or not code[0].lstrip().startswith(">>>"):
        return
    if any(_is_statement(line) for line in code if not _PROMPT.match(line)):
        return  # typed between the pasted lines, it seems
    new = [_PROMPT.sub("", line, count=1) if _PROMPT.match(line) or line not in code else f"# {line}" for line in lines]
    why = "The prompts `>>>` and `...` are not part of the code."
    yield Candidate("".join(new), 4 * len(code), why, "pasted prompts")


def fences(cell: Cell) -> Iterator[Candidate]:
    """The lines with three backticks go."""
    lines = cell.source.splitlines(keepends=True)
    kept = [line for line in lines if not _FENCE.fullmatch(line)]
    if len(kept) < len(lines):
        why = "The lines with three backticks are Markdown, not part of the code."
        yield Candidate("".join(kept), 4 * (len(lines) - len(kept)), why, "pasted fences")


def _is_statement(line: str) -> bool:
    """Whether a line could be code that does something, not just a value that was printed."""
    tree = parse(line.strip())
    body = tree.body if tree is not None else []
    return any(not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call) for node in body)
