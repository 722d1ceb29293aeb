"""The user's names that have something called like a name that is not defined: `price` is a column of `df`."""

from __future__ import annotations

import types
from typing import Any

from reflex_ipython.base.classes import NAMELESS, module_name, module_vars
from reflex_ipython.capture import libraries, safe_inspection, tables

_LOOKED_AT = 2_000
_MOST = 12
_LABELS = 2_000
"""Columns of one table that are looked through."""


def holders(wanted: str, namespace: dict[str, Any]) -> dict[str, str]:
    """The names, the latest first, and as what they hold it, as in `Lookup`.

    Nothing of the user's runs: modules, mappings and objects are asked by their own dictionaries.

    Parameters
    ----------
    wanted : str
    namespace : dict
        The user's.
    """
    found: dict[str, str] = {}
    for name, value in reversed(list(dict.items(namespace))[-_LOOKED_AT:]):
        if type(name) is str and not name.startswith("_") and (kind := _held(wanted, value)):
            found[name] = kind
            if len(found) == _MOST:
                break
    return found


def _held(wanted: str, value: Any) -> str:
    if id(type(value)) in NAMELESS:
        return ""
    if type(value) is types.ModuleType:
        return "member" if wanted in module_vars(value) else ""
    table = libraries.frame(value)
    if table is not None:
        return "column" if wanted in tables.column_labels(table)[:_LABELS] else "table"
    if type(value) is dict:
        return "key" if dict.__contains__(value, wanted) else ""
    if safe_inspection.is_a(value, type) or module_name(type(value)) != "__main__":
        return ""
    there = dict.__contains__(safe_inspection.instance_dict(value), wanted)
    return "attribute" if there or wanted in safe_inspection.class_dict(type(value)) else ""
