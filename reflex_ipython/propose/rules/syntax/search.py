"""The search for the smallest edit after which a cell parses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.syntax.blocks import def_without_brackets, missing_colon
from reflex_ipython.propose.rules.syntax.brackets import mismatched, unclosed, unmatched
from reflex_ipython.propose.rules.syntax.candidate import Candidate, Step, same_program
from reflex_ipython.propose.rules.syntax.characters import odd_characters
from reflex_ipython.propose.rules.syntax.commas import bare_star, missing_comma
from reflex_ipython.propose.rules.syntax.indentation import misindented
from reflex_ipython.propose.rules.syntax.keywords import else_if, import_from, keywords
from reflex_ipython.propose.rules.syntax.operators import assignment_in_condition, foreign_operators, increment
from reflex_ipython.propose.rules.syntax.pasted import fences, prompts
from reflex_ipython.propose.rules.syntax.python2 import except_comma, print_statements, raise_comma
from reflex_ipython.propose.rules.syntax.quotes import apostrophe, missing_quote, nested_quotes
from reflex_ipython.propose.rules.syntax.zeros import leading_zeros

STEPS: list[Step] = [
    odd_characters,
    fences,
    prompts,
    print_statements,
    except_comma,
    raise_comma,
    keywords,
    else_if,
    import_from,
    missing_colon,
    def_without_brackets,
    apostrophe,
    nested_quotes,
    missing_quote,
    unclosed,
    mismatched,
    unmatched,
    assignment_in_condition,
    foreign_operators,
    increment,
    missing_comma,
    bare_star,
    leading_zeros,
    misindented,
]
"""All steps; their order has no meaning. The list is yours to edit."""

_MOST_STEPS = 4


def repaired_syntax(failure: Failure) -> Iterator[Proposal]:
    """The cell with the smallest edit after which it parses; silence if two are equally small."""
    if failure.stage != "syntax":
        return
    source, chain = failure.situation.source, []
    for _ in range(_MOST_STEPS):
        cell = read(source)
        if cell.problem is None:
            break
        best = _best(cell)
        if best is None:
            return
        source = best.source
        chain.append(best)
    if chain and read(source).problem is None:
        why = " ".join(dict.fromkeys(step.why for step in chain))
        yield Proposal(source, why, chain[0].rule)


def _best(cell: Cell) -> Candidate | None:
    """The one candidate that is certain: the cheapest that parses; else the cheapest that gets further."""
    candidates = {option.source: option for step in STEPS for option in step(cell) if option.source != cell.source}
    parsing = [option for option in candidates.values() if read(option.source).problem is None]
    if parsing:
        return _cheapest(parsing)
    return _cheapest([option for option in candidates.values() if _gets_further(cell, read(option.source))])


def _cheapest(options: Iterable[Candidate]) -> Candidate | None:
    ordered = sorted(options, key=lambda option: option.cost)
    if not ordered:
        return None
    rivals = [option for option in ordered[1:] if option.cost == ordered[0].cost]
    return ordered[0] if all(same_program(ordered[0].source, rival.source) for rival in rivals) else None


def _gets_further(before: Cell, after: Cell) -> bool:
    """Whether the next problem lies nearer to the cell's end; a string that ends may lay a bracket open before it."""
    assert before.problem is not None
    assert after.problem is not None
    if before.problem.message.startswith("unterminated") and not after.problem.message.startswith("unterminated"):
        return True
    return len(after.source) - after.problem.position < len(before.source) - before.problem.position
