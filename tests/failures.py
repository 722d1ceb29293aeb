"""A failure in another situation than it was."""

from __future__ import annotations

import dataclasses
from typing import Any

from reflex_ipython.models import Failure


def situated(failure: Failure, **known: Any) -> Failure:
    """The failure with other fields of its situation: `source`, `earlier`, `names`, …"""
    return dataclasses.replace(failure, situation=dataclasses.replace(failure.situation, **known))
