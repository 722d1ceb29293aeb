"""`reflex-ipython report`: the page of figures and charts, as one file that opens offline."""

from __future__ import annotations

import argparse
import sys

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.headless.history_options import add_history, opened
from reflex_ipython.headless.log_command import written
from reflex_ipython.models import RepairFilter
from reflex_ipython.protocols import IndexedStore
from reflex_ipython.reports.log import on_another_day, repair_log
from reflex_ipython.reports.page import DETAILED, LONGEST, ROWS, page

NO_CHARTS = "no charts: `pip install 'reflex-ipython[report]'` brings what draws them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to."""
    parser.add_argument("-o", "--output", required=True, metavar="FILE.html", help="a new file")
    add_history(parser)


def run(options: argparse.Namespace) -> int:
    """Write it.

    Raises
    ------
    BadInput
        If the history can't be read, or the file can't be written.
    """
    store = opened(options)
    try:
        lines, tallies, logs = store.summaries(RepairFilter(), ROWS), store.tallies(), _logs(store)
    except StoreError as error:
        raise BadInput(str(error)) from error
    finally:
        store.close()
    written(options.output, page(lines, tallies, charts_script(), logs))
    return 0


def _logs(store: IndexedStore) -> dict[str, str]:
    """Those of the latest repairs, as many as a page can have."""
    found: dict[str, str] = {}
    length = 0
    for repair in store.find(RepairFilter(), DETAILED):
        text = repair_log(repair, on_another_day())
        length += len(text)
        if length > LONGEST:
            break
        found[repair.id] = text
    return found


def charts_script() -> str:
    """JavaScript that defines `vegaEmbed`, Vega and Vega-Lite with it (0.9 MB); empty where it is not installed."""
    try:
        import vl_convert
    except ImportError:
        print(f"reflex-ipython: {NO_CHARTS}", file=sys.stderr)
        return ""
    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
