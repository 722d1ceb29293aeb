"""Nothing secret leaves with a trace."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path

import pytest

import reflex_ipython
from reflex_ipython.traces.documents import read, to_text
from reflex_ipython.traces.git import commit_of, without_credentials
from reflex_ipython.traces.recorded import Call
from reflex_ipython.traces.redacted import SECRET, without_secrets

KEY = "sk-proj-" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF"


def log_in(user: str, password: str) -> str:
    return f"{user} is in {os.path.expanduser('~')}/data"


def ask(text: str) -> None:
    raise ValueError(f"refused: {text}")


def test_secrets_are_taken_out_of_texts_and_payloads(tmp_path: Path) -> None:
    with reflex_ipython.trace(values=True) as recording:
        log_in("ada", "correct-horse-9")
        with pytest.raises(ValueError, match="refused"):
            ask(f"key {KEY}")
    recording.save(tmp_path / "trace.json")
    written = (tmp_path / "trace.json").read_text()
    secrets = ("correct-horse-9", KEY, os.path.expanduser("~") + "/data")
    assert not any(secret in written for secret in secrets)
    trace = read(tmp_path / "trace.json")
    payloads = [base64.b64decode(one.value.payload) for call in trace.calls for one in call.arguments]
    assert not any(secret.encode() in payload for secret in secrets for payload in payloads)
    login: Call = trace.calls[0]
    assert login.arguments[1].value.unkept == SECRET
    assert login.arguments[0].value.payload
    assert trace.redacted
    assert without_secrets(trace) is trace


def test_what_stays_on_this_machine_may_be_written_as_it_is(tmp_path: Path) -> None:
    with reflex_ipython.trace() as recording:
        log_in("ada", "correct-horse-9")
    recording.save(tmp_path / "trace.json", redacted=False)
    assert read(tmp_path / "trace.json") == recording.trace
    assert "correct-horse-9" in to_text(recording.trace)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://ada:secret@example.org/x.git", "https://example.org/x.git"),
        ("https://example.org:8080/x.git?token=1", "https://example.org:8080/x.git"),
        ("git@example.org:ada/x.git", "example.org:ada/x.git"),
        ("ssh://git@example.org/x.git", "ssh://example.org/x.git"),
        ("/srv/x.git", "/srv/x.git"),
        ("", ""),
    ],
)
def test_a_remote_is_told_without_who_logs_in(address: str, told: str) -> None:
    assert without_credentials(address) == told


def test_the_commit_the_branch_and_changes_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_ipython.traces.git._SECONDS", 60.0)  # a busy machine starts git slowly

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    assert commit_of(str(tmp_path)) is None
    git("init", "-q", "-b", "work")
    git("config", "user.name", "Ada")
    git("config", "user.email", "ada@example.org")
    (tmp_path / "a.py").write_text("a = 1\n")
    git("add", "a.py")
    assert commit_of(str(tmp_path)) is None
    git("commit", "-q", "-m", "One")
    git("remote", "add", "origin", "https://ada:secret@example.org/x.git")
    found = commit_of(str(tmp_path))
    assert found is not None
    assert (found.commit, found.branch, found.remote) == (git("rev-parse", "HEAD"), "work", "https://example.org/x.git")
    assert not found.dirty
    (tmp_path / "a.py").write_text("a = 2\n")
    changed = commit_of(str(tmp_path))
    assert changed is not None
    assert changed.dirty
