"""`reflex-ipython heal`: what it takes."""

from __future__ import annotations

import argparse
from pathlib import Path

from reflex_ipython.headless.arguments import at_a_time, megabytes, positive, seconds
from reflex_ipython.headless.policy import POLICIES

DESCRIPTION = """\
Run notebooks from their first cell to their last, and heal the cells that fail: each fix is tried in a copy of the live
kernel, the accepted one rewrites its cell, and the run goes on where it failed. What was healed is run once more from
the top, in a fresh kernel. A notebook may be a file, a folder, or a pattern with ** in quotes."""
EPILOG = """\
exit codes: 0 it ran, or was healed; 1 a cell still fails; 2 it can't be done as asked for: an option, a notebook that
can't be read, a place that can't be written; 3 what was healed fails when it runs from the top; 4 there is no such
kernel, or it can't load reflex_ipython; 5 the kernel died; 6 out of memory; 7 a time was up; 8 a cell asks for input;
9 too much output; 130 interrupted. Of several notebooks: that of all that are not good, if they agree, else 1.
Whatever the code, what ran is written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")
    where = parser.add_argument_group("where it is written (beside the notebook, as NAME.healed.ipynb)")
    places = where.add_mutually_exclusive_group()
    places.add_argument("-o", "--output", type=Path, metavar="OUT", help="a file; for several notebooks, a folder")
    places.add_argument(
        "--in-place", action="store_true", help="in the notebook itself; the old one is kept as NAME.ipynb.bak"
    )
    where.add_argument("--report", type=Path, metavar="FILE", help="a report over all, as .html, .md or .json")
    where.add_argument("--results", type=Path, metavar="FILE.jsonl", help=(
        "where each result is written as it comes; notebooks that it has already are not run again"))  # fmt: skip
    where.add_argument("--json", action="store_true", help="print each result as a line of JSON, and nothing else")
    what = parser.add_argument_group("what is accepted")
    what.add_argument("--accept", choices=POLICIES, default="proven", help=(
        "proven: what ran in a copy of the kernel, with nothing against it and nothing that would happen twice; "
        "always: the best fix that is not dangerous; never: fixes are only listed (proven)"))  # fmt: skip
    what.add_argument(
        "--attempts", type=positive, default=3, metavar="N", help="fixes for one cell, one after the other (3)"
    )
    what.add_argument("--install", action="store_true", help="a fix may install a well-known package that is missing")
    what.add_argument("--no-verify", action="store_true", help="do not run what was healed once more")
    model = parser.add_argument_group("who proposes (what is configured; the rules alone, if no model is)")
    model.add_argument("--provider", metavar="NAME", help="`rules`: no model is asked; else who serves --model")
    model.add_argument("--model", metavar="NAME", help="the model to ask: its name, PROVIDER:NAME or local:PATH")
    model.add_argument("--base-url", metavar="URL", help="its OpenAI-compatible server")
    run = parser.add_argument_group("how it runs")
    run.add_argument("--kernel", default="", metavar="NAME", help="(the notebook's own)")
    run.add_argument("-p", "--parameter", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"), help=(
        "a name that is set, as papermill does"))  # fmt: skip
    run.add_argument("--parameters", type=Path, metavar="FILE", help="a YAML or JSON file of such names")
    run.add_argument("--timeout", type=seconds, metavar="S", help="seconds for each cell (any)")
    run.add_argument("--notebook-timeout", type=seconds, metavar="S", help="seconds for a whole notebook (any)")
    run.add_argument(
        "--memory", type=megabytes, default=0, metavar="MB", help="memory for a kernel's data; Linux (any)"
    )
    run.add_argument(
        "--max-output", type=megabytes, default=megabytes("100"), metavar="MB", help="what its cells may show (100)"
    )
    run.add_argument("--jobs", type=at_a_time, default=1, metavar="N", help="notebooks at a time (1)")
    run.add_argument("--dask", metavar="ADDRESS", help=(
        "run on the Dask cluster whose scheduler is there, tcp://HOST:PORT; `local`: one of --jobs processes here"
    ))  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Do it; gives the exit code.

    Raises
    ------
    BadInput
        If something that is asked for can't be done; nothing has run then.
    """
    from reflex_ipython.headless.heal_files import heal_files  # nbclient and nbformat come along

    return heal_files(arguments)
