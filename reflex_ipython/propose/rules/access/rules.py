"""What was asked for is called otherwise, is somewhere else, or is of another type: keys, columns, rows, files."""

from reflex_ipython.propose.rules.access.absent_keys import (
    field_of_template,
    first_value,
    removed_before,
    swapped_pair,
)
from reflex_ipython.propose.rules.access.close_labels import (
    close_columns_as_attributes,
    close_labels,
    label_handed_on,
    merge_key,
)
from reflex_ipython.propose.rules.access.dropped_index import dropped_index
from reflex_ipython.propose.rules.access.existing_folders import folder_that_is_there
from reflex_ipython.propose.rules.access.folders import folder_to_make, home_folder, names_in_a_folder
from reflex_ipython.propose.rules.access.held_labels import held_labels
from reflex_ipython.propose.rules.access.key_types import key_of_another_type
from reflex_ipython.propose.rules.access.levels import in_the_index, levels_of_columns, misspelt_level
from reflex_ipython.propose.rules.access.members import attribute_as_key, key_as_attribute
from reflex_ipython.propose.rules.access.nested import (
    key_further_inside,
    keys_looped_over,
    list_in_a_dict,
    list_of_dicts,
)
from reflex_ipython.propose.rules.access.only_dates import only_column_of_dates
from reflex_ipython.propose.rules.access.opened_files import opened_to_be_written
from reflex_ipython.propose.rules.access.optional_keys import optional_key
from reflex_ipython.propose.rules.access.orientation import (
    axis_of_apply,
    axis_of_drop,
    column_as_row,
    labels_by_position,
)
from reflex_ipython.propose.rules.access.paths import closest_path
from reflex_ipython.propose.rules.access.positions import (
    columns_of_groups,
    condition_on_a_column,
    position_of_a_row,
    rows_and_columns,
)
from reflex_ipython.propose.rules.access.query_text import query_text
from reflex_ipython.propose.rules.access.renamed import former_index, rename_of_rows, rename_without_effect, renamed
from reflex_ipython.propose.rules.proposal import Rule

RULES: tuple[Rule, ...] = (
    renamed,
    rename_of_rows,
    rename_without_effect,
    former_index,
    dropped_index,
    only_column_of_dates,
    close_labels,
    close_columns_as_attributes,
    label_handed_on,
    merge_key,
    held_labels,
    query_text,
    in_the_index,
    levels_of_columns,
    misspelt_level,
    axis_of_drop,
    axis_of_apply,
    labels_by_position,
    column_as_row,
    position_of_a_row,
    rows_and_columns,
    columns_of_groups,
    condition_on_a_column,
    key_of_another_type,
    first_value,
    optional_key,
    swapped_pair,
    field_of_template,
    removed_before,
    list_of_dicts,
    list_in_a_dict,
    keys_looped_over,
    key_further_inside,
    key_as_attribute,
    attribute_as_key,
    closest_path,
    opened_to_be_written,
    home_folder,
    folder_to_make,
    folder_that_is_there,
    names_in_a_folder,
)
"""The rules of this family."""
