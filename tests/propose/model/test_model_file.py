"""What is said of a model file that can't be served; one that can is in `tests/model`."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.propose.local.model_file import model_file
from reflex_ipython.propose.local.model_files import ModelFiles, shown_name
from reflex_ipython.propose.local.process import SCRIPT, ModelProcess
from reflex_ipython.settings import Settings


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    """A file that begins as a model does, and goes on as none."""
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + b"\0" * 100)
    return file


def words(path: Path | str) -> str:
    with pytest.raises(ModelError) as caught:
        model_file(str(path))
    return str(caught.value)


def test_what_is_no_model_file_is_told_with_what_to_do(
    tmp_path: Path, gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    assert f"There is no file {tmp_path / 'no.gguf'}. Beside it: broken.gguf." == words(tmp_path / "no.gguf")
    assert "is a folder: name the GGUF file in it. Beside it: broken.gguf." in words(tmp_path)
    assert "notes.txt is no GGUF file" in words(tmp_path / "notes.txt")
    assert "can't be read" in words("a\0b")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "xllamacpp, which is not installed: `%pip install 'reflex-ipython[local]'`" in words(gguf)


@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed")
def test_a_file_that_is_damaged_is_told_and_its_process_is_gone(gguf: Path) -> None:
    files, said = ModelFiles(), list[tuple[str, int]]()
    settings = Settings(provider="local", model=str(gguf))
    try:
        with pytest.raises(ModelError, match=r"broken\.gguf could not be loaded|that served broken\.gguf"):
            files.served(settings, lambda name, percent: said.append((name, percent)), threading.Event())
    finally:
        files.close()
    assert said[0][0] == "broken.gguf"
    assert files.now(settings) == settings


def test_a_wait_can_be_cancelled_and_another_model_ends_the_process(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeper = gguf.with_name("serve.py")
    sleeper.write_text("import sys; sys.stdin.read()")
    monkeypatch.setattr("reflex_ipython.propose.local.process.SCRIPT", sleeper)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True)
    files, cancelled = ModelFiles(), threading.Event()
    cancelled.set()
    assert files.served(Settings(provider="local", model=str(gguf)), lambda name, percent: None, cancelled) is None
    process = files._process
    assert isinstance(process, ModelProcess)
    assert process.alive
    other = Settings(model="other")
    assert files.served(other, lambda name, percent: None, cancelled) is other
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_a_model_file_is_called_by_its_name_alone() -> None:
    assert shown_name(Settings(provider="local", model="/home/me/models/large.gguf")) == "large"
    assert shown_name(Settings(model="org/large.gguf")) == "org/large.gguf"
    assert shown_name(Settings()) == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a file that never begins")
def test_it_ends_with_its_parent_even_if_a_copy_of_that_keeps_its_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "endless.gguf")
    start = (
        "import subprocess as s, sys, time; s.Popen([sys.executable, sys.argv[1]]); print(flush=True); time.sleep(99)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", start, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        parent.stdout.readline()
        asked = {"path": str(tmp_path / "endless.gguf"), "key": "k", "parent": parent.pid}
        os.write(parent.stdin.fileno(), f"{json.dumps(asked)}\n".encode())
        parent.kill()
        parent.wait()
        assert parent.communicate(timeout=30)[0] == "", "both have closed it"
