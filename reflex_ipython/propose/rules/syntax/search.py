"""The search for the smallest edit after which a cell parses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.family import is_of_grammar
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.syntax.argument_order import argument_order, parameter_order
from reflex_ipython.propose.rules.syntax.assignments import (
    assigned_inside,
    comparison_twice,
    deleted_call,
    keyword_argument,
    keywords_as_names,
    names_with_gaps,
    swapped,
    walrus_statement,
)
from reflex_ipython.propose.rules.syntax.blocks import def_without_brackets, missing_colon
from reflex_ipython.propose.rules.syntax.boolean_signs import double_signs, exclamation
from reflex_ipython.propose.rules.syntax.braces import curly_blocks
from reflex_ipython.propose.rules.syntax.bracket_places import mismatched_places, unclosed_places, unmatched_places
from reflex_ipython.propose.rules.syntax.brackets import mismatched, unclosed, unmatched
from reflex_ipython.propose.rules.syntax.broken import Broken, Guess
from reflex_ipython.propose.rules.syntax.candidate import Candidate, Step, same_program
from reflex_ipython.propose.rules.syntax.characters import odd_characters
from reflex_ipython.propose.rules.syntax.commas import bare_star, missing_comma
from reflex_ipython.propose.rules.syntax.conditions import (
    first_that_is_there,
    phrases,
    repeated_subject,
    ternary,
)
from reflex_ipython.propose.rules.syntax.declarations import (
    arrow_assignment,
    created,
    declared,
    functions,
    imports,
    typed_parameters,
)
from reflex_ipython.propose.rules.syntax.displays import digits_of_round, keyword_with_colon, unclosed_display
from reflex_ipython.propose.rules.syntax.fields import fields
from reflex_ipython.propose.rules.syntax.increments import increments
from reflex_ipython.propose.rules.syntax.indentation import misindented
from reflex_ipython.propose.rules.syntax.keywords import else_if, import_from, keywords
from reflex_ipython.propose.rules.syntax.lambdas import (
    arrows,
    comprehension_targets,
    comprehension_words,
    lambdas,
    one_armed,
)
from reflex_ipython.propose.rules.syntax.layout import chained, mixed_tabs, moved_lines
from reflex_ipython.propose.rules.syntax.literals import percentages, products, spaced_digits, units, zeros
from reflex_ipython.propose.rules.syntax.loops import end_words, except_names, foreign_loops, header_words, missing_in
from reflex_ipython.propose.rules.syntax.misplaced import (
    awaited,
    in_generator,
    outside_function,
    unfinished_try,
)
from reflex_ipython.propose.rules.syntax.missing_calls import brackets_of_call, brackets_of_def
from reflex_ipython.propose.rules.syntax.operators import assignment_in_condition, foreign_operators, increment
from reflex_ipython.propose.rules.syntax.outputs import pasted_output
from reflex_ipython.propose.rules.syntax.pasted import fences, prompts
from reflex_ipython.propose.rules.syntax.precedence import WHY as KEEPS_APART
from reflex_ipython.propose.rules.syntax.precedence import kept_apart
from reflex_ipython.propose.rules.syntax.prose import (
    backslashes,
    entities,
    foreign_comments,
    line_numbers,
    prompts_inside,
    prose,
    shell,
)
from reflex_ipython.propose.rules.syntax.python2 import except_comma, print_statements, raise_comma
from reflex_ipython.propose.rules.syntax.quotes import apostrophe, missing_quote, nested_quotes
from reflex_ipython.propose.rules.syntax.ranked import gets_further, search
from reflex_ipython.propose.rules.syntax.scope_declarations import declarations
from reflex_ipython.propose.rules.syntax.separators import (
    between_values,
    doubled,
    joined_texts,
    key_without_colon,
    outside_brackets,
    ranges,
    two_statements,
)
from reflex_ipython.propose.rules.syntax.signs import odd_quotes, wide_signs
from reflex_ipython.propose.rules.syntax.split_names import split_name
from reflex_ipython.propose.rules.syntax.starred import stars
from reflex_ipython.propose.rules.syntax.text_ends import (
    bytes_text,
    inner_quotes,
    prefixes,
    raw_paths,
    raw_texts,
    text_ends,
    triple_quotes,
)
from reflex_ipython.propose.rules.syntax.unfinished import (
    empty_values,
    last_resort,
    missing_equals,
    missing_keyword,
    trailing,
)
from reflex_ipython.propose.rules.syntax.unquoted import addresses, dates, words
from reflex_ipython.propose.rules.syntax.window import Window, window
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
    declared,
    functions,
    created,
    prefixes,
    raw_paths,
]
"""All steps that may be certain; their order has no meaning. The list is yours to edit."""

GUESSES: list[Guess] = [
    assigned_inside,
    comparison_twice,
    deleted_call,
    keyword_argument,
    keywords_as_names,
    names_with_gaps,
    swapped,
    walrus_statement,
    curly_blocks,
    brackets_of_call,
    brackets_of_def,
    mismatched_places,
    unclosed_places,
    unmatched_places,
    arrows,
    comprehension_targets,
    comprehension_words,
    double_signs,
    exclamation,
    increments,
    lambdas,
    one_armed,
    first_that_is_there,
    phrases,
    repeated_subject,
    ternary,
    arrow_assignment,
    imports,
    typed_parameters,
    fields,
    chained,
    mixed_tabs,
    moved_lines,
    percentages,
    products,
    spaced_digits,
    units,
    zeros,
    end_words,
    except_names,
    foreign_loops,
    header_words,
    missing_in,
    argument_order,
    awaited,
    declarations,
    in_generator,
    outside_function,
    parameter_order,
    stars,
    unfinished_try,
    backslashes,
    entities,
    foreign_comments,
    line_numbers,
    prompts_inside,
    prose,
    shell,
    between_values,
    doubled,
    joined_texts,
    key_without_colon,
    empty_values,
    last_resort,
    missing_equals,
    missing_keyword,
    outside_brackets,
    ranges,
    trailing,
    two_statements,
    odd_quotes,
    wide_signs,
    bytes_text,
    inner_quotes,
    raw_texts,
    text_ends,
    triple_quotes,
    addresses,
    dates,
    words,
    unclosed_display,
    digits_of_round,
    keyword_with_colon,
    pasted_output,
    split_name,
]
"""All that says what else may be meant, each with how likely that is; their order has no meaning."""

_MOST = 0.95  # what was guessed is never certain

_MOST_STEPS = 4
_TORN = 0.3
"""Of its prior has what tears a comparison apart: who writes that rarely means it."""


def repaired_syntax(failure: Failure) -> Iterator[Proposal]:
    """The cell with the smallest edit after which it parses; where several would do, what may be meant.

    Python says where it stopped, not what is wrong, so what parses need not be meant: only what nothing else rivals is
    sure. All else is a candidate.
    """
    if not is_of_grammar(failure):
        return
    part = window(read(failure.situation.source))
    if read(part.middle).problem is None:
        return  # whatever was said of it
    sure = _sure(part.middle)
    if sure is not None and not _closes_earlier(part.middle, sure[0]):
        yield from _meant(part, *sure, 1.0)
        return
    for found in search(part.middle, frozenset(failure.situation.names), STEPS, GUESSES):
        yield from _meant(part, found.source, found.edits, min(found.prior, _MOST))


def _meant(part: Window, source: str, chain: Sequence[Candidate], prior: float) -> Iterator[Proposal]:
    """What parses; and where `&` tears a comparison apart in it, what keeps that whole."""
    apart = kept_apart(source)
    if apart is not None:
        brackets = Candidate(apart, 0, KEEPS_APART, chain[0].rule)
        yield _proposal(part, apart, (*chain, brackets), min(prior, _MOST))
    yield _proposal(part, source, chain, prior if apart is None else prior * _TORN)


def _closes_earlier(source: str, sure: str) -> bool:
    """Whether a display over several lines may end before the statement that the sure text takes into it."""
    displays = unclosed_display(Broken(read(source), frozenset()))
    return any(read(one.source).problem is None and not same_program(one.source, sure) for one in displays)


def _proposal(part: Window, source: str, chain: Sequence[Candidate], prior: float) -> Proposal:
    why = " ".join(dict.fromkeys(step.why for step in chain))
    return Proposal(f"{part.before}{source}{part.after}", why, chain[0].rule, prior)


def _sure(source: str) -> tuple[str, list[Candidate]] | None:
    """The text after the smallest edits that nothing else rivals, and those edits."""
    chain = []
    for _ in range(_MOST_STEPS):
        cell = read(source)
        if cell.problem is None:
            break
        best = _best(cell)
        if best is None:
            return None
        source = best.source
        chain.append(best)
    return (source, chain) if chain and read(source).problem is None else None


def _best(cell: Cell) -> Candidate | None:
    """The one candidate that is certain: the cheapest that parses; else the cheapest that gets further."""
    candidates = {option.source: option for step in STEPS for option in step(cell) if option.source != cell.source}
    parsing = [option for option in candidates.values() if read(option.source).problem is None]
    if parsing:
        return _cheapest(parsing)
    return _cheapest([option for option in candidates.values() if gets_further(cell, read(option.source))])


def _cheapest(options: Iterable[Candidate]) -> Candidate | None:
    ordered = sorted(options, key=lambda option: option.cost)
    if not ordered:
        return None
    rivals = [option for option in ordered[1:] if option.cost == ordered[0].cost]
    return ordered[0] if all(same_program(ordered[0].source, rival.source) for rival in rivals) else None
