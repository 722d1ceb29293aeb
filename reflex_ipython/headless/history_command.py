"""`reflex-ipython history export|import|forget`: the history as JSON lines, and out of the world."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.headless.history_options import add_filters, add_history, meant, opened
from reflex_ipython.models import Repair, RepairFilter, from_json, to_json
from reflex_ipython.protocols import IndexedStore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its three commands."""
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    made = commands.add_parser("export", help="write repairs as JSON lines, the first one first")
    made.add_argument("-o", "--output", metavar="FILE", help="a new file (default: standard output)")
    made.set_defaults(work=_export)
    add_filters(made)
    add_history(made)
    made = commands.add_parser("import", help="add what was exported; a newer state of a repair is kept")
    made.add_argument("input", metavar="FILE", help="the file; -: standard input")
    made.set_defaults(work=_import)
    add_history(made)
    made = commands.add_parser("forget", help="delete repairs, and what was learnt of them")
    made.add_argument("--id", default="", metavar="ID", help="only this one")
    made.add_argument("--yes", action="store_true", help="do it; without this it is only said how many they are")
    made.set_defaults(work=_forget)
    add_filters(made)
    add_history(made)


def run(options: argparse.Namespace) -> int:
    """Run one of them.

    Raises
    ------
    BadInput
        If it can't be done.
    """
    store = opened(options)
    try:
        options.work(options, store)
    except StoreError as error:
        raise BadInput(str(error)) from error
    finally:
        store.close()
    return 0


def _export(options: argparse.Namespace, store: IndexedStore) -> None:
    count = 0
    with _target(options.output) as target:
        for repair in _oldest_first(store, meant(options)):
            target.write(json.dumps(to_json(repair)) + "\n")
            count += 1
    print(f"{count} repairs", file=sys.stderr)


def _import(options: argparse.Namespace, store: IndexedStore) -> None:
    count = 0
    with _source(options.input) as source:
        for number, line in enumerate(source, 1):
            if line.strip():
                store.save(_read(line, f"{options.input}, line {number}"))
                count += 1
    print(f"{count} repairs", file=sys.stderr)


def _forget(options: argparse.Namespace, store: IndexedStore) -> None:
    which = meant(options)
    if options.id:
        which = RepairFilter(id=store.get(options.id).id)
    if options.yes:
        print(f"{store.remove(which)} repairs forgotten")
        return
    print(f"{len(store.summaries(which, 1_000_000_000))} repairs would be forgotten: say --yes")


def _oldest_first(store: IndexedStore, which: RepairFilter) -> Iterator[Repair]:
    """In parts by their ids: neither all of them are held, nor is the file read for long."""
    ids = [line.id for line in reversed(store.summaries(which, 1_000_000_000))]
    for repair_id in ids:
        with contextlib.suppress(BadInput):  # its row is damaged, which was said, or it is gone by now
            yield store.get(repair_id)


def _read(line: str, place: str) -> Repair:
    try:
        return from_json(Repair, json.loads(line))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{place}: no repair as `history export` writes it. Those before it were added.") from error


@contextlib.contextmanager
def _target(path: str | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    try:
        with Path(path).open("x", encoding="utf-8") as target:
            Path(path).chmod(0o600)
            yield target
    except FileExistsError:
        raise BadInput(f"{path} is there already: name a new file.") from None
    except OSError as error:
        raise BadInput(f"{path} can't be written: {error.strerror}.") from error


@contextlib.contextmanager
def _source(path: str) -> Iterator[TextIO]:
    if path == "-":
        yield sys.stdin
        return
    try:
        with Path(path).open(encoding="utf-8") as source:
            yield source
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} can't be read: {error}.") from error
