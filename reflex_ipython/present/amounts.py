"""Times, tokens and costs as a person reads them."""

from __future__ import annotations

from reflex_ipython.models import Usage


def usage_line(usage: Usage) -> str:
    """Tokens, seconds and cost in words."""
    parts = []
    if usage.input_tokens is not None and usage.output_tokens is not None:
        parts.append(f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens")
    parts.append(duration(usage.seconds))
    if usage.cost_usd is not None:
        parts.append(f"${usage.cost_usd:.4f}")
    return " · ".join(parts)


def duration(seconds: float) -> str:
    """A time as a person reads it."""
    if seconds < 0.01:
        return "under 0.01 s"
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
