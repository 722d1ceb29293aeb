"""What is said of a written test besides what was seen of it."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.ipython import testing_command
from reflex_ipython.testwriting.literals import Literal
from reflex_ipython.testwriting.module_text import Expected, Script, WrittenTest
from reflex_ipython.testwriting.writing import CheckedTest


def kinds(text: str) -> list[str]:
    return ["API key"] if "sk-" in text else []


def said(monkeypatch: pytest.MonkeyPatch, home: Path, call: str, beside: str = "") -> str:
    files = {"df.csv": base64.b64encode(beside.encode()).decode()} if beside else {}
    script = Script((), (), (), (), (), call)
    test = WrittenTest("test_it", "It failed.", script, (Expected("result", Literal("3", files=files)),))
    monkeypatch.setattr(testing_command, "written", lambda *_: CheckedTest(test, "NameError", 0.1))
    monkeypatch.setattr(Path, "home", lambda: home)
    repair: Any = None
    return testing_command.test_of(repair, (), "", kinds)


def test_a_secret_in_the_test_or_beside_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = "It holds what looks like a secret (API key)"
    assert words in said(monkeypatch, tmp_path, "f('sk-1')")
    assert words in said(monkeypatch, tmp_path, "f()", beside="name,key\nme,sk-1\n")
    assert words not in said(monkeypatch, tmp_path, "f()", beside="name\nme\n")


def test_a_test_that_runs_on_this_machine_alone_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = f"It names your home folder, {tmp_path}"
    assert words in said(monkeypatch, tmp_path, f"f({str(tmp_path / 'a.csv')!r})")
    assert words not in said(monkeypatch, tmp_path, "f()")
