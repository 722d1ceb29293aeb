"""A decision that is noted beside the history, because an accepted cell waits for nothing longer."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.models import Decision, Edit, Repair, RepairFilter, now
from reflex_ipython.remember.decision_notes import DecisionNote, DecisionNotes, note_of
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.remember.resilient import ResilientStore
from reflex_ipython.remember.store import SqliteStore

Make = Callable[..., Repair]
Open = Callable[..., SqliteStore]
ALONE = ["history.sqlite"]


@pytest.fixture
def undecided(make_repair: Make) -> Repair:
    """As it is in the history when the user decides."""
    return dataclasses.replace(make_repair("aa", decided=None), revised="2026-11-21T10:00:01.000+00:00")


def accepted(repair: Repair, **changes: object) -> Repair:
    fix = repair.fixes[0]
    decision = Decision("accepted", now(), fix.id, fix.steps)
    return dataclasses.replace(repair, decision=dataclasses.replace(decision, **changes))  # type: ignore[arg-type]  # its fields


def note(repair: Repair) -> DecisionNote:
    noted = note_of(repair)
    assert noted is not None
    return noted


def notes(path: Path) -> Path:
    return path.with_name("history.sqlite-decided")


@pytest.mark.parametrize("read", ["get", "recent", "find", "summaries", "tallies"])
def test_whoever_reads_next_has_it_and_the_file_lies_alone_again(
    path: Path, sqlite: Open, undecided: Repair, read: str
) -> None:
    sqlite(path).save(undecided)
    decided = accepted(undecided)
    sqlite(path).note(note(decided))  # and this kernel is killed
    another = sqlite(path)
    {
        "get": lambda: another.get("aa"),
        "recent": lambda: another.recent(1),
        "find": lambda: another.find(RepairFilter(accepted=True), 1),
        "summaries": lambda: another.summaries(RepairFilter(), 1),
        "tallies": another.tallies,
    }[read]()
    assert os.listdir(path.parent) == ALONE
    found = another.get("aa")
    assert found == decided
    assert found.revised > undecided.revised
    assert [line.outcome for line in another.summaries(RepairFilter(), 9)] == ["accepted"]
    assert {(tally.outcome, tally.repairs) for tally in another.tallies()} == {("accepted", 1)}


def test_what_was_saved_in_the_same_millisecond_was_there_before(path: Path, sqlite: Open, undecided: Repair) -> None:
    store, decided = sqlite(path), note(accepted(undecided))
    store.save(dataclasses.replace(undecided, revised=decided.revised))
    store.note(decided)
    assert store.get("aa").outcome == "accepted"


def test_what_is_saved_after_it_stays_and_the_note_goes(path: Path, sqlite: Open, undecided: Repair) -> None:
    store, decided = sqlite(path), accepted(undecided)
    store.save(undecided)
    store.note(note(decided))
    undone = dataclasses.replace(decided, decision=Decision("undone", now(), "raa"), revised=now())
    store.save(undone)
    assert os.listdir(path.parent) == ALONE
    assert sqlite(path).get("aa").decision == undone.decision


def test_what_was_before_it_does_not_take_it_away(path: Path, sqlite: Open, undecided: Repair) -> None:
    store = sqlite(path)
    store.save(undecided)
    store.note(note(accepted(undecided)))
    store.save(undecided)  # as an import of an older copy
    assert store.get("aa").outcome == "accepted"


def test_a_note_that_came_late_changes_nothing(path: Path, sqlite: Open, undecided: Repair) -> None:
    store, decided = sqlite(path), accepted(undecided)
    early = note(decided)
    store.save(dataclasses.replace(decided, decision=Decision("undone", now(), "raa"), revised="9" + early.revised))
    store.note(early)
    assert store.get("aa").outcome == "undone"
    assert os.listdir(path.parent) == ALONE


def test_a_repair_that_is_forgotten_takes_its_note_along(path: Path, sqlite: Open, undecided: Repair) -> None:
    store = sqlite(path)
    store.save(undecided)
    store.note(note(accepted(undecided)))
    store.remove(RepairFilter(id="aa"))
    assert os.listdir(path.parent) == ALONE
    with pytest.raises(BadInput):
        store.get("aa")


@pytest.mark.parametrize("file_is_gone", [True, False])
def test_a_note_on_what_the_history_does_not_have_goes(
    path: Path, sqlite: Open, undecided: Repair, make_repair: Make, file_is_gone: bool
) -> None:
    store = sqlite(path)
    store.save(make_repair("bb"))
    store.note(note(accepted(undecided)))
    if file_is_gone:
        path.unlink()
    assert [repair.id for repair in store.recent(9)] == ([] if file_is_gone else ["bb"])
    assert os.listdir(path.parent) == ([] if file_is_gone else ALONE)


DAMAGED = {
    "nothing": b"",
    "half of it": b'{"repair": "aa", "fix": "raa", "at"',
    "no object": b"[]",
    "a field less": b'{"repair": "aa"}',
    "another type": b'{"repair": "aa", "fix": 3, "at": "", "revised": "z", "run": true, "whole": false}',
    "no text": b"\xff\xfe",
    "brackets without an end": b"[" * 100_000,
}


def test_what_a_killed_process_left_half_written_goes(path: Path, sqlite: Open, undecided: Repair) -> None:
    store = sqlite(path)
    store.save(undecided)
    notes(path).mkdir()
    (half, fresh, other) = (notes(path) / name for name in ("aa.4711", "ab.4712", "mine.txt"))
    for file in (half, fresh, other):
        file.write_text('{"repair": "a')
    os.utime(half, (0, 0))
    os.utime(other, (0, 0))
    assert store.get("aa") == undecided
    assert not half.exists()
    assert fresh.exists(), "somebody may be writing it"
    assert other.exists(), "it is not ours"
    other.unlink()
    os.utime(fresh, (0, 0))
    store.get("aa")
    assert not notes(path).exists()


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_note_goes_and_hides_no_repair(path: Path, sqlite: Open, undecided: Repair, data: bytes) -> None:
    store = sqlite(path)
    store.save(undecided)
    notes(path).mkdir()
    (notes(path) / "aa.json").write_bytes(data)
    assert store.recent(9) == [undecided]
    assert not (notes(path) / "aa.json").exists()
    store.save(undecided)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither FIFOs nor links without a privilege")
def test_what_stands_in_the_notes_place_keeps_nobody_waiting(
    path: Path, sqlite: Open, undecided: Repair, tmp_path: Path
) -> None:
    store, secret = sqlite(path), tmp_path / "secret"
    secret.write_text("kept")
    store.save(undecided)
    notes(path).mkdir()
    os.mkfifo(notes(path) / "aa.json")
    (notes(path) / "cc.json").mkdir()
    (notes(path) / f"bb.{os.getpid()}").symlink_to(secret)
    assert store.recent(9) == [undecided]
    store.save(undecided)
    with pytest.raises(OSError, match="symbolic links"):
        DecisionNotes(path).add(dataclasses.replace(note(accepted(undecided)), repair="bb"))
    assert secret.read_text() == "kept"


def test_only_what_a_note_can_say_is_noted(undecided: Repair) -> None:
    own = Edit(undecided.situation.place, undecided.situation.source, "total(df.cost)")
    assert note_of(accepted(undecided)) is not None
    assert note_of(undecided) is None
    assert note_of(accepted(undecided, steps=(own,))) is None, "a text of the user's own is redacted first"
    assert note_of(accepted(undecided, kind="rejected")) is None
    assert note_of(accepted(undecided, fix_id="none")) is None
    assert note_of(dataclasses.replace(accepted(undecided), id="../aa")) is None, "ids of imported repairs are anything"


def test_a_repair_of_any_id_is_saved(path: Path, sqlite: Open, undecided: Repair, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("kept")
    notes(path).mkdir(parents=True)
    sqlite(path).save(dataclasses.replace(undecided, id="../../other"))
    assert (tmp_path / "other.json").read_text() == "kept"


# ------------------------------------------------------------------------------------------ the recorder


def recording(path: Path, sqlite: Open) -> Recorder:
    return Recorder(
        lambda: ResilientStore(sqlite(path), pytest.fail),
        pytest.fail,
        lambda repair: dataclasses.replace(repair, revised=now()),
    )


def test_a_decision_is_noted_where_the_repair_was_saved(path: Path, sqlite: Open, undecided: Repair) -> None:
    recorder = recording(path, sqlite)
    recorder.save(undecided)
    recorder.note(accepted(undecided))
    recorder.settle(60)
    assert [entry.name for entry in notes(path).iterdir()] == ["aa.json"]
    assert sqlite(path).get("aa").outcome == "accepted"
    recorder.close()


@pytest.mark.parametrize("was_saved", [True, False])
def test_what_cannot_be_noted_is_saved(
    path: Path, sqlite: Open, undecided: Repair, make_repair: Make, was_saved: bool
) -> None:
    recorder = recording(path, sqlite)
    recorder.save(undecided if was_saved else make_repair("bb"))
    recorder.settle(60)
    if was_saved:
        notes(path).write_text("a file stands in its place")
    recorder.note(accepted(undecided))
    recorder.settle(60)
    assert not notes(path).is_dir()
    assert recorder.get("aa").outcome == "accepted"
    recorder.close()


def test_a_store_that_has_no_notes_is_given_the_repair(undecided: Repair) -> None:
    store = MemoryStore()
    recorder = Recorder(lambda: store, pytest.fail)
    recorder.save(undecided)
    recorder.note(accepted(undecided))
    recorder.settle(60)
    assert store.get("aa").outcome == "accepted"
    recorder.close()


class Failing(SqliteStore):
    """Takes nothing."""

    def save(self, repair: Repair) -> None:
        raise StoreError("the disk is full")


def test_what_waits_in_memory_is_not_noted_on_the_disk(path: Path, sqlite: Open, undecided: Repair) -> None:
    store = sqlite(path)
    store.__class__ = Failing
    resilient = ResilientStore(store, lambda text: None)
    resilient.save(undecided)
    with pytest.raises(OSError, match="has to be saved"):
        resilient.note(note(accepted(undecided)))
