"""How a trial tells a syntax error."""

from __future__ import annotations

from typing import Any

import pytest

from tests.check.build import edits
from tests.check.conftest import Start


class Incomplete(SyntaxError):
    """As Python 3.13 raises it for a cell that ends too early."""


Incomplete.__name__ = "_IncompleteInputError"


@pytest.mark.parametrize("raised", [SyntaxError, IndentationError, Incomplete])
def test_a_private_class_of_the_compilers_is_told_by_its_public_name(start: Start, raised: type[Any]) -> None:
    trial = start({"raised": raised}).trial(edits("raise raised('incomplete input')"))
    assert trial.ename == ("SyntaxError" if raised is Incomplete else raised.__name__)
