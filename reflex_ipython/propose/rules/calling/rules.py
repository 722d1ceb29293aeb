"""Calls that were refused: arguments missing, too many, called otherwise; values called, functions not called."""

from reflex_ipython.propose.rules.calling.awaited import async_loop, missing_await
from reflex_ipython.propose.rules.calling.builtin_functions import RULES as BUILTIN_FUNCTIONS
from reflex_ipython.propose.rules.calling.called_values import called_indexer, called_value, missing_comma_of_lists
from reflex_ipython.propose.rules.calling.caught import caught_classes
from reflex_ipython.propose.rules.calling.constructors import (
    attribute_not_set,
    earlier_method_without_self,
    misspelt_constructor,
)
from reflex_ipython.propose.rules.calling.context_managers import not_entered
from reflex_ipython.propose.rules.calling.event_loop import running_loop
from reflex_ipython.propose.rules.calling.keys_of_pairs import key_of_pairs
from reflex_ipython.propose.rules.calling.lists_given import list_as_file, list_as_tuple, range_of_list
from reflex_ipython.propose.rules.calling.mapped import list_for_one_value, pairs_of_a_map
from reflex_ipython.propose.rules.calling.missing_arguments import (
    called_too_early,
    class_for_its_object,
    method_without_self,
    misnamed_argument,
    missing_argument,
)
from reflex_ipython.propose.rules.calling.other_owner import function_of_another_module
from reflex_ipython.propose.rules.calling.packing import arguments_as_a_list, shape_with_a_type, values_of_a_format
from reflex_ipython.propose.rules.calling.refused_keyword import refused_keyword
from reflex_ipython.propose.rules.calling.sort_keys import key_of_a_sort
from reflex_ipython.propose.rules.calling.subscripted import subscripted_function, without_places
from reflex_ipython.propose.rules.calling.surplus_arguments import (
    argument_by_name,
    argument_given_twice,
    surplus_argument,
)
from reflex_ipython.propose.rules.calling.swapped_arguments import swapped_arguments
from reflex_ipython.propose.rules.calling.uncalled import uncalled
from reflex_ipython.propose.rules.calling.unpacking import list_as_arguments
from reflex_ipython.propose.rules.proposal import Rule

RULES: tuple[Rule, ...] = (
    uncalled,
    called_value,
    called_indexer,
    missing_comma_of_lists,
    subscripted_function,
    without_places,
    arguments_as_a_list,
    list_as_arguments,
    range_of_list,
    list_as_file,
    list_as_tuple,
    values_of_a_format,
    shape_with_a_type,
    misnamed_argument,
    missing_argument,
    called_too_early,
    class_for_its_object,
    method_without_self,
    argument_by_name,
    surplus_argument,
    argument_given_twice,
    swapped_arguments,
    refused_keyword,
    function_of_another_module,
    misspelt_constructor,
    attribute_not_set,
    earlier_method_without_self,
    pairs_of_a_map,
    list_for_one_value,
    key_of_a_sort,
    key_of_pairs,
    *BUILTIN_FUNCTIONS,
    missing_await,
    async_loop,
    running_loop,
    not_entered,
    caught_classes,
)
"""The rules of this family."""

OF_GIVEN_VALUES: frozenset[Rule] = frozenset({called_value, subscripted_function})
"""Those that go by what a value is: in a function of an earlier cell, its caller gave it."""
