"""Code that asks the interpreter who holds an object, and would find us; so nothing is held when it runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from reflex_ipython.state.bytecode_names import RESIZE, run_as_text, texts
from reflex_ipython.state.checkpoint import MISSING, Checkpoint
from reflex_ipython.state.held import objects_of
from reflex_ipython.state.snapshots import REMOVED
from reflex_ipython.state.unshared import unshared
from reflex_ipython.state.user_code import contents

LOOKING = frozenset(
    {"collect", "get_objects", "get_referents", "get_referrers", "getrefcount", "getweakrefcount", "getweakrefs"}
)
"""What that code is called, in `gc`, `sys` and `weakref`."""
NOTICING = LOOKING | {RESIZE}
"""What code calls that notices who holds an object."""
REASON_TO_LOOK = "the code asks what refers to it"
REASON_TO_FORGET = "a magic was asked to delete it"
_MAGICS = frozenset({"run_cell_magic", "run_line_magic"})
_FORGETTING = frozenset({"reset", "reset_selective", "xdel"})

_ASKS = LOOKING | {"get_count", "get_stats", "get_threshold", "getsizeof", "is_tracked", "isenabled", "ref"}
_MODULES = ("gc", "sys", "weakref")


def only_asked(o: object, words: Collection[str]) -> bool:
    """Whether it is the module that such code asks, and code with these words changes nothing in it."""
    if type(o) is not ModuleType or contents(o).get("__name__") not in _MODULES:
        return False
    return all(word in _ASKS for word in words if word in contents(o))


def may_use(code: CodeType, namespace: dict[str, Any], words: Set[str], depth: int = 3) -> bool:
    """Whether the code, or a function that it may call, gets something of such a name.

    Parameters
    ----------
    code : code object
    namespace : dict
        Where it runs.
    words : set of str
    depth : int
        How many calls inside each other are looked at.
    """
    if not words.isdisjoint(code.co_names) or not words.isdisjoint(run_as_text(code)):
        return True
    if not _MAGICS.isdisjoint(code.co_names) and any(word in text for text in texts(code) for word in words):
        return True
    if not depth:
        return False
    for name in code.co_names:
        o = namespace.get(name)
        if type(o) is FunctionType and may_use(o.__code__, namespace, words, depth - 1):
            return True
        if type(o) is BuiltinFunctionType and o.__name__ in words:  # `from sys import getrefcount as count`
            return True
    for constant in code.co_consts:
        if type(constant) is CodeType and may_use(constant, namespace, words, depth - 1):
            return True
    return False


def forgets(code: CodeType) -> bool:
    """Whether it is a magic that lets go of names: what they held ends one by one, in an order that can be seen."""
    return "run_line_magic" in code.co_names and not _FORGETTING.isdisjoint(
        constant for constant in code.co_consts if type(constant) is str
    )


def hold_nothing(checkpoints: Iterable[Checkpoint]) -> None:
    """Let go of all that the checkpoints of a cell hold, as such code is about to run in it."""
    for checkpoint in checkpoints:
        for place, snapshot in enumerate(checkpoint.snapshots.entries):
            if snapshot is not REMOVED:
                checkpoint.snapshots.forget(place, checkpoint.snapshots.label(place), REASON_TO_LOOK)
        for name, held in checkpoint.bindings.items():
            checkpoint.bindings[name] = MISSING if held is MISSING else unshared(held)
        for place, (_, snapshot) in enumerate(checkpoint.global_state):
            if snapshot is not REMOVED and objects_of(snapshot[0], snapshot[2]):
                checkpoint.forget_global(place, REASON_TO_LOOK)
        checkpoint.copied = True
