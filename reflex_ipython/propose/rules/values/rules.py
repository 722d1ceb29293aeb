"""Rules about types and values of plain Python: text for a number, None for a list, an index beyond the end."""

from reflex_ipython.propose.rules.proposal import Rule
from reflex_ipython.propose.rules.values.bases import text_of_a_base
from reflex_ipython.propose.rules.values.bounds import index_beyond_the_end, pop_from_nothing
from reflex_ipython.propose.rules.values.closed_files import closed_file
from reflex_ipython.propose.rules.values.collections_in_operators import collections_in_operators, sum_of_texts
from reflex_ipython.propose.rules.values.commands import command_as_text
from reflex_ipython.propose.rules.values.comparisons import comparison, sorting
from reflex_ipython.propose.rules.values.date_order import order_of_a_date
from reflex_ipython.propose.rules.values.dates import date_for_text, dates_of_two_kinds, text_for_date, wrong_format
from reflex_ipython.propose.rules.values.encodings import undecodable, unencodable
from reflex_ipython.propose.rules.values.enumerations import member_of_an_enumeration
from reflex_ipython.propose.rules.values.file_modes import impossible_mode
from reflex_ipython.propose.rules.values.formats import format_code, percent, str_format
from reflex_ipython.propose.rules.values.indices import not_subscriptable, wrong_index
from reflex_ipython.propose.rules.values.iteration import (
    changed_meanwhile,
    membership,
    no_length,
    no_more,
    nothing_there,
    number_in_a_loop,
)
from reflex_ipython.propose.rules.values.joined_paths import divided_texts, joined_paths
from reflex_ipython.propose.rules.values.json_texts import json_of_python, json_of_values, not_serializable
from reflex_ipython.propose.rules.values.keys import first_of_a_key
from reflex_ipython.propose.rules.values.left_out import item_left_out
from reflex_ipython.propose.rules.values.lines_of_a_file import text_of_a_file
from reflex_ipython.propose.rules.values.members import missing_method
from reflex_ipython.propose.rules.values.nothing import none_for_a_value
from reflex_ipython.propose.rules.values.number_functions import (
    number_needed,
    out_of_domain,
    whole_from_nan,
    zero_division,
)
from reflex_ipython.propose.rules.values.numbers_of_text import invalid_literal, number_of_other
from reflex_ipython.propose.rules.values.operators import text_in_arithmetic, text_of_others
from reflex_ipython.propose.rules.values.powers import another_sign
from reflex_ipython.propose.rules.values.printed import bracket_of_print
from reflex_ipython.propose.rules.values.properties import property_of_itself
from reflex_ipython.propose.rules.values.raised_texts import raised_text
from reflex_ipython.propose.rules.values.records import record
from reflex_ipython.propose.rules.values.regex_texts import group_of_a_match, pattern_of_a_text
from reflex_ipython.propose.rules.values.samples import larger_sample
from reflex_ipython.propose.rules.values.spent_iterators import spent_iterator
from reflex_ipython.propose.rules.values.swapped_indices import swapped_indices
from reflex_ipython.propose.rules.values.texts import bytes_and_text, joining, text_argument, wrong_file_mode
from reflex_ipython.propose.rules.values.totals import number_of_a_list
from reflex_ipython.propose.rules.values.unchangeable import item_assignment, unhashable
from reflex_ipython.propose.rules.values.unpacking import unpacking
from reflex_ipython.propose.rules.values.whole_numbers import integer_needed

RULES: tuple[Rule, ...] = (
    text_in_arithmetic,
    text_of_others,
    joined_paths,
    divided_texts,
    closed_file,
    collections_in_operators,
    sum_of_texts,
    comparison,
    sorting,
    number_needed,
    invalid_literal,
    number_of_other,
    wrong_index,
    not_subscriptable,
    integer_needed,
    index_beyond_the_end,
    swapped_indices,
    pop_from_nothing,
    unpacking,
    missing_method,
    text_of_a_file,
    first_of_a_key,
    item_assignment,
    unhashable,
    none_for_a_value,
    number_in_a_loop,
    membership,
    changed_meanwhile,
    nothing_there,
    no_more,
    no_length,
    format_code,
    percent,
    str_format,
    joining,
    text_argument,
    bytes_and_text,
    wrong_file_mode,
    json_of_python,
    json_of_values,
    not_serializable,
    undecodable,
    unencodable,
    wrong_format,
    text_for_date,
    dates_of_two_kinds,
    date_for_text,
    zero_division,
    out_of_domain,
    whole_from_nan,
    another_sign,
    member_of_an_enumeration,
    bracket_of_print,
    spent_iterator,
    record,
    number_of_a_list,
    pattern_of_a_text,
    group_of_a_match,
    impossible_mode,
    order_of_a_date,
    text_of_a_base,
    raised_text,
    command_as_text,
    larger_sample,
    property_of_itself,
    item_left_out,
)
"""In no particular order: each has errors of its own."""

__all__ = ["RULES"]
