"""Names and attributes that were looked up in vain, where more than one thing may be meant."""

from __future__ import annotations

from reflex_ipython.propose.rules.lookups.bare_texts import bare_text
from reflex_ipython.propose.rules.lookups.hidden_names import hidden_builtin
from reflex_ipython.propose.rules.lookups.imports import hidden_module, member_of_a_module, module_of_a_package
from reflex_ipython.propose.rules.lookups.later_names import name_set_later
from reflex_ipython.propose.rules.lookups.near_attributes import near_attribute
from reflex_ipython.propose.rules.lookups.near_names import near_name
from reflex_ipython.propose.rules.lookups.scopes import (
    attribute_of_self,
    result_not_kept,
    variable_of_another_scope,
    variable_without_start,
)
from reflex_ipython.propose.rules.lookups.unused_names import unused_name
from reflex_ipython.propose.rules.lookups.written_otherwise import (
    function_in_another_form,
    method_in_another_form,
    owner_of_another_language,
    this_of_another_language,
)
from reflex_ipython.propose.rules.proposal import Rule

RULES: tuple[Rule, ...] = (
    unused_name,
    near_name,
    near_attribute,
    method_in_another_form,
    function_in_another_form,
    owner_of_another_language,
    this_of_another_language,
    member_of_a_module,
    module_of_a_package,
    hidden_module,
    hidden_builtin,
    name_set_later,
    attribute_of_self,
    variable_of_another_scope,
    variable_without_start,
    result_not_kept,
    bare_text,
)
"""In no order that matters: they are tried by their priors."""

HERE_ONLY: frozenset[Rule] = frozenset({hidden_builtin, hidden_module})
"""As in `provider`: what a function of an earlier cell calls may have been hidden since."""
