"""Arguments by position where they are taken by name only, and arguments that are too many."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.calling.nodes import failing_calls, is_plain, last_name, type_of, without_argument
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell

_SURPLUS = re.compile(r"takes (?:from \d+ to )?\d+ positional arguments? but \d+ (?:was|were) given")
_TWICE = re.compile(r"got multiple values for (?:keyword )?argument '(\w+)'")
# What was taken by position once, in that order, and now goes by these names.
_ONCE: dict[str, tuple[str, ...]] = {
    "pivot": ("index", "columns", "values"),
    "melt": ("id_vars", "value_vars", "var_name", "value_name"),
    "drop": ("labels", "axis"),
    "concat": ("objs", "axis"),
    "read_csv": ("filepath_or_buffer", "sep"),
    "read_table": ("filepath_or_buffer", "sep"),
    "to_csv": ("path_or_buf", "sep"),
    "sort_values": ("by", "axis", "ascending"),
    "split": ("pat", "n", "expand"),
    "barplot": ("x", "y", "hue"),
    "boxplot": ("x", "y", "hue"),
    "scatterplot": ("x", "y", "hue"),
    "lineplot": ("x", "y", "hue"),
    "countplot": ("x",),
}
_RULE = "argument by name"


def argument_by_name(failure: Failure) -> Iterator[Proposal]:
    """`df.drop("units", 1)`: `df.drop("units", axis=1)`; `f(2, 3.0)`, where `scale` goes by name: `scale=3.0`."""
    cell, callee = failing_cell(failure), failure.callee
    if cell is None or callee is None or failure.error.ename != "TypeError":
        return
    if not (_SURPLUS.search(failure.error.evalue) or _TWICE.search(failure.error.evalue)):
        return
    places, names = _parameters(callee.parameters)
    for call in failing_calls(failure, cell):
        if not is_plain(call) or not names:
            continue
        given = {keyword.arg for keyword in call.keywords}
        surplus = call.args[len(places) :]
        told = _by_order(failure, call, given, names) or _by_type(
            failure, surplus, {k: v for k, v in names.items() if k not in given}
        )
        nodes = call.args[-len(told) :] if told else []
        edits = [
            SpanEdit(start, start, f"{name}=") for node, (name, _) in zip(nodes, told) for start in [cell.span(node)[0]]
        ]
        which = ", ".join(f"`{name}`" for name, _ in told)
        why = f"`{last_name(call.func)}` takes {which} by name only."
        yield from candidate(cell, edits, why, _RULE, min((prior for _, prior in told), default=0))


def _parameters(told: tuple[str, ...]) -> tuple[list[str], dict[str, str]]:
    """The parameters that are taken by position, and those by name only with their defaults."""
    places: list[str] = []
    names: dict[str, str] = {}
    by_name = False
    for text in told:
        name, _, default = text.partition("=")
        if name.startswith("*"):
            by_name = True
        elif by_name:
            names[name] = default
        else:
            places.append(name)
    return places, names


def _by_order(
    failure: Failure, call: ast.Call, given: set[str | None], names: dict[str, str]
) -> list[tuple[str, float]]:
    """The names of all arguments that are taken by name now, as their function took them once."""
    order = _ONCE.get(last_name(call.func), ())
    if len(order) < len(call.args) or any(name in given for name in order[: len(call.args)]):
        return []
    told = [name for name in order[: len(call.args)] if name in names]
    wrong = any(
        type_of(failure, node) == "bool" and names[name] not in ("True", "False")
        for node, name in zip(call.args[len(call.args) - len(told) :], told)
    )
    return [] if wrong else [(name, 0.93) for name in told]


def _by_type(failure: Failure, surplus: list[ast.expr], names: dict[str, str]) -> list[tuple[str, float]]:
    """For each surplus argument the first parameter whose default is of its type."""
    told: list[tuple[str, float]] = []
    left = dict(names)
    for node in surplus:
        kind = type_of(failure, node)
        fits = [name for name, default in left.items() if _fits(kind, default)]
        if not fits:
            return []
        name = "axis" if "axis" in fits and isinstance(node, ast.Constant) and node.value in (0, 1) else fits[0]
        told.append((name, 0.85 if len(fits) == 1 or name == "axis" else 0.55))
        left = dict(list(left.items())[list(left).index(name) + 1 :])
    return told


def _fits(kind: str, default: str) -> bool:
    is_bool = default in ("True", "False")
    if kind == "bool":
        return is_bool
    if kind in ("int", "float", "int64", "float64"):
        return bool(re.fullmatch(r"-?[\d.]+(?:e-?\d+)?", default))
    if kind == "str":
        return default[:1] in ("'", '"')
    return not is_bool and not re.fullmatch(r"-?[\d.]+(?:e-?\d+)?", default)


def surplus_argument(failure: Failure) -> Iterator[Proposal]:
    """`greet("Ann", "Ben")`, which takes one: without the last. A guess."""
    cell, error = failing_cell(failure), failure.error
    if cell is None or failure.callee is None or error.ename != "TypeError" or not _SURPLUS.search(error.evalue):
        return
    places, _ = _parameters(failure.callee.parameters)
    told = ", ".join(f"`{name}`" for name in places)
    for call in failing_calls(failure, cell):
        if is_plain(call) and 0 < len(places) < len(call.args) and not any(text.startswith("*") for text in places):
            end = cell.span(call.args[-1])[1]
            edits = [SpanEdit(cell.span(call.args[len(places) - 1])[1], end, "")]
            why = f"`{last_name(call.func)}` takes {told} and nothing more by position."
            yield from candidate(cell, edits, why, "surplus argument", 0.25)
            if len(call.args) == len(places) + 1:
                yield from _one_less(cell, call, places, why)


def _one_less(cell: Cell, call: ast.Call, places: list[str], why: str) -> Iterator[Proposal]:
    """`bmi(name, w, h)`, which takes `weight` and `height`: without the one that is called like no parameter."""
    for surplus in call.args[:-1]:
        left = [one for one in call.args if one is not surplus]
        alike = [_alike(one, place) for one, place in zip(left, places)]
        prior = 0.8 if all(alike) else 0.24
        yield from candidate(cell, [without_argument(cell, call, surplus)], why, "surplus argument", prior)


def _alike(node: ast.expr, parameter: str) -> bool:
    name = last_name(node).lower()
    return bool(name) and (name in parameter.lower() or parameter.lower() in name)


def argument_given_twice(failure: Failure) -> Iterator[Proposal]:
    """`f(1, x=2)`, where the first is `x`: one of them. A guess."""
    cell, match = failing_cell(failure), _TWICE.search(failure.error.evalue)
    if cell is None or match is None:
        return
    for call in failing_calls(failure, cell):
        keyword = next((one for one in call.keywords if one.arg == match[1]), None)
        if keyword is None or not call.args or not is_plain(call):
            continue
        why = f"`{match[1]}` is given twice: by its place and by its name."
        yield from candidate(cell, [without_argument(cell, call, keyword)], why, "argument given twice", 0.45)
        places = _parameters(failure.callee.parameters)[0] if failure.callee else []
        place = places.index(match[1]) if match[1] in places else 0
        if place < len(call.args):
            edits = [without_argument(cell, call, call.args[place])]
            yield from candidate(cell, edits, why, "argument given twice", 0.45)
