"""What is kept of a value while the program runs: a few words, and on request its pickle, both bounded."""

from __future__ import annotations

import base64
import io
import pickle
from typing import Any

from reflex_ipython.capture import libraries, safe_inspection
from reflex_ipython.capture.bounds import SummaryDeadline, attempt, clip
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr
from reflex_ipython.traces.recorded import RecordedValue

_TEXT = 300  # characters of one value
_SECONDS = 0.005  # to look at one value
_STRING = 200  # characters of a text that is kept as it is until the trace ends
ATOMS = frozenset(map(id, (int, float, bool, type(None))))
"""Classes whose values are kept as they are: they can't change, and take little room."""
_CONTAINERS = frozenset(map(id, (list, tuple, dict)))
_ATOM = 1_000_000  # bytes of a pickle of what is kept as it is: a large number
_ITEMS, _ITEM = 6, 30  # of a small container, and characters of a text in it


def note(value: Any) -> Any:
    """What has to be looked at now, in a form that is cheap to make; `told` makes a `RecordedValue` of it later.

    What can't change is kept as it is. Small containers of such are written at once, as `(class, text)`.

    Parameters
    ----------
    value : object
        It may be anything, and hostile: none of its own code runs.
    """
    kind = type(value)
    if id(kind) in ATOMS or (kind is str and len(value) <= _STRING):
        return value
    if id(kind) in _CONTAINERS and _is_small(value, 2):
        return kind.__name__, repr(value)
    return described(value)


def told(noted: Any, *, payload: bool = False) -> RecordedValue:
    """What `note` or `noted_with_payload` gave, as a `RecordedValue`.

    Parameters
    ----------
    noted : object
    payload : bool
        Whether it came from the latter.
    """
    if type(noted) is RecordedValue:
        return noted
    if type(noted) is tuple:
        return RecordedValue(*noted)
    return _with_payload(noted, _ATOM) if payload else described(noted)


def described(value: Any) -> RecordedValue:
    """What is known of a value."""
    kind = clip(attempt("", safe_inspection.type_name, value), 200)
    clock = SummaryDeadline(_SECONDS, _SECONDS)
    text = attempt("…", safe_repr, value, ReprBudget(clock, text=_STRING, items=10, depth=4))
    return RecordedValue(kind, clip(text, _TEXT))


def _is_small(value: Any, depth: int) -> bool:
    """Whether a container is written by Python itself as `described` would write it: no code of the user's runs."""
    if len(value) > _ITEMS:
        return False
    for item in (*value, *value.values()) if type(value) is dict else value:
        kind = type(item)
        if id(kind) in ATOMS:
            if kind is int and item.bit_length() > 64:
                return False
        elif kind is str:
            if len(item) > _ITEM:
                return False
        elif id(kind) not in _CONTAINERS or depth == 0 or not _is_small(item, depth - 1):
            return False
    return True


def noted_with_payload(value: Any, room: int) -> Any:
    """As `note`, with the value's pickle, if that is not longer than `room` bytes.

    Pickling runs code of the value's own, as `copy` does: so it is done on request alone.
    """
    kind = type(value)
    return value if id(kind) in ATOMS or (kind is str and len(value) <= _STRING) else _with_payload(value, room)


def _with_payload(value: Any, room: int) -> RecordedValue:
    found = told(note(value))
    try:
        if _size(value) > room:
            raise _TooLarge
        data = _pickled(value, room)
    except _TooLarge:
        return RecordedValue(found.type, found.text, unkept="its pickle does not fit into the budget")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - the user's own code, or a type that can't be pickled
        return RecordedValue(found.type, found.text, unkept=f"it can't be pickled: {type(error).__name__}")
    return RecordedValue(found.type, found.text, base64.b64encode(data).decode("ascii"))


def loaded(value: RecordedValue) -> Any:
    """The value as it was, made from its payload. This runs what the pickle says: only for traces of one's own.

    Raises
    ------
    Exception
        Whatever making it again raises; `ValueError` if there is no payload.
    """
    if not value.payload:
        raise ValueError(value.unkept or "there is no payload")
    return pickle.loads(base64.b64decode(value.payload))


class _TooLarge(Exception):
    pass


class _Bounded(io.BytesIO):
    """A file that raises once more is written than fits."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def write(self, data: Any) -> int:
        self._room -= memoryview(data).nbytes
        if self._room < 0:
            raise _TooLarge
        return super().write(data)


def _pickled(value: Any, room: int) -> bytes:
    file = _Bounded(room)
    pickle.Pickler(file, protocol=5).dump(value)
    return file.getvalue()


def _size(value: Any) -> int:
    """Bytes of what is known to be large before it is copied: arrays and tables."""
    numbers = libraries.array(value)
    if numbers is not None:
        return int(numbers.nbytes)
    table = libraries.frame(value)
    table = libraries.series(value) if table is None else table
    if table is None:
        return 0
    used = table.memory_usage(index=False)
    return int(used.sum()) if libraries.frame(value) is not None else int(used)
