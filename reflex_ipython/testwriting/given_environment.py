"""The environment variables that a call is given while it is made again, and how a test sets the same."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import Any
from unittest.mock import patch

from reflex_ipython.capture import held_secrets
from reflex_ipython.testwriting.literals import CannotWrite, literal
from reflex_ipython.testwriting.staging import Staging
from reflex_ipython.traces.redacted import SECRET_READ

GIVEN = "environment variables are set"


class GivenEnvironment:
    """Variables as they were when the call was recorded; those that are not in the trace, as they are now.

    Parameters
    ----------
    names : iterable of str
        Those that it asks for.
    recorded : list of dict
        `EnvironmentRead`s.

    Raises
    ------
    CannotWrite
        If a value is none that a test may hold.
    """

    def __init__(self, names: Iterable[str], recorded: list[dict[str, Any]]) -> None:
        known = {one["name"]: one for one in recorded}
        self._values: dict[str, str | None] = {}
        for name in names:
            one = known.get(name, {"value": os.environ.get(name), "unkept": ""})
            if one["unkept"]:
                raise CannotWrite(one["unkept"])
            if one["value"] is not None and held_secrets({}, {name: one["value"]}):
                raise CannotWrite(SECRET_READ.format(name))
            self._values[name] = one["value"]

    @contextlib.contextmanager
    def set(self) -> Iterator[None]:
        """They are set in the block."""
        with patch.dict(os.environ):
            for name, value in self._values.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
            yield

    def stage(self, staging: Staging) -> None:
        """Say the same in a test."""
        if self._values and "monkeypatch" not in staging.fixtures:
            staging.fixtures.append("monkeypatch")
        staging.setup += [set_in_a_test(name, value) for name, value in self._values.items()]
        if self._values:
            staging.words.append(GIVEN)


def set_in_a_test(name: str, value: str | None) -> str:
    """The statement of a test that sets a variable; None: that has it not set."""
    written = literal(name, "name").text
    if value is None:
        return f"monkeypatch.delenv({written}, raising=False)"
    return f"monkeypatch.setenv({written}, {literal(value, 'value').text})"
