"""Those who follow what happens to all requests."""

from __future__ import annotations

import asyncio

import pytest

from reflex_ipython.server.jobs import Busy
from reflex_ipython.server.live_log import ROOM, LiveLog


def test_who_goes_away_makes_room_at_once() -> None:
    log = LiveLog(1)

    async def follow() -> str:
        with log.followed() as follower:
            with pytest.raises(Busy), log.followed():
                pass
            asyncio.get_running_loop().call_soon(follower.leave)
            message = await follower.next(3_600)  # would wait as long
            assert follower.gone
            return message

    assert asyncio.run(follow()) == ""
    with log.followed():
        pass


def test_who_is_slow_is_told_how_much_it_has_missed() -> None:
    log = LiveLog(1)

    async def follow() -> list[str]:
        with log.followed() as follower:
            for number in range(ROOM + 5):
                log.publish("text", {"number": number})
            seen = [await follower.next(3_600) for _ in range(3)]
            log.publish("text", {"number": -1})
            follower.leave()
            while "-1" not in seen[-1]:
                seen.append(await follower.next(3_600))
            return seen

    seen = asyncio.run(follow())
    assert seen[-2:] == ['event: lost\ndata: {"messages": 5}\n\n', 'event: text\ndata: {"number": -1}\n\n']
