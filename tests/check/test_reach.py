"""What the user's names lead to."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from reflex_ipython.check.trial.reach import reach


@pytest.mark.parametrize("is_module", [True, False])
def test_what_a_function_leads_to_ends_at_its_module(
    is_module: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("library_of_mine")
    exec("def function(): pass", vars(module))
    if is_module:
        monkeypatch.setitem(sys.modules, module.__name__, module)
    with open(tmp_path / "log", "w") as file:
        vars(module)["log"] = file
        found = {id(one) for _, one in reach({"function": vars(module)["function"]}).files}
        assert (id(file) in found) is not is_module
        assert id(file) in {id(one) for _, one in reach({"log": file}).files}
