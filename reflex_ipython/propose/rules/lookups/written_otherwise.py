"""Methods that are functions, functions that are methods, and what other languages call things."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.lookups import other_attributes, other_names
from reflex_ipython.propose.rules.lookups.form_tables import forms
from reflex_ipython.propose.rules.lookups.forms import Form, arguments_of, bracketed, rewritten, text_of, where
from reflex_ipython.propose.rules.lookups.missing import Missing, accesses, missing_attribute, missing_name
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import variable_type

_ALIAS = re.compile(r"\b(np|pd|plt)\.")
_MODULES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}
_ITEMWISE = frozenset(name for name in dir(str) if not name.startswith("_"))
_SEQUENCES = frozenset({"list", "tuple", "set", "dict_keys", "dict_values", "map", "filter", "generator"})
_COLUMNS = frozenset({"pandas.Series", "pandas.Index"})


def method_in_another_form(failure: Failure) -> Iterator[Proposal]:
    """`words.len()`: `len(words)`; `text.contains("a")`: `"a" in text`; `lines.split()`: of each of them."""
    missing = missing_attribute(failure)
    nodes = accesses(missing) if missing is not None else []
    if missing is None or not nodes:
        return
    kind = _kind(missing.lookup.owner_type)
    if kind == "NoneType":
        return  # `np.array(None).shape` and `not None` run as well, and hide that the value is missing
    owner = text_of(missing.cell, nodes[0].value)
    why = f"`{owner}` is {a(f'`{kind}`')}, which has no attribute `{missing.wanted}`"
    for form in _of_a_value(missing, kind):
        yield from _proposals(missing, nodes, form, why)
    for prior, text in _of_each(missing, kind, nodes):
        yield from _proposals(missing, nodes, Form(text, prior), why)


def function_in_another_form(failure: Failure) -> Iterator[Proposal]:
    """`append(xs, 1)`: `xs.append(1)`; `strlen(s)`: `len(s)`; `println(x)`: `print(x)`."""
    missing = missing_name(failure)
    if missing is None or missing.is_unassigned or missing.wanted in missing.cell.bound:
        return
    wanted, calls = missing.wanted, missing.calls()
    if not calls:
        for form in forms(other_names.VALUES, wanted):
            yield from _named(missing, form)
        for form in forms(other_names.CALLED, wanted):  # handed on: `max(words, key=lenght)`
            function, _, arguments = form.text.partition("(")
            if function.isidentifier() and hasattr(builtins, function) and arguments == "{0})":
                yield from missing.changed(missing.renamed(function), f"Python calls it `{function}`.", "function", 0.9)
        return
    why = f"Python has no function `{wanted}`"
    for form in forms(other_names.CALLED, wanted):
        if not hasattr(builtins, wanted):
            yield from _rewritten_calls(missing, calls, form, why)
    first = calls[0].args[0] if calls[0].args else None
    if first is None or isinstance(first, ast.Starred) or wanted.startswith("_"):
        return
    if isinstance(first, ast.Name) and _is_known_not_to_have(variable_type(failure, first.id), wanted):
        return
    edits = [edit for call in calls if (edit := _as_method(missing, call))]
    owner = text_of(missing.cell, first)
    if len(edits) == len(calls):
        why = f"`{wanted}` is no function here; `{owner}` has it as a method."
        yield from missing.changed(edits, why, "method", 0.75)
    alone = [edit for call in calls if (edit := rewritten(missing.cell, call, f"{{0}}.{wanted}"))]
    if len(alone) == len(calls):
        why = f"`{wanted}` is no function here; `{owner}` has it as an attribute."
        # A method that is not called gives no value that anybody wants.
        yield from missing.changed(alone, why, "attribute", 0.7 if wanted in _PROPERTIES else 0.2)


def _is_known_not_to_have(kind: str, name: str) -> bool:
    """Whether it is a type of Python's own that has no such attribute."""
    known = getattr(builtins, kind.removeprefix("builtins."), None)
    return isinstance(known, type) and not hasattr(known, name)


_PROPERTIES = frozenset({"shape", "columns", "index", "dtypes", "dtype", "ndim", "size", "T", "values", "real", "imag"})


