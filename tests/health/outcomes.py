"""What a cell's run looks like from outside, in a form in which two kernels can be compared."""

from __future__ import annotations

import itertools
import re
from typing import Any

from tests.kernel.driver import MIME, Ran

Outcome = list[Any]
_SHOWN = ("stream", "display_data", "update_display_data", "execute_result", "clear_output", "error")
_OWN = {"stream": ("text",), "error": ("ename", "evalue", "traceback")}
"""Of these kinds of messages only those fields are content."""
_MASKS = (
    (re.compile(r"0x[0-9a-fA-F]{6,}"), "0x…"),
    (re.compile(r"ipykernel_\d+/\d+"), "ipykernel_…"),  # the name of a cell's code, with the process in it
    (re.compile(r"'Task-\d+'"), "'Task-…'"),  # the kernel's own tasks count as well
    (re.compile(r"\x1b\[[0-9;]*m"), ""),
    (re.compile(r"\bfd=\d+"), "fd=…"),
    (re.compile(r"^ *(CPU times|Wall time): .*$", re.MULTILINE), "(times)"),
    (re.compile(r"^(Compiler|Parser) *(time)?: .*\n", re.MULTILINE), ""),  # said only where it took a tenth of a second
)


def outcome(ran: Ran, folder: str = "") -> Outcome:
    """What a cell showed and how it ended, without what differs between any two processes.

    Streams are joined up to the next message of another kind: how they were cut is a matter of the clock.

    Parameters
    ----------
    ran : Ran
    folder : str
        A folder of that kernel's own, whose name is masked.
    """
    found: Outcome = []
    streams: dict[str, str] = {}
    for message in ran.messages:
        kind, content = message["msg_type"], message["content"]
        if kind not in _SHOWN or MIME in (content.get("data") or {}):
            continue
        if kind == "stream":
            streams[content["name"]] = streams.get(content["name"], "") + content["text"]
            continue
        _close(streams, found)
        found.append((kind, {k: v for k, v in content.items() if k in _OWN.get(kind, content)}))
    _close(streams, found)
    reply = {k: v for k, v in ran.reply.items() if k not in ("engine_info", "traceback")}
    return [_masked(entry, folder) for entry in (*found, ("reply", reply))]


def without_order(found: Outcome) -> Outcome:
    """The same with the lines of each stream sorted."""
    return [(kind, sorted(content.splitlines()) if isinstance(content, str) else content) for kind, content in found]


def ends_in_any_order(found: Outcome) -> Outcome:
    """The same with lines sorted that tell of ends and stand together: one statement has ended those."""
    return [(kind, _ends_sorted(content) if isinstance(content, str) else content) for kind, content in found]


def _ends_sorted(text: str) -> list[str]:
    groups = itertools.groupby(text.splitlines(), lambda line: line.startswith("ends"))
    return [line for ends, lines in groups for line in (sorted(lines) if ends else lines)]


def _close(streams: dict[str, str], found: Outcome) -> None:
    found += [(name, text) for name, text in sorted(streams.items())]
    streams.clear()


def _masked(value: Any, folder: str) -> Any:
    if isinstance(value, str):
        value = value.replace(folder, "(folder)") if folder else value
        for pattern, mask in _MASKS:
            value = pattern.sub(mask, value)
        return value
    if isinstance(value, dict):
        return {key: _masked(each, folder) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_masked(each, folder) for each in value)
    return value
