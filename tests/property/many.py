"""Many cases at a time, and the report on them."""

from __future__ import annotations

import argparse
import collections
import multiprocessing
import multiprocessing.connection
import os
import sys
import time
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

from tests.property.grammar import Case, make_case
from tests.property.judging import Judgement, judge
from tests.property.playing import warm_up
from tests.property.report import Family, block, family_of, summary
from tests.property.shrinking import ATTEMPTS, Shrinking

_OF_A_FAMILY = 2
"""Cases that are printed of those that differ in the same kind of thing; of the others only the numbers."""


def main(arguments: argparse.Namespace) -> int:
    """Play them, print the report; 1 if anything differs silently."""
    began = time.monotonic()
    shell = warm_up()
    numbers = arguments.only or list(range(arguments.first, arguments.first + arguments.cells))
    judgements = []
    for judgement in _every(shell, arguments.seed, numbers, arguments.jobs, plain=arguments.plain):
        judgements.append(judgement)
        if len(judgements) % 100 == 0:
            print(f"{len(judgements)} of {len(numbers)}", file=sys.stderr, flush=True)
    judgements.sort(key=lambda judgement: judgement.case.index)
    silent = [judgement for judgement in judgements if judgement.state == "silent"]
    shrinking = Shrinking(shell, attempts=0 if arguments.no_shrinking else ATTEMPTS)
    families: collections.Counter[Family] = collections.Counter()
    for judgement in silent:
        family = family_of(judgement.silent[0])
        families[family] += 1
        if families[family] <= _OF_A_FAMILY:
            print(block(shrinking.smallest(judgement)), flush=True)
    if arguments.only:
        for judgement in judgements:
            print(block(judgement, everything=True))
    print(summary(judgements, arguments.seed, time.monotonic() - began))
    if len(judgements) < len(numbers):
        print(f"{len(numbers) - len(judgements)} of {len(numbers)} were not judged")
    bad = silent or len(judgements) < len(numbers) or any(judgement.state == "trouble" for judgement in judgements)
    return 1 if bad else 0


def _every(shell: Any, seed: int, numbers: list[int], jobs: int, *, plain: bool) -> Iterator[Judgement]:
    """Judge each of them, some at the same time."""
    jobs = max(1, min(jobs, len(numbers)))
    workers = dict(
        _worker(shell, [make_case(seed, number) for number in numbers[job::jobs]], plain) for job in range(jobs)
    )
    while workers:
        for ready in multiprocessing.connection.wait(list(workers)):
            assert isinstance(ready, Connection)
            try:
                yield ready.recv()
            except EOFError:
                ready.close()
                os.waitpid(workers.pop(ready), 0)


def _worker(shell: Any, cases: list[Case], plain: bool) -> tuple[Connection, int]:
    """Fork a process that judges these; gives where its judgements come out, and its id."""
    out, into = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child:
        into.close()
        return out, child
    try:
        for case in cases:
            into.send(judge(shell, case, plain=plain))
    except BaseException:  # noqa: BLE001 - in a forked process: nothing may go up from here
        traceback.print_exc(file=sys.stderr)
        os._exit(1)
    os._exit(0)
