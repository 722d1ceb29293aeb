"""The user's own modules: those in a folder that Python does not look in, and those that have changed since."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.distributions import known_distribution
from reflex_ipython.base.spans import SpanEdit, apply, first_line
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.misspelt_attribute import attribute_edits
from reflex_ipython.propose.rules.misspelt_import import imported_name_edits, module_edits
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_line, failing_nodes, statement_at

_FEW = 40
"""Names of a module of one's own; a library has more."""
_WORDS = re.compile(r"[a-z]{3,}|[A-Z][a-z]{2,}")


def changed_module(failure: Failure) -> Iterator[Proposal]:
    """`shapes.perimeter(2, 3)` after the file has got it: `importlib.reload(shapes)` first."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("attribute", "import") or cell is None:
        return
    file = next((name for name, kind in lookup.holders.items() if kind == "file"), None)
    statement = next((one for one in _top(cell) if _covers(one, failing_line(failure) or 0)), None)
    if file is None or statement is None or not lookup.owner.replace(".", "").isidentifier():
        return
    line = first_line(statement)
    start = cell.starts[line - 1]
    indent = re.match(r"[ \t]*", cell.line(line))
    lines = ["import importlib"]
    if lookup.kind == "import":
        lines.append(f"import {lookup.owner}")
    lines.append(f"importlib.reload({lookup.owner})")
    text = "".join(f"{indent.group() if indent else ''}{one}{cell.newline}" for one in lines)
    source = apply(cell.source, [SpanEdit(start, start, text)])
    if read(source).tree is not None:
        why = f"{file} has `{lookup.wanted}`, but was changed after it was imported; `reload` reads it anew."
        yield Proposal(source, why, "module to load again")


def _top(cell: Cell) -> list[ast.stmt]:
    return cell.tree.body if cell.tree is not None else []


def _covers(statement: ast.stmt, lineno: int) -> bool:
    return first_line(statement) <= lineno <= (statement.end_lineno or statement.lineno)


def module_elsewhere(failure: Failure) -> Iterator[Proposal]:
    """`import cleaning`, which is in `src/`: `from src import cleaning`; in `../`: the folder is looked in as well."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "module" or cell is None:
        return
    wanted = lookup.wanted
    paths = [path for path, kind in lookup.holders.items() if kind == "file"]
    for place, path in enumerate(paths):
        folder = path.rstrip("/").rpartition("/")[0]
        prior = (0.85 if len(paths) == 1 else 0.6) / (1 + place)
        package = folder.replace("/", ".")
        edits = _of_package(failure, cell, wanted, package) if all(map(str.isidentifier, package.split("."))) else []
        if edits:
            why = f"`{wanted}` is in the folder `{folder}`: {path}."
            yield Proposal(apply(cell.source, edits), why, "module of a folder", prior)
        if folder:
            lines = [f"sys.path.append({folder!r})".replace("'", '"')]
            if "sys" not in {*failure.situation.names, *cell.bound} or failure.situation.meanings.get("sys") != "sys":
                lines.insert(0, "import sys")
            why = f"{path} is there; Python finds it when `{folder}` is among the folders that it looks in."
            source = apply(cell.source, [_above(failure, cell, lines)])
            yield Proposal(source, why, "folder to look in", prior * (0.45 if edits else 1))


