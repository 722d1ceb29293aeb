"""Magics that IPython does not have, and those that it has."""

from __future__ import annotations

import re
from typing import Any

from reflex_ipython.capture import chain, libraries, safe_inspection
from reflex_ipython.capture.trace import Step, local_variable
from reflex_ipython.models import Lookup

_MESSAGE = re.compile(r"(?P<kind>Line|Cell) magic (?:function )?`%{1,2}(?P<name>[^`\s]+)` not found")
_KINDS = {"Line": ("line", "%"), "Cell": ("cell", "%%")}
_MOST_FRAMES = 50


def find(exc: BaseException, steps: list[Step]) -> Lookup | None:
    """The magic, and all that the shell has, those of its kind first: `%time`, `%%time`."""
    found = _MESSAGE.match(chain.message(exc)) if chain.ename(exc) == "UsageError" else None
    if found is None:
        return None
    kind, sign = _KINDS[found["kind"]]
    tables = _tables(chain.traceback(exc))
    signs = {sign: kind, **{other: name for name, other in _KINDS.values()}}
    there = [f"{each}{name}" for each, of in signs.items() for name in sorted(_names(tables.get(of)))]
    return Lookup("magic", f"{sign}{found['name']}", available=libraries.labels(there))


def _tables(traceback: Any) -> dict[str, Any]:
    """The shell's tables of its magics, from the frame that looked one up."""
    for _ in range(_MOST_FRAMES):
        if traceback is None:
            break
        shell = local_variable(traceback.tb_frame, "self")
        tables = _trait(_trait(shell, "magics_manager"), "magics")
        if type(tables) is dict:
            return tables
        traceback = traceback.tb_next
    return {}


def _trait(owner: Any, name: str) -> Any:
    """The stored value of a trait; nothing is computed."""
    values = dict.get(safe_inspection.instance_dict(owner), "_trait_values")
    return dict.get(values, name) if type(values) is dict else None


def _names(table: Any) -> list[str]:
    return [name for name in list(dict.keys(table)) if type(name) is str] if type(table) is dict else []
