"""Keys of other types in the two tables of a merge."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.science.scene import Scene, keyword, owner_of


def keys(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`a.merge(b, on="id")` of numbers and texts: one is converted, if every value allows it."""
    pd, imports = scene.module("pandas")
    for call in scene.calls("merge", "join", "merge_asof"):
        owner = owner_of(call)
        plain = owner is None or scene.meaning(owner) == "pandas"
        sides = list(call.args[:2]) if plain else [one for one in (owner, *call.args[:1]) if one is not None]
        sides += [one.value for one in call.keywords if one.arg in ("left", "right")]
        if len(sides) != 2:
            continue
        sides_keys = [keyword(call, "on", side) for side in ("left_on", "right_on")]
        named = [key.value for key in sides_keys if key is not None and isinstance(key.value, ast.Constant)]
        labels = [scene.text(one) for one in named] if len(named) == 2 else [repr(found["key"])] * 2
        kinds = [found["left"], found["right"]]
        for at, (side, label, kind, other) in enumerate(zip(sides, labels, kinds, reversed(kinds))):
            del at
            for text, prior in _casts(pd, kind, other, f"{scene.operand(side)}[{label}]"):
                new = f"{scene.operand(side)}.assign(**{{{label}: {text}}})"
                why = f"The key is {kind} in `{scene.text(side)}` and {other} in the other table; both need one type."
                edits = [scene.put(side, new)]
                yield scene.proposal(edits + (imports if f"{pd}." in text else []), why, "type of the key", prior)


def _casts(pd: str, kind: str, other: str, column: str) -> Iterator[tuple[str, float]]:
    if kind in ("str", "object") and other.startswith(("int", "uint")):
        yield f"{column}.astype({other!r})", 0.7
    elif kind in ("str", "object") and other.startswith("float"):
        yield f"{column}.astype(float)", 0.7
    elif kind in ("str", "object") and other.startswith("datetime64"):
        yield f"{pd}.to_datetime({column})", 0.85
    elif other in ("str", "object") and kind.startswith(("int", "uint")):
        yield f"{column}.astype(str)", 0.34
    elif kind.startswith("datetime64") and other.startswith("datetime64"):
        zone = re.search(r", (.*)\]", other)
        if zone and ", " not in kind:
            yield f"{column}.dt.tz_localize({zone[1]!r})", 0.66
        elif not zone:
            yield f"{column}.dt.tz_localize(None)", 0.4
