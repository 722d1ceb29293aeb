"""How much of each kind of fact goes into a question, from all that helps down to what can't be left out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PromptLimits:
    """How much of each kind of fact goes in."""

    library_frames: int
    value_size: int
    values: int
    earlier_size: int
    earlier_cells: int
    names: int
    attempts: int
    exceptions: int
    message_size: int
    similar: int = 0
    similar_size: int = 0


# Each step gives up what helps least: first library frames, then rows of values, then earlier cells, then the rest.
STEPS = (
    PromptLimits(2, 2_000, 12, 3_000, 8, 40, 4, 4, 2_000, 4, 1_200),
    PromptLimits(1, 700, 10, 3_000, 8, 40, 4, 4, 1_500, 3, 800),
    PromptLimits(1, 300, 10, 1_000, 5, 30, 3, 3, 1_000, 2, 500),
    PromptLimits(0, 300, 8, 500, 3, 30, 2, 2, 1_000),
    PromptLimits(0, 160, 6, 300, 1, 20, 2, 1, 600),
    PromptLimits(0, 80, 4, 0, 0, 10, 1, 1, 300),
)
