"""Dates with a time zone of the user's: what the zone remembers of a failed statement is undone."""

from __future__ import annotations

from datetime import datetime

import pytest

from reflex_ipython.state.kinds import zones
from reflex_ipython.state.kinds.table import KindTable
from tests.state.cells import namespace
from tests.state.halves.half import Half, check, halves

ZONE = """
import datetime
from datetime import timedelta
class Zone(datetime.tzinfo):
    asked = 0
    def utcoffset(self, when): self.asked += 1; return timedelta(0)
    def dst(self, when): return None
    def tzname(self, when): return "here"
class Day(datetime.datetime): pass
zone = Zone()
tell = lambda zone=zone: zone.asked
"""


def of(says: str, make: str, change: str) -> Half:
    return Half(says, f"{ZONE}\n{make}\nzone.asked = 0\ndel zone", change, "tell()")


@halves(
    of("a moment", "o = datetime.datetime(2020, 1, 1, tzinfo=zone)", "o.utcoffset()"),
    of("one that is shown", "o = datetime.datetime(2020, 1, 1, tzinfo=zone)", "str(o)"),
    of("the time", "o = datetime.time(1, tzinfo=zone)", "o.utcoffset()"),
    of("one of a class of the user's", "o = Day(2020, 1, 1, tzinfo=zone)", "o.utcoffset()"),
    of("some", "o = [datetime.datetime(2020, 1, 1, tzinfo=zone), 1]", "for each in o[:1]: each.utcoffset()"),
)
def test_what_the_zone_remembers_is_undone(half: Half) -> None:
    check(half)


@halves(of("a moment", "o = pd.Timestamp(datetime.datetime(2020, 1, 1, tzinfo=zone))", "o.utcoffset()"))
def test_what_that_of_pandas_remembers_is_undone(half: Half) -> None:
    check(half, pd=pytest.importorskip("pandas"))


def test_dates_have_no_contents_unless_there_is_such_a_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    namespace(ZONE)
    assert KindTable().kinds(datetime) == (zones.ZONED,)
    monkeypatch.setattr(zones, "users_derive_from", lambda *bases: False)
    assert not KindTable().kinds(datetime)
