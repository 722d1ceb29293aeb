"""Fixes that put something else in the place of what Python, IPython or a library brings."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change
from reflex_ipython.check.critic.dangers import FORGETS, HOOKS, REFLEX, Danger
from reflex_ipython.check.critic.qualified import Names
from reflex_ipython.check.critic.words import words
from reflex_ipython.models import Finding

_WATCHED = words(
    """builtins sys os io ssl socket subprocess shutil pathlib importlib threading signal pickle json urllib
    requests http site atexit warnings traceback linecache inspect types ast code codeop logging getpass asyncio
    IPython ipykernel traitlets comm ipywidgets reflex_ipython get_ipython() __builtins__ __import__ __loader__
    __spec__"""
)
_SETTABLE = words("sys.path sys.ps1 sys.ps2 sys.argv sys.dont_write_bytecode sys.tracebacklimit")
_FUNCTIONS = frozenset(name for name in dir(builtins) if name.islower() and not name.startswith("_"))
_SHADOWED = words("""open print exec eval compile input __import__ get_ipython display exit quit getattr globals""")
_OF_CODE = words("""__code__ __globals__ __closure__ __class__ __bases__ __mro__ __builtins__ __defaults__""")
_CHANGING = words("""append insert extend remove clear pop update setdefault register unregister __setitem__""")
_NEW = re.compile(
    r"(?:json\.loads?|os\.(?:listdir|walk|scandir|getcwd|environ\.copy|path\.\w+)|io\.(?:StringIO|BytesIO)|pathlib\.Path"
    r"|urllib\.parse\.\w+|requests\.\w+|ast\.(?:parse|literal_eval))\(\)(?:\.\w+(?:\(\))?)*"
)
"""What these give is made for who asks: to change it changes nothing of the module's."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SETTERS = ("setattr", "delattr", "object.__setattr__", "type.__setattr__")


def patches(change: Change, names: Names) -> Iterator[Finding]:
    """Attributes of modules and of the shell that are set or deleted, and builtins that are hidden."""
    before = {text for node in change.old.nodes() for _, text in _patched(node, names)}
    for node in change.new.nodes():
        for danger, text in _patched(node, names):
            if text not in before:
                yield Finding(danger.code, f"{danger.words}: `{text[:80]}`", "danger")


def _patched(node: ast.AST, names: Names) -> Iterator[tuple[Danger, str]]:
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                yield from _set(part, node.value, names)
    elif isinstance(node, ast.Delete):
        for target in node.targets:
            yield from _set(target, None, names)
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.withitem, ast.comprehension)):
        loop = node.optional_vars if isinstance(node, ast.withitem) else node.target
        yield from _set(loop, None, names) if isinstance(loop, (ast.Attribute, ast.Subscript)) else ()
    elif isinstance(node, _DEFINITIONS) and node.name in _SHADOWED | _FUNCTIONS:
        yield HOOKS, f"def {node.name}"
    elif isinstance(node, ast.alias):
        if (node.asname or "") in _SHADOWED:
            yield HOOKS, f"import {node.name} as {node.asname}"
        if node.name.partition(".")[0] == "reflex_ipython":
            yield REFLEX, f"import {node.name}"
    elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "reflex_ipython":
        yield REFLEX, f"from {node.module} import …"
    elif isinstance(node, ast.Call):
        yield from _called(node, names)


def _called(node: ast.Call, names: Names) -> Iterator[tuple[Danger, str]]:
    function = names.full(node.func)
    if function in _SETTERS and node.args:
        if names.is_of_module(node.args[0]) or _watched(names.full(node.args[0])):
            yield HOOKS, ast.unparse(node)
        return
    owner, _, method = function.rpartition(".")
    if method in ("__setattr__", "__delattr__") and names.is_module(getattr(node.func, "value", node.func)):
        yield HOOKS, ast.unparse(node)
    if (
        method in _CHANGING
        and _watched(owner)
        and owner not in _SETTABLE
        and not owner.startswith("get_ipython().user")
    ):
        if "." in owner or owner.endswith(")"):
            yield HOOKS, ast.unparse(node)
    elif method in _CHANGING and owner in ("builtins.__dict__", "globals().__builtins__"):
        yield HOOKS, ast.unparse(node)


def _set(target: ast.expr, value: ast.expr | None, names: Names) -> Iterator[tuple[Danger, str]]:
    if isinstance(target, ast.Name):
        if (target.id in _SHADOWED | _FUNCTIONS and isinstance(value, ast.Lambda)) or target.id in (
            "__builtins__",
            "__import__",
        ):
            yield HOOKS, target.id
    elif isinstance(target, ast.Subscript):
        yield from _item(target, value, names)
    elif isinstance(target, ast.Attribute):
        if target.attr in _OF_CODE:
            yield HOOKS, ast.unparse(target)
            return
        for owner in names.meanings(target.value):
            name = f"{owner}.{target.attr}"
            if owner.startswith("get_ipython()"):
                yield (REFLEX if "config" in name or "reflex" in name else HOOKS), name
            elif (_watched(owner) and name not in _SETTABLE) or (
                (names.is_of_module(target.value) or _is_class_of_another(target.value)) and _is_function(value, names)
            ):
                yield HOOKS, name


def _item(target: ast.Subscript, value: ast.expr | None, names: Names) -> Iterator[tuple[Danger, str]]:
    for owner in names.meanings(target.value):
        if owner in ("globals()", "locals()", "vars()", "get_ipython().user_ns"):
            text = names.text(target.slice)
            if isinstance(target.ctx, ast.Del):
                yield FORGETS, ast.unparse(target)
            elif text in _SHADOWED or (text is None and not isinstance(target.slice, ast.JoinedStr)):
                yield HOOKS, ast.unparse(target)
        elif owner in ("builtins", "sys.modules") or (owner.endswith(".__dict__") and names.is_module(target.value)):
            if not isinstance(target.ctx, ast.Del) or names.text(target.slice) in sys.stdlib_module_names:
                yield HOOKS, ast.unparse(target)
        elif owner.endswith(".__dict__") and _watched(owner.removesuffix(".__dict__")):
            yield HOOKS, ast.unparse(target)


def _watched(name: str) -> bool:
    if name.partition(".")[0] not in _WATCHED or name in ("os.environ", "sys.modules"):
        return False
    return "__" in name or _NEW.fullmatch(name) is None


def _is_class_of_another(node: ast.expr) -> bool:
    """Whether it is written as a class of a module, `pd.DataFrame`: its import may be in a cell that is not known."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    return node.attr[:1].isupper() and node.value.id.islower() and node.value.id not in ("self", "cls")


def _is_function(value: ast.expr | None, names: Names) -> bool:
    """Whether it is a function, or may be one: `np.bool = bool` is an old name given back."""
    return isinstance(value, ast.Lambda) or (
        isinstance(value, ast.Name) and value.id not in dir(builtins) and names.text(value) is None
    )
