"""Summaries of numpy arrays and torch tensors: shape, type, range, first values. A large one is not read as a whole."""

from __future__ import annotations

from typing import Any

from reflex_ipython.capture import libraries
from reflex_ipython.capture.bounds import SummaryDeadline, clip
from reflex_ipython.capture.safe_repr import ReprBudget, safe_repr

_SCANNED = 100_000  # elements of which the range is told: well under a millisecond
_FIRST = 6


def summarize(value: Any, clock: SummaryDeadline) -> str | None:
    """The text for an array or tensor; None if it is neither."""
    if (numbers := libraries.array(value)) is not None:
        return _array(numbers, clock)
    if (numbers := libraries.tensor(value)) is not None:
        return _tensor(numbers, clock)
    return None


def _array(numbers: Any, clock: SummaryDeadline) -> str:
    parts = [f"array, shape {numbers.shape}", clip(f"dtype {numbers.dtype}", 200)]
    if numbers.dtype.kind in "biuf" and 0 < numbers.size <= _SCANNED:
        parts.append(_range(numbers))
    first = numbers.flat[:_FIRST].astype(str) if numbers.dtype.kind in "mM" else numbers.flat[:_FIRST]
    budget = ReprBudget(clock, text=40, depth=2)
    more = ", …" if numbers.size > _FIRST else ""
    parts.append(f"first values {', '.join(safe_repr(one, budget) for one in first.tolist())}{more}")
    return "; ".join(part for part in parts if part)


def _range(numbers: Any) -> str:
    if numbers.dtype.kind != "f":
        return f"from {numbers.min()} to {numbers.max()}"
    missing = numbers != numbers
    known = numbers[~missing]
    text = f"from {known.min()} to {known.max()}" if known.size else ""
    count = int(missing.sum())
    return "; ".join(part for part in (text, f"{count:,} NaN" if count else "") if part)


def _tensor(numbers: Any, clock: SummaryDeadline) -> str:
    parts = [f"tensor, shape {tuple(numbers.shape)}", f"dtype {numbers.dtype}", f"device {numbers.device}"]
    if numbers.requires_grad:
        parts.append("requires grad")
    # A tensor elsewhere would have to wait for its device.
    if numbers.device.type == "cpu" and 0 < numbers.numel() <= _SCANNED and str(numbers.layout) == "torch.strided":
        plain = numbers.detach()
        budget = ReprBudget(clock, text=40, depth=2)
        if not plain.is_complex():
            parts.append(f"from {plain.min().item()} to {plain.max().item()}")
        parts.append(f"first values {', '.join(safe_repr(one, budget) for one in plain.flatten()[:_FIRST].tolist())}")
    return "; ".join(parts)
