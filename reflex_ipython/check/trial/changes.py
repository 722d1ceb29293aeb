"""What a run did to the user's names."""

from __future__ import annotations

import dataclasses
import re
import time
from types import ModuleType
from typing import Any

from reflex_ipython.check.trial.facts import Fingerprint, brief, facts, fingerprint, is_immutable
from reflex_ipython.models import MOST_CHANGES, NameChange, ValueFacts

_SECONDS = 0.3  # of the processor, for the fingerprints of one look
_IPYTHONS = {"In", "Out", "exit", "quit", "get_ipython", "open"}


class Before:
    """How the namespace was before the run.

    Parameters
    ----------
    namespace : dict
        The user's names.
    source : str
        What is going to run: the names that it mentions are looked at first.
    """

    def __init__(self, namespace: dict[str, Any], source: str) -> None:
        self._values = users(namespace)  # held, so that no new object gets an old one's id
        self._facts = {name: facts(value) for name, value in self._values.items()}
        mentioned = set(re.findall(r"\w+", source))
        self._order = sorted(self._values, key=lambda name: (name not in mentioned, name))
        self._fingerprints = _fingerprints(self._values, self._order)

    def changes(self, namespace: dict[str, Any]) -> tuple[NameChange, ...]:
        """What is different now: of names that were there before, then of new ones, as they came."""
        now = users(namespace)
        kept = [name for name in self._order if now.get(name, _MISSING) is self._values[name]]
        after = _fingerprints(now, [name for name in kept if name in self._fingerprints])
        found = [*self._rebound(now), *self._changed(now, after)]
        return tuple(sorted(found, key=lambda change: change.kind == "added")[:MOST_CHANGES])

    def _rebound(self, now: dict[str, Any]) -> list[NameChange]:
        found = []
        for name, value in now.items():
            if name not in self._values:
                found.append(NameChange(name, "added", None, _told(value)))
            elif value is not self._values[name] and not _same_atom(value, self._values[name]):
                found.append(NameChange(name, "rebound", self._facts[name], _told(value)))
        removed = (name for name in self._values if name not in now)
        return [*found, *(NameChange(name, "removed", self._facts[name], None) for name in removed)]

    def _changed(self, now: dict[str, Any], after: dict[str, Fingerprint]) -> list[NameChange]:
        return [
            NameChange(name, "changed", self._facts[name], _told(now[name]))
            for name, print_ in after.items()
            if print_ != self._fingerprints[name]
        ]


_MISSING = object()


def users(namespace: dict[str, Any]) -> dict[str, Any]:
    """The names that are the user's own: no modules, nothing with an underscore in front, nothing of IPython's."""
    return {
        name: value
        for name, value in namespace.items()
        if type(name) is str
        and not name.startswith("_")
        and name not in _IPYTHONS
        and not issubclass(type(value), ModuleType)
    }


def _told(value: Any) -> ValueFacts:
    """What is told of a value after the run: its facts and, of a small plain one, its text."""
    return dataclasses.replace(facts(value), text=brief(value))


def _same_atom(one: Any, other: Any) -> bool:
    """`n = 1` once more is no change."""
    return type(one) is type(other) and is_immutable(one) and bool(one == other)


def _fingerprints(values: dict[str, Any], names: list[str]) -> dict[str, Fingerprint]:
    """Of as many values as there is time for."""
    end = time.thread_time() + _SECONDS
    found: dict[str, Fingerprint] = {}
    for name in names:
        if time.thread_time() > end:
            break
        try:
            found[name] = fingerprint(values[name])
        except Exception:  # noqa: BLE001 - a library's object in the user's hands may be broken: then nobody can tell
            continue
    return found
