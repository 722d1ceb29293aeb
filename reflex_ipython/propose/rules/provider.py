"""The provider: asks every rule in turn."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from reflex_ipython.models import Cause, Edit, Failure, Fix, Step, new_id
from reflex_ipython.propose.home import home
from reflex_ipython.propose.rules.appended_table import appended_table
from reflex_ipython.propose.rules.blame import is_to_blame
from reflex_ipython.propose.rules.calls import (
    brackets_of_a_call,
    called_module,
    index_in_round_brackets,
    missing_self,
    property_called,
    shape_as_arguments,
)
from reflex_ipython.propose.rules.defining_cell import defining_cell, place
from reflex_ipython.propose.rules.family import Family, asked, is_of_grammar, is_of_more_than_names, is_of_values
from reflex_ipython.propose.rules.lookups.rules import HERE_ONLY
from reflex_ipython.propose.rules.lookups.rules import RULES as LOOKUPS
from reflex_ipython.propose.rules.lost_results import kept
from reflex_ipython.propose.rules.magic_lines import magic_line
from reflex_ipython.propose.rules.magics import RULES as MAGICS
from reflex_ipython.propose.rules.missing_distribution import missing_distribution
from reflex_ipython.propose.rules.missing_import import missing_import
from reflex_ipython.propose.rules.misspelt_argument import misspelt_argument
from reflex_ipython.propose.rules.misspelt_attribute import misspelt_attribute
from reflex_ipython.propose.rules.misspelt_import import (
    misspelt_imported_name,
    misspelt_module,
    module_by_its_distribution,
)
from reflex_ipython.propose.rules.misspelt_key import columns_without_list, misspelt_key
from reflex_ipython.propose.rules.misspelt_name import constant_of_another_language, misspelt_name
from reflex_ipython.propose.rules.moved import (
    length_of_another_language,
    moved_argument,
    moved_attribute,
    moved_call,
    moved_name,
)
from reflex_ipython.propose.rules.moved_import import moved_import, moved_module, removed_dataset
from reflex_ipython.propose.rules.numbers import number_in_text, range_of_number, whole_division
from reflex_ipython.propose.rules.own_modules import RULES as OWN_MODULES
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.python2_urllib import RULES as URLLIB
from reflex_ipython.propose.rules.repeated import everywhere
from reflex_ipython.protocols import Context, Request, Where

RULES: list[Rule | Family] = [
    Family("syntax", is_of_grammar),
    missing_import,
    constant_of_another_language,
    moved_name,
    moved_attribute,
    moved_call,
    appended_table,
    moved_module,
    moved_import,
    removed_dataset,
    *URLLIB,
    moved_argument,
    length_of_another_language,
    Family("science", is_of_more_than_names, "FIRST"),
    *OWN_MODULES,
    misspelt_name,
    misspelt_attribute,
    misspelt_key,
    module_by_its_distribution,
    misspelt_module,
    misspelt_imported_name,
    misspelt_argument,
    columns_without_list,
    range_of_number,
    whole_division,
    number_in_text,
    called_module,
    brackets_of_a_call,
    property_called,
    index_in_round_brackets,
    shape_as_arguments,
    missing_self,
    *MAGICS,
    *LOOKUPS,
    Family("access", is_of_more_than_names),
    Family("calling", is_of_more_than_names, of_given_values="OF_GIVEN_VALUES"),
    Family("values", is_of_values),
    Family("science", is_of_more_than_names),
]
"""The rules in the order in which they are asked, the surest first. The list is yours to edit."""

FAILING_CELL_ONLY: frozenset[Rule] = frozenset({called_module, property_called, *HERE_ONLY})
"""Not asked about a function of an earlier cell: what it calls was given by its caller, or named anew since."""


_ONE_OF_SEVERAL = 0.95


class RuleProvider:
    """Asks the rules. It answers within milliseconds, needs nothing from outside, and is silent when no rule is sure.

    Parameters
    ----------
    context : Context or None
        As every plugin is given; the rules need nothing of it.
    rules : sequence of Rule and Family, or None
        The rules to ask, the surest first; None: `RULES`, as it is at the time of asking.
    """

    name = "rule"
    where: Where = "instant"
    cost = ""
    label = "the rules"

    def __init__(self, context: Context | None = None, rules: Sequence[Rule | Family] | None = None) -> None:
        self.rules = RULES if rules is None else rules

    def propose(self, cause: Cause, request: Request) -> Iterator[Fix]:
        """Yield the rules' fixes, each new source once, none that was tried before.

        Where a function of an earlier cell or a file of the user's failed, the fix changes that, and leaves the failing
        cell as it is. The rules know failures alone: of a wish they say nothing.
        """
        if not isinstance(cause, Failure):
            return
        yield from self._ask(cause, request, here=True)
        yield from self._ask_of_magic(cause, request)
        install = missing_distribution(cause, self.name)
        if install is not None and install.steps not in [attempt.fix.steps for attempt in request.attempts]:
            yield install
        there = defining_cell(cause)
        if there is not None and is_to_blame(there, cause):
            for fix in self._ask(there, _seen_from(there, cause, request), here=False):
                yield _where_it_happened(fix, there, cause)

    def _ask_of_magic(self, cause: Failure, request: Request) -> Iterator[Fix]:
        """The fixes of the code that a line magic ran, with the magic in front of it as before."""
        line = magic_line(cause)
        if line is None:
            return
        place, source = cause.situation.place, cause.situation.source
        seen = {source, *(attempt.fix.source_of(place, source) for attempt in request.attempts)}
        for fix in self._ask(line.failure, request, here=True):
            [edit] = fix.edits
            restored = line.restored(edit.source) if edit.target == place else None
            if restored is not None and restored not in seen:
                seen.add(restored)
                yield dataclasses.replace(fix, steps=(Edit(place, source, restored),))

    def _ask(self, failure: Failure, request: Request, *, here: bool) -> Iterator[Fix]:
        """The fixes of the cell that is asked about: the failing one, or the one that the failure belongs to.

        What a rule is sure of comes at once. Several rules may think of one text: the likeliest then speaks for it. A
        rule that raises does not cost what the others have found.
        """
        situation = failure.situation
        seen = {attempt.fix.source_of(situation.place, situation.source) for attempt in request.attempts}
        seen.add(situation.source)
        candidates: dict[str, Proposal] = {}
        trouble: Exception | None = None
        for rule in asked(self.rules, failure, here=here):
            try:
                for proposal in rule(failure) if here or rule not in FAILING_CELL_ONLY else ():
                    if request.cancelled.is_set():
                        return
                    proposal = kept(failure, proposal)
                    known = candidates.get(proposal.source)
                    if proposal.source in seen or (known is not None and known.prior >= proposal.prior):
                        continue
                    repeated = everywhere(situation.source, proposal) if here and proposal.prior == 1 else None
                    if repeated is not None:  # what mends one of several places is not sure
                        proposal = dataclasses.replace(proposal, prior=_ONE_OF_SEVERAL)
                    if proposal.prior < 1:
                        candidates[proposal.source] = proposal
                    else:
                        seen.add(proposal.source)
                        yield self._fix(failure, proposal)
            except Exception as error:  # noqa: BLE001 - one rule of many, perhaps the user's own
                trouble = error
        for one in tuple(candidates.values()):
            repeated = everywhere(situation.source, one) if here else None
            if repeated is not None:
                candidates.setdefault(repeated.source, repeated)
        likeliest = sorted(candidates.values(), key=lambda one: -one.prior)
        yield from (self._fix(failure, one) for one in likeliest if one.source not in seen)
        if trouble is not None and not candidates and len(seen) <= 1 + len(request.attempts):
            raise trouble

    def _fix(self, asked: Failure, proposal: Proposal) -> Fix:
        situation = asked.situation
        edit = Edit(situation.place, situation.source, proposal.source)
        if proposal.cell is not None:
            edit = Edit(proposal.cell.cell, proposal.cell.source, proposal.source)
        return Fix(new_id(), (edit,), proposal.explanation, self.name, proposal.rule, prior=proposal.prior)


def _where_it_happened(fix: Fix, there: Failure, failure: Failure) -> Fix:
    """A fix of what stands elsewhere: it says where that is, and rewrites a file where a cell stood for it."""
    known = home(failure)
    steps = tuple(
        dataclasses.replace(step, target=known.target)
        if isinstance(step, Edit) and known is not None and step.target == there.situation.place
        else step
        for step in fix.steps
    )
    return dataclasses.replace(fix, steps=steps, explanation=f"{place(there, failure)}: {fix.explanation}")


def _seen_from(there: Failure, failure: Failure, request: Request) -> Request:
    """The request with earlier fixes of a file as fixes of the cell that stands for it."""
    known = home(failure)

    def seen(step: Step) -> Step:
        own = isinstance(step, Edit) and known is not None and step.target == known.target
        return dataclasses.replace(step, target=there.situation.place) if isinstance(step, Edit) and own else step

    attempts = [
        dataclasses.replace(one, fix=dataclasses.replace(one.fix, steps=tuple(map(seen, one.fix.steps))))
        for one in request.attempts
    ]
    return dataclasses.replace(request, attempts=attempts)
