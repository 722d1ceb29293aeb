"""The table of kinds as Markdown, for the documentation: one source, which a test holds against the facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reflex_ipython.state.kinds.kind import Kind

_ORDER = ("exact", "partial", "named")


def markdown(kinds: Iterable[Kind]) -> str:
    """The kinds, those that are put back wholly first.

    Parameters
    ----------
    kinds : iterable of Kind
        From `table.all_kinds` and `ambient.ambient_kinds`.
    """
    rows = sorted({(_ORDER.index(kind.coverage), kind.name, kind.limit) for kind in kinds})
    return "\n".join(["| what | put back | except |", "| --- | --- | --- |", *_lines(rows)]) + "\n"


def _lines(rows: Iterable[tuple[int, str, str]]) -> Iterator[str]:
    for place, name, limit in rows:
        yield f"| {name} | {_ORDER[place]} | {limit} |"
