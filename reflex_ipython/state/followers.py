"""Who has to know when living functions got another code by an accepted fix: those that keep their texts elsewhere."""

from __future__ import annotations

import weakref
from typing import Protocol


class Follower(Protocol):
    """Holds a living function."""

    def follow(self) -> str:
        """See whether that has another code by now; what came of it, in words for the user, empty if it has not."""


FOLLOWERS: weakref.WeakSet[Follower] = weakref.WeakSet()
"""All of this process. Who adds itself is forgotten with its function."""


def followed() -> list[str]:
    """Have all of them look; gives what they have to say. On the main thread, after the codes have changed."""
    words = [follower.follow() for follower in list(FOLLOWERS)]
    return sorted(filter(None, words))
