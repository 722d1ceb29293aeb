"""The search for all that may be meant by a cell that does not parse: up to three edits, the likeliest first."""

from __future__ import annotations

import ast
import heapq
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.syntax.broken import Broken, Guess
from reflex_ipython.propose.rules.syntax.candidate import Candidate, Step

_MOST_EDITS = 3
_MOST_FOUND = 6
_MOST_CHARACTERS = 300_000
"""That are read in one search: with the edits of a long cell, some dozens; of a short one, some hundreds."""
_MOST_READ = 220
_LONGEST = 20_000
_LONGEST_LINE = 2_000
"""Characters. Longer is nothing that somebody typed, and the patterns that guess would take their time over it."""
_UNLIKELY = 0.15
"""Of the likeliest one's prior: what is less likely is not worth a look."""


class Found(NamedTuple):
    """A text that parses, how likely it is meant, and the edits that lead to it."""

    source: str
    prior: float
    edits: tuple[Candidate, ...]


class _Waiting(NamedTuple):
    priority: float
    order: int
    source: str
    edits: tuple[Candidate, ...]
    before: Cell | None


def search(source: str, namespace: frozenset[str], steps: Sequence[Step], guesses: Sequence[Guess]) -> Iterator[Found]:
    """Everything that parses, one text a program, the likeliest first.

    Parameters
    ----------
    source : str
        A text that does not parse.
    namespace : frozenset of str
        The user's names.
    steps, guesses : sequence of callable
        What proposes edits.
    """
    if len(source) > _LONGEST or max(map(len, source.split("\n"))) > _LONGEST_LINE:
        return
    order = itertools.count()
    waiting = [_Waiting(-1.0, next(order), source, (), None)]
    seen, programs = {source}, set[str]()
    best, budget = 0.0, _MOST_CHARACTERS
    for _ in range(_MOST_READ):
        if not waiting or budget < 0 or -waiting[0].priority < best * _UNLIKELY or len(programs) == _MOST_FOUND:
            return
        now = heapq.heappop(waiting)
        cell = read(now.source)
        budget -= len(now.source)
        if cell.problem is None:
            program = ast.dump(cell.tree) if cell.tree else now.source
            if program not in programs and now.source.strip():
                programs.add(program)
                best = max(best, -now.priority)
                yield Found(now.source, -now.priority, now.edits)
        elif len(now.edits) < _MOST_EDITS and (now.before is None or gets_further(now.before, cell)):
            budget -= 5 * len(now.source)  # every pattern is looked for
            for option in _options(cell, namespace, steps, guesses):
                if option.source not in seen:
                    seen.add(option.source)
                    prior = now.priority * option.prior
                    heapq.heappush(waiting, _Waiting(prior, next(order), option.source, (*now.edits, option), cell))


def gets_further(before: Cell, after: Cell) -> bool:
    """Whether the next problem lies nearer to the cell's end; a string that ends may lay a bracket open before it."""
    assert before.problem is not None
    assert after.problem is not None
    if before.problem.message.startswith("unterminated") and not after.problem.message.startswith("unterminated"):
        return True
    return len(after.source) - after.problem.position < len(before.source) - before.problem.position


def _options(
    cell: Cell, namespace: frozenset[str], steps: Sequence[Step], guesses: Sequence[Guess]
) -> Iterator[Candidate]:
    """Each text once, with the highest prior that it has."""
    broken = Broken(cell, namespace)
    options = [option for step in steps for option in step(cell)]
    options += [option for guess in guesses for option in guess(broken)]
    yield from sorted(options, key=lambda option: -option.prior)
