"""What a note refers to: the objects of the user's that would be kept alive."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.state.held import objects_of
from reflex_ipython.state.kinds.blocks import _Part
from reflex_ipython.state.kinds.frame_writes import _Window
from reflex_ipython.state.kinds.kind import Kind

HOLDING = Kind("anything", "exact", lambda o, walk: None, holds=lambda saved: saved)


@pytest.mark.parametrize("fields", [_Part, _Window])
def test_what_stands_in_named_fields_of_a_note_is_found(fields: Any) -> None:
    mine = [object()]
    assert any(o is mine for o in objects_of(HOLDING, [fields(*(mine for _ in fields._fields))]))
