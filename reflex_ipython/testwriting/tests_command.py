"""`reflex-ipython tests`: tests of the calls in a trace."""

from __future__ import annotations

import argparse

from reflex_ipython.testwriting.from_trace import write_tests
from reflex_ipython.traces.documents import read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The trace, and where the tests go."""
    parser.add_argument(
        "trace",
        metavar="TRACE",
        help="a trace of your own that was saved as JSON, best with values=True: its pickles are read, in a sandbox",
    )
    parser.add_argument(
        "-o",
        metavar="FOLDER",
        dest="folder",
        default="tests",
        help="where the tests go, test_MODULE.py for each module; files that are there are extended (default: tests)",
    )


def run(options: argparse.Namespace) -> int:
    """Write them, and say what was written, what was left out, and which lines they reach.

    Raises
    ------
    BadInput
        If there is no trace, or nothing can be tried here.
    """
    found = write_tests(read(options.trace), options.folder)
    print(found)
    return 0 if found.tests or any("already" in one.why for one in found.left_out) else 1
