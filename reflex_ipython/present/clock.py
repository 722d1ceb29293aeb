"""Times as a person reads them."""

from __future__ import annotations

from datetime import datetime


def local_time(at: str, now: datetime | None = None, *, brief: bool = False) -> str:
    """A moment in local time: today as the time only, else with the date.

    Parameters
    ----------
    at : str
        ISO 8601. What is none is given back as it is.
    now : datetime or None
        The time now, with a time zone: times are shown in it. None: the computer's.
    brief : bool
        Of other days, the date only.
    """
    now = now or datetime.now().astimezone()
    try:
        moment = datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone(now.tzinfo)
    except (ValueError, OverflowError):
        return at
    if moment.date() == now.date():
        return f"{moment:%H:%M}"
    return f"{moment:%Y-%m-%d}" if brief else f"{moment:%Y-%m-%d %H:%M}"
