"""Arguments that are missing: a name that stands ready for them, a class instead of its object, a call too early."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.access.edits import candidate
from reflex_ipython.propose.rules.access.nearness import near
from reflex_ipython.propose.rules.calling.nodes import failing_calls, is_plain, last_argument_end, last_name, opening
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_cell, failing_nodes, variable_type

_MISSING = re.compile(r"missing \d+ required (positional|keyword-only) arguments?: (.+)$")
_TOO_FEW = re.compile(r"missing \d+ required|missing required argument|expected at least \d+ arg|takes exactly \w+ arg")
_ONE_TOO_MANY = re.compile(r"(\w+)\.(\w+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given")
_BOUND = re.compile(r"missing a required (?:keyword-only )?argument: '(\w+)'")
"""What `inspect.signature(...).bind` says, by which scikit-learn checks what its functions are given."""
_NAME = re.compile(r"'(\w+)'")
_TABLES = re.compile(r"DataFrame|read_\w+|merge|concat")


def missing_argument(failure: Failure) -> Iterator[Proposal]:
    """`area(width)`, where a name `height` is there: `area(width, height)`; `fit(X_train)`: `fit(X_train, y_train)`."""
    cell, match = failing_cell(failure), _MISSING.search(failure.error.evalue)
    wanted = _NAME.findall(match[2]) if match else []
    if cell is None or match is None or not wanted or "self" in wanted:
        return
    for call in failing_calls(failure, cell):
        if not is_plain(call):
            continue
        names = [name for name in failure.situation.names if not _is_given(call, name)]
        names += [name for name in sorted(cell.bound - set(names)) if not _is_given(call, name)]
        ready = [_ready(call, one, names) for one in wanted]
        found = [name for name, _ in ready if name]
        if len(found) == len(ready):
            prior = min(prior for _, prior in ready)
            yield from _completed(cell, call, wanted, found, prior, match[1] != "positional")
        elif len(wanted) == 1:
            for name, prior in _guesses(failure, cell, wanted[0], names):
                yield from _completed(cell, call, wanted, [name], prior, match[1] != "positional")


def misnamed_argument(failure: Failure) -> Iterator[Proposal]:
    """`confusion_matrix(y_true=t, y_predict=p)`, which lacks `y_pred`: the argument that is called nearly so."""
    cell, match = failing_cell(failure), _BOUND.search(failure.error.evalue)
    if cell is None or match is None:
        return
    for call in failing_calls(failure, cell):
        names = [keyword.arg for keyword in call.keywords if keyword.arg]
        for close in near(match[1], names):
            given = next(keyword for keyword in call.keywords if keyword.arg == close.word)
            start = cell.span(given)[0]
            why = f"`{last_name(call.func)}` calls this argument `{match[1]}`, not `{close.word}`."
            edits = [SpanEdit(start, start + len(close.word), match[1])]
            yield from candidate(cell, edits, why, "closest argument", max(close.prior, 0.85))


def _ready(call: ast.Call, wanted: str, names: list[str]) -> tuple[str, float]:
    """The name that stands ready: the parameter's own, or with the ending that the other arguments have."""
    endings = {node.id.partition("_")[2] for node in call.args if isinstance(node, ast.Name) and "_" in node.id}
    for ending in sorted(endings):
        name = f"{wanted}_{ending}"
        if name in names:
            return name, 0.9
    if wanted in names:
        return wanted, 0.9 if len(wanted) > 1 else 0.6  # a letter may be left over from anything
    other = {"y": "target", "X": "features"}.get(wanted)
    return (other, 0.6) if other in names and other else ("", 0.0)


def _guesses(failure: Failure, cell: Cell, wanted: str, names: list[str]) -> Iterator[tuple[str, float]]:
    found = near(wanted, names)
    yield from ((name, prior * 0.75) for name, prior in found)
    if wanted in ("df", "data", "frame", "table", "dataframe") and not found:
        tables = [name for name in _made_as_tables(failure) if name in names]
        yield from ((name, 0.7 if len(tables) == 1 else 0.4) for name in tables[:3])


