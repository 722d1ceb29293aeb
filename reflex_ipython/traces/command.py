"""`reflex-ipython trace`: the schema of traces, for whoever reads them in another language."""

from __future__ import annotations

import argparse
import json

from reflex_ipython.traces.documents import schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What of traces."""
    what = parser.add_subparsers(metavar="WHAT", required=True)
    made = what.add_parser("schema", help="print the JSON Schema of a trace")
    made.set_defaults(show=_schema)


def run(options: argparse.Namespace) -> int:
    """Print it.

    Raises
    ------
    BadInput
        If a file is no trace.
    """
    print(options.show(options))
    return 0


def _schema(options: argparse.Namespace) -> str:
    return json.dumps(schema(), ensure_ascii=False, indent=2)
