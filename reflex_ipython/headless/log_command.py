"""`reflex-ipython log`: a session or a repair as Markdown."""

from __future__ import annotations

import argparse
from pathlib import Path

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.headless.history_options import add_history, opened
from reflex_ipython.models import RepairFilter
from reflex_ipython.reports.log import repair_log, session_log

_REPAIRS = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What, and where to."""
    parser.add_argument("id", nargs="?", default="", metavar="ID", help="one repair; the first characters are enough")
    parser.add_argument("--session", default="", metavar="ID", help="all of a session (default: the latest)")
    parser.add_argument("-o", "--output", metavar="FILE.md", help="a new file (default: standard output)")
    add_history(parser)


def run(options: argparse.Namespace) -> int:
    """Write it.

    Raises
    ------
    BadInput
        If there is no such repair or session, or the file can't be written.
    """
    store = opened(options)
    try:
        if options.id:
            text = repair_log(store.get(options.id))
        else:
            latest = store.recent(1)
            session = options.session or (latest[0].session if latest else "")
            repairs = store.find(RepairFilter(session=session), _REPAIRS) if session else []
            if not repairs:
                raise BadInput("There is no such session: `%reflex show ID` says which one a repair is of.")
            text = session_log(repairs)
    except StoreError as error:
        raise BadInput(str(error)) from error
    finally:
        store.close()
    written(options.output, text)
    return 0


def written(path: str | None, text: str) -> None:
    """Write a text into a new file, or print it."""
    if path is None:
        print(text)
        return
    try:
        with Path(path).open("x", encoding="utf-8") as target:
            Path(path).chmod(0o600)  # it holds code
            target.write(text)
    except FileExistsError:
        raise BadInput(f"{path} is there already: name a new file.") from None
    except OSError as error:
        raise BadInput(f"{path} can't be written: {error.strerror}.") from error
