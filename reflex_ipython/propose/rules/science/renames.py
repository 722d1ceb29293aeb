"""Functions, methods and names that the libraries renamed or removed, or that another kind of value has."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.misspelt_attribute import failing_accesses
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.science.removed import CALLS, Replacement
from reflex_ipython.propose.rules.science.removed_imports import IMPORTS
from reflex_ipython.propose.rules.science.scene import Scene
from reflex_ipython.propose.rules.statements import failing_cell

_MODULE = re.compile(r"module '([\w.]+)' has no attribute")
_CLASS = re.compile(r"type object '([\w.]+)' has no attribute")
_INSTEAD = re.compile(r"`np\.(\w+)` was removed in the NumPy 2\.0 release\. Use `(-?)(?:np|numpy)\.([\w.]+)` instead")
_MODULES = {"numpy": "np", "pandas": "pd", "matplotlib.pyplot": "plt"}
_AXES_PROPERTY = frozenset(
    [
        "title",
        "xlabel",
        "ylabel",
        "zlabel",
        "xlim",
        "ylim",
        "zlim",
        "xticks",
        "yticks",
        "xscale",
        "yscale",
        "xticklabels",
        "yticklabels",
        "aspect",
        "facecolor",
        "zticks",
    ]
)


def replaced_attribute(failure: Failure) -> Iterator[Proposal]:
    """`df.mad()`, `pd.rolling_mean(s, 3)`, `column.lower()`: what does that in the version that is there."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.kind != "attribute" or cell is None:
        return
    scene = Scene(failure, cell)
    for kind in owner_kinds(scene, lookup):
        for replacement in map(Replacement._make, CALLS.get(kind, {}).get(lookup.wanted, ())):
            accesses = failing_accesses(failure, cell)
            if ".str." in replacement.text and any(_asked_further(scene, one) for one in accesses):
                continue  # then each text of the result is asked; the rule about other languages' forms knows that
            edits = list(_edits(scene, replacement, accesses))
            if edits:
                why = f"{_name(kind)} has no `{lookup.wanted}` in the version that is installed; this does the same."
                yield scene.proposal(edits, why, "replaced name", replacement.prior)


def _asked_further(scene: Scene, access: ast.Attribute) -> bool:
    """Whether something is asked of what a method gives: `column.split("-")[0]`."""
    call = scene.cell.parent(access)
    outer = scene.cell.parent(call) if isinstance(call, ast.Call) and call.func is access else None
    return isinstance(outer, (ast.Subscript, ast.Attribute)) and outer.value is call


def _name(kind: str) -> str:
    return "The estimator" if kind == "sklearn" else f"`{kind.removeprefix('type ')}`"


def owner_kinds(scene: Scene, lookup: Lookup) -> list[str]:
    """What was asked, as the tables call it."""
    message = scene.failure.error.evalue
    if found := _MODULE.search(message):
        return [found[1]]
    kind = lookup.owner_type
    if kind.rpartition(".")[2] == "module":
        return [scene.failure.situation.meanings.get(lookup.owner, lookup.owner)]
    package, name = kind.partition(".")[0], kind.rpartition(".")[2]
    if found := _CLASS.search(message):
        return [f"type {package}.{found[1]}", f"type pandas.{found[1]}"]
    return [f"{package}.{name}" if package not in (name, "builtins") else name, package]


def _edits(scene: Scene, replacement: Replacement, accesses: list[ast.Attribute]) -> Iterator[SpanEdit]:
    """The edits of all places where the attribute is asked for; none if one of them can't be written so."""
    fields = [field for _, field, _, _ in string.Formatter().parse(replacement.text) if field]
    wants_call = any(field in ("args", "rest") or field.isdigit() for field in fields)
    calls = {call.func: call for call in scene.cell.every(ast.Call)}
    edits: list[SpanEdit] = []
    for access in accesses:
        call = calls.get(access)
        if wants_call and call is None and "({args})" not in replacement.text:
            return
        text = _written(scene, replacement.text, access, call)
        if text is None:
            return
        takes_brackets = call is not None and (wants_call or replacement.text.endswith(")"))
        if replacement.text == "{owner}" and call is not None:
            takes_brackets = True
        edits.append(scene.put(call if takes_brackets and call is not None else access, text))
    for module, usual in _MODULES.items():
        if usual in fields and edits:
            edits += scene.module(module)[1]
    yield from edits


