"""Whether what a page shows is what the kernel has: a saved notebook may have been changed, or made, by anybody."""

from __future__ import annotations

from typing import Any

from reflex_ipython.present.panel import PanelState, document

LOOKED_AT_LATER = ("verdict", "run_options", "triable", "preview", "gives")
"""Of a fix: what may have changed since it was drawn."""
PROPOSED = ("id", "origin", "explanation")
"""Of a fix of an earlier session, beside its edits: what was proposed. What is known of it is found out anew."""


def is_fix(shown: dict[str, Any], state: PanelState) -> bool:
    """Whether a fix, as a page shows it, is one of the panel's, dangers included."""
    known = [_without(fix, LOOKED_AT_LATER) for fix in document(state)["fixes"]]
    return _without(shown, LOOKED_AT_LATER) in known


def is_saved(shown: dict[str, Any], state: PanelState) -> bool:
    """Whether a panel that was saved is an earlier state of this one: the same failure, and no other proposals."""
    own = document(state)
    fixes = shown.get("fixes")
    if any(shown.get(name) != own[name] for name in ("repair", "cell", "error")) or not isinstance(fixes, list):
        return False
    known = [_proposal(fix) for fix in own["fixes"]]
    return all(isinstance(fix, dict) and _proposal(fix) in known for fix in fixes)


def _proposal(fix: dict[str, Any]) -> list[Any]:
    edits = fix.get("edits")
    parts = [_without(edit, ("hunks",)) for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    return [*(fix.get(name) for name in PROPOSED), fix.get("first") or [], parts]


def _without(part: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in names}
