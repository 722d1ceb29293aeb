"""The table of kinds as Markdown, for the README: one source, which a test holds against the facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reflex_ipython.state.kinds.kind import Coverage, Kind

_WORDS = {"exact": "exactly", "partial": "partly", "named": "named"}
_ORDER = tuple(_WORDS)


def markdown(kinds: Iterable[Kind]) -> str:
    """The kinds, those that are put back wholly first.

    Parameters
    ----------
    kinds : iterable of Kind
        From `table.all_kinds` and `global_state.global_kinds`.
    """
    rows = {(kind.coverage, kind.name, kind.limit) for kind in kinds}
    ordered = sorted(rows, key=lambda row: (_ORDER.index(row[0]), row[1].lower()))
    return "\n".join(["| kind of object | put back | limits |", "| --- | --- | --- |", *_lines(ordered)]) + "\n"


def _lines(rows: Iterable[tuple[Coverage, str, str]]) -> Iterator[str]:
    for coverage, name, limit in rows:
        yield f"| {name} | {_WORDS[coverage]} | {limit} |"
