"""Putting new code into living functions, in place: aliases, bound methods, closures and decorated ones follow."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import functools
import gc
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import CodeType, FunctionType
from typing import Any

from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.state.definitions import CompiledCell, Definition
from reflex_ipython.state.plan import same_code
from reflex_ipython.state.remaining import to_run

_KINDS = {
    0: "a plain function",
    CO_GENERATOR: "a generator",
    CO_COROUTINE: "a coroutine",
    CO_ASYNC_GENERATOR: "an asynchronous generator",
}


@dataclasses.dataclass(frozen=True)
class Swap:
    """What came of a swap.

    Parameters
    ----------
    swapped : tuple of str
        The paths of the functions that were changed and now run the new code: `f`, `A.method`.
    refused : tuple of (str, str)
        The paths of those that were not, and why.
    to_run : tuple of int
        The new cell's top-level statements that must be executed for the rest of the change to take effect.
    """

    swapped: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]
    to_run: tuple[int, ...]


class _Refused(Exception):
    """A function keeps its old code. The text says why."""


def hot_swap(old: CompiledCell, new: CompiledCell) -> Swap:
    """Give every living function of the old cell the new cell's code.

    Functions that did not change get it as well, so that tracebacks show the new text.

    Parameters
    ----------
    old : CompiledCell
        With the file name that the living functions have.
    new : CompiledCell

    Returns
    -------
    Swap
    """
    before, after = _functions(old), _functions(new)
    swapped: list[str] = []
    refused: list[tuple[str, str]] = []
    done: set[tuple[str, int]] = set()
    for path, living in _living(old).items():
        changed = path not in after or not _same_text(before[path], after[path])
        try:
            for function, place in living:
                _swap_one(function, _match(before, after, path, place))
        except _Refused as reason:
            if changed:
                refused.append((path, str(reason)))
            continue
        done.update((path, place) for _, place in living)
        if changed:
            swapped.append(path)
    return Swap(tuple(swapped), tuple(refused), to_run(old, new, set(swapped), done))


@dataclasses.dataclass(frozen=True)
class _Function:
    """One function of a cell. `node` is None where tree and code can't be told to be the same one."""

    code: CodeType
    node: Definition | None


def _functions(cell: CompiledCell) -> dict[str, list[_Function]]:
    nodes = cell.definitions()
    return {
        path: [
            _Function(code, node)
            for code, node in zip(codes, nodes[path] if len(nodes.get(path, ())) == len(codes) else [None] * len(codes))
        ]
        for path, codes in cell.codes().items()
    }


def _same_text(some: list[_Function], others: list[_Function]) -> bool:
    return len(some) == len(others) and all(
        one.node is not None and other.node is not None and same_code(one.node, other.node)
        for one, other in zip(some, others)
    )


def _living(cell: CompiledCell) -> dict[str, list[tuple[FunctionType, int]]]:
    """The functions in memory that have the cell's code, by path, with their place among those of that path."""
    codes = cell.codes()
    found: dict[str, list[tuple[FunctionType, int]]] = {}
    for o in gc.get_objects():
        if type(o) is FunctionType and o.__code__.co_filename == cell.filename:
            for path, place in _places(o.__code__, codes):
                found.setdefault(path, []).append((o, place))
    return {path: found[path] for path in codes if path in found}  # in the order of the text


def _places(code: CodeType, codes: dict[str, list[CodeType]]) -> list[tuple[str, int]]:
    places = [(path, place) for path, same in codes.items() for place, other in enumerate(same) if _is(code, other)]
    for tell in (_constants, _positions):  # those of one line that look the same
        if len(places) > 1:
            places = [(path, place) for path, place in places if tell(codes[path][place]) == tell(code)]
    return places if len(places) == 1 else []


def _constants(code: CodeType) -> list[tuple[type, Any]]:
    return [(type(constant), constant) for constant in code.co_consts]


def _positions(code: CodeType) -> list[Any]:
    """Where each instruction comes from; nothing before Python 3.11."""
    tell = getattr(code, "co_positions", None)
    return list(tell()) if tell is not None else []


def _is(code: CodeType, other: CodeType) -> bool:
    same_place = (code.co_name, code.co_firstlineno) == (other.co_name, other.co_firstlineno)
    return same_place and code.co_code == other.co_code and code.co_varnames == other.co_varnames


@dataclasses.dataclass(frozen=True)
class _Match:
    old: _Function
    new: _Function


