"""What has to be imported: a member of a module, a module inside of a package, a module that a value hides."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.lookups.forms import text_of, where
from reflex_ipython.propose.rules.lookups.homes import HOMES, USUAL
from reflex_ipython.propose.rules.lookups.missing import Missing, accesses, missing_attribute, missing_name
from reflex_ipython.propose.rules.missing_import import is_installed
from reflex_ipython.propose.rules.misspelt_name import replacements
from reflex_ipython.propose.rules.proposal import Proposal

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
    known = {wanted, *missing.cell.bound, *missing.lookup.available, *failure.situation.names}
    others = [name for name in dict.fromkeys(n.id for n in missing.cell.every(ast.Name)) if name not in known]
    others = [name for name in others if name in HOMES]
    live.sort(key=lambda name: homes.index(meanings[name]) if meanings[name] in homes else len(homes))
    for name in live[:_MOST]:
        seen.add(meanings[name])
        why = f"`{wanted}` is not defined; `{name}.{wanted}` is."
        yield from missing.changed(missing.renamed(f"{name}.{wanted}"), why, "member of a module", 0.85)
        more = [edit for other in others for edit in replacements(missing.cell, other, f"{name}.{other}") or ()]
        edits = [*missing.renamed(f"{name}.{wanted}"), *more]
        yield from missing.changed(edits if more else (), why, "members of a module", 0.85)
    # Where the user works with a module that has it, another home is meant less likely.
    prior = 0.3 if live else 0.8
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
        edits = [Edit(start, end, name) for start, end, _ in places]
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
        edits = [Edit(*missing.cell.span(node), f"{name}_value") for node in [*stores, *values]]
        yield from missing.changed(edits, f"{why}: it was given that on line {line}.", "hidden module", 0.8)
        return
    edits = [Edit(start, end, f"{name}_module") for node in nodes for start, end, _ in [_place(missing, node.value)]]
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
