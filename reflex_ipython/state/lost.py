"""Names whose old object is no more, where the statement that bound them anew began by reading it: `df = df * 2`.

If such a statement runs again, it starts from what it has made itself.
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Iterator
from typing import Any

from reflex_ipython.state.checkpoint import MISSING, Checkpoint
from reflex_ipython.state.weak import GONE, found


def lost_names(checkpoint: Checkpoint, namespace: dict[str, Any]) -> Iterator[str]:
    """Those of one statement.

    Parameters
    ----------
    checkpoint : Checkpoint
    namespace : dict
        As it is now.
    """
    for name, held in checkpoint.bindings.items():
        gone = found(held) is GONE and namespace.get(name, MISSING) is not MISSING
        if gone and checkpoint.node is not None and _reads_first(checkpoint.node, name):
            yield name


def _reads_first(node: ast.stmt, name: str) -> bool:
    """Whether it gets at what a name is bound to before it binds that: code lies in the order in which it runs."""
    try:
        code = compile(ast.Module([node], []), "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError):
        return True
    used = (one.opname for one in dis.get_instructions(code) if one.argval == name and one.opname.endswith("_NAME"))
    return next(used, "").startswith("LOAD")