def _made_as_tables(failure: Failure) -> Iterator[str]:
    for earlier in failure.situation.earlier:
        for node in read(earlier.source).every(ast.Assign):
            if isinstance(node.value, ast.Call) and _TABLES.fullmatch(last_name(node.value.func)):
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _is_given(call: ast.Call, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name for node in [*call.args, *(k.value for k in call.keywords)]
    )


def _completed(
    cell: Cell, call: ast.Call, wanted: list[str], names: list[str], prior: float, by_name: bool
) -> Iterator[Proposal]:
    place, separator = last_argument_end(cell, call)
    by_name = by_name or bool(call.keywords)
    made = [f"{parameter}={name}" if by_name else name for parameter, name in zip(wanted, names)]
    told = ", ".join(f"`{name}`" for name in names)
    why = f"`{ast.unparse(call.func)}` needs {', '.join(f'`{one}`' for one in wanted)} as well; {told} is there."
    yield from candidate(cell, [SpanEdit(place, place, separator + ", ".join(made))], why, "missing argument", prior)


def called_too_early(failure: Failure) -> Iterator[Proposal]:
    """`map(double(), xs)`: `map(double, xs)`: the function itself is handed on."""
    cell = failing_cell(failure)
    if cell is None or not _TOO_FEW.search(failure.error.evalue):
        return
    calls = [node for node in failing_nodes(failure, cell) if isinstance(node, ast.Call)]
    for outer in calls:
        for argument in (*outer.args, *(keyword.value for keyword in outer.keywords)):
            if isinstance(argument, ast.Call) and not argument.args and not argument.keywords:
                name = cell.text(argument.func)
                why = f"`{name}` itself is handed on, to be called later; with `()` it is called at once."
                edits = [SpanEdit(cell.span(argument.func)[1], cell.span(argument)[1], "")]
                yield from candidate(cell, edits, why, "function, not its call", 0.9)


def class_for_its_object(failure: Failure) -> Iterator[Proposal]:
    """`LinearRegression.fit(X, y)`: `LinearRegression().fit(X, y)`."""
    cell, text = failing_cell(failure), failure.error.evalue
    if cell is None or failure.error.ename not in ("TypeError", "AttributeError"):
        return
    if not (_MISSING.search(text) or "has no attribute '_" in text or "descriptor" in text or "unbound" in text):
        return
    for call in failing_nodes(failure, cell):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        owner = call.func.value
        if not isinstance(owner, ast.Name) or not _is_class(failure, owner.id) or opening(cell, call) < 0:
            continue
        why = f"`{owner.id}` is a class; `{call.func.attr}` is a method of its objects, and `{owner.id}()` makes one."
        end = cell.span(owner)[1]
        yield from candidate(cell, [SpanEdit(end, end, "()")], why, "object of a class", 0.88)
        made = dict.fromkeys(_made_of(failure, cell, owner.id))
        for name in list(made)[-2:]:
            why = f"`{owner.id}` is a class, and `{name}` is an object of it."
            prior = 0.88 if len(made) == 1 else 0.45
            yield from candidate(cell, [SpanEdit(*cell.span(owner), name)], why, "object of a class", prior)


def method_without_self(failure: Failure) -> Iterator[Proposal]:
    """`scale.to_f(100)` of a class whose method has no `self`: `Scale.to_f(100)`."""
    cell, match = failing_cell(failure), _ONE_TOO_MANY.match(failure.error.evalue)
    if cell is None or match is None or int(match[4]) != int(match[3]) + 1 or match[1] in cell.bound:
        return
    for call in failing_nodes(failure, cell):
        owner = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
        if isinstance(owner, ast.Name) and variable_type(failure, owner.id) == match[1]:
            why = f"`{match[2]}` of `{match[1]}` takes no `self`: it is asked of the class, not of an object."
            yield from candidate(cell, [SpanEdit(*cell.span(owner), match[1])], why, "method without self", 0.6)


def _is_class(failure: Failure, name: str) -> bool:
    kind = variable_type(failure, name)
    return kind in ("type", "builtins.type") or kind.endswith(("Meta", "MetaClass"))


def _made_of(failure: Failure, cell: Cell, name: str) -> Iterator[str]:
    """The names that were given objects of the class."""
    for other in [*(read(one.source) for one in failure.situation.earlier), cell]:
        for node in other.every(ast.Assign):
            if isinstance(node.value, ast.Call) and last_name(node.value.func) == name:
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))
