"""Whether statements that a fix has inserted may run after those in front of which they stand, which have run already.

Static: from the code of both and from what the names mean now. What is not understood may not.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import sys
from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, module_name
from reflex_ipython.state.uses import (
    FUNCTIONS,
    Uses,
    bound_by_import,
    bound_in,
    executed,
    names_bound,
    names_read,
    read_in,
)

Namespace = Mapping[str, Any]


# ------------------------------------------------------------------------------------------ what was inserted


def understood(statement: ast.stmt, namespace: Namespace) -> Uses | None:
    """What an inserted statement uses; None for one that may do anything at all.

    Understood are imports, definitions, and assignments of constants.
    """
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return _import(statement, namespace)
    if isinstance(statement, FUNCTIONS):
        plain = _is_plain_definition(statement, namespace)
        return Uses(names_read(statement), frozenset({statement.name})) if plain else None
    if isinstance(statement, ast.ClassDef):
        plain = _is_plain_class(statement, namespace)
        return Uses(names_read(statement), frozenset({statement.name})) if plain else None
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return _assignment(statement) if _is_plain_assignment(statement) else None
    if isinstance(statement, ast.Try):
        return _guarded(statement, namespace)
    nothing = isinstance(statement, ast.Pass)
    nothing = nothing or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    return Uses() if nothing else None


def _import(statement: ast.Import | ast.ImportFrom, namespace: Namespace) -> Uses | None:
    bound = dict(bound_by_import(statement))
    if "*" in bound or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
        return None
    same = frozenset(name for name, found in bound.items() if name in namespace and namespace[name] is found)
    from_one = [statement.module or ""] if isinstance(statement, ast.ImportFrom) else []
    modules = from_one or [alias.name for alias in statement.names]
    return Uses(binds=frozenset(bound), same=same, loads=any(name not in sys.modules for name in modules))


def _assignment(statement: ast.Assign | ast.AnnAssign) -> Uses:
    reads = names_read(statement)
    taken = names_read(statement.value) if statement.value is not None else frozenset()
    return Uses(reads, names_bound(statement), aliases=bool(taken))


def _guarded(statement: ast.Try, namespace: Namespace) -> Uses | None:
    """`try: import fast` with `except ImportError: fast = None`."""
    parts = [*statement.body, *statement.orelse, *statement.finalbody]
    for handler in statement.handlers:
        if handler.name or not (handler.type is None or _is_type(handler.type)):
            return None
        parts += handler.body
    found = Uses(names_read(statement))
    for part in parts:
        uses = understood(part, namespace)
        if uses is None:
            return None
        found |= dataclasses.replace(uses, same=frozenset())  # which of its branches runs is not known
    return found


# Decorators of the standard library that only wrap or mark: to run them does nothing that could be seen.
_WRAPPING = {
    *("abstractmethod", "asynccontextmanager", "cache", "cached_property", "classmethod", "contextmanager"),
    *("dataclass", "final", "lru_cache", "overload", "override", "property", "singledispatch", "staticmethod"),
    *("total_ordering", "unique"),
}


def _is_plain_definition(function: ast.FunctionDef | ast.AsyncFunctionDef, namespace: Namespace) -> bool:
    """Whether to run it does nothing but make a function."""
    signature = function.args
    arguments = [*signature.posonlyargs, *signature.args, *signature.kwonlyargs, signature.vararg, signature.kwarg]
    annotations = [one.annotation for one in arguments if one is not None and one.annotation is not None]
    annotations += [function.returns] if function.returns is not None else []
    defaults = [*signature.defaults, *(default for default in signature.kw_defaults if default is not None)]
    return (
        all(_is_wrapping(decorator, namespace) for decorator in function.decorator_list)
        and all(map(_is_plain, defaults))
        and all(map(_is_type, annotations))
    )


def _is_wrapping(decorator: ast.expr, namespace: Namespace) -> bool:
    if isinstance(decorator, ast.Call):
        arguments = [*decorator.args, *(keyword.value for keyword in decorator.keywords)]
        return all(map(_is_plain, arguments)) and _is_wrapping(decorator.func, namespace)
    if isinstance(decorator, ast.Attribute):  # of a property, or of a module
        known = decorator.attr in _WRAPPING or decorator.attr in ("setter", "getter", "deleter")
        return known and isinstance(decorator.value, ast.Name) and not _is_own(decorator.value.id, namespace)
    return isinstance(decorator, ast.Name) and decorator.id in _WRAPPING and not _is_own(decorator.id, namespace)


def _is_own(name: str, namespace: Namespace) -> bool:
    """Whether a name stands for something that the user has made."""
    found = namespace.get(name)
    if type(found) is FunctionType:
        return found.__globals__ is namespace or found.__module__ == "__main__"
    return found is not None and type(found) is not ModuleType and (not _is_class(found) or _is_users(found))


def _is_class(found: Any) -> bool:
    return inherits(type(found), type)


def _is_users(made: type) -> bool:
    return module_name(made) == "__main__"


def _inherits_silently(parent: Any) -> bool:
    """Whether to inherit from something runs no code of the user's."""
    if not _is_class(parent) or _is_users(type(parent)):
        return False
    return not any("__init_subclass__" in class_vars(one) and _is_users(one) for one in classes(parent))