def _match(before: dict[str, list[_Function]], after: dict[str, list[_Function]], path: str, place: int) -> _Match:
    if path not in after:
        raise _Refused("it no longer exists")
    if len(after[path]) != len(before[path]):
        raise _Refused("there are several with that name")
    match = _Match(before[path][place], after[path][place])
    if match.new.code.co_freevars != match.old.code.co_freevars:
        names = sorted(set(match.new.code.co_freevars) ^ set(match.old.code.co_freevars))
        raise _Refused(f"it closes over different variables ({', '.join(names) or 'in another order'})")
    if _kind(match.new.code) != _kind(match.old.code):
        raise _Refused(f"it was {_kind(match.old.code)} and is now {_kind(match.new.code)}")
    if match.new.node is None or match.old.node is None:
        raise _Refused("its text could not be told apart from others")
    if not _same_list(_decorators(match.old.node), _decorators(match.new.node)):
        raise _Refused("its decorators changed")
    return match


def _kind(code: CodeType) -> str:
    return _KINDS[code.co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)]


def _decorators(node: Definition) -> list[ast.expr]:
    return getattr(node, "decorator_list", [])


def _same_list(some: list[ast.expr], others: list[ast.expr]) -> bool:
    return len(some) == len(others) and all(map(same_code, some, others))


# ------------------------------------------------------------------------------------------ one function


def _swap_one(function: FunctionType, match: _Match) -> None:
    old, new = match.old.node, match.new.node
    assert old is not None  # `_match` has seen to it
    assert new is not None
    positional, keyword = _defaults(function, old, new)  # first, since it may refuse
    function.__code__ = match.new.code
    function.__defaults__ = positional or None
    function.__kwdefaults__ = keyword or None
    if isinstance(old, ast.Lambda) or isinstance(new, ast.Lambda):
        return
    if function.__doc__ == ast.get_docstring(old, clean=False):  # else somebody gave it another one
        function.__doc__ = ast.get_docstring(new, clean=False)
    _set_annotations(function, old, new)
    if not same_code(old, new):
        _clear_caches(function)


def _defaults(function: FunctionType, old: Definition, new: Definition) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The defaults after the swap: the living values where the text is the same, else the new literals."""
    nodes = _default_nodes(old)
    living = dict(zip(reversed(_positional(old)), reversed(function.__defaults__ or ())))
    living.update(function.__kwdefaults__ or {})
    wanted = _default_nodes(new)
    values = {}
    for name, node in wanted.items():
        kept = name in nodes and name in living and _is_kept(nodes[name], node)
        values[name] = living[name] if kept else _literal(name, node)
    keyword_only = {argument.arg for argument in new.args.kwonlyargs}
    return (
        tuple(value for name, value in values.items() if name not in keyword_only),
        {name: value for name, value in values.items() if name in keyword_only},
    )


def _is_kept(old: ast.expr, new: ast.expr) -> bool:
    """Whether a default is what it was: a lambda gets its new code as every function does."""
    return same_code(old, new) or (isinstance(old, ast.Lambda) and isinstance(new, ast.Lambda))


def _positional(node: Definition) -> list[str]:
    return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]


def _default_nodes(node: Definition) -> dict[str, ast.expr]:
    names = _positional(node)
    found = dict(zip(names[len(names) - len(node.args.defaults) :], node.args.defaults))
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults)
    found.update((argument.arg, default) for argument, default in pairs if default is not None)
    return found


def _literal(name: str, node: ast.expr) -> Any:
    try:
        return literal_value(node)
    except ValueError:
        raise _Refused(f"the default of {name} must be computed") from None


def _set_annotations(function: FunctionType, old: ast.FunctionDef | ast.AsyncFunctionDef, new: Any) -> None:
    before, after = _annotations(old), _annotations(new)
    if before.keys() == after.keys() and all(same_code(before[name], after[name]) for name in before):
        return
    living = function.__annotations__
    function.__annotations__ = {
        name: living[name]
        if name in living and name in before and same_code(before[name], node)
        else _annotation(function, node)
        for name, node in after.items()
    }


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    found = {argument.arg: argument.annotation for argument in every if argument and argument.annotation}
    return {**found, "return": node.returns} if node.returns else found


def _annotation(function: FunctionType, node: ast.expr) -> Any:
    """A name's value, which needs no code to run; everything else as text, as a forward reference is."""
    if isinstance(node, ast.Constant):
        return node.value
    text = ast.unparse(node)
    return function.__globals__.get(text, vars(builtins).get(text, text))


def _clear_caches(function: FunctionType) -> None:
    for holder in gc.get_referrers(function):
        if type(holder) is functools._lru_cache_wrapper:
            holder.cache_clear()
