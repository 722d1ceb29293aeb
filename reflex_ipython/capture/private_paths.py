"""Of the paths beside a missing one, which may leave this machine: none hidden, none out of the working folder."""

from __future__ import annotations

import dataclasses
import os

from reflex_ipython.models import Cause, Failure


def private_paths(cause: Cause) -> frozenset[str]:
    """The paths that were found for the rules, which work here, and are told to nobody else.

    Parameters
    ----------
    cause : Failure or Wish
    """
    lookup = cause.lookup if isinstance(cause, Failure) else None
    if lookup is None or lookup.kind != "path":
        return frozenset()
    return frozenset(path for path in lookup.available if not may_be_told(path))


def without_paths(cause: Cause, private: frozenset[str]) -> Cause:
    """The same without these paths beside the missing one."""
    lookup = cause.lookup if isinstance(cause, Failure) else None
    if not private or lookup is None or not isinstance(cause, Failure):
        return cause
    told = tuple(path for path in lookup.available if path not in private)
    return dataclasses.replace(cause, lookup=dataclasses.replace(lookup, available=told))


def may_be_told(path: str) -> bool:
    """Whether it is below the working folder, links followed, with no hidden folder on the way."""
    if path.startswith("~"):
        return False
    try:
        real = os.path.relpath(os.path.realpath(path), os.path.realpath(os.getcwd()))
    except (OSError, ValueError):  # the working folder was deleted; a circle of links; another drive; a null byte
        return False
    ways = [real] if os.path.isabs(path) else [real, os.path.normpath(path)]
    return not any(part.startswith(".") for way in ways for part in way.split(os.sep) if way != os.curdir)
