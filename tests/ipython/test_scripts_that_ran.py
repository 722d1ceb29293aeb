"""A script that a cell has run gets a new text: the cell is about to run all of it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.models import Edit, FileRef
from reflex_ipython.state.modules_in_place import ModulesInPlace

SOURCE = "import math\ndef area(r):\n    return math.pi * r\nprint(area(2))\nmath.sqroot(4)\n"


@pytest.mark.parametrize("option", ["", "-i "])
def test_nothing_of_it_is_said_not_to_run_again(run: Any, shell: Any, tmp_path: Path, option: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(SOURCE)
    run(f"%run {option}{script}")
    edit = Edit(FileRef(str(script)), SOURCE, SOURCE.replace("sqroot", "sqrt").replace("* r", "* r ** 2"))
    assert ModulesInPlace().apply(edit).words == "`area` runs its new code"
