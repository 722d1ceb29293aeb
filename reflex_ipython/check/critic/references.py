"""Dangerous functions that a fix calls or names, and names that are only known when they are looked up."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change, is_respelt
from reflex_ipython.check.critic.dangers import FUNCTIONS, Danger, danger_of
from reflex_ipython.check.critic.magics import called_magic, magic_danger, runs_python
from reflex_ipython.check.critic.qualified import UNKNOWN, Names
from reflex_ipython.check.critic.words import words
from reflex_ipython.check.parsed_cell import ParsedCell
from reflex_ipython.models import Finding

_NAMING = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_COMPARES = ("isinstance", "issubclass")
_SHOWN = 80
_LOOKUPS = ("getattr", "object.__getattribute__", "type.__getattribute__")
_IMPORTERS = ("__import__", "importlib.import_module", "importlib.__import__")
_GETTERS = ("operator.attrgetter", "operator.methodcaller")
_LISTINGS = ("inspect.getmembers", "inspect.getattr_static", "inspect.getmembers_static")
_HANDED = words("os subprocess shutil builtins ctypes socket pty sys importlib pickle")
_HARMLESS_TO_MODULES = words(
    "dir help print type isinstance repr id importlib.reload inspect.getsource vars hasattr getattr"
)
_NAMESPACES = ("globals()", "locals()", "vars()", "sys.modules", "builtins", "get_ipython().user_ns")
_SAFE_LOADERS = ("SafeLoader", "CSafeLoader", "FullLoader", "BaseLoader")


def references(change: Change, before: Names, after: Names) -> Iterator[Finding]:
    """Dangerous functions, called or only named, that the old cell has less often; or that get something else now."""
    seen = Counter(_found(change.old, before))
    for name in _found(change.new, after):
        seen[name] -= 1
        if seen[name] < 0:
            yield from _finding(name)
    yield from _other_arguments(change, before, after)


def unreadable(change: Change, before: Names, after: Names) -> Iterator[Finding]:
    """Look-ups by a name that is computed: what comes of them can't be read in the fix."""
    seen = Counter(found for node in change.old.nodes() if (found := _computed(node, before)))
    for node in change.new.nodes():
        found = _computed(node, after)
        if found:
            seen[found] -= 1
            if seen[found] < 0:
                yield Finding(
                    "unreadable", f"looks up something that is only known at run time: `{found[:_SHOWN]}`", "danger"
                )


def calls_dangerous(node: ast.AST, names: Names) -> Danger | None:
    """The first danger in a function that the user has defined."""
    for part in ast.walk(node):
        if isinstance(part, _NAMING):
            for name in _dangerous(part, names):
                return danger_of(name)
    return None


def _found(cell: ParsedCell, names: Names) -> Iterator[str]:
    tamed = _tamed(cell, names)
    owners = {id(node.value) for node in cell.nodes() if isinstance(node, ast.Attribute)}
    for node in cell.nodes():
        if isinstance(node, _NAMING) and id(node) not in tamed:
            for name in _dangerous(node, names):
                if id(node) not in owners or name in FUNCTIONS:  # a column may be called `system`
                    yield name


def _dangerous(node: ast.expr, names: Names) -> list[str]:
    """The dangerous functions that an expression stands for. Of a call: what it looks up, not what it gives."""
    if isinstance(node, ast.Call):
        found = [name for name in names.meanings(node) if not name.endswith("()")]
        if _by_text(node, names):
            found.append(_by_text(node, names))
    else:
        found = [name for name in names.meanings(node) if not _stored(node)]
    return [name for name in found if danger_of(name) is not None]


def _stored(node: ast.expr) -> bool:
    return not isinstance(getattr(node, "ctx", None), ast.Load)


def _by_text(node: ast.Call, names: Names) -> str:
    """`attrgetter("system")`: the method that it will get of whatever it is given."""
    if names.full(node.func) in _GETTERS and node.args:
        text = names.text(node.args[0])
        if text is not None:
            member = text.rpartition(".")[2]
            for owner in ("os", "subprocess", "builtins", UNKNOWN):
                name = member if owner == "builtins" else f"{owner}.{member}"
                if danger_of(name) is not None:
                    return name
    return ""


