"""Whether what a page shows is what the kernel has: a saved notebook may have been changed, or made, by anybody."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from reflex_ipython.present.excerpt import ExcerptBounds
from reflex_ipython.present.kept import BOUNDS, kept_fix, kept_state, without_empty
from reflex_ipython.present.panel import PanelState, document

LOOKED_AT_LATER = ("verdict", "run_options", "triable", "preview", "gives")
"""Of a fix: what may have changed since it was drawn."""
PROPOSED = ("id", "origin", "explanation")
"""Of a fix of an earlier session, beside its edits: what was proposed. What is known of it is found out anew."""


def is_fix(shown: dict[str, Any], state: PanelState) -> bool:
    """Whether a fix, as a page shows it, is one of the panel's, dangers included."""
    known = [_without(fix, LOOKED_AT_LATER) for fix in document(state)["fixes"]]
    return _without(shown, LOOKED_AT_LATER) in known


def fingerprint(fix: dict[str, Any]) -> str:
    """Of a fix, as a panel's JSON has it, without what may have changed since it was drawn."""
    written = json.dumps(_without(fix, LOOKED_AT_LATER), sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()


def is_saved(shown: dict[str, Any], state: PanelState) -> bool:
    """Whether a panel that was saved is an earlier state of this one: the same failure, and no other proposals."""
    return any(_is_kept(shown, state, bounds) for bounds in BOUNDS)


def _is_kept(shown: dict[str, Any], state: PanelState, bounds: ExcerptBounds) -> bool:
    own, fixes = document(kept_state(state, bounds)), shown.get("fixes")
    if any(shown.get(name) != own[name] for name in ("repair", "cell", "error")) or not isinstance(fixes, list):
        return False
    known = [_proposal(document(kept_fix(fix, bounds))) for fix in state.fixes]
    return all(isinstance(fix, dict) and _proposal(fix) in known for fix in fixes)


def _proposal(fix: dict[str, Any]) -> list[Any]:
    """With or without what is empty, as a page fills it in or a file leaves it out."""
    return [*(fix.get(name) or "" for name in PROPOSED), without_empty([fix.get("first") or [], fix.get("edits")])]


def _without(part: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in names}