def _written(scene: Scene, text: str, access: ast.Attribute, call: ast.Call | None) -> str | None:
    given = [] if call is None else [scene.text(one) for one in call.args]
    named = [] if call is None else [_raw(scene, one) for one in call.keywords]
    values = {usual: scene.module(module)[0] for module, usual in _MODULES.items()}
    values |= {"owner": scene.operand(access.value), "args": ", ".join([*given, *named])}
    values |= {"rest": ", ".join([*given[1:], *named])}
    if call is None:
        text = text.replace("({args})", "").replace("({rest})", "")
    try:
        written = text.format(*given, **values)
    except IndexError:
        return None
    return re.sub(r", \)", ")", re.sub(r"\(, ", "(", written)).replace("(, )", "()")


def _raw(scene: Scene, keyword: ast.keyword) -> str:
    start, end = scene.cell.span(keyword)
    return scene.cell.source[start:end]


def retired_in_numpy_2(failure: Failure) -> Iterator[Proposal]:
    """`np.NINF`: what NumPy's own message says to use instead."""
    found, cell = _INSTEAD.search(failure.error.evalue), failing_cell(failure)
    if found is None or cell is None or failure.error.ename != "AttributeError":
        return
    scene = Scene(failure, cell)
    nodes = [node for node in scene.cell.every(ast.Attribute) if node.attr == found[1]]
    if nodes and all(scene.text(node).endswith(found[1]) for node in nodes):
        edits = [scene.put(node, f"{found[2]}{scene.text(node.value)}.{found[3]}") for node in nodes]
        why = f"NumPy 2 removed `np.{found[1]}`; `{found[2]}np.{found[3]}` is the same."
        yield scene.proposal(edits, why, "moved name", 1.0)


def moved_imports(failure: Failure) -> Iterator[Proposal]:
    """`from sklearn.cluster.k_means_ import KMeans`: from the package itself; names by the statement of the table."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if cell is None or lookup is None or lookup.kind not in ("module", "import"):
        return
    scene = Scene(failure, cell)
    for node in scene.every(ast.ImportFrom):
        module = node.module or ""
        for alias in node.names:
            statement = IMPORTS.get((module, alias.name))
            if statement is None or (lookup.kind == "import" and lookup.wanted != alias.name):
                continue
            if alias.asname and " = " in statement:
                statement = re.sub(r"\w+(?= = )", alias.asname, statement)
            elif alias.asname:
                statement = re.sub(r"(?: as \w+)?$", f" as {alias.asname}", statement)
            others = [_alias(one) for one in node.names if one is not alias]
            lines = [f"from {module} import {', '.join(others)}"] if others else []
            indent = cell.line(node.lineno)[: node.col_offset]
            text = f"{cell.newline}{indent}".join([*lines, *statement.split("\n")])
            why = f"`{module}` has no `{alias.name}` in the version that is installed; this is its successor."
            yield scene.proposal([scene.put(node, text)], why, "moved import", 0.9)
        package, _, last = module.rpartition(".")
        if lookup.kind == "module" and package and last in (lookup.wanted.rpartition(".")[2], last):
            why = f"There is no module `{module}`; `{package}` is asked for the same."
            start, end = scene.cell.span(node)
            text = scene.cell.source[start:end].replace(module, package, 1)
            yield scene.proposal([SpanEdit(start, end, text)], why, "moved import", 0.85)


def _alias(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def axes_setters(failure: Failure) -> Iterator[Proposal]:
    """`ax.xlabel("x")`: `ax.set_xlabel("x")`; `plt.set_title("t")`: `plt.title("t")`."""
    cell, lookup = failing_cell(failure), failure.lookup
    if cell is None:
        return
    scene = Scene(failure, cell)
    if failure.error.ename == "TypeError" and "'Text' object is not callable" in failure.error.evalue:
        owners = {ast.unparse(node.func.value) for node in scene.calls("title") if isinstance(node.func, ast.Attribute)}
        if len(owners) == 1:
            yield from _setters(scene, owners.pop())
    elif lookup is not None and lookup.kind == "attribute" and failure.error.ename == "AttributeError":
        if lookup.owner_type.startswith(("matplotlib.", "mpl_toolkits.")) and lookup.wanted in _AXES_PROPERTY:
            if f"set_{lookup.wanted}" in lookup.available:
                yield from _setters(scene, lookup.owner)
        elif lookup.wanted.startswith("set_") and "'matplotlib.pyplot'" in failure.error.evalue:
            yield from _getters(scene)


def _setters(scene: Scene, owner: str) -> Iterator[Proposal]:
    """All calls of the same axes' properties in the cell: the next of them would fail as well."""
    calls = [
        call
        for call in scene.cell.every(ast.Call)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in _AXES_PROPERTY
        and ast.unparse(call.func.value) == owner
        and (call.args or call.func.attr not in ("xticks", "yticks"))
    ]
    edits = []
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        end = scene.cell.span(call.func)[1]
        edits.append(SpanEdit(end - len(call.func.attr), end, f"set_{call.func.attr}"))
    if edits:
        why = f"Axes set their properties by `set_…`: `{scene.text(calls[0].func)}` is a function of `pyplot` only."
        yield scene.proposal(edits, why, "setter of axes", 1.0)


