"""Files and folders that are somewhere else, or called otherwise; folders that must be made first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from reflex_ipython.base.spans import Edit
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.access.edits import above, candidate, text_of, told_value, variable
from reflex_ipython.propose.rules.access.nearness import near
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.placement import import_edit
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes

_SEPARATORS = re.compile(r"[\\/]+")
_WRITES = re.compile(r"to_\w+|save\w*|dump|write\w*|mkdir|imsave|imwrite")
_RULE = "closest path"


def closest_path(failure: Failure) -> Iterator[Proposal]:
    """`pd.read_csv("data/sale.csv")`: `"data/sales.csv"`, or wherever it is."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "path" or cell is None:
        return
    nodes = failing_nodes(failure, cell)
    if failure.error.ename == "IsADirectoryError":
        inside = [path for path in lookup.available if _is_in(path, lookup.wanted) and not path.endswith("/")]
        for path in inside[:4]:
            why = f"{lookup.wanted!r} is a folder; {path!r} is in it."
            yield from _put(failure, cell, nodes, lookup, path, why, 0.8 if len(inside) == 1 else 0.8 / len(inside))
        return
    # What exists is never written over: only the folder may be another one.
    meant = _other_folder(lookup) if any(map(_writes, nodes)) else _meant(lookup)
    for path, prior in meant:
        why = f"There is no {lookup.wanted!r}, but {path!r} is there."
        yield from _put(failure, cell, nodes, lookup, path, why, prior)


def home_folder(failure: Failure) -> Iterator[Proposal]:
    """`open("~/notes.txt")`: `open(os.path.expanduser("~/notes.txt"))`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "path" or cell is None or not lookup.wanted.startswith("~"):
        return
    nodes = failing_nodes(failure, cell)
    texts: list[ast.expr] = [*_literals(nodes, lookup.wanted)]
    names = [node for node in nodes if isinstance(node, ast.Name) and _told_path(failure, node.id) == lookup.wanted]
    edits = [Edit(*cell.span(node), f"os.path.expanduser({cell.text(node)})") for node in texts or names]
    if edits and "os" not in {*failure.situation.names, *cell.bound}:
        edits.append(import_edit(cell, ["import os"]))
    why = "`~` stands for your home folder in a shell alone; `os.path.expanduser` puts the folder in its place."
    yield from candidate(cell, edits, why, "home folder", 0.92)


def folder_to_make(failure: Failure) -> Iterator[Proposal]:
    """`df.to_csv("out/x.csv")` without a folder `out`: `os.makedirs("out", exist_ok=True)` in front of it."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "path" or cell is None:
        return
    nodes = failing_nodes(failure, cell)
    folder = lookup.wanted if "non-existent directory" in failure.error.evalue else lookup.owner
    if folder in ("", ".") or f"{folder}/" in lookup.available or not any(map(_writes, nodes)):
        return
    edits = list(above(cell, failure, f"os.makedirs({folder!r}, exist_ok=True)"))
    if edits and "os" not in {*failure.situation.names, *cell.bound}:
        edits.append(import_edit(cell, ["import os"]))
    if len({edit.start for edit in edits}) < len(edits):
        edits = [Edit(edits[0].start, edits[0].end, edits[1].text + edits[0].text)]
    why = f"There is no folder {folder!r} to write into; `os.makedirs` makes it."
    yield from candidate(cell, edits, why, "folder that must be there", 0.88)


