"""Frequencies of pandas that are written as words: `resample("month")`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers

_CODES = {
    "day": ("D",), "daily": ("D",), "week": ("W",), "weekly": ("W",), "hour": ("h",), "hourly": ("h",),
    "minute": ("min",), "second": ("s",), "month": ("MS", "ME"), "monthly": ("MS", "ME"), "quarter": ("QS", "QE"),
    "quarterly": ("QS", "QE"), "year": ("YS", "YE"), "yearly": ("YS", "YE"), "annual": ("YS", "YE"),
    "business": ("B",), "weekday": ("B",), "d": ("D",), "w": ("W",), "millisecond": ("ms",),
    "hr": ("h",), "hrs": ("h",), "sec": ("s",), "secs": ("s",), "mins": ("min",), "mon": ("MS", "ME"),
}  # fmt: skip
"""What pandas calls what is meant; of a period that has them, its start and its end."""
_WRITTEN = re.compile(r"(\d*)\s*([A-Za-z]+)")


def _word(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`resample("month")`: `resample("MS")`, the start of each month, or `"ME"`, its end."""
    for node in scene.every(ast.Constant):
        written = _WRITTEN.fullmatch(node.value.strip()) if isinstance(node.value, str) else None
        if written is None or written[2] not in found["frequency"]:
            continue
        word = written[2].lower()
        codes = _CODES.get(word) or _CODES.get(word.removesuffix("s"), ())
        for place, code in enumerate(codes):
            quote = scene.text(node)[-1]
            if place == 0 and len(codes) == 2:
                why = f"pandas has no frequency {node.value!r}: `{code}` is its first day."
            elif place:
                why = f"pandas has no frequency {node.value!r}: `{code}` is its last day."
            else:
                why = f"pandas has no frequency {node.value!r}: it is called `{code}`."
            edit = scene.put(node, f"{quote}{written[1]}{code}{quote}")
            yield scene.proposal([edit], why, "code of a frequency", 0.93 if len(codes) == 1 else 0.6 - 0.1 * place)


frequencies: Rule = answers("frequencies", (r"ValueError: Invalid frequency: (?P<frequency>[^,.]*)", _word))

RULES = (frequencies,)
