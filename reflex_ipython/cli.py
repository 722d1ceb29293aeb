"""The command line: `reflex-ipython COMMAND`, `python -m reflex_ipython COMMAND`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from reflex_ipython.errors import BadInput
from reflex_ipython.version import __version__

BAD_INPUT = 2
"""The exit code of what can't be done as it was asked for, which is argparse's as well."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str or None
        None: those of the process.

    Returns
    -------
    int
        The exit code: 0, 2 for what can't be done as asked for, 130 if it was interrupted.
    """
    from reflex_ipython.headless.bench import command as bench

    parser = argparse.ArgumentParser(
        "reflex-ipython", description="Checked fixes for notebook cells that fail: what needs no notebook."
    )
    parser.add_argument("--version", action="version", version=f"reflex_ipython {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    made = commands.add_parser("bench", help="run cells that are known to fail, and count how often the fix is right")
    bench.add_arguments(made)
    made.set_defaults(run=bench.run)
    parsed = parser.parse_args(arguments)
    try:
        code: int = parsed.run(parsed)
    except BadInput as error:
        print(f"reflex-ipython: {error}", file=sys.stderr)
        return BAD_INPUT
    return code
