"""What has to be imported: a member of a module, a module inside of a package, a module that a value hides."""

from __future__ import annotations

import ast
import builtins
import importlib.util
import re
import sys
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.lookups.forms import text_of, where
from reflex_ipython.propose.rules.lookups.homes import HOMES, USUAL
from reflex_ipython.propose.rules.lookups.missing import Missing, accesses, missing_attribute, missing_name
from reflex_ipython.propose.rules.missing_import import is_installed
from reflex_ipython.propose.rules.misspelt_name import replacements
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell
from reflex_ipython.propose.rules.well_known import well_known

_MODULE = re.compile(r"module '([\w.]+)' has no attribute")
_MOST = 6


def member_of_a_module(failure: Failure) -> Iterator[Proposal]:
    """`sqrt(2)`: `math.sqrt(2)` where `math` is there, else `from math import sqrt`; every home it may have."""
    missing = missing_name(failure)
    if missing is None or missing.is_unassigned or missing.wanted in missing.cell.bound:
        return
    wanted, seen = missing.wanted, set[str]()
    meanings = failure.situation.meanings
    live = [name for name, kind in missing.lookup.holders.items() if kind == "member" and name in meanings]
    homes = HOMES.get(wanted, ())
    used = _use(missing)
    known = {wanted, *missing.cell.bound, *missing.lookup.available, *failure.situation.names}
    others = [name for name in dict.fromkeys(n.id for n in missing.cell.every(ast.Name)) if name not in known]
    others = [name for name in others if name in HOMES]
    live.sort(key=lambda name: homes.index(meanings[name]) if meanings[name] in homes else len(homes))
    for name in live[:_MOST]:
        seen.add(meanings[name])
        why = f"`{wanted}` is not defined; `{name}.{wanted}` is."
        yield from missing.changed(missing.renamed(f"{name}.{wanted}"), why, "member of a module", 0.85 * used)
        more = [edit for other in others for edit in replacements(missing.cell, other, f"{name}.{other}") or ()]
        edits = [*missing.renamed(f"{name}.{wanted}"), *more]
        yield from missing.changed(edits if more else (), why, "members of a module", 0.85 * used)
    # Where the user works with a module that has it, another home is meant less likely.
    prior = (0.3 if live else 0.8) * used
    if "os.path" in homes and missing.names_of("os"):
        text = f"{missing.names_of('os')[0]}.path.{wanted}"
        why = f"`{wanted}` is not defined; `{text}` is."
        yield from missing.changed(missing.renamed(text), why, "member of a module", 0.85 * used)
    for home in homes:
        if home in seen or not is_installed(home.partition(".")[0]):
            continue
        alias = USUAL.get(home)
        if alias:
            edits, new = missing.renamed(f"{alias}.{wanted}"), f"{alias}.{wanted}"
            imports = [f"import {home} as {alias}"]
        else:
            edits, imports, new = [], [f"from {home} import {wanted}"], wanted
        why = f"`{new}` was not imported; it is in `{home}`."
        yield from missing.changed(edits, why, "missing import", prior, imports)
        theirs = [other for other in others if home in HOMES[other]]
        if theirs and alias:
            edits += [edit for other in theirs for edit in replacements(missing.cell, other, f"{alias}.{other}") or ()]
        elif theirs:
            imports = [f"from {home} import {', '.join([wanted, *theirs])}"]
        if theirs:
            why = f"`{wanted}` was not imported, nor {', '.join(f'`{one}`' for one in theirs)}: they are in `{home}`."
            yield from missing.changed(edits, why, "missing imports", prior, imports)
        prior *= 0.45


