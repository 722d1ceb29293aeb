"""Which fix a command means: a repair by its ID, and one of its fixes by its number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_NUMBER = re.compile(r"[1-9][0-9]?")
_ID = re.compile(r"[0-9a-f]{1,8}")


class Which(NamedTuple):
    """The beginning of a repair's ID, empty for the latest open one; the number of its fix, 0 if that is not said."""

    repair_id: str = ""
    number: int = 0


def which(words: Sequence[str]) -> Which | None:
    """What `2`, `1a2b3c4d` or `1a2b3c4d 2` means; None for anything else.

    A number of one or two digits is a fix's: so few characters of an ID that are digits, too, need one more.
    """
    numbers = [word for word in words if _NUMBER.fullmatch(word)]
    ids = [word for word in words if word not in numbers and _ID.fullmatch(word)]
    if len(numbers) > 1 or len(ids) > 1 or len(numbers) + len(ids) < len(words):
        return None
    return Which("".join(ids), int(numbers[0]) if numbers else 0)
