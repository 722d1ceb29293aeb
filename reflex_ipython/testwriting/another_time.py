"""Another day, for code that runs once more: what depends on the clock is another one then."""

from __future__ import annotations

import contextlib
import datetime
import re
import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

LATER = datetime.timedelta(days=400, hours=5, minutes=7, seconds=11)
"""Another year, month, weekday, hour, minute and second."""
_ASKS = re.compile(r"\b(?:now|today|utcnow|time|time_ns|localtime|gmtime)\b")
_SECONDS = LATER.total_seconds()


def may_ask(text: str) -> bool:
    """Whether code may ask for the time."""
    return _ASKS.search(text) is not None


@contextlib.contextmanager
def later() -> Iterator[None]:
    """For whoever imports or asks `datetime` and `time` in the block, it is so much later.

    Objects are those of the real classes; but what pickles them, or derives from these classes, fails.
    """
    real_time, real_ns, real_local, real_utc = time.time, time.time_ns, time.localtime, time.gmtime
    with (
        patch("datetime.datetime", _later(datetime.datetime)),
        patch("datetime.date", _later(datetime.date)),
        patch("time.time", lambda: real_time() + _SECONDS),
        patch("time.time_ns", lambda: real_ns() + int(_SECONDS * 1e9)),
        patch("time.localtime", lambda seconds=None: real_local(_or_later(seconds, real_time))),
        patch("time.gmtime", lambda seconds=None: real_utc(_or_later(seconds, real_time))),
    ):
        yield


def _or_later(seconds: float | None, real: Any) -> float:
    return real() + _SECONDS if seconds is None else seconds


def _later(real: Any) -> Any:
    """A class in the place of `datetime` or `date`, which makes objects of the real one."""

    class Meta(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, real)

        def __subclasscheck__(cls, other: type) -> bool:
            return issubclass(getattr(other, "real", other), real)

        def __getattr__(cls, name: str) -> Any:
            return real if name == "real" else getattr(real, name)

    def now(zone: datetime.tzinfo | None = None, *, tz: datetime.tzinfo | None = None) -> Any:
        return real.now(zone or tz) + LATER

    class Later(metaclass=Meta):
        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            return real(*args, **kwargs)

        today = staticmethod(lambda: real.fromtimestamp(time.time()))

    if hasattr(real, "now"):
        Later.now, Later.utcnow = staticmethod(now), staticmethod(lambda: real.utcnow() + LATER)  # type: ignore[attr-defined]
    Later.__name__, Later.__qualname__, Later.__module__ = real.__name__, real.__qualname__, real.__module__
    return Later