def owner_of_another_language(failure: Failure) -> Iterator[Proposal]:
    """`Math.sqrt(2)`, `console.log(x)`, `System.out.println(x)`."""
    missing = missing_name(failure)
    table = other_names.OWNERS.get(missing.wanted) if missing is not None else None
    if missing is None or table is None or missing.there(missing.wanted):
        return
    edits: list[SpanEdit] = []
    imports: list[str] = []
    prior = 1.0
    written = ""
    for node in missing.cell.every(ast.Name):
        if node.id != missing.wanted:
            continue
        path, outer = _path(missing, node)
        call = missing.cell.parent(outer)
        called = call if isinstance(call, ast.Call) and call.func is outer else outer
        for form in forms(table, path):
            edit = rewritten(missing.cell, called, form.text)
            if edit is not None:
                edits.append(edit)
                imports.append(form.statement)
                prior, written = min(prior, form.prior), form.text
                break
    if edits:
        why = f"`{missing.wanted}` is of another language; Python writes `{written.partition('(')[0]}`."
        yield from missing.changed(edits, why, "form of another language", prior, _needed(missing, imports))


def this_of_another_language(failure: Failure) -> Iterator[Proposal]:
    """`this.x = x` in a method: `self.x = x`."""
    missing = missing_name(failure)
    function = missing.function() if missing is not None and missing.wanted in ("this", "self", "cls") else None
    if missing is None or function is None or not function.args.args:
        return
    first = function.args.args[0].arg
    why = f"The method's own object is called `{first}`, not `{missing.wanted}`."
    yield from missing.changed(missing.renamed(first), why, "the method's object", 0.9)


def _path(missing: Missing, node: ast.Name) -> tuple[str, ast.expr]:
    """What is asked of a name, and the whole of it: `out.println` in `System.out.println`."""
    names: list[str] = []
    outer: ast.expr = node
    while isinstance(parent := missing.cell.parent(outer), ast.Attribute):
        names.append(parent.attr)
        outer = parent
    return ".".join(names), outer


def _of_a_value(missing: Missing, kind: str) -> list[Form]:
    wanted = missing.wanted
    found = [*forms(other_attributes.TYPED.get(kind, {}), wanted)]
    if kind == "module":
        module = missing.failure.situation.meanings.get(missing.lookup.owner, missing.lookup.owner)
        found += forms(other_attributes.TYPED.get(f"module {module}", {}), wanted)
    if kind not in ("pandas.DataFrame", "pandas.Series"):
        found += forms(other_attributes.LIBRARY, wanted)
    if not kind.startswith("pandas.") or wanted == "length":
        found += forms(other_attributes.ANY, wanted)
    if wanted in other_attributes.BUILTINS:
        found += [Form(f"{wanted}({{owner}})"), Form(f"{wanted}({{owner}}, {{args}})", 0.8)]
    if wanted in other_attributes.LISTS:
        found += [Form(f"list({wanted}({{owner}}))", 0.5), Form(f"{wanted}({{owner}})", 0.5)]
        found += [Form(f"{wanted}({{owner}}, {{args}})", 0.6)]
    if wanted in other_attributes.MAPPED:
        found += [Form(f"list({wanted}({{0}}, {{owner}}))", 0.8)]
    if wanted == "apply":
        found += [Form("[{0}(item) for item in {owner}]", 0.75)]
    if kind == "dict" and wanted.isidentifier():
        found.append(Form(f'{{owner}}["{wanted}"]', 0.9))
    return found


def _of_each(missing: Missing, kind: str, nodes: list[ast.Attribute]) -> Iterator[tuple[float, str]]:
    """What may be meant of each item of a sequence, or of each value of a column."""
    wanted = missing.wanted
    called = all(isinstance(call := missing.cell.parent(node), ast.Call) and call.func is node for node in nodes)
    if kind in _SEQUENCES:
        calling = "({args})" if called else ""
        if wanted in other_attributes.TYPED.get(kind, {}) or wanted in other_attributes.ANY:
            return
        yield 0.75 if wanted in _ITEMWISE else 0.6, f"[item.{wanted}{calling} for item in {{owner}}]"
    if kind in _COLUMNS or (kind.startswith("pandas.") and kind.endswith("Index")):
        yield from ((0.9, f"{{owner}}.{by}.{wanted}" + ("({args})" if called else "")) for by in ("str", "dt", "cat"))