def _tamed(cell: ParsedCell, names: Names) -> set[int]:
    """Where functions are called in a way that is harmless, or a value is compared with their class.

    As in `yaml.load(file, Loader=SafeLoader)` and `isinstance(value, types.FunctionType)`.
    """
    calls = [node for node in cell.nodes() if isinstance(node, ast.Call)]
    compared = [each for call in calls if names.full(call.func) in _COMPARES for each in call.args[1:]]
    classes = {id(each) for node in compared for each in (node, *getattr(node, "elts", ()))}
    return classes | {id(call.func) for call in calls if _is_tame(call, names)}


def _is_tame(call: ast.Call, names: Names) -> bool:
    function = names.full(call.func)
    if function.startswith("get_ipython()."):
        magic = called_magic(function.removeprefix("get_ipython()."), [names.text(argument) for argument in call.args])
        return magic is not None and magic_danger(magic) is None and not runs_python(magic)
    if function in ("yaml.load", "yaml.load_all"):
        loaders = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
        return any(names.full(loader).rpartition(".")[2] in _SAFE_LOADERS for loader in loaders)
    if function == "torch.load":
        return any(keyword.arg == "weights_only" and _is_true(keyword.value) for keyword in call.keywords)
    return False


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _finding(name: str) -> Iterator[Finding]:
    danger = danger_of(name)
    if danger is not None:
        yield Finding(danger.code, f"{danger.words}: `{name.removeprefix('?.')}`", "danger")


def _other_arguments(change: Change, before: Names, after: Names) -> Iterator[Finding]:
    """Calls that were there, but do it to something else now."""
    old: dict[str, list[str]] = {}
    for call in change.old.nodes():
        if isinstance(call, ast.Call):
            for name in before.meanings(call.func):
                old.setdefault(name, []).append(_arguments(call, before))
    tamed = _tamed(change.new, after)
    for call in change.new.nodes():
        if not isinstance(call, ast.Call) or id(call.func) in tamed:
            continue
        for name in after.meanings(call.func):
            if danger_of(name) is not None and name in old:
                arguments = _arguments(call, after)
                if not any(is_respelt(each, arguments) for each in old[name]):
                    yield from _finding(name)


def _arguments(call: ast.Call, names: Names) -> str:
    """What a call is given, with the texts in place of the names that spell them."""
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    return ", ".join(repr(text) if (text := names.text(part)) is not None else ast.unparse(part) for part in parts)


def _computed(node: ast.AST, names: Names) -> str:
    """The look-up of a member of a module, or of a name, by what can't be told; empty for anything else."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        owners = names.meanings(node.value)
        strange = any(owner in ("sys.modules", "builtins") or _is_namespace(owner) for owner in owners)
        return ast.unparse(node) if strange and names.text(node.slice) is None else ""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Return, ast.Yield)):
        return _handed_on(node, list(ast.iter_child_nodes(node)), names)
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Subscript) and names.full(node.func.value) in _NAMESPACES:
        return ast.unparse(node) if names.text(node.func.slice) is None else ""
    function = names.full(node.func)
    if function in _IMPORTERS:
        name = node.args[0] if node.args else None
    elif function in _LOOKUPS and len(node.args) >= 2 and names.is_module(node.args[0]):
        name = node.args[1]
    elif function.endswith(".__getattribute__") and node.args and isinstance(node.func, ast.Attribute):
        name = node.args[0] if names.is_module(node.func.value) else None
    elif function in _GETTERS:
        name = node.args[0] if node.args else None
    elif function in _LISTINGS and node.args and names.is_module(node.args[0]):
        return ast.unparse(node)
    elif function in _HARMLESS_TO_MODULES:
        return ""
    else:
        return _handed_on(node, [*node.args, *(keyword.value for keyword in node.keywords)], names)
    return ast.unparse(node) if name is not None and names.text(name) is None else ""


def _handed_on(node: ast.AST, given: list[ast.AST], names: Names) -> str:
    """A whole module that is given to something: whoever gets it may do all that it can."""
    handed = any(
        isinstance(each, (ast.Name, ast.Attribute)) and not _HANDED.isdisjoint(names.meanings(each)) for each in given
    )
    return ast.unparse(node) if handed else ""


def _is_namespace(owner: str) -> bool:
    """Whether it is a module's `__dict__`, and not an object's."""
    return owner.endswith(".__dict__") and owner[:1].islower() and not owner.startswith(("self.", "cls."))
