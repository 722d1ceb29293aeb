"""What may be installed at a click: a distribution by its name, as PEP 508 has it, and nothing else that pip takes."""

from __future__ import annotations

import re

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_VERSION = r"(?:===|==|~=|!=|<=|>=|<|>) ?[A-Za-z0-9][A-Za-z0-9.*+!_-]*"
_PLAIN = re.compile(rf"(?P<name>{_NAME})(?:\[{_NAME}(?:, ?{_NAME})*\])?(?: ?{_VERSION}(?:, ?{_VERSION})*)?", re.ASCII)
_ARCHIVE = re.compile(r"\.(zip|whl|egg|tar|tgz|tbz|tlz|txz|gz|bz2|xz|lz|lzma)\b", re.ASCII | re.IGNORECASE)
"""pip takes what ends so for a file beside the notebook."""
_LONGEST = 200


def is_plain(requirement: str) -> bool:
    """Whether it is a name, with extras and versions at most: no option, path, address, file or environment marker."""
    fits = len(requirement) <= _LONGEST and _PLAIN.fullmatch(requirement) is not None
    return fits and _ARCHIVE.search(requirement) is None


def name_of(requirement: str) -> str:
    """The name in a requirement as the package index compares names; empty if it is not a plain one."""
    match = _PLAIN.fullmatch(requirement) if is_plain(requirement) else None
    return re.sub(r"[-_.]+", "-", match["name"]).lower() if match else ""
