"""Which history a command of the command line reads, and which repairs of it."""

from __future__ import annotations

import argparse
import re
import sys
import time
from datetime import datetime

from reflex_ipython.errors import BadInput
from reflex_ipython.models import RepairFilter, moment
from reflex_ipython.protocols import IndexedStore, StoreContext
from reflex_ipython.settings import Settings


def add_history(parser: argparse.ArgumentParser) -> None:
    """Which history."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--file", metavar="FILE", help="the history's file (default: the one in your data folder)")
    where.add_argument(
        "--url", metavar="URL", help="the address of a shared one: postgresql+psycopg://user@host/database"
    )


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Which repairs."""
    parser.add_argument("--session", default="", metavar="ID", help="only those of one session")
    parser.add_argument("--class", dest="ename", default="", metavar="NAME", help="only those of an exception's class")
    parser.add_argument("--notebook", default="", metavar="NAME", help="only those of a notebook, by its name")
    parser.add_argument("--search", default="", metavar="TEXT", help="only those with all of these words")
    parser.add_argument("--since", type=_moment, default=None, metavar="WHEN", help="from a date on, 2026-11-03 or 7d")
    parser.add_argument("--until", type=_moment, default=None, metavar="WHEN", help="before a date")


def meant(options: argparse.Namespace) -> RepairFilter:
    """The repairs that are meant."""
    return RepairFilter(
        text=options.search,
        ename=options.ename,
        notebook=options.notebook,
        session=options.session,
        since=options.since or "",
        until=options.until or "",
    )


def opened(options: argparse.Namespace) -> IndexedStore:
    """The history that is meant; what is wrong with a row of it is said."""

    def warn(text: str) -> None:
        print(f"reflex-ipython: {text}", file=sys.stderr)

    if options.url:
        from reflex_ipython.remember.postgresql import PostgreSqlStore

        return PostgreSqlStore(options.url, warn)
    from reflex_ipython.remember.store import SqliteStore

    settings = Settings(history_file=options.file, history_size=None)
    store = SqliteStore(StoreContext(lambda: settings), warn, patience=5.0)
    if options.file and not store.path.parent.is_dir():
        raise BadInput(f"There is no folder {store.path.parent}.")
    return store


def _moment(text: str) -> str:
    days = re.fullmatch(r"(\d{1,5})d", text)
    try:
        if days:
            return moment(time.time() - 86_400 * int(days[1]))
        return moment(datetime.fromisoformat(text).astimezone().timestamp())
    except (ValueError, OverflowError, OSError):
        raise argparse.ArgumentTypeError(f"{text!r} is no date: give 2026-11-03, or 7d") from None
