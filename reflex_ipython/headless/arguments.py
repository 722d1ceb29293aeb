"""What the commands of this room have in common: numbers, models and files on the command line."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from reflex_ipython.errors import BadInput
from reflex_ipython.propose.local.model_file import model_file
from reflex_ipython.propose.presets import LOCAL, split


def at_a_time(text: str) -> int:
    """How many at a time: at most four for each processor."""
    return min(positive(text), 4 * (os.cpu_count() or 1))


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def seconds(text: str) -> float:
    """A time in seconds."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return found


def megabytes(text: str) -> int:
    """A size in MB, in bytes."""
    return positive(text) * 1_000_000


def model_settings(model: str, base_url: str | None) -> list[tuple[str, Any]]:
    """The settings that a model's name means, as for `%reflex model`: `groq:NAME`, `local:PATH`."""
    provider, name = ("", model) if base_url else split(model)
    if provider == LOCAL:
        name = str(model_file(name))  # the kernels run in folders of their own
    chosen = {"provider": provider, "model": name, "base_url": base_url}
    return [(setting, value) for setting, value in chosen.items() if value]


def try_to_write(path: Path) -> None:
    """Say now what could not be written later.

    Raises
    ------
    BadInput
        If the file can't be written.
    """
    try:
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise BadInput(f"{path} can't be written: {error.strerror}.") from None
