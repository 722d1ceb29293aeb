"""`reflex-ipython diff`: what it takes."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.description = (
        "Show which cells of a notebook `heal` has changed: the old text, the new one, why, which repair."
    )
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")


def run(arguments: argparse.Namespace) -> int:
    """Print it; gives the exit code.

    Raises
    ------
    BadInput
        If a notebook can't be read.
    """
    from reflex_ipython.headless.changes import print_changes  # nbformat comes along

    print_changes(arguments.notebooks)
    return 0
