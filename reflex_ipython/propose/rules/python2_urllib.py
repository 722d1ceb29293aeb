"""`urllib2`, and what Python 2's `urllib` had: Python 3 has it in three modules of one package."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_PARSE = """quote unquote quote_plus unquote_plus urlencode urlparse urljoin urlsplit urlunparse urlunsplit parse_qs
    parse_qsl"""
_REQUEST = """urlopen urlretrieve urlcleanup Request build_opener install_opener HTTPHandler HTTPSHandler ProxyHandler
    HTTPBasicAuthHandler HTTPPasswordMgrWithDefaultRealm HTTPCookieProcessor FancyURLopener URLopener getproxies
    pathname2url url2pathname"""
_ERROR = "HTTPError URLError ContentTooShortError"

HOMES = {
    name: f"urllib.{module}"
    for module, names in (("parse", _PARSE), ("request", _REQUEST), ("error", _ERROR))
    for name in names.split()
}
"""The module that each name is in now."""


def urllib2(failure: Failure) -> Iterator[Proposal]:
    """`import urllib2`: `import urllib.request`, and `urllib.request.urlopen` where that was asked for."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or (lookup.kind, lookup.wanted) != ("module", "urllib2") or cell is None:
        return
    aliases = [
        alias
        for node in failing_nodes(failure, cell)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "urllib2"
    ]
    if len(aliases) != 1:
        return
    [alias] = aliases
    used = _accesses(cell, alias.asname or "urllib2")
    if used is None:
        return
    modules = sorted({HOMES[node.attr] for node in used})
    if alias.asname or not used:  # `urllib.request` has all of these names, as it uses them itself
        text = f"urllib.request as {alias.asname or 'urllib2'}"
        edits = [SpanEdit(*cell.span(alias), text)]
    else:
        edits = [SpanEdit(*cell.span(alias), ", ".join(modules)), *_renamed(cell, used)]
    why = "Python 3 has no `urllib2`: what was in it is in `urllib.request`, `urllib.parse` and `urllib.error`."
    yield from _proposed(cell, edits, why)


def names_of_urllib(failure: Failure) -> Iterator[Proposal]:
    """`urllib.urlencode(d)`: `urllib.parse.urlencode(d)`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or (lookup.kind, lookup.owner_type) != ("attribute", "module") or cell is None:
        return
    wanted = lookup.wanted
    if "module 'urllib' has no attribute" not in failure.error.evalue or wanted not in (*HOMES, *_parts()):
        return
    owner = lookup.owner or "urllib"
    if wanted in _parts():  # `urllib.parse.quote(…)` after `import urllib`
        edits, modules = [], [f"urllib.{wanted}"]
    else:
        used = [node for node in cell.every(ast.Attribute) if ast.unparse(node.value) == owner and node.attr in HOMES]
        edits, modules = _renamed(cell, used), sorted({HOMES[node.attr] for node in used})
    if owner != "urllib" or not modules:
        return
    edits += _imported(cell, modules)
    why = (
        f"`urllib` is a package: `{wanted}` is in `{HOMES.get(wanted, f'urllib.{wanted}')}`, which has to be imported."
    )
    yield from _proposed(cell, edits, why)


def _parts() -> tuple[str, ...]:
    return ("parse", "request", "error")


def _accesses(cell: Cell, name: str) -> list[ast.Attribute] | None:
    """What is asked of the module; None if some of it has no known home, or the name is used otherwise."""
    asked = [node for node in cell.every(ast.Attribute) if isinstance(node.value, ast.Name) and node.value.id == name]
    reads = [node for node in cell.every(ast.Name) if node.id == name]
    return asked if len(asked) == len(reads) and all(node.attr in HOMES for node in asked) else None


def _renamed(cell: Cell, nodes: list[ast.Attribute]) -> list[SpanEdit]:
    return [SpanEdit(*cell.span(node.value), HOMES[node.attr]) for node in nodes]


def _imported(cell: Cell, modules: list[str]) -> list[SpanEdit]:
    """`import urllib` becomes the import of its parts; where the cell has none, the parts are imported as well."""
    for node in cell.every(ast.Import):
        for alias in node.names:
            if alias.name == "urllib" and not alias.asname:
                return [SpanEdit(*cell.span(alias), ", ".join(modules))]
    return [import_edit(cell, [f"import {module}" for module in modules])]


def _proposed(cell: Cell, edits: list[SpanEdit], why: str) -> Iterator[Proposal]:
    source = apply(cell.source, edits)
    if edits and read(source).tree is not None:
        yield Proposal(source, why, "moved module")


RULES = (urllib2, names_of_urllib)