# Members that are no functions: used without being called.
_VALUES = frozenset(
    {
        *("pi", "e", "tau", "inf", "nan", "ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "newaxis"),
        *("punctuation", "argv", "environ", "maxsize", "NaT", "path", "stats", "optimize", "linalg", "random"),
    }
)
_TAKE_FUNCTIONS = frozenset({"map", "filter", "reduce", "apply", "applymap", "agg", "transform", "sorted", "partial"})


def _use(missing: Missing) -> float:
    """1 if the name is used as what a module has is: called, asked, a constant; less if it may as well be a value."""
    cell, functions = missing.cell, {call.func for call in missing.calls()}
    for node in missing.reads():
        parent = cell.parent(node)
        if node in functions or isinstance(parent, ast.Attribute) or node in getattr(parent, "decorator_list", ()):
            continue
        if missing.wanted in _VALUES and (len(missing.wanted) > 1 or isinstance(parent, ast.BinOp)):
            continue
        called = ast.unparse(parent.func).rpartition(".")[2] if isinstance(parent, ast.Call) else ""
        if called in _TAKE_FUNCTIONS or isinstance(parent, ast.ExceptHandler) or missing.wanted[:1].isupper():
            continue
        return 0.35
    return 1.0


def module_of_a_package(failure: Failure) -> Iterator[Proposal]:
    """`scipy.stats.norm` after `import scipy`: `import scipy.stats`."""
    missing = missing_attribute(failure)
    found = _MODULE.match(failure.error.evalue)
    nodes = accesses(missing) if missing is not None and found is not None else []
    if missing is None or found is None or not nodes:
        return
    package = found[1]
    paths = _paths(missing, nodes[0], package)
    if not _is_there(package, missing.wanted):
        return
    for position, path in enumerate(paths):
        why = f"`{path}` is a module inside of `{package}`, which has to be imported by itself."
        yield from missing.changed((), why, "missing import", 0.95 - 0.2 * position, [f"import {path}"])


def hidden_module(failure: Failure) -> Iterator[Proposal]:
    """`time.time()` after `from time import time`; `time.sleep(1)` after `time = time.time()`."""
    missing = missing_attribute(failure)
    nodes = accesses(missing) if missing is not None else []
    owner = nodes[0].value if nodes else None
    if missing is None or not isinstance(owner, ast.Name):
        return
    name, full = owner.id, failure.situation.meanings.get(owner.id, "")
    if full == f"{name}.{missing.wanted}":
        places = [place for node in nodes if (place := where(missing.cell, node))]
        edits = [SpanEdit(start, end, name) for start, end, _ in places]
        why = f"`{name}` is the function `{full}` itself here, not the module."
        yield from missing.changed(edits, why, "the function itself", 0.85)
    elif name in sys.stdlib_module_names and missing.lookup.owner_type != "module":
        yield from _module_again(missing, name, nodes)


def _module_again(missing: Missing, name: str, nodes: list[ast.Attribute]) -> Iterator[Proposal]:
    """The module under another name, so that the user's own value keeps the one that it has."""
    own = missing.lookup.owner_type.rpartition(".")[2]
    why = f"`{name}` is no longer the module but a value, of the type `{own}`"
    stores = [node for node in missing.cell.every(ast.Name) if node.id == name and isinstance(node.ctx, ast.Store)]
    if len(stores) == 1 and (line := stores[0].lineno) < nodes[0].lineno:
        later = {access.value for access in nodes} if stores else set()
        reads = [node for node in missing.cell.every(ast.Name) if node.id == name and node.lineno > line]
        values = [node for node in reads if node not in later and not _is_owner(missing, node)]
        edits = [SpanEdit(*missing.cell.span(node), f"{name}_value") for node in [*stores, *values]]
        yield from missing.changed(edits, f"{why}: it was given that on line {line}.", "hidden module", 0.8)
        return
    edits = [
        SpanEdit(start, end, f"{name}_module") for node in nodes for start, end, _ in [_place(missing, node.value)]
    ]
    imports = [f"import {name} as {name}_module"]
    yield from missing.changed(edits, f"{why}; this asks the module.", "hidden module", 0.8, imports)


def _is_owner(missing: Missing, node: ast.Name) -> bool:
    return isinstance(missing.cell.parent(node), ast.Attribute)


def _place(missing: Missing, node: ast.expr) -> tuple[int, int, bool]:
    return where(missing.cell, node) or (*missing.cell.span(node), False)


def _paths(missing: Missing, node: ast.Attribute, package: str) -> list[str]:
    """The modules that may be meant, the deepest first: of `xml.etree.ElementTree.parse`, three."""
    outer: ast.AST | None = node
    names = [missing.wanted]
    while isinstance(outer := missing.cell.parent(outer) if outer is not None else None, ast.Attribute):
        names.append(outer.attr)
    paths = [".".join([package, *names[:count]]) for count in range(1, len(names) + 1)]
    text = text_of(missing.cell, node)
    return [] if not text.endswith(missing.wanted) else paths[2::-1]


def _is_there(package: str, name: str) -> bool:
    """Whether a package that is imported has a module of that name. It is looked for, not imported."""
    if package not in sys.modules:
        return False
    try:
        return importlib.util.find_spec(f"{package}.{name}") is not None
    except (ImportError, ValueError, AttributeError):
        return False


def member_of_another_module(failure: Failure) -> Iterator[Proposal]:
    """`np.read_csv(...)`: `pd.read_csv(...)`; `os.join(...)`: `os.path.join(...)`."""
    missing = missing_attribute(failure)
    found = _MODULE.match(failure.error.evalue)
    nodes = accesses(missing) if missing is not None and found is not None else []
    places = [place for node in nodes if missing is not None and (place := where(missing.cell, node))]
    if missing is None or found is None or not places:
        return
    wanted, owner = missing.wanted, text_of(missing.cell, nodes[0].value)
    if hasattr(builtins, wanted) and not missing.there(wanted):
        why = f"`{owner}` has no `{wanted}`; it is one of Python's own functions."
        edits = [SpanEdit(start, end, wanted) for start, end, _ in places]
        yield from missing.changed(edits, why, "builtin", 0.85)
    homes = [home for home in HOMES.get(wanted, ()) if home != found[1]]
    homes.sort(key=lambda home: (not home.startswith(f"{found[1]}."), not missing.names_of(home)))
    for position, home in enumerate(homes[:3]):
        if not is_installed(home.partition(".")[0]):
            continue
        names, imports = missing.names_of(home), list[str]()
        if home.startswith(f"{found[1]}.") or (home == "os.path" and found[1] == "os"):
            new = f"{owner}{home[len(found[1]) :]}.{wanted}"
        else:
            alias = names[0] if names else USUAL.get(home, home)
            imports = [] if names else [f"import {home} as {alias}" if alias != home else f"import {home}"]
            new = f"{alias}.{wanted}"
        why = f"`{owner}` has no `{wanted}`; it is in `{home}`."
        edits = [SpanEdit(start, end, new) for start, end, _ in places]
        yield from missing.changed(edits, why, "member of another module", 0.85 * 0.5**position, imports)


def name_of_another_module(failure: Failure) -> Iterator[Proposal]:
    """`from math import randint`: `from random import randint`."""
    cell, lookup = failing_cell(failure), failure.lookup
    if lookup is None or lookup.kind not in ("import", "module") or cell is None:
        return
    for node in cell.every(ast.ImportFrom):
        for alias in node.names:
            if lookup.kind == "import" and (alias.name != lookup.wanted or node.module != lookup.owner):
                continue
            if lookup.kind == "module" and node.module != lookup.wanted:
                continue
            yield from _from_elsewhere(Missing(failure, lookup, cell), node, alias)


def _from_elsewhere(missing: Missing, node: ast.ImportFrom, alias: ast.alias) -> Iterator[Proposal]:
    cell = missing.cell
    known = (one.statement.split()[1] for one in well_known(alias.name) if one.statement.startswith("from "))
    homes = [home for home in dict.fromkeys([*known, *HOMES.get(alias.name, ())]) if home != node.module]
    others = [one for one in node.names if one is not alias]
    start, end = cell.span(node)
    indent = cell.line(node.lineno)[: node.col_offset]
    for position, home in enumerate(homes[:3]):
        if not is_installed(home.partition(".")[0]):
            continue
        text = f"from {home} import {_imported(alias)}"
        if others and missing.lookup.kind == "import":
            rest = f"from {node.module} import {', '.join(map(_imported, others))}"
            text = f"{rest}{cell.newline}{indent}{text}"
        elif others:
            text = f"from {home} import {', '.join(map(_imported, node.names))}"
        why = f"`{node.module}` has no `{alias.name}`; `{home}` has."
        yield from missing.changed([SpanEdit(start, end, text)], why, "name of another module", 0.85 * 0.5**position)


def _imported(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name
