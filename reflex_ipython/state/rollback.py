"""Putting notes back, and making sure of it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from reflex_ipython.state.kinds.kind import CannotRestore
from reflex_ipython.state.noted import Note


class Outcome(NamedTuple):
    """An object that is not as it was: the name that it belongs to, and why."""

    label: str
    why: str
    o: Any


def put_back(notes: list[tuple[str, Note]], first: int) -> Iterator[Outcome]:
    """Put every object back that has changed, and say which are not as they were.

    Two notes may be of the same data, as `os.environ` and the dict inside it: the one that was made first is right.

    Parameters
    ----------
    notes : list of (str, Note)
        With the name that each belongs to, in the order in which they were made.
    first : int
        How many of them were made at the time that is gone back to. What came later counts only where these say
        nothing.

    Yields
    ------
    Outcome
    """
    changed = [(place < first, label, note) for place, (label, note) in enumerate(notes) if not _same(note)]
    troubles, as_noted = {}, set()
    for place, (_, _, note) in reversed([*enumerate(changed)]):
        troubles[place] = _restore(note)
        if _same(note):
            as_noted.add(place)
    for place, (decides, label, note) in enumerate(changed):
        trouble = troubles[place]
        overruled = not decides and place in as_noted
        if trouble is None and not overruled and not _same(note):  # trust nothing that was not looked at afterwards
            trouble = f"its {note[0].name} could not be put back"
        if trouble is not None:
            yield Outcome(label, trouble, note[1])


def still_there(outcomes: list[Outcome], bindings: Container[str]) -> list[str]:
    """Those that matter, in words: an object that came after the mark, and that nobody holds any more, does not.

    Parameters
    ----------
    outcomes : list of Outcome
        The only ones to hold those objects, besides the namespace.
    bindings : container of str
        The names that there are again.
    """
    certain = [outcome for outcome in outcomes if outcome.label in bindings]
    later = [outcome for outcome in outcomes if outcome.label not in bindings]
    held = _held(later)
    if held:
        gc.collect()  # it may be that only garbage holds it
        held = _held(later)
    return [f"{outcome.label} ({outcome.why})" for outcome in certain + held]


def _held(outcomes: list[Outcome]) -> list[Outcome]:
    alone = _references(Outcome("", "", object()))
    return [outcome for outcome in outcomes if _references(outcome) > alone]


def _references(outcome: Outcome) -> int:
    return sys.getrefcount(outcome.o)


def _same(note: Note) -> bool:
    try:
        kind, o, saved = note
        return kind.same(o, saved)
    except Exception:  # noqa: BLE001 - an object of an extension module; it is then restored and looked at again
        return False


def _restore(note: Note) -> str | None:
    """None if it worked, as far as one knows; else why not."""
    try:
        kind, o, saved = note
        assert kind.restore is not None, kind.name
        kind.restore(o, saved)
    except CannotRestore as reason:
        return str(reason)
    except Exception as problem:  # noqa: BLE001 - an object of an extension module; the others are still put back
        return f"{type(problem).__name__} while putting it back"
    return None
