"""Names and attributes that were looked up in vain, where more than one thing may be meant."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from reflex_ipython.models import LIKELY, Failure
from reflex_ipython.propose.rules.lookups.bare_texts import TEXT, bare_text
from reflex_ipython.propose.rules.lookups.hidden_names import hidden_builtin
from reflex_ipython.propose.rules.lookups.imported_members import member_imported_as_a_module
from reflex_ipython.propose.rules.lookups.imported_names import near_imported_name
from reflex_ipython.propose.rules.lookups.imports import (
    hidden_module,
    member_of_a_module,
    member_of_another_module,
    module_of_a_package,
    name_of_another_module,
)
from reflex_ipython.propose.rules.lookups.later_names import name_set_later
from reflex_ipython.propose.rules.lookups.loops import arrow_of_r, part_of_a_pair, variable_of_a_loop
from reflex_ipython.propose.rules.lookups.missing_calls import (
    attribute_of_a_function,
    item_of_a_function,
    setter_of_an_attribute,
)
from reflex_ipython.propose.rules.lookups.near_attributes import near_attribute
from reflex_ipython.propose.rules.lookups.near_names import near_name
from reflex_ipython.propose.rules.lookups.scopes import (
    attribute_of_self,
    result_not_kept,
    variable_of_another_scope,
    variable_without_start,
)
from reflex_ipython.propose.rules.lookups.unrun_statements import statement_that_did_not_run
from reflex_ipython.propose.rules.lookups.unused_names import unused_name
from reflex_ipython.propose.rules.lookups.written_otherwise import (
    function_in_another_form,
    method_in_another_form,
    owner_of_another_language,
    this_of_another_language,
)
from reflex_ipython.propose.rules.proposal import Proposal, Rule

_EVERY: tuple[Rule, ...] = (
    unused_name,
    near_name,
    near_attribute,
    near_imported_name,
    member_imported_as_a_module,
    method_in_another_form,
    function_in_another_form,
    owner_of_another_language,
    this_of_another_language,
    member_of_a_module,
    module_of_a_package,
    member_of_another_module,
    name_of_another_module,
    attribute_of_a_function,
    item_of_a_function,
    setter_of_an_attribute,
    name_set_later,
    attribute_of_self,
    variable_of_another_scope,
    variable_without_start,
    result_not_kept,
    bare_text,
    variable_of_a_loop,
    part_of_a_pair,
    arrow_of_r,
)
_GUESS = 0.45


def looked_up_in_vain(failure: Failure) -> Iterator[Proposal]:
    """All that may be meant, the likeliest first; what several rules come to has the prior of the surest."""
    if failure.lookup is None and failure.error.ename != "TypeError":
        return
    best: dict[str, Proposal] = {}
    for rule in _EVERY:
        for proposal in rule(failure):
            known = best.get(proposal.source)
            if known is None or known.prior < proposal.prior:
                best[proposal.source] = proposal
    # A text runs nearly everywhere: where another meaning is likely, it is none.
    if any(one.prior >= LIKELY for one in best.values()):
        best = {source: one for source, one in best.items() if one.rule != TEXT or one.prior >= LIKELY}
    if failure.lookup is not None and failure.lookup.setters:
        # The name is no slip: a cell that failed sets it. What else is found is a guess.
        best = {
            source: dataclasses.replace(one, prior=min(one.prior, _GUESS))
            for source, one in best.items()
            if one.rule != TEXT
        }
        best.update({proposal.source: proposal for proposal in statement_that_did_not_run(failure)})
    yield from sorted(best.values(), key=lambda proposal: -proposal.prior)


RULES: tuple[Rule, ...] = (hidden_builtin, hidden_module, looked_up_in_vain)

HERE_ONLY: frozenset[Rule] = frozenset({hidden_builtin, hidden_module})
"""As in `provider`: what a function of an earlier cell calls may have been hidden since."""
