"""What is drawn of an interrupt that nobody can catch: at the very first line of a function of ours."""

from __future__ import annotations

import re

from rich.text import Text

ENTERED_HOOK = re.compile(
    r"File \S+reflex_ipython/state/audit\.py:\d+, in _hook[^\n]*(?:\n +\d+[^\n]*)*\n-+> \d+ def _hook\("
)
"""The frame of a drawn traceback that stands at the audit hook's very first line."""


def without_entered_hook(text: str) -> str:
    """A drawn text without its colours, and without that frame."""
    return ENTERED_HOOK.sub("", Text.from_ansi(text).plain)
