"""Which names a statement surely bound to something that it made: run again, it makes another.

What it makes that way needs no undoing for those that run the statement again: a queue, a thread, an open file.
"""

from __future__ import annotations

import ast
import bisect
import builtins
from collections.abc import Mapping, Sequence
from functools import cached_property
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly, module_name
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.effect import OutsideEffect
from reflex_ipython.state.user_code import contents, owned_module

_GENERATOR = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_MAKERS = frozenset(
    [
        "open",
        "fdopen",
        "popen",
        "iter",
        "reader",
        "writer",
        "connect",
        "scandir",
        "TemporaryFile",
        "NamedTemporaryFile",
        "create_task",
    ]
)
"""Functions of libraries that give a new object each time."""
_KNOWN = frozenset(
    [
        "_csv",
        "_io",
        "_queue",
        "_thread",
        "asyncio.locks",
        "asyncio.queues",
        "builtins",
        "itertools",
        "multiprocessing.queues",
        "queue",
        "socket",
        "sqlite3",
        "subprocess",
        "tempfile",
        "threading",
        "zipfile",
    ]
)
"""Modules of objects of which all that they use of the user's is noted besides."""


def made(node: ast.stmt | None, namespace: Mapping[str, Any]) -> frozenset[str]:
    """The names.

    Parameters
    ----------
    node : ast.stmt or None
        The statement; it has run.
    namespace : mapping
        What names mean now.
    """
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    else:
        return frozenset()
    if not isinstance(node.value, ast.GeneratorExp):
        function = _meaning(node.value.func, namespace) if isinstance(node.value, ast.Call) else None
        if not _makes(function):
            return frozenset()
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def _makes(function: Any) -> bool:
    """Whether each call gives a new object."""
    if inherits(type(function), type):
        return not any("__new__" in class_vars(cls) and _is_own(cls) for cls in classes(function))
    if type(function) is FunctionType and function.__code__.co_flags & _GENERATOR:
        return True
    if not is_exactly(function, (FunctionType, BuiltinFunctionType)) or function.__name__ not in _MAKERS:
        return False
    module = function.__module__
    return type(module) is str and not owned_module(module)


def _is_own(cls: type) -> bool:
    """Whether Python code says how objects of the class come to be: it may give an old one."""
    return type(class_vars(cls)["__new__"]) is staticmethod


def _meaning(node: ast.expr, namespace: Mapping[str, Any]) -> Any:
    """What a name, or an attribute of a module or class, stands for; None if nobody knows."""
    if isinstance(node, ast.Name):
        return namespace.get(node.id, vars(builtins).get(node.id))
    if not isinstance(node, ast.Attribute):
        return None
    holder = _meaning(node.value, namespace)
    return contents(holder).get(node.attr) if inherits(type(holder), ModuleType) else None


def _closes_at_once(node: ast.AST) -> bool:
    """Whether what a call gives is closed: `os.close(os.dup(fd))`."""
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    closing = (
        call for call in calls if isinstance(call.func, (ast.Attribute, ast.Name)) and _last(call.func) == "close"
    )
    return any(isinstance(part, ast.Call) for call in closing for each in call.args for part in ast.walk(each))


def _last(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


class MadeHere:
    """What the statements of a cell made.

    Parameters
    ----------
    checkpoints : sequence of Checkpoint
        Of the statements, in the order in which they ran.
    namespace : mapping
        What names mean now.
    """

    def __init__(self, checkpoints: Sequence[Checkpoint], namespace: Mapping[str, Any]) -> None:
        self._marks = checkpoints
        self._namespace = namespace

    def object(self, index: int, name: str, o: object) -> int | None:
        """The index of the statement that made an object and bound it to that name, if one did.

        What only hangs on the name may have been there before.

        Parameters
        ----------
        index : int
            Of the statement that uses it: it was made before that one.
        name : str
        o : object
        """
        if module_name(type(o)) not in _KNOWN or self._namespace.get(name) is not o:
            return None
        bound = self._bound.get(name, [])
        place = bisect.bisect_left(bound, (index,))
        last, is_made = bound[place - 1] if place else (0, False)
        return last if is_made else None

    def descriptor(self, index: int, effect: OutsideEffect) -> int | None:
        """The index of the last statement up to that one that opened a file descriptor, if the effect closed one.

        What the statement itself opens once it has closed one is another one, though it may get the same number.
        """
        if effect.kind != "closed":
            return None
        here, node = self._marks[index].effects, self._marks[index].node
        before = here if node is None or _closes_at_once(node) else here[: here.index(effect)]
        ran = ((place, self._marks[place].effects) for place in reversed(range(index)))
        return next(
            (place for place, effects in ((index, before), *ran) if any(one.kind == "opened" for one in effects)), None
        )

    def file(self, index: int, effect: OutsideEffect) -> int | None:
        """The index of the statement that made the file which was taken away, if one did."""
        made = self._files.get(effect.removed) if effect.removed else None
        return made if made is not None and made < index else None

    @cached_property
    def _bound(self) -> dict[str, list[tuple[int, bool]]]:
        """For each name the statements that bound it, and whether to what they made. Asked for few cells."""
        bound: dict[str, list[tuple[int, bool]]] = {}
        for index, checkpoint in enumerate(self._marks):
            names = made(checkpoint.node, self._namespace)
            for name in {*checkpoint.bindings, *names}:
                bound.setdefault(name, []).append((index, name in names))
        return bound

    @cached_property
    def _files(self) -> dict[str, int]:
        """For each file the first statement that made it."""
        files: dict[str, int] = {}
        for index, checkpoint in enumerate(self._marks):
            for effect in checkpoint.effects:
                if effect.made:
                    files.setdefault(effect.made, index)
        return files
