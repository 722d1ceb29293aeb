"""The provider: asks every rule in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reflex_ipython.models import Cause, Edit, Failure, Fix, new_id
from reflex_ipython.propose.rules import access, calling
from reflex_ipython.propose.rules.appended_table import appended_table
from reflex_ipython.propose.rules.blame import is_to_blame
from reflex_ipython.propose.rules.calls import (
    brackets_of_a_call,
    called_module,
    index_in_round_brackets,
    missing_self,
    property_called,
    shadowed_builtin,
    shape_as_arguments,
)
from reflex_ipython.propose.rules.defining_cell import defining_cell, place
from reflex_ipython.propose.rules.expected_error import announced
from reflex_ipython.propose.rules.missing_import import missing_import
from reflex_ipython.propose.rules.misspelt_argument import misspelt_argument
from reflex_ipython.propose.rules.misspelt_attribute import misspelt_attribute
from reflex_ipython.propose.rules.misspelt_import import misspelt_imported_name, misspelt_module
from reflex_ipython.propose.rules.misspelt_key import columns_without_list, misspelt_key
from reflex_ipython.propose.rules.misspelt_name import constant_of_another_language, misspelt_name
from reflex_ipython.propose.rules.moved import (
    length_of_another_language,
    moved_argument,
    moved_attribute,
    moved_call,
    moved_name,
)
from reflex_ipython.propose.rules.moved_import import moved_import, moved_module
from reflex_ipython.propose.rules.numbers import number_in_text, range_of_number, whole_division
from reflex_ipython.propose.rules.proposal import Rule
from reflex_ipython.propose.rules.syntax import repaired_syntax
from reflex_ipython.protocols import Context, Request, Where

RULES: list[Rule] = [
    repaired_syntax,
    missing_import,
    constant_of_another_language,
    moved_name,
    moved_attribute,
    moved_call,
    appended_table,
    moved_module,
    moved_import,
    moved_argument,
    length_of_another_language,
    misspelt_name,
    misspelt_attribute,
    misspelt_key,
    misspelt_module,
    misspelt_imported_name,
    misspelt_argument,
    columns_without_list,
    range_of_number,
    whole_division,
    number_in_text,
    shadowed_builtin,
    called_module,
    brackets_of_a_call,
    property_called,
    index_in_round_brackets,
    shape_as_arguments,
    missing_self,
    *access.RULES,
    *calling.RULES,
]
"""The rules in the order in which they are asked, the surest first. The list is yours to edit."""

FAILING_CELL_ONLY: frozenset[Rule] = frozenset(
    {shadowed_builtin, called_module, property_called, *calling.OF_GIVEN_VALUES}
)
"""Not asked about a function of an earlier cell: what it calls was given by its caller, or named anew since."""


class RuleProvider:
    """Asks the rules. It answers within milliseconds, needs nothing from outside, and is silent when no rule is sure.

    Parameters
    ----------
    context : Context or None
        As every plugin is given; the rules need nothing of it.
    rules : sequence of Rule or None
        The rules to ask, the surest first; None: `RULES`, as it is at the time of asking.
    """

    name = "rule"
    where: Where = "instant"
    cost = ""
    label = "the rules"

    def __init__(self, context: Context | None = None, rules: Sequence[Rule] | None = None) -> None:
        self.rules = RULES if rules is None else rules

    def propose(self, cause: Cause, request: Request) -> Iterator[Fix]:
        """Yield the rules' fixes, each new source once, none that was tried before.

        Where a function of an earlier cell failed, the fix changes that cell, and leaves the failing one as it is. The
        rules know failures alone: of a wish they say nothing.
        """
        if not isinstance(cause, Failure) or announced(cause):
            return
        yield from self._ask(cause, request, here=True)
        there = defining_cell(cause)
        if there is not None and not announced(there) and is_to_blame(there, cause):
            yield from self._ask(there, request, here=False)

    def _ask(self, asked: Failure, request: Request, *, here: bool) -> Iterator[Fix]:
        """The fixes of the cell that is asked about: the failing one, or the one that the failure belongs to."""
        situation = asked.situation
        seen = {attempt.fix.source_of(situation.place, situation.source) for attempt in request.attempts}
        for rule in tuple(self.rules):
            for proposal in rule(asked) if here or rule not in FAILING_CELL_ONLY else ():
                if request.cancelled.is_set():
                    return
                if proposal.source not in {situation.source, *seen}:
                    seen.add(proposal.source)
                    edit = Edit(situation.place, situation.source, proposal.source)
                    why = proposal.explanation if here else f"{place(asked)}: {proposal.explanation}"
                    yield Fix(new_id(), (edit,), why, self.name, proposal.rule, prior=proposal.prior)
