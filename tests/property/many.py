"""Many cases at a time, and the report on them."""

from __future__ import annotations

import argparse
import collections
import os
import pickle
import sys
import time
from collections.abc import Iterator
from typing import Any

from tests.property.graph import Difference
from tests.property.grammar import Case, make_case, smaller
from tests.property.judging import Judgement, judge
from tests.property.playing import warm_up
from tests.property.report import block, summary

_OF_A_FAMILY = 2
"""Cases that are printed of those that differ in the same kind of thing; of the others only the numbers."""
_ATTEMPTS = 60
"""How often a case is played to make it smaller."""


def main(arguments: argparse.Namespace) -> int:
    """Play them, print the report; 1 if anything differs silently."""
    began = time.monotonic()
    shell = warm_up()
    numbers = arguments.only or list(range(arguments.first, arguments.first + arguments.cells))
    judgements = list(_every(shell, arguments.seed, numbers, arguments.jobs, plain=arguments.plain))
    judgements.sort(key=lambda judgement: judgement.case.index)
    silent = [judgement for judgement in judgements if judgement.state == "silent"]
    for judgement in _shrunk(shell, silent, shrinking=not arguments.no_shrinking):
        print(block(judgement), flush=True)
    if arguments.only:
        for judgement in judgements:
            print(block(judgement, everything=True))
    print(summary(judgements, arguments.seed, time.monotonic() - began))
    return 1 if silent or any(judgement.state == "trouble" for judgement in judgements) else 0


def _every(shell: Any, seed: int, numbers: list[int], jobs: int, *, plain: bool) -> Iterator[Judgement]:
    """Judge each of them, some at the same time."""
    pipes = []
    for job in range(max(1, min(jobs, len(numbers)))):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            _work(shell, [make_case(seed, number) for number in numbers[job::jobs]], write, plain)
        os.close(write)
        pipes.append((os.fdopen(read, "rb"), child))
    for pipe, child in pipes:
        with pipe:
            while True:
                try:
                    yield pickle.load(pipe)
                except EOFError:
                    break
        os.waitpid(child, 0)


def _work(shell: Any, cases: list[Case], write: int, plain: bool) -> None:
    """Never comes back."""
    try:
        with os.fdopen(write, "wb") as pipe:
            for case in cases:
                pickle.dump(judge(shell, case, plain=plain), pipe)
                pipe.flush()
    except BaseException:
        import traceback

        traceback.print_exc(file=sys.stderr)
        os._exit(1)
    os._exit(0)


def _shrunk(shell: Any, silent: list[Judgement], *, shrinking: bool) -> Iterator[Judgement]:
    """One of each family, as small as it gets; then the others."""
    seen: collections.Counter[tuple[str, ...]] = collections.Counter()
    for judgement in silent:
        family = (judgement.silent[0].kind, judgement.silent[0].what)
        seen[family] += 1
        if seen[family] <= _OF_A_FAMILY:
            yield shrink(shell, judgement) if shrinking else judgement


def shrink(shell: Any, judgement: Judgement) -> Judgement:
    """The same with as few statements as still differ silently in the same kind of thing."""
    attempts = 0
    family = _family(judgement.silent[0])
    while True:
        for case in _candidates(judgement.case):
            attempts += 1
            if attempts > _ATTEMPTS:
                return judgement
            try:
                found = judge(shell, case)
            except Exception:  # noqa: BLE001 - a case that can't even be built is no smaller one
                continue
            if found.state == "silent" and family in map(_family, found.silent):
                judgement = found
                break
        else:
            return judgement


def _candidates(case: Case) -> list[Case]:
    return smaller(case)


def _family(difference: Difference) -> tuple[str, str]:
    return difference.kind, difference.what
