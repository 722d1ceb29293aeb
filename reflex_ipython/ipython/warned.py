"""What a library has warned of once, as Python remembers it: the warning of a statement that is undone can come again.

Python remembers it in the module whose line warned; that of the user's own code is put back with their namespace.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from reflex_ipython.state.user_code import contents

if TYPE_CHECKING:
    from reflex_ipython.ipython.cell_run import CellRun, Output

_REGISTRY = "__warningregistry__"
_name_of = type.__dict__["__name__"].__get__
"""A class's name, whatever its metaclass makes of it."""


def forget_warned(run: CellRun, start: int) -> None:
    """Let libraries warn again of what only the statements from that index on were told, as is seen by what was shown.

    Parameters
    ----------
    run : CellRun
        With what it has shown.
    start : int
        How many of its statements stay done.
    """
    undone = _on_stderr(output for begun, output in run.outputs if begun > start)
    if ": " not in undone:  # as it stands in every warning
        return
    told = _on_stderr(output for begun, output in run.outputs if begun <= start)
    for module in list(sys.modules.values()):
        registry = contents(module).get(_REGISTRY)
        if type(registry) is dict:
            for key in [key for key in list(registry) if _stands_in(undone, key) and not _stands_in(told, key)]:
                del registry[key]


def _on_stderr(outputs: Iterable[Output]) -> str:
    return "".join(_texts(outputs))


def _texts(outputs: Iterable[Output]) -> Iterator[str]:
    for kind, content in outputs:
        if kind == "stream" and content.get("name") == "stderr":
            yield str(content.get("text", ""))


def _stands_in(text: str, key: Any) -> bool:
    """Whether a warning was shown; `key` is what a registry has for it: its text, its class, and the line."""
    if type(key) is not tuple or len(key) < 2 or type(key[0]) is not str or not isinstance(key[1], type):
        return False
    return f"{_name_of(key[1])}: {key[0]}" in text
