"""A session's log that grows as the session goes on."""

from __future__ import annotations

import dataclasses
import os
import threading

import pytest

from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.reports.log_folder import LogFolder
from reflex_ipython.testing import full_repair

pytestmark = pytest.mark.filterwarnings("error")


def logged(folder, *repairs, warn=pytest.fail, kept=lambda repair: repair):
    """What a recorder writes of them, one after the other."""
    recorder = Recorder(MemoryStore, warn, kept, LogFolder(lambda: str(folder), warn))
    for repair in repairs:
        recorder.save(repair)
    recorder.close()


def test_a_session_has_one_file_and_it_only_grows(tmp_path):
    folder = tmp_path / "new" / "logs"
    logged(folder, full_repair("aa", decided=None))
    [path] = folder.iterdir()
    assert path.name == "2026-11-21-session1.md"
    before = path.read_text(encoding="utf-8")
    assert before.startswith("# Reflex: session session1")
    assert "Begun 2026-11-21" in before
    logged(folder, full_repair("bb", "2026-11-22T10:00:00.000+00:00"))
    after = path.read_text(encoding="utf-8")
    assert list(folder.iterdir()) == [path]
    assert after.startswith(before)
    assert after.count("# Reflex: session") == 1
    assert "repair bb" in after[len(before) :]


def test_of_a_repair_that_is_decided_only_what_is_new_is_added(tmp_path):
    repair = full_repair(decided="accepted")
    ran, undecided = dataclasses.replace(repair, rerun=None), full_repair(decided=None)
    logged(tmp_path, undecided, undecided, ran, repair)
    [path] = tmp_path.iterdir()
    text = path.read_text(encoding="utf-8")
    assert text.count("### The cell") == 1
    assert text.count("What is new of repair 1a2b3c4d") == 2
    moments = [text.index(part) for part in ("Nothing was decided", "The user accepted", "then ran without an error")]
    assert moments == sorted(moments)


def test_sessions_have_files_of_their_own_for_the_owners_eyes(tmp_path):
    folder = tmp_path / "logs"
    logged(folder, full_repair("aa"), dataclasses.replace(full_repair("bb"), session="../other"))
    assert sorted(path.name for path in folder.iterdir()) == ["2026-11-21-___other.md", "2026-11-21-session1.md"]
    if os.name == "posix":
        assert folder.stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_the_log_has_what_the_history_has(tmp_path):
    logged(tmp_path, full_repair(source="key = 'hunter2'"), kept=lambda repair: full_repair(source="key = REDACTED_1"))
    [path] = tmp_path.iterdir()
    text = path.read_text(encoding="utf-8")
    assert "REDACTED_1" in text
    assert "hunter2" not in text


def test_without_the_setting_there_is_no_log_and_no_thread():
    log = LogFolder(lambda: None, pytest.fail)
    log.add(full_repair())
    assert "reflex-log" not in [thread.name for thread in threading.enumerate()]
    log.close()


def test_a_folder_that_can_not_be_is_told_of_once_and_what_is_missing_follows(tmp_path):
    folder, told = tmp_path / "logs", list[str]()
    folder.write_text("a file")
    log = LogFolder(lambda: str(folder), told.append)
    log.add(full_repair("aa"))
    log.add(full_repair("bb"))
    log.close()
    assert len(told) == 1
    assert told[0].startswith(f"the log can't be written to {folder}: ")
    assert "log_folder" in told[0]
    folder.unlink()
    log.add(full_repair("cc"))
    log.close()
    [path] = folder.iterdir()
    assert [name for name in ("aa", "bb", "cc") if f"repair {name}" in path.read_text()] == ["aa", "bb", "cc"]
    assert len(told) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
@pytest.mark.parametrize("kind", ["fifo", "link"])
def test_what_stands_in_the_files_place_is_neither_waited_for_nor_followed(tmp_path, kind):
    folder, told, other = tmp_path / "logs", list[str](), tmp_path / "precious"
    folder.mkdir()
    other.write_text("mine")
    path = folder / "2026-11-21-session1.md"
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(other)
    logged(folder, full_repair(), warn=told.append)
    assert len(told) == 1
    assert other.read_text() == "mine"


def test_a_disk_that_does_not_answer_keeps_neither_the_kernel_nor_the_history_waiting(tmp_path, monkeypatch):
    answers, asked = threading.Event(), threading.Event()

    def stuck(*arguments: object) -> None:
        asked.set()
        answers.wait()

    monkeypatch.setattr("reflex_ipython.reports.log_folder._append", stuck)
    monkeypatch.setattr("reflex_ipython.reports.log_folder._ENDING", 0.0)
    log = LogFolder(lambda: str(tmp_path), pytest.fail)
    recorder = Recorder(MemoryStore, pytest.fail, log=log)
    recorder.save(full_repair("aa"))
    recorder.settle()
    assert asked.wait(20)
    assert [repair.id for repair in recorder.recent(5)] == ["aa"]
    [thread] = [thread for thread in threading.enumerate() if thread.name == "reflex-log"]
    recorder.close()
    answers.set()
    thread.join()


def test_a_working_folder_that_changes_does_not_move_the_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = LogFolder(lambda: "logs", pytest.fail)
    log.add(full_repair("aa"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    log.add(full_repair("bb"))
    log.close()
    assert len(list((tmp_path / "logs").iterdir())) == 1
