"""What a trial came to, in a few characters: equal for two candidates that did the same to copies of one kernel."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from reflex_ipython.check.trial.facts import fingerprint
from reflex_ipython.models import NameChange, Trial

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


def digest(trial: Trial, namespace: Mapping[str, Any]) -> str:
    """The digest of what a run put out and did to names.

    Parameters
    ----------
    trial : Trial
        With all that was seen.
    namespace : mapping
        The user's names after the run.
    """
    parts = [_ADDRESS.sub("0x", trial.stdout), _ADDRESS.sub("0x", trial.result), trial.image, str(trial.figures)]
    parts += map(repr, _values(trial.changes, namespace))
    return hashlib.sha1("\0".join(parts).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:16]


def _values(changes: Iterable[NameChange], namespace: Mapping[str, Any]) -> Iterable[Any]:
    for change in changes:
        try:
            content = fingerprint(namespace[change.name]) if change.after is not None else None
        except Exception:  # noqa: BLE001 - a library's object in the user's hands may be broken: then nobody can tell
            content = None
        yield change.name, change.kind, change.after, content
