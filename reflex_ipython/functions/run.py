"""`run`: a function, or the source of one, by its id: called, and healed as `heal` does."""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Callable, MutableMapping
from types import FunctionType
from typing import Any

from reflex_ipython.base.parsing import parsed
from reflex_ipython.errors import BadInput
from reflex_ipython.functions.decorator import Pair, heal
from reflex_ipython.functions.healed import Policy
from reflex_ipython.functions.source import GIVEN
from reflex_ipython.functions.store import FunctionStore
from reflex_ipython.settings import Settings


def run(
    id: str,
    description: str,
    function_or_source: Callable[..., Any] | str,
    *args: Any,
    scope: MutableMapping[str, Any] | None = None,
    policy: Policy = "ask",
    store: FunctionStore | Pair | None = None,
    settings: Settings | None = None,
    **kwargs: Any,
) -> Any:
    """Call a function that heals.

    Parameters
    ----------
    id, description : str
        As in `heal`.
    function_or_source : callable or str
        The function, or the text of one: of several in it, the last is called.
    scope : mapping, optional
        The names that a text's functions read, and are bound in. None: none but Python's own.
    policy, store, settings
        As in `heal`.

    Returns
    -------
    object
        What the call gives: a coroutine for one of an `async def`.

    Raises
    ------
    BadInput
        If the text holds no function.
    """
    function = function_or_source
    if isinstance(function, str):
        function = _defined(id, function, scope if scope is not None else {})
    return heal(id, description, policy=policy, store=store, settings=settings)(function)(*args, **kwargs)


def _defined(id: str, source: str, scope: MutableMapping[str, Any]) -> Callable[..., Any]:
    """The last function of a text, made in a scope."""
    text = textwrap.dedent(source)
    tree = parsed(text)
    if isinstance(tree, SyntaxError):
        where = f" on line {tree.lineno}" if tree.lineno else ""
        raise BadInput(f"The source of {id} does not parse: {tree.msg}{where}.")
    defined = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    filename, names = f"{GIVEN}{id}>", scope if isinstance(scope, dict) else dict(scope)
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    names.setdefault("__name__", "__main__")
    before = set(names)
    exec(compile(text, filename, "exec", dont_inherit=True), names)
    made = [value for value in names.values() if type(value) is FunctionType and value.__code__.co_filename == filename]
    if not defined and not made:
        raise BadInput(f"The source of {id} defines no function.")
    if names is not scope:
        scope.update({name: value for name, value in names.items() if name not in before})
    function: Callable[..., Any] = names[defined[-1]] if defined else made[-1]  # that below an `if`, say
    return function
