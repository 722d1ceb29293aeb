"""Another day, for code that runs once more."""

from __future__ import annotations

import datetime
import time
from typing import Any

import pytest

from reflex_ipython.testwriting.another_time import LATER, later, may_ask

CODE = """\
import datetime, time
from datetime import date, datetime as clock, timezone

asked = [clock.now(), clock.now(timezone.utc).replace(tzinfo=None), clock.fromtimestamp(time.time())]
asked += [clock.fromtimestamp(time.time_ns() / 1e9), datetime.datetime.today()]
days = [date.today(), date(*time.localtime()[:3]), datetime.date.today()]
fixed = [clock(2020, 1, 2, 3), date(2020, 1, 2), clock.fromisoformat("2020-01-02"), clock.min, time.gmtime(0)[0]]
kinds = [isinstance(fixed[0], clock), isinstance(fixed[0], date), isinstance(fixed[1], clock), issubclass(clock, date)]
"""


def test_whoever_asks_is_told_another_time_and_all_else_is_as_it_was() -> None:
    before, found = datetime.datetime.now(), dict[str, Any]()
    with later():
        exec(CODE, found)
    real: dict[str, Any] = {}
    exec(CODE, real)
    assert all(before + LATER - datetime.timedelta(days=1) < one for one in found["asked"])
    assert {one.year for one in found["days"]} == {(before + LATER).year}
    assert all(type(one) is datetime.datetime for one in found["asked"])
    assert (found["fixed"], found["kinds"]) == (real["fixed"], real["kinds"])
    assert abs(time.time() - datetime.datetime.now().timestamp()) < 3600, "afterwards it is now again"


@pytest.mark.parametrize(
    ("text", "asks"), [("date.today()", True), ("time.time()", True), ("np.datetime64('now')", True), ("x = 3", False)]
)
def test_code_that_can_not_ask_for_the_time_is_known(text: str, asks: bool) -> None:
    assert may_ask(text) is asks
