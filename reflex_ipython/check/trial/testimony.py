"""What a candidate says while its cell runs, at once, so that nothing that the cell does later can unsay it.

Whoever sees something raises an audit event of ours; the hook, which only the interpreter leads to, sends it on. So
the cell's code finds no way to the channel in any object. It may raise such events itself, and harm its own case.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from reflex_ipython.check.trial.channel import Send
from reflex_ipython.check.trial.events import PREFIX
from reflex_ipython.check.trial.origins import Origin
from reflex_ipython.check.trial.stand_ins import StandIn

_BETWEEN = "\x1f"
_MOST = 100


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


def started(stand_ins: list[StandIn], written: list[int]) -> bytes:
    """The first message: all is set up, and the cell's code comes next.

    Parameters
    ----------
    stand_ins : list of StandIn
    written : list of int
        Of each watched mapping, how many pages were written so far.
    """
    told = [[one.origin.kind, one.origin.name, one.fd, one.inode, one.size, one.inherited] for one in stand_ins]
    return f"started{_BETWEEN}{json.dumps([told, written])}".encode("utf-8", "replace")


def tampered(how: str) -> bytes:
    """The message that says that nothing is proven.

    Parameters
    ----------
    how : str
        In words that follow a colon.
    """
    return f"tampered{_BETWEEN}{how}".encode("utf-8", "replace")


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
    raised : bool
        Whether an exception left the cell.
    tampered : str
        How the cell's code tampered with the trial; empty if it did not.
    report : dict or None
        What it said at the end.
    """

    stand_ins: list[StandIn] = field(default_factory=list)
    written: list[int] = field(default_factory=list)
    accesses: list[tuple[str, str]] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)
    raised: bool = False
    tampered: str = ""
    report: dict[str, Any] | None = None


def read(messages: list[bytes]) -> Testimony:
    """Put the messages together."""
    found = Testimony()
    for message in messages:
        kind, *words = message.decode("utf-8", "replace").split(_BETWEEN)
        if kind == "started":
            told, found.written = json.loads(words[0])
            found.stand_ins = [StandIn(Origin(which, name), *numbers) for which, name, *numbers in told]
        elif kind == "access" and len(words) == 2 and len(found.accesses) < _MOST:
            found.accesses.append((words[0], words[1]))
        elif kind == "effect" and words and len(found.effects) < _MOST:
            found.effects.append(words[0])
        elif kind == "raised":
            found.raised = True
        elif kind == "tampered":
            found.tampered = found.tampered or "".join(words) or "it said so itself"
        elif kind == "over":
            found.report = _report(_BETWEEN.join(words))
    return found


def _report(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