def _proposals(missing: Missing, nodes: list[ast.Attribute], form: Form, why: str) -> Iterator[Proposal]:
    """The proposal that writes every access in a form, where it fits all of them."""
    text, known = _with_aliases(missing, form.text)
    if not known:
        return
    edits = []
    for node in nodes:
        parent = missing.cell.parent(node)
        called = parent if isinstance(parent, ast.Call) and parent.func is node else node
        edit = rewritten(missing.cell, called, text, node.value)
        if edit is None:
            return
        edits.append(edit)
        if "{owner}.str." in form.text:
            edits += _of_each_text(missing, called)
    first = edits[0].text
    rule = "form of another language" if form.prior >= 0.5 else "another form"
    why = f"{why}; Python writes `{first if len(first) < 80 else form.text}`."
    yield from missing.changed(edits, why, rule, form.prior, _needed(missing, [form.statement]))


_MORE_OF_TEXTS = frozenset(
    {
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "capitalize",
        "replace",
        "split",
        "rsplit",
        "zfill",
        "join",
    }
    | {"startswith", "endswith", "contains", "partition", "rpartition", "removeprefix", "removesuffix", "isdigit"}
)


def _of_each_text(missing: Missing, node: ast.expr) -> Iterator[SpanEdit]:
    """What is asked of the result of a method of texts is asked of each text as well: `.split("-")[0]`."""
    while isinstance(outer := missing.cell.parent(node), (ast.Subscript, ast.Attribute)) and outer.value is node:
        end = missing.cell.span(node)[1]
        call = missing.cell.parent(outer)
        if isinstance(outer, ast.Subscript):
            index = outer.slice.operand if isinstance(outer.slice, ast.UnaryOp) else outer.slice
            place = isinstance(index, ast.Slice) or (isinstance(index, ast.Constant) and isinstance(index.value, int))
            if not place:
                return
            node = outer
        elif outer.attr in _MORE_OF_TEXTS and isinstance(call, ast.Call) and call.func is outer:
            node = call
        else:
            return
        yield SpanEdit(end, end, ".str")


def _rewritten_calls(missing: Missing, calls: list[ast.Call], form: Form, why: str) -> Iterator[Proposal]:
    text, known = _with_aliases(missing, form.text)
    edits = [edit for call in calls if (edit := rewritten(missing.cell, call, text))]
    if known and len(edits) == len(calls):
        why = f"{why}; it is written `{edits[0].text}`." if len(edits[0].text) < 80 else f"{why}."
        yield from missing.changed(
            edits, why, "form of another language", form.prior, _needed(missing, [form.statement])
        )


def _named(missing: Missing, form: Form) -> Iterator[Proposal]:
    text, known = _with_aliases(missing, form.text)
    if known:
        why = f"`{missing.wanted}` is written `{text}` in Python."
        imports = _needed(missing, [form.statement])
        yield from missing.changed(missing.renamed(text), why, "constant of another language", form.prior, imports)


def _as_method(missing: Missing, call: ast.Call) -> SpanEdit | None:
    """`append(xs, 1)`: `xs.append(1)`."""
    if not call.args or isinstance(call.args[0], ast.Starred):
        return None
    place = where(missing.cell, call)
    if place is None:
        return None
    inside = arguments_of(missing.cell, [*call.args[1:], *call.keywords], place[2])
    owner = bracketed(missing.cell, call.args[0])
    return SpanEdit(place[0], place[1], f"{owner}.{missing.wanted}({inside})")


def _with_aliases(missing: Missing, text: str) -> tuple[str, bool]:
    """The form with the user's own names for the libraries; False if one is not imported."""
    for alias in {found[1] for found in _ALIAS.finditer(text)}:
        names = missing.names_of(_MODULES[alias])
        if not names:
            return text, False
        text = re.sub(rf"\b{alias}\.", f"{names[0]}.", text)
    return text, True


def _needed(missing: Missing, statements: Iterable[str]) -> list[str]:
    """The imports that are not there yet."""
    wanted = [statement for statement in statements if statement]
    return [one for one in wanted if not missing.is_module(one.rpartition(" ")[2], one.rpartition(" ")[2])]


def _kind(qualified: str) -> str:
    """A type as the tables call it: without its module for Python's own, without inner modules for a library's."""
    package, _, _ = qualified.partition(".")
    name = qualified.rpartition(".")[2]
    return name if package in (name, "builtins") else f"{package}.{name}"
