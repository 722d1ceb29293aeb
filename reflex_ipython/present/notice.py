"""A line for the user, with how it is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "good", "warning", "bad"]


@dataclass(frozen=True)
class Notice:
    """A line of text with its colour."""

    text: str
    tone: Tone = "plain"
