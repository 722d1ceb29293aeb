"""What a namespace holds, in a text a name, so that two kernels can be compared. This runs in the kernels."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import types
from collections.abc import Mapping
from typing import Any

HIDDEN = {"In", "Out", "exit", "quit", "get_ipython"}
CODE = (types.ModuleType, types.FunctionType, type)
"""What a cell imports and defines is a means; what it computes is compared."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def described(namespace: Mapping[str, Any]) -> str:
    """A JSON object: for each of the user's names its value's type and a digest of its contents."""
    names = [name for name in namespace if not name.startswith("_") and name not in HIDDEN]
    return json.dumps({name: _describe(namespace[name]) for name in names if not isinstance(namespace[name], CODE)})


def same_as_correct(here: Mapping[str, str], correct: Mapping[str, str]) -> bool:
    """Whether all that the correct cell left is here as well; further names do not matter."""
    return all(here.get(name) == told for name, told in correct.items())


def without_addresses(text: str) -> str:
    """A text that two processes have in common."""
    return _ADDRESS.sub("0x", text).strip()


def _describe(value: Any) -> str:
    kind = type(value)
    return f"{kind.__module__}.{kind.__qualname__} {hashlib.sha256(_contents(value)).hexdigest()[:16]}"


def _contents(value: Any) -> bytes:
    try:
        if hasattr(value, "to_csv"):  # a frame: its text, not the memory that it happens to have
            return str(value.to_csv()).encode()
        text = repr(value)
        if text == _ADDRESS.sub("", text):
            return text.encode()
        return pickle.dumps(value)
    except Exception:  # noqa: BLE001 - foreign code; then its type is all that is compared
        return b""
