"""What a candidate says while its cell runs, at once, so that nothing that the cell does later can unsay it.

Whoever sees something raises an audit event of ours; the hook, which only the interpreter leads to, sends it on. So
the cell's code finds no way to the channel in any object. It may raise such events itself, and harm its own case.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from reflex_ipython.check.trial.channel import Send
from reflex_ipython.check.trial.events import PREFIX
from reflex_ipython.check.trial.origins import Origin
from reflex_ipython.check.trial.stand_ins import StandIn

_BETWEEN = "\x1f"
_MOST = 100
_LONGEST = 200  # characters of a name
_PART = 500  # characters after which a message is sent: with one more name, it is what a pipe takes at once


def pass_on(event: str, arguments: tuple[Any, ...], send: Send) -> bool:
    """Send one of our audit events; False for all others.

    Parameters
    ----------
    event : str
    arguments : tuple
    send : callable
        Sends a message to the zygote.
    """
    if not event.startswith(PREFIX):
        return False
    kind = event[len(PREFIX) :]
    if kind not in ("started", "over"):
        send(_BETWEEN.join([kind, *(word for word in arguments if type(word) is str)]).encode("utf-8", "replace"))
    return True


def started(stand_ins: list[StandIn], written: list[int]) -> Iterator[bytes]:
    """The first messages, one at least: all is set up, and the cell's code comes next.

    Parameters
    ----------
    stand_ins : list of StandIn
    written : list of int
        Of each watched mapping, how many pages were written so far.
    """
    waiting: list[str] = []
    for one in stand_ins:
        fields = [one.origin.kind, one.origin.name[:_LONGEST], one.fd, one.inode, one.size, one.inherited]
        waiting.append(json.dumps({"stand_in": fields}, ensure_ascii=False))
        if sum(map(len, waiting)) > _PART:
            yield _started(waiting)
            waiting = []
    for first in range(0, len(written), _LONGEST):
        yield _started([json.dumps({"written": written[first : first + _LONGEST]})])
    yield _started(waiting)


def _started(parts: list[str]) -> bytes:
    return _BETWEEN.join(["started", *parts]).encode("utf-8", "replace")


def replaced(what: str) -> bytes:
    """The message that says that our own code is not what it was taken for.

    Parameters
    ----------
    what : str
        In words that follow a colon.
    """
    return f"replaced{_BETWEEN}{what}".encode("utf-8", "replace")


def over(report: str) -> bytes:
    """The last word.

    Parameters
    ----------
    report : str
        A `Trial` as JSON.
    """
    return f"over{_BETWEEN}{report}".encode("utf-8", "replace")


def is_over(message: bytes) -> bool:
    """Whether it is the last word."""
    return message.startswith(b"over" + _BETWEEN.encode())


@dataclass
class Testimony:
    """All that a candidate said.

    Parameters
    ----------
    stand_ins, written
        As in `started`; nothing if it did not come so far.
    accesses : list of (str, str)
    effects : list of str
    withheld, semaphores : dict of int to int
        As in `events.tell`, by the first of the two numbers.
    raised : bool
        Whether an exception left the cell.
    tampered : str
        How the cell's code tampered with the trial; empty if it did not.
    replaced : str
        What of our own code is not what it was taken for; empty if nothing.
    report : dict or None
        What it said at the end.
    """

    stand_ins: list[StandIn] = field(default_factory=list)
    written: list[int] = field(default_factory=list)
    accesses: list[tuple[str, str]] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)
    withheld: dict[int, int] = field(default_factory=dict)
    semaphores: dict[int, int] = field(default_factory=dict)
    raised: bool = False
    tampered: str = ""
    replaced: str = ""
    report: dict[str, Any] | None = None


def read(messages: list[bytes]) -> Testimony:
    """Put the messages together."""
    found = Testimony()
    for message in messages:
        kind, *words = message.decode("utf-8", "replace").split(_BETWEEN)
        if kind == "started":
            for part in map(json.loads, words):
                found.written += part.get("written", ())
                if "stand_in" in part:
                    which, name, *numbers = part["stand_in"]
                    found.stand_ins.append(StandIn(Origin(which, name), *numbers))
        elif kind == "access" and len(words) == 2 and len(found.accesses) < _MOST:
            found.accesses.append((words[0], words[1]))
        elif kind == "effect" and words and len(found.effects) < _MOST:
            found.effects.append(words[0])
        elif kind in ("withheld", "semaphore") and (numbers := _numbers(words)):
            counts = found.withheld if kind == "withheld" else found.semaphores
            counts.setdefault(*numbers)
        elif kind == "raised":
            found.raised = True
        elif kind == "tampered":
            found.tampered = found.tampered or "".join(words) or "it said so itself"
        elif kind == "replaced":
            found.replaced = found.replaced or "".join(words) or "it said so itself"
        elif kind == "over":
            found.report = _report(_BETWEEN.join(words))
    return found


def _numbers(words: list[str]) -> tuple[int, int] | None:
    try:
        first, second = map(int, words)
    except ValueError:  # not said by us
        return None
    return first, second


def _report(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
