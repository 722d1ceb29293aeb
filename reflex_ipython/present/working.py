"""What is being done for a repair, in words."""

from __future__ import annotations

from reflex_ipython.stages import Work

_WORDS = {
    "looking": "looking for a fix",
    "trying": "trying it in a copy of your kernel",
    "searching": "trying what may be meant in copies of your kernel",
}


def working(work: Work | None) -> str:
    """In words that an ellipsis may follow; empty for nothing."""
    if work is None:
        return ""
    if work.kind == "reviewing":
        return f"asking {work.whom} whether that does what you want{f' ({work.waits})' if work.waits else ''}"
    if work.kind != "asking":
        return _WORDS[work.kind]
    again = f", {work.attempt} of {work.of}: {work.why}" if work.attempt > 1 else ""
    return f"asking {work.whom}{again}{f' ({work.waits})' if work.waits else ''}"
