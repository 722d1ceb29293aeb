"""A clock that stands while a call is made, and how a test stops it: by time-machine if that is installed, or mocks."""

from __future__ import annotations

import contextlib
import datetime
import importlib.util
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, Protocol
from unittest.mock import patch

from reflex_ipython.testwriting.literals import CannotWrite, Literal, literal
from reflex_ipython.testwriting.staging import Staging

TIME_ZONES = "asks for the time in zones that can't be written down"
STANDS = "the clock stands"
_ZONES = "zoneinfo" + os.sep
_NAMES = {"time": "seconds", "time_ns": "nanoseconds", "utcnow": "utc_now"}

Asked = tuple[str, str, str]
"""As `outside.Outside.clock` has it."""


class Clock(Protocol):
    """One that stands."""

    def stopped(self, asked: Iterable[Asked]) -> contextlib.AbstractContextManager[None]:
        """It stands in the block for those that ask it."""

    def stage(self, staging: Staging) -> None:
        """Say the same in a test. Raises `CannotWrite` if that can't be said."""


def clock_of(moment: float) -> Clock:
    """A clock that stands at a moment, in seconds since 1970."""
    zone = _zone()
    if zone and importlib.util.find_spec("time_machine") is not None:
        return _Travel(moment, zone)
    return _Mocks(moment)


class _Travel:
    """Of time-machine: for all who ask, in the time zone of this machine."""

    def __init__(self, moment: float, zone: str) -> None:
        from zoneinfo import ZoneInfo

        self._now = datetime.datetime.fromtimestamp(moment, ZoneInfo(zone))
        self._zone = zone

    @contextlib.contextmanager
    def stopped(self, asked: Iterable[Asked]) -> Iterator[None]:
        import time_machine  # type: ignore[import-not-found, unused-ignore]  # of the user's own environment

        with time_machine.travel(self._now, tick=False):
            yield

    def stage(self, staging: Staging) -> None:
        text = f"{self._now.replace(tzinfo=None)!r}".removesuffix(")") + f', tzinfo=ZoneInfo("{self._zone}"))'
        staging.given.append(("now", Literal(text)))
        staging.imports += ["import datetime", "from zoneinfo import ZoneInfo", "import time_machine"]
        staging.contexts.append("time_machine.travel(now, tick=False)")
        staging.words.append(STANDS)


class _Mocks:
    """Of `unittest.mock`, in the place of the names that the asking modules have for classes, modules and functions."""

    def __init__(self, moment: float) -> None:
        self._moment = moment
        self._mocks: dict[str, tuple[Any, Any]] = {}  # with what each stands for, by the target
        self._told: list[tuple[str, str, Any, str, str]] = []  # target, way to the function, its mock, owner, name

    @contextlib.contextmanager
    def stopped(self, asked: Iterable[Asked]) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            for module, owner, name in asked:
                if owner == "time":
                    self._function(stack, module, name)
                else:
                    self._class(stack, module, owner, name)
            yield

    def _function(self, stack: contextlib.ExitStack, module: str, name: str) -> None:
        real = getattr(time, name)
        names = [f"{module}.{bound}" for bound, value in vars(sys.modules[module]).items() if value is real]
        for target in (*names, f"time.{name}"):
            mock = stack.enter_context(patch(target, return_value=self._value("time", name)))
            self._told.append((target, "", mock, "time", name))

    def _class(self, stack: contextlib.ExitStack, module: str, owner: str, name: str) -> None:
        for bound, found in list(vars(sys.modules[module]).items()):
            target = f"{module}.{bound}"
            _, real = self._mocks.get(target, (None, found))
            if real is not datetime and real is not getattr(datetime, owner):
                continue
            if target not in self._mocks:
                self._mocks[target] = stack.enter_context(patch(target, wraps=real)), real
            way = f"{owner}.{name}" if real is datetime else name
            mock = self._mocks[target][0]
            for part in way.split("."):
                mock = getattr(mock, part)
            mock.side_effect = lambda tz=None, owner=owner, name=name: self._value(owner, name, tz)
            self._told.append((target, way, mock, owner, name))

    def _value(self, owner: str, name: str, zone: Any = None) -> Any:
        if owner == "time":
            return round(self._moment * 1000) * 1_000_000 if name == "time_ns" else self._moment
        if name == "utcnow":
            return datetime.datetime.fromtimestamp(self._moment, datetime.timezone.utc).replace(tzinfo=None)
        now = datetime.datetime.fromtimestamp(self._moment, zone)
        return now.date() if owner == "date" else now

    def stage(self, staging: Staging) -> None:
        aliases: dict[str, str] = {}
        for target, way, mock, owner, name in self._told:
            if not mock.called:
                continue
            parameter = _NAMES.get(name, "today" if owner == "date" else "now")
            self._give(staging, parameter, mock, owner, name)
            if owner == "time":
                staging.contexts.append(f'patch("{target}", return_value={parameter})')
                continue
            if target not in aliases:
                aliases[target] = f"clock_{len(aliases) + 1}" if aliases else "clock"
                real = self._mocks[target][1]
                wraps = "datetime" if real is datetime else f"datetime.{owner}"
                staging.contexts.append(f'patch("{target}", wraps={wraps}) as {aliases[target]}')
                staging.imports.append("import datetime")
            staging.inside.append(f"{aliases[target]}.{way}.return_value = {parameter}")
        if staging.contexts:
            staging.imports.append("from unittest.mock import patch")
            staging.words.append(STANDS)

    def _give(self, staging: Staging, parameter: str, mock: Any, owner: str, name: str) -> None:
        """The time that a mock has told, as a parameter."""
        zones = {repr(zone): zone for zone in map(_asked_zone, mock.call_args_list)}
        known = dict(staging.given).get(parameter)
        try:
            found = literal(self._value(owner, name, *zones.values()))
        except (CannotWrite, TypeError):
            raise CannotWrite(TIME_ZONES) from None
        if known is None:
            staging.given.append((parameter, found))
            staging.imports += found.imports
        elif known != found:
            raise CannotWrite(TIME_ZONES)


def _asked_zone(call: Any) -> Any:
    return call.args[0] if call.args else call.kwargs.get("tz")


def _zone() -> str:
    """The name of this machine's time zone; empty: it has none that others know."""
    name = os.environ.get("TZ", "").lstrip(":") or os.path.realpath("/etc/localtime").rpartition(_ZONES)[2]
    if not name and not time.timezone and not time.daylight:
        return "UTC"
    from zoneinfo import ZoneInfo

    try:
        return str(ZoneInfo(name))
    except (ValueError, OSError, KeyError):
        return ""
