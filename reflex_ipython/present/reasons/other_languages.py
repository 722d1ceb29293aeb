"""Lines that Python can't read since another language is meant: which one, and what Python has instead."""

from __future__ import annotations

import re

_OTHER: tuple[tuple[str, str, str], ...] = (
    (r"(?i)^\s*(?:select\s.+\sfrom\s|select\s+\*|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|create\s+table\s)",
     "This is SQL, which a database runs and not Python.",
     "give it as a text in quotes to what runs it, such as `pd.read_sql(\"…\", connection)`"),
    (r"%>%|\|>", "This is R's pipe. In Python, methods follow each other with dots: `table.head().sum()`.", ""),
    (r"\?\.\w", "Python has no `?.`: ask `if x is not None` first, or use `getattr(x, \"name\", None)`.", ""),
    (r"\?\?", "Python has no `??`: `a if a is not None else b` does the same.", ""),
    (r"^\s*<-|\w\s*<-\s*function", "This is R: Python gives a value with `=`, and defines a function with `def`.", ""),
    (r"^\s*(?:public|private|protected|static)\s+\w+", "This is Java or C#: Python declares neither access nor types in front of a name.", ""),
    (r"^\s*(?:#include|using\s+namespace|std::|System\.)", "This is another language, which Python does not run.", ""),
    (r"^\s*</?[a-zA-Z][^>]*>\s*$|^\s*<\w+[^>]*>.*</\w+>", "This is HTML or XML, which is a text for Python: put it in quotes.",
     "put it in three quotes, or begin the cell with `%%html` to see it"),
    (r"\\(?:frac|sum|alpha|beta|begin|text|mathbf)\b|^\s*\$\$", "This is LaTeX.", "make the cell a Markdown cell, which shows formulas"),
    (r"^\s*#{0}(?:\*\*|- |\d+\. )\w[\w ]+$", "This reads as text, not as Python.", "make the cell a Markdown cell, or put `#` in front of the line"),
)  # fmt: skip


def of_another_language(line: str) -> tuple[str, str] | None:
    """Words and the next step for a line of another language; None if it is none that is known.

    Parameters
    ----------
    line : str
        The line in which the parser stopped.
    """
    return next(((words, step) for pattern, words, step in _OTHER if re.search(pattern, line)), None)


def at_the_mark(line: str, lineno: int, column: int) -> str:
    """What "invalid syntax" alone leaves open: the line, and the word or sign where the parser stopped.

    Parameters
    ----------
    line : str
    lineno, column : int
        From 1.
    """
    token = re.match(r"\w+|[^\w\s]{1,2}", line[max(0, column - 1) :])
    where = f"at `{token.group()[:40]}` in line {lineno}" if token else f"in line {lineno}"
    return (
        f"Python can't read on {where}: just before it a bracket, quote, comma or operator may be missing, "
        "or a word of Python's own is used as a name."
    )
