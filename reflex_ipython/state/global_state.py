"""What any statement may change without naming it: random state, environment, folder, options, loggers, figures.

Each is noted before every statement, shallowly, and outside the bounds: they are few and small.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from types import CodeType
from typing import Any

from reflex_ipython.state.kinds.containers import DICT
from reflex_ipython.state.kinds.families import FAMILIES
from reflex_ipython.state.kinds.kind import NOTHING, Kind
from reflex_ipython.state.snapshots import Snapshot

_SHARED = tuple(family.shared for family in FAMILIES if hasattr(family, "shared"))


def global_kinds() -> list[Kind]:
    """Their kinds, for the documented table."""
    return [kind for _, kind, _ in _everything()]


class Shallow:
    """A walk that goes nowhere (`kinds.kind.ObjectWalk`).

    Parameters
    ----------
    at_hand : sequence of str
        The modules of libraries that the code can get at.
    """

    attributes: set[str] = set()  # noqa: RUF012 - nothing is ever put in
    remembered: dict[int, Any] = {}  # noqa: RUF012 - as above

    def __init__(self, at_hand: Sequence[str] = ()) -> None:
        self.at_hand = at_hand

    def follow(self, children: Collection[object]) -> bool:
        return False

    def elsewhere(self, o: object) -> None:
        """Nothing is looked at anyway."""

    def expect(self, children: Iterator[object], count: int) -> None:
        """Any number will do."""

    def hold(self, size: int) -> None:
        """Any size will do."""

    def copying(self, copy: Callable[[], Any], size: int = 0) -> Any:
        return copy()

    def earlier(self, o: object) -> Any:
        return NOTHING

    def keep(self, o: object, saved: Any) -> Any:
        return saved

    def run(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """Not looked at."""

    def module(self, module: Any) -> None:
        """Not looked at."""

    def library_class(self, cls: type) -> None:
        """Not looked at."""

    def snapshot(self, kind: Kind, o: object) -> None:
        """Not noted."""


def global_state(namespace: dict[str, Any], at_hand: Sequence[str] = ()) -> list[tuple[str, Snapshot]]:
    """What is noted of it now, with a label for each. `at_hand`: the modules that the code can get at."""
    walk = Shallow(at_hand)
    found = []
    for label, kind, o in (*_everything(), *_hidden(namespace)):
        saved = kind.snapshot(o, walk)
        found.append((label, (kind, o, saved)))
    return found


def _everything() -> Iterator[tuple[str, Kind, Any]]:
    for shared in _SHARED:
        yield from shared()


def _hidden(namespace: dict[str, Any]) -> Iterator[tuple[str, Kind, Any]]:
    """What `x: int` and a warning write into without naming it."""
    for name in ("__annotations__", "__warningregistry__"):
        if type(namespace.get(name)) is dict:
            yield name, DICT, namespace[name]
