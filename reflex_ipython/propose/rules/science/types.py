"""Messages that say that a value is of another type than is needed, and the rules that answer them."""

from __future__ import annotations

from reflex_ipython.propose.rules.proposal import Rule
from reflex_ipython.propose.rules.science.date_columns import date_accessor, dates
from reflex_ipython.propose.rules.science.merge_keys import keys
from reflex_ipython.propose.rules.science.mixed_operands import (
    object_function,
    operands,
    string_accessor,
    texts_in_array,
)
from reflex_ipython.propose.rules.science.number_columns import (
    missing_as_integer,
    not_a_number,
    numbers_wanted,
)
from reflex_ipython.propose.rules.science.scene import answers
from reflex_ipython.propose.rules.science.time_zones import zone_methods, zones

types: Rule = answers(
    "types",
    (r"(?:could not convert string to float: |invalid literal for int\(\) with base 10: |Unable to parse string )"
     r"(?:np\.str_\()?(?P<quote>['\"])(?P<value>.*?)(?P=quote)", not_a_number),
    (r"Cannot perform reduction '\w+' with string dtype|dtype '?(?:str|object|string)'? does not support operation"
     r"|Could not convert .* to numeric|agg function failed \[how->|Cannot aggregate non-numeric type"
     r"|Cannot interpolate with|no numeric data to plot|can't multiply sequence by non-int of type 'float'"
     r"|unsupported operand type\(s\) for -: 'str' and 'str'|unsupported operand type\(s\) for /: 'str' and 'int'"
     r"|could not be promoted by <class 'numpy.dtypes.StrDType'>", numbers_wanted),
    (r"(?:can only concatenate str|unsupported operand type\(s\) for|not supported between instances of"
     r"|can't multiply sequence by|Invalid comparison between dtype=(?:str|object)|not supported for dtype"
     r"|did not contain a loop with signature matching types)",
     operands),
    (r"Can only use \.str accessor with string values(?:, not (?P<kind>\w+))?", string_accessor),
    (r"Can only use \.dt accessor with datetimelike values", date_accessor),
    (r"time data .* doesn't match format|unconverted data remains when parsing|DateParseError|Unknown datetime string",
     dates),
    (r"tz-naive and tz-aware|offset-naive and offset-aware|Invalid comparison between dtype=datetime64", zones),
    (r"Cannot convert tz-naive timestamps|Already tz-aware, use tz_convert", zone_methods),
    (r"trying to merge on (?P<left>\w+(?:\[.*?\])?) and (?P<right>\w+(?:\[.*?\])?) columns for key '(?P<key>.*?)'",
     keys),
    (r"Cannot convert non-finite values \(NA or inf\) to integer|cannot convert NA to integer"
     r"|cannot convert float NaN to integer|cannot safely cast non-equivalent", missing_as_integer),
    (r"loop of ufunc does not support argument 0 of type|ufunc '\w+' not supported for the input",
     object_function),
    (r"the resolved dtypes are not compatible with|did not contain a loop with signature matching types"
     r"|use of the string multiply|'out' kwarg is necessary when using the string multiply", texts_in_array),
)  # fmt: skip
RULES = (types,)
