"""What the files beside a notebook ask to be installed."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.distributions import distribution
from reflex_ipython.models.requirement import is_plain, name_of

_MOST_BYTES = 65_536
_COMMENT = re.compile(r"(?:^|\s)#.*|;.*")
_OTHER_INDEX = re.compile(r"\s*(?:-i|-f|--(?:index-url|extra-index-url|find-links|no-index))\b", re.ASCII)


def asked_for(module: str, folder: str = os.curdir) -> str:
    """The requirement for a module in `requirements.txt` or `pyproject.toml`; empty if neither has it.

    Where the file names a package index of its own, the answer is empty as well: the same name may be somebody else's
    on the public one.
    """
    wanted = {name_of(distribution(module)), name_of(module.partition(".")[0].replace("_", "-"))} - {""}
    for line in (*_lines(os.path.join(folder, "requirements.txt")), *_project(os.path.join(folder, "pyproject.toml"))):
        if name_of(line) in wanted:
            return line
    return ""


def _lines(path: str) -> Iterator[str]:
    lines = _text(path).splitlines()
    if not any(_OTHER_INDEX.match(line) for line in lines):
        yield from filter(is_plain, (_COMMENT.sub("", line).strip() for line in lines))


def _project(path: str) -> Iterator[str]:
    if sys.version_info < (3, 11):  # it has no reader of TOML
        return
    reader: Any = importlib.import_module("tomllib")  # only where a module is missing
    try:
        project = reader.loads(_text(path)).get("project")
    except (ValueError, RecursionError):
        return
    listed = project.get("dependencies") if isinstance(project, dict) else None
    for one in listed if isinstance(listed, list) else ():
        plain = _COMMENT.sub("", one).strip() if isinstance(one, str) else ""
        if is_plain(plain):
            yield plain


def _text(path: str) -> str:
    try:
        if not os.path.isfile(path):  # a pipe would never end
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return ""
