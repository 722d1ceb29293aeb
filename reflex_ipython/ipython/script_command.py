"""`reflex-ipython run SCRIPT.py [ARGS]`: its arguments, and its exit code."""

from __future__ import annotations

import argparse

ASK = ("ask", "proven", "never")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Run a script. Where it raises, the change that would mend it is shown; accepted, it is written into the file, "
        "and the script goes on from the statement that failed, with all that it has computed."
    )
    parser.add_argument("--accept", choices=ASK, default="ask", help=(
        "which changes are written: those that you say yes to (ask; where nobody can answer, none), those that ran in "
        "a copy with nothing against them (proven), or none (never)"
    ))  # fmt: skip
    parser.add_argument("script", metavar="SCRIPT.py", help="the script")
    parser.add_argument("arguments", metavar="ARGS", nargs=argparse.REMAINDER, help="the script's own arguments")


def run(arguments: argparse.Namespace) -> int:
    """Run the script; gives its exit code, 1 if it ended with an exception."""
    from reflex_ipython.ipython.script import run_script  # IPython

    return run_script(arguments.script, arguments.arguments, arguments.accept)