def names_in_a_folder(failure: Failure) -> Iterator[Proposal]:
    """`for name in os.listdir("data"): open(name)`: `open(os.path.join("data", name))`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "path" or cell is None:
        return
    loops: list[ast.For | ast.comprehension] = [*cell.every(ast.For), *cell.every(ast.comprehension)]
    for loop in loops:
        if not isinstance(loop.target, ast.Name):
            continue
        listed = [
            node for node in ast.walk(loop.iter) if isinstance(node, ast.Call) and _is_listing(node) and node.args
        ]
        for call in listed:
            reads = [
                node
                for node in failing_nodes(failure, cell)
                if isinstance(node, ast.Call) and not _is_listing(node) and node.args
                if isinstance(node.args[0], ast.Name) and node.args[0].id == loop.target.id
            ]
            folder = cell.text(call.args[0])
            edits = [Edit(*cell.span(node.args[0]), f"os.path.join({folder}, {loop.target.id})") for node in reads[:1]]
            if edits and "os" not in {*failure.situation.names, *cell.bound}:
                edits.append(import_edit(cell, ["import os"]))
            why = f"`listdir` gives names without their folder; {lookup.wanted!r} is in {folder}."
            yield from candidate(cell, edits, why, "names in a folder", 0.92)


def _is_listing(call: ast.Call) -> bool:
    return ast.unparse(call.func).rpartition(".")[2] == "listdir"


def _meant(lookup: Lookup) -> Iterator[tuple[str, float]]:
    """The paths that may be meant: the same name elsewhere, another spelling, a near name in the same folder."""
    wanted = _SEPARATORS.sub("/", lookup.wanted.encode("unicode_escape").decode()).removeprefix("./")
    folder = wanted.endswith("/")
    known = {path.rstrip("/"): path for path in lookup.available if not folder or path.endswith("/")}
    wanted = wanted.rstrip("/")
    if wanted != lookup.wanted and wanted in known:
        yield wanted, 0.93
        return
    same = {path.lower(): path for path in known}.get(wanted.lower())
    if same:
        yield same, 0.92
        return
    parent, _, name = wanted.rpartition("/")
    namesakes = [path for path in known if path.rpartition("/")[2].lower() == name.lower()]
    for path in namesakes[:4]:
        yield path, 0.88 if len(namesakes) == 1 else 0.9 / len(namesakes)
    if namesakes:
        return
    stem = name.rpartition(".")[0] or name
    siblings = {path.rpartition("/")[2]: path for path in known if path.rpartition("/")[0] == parent}
    anywhere = {path.rpartition("/")[2]: path for path in known}
    for names, factor in ((siblings, 1.0), (anywhere, 0.85)):
        stems = {one for one in names if (one.rpartition(".")[0] or one).lower() == stem.lower() and one != name}
        for one in sorted(stems)[:3]:
            yield names[one], factor * (0.8 if len(stems) == 1 else 0.45)
        found = [] if stems else near(name, names)
        for close in found:
            yield names[close.word], factor * close.prior
        if stems or found:
            return
    for close in near(wanted, known):
        yield close.word, close.prior


def _other_folder(lookup: Lookup) -> Iterator[tuple[str, float]]:
    """The same name in a folder that is there and is called nearly so."""
    folder, _, name = _SEPARATORS.sub("/", lookup.wanted).rpartition("/")
    folders = [path.rstrip("/") for path in lookup.available if path.endswith("/")]
    there = lookup.available
    for close in near(folder, folders) if folder and f"{folder}/" not in there else ():
        if f"{close.word}/{name}" not in there:
            yield f"{close.word}/{name}", close.prior * 0.9


def _put(
    failure: Failure, cell: Cell, nodes: list[ast.AST], lookup: Lookup, path: str, why: str, prior: float
) -> Iterator[Proposal]:
    """The path instead of the wrong one: in the statement, where the cell says it, or in front of the statement."""
    texts = _literals(nodes, lookup.wanted) or _literals(cell.nodes(), lookup.wanted)
    if texts:
        edits = [Edit(*cell.span(node), _quoted(cell, node, path)) for node in texts]
        readers = list(_reader(nodes, path))
        edits += [Edit(*cell.span(node), new) for node, new in readers]
        yield from candidate(cell, edits, why, _RULE, prior)
        return
    for node in nodes:
        if isinstance(node, ast.Name) and _told_path(failure, node.id) == lookup.wanted:
            made = _assigned(failure, node.id, path)
            yield from candidate(cell, above(cell, failure, made), why, _RULE, prior * 0.95)
            return
    parts = _changed_part(lookup.wanted, path)
    if parts is None:
        return
    old, new = parts
    edits = [
        Edit(*cell.span(node), _quoted(cell, node, _SEPARATORS.sub("/", node.value).replace(old, new)))
        for node in [*nodes, *cell.every(ast.Constant)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and old in _SEPARATORS.split(node.value)
        if cell.text(node)[-1:] in "'\""
    ]
    yield from candidate(cell, edits, why, _RULE, prior)
    for name in sorted({node.id for node in nodes if isinstance(node, ast.Name)}) if not edits else ():
        held = _told_path(failure, name)
        if old in _SEPARATORS.split(held):
            made = _assigned(failure, name, held.replace(old, new))
            yield from candidate(cell, above(cell, failure, made), why, _RULE, prior)


def _reader(nodes: list[ast.AST], path: str) -> Iterator[tuple[ast.expr, str]]:
    """The function that reads a file of this kind: `read_excel` for `.xlsx`."""
    readers = {
        "xlsx": "read_excel",
        "xls": "read_excel",
        "csv": "read_csv",
        "json": "read_json",
        "parquet": "read_parquet",
    }
    reader = readers.get(path.rpartition(".")[2].lower())
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in readers.values() and reader and node.attr != reader:
            yield node, f"{ast.unparse(node.value)}.{reader}"


def _changed_part(wanted: str, path: str) -> tuple[str, str] | None:
    """The one part in which two paths of the same length differ."""
    old, new = _SEPARATORS.split(wanted), path.rstrip("/").split("/")
    if len(old) != len(new):
        return None
    differ = [(a, b) for a, b in zip(old, new) if a != b]
    return differ[0] if len(differ) == 1 else None


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(f"{_SEPARATORS.sub('/', folder).rstrip('/')}/")


def _literals(nodes: Iterable[ast.AST], wanted: str) -> list[ast.Constant]:
    return [node for node in nodes if isinstance(node, ast.Constant) and text_of(node) == wanted]


def _told_path(failure: Failure, name: str) -> str:
    known = variable(failure, name)
    if known is not None and known.type.startswith("pathlib."):
        return known.text
    held = told_value(known)
    return held if isinstance(held, str) else ""


def _assigned(failure: Failure, name: str, path: str) -> str:
    known = variable(failure, name)
    is_path = known is not None and "Path" in known.type
    return f"{name} = type({name})({path!r})" if is_path else f"{name} = {path!r}"


def _quoted(cell: Cell, node: ast.Constant, path: str) -> str:
    quote = cell.text(node)[-1:]
    return repr(path) if quote not in ("'", '"') or quote in path or "\\" in path else f"{quote}{path}{quote}"


def _writes(node: ast.AST) -> bool:
    """Whether a call writes a file: `open(…, "w")`, `to_csv`, `savefig`."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func).rpartition(".")[2]
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    modes = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return _WRITES.fullmatch(name) is not None or (name == "open" and any(mode[:1] in "wax" for mode in modes if mode))