def _getters(scene: Scene) -> Iterator[Proposal]:
    edits = []
    plain = _AXES_PROPERTY - {"xticklabels", "yticklabels", "aspect", "facecolor"}
    for node in scene.cell.every(ast.Attribute):
        if node.attr.removeprefix("set_") in plain and scene.meaning(node.value) == "matplotlib.pyplot":
            end = scene.cell.span(node)[1]
            edits.append(SpanEdit(end - len(node.attr), end, node.attr.removeprefix("set_")))
    if edits:
        why = "`pyplot` has these functions without `set_`; only axes have them with it."
        yield scene.proposal(edits, why, "function of pyplot", 1.0)


def appended_rows(failure: Failure) -> Iterator[Proposal]:
    """`df.append(row, ignore_index=True)`, which pandas 2 removed: `pd.concat`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or (lookup.kind, lookup.wanted) != ("attribute", "append") or cell is None:
        return
    kind = lookup.owner_type.rpartition(".")[2]
    if kind not in ("DataFrame", "Series", "Index") or not lookup.owner_type.startswith("pandas"):
        return
    scene = Scene(failure, cell)
    accesses = failing_accesses(failure, cell)
    pd, imports = scene.module("pandas")
    for wrap, prior in ((False, 0.88), (True, 0.8)):
        edits = []
        for call in cell.every(ast.Call):
            if call.func in accesses and isinstance(call.func, ast.Attribute) and call.args:
                row = _row(scene, call.args[0], pd, wrap and kind == "DataFrame")
                more = "".join(f", {_raw(scene, one)}" for one in call.keywords)
                edits.append(scene.put(call, f"{pd}.concat([{scene.text(call.func.value)}, {row}]{more})"))
        if edits:
            why = f"pandas 2 removed `append` from its tables; `{pd}.concat` joins them instead."
            yield scene.proposal([*edits, *imports], why, "moved name", prior)
    for call in cell.every(ast.Call):
        statement = scene.statement()
        if call.func in accesses and isinstance(statement, ast.Expr) and statement.value is call and call.args:
            assert isinstance(call.func, ast.Attribute)
            owner = scene.text(call.func.value)
            row = _row(scene, call.args[0], pd, kind == "DataFrame")
            more = "".join(f", {_raw(scene, one)}" for one in call.keywords)
            why = f"pandas 2 removed `append`, whose result was left unused here; `{owner}` is given the joined table."
            text = f"{owner} = {pd}.concat([{owner}, {row}]{more})"
            yield scene.proposal([scene.put(statement, text), *imports], why, "moved name", 0.85)


def _row(scene: Scene, added: ast.expr, pd: str, wrap: bool) -> str:
    text = scene.text(added)
    if isinstance(added, ast.List) and not wrap:
        return text[1:-1].strip().rstrip(",")
    if isinstance(added, ast.Dict) or scene.type(added) == "dict":
        return f"{pd}.DataFrame([{text}])"
    if wrap and scene.type(added) == "Series":
        return f"{text}.to_frame().T"
    if wrap and (isinstance(added, ast.List) or scene.type(added) in ("list", "dict", "")):
        return f"{pd}.DataFrame({text})" if isinstance(added, ast.List) else f"{pd}.DataFrame([{text}])"
    return text


def bare_append(failure: Failure) -> Iterator[Proposal]:
    """`array.append(4)` as a statement: `array = np.append(array, 4)`."""
    lookup, cell = failure.lookup, failing_cell(failure)
    if lookup is None or lookup.wanted not in ("append", "extend") or cell is None:
        return
    if lookup.owner_type.rpartition(".")[2] != "ndarray":
        return
    scene, statement = Scene(failure, cell), None
    statement = scene.statement()
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return
    call = statement.value
    if isinstance(call.func, ast.Attribute) and len(call.args) == 1:
        np, imports = scene.module("numpy")
        owner = scene.text(call.func.value)
        text = f"{owner} = {np}.append({owner}, {scene.text(call.args[0])})"
        why = f"Arrays can't grow; `{np}.append` makes a longer one, which `{owner}` then stands for."
        yield scene.proposal([scene.put(statement, text), *imports], why, "longer array", 0.9)


FIRST = (retired_in_numpy_2, axes_setters)
RULES = (moved_imports, appended_rows, bare_append, replaced_attribute)