def module_with_a_name_like_it(failure: Failure) -> Iterator[Proposal]:
    """`import mlhelpers` beside a file `mlhelp.py`: `import mlhelp`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "module" or cell is None:
        return
    if lookup.requirement or known_distribution(lookup.wanted):  # then that is what is missing
        return
    wanted = lookup.wanted.partition(".")[0]
    meant = [name for name, kind in lookup.holders.items() if kind == "alike"]
    for name in meant:
        edits = module_edits(failure, cell, wanted, name)
        if edits:
            why = f"There is no module `{wanted}`; `{name}` is one of your own."
            yield Proposal(
                apply(cell.source, edits), why, "module with a name like it", 0.88 if len(meant) == 1 else 0.5
            )


def name_in_another_file(failure: Failure) -> Iterator[Proposal]:
    """`from metrics import rmse`, which is in `scores.py`: `from scores import rmse`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind not in ("import", "module") or cell is None:
        return
    no_module = lookup.kind == "module"
    paths = [path for path, kind in lookup.holders.items() if kind == "defines"]
    for path in paths:
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if not all(map(str.isidentifier, module.split("."))):
            continue
        for node in failing_nodes(failure, cell):
            if not isinstance(node, ast.ImportFrom) or len(node.names) != 1 or node.level:
                continue
            name, asked = node.names[0].name, node.module or ""
            if (asked.partition(".")[0] if no_module else name) == lookup.wanted:
                start, end = cell.span(node)
                line = re.sub(r"^from\s+[\w.]+", f"from {module}", cell.source[start:end])
                why = f"`{lookup.owner}` has no `{name}`; {path} has it."
                if no_module:
                    why = f"There is no module `{asked}`; `{name}` is in {path}."
                source = apply(cell.source, [SpanEdit(start, end, line)])
                alone = len(paths) == 1 and (not no_module or module.rpartition(".")[2] == asked.rpartition(".")[2])
                yield Proposal(source, why, "name of another file", 0.9 if alone else 0.5)


def longer_name(failure: Failure) -> Iterator[Proposal]:
    """`from sklearn.metrics import r2`: `r2_score`, the only name that goes on from there."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or cell is None or lookup.kind != "import" or len(lookup.wanted) < 2:
        return
    longer = [one for one in lookup.available if one.startswith(f"{lookup.wanted}_")]
    edits = imported_name_edits(failure, cell, lookup.wanted, longer[0]) if len(longer) == 1 else []
    if edits:
        why = f"`{lookup.owner}` has no `{lookup.wanted}`; what begins so is `{longer[0]}`."
        yield Proposal(apply(cell.source, edits), why, "longer name", 0.9)


def name_of_own_module(failure: Failure) -> Iterator[Proposal]:
    """`from helpers import load_data`, where the only thing that loads is `load_rows`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or cell is None or not 0 < len(lookup.available) <= _FEW:
        return
    if lookup.kind != "import" and (lookup.kind, lookup.owner_type) != ("attribute", "module"):
        return
    words = _WORDS.findall(lookup.wanted)
    alike = [one for one in lookup.available if _WORDS.findall(one)[:1] == words[:1] and len(_WORDS.findall(one)) > 1]
    if len(words) < 2 or len(alike) != 1:
        return
    edits = (
        imported_name_edits(failure, cell, lookup.wanted, alike[0])
        if lookup.kind == "import"
        else attribute_edits(failure, cell, alike[0])
    )
    if edits:
        why = f"`{lookup.owner}` has no `{lookup.wanted}`; what it has that begins so is `{alike[0]}`."
        yield Proposal(apply(cell.source, edits), why, "name of the module", 0.4)


def _of_package(failure: Failure, cell: Cell, wanted: str, package: str) -> list[SpanEdit]:
    """The edits that import a module from its package."""
    for node in failing_nodes(failure, cell):
        if isinstance(node, ast.Import) and len(node.names) == 1 and node.names[0].name == wanted:
            alias = f" as {node.names[0].asname}" if node.names[0].asname else ""
            return [SpanEdit(*cell.span(node), f"from {package} import {wanted}{alias}")]
    return module_edits(failure, cell, wanted, f"{package}.{wanted}")


def _above(failure: Failure, cell: Cell, lines: list[str]) -> SpanEdit:
    """The lines above the import that failed; above all, where that is unknown."""
    statement = statement_at(cell, failing_line(failure))
    if statement is None:
        return import_edit(cell, lines)
    line = first_line(statement)
    indent = re.match(r"[ \t]*", cell.line(line))
    text = "".join(f"{indent.group() if indent else ''}{one}{cell.newline}" for one in lines)
    return SpanEdit(cell.starts[line - 1], cell.starts[line - 1], text)


RULES = (
    changed_module,
    module_elsewhere,
    module_with_a_name_like_it,
    name_in_another_file,
    longer_name,
    name_of_own_module,
)
