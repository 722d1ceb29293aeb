"""Failures built by hand, and what the rules make of them."""

from __future__ import annotations

from typing import Any

from reflex_ipython.models import CellRef, ExceptionInfo, Failure, Fix, Frame, Lookup, Situation, ValueSummary
from reflex_ipython.propose.rules import RuleProvider
from reflex_ipython.protocols import Request

CELL = CellRef("cell", 7)


def failure(
    source: str,
    error: str = "ValueError: something",
    *,
    lookup: Lookup | None = None,
    line: int | None = 1,
    types: dict[str, str] | None = None,
    cell: CellRef = CELL,
    **fields: Any,
) -> Failure:
    """A failure at a line of a cell, with the types of the variables there."""
    ename, _, evalue = error.partition(": ")
    variables = tuple(ValueSummary(name, kind, "") for name, kind in (types or {}).items())
    variables += fields.pop("values", ())
    frame = Frame("<cell>", "<module>", line or 1, cell=cell, variables=variables)
    raised = ExceptionInfo(ename, evalue, frames=() if line is None else (frame,))
    known = {name: fields.pop(name) for name in ("names", "earlier", "meanings", "versions") if name in fields}
    given = {"stage": "run", "lineno": line, "lookup": lookup, **fields}
    situation = Situation(CELL, source, **known)
    return Failure("f", "2024-01-01T00:00:00+00:00", situation, exceptions=(raised,), **given)


def fixes(failed: Failure) -> list[Fix]:
    """All fixes of all rules that edit something."""
    return [fix for fix in RuleProvider().propose(failed, Request()) if fix.edits]


def sure(failed: Failure) -> list[Fix]:
    """The fixes that a rule is sure of."""
    return [fix for fix in fixes(failed) if not fix.is_candidate]


def fixed(failed: Failure) -> str | None:
    """The source of the best fix that a rule is sure of; None where none is."""
    found = sure(failed)
    return found[0].edits[-1].source if found else None


def best(failed: Failure) -> str | None:
    """The source of the first fix, sure or not; None where the rules are silent."""
    found = fixes(failed)
    return found[0].edits[-1].source if found else None


def offered(failed: Failure) -> dict[str, float]:
    """All fixes' sources, and how likely each is meant."""
    return {fix.edits[-1].source: fix.prior for fix in fixes(failed)}


def broken(source: str) -> Failure:
    """A cell that does not compile."""
    return failure(source, "SyntaxError: invalid syntax", line=None, stage="syntax")


def undefined(source: str, wanted: str, *names: str, line: int = 1, **fields: Any) -> Failure:
    """A NameError."""
    lookup = Lookup("name", wanted, available=names)
    return failure(
        source, f"NameError: name '{wanted}' is not defined", lookup=lookup, line=line, names=names, **fields
    )


def no_attribute(source: str, wanted: str, owner: str, kind: str, *available: str, line: int = 1) -> Failure:
    """An AttributeError."""
    what = f"module '{kind}'" if kind in ("numpy", "pandas", "time", "datetime", "math") else f"'{kind}' object"
    lookup = Lookup("attribute", wanted, owner, "module" if what.startswith("module") else kind, available)
    return failure(source, f"AttributeError: {what} has no attribute '{wanted}'", lookup=lookup, line=line)


def no_column(source: str, wanted: str, *available: str, owner: str = "df", line: int = 1) -> Failure:
    """A KeyError of a table."""
    lookup = Lookup("column", wanted, owner, "pandas.DataFrame", available)
    return failure(source, f"KeyError: {wanted!r}", lookup=lookup, line=line)


def no_key(source: str, wanted: str, *available: str, owner: str = "d", line: int = 1) -> Failure:
    """A KeyError of a dict."""
    return failure(source, f"KeyError: {wanted!r}", lookup=Lookup("key", wanted, owner, "dict", available), line=line)


def no_module(source: str, wanted: str, *available: str) -> Failure:
    """A ModuleNotFoundError."""
    lookup = Lookup("module", wanted, wanted.rpartition(".")[0], "", available)
    return failure(source, f"ModuleNotFoundError: No module named '{wanted}'", lookup=lookup)


def not_in_module(source: str, wanted: str, owner: str, *available: str) -> Failure:
    """An ImportError."""
    lookup = Lookup("import", wanted, owner, "module", available)
    return failure(source, f"ImportError: cannot import name '{wanted}' from '{owner}'", lookup=lookup)


def no_argument(source: str, wanted: str, owner: str, *available: str) -> Failure:
    """A TypeError of a call."""
    lookup = Lookup("argument", wanted, owner, "function", available)
    return failure(source, f"TypeError: {owner}() got an unexpected keyword argument '{wanted}'", lookup=lookup)


def candidates(failed: Failure) -> list[tuple[str, float]]:
    """The sources that are to be tried, with their priors, the likeliest first."""
    found = [(fix.edits[-1].source, fix.prior) for fix in fixes(failed) if fix.is_candidate]
    return sorted(found, key=lambda one: -one[1])