def _is_plain_class(made: ast.ClassDef, namespace: Namespace) -> bool:
    """Whether to run it does nothing but make a class."""
    roots = [node.id for base in made.bases for node in ast.walk(base) if isinstance(node, ast.Name)]
    known = [namespace[name] for name in roots if name in namespace]
    parents = [found for found in known if not inherits(type(found), ModuleType)]
    body = [understood(part, namespace) for part in made.body]
    return (
        all(_is_wrapping(decorator, namespace) for decorator in made.decorator_list)
        and not made.keywords
        and all(map(_is_type, made.bases))
        and all(map(_inherits_silently, parents))
        and not any(uses is None or uses.loads for uses in body)
    )


def _is_plain_assignment(statement: ast.Assign | ast.AnnAssign) -> bool:
    if isinstance(statement, ast.AnnAssign):
        plain = statement.value is None or _is_plain(statement.value)
        return plain and isinstance(statement.target, ast.Name) and _is_type(statement.annotation)
    return _is_plain(statement.value) and all(_is_name(target, statement.value) for target in statement.targets)


def _is_name(target: ast.expr, value: ast.expr) -> bool:
    """Whether an assignment to a target only binds names: `a`, or `a, b` where two values stand."""
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        same_length = len(target.elts) == len(value.elts)
        return same_length and all(_is_name(one, part) for one, part in zip(target.elts, value.elts))
    return isinstance(target, ast.Name)


def _is_plain(value: ast.expr) -> bool:
    """Whether to compute it runs no code of anybody's: constants, names, displays and functions of such."""
    if isinstance(value, (ast.Constant, ast.Name)):
        return True
    if isinstance(value, (ast.Tuple, ast.List)):
        return all(map(_is_plain, value.elts))
    if isinstance(value, ast.Set):
        return all(map(_is_constant, value.elts))
    if isinstance(value, ast.Dict):
        return all(key is not None and _is_constant(key) for key in value.keys) and all(map(_is_plain, value.values))
    if isinstance(value, ast.Lambda):
        return all(map(_is_plain, [*value.args.defaults, *(one for one in value.args.kw_defaults if one is not None)]))
    return _is_constant(value)


def _is_constant(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        return _is_constant(value.operand)
    if isinstance(value, ast.BinOp):
        return _is_constant(value.left) and _is_constant(value.right)
    if isinstance(value, ast.Tuple):
        return all(map(_is_constant, value.elts))
    return isinstance(value, ast.Constant)


_TYPES = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.BitOr, ast.Tuple, ast.List, ast.Load)


def _is_type(value: ast.expr) -> bool:
    """Whether it is written as types are: `list[int] | None`."""
    return all(isinstance(node, _TYPES) for node in ast.walk(value))


# ------------------------------------------------------------------------------------------ what has run


def may_follow(inserted: Uses, done: ast.stmt, namespace: Namespace) -> bool:
    """Whether what was inserted before a statement that has run does the same after it, and changes nothing of it.

    Parameters
    ----------
    inserted : Uses
        Of all that was inserted before it.
    done : ast.stmt
        A statement that has run.
    namespace : mapping
        What the names mean now.
    """
    nodes = list(executed(done))
    binds, read = bound_in(nodes), read_in(nodes)
    if isinstance(done, (ast.Import, ast.ImportFrom)):  # the same twice is once
        binds = frozenset(dict(bound_by_import(done))) - inserted.same
    if binds & (inserted.binds | inserted.reads) or "*" in binds:
        return False
    new = inserted.binds - inserted.same
    if new & read or (new and _looks_around(nodes, new)):
        return False
    if inserted.loads and _changes_imports(nodes):
        return False
    runs_code = any(map(_runs_code, nodes))
    known = any(name in namespace or name in vars(builtins) for name in new)
    return not (runs_code and (known or inserted.aliases))  # a function that is called may use any name that was there


_LOOK_AROUND = {"globals", "locals", "vars", "dir", "eval", "exec"}
_MAGICS = {
    *("%run", "macro", "recall", "rerun", "reset", "reset_selective", "run", "store"),
    *("who", "who_ls", "whos", "xdel"),
}


def _looks_around(nodes: list[ast.AST], names: frozenset[str]) -> bool:
    """Whether code may get at names without naming them, as `globals()` and magics do."""
    read = read_in(nodes)
    if read & _LOOK_AROUND:
        return True
    if "get_ipython" not in read:
        return False
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return any(text in _MAGICS or any(name in text for name in names) for text in texts)


_FINDING = {("os", "chdir"), ("sys", "meta_path"), ("sys", "modules"), ("sys", "path"), ("sys", "path_hooks")}
_INSTALLING = {"cd", "conda", "mamba", "pip", "uv"}


def _changes_imports(nodes: list[ast.AST]) -> bool:
    """Whether code may change where modules are found, or looks which are there."""
    magic = "get_ipython" in read_in(nodes)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id, node.attr) in _FINDING:
                return True
        elif magic and isinstance(node, ast.Constant) and _INSTALLING & set(str(node.value).split()):
            return True
    return False


_QUIET = (
    *(ast.Import, ast.ImportFrom, ast.alias, ast.Pass, ast.Assign, ast.AnnAssign, ast.Expr, ast.ClassDef, *FUNCTIONS),
    *(ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Lambda, ast.arguments, ast.arg, ast.keyword),
    *(ast.expr_context,),
)


def _runs_code(node: ast.AST) -> bool:
    """Whether running a node may run a function: calls, operators, attributes, loops, decorators."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.decorator_list:
        return True
    if isinstance(node, ast.ClassDef) and (node.bases or node.keywords):
        return True
    return not isinstance(node, _QUIET)
