"""What statements could reach for which there was no time to note anything: looked for once the cell has failed.

The statement that failed comes first. What there is no time for even then is named as a whole.
"""

from __future__ import annotations

import ast
import gc
import sys
import time
from collections.abc import Collection, Container
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.bounds import Bounds, Budget
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.introspection import only_asked
from reflex_ipython.state.kinds import interpreter_hooks, shell_records
from reflex_ipython.state.kinds.callbacks import is_called
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.modules import LIBRARY
from reflex_ipython.state.kinds.moving import present_arithmetic
from reflex_ipython.state.kinds.registries import folded
from reflex_ipython.state.settings_reached import settings_within_reach
from reflex_ipython.state.user_code import owned_module
from reflex_ipython.state.walk import Walk
from reflex_ipython.state.walk_memory import WalkMemory

_BOUNDS = Bounds(bytes=0, milliseconds=10.0)
"""Nothing is copied: what would be is named all the same."""
_SECONDS = 0.01
"""For all statements of a cell."""
_OF_THE_PROCESS = frozenset({"gc", "sys", "weakref"})
_ARITHMETIC = "decimal's context"
_BUILTINS = frozenset({"builtins", "__builtins__"})
_COLLECTOR = "the garbage collector"
"""As `switches` has it."""
REST = "anything that quick statements can reach"
_BINDING_LAST = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def look_for_missed(
    checkpoints: list[Checkpoint], namespace: dict[str, Any], ignored: Container[str], *, raised: bool = False
) -> None:
    """Name what the skipped ones of these statements can reach and bind, the last one first.

    Parameters
    ----------
    checkpoints : list of Checkpoint
    namespace : dict
    ignored : container of str
    raised : bool
        Whether the last of these statements has raised: then it has not come to what it does at its end.
    """
    end = time.thread_time() + _SECONDS
    for checkpoint in reversed(checkpoints):
        code, checkpoint.skipped_code = checkpoint.skipped_code, None
        if code is not None:
            late = time.thread_time() > end
            ended = not (raised and checkpoint is checkpoints[-1] and isinstance(checkpoint.node, _BINDING_LAST))
            checkpoint.missed = (
                {REST: checkpoint.skipped} if late else _reached(checkpoint, code, namespace, ignored, ended=ended)
            )


def _reached(
    checkpoint: Checkpoint, code: CodeType, namespace: dict[str, Any], ignored: Container[str], *, ended: bool
) -> dict[str, str]:
    budget = Budget(_BOUNDS)
    budget.start()
    walk = Walk(namespace, ignored, WalkMemory(budget))
    snapshots = walk.statement(code)
    labels = {snapshots.label(place) for place in range(len(snapshots.entries))} | snapshots.uncovered.keys()
    modules = {label for label, (kind, o, _) in snapshots.labelled() if _is_set(kind) and type(o) is ModuleType}
    stateful = {
        label for label, snapshot in snapshots.labelled() if _is_set(snapshot[0]) or not _is_a_part(snapshot[1])
    }
    words = walk.words()
    tools = {name for name in labels if is_called(name) or _is_a_tool(namespace.get(name), words)}
    there = [name for name in sorted(labels) if name in stateful or name not in tools]
    there = [f"module {name}" if name in modules else name for name in there]  # the name may be new, and it is not
    if any(type(namespace.get(name)) is FunctionType for name in snapshots.uncovered):
        there.append(REST)  # it may call others
    there += settings_within_reach(walk.libraries(), words)
    there += [_ARITHMETIC] if _has_computed(code, namespace) else []
    if words.isdisjoint(interpreter_hooks.REGISTERING):
        there = [name for name in there if name != interpreter_hooks.LABEL]
    if words.isdisjoint(shell_records.CHANGING):
        there = [name for name in there if name != shell_records.LABEL]
    if only_asked(gc, words):
        there = [name for name in there if name != _COLLECTOR]
    if not any(_BUILTINS & (found.names | found.imported) for found in walk.met):  # looked at for an import alone
        there = [name for name in there if name not in _BUILTINS]
    if walk.any_bound:
        there.append(REST)
    there = [f"the {name}" if name.isidentifier() and name not in namespace else name for name in there]  # "loggers"
    found = {name: checkpoint.skipped for name in folded(there) if name not in checkpoint.bindings}
    for name in sorted(walk.bound - checkpoint.bindings.keys() - found.keys()) if ended else ():
        known = name in namespace or name in code.co_names
        if known and name not in ignored and not name.startswith("__"):
            found[f"what `{name}` was bound to"] = checkpoint.skipped
    return found


def _has_computed(code: CodeType, namespace: dict[str, Any]) -> bool:
    """Whether it has decimals at hand, which note in decimal's context that something was rounded, and that has."""
    decimal = sys.modules.get("decimal")
    if decimal is None or not any(type(namespace.get(name)) is decimal.Decimal for name in code.co_names):
        return False
    context = present_arithmetic()
    return context is not None and any(context.flags.values())


def _is_set(kind: Kind) -> bool:
    """Whether code that sets attributes of modules or classes has a library at hand."""
    return kind.name == LIBRARY and kind.restore is not None


def _is_a_part(o: object) -> bool:
    """Whether it is what a function or a module consists of, rather than something that they change."""
    return is_exactly(o, (BuiltinFunctionType, FunctionType, ModuleType)) or (type(o) is dict and not o)


def _is_a_tool(o: object, words: Collection[str]) -> bool:
    """Whether it is a function, or a module of a library, which hardly any statement changes."""
    if type(o) is ModuleType and o.__name__ in _OF_THE_PROCESS:
        return only_asked(o, words)
    return is_exactly(o, (BuiltinFunctionType, FunctionType)) or (
        type(o) is ModuleType and not owned_module(o.__name__)
    )
