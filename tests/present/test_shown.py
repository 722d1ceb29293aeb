"""What stands below a failed cell, in the history and in a report: the facts, whichever way they are drawn."""

from __future__ import annotations

import dataclasses
import io
from datetime import datetime, timedelta, timezone

import pytest
from rich.cells import cell_len
from rich.console import Console

from reflex_ipython.models import Decision, Edit, Finding, Rerun, Verdict
from reflex_ipython.present.clock import local_time
from reflex_ipython.present.diff import hunks, plain
from reflex_ipython.present.fold import FOLD, folded
from reflex_ipython.present.history import history_html, history_table, repair_report, repair_report_html, rows
from reflex_ipython.present.text import repair_panel
from tests.present.looks import kept_html, kept_text

AT = "2026-11-21T10:05:00.000+00:00"
NOW = datetime(2026, 11, 21, 18, 0, tzinfo=timezone.utc)


def in_terminal(renderable, width=80, **options):
    settings = {"color_system": None, "legacy_windows": False, "_environ": {}, **options}
    console = Console(file=io.StringIO(), width=width, **settings)
    console.print(renderable)
    return console.file.getvalue()


def all_ways(repair):
    return kept_text(repair), kept_html(repair), in_terminal(repair_panel(repair), 200)


def test_an_open_repair_says_what_to_type(repairs):
    shown = in_terminal(repair_panel(repairs["simple"]), 200)
    for command in ("%reflex accept", "%reflex edit", "%reflex reject"):
        assert command in shown


@pytest.mark.parametrize("name", ["simple", "two proposals", "edited", "unknown", "wide", "tried", "choice", "unsure"])
def test_a_saved_notebook_has_no_hint_to_type_anything(repairs, name):
    assert "%reflex" not in kept_html(repairs[name])
    assert "%reflex" not in kept_text(repairs[name])


@pytest.mark.parametrize("kind", ["accepted", "rejected", "superseded"])
def test_a_decided_repair_offers_nothing_any_more(repairs, kind):
    decided = dataclasses.replace(repairs["two proposals"], decision=Decision(kind, AT, "x2"))
    for shown in all_ways(decided):
        assert "%reflex" not in shown
        assert "2 of 2" not in shown


def test_an_undone_repair_can_be_accepted_again(repairs):
    for shown in all_ways(dataclasses.replace(repairs["simple"], decision=Decision("undone", AT, "x1"))):
        assert "Undone" in shown
    assert "%reflex accept" in shown


def test_the_accepted_fix_is_shown_with_the_users_changes(repairs):
    for shown in all_ways(repairs["edited"]):
        assert "raise" in shown
        assert "return None" not in shown
        assert "qwen2.5-coder:7b" in shown


def test_findings_have_signs_that_need_no_colour(repairs):
    second = repairs["two proposals"].fixes[1]
    shown = in_terminal(repair_panel(dataclasses.replace(repairs["two proposals"], fixes=(second,))), 200)
    assert "! blocked by the sandbox: it would delete data.csv" in shown
    assert "✗ adds os.remove('data.csv')" in shown
    assert "the result may be None" in shown


def test_a_fix_that_leaves_the_cell_as_it_is_says_so(repairs):
    repair = repairs["simple"]
    same = dataclasses.replace(repair.fixes[0], steps=(Edit(repair.situation.cell, "a", "a"),))
    for shown in all_ways(dataclasses.replace(repair, fixes=(same,))):
        assert "text stays the same" in shown


def test_what_went_wrong_meanwhile_is_told(repairs):
    for shown in all_ways(dataclasses.replace(repairs["unknown"], trouble="The server is not there.")):
        assert "The server is not there." in shown


@pytest.mark.parametrize("name", ["simple", "two proposals", "edited", "unknown", "hostile", "wide"])
@pytest.mark.parametrize("width", [20, 33, 80, 150])
def test_no_line_is_longer_than_the_terminal(repairs, name, width):
    repair = repairs[name]
    for renderable in (repair_panel(repair), repair_report(repair), history_table([repair])):
        assert max(map(cell_len, in_terminal(renderable, width).split("\n"))) <= width


@pytest.mark.parametrize("width", [30, 80])
def test_the_frame_is_straight_around_wide_characters(repairs, width):
    lines = in_terminal(repair_panel(repairs["wide"]), width).rstrip("\n").split("\n")
    assert {cell_len(line) for line in lines} == {width}


def test_no_character_of_a_long_line_is_lost_where_it_wraps(repairs):
    shown = in_terminal(repair_panel(repairs["wide"]), 40)
    assert all(shown.count(f"term_{number}") >= 2 for number in range(10, 38))


def test_a_terminal_without_unicode_gets_ascii(repairs):
    for width in (60, 100):
        buffer = io.BytesIO()
        console = Console(file=io.TextIOWrapper(buffer, encoding="ascii"), width=width, _environ={})
        for renderable in (
            repair_panel(repairs["wide"]),
            repair_report(repairs["edited"]),
            history_table([repairs["wide"]]),
        ):
            console.print(renderable)
        console.file.flush()
        lines = buffer.getvalue().decode("ascii").split("\n")
        assert max(map(len, lines)) <= width


def test_added_and_removed_lines_have_colours_of_the_terminals_palette(repairs):
    shown = in_terminal(repair_panel(repairs["simple"]), force_terminal=True, color_system="truecolor")
    assert "\x1b[31m" in shown
    assert "\x1b[32m" in shown
    assert "38;2" not in shown
    assert "38;5" not in shown


# ------------------------------------------------------------------------------- folding


def numbered(count, changed):
    return "\n".join(f"line {number}{'!' if number in changed else ''}" for number in range(count))


def test_long_unchanged_parts_are_folded_and_counted():
    shown = list(folded(hunks(numbered(40, []), numbered(40, [10, 30])), context=2))
    texts = [(sign, plain(line)) for sign, line in shown if sign != " "]
    assert texts == [
        (FOLD, "8 unchanged lines"),
        ("-", "line 10"),
        ("+", "line 10!"),
        (FOLD, "15 unchanged lines"),
        ("-", "line 30"),
        ("+", "line 30!"),
        (FOLD, "7 unchanged lines"),
    ]
    assert sum(sign == " " for sign, _ in shown) == 8


def test_a_single_line_is_not_folded():
    shown = list(folded(hunks(numbered(9, []), numbered(9, [0, 8])), context=3))
    assert FOLD not in [sign for sign, _ in shown]
    assert sum(sign == " " for sign, _ in shown) == 7


# ------------------------------------------------------------------------------- history


def test_an_empty_history_is_a_friendly_sentence():
    assert "The history is empty" in in_terminal(history_table([]), 200)
    assert "The history is empty" in history_html([])


def test_the_fix_of_a_row_is_the_accepted_one(repairs):
    [row] = rows([repairs["edited"]], NOW)
    assert row.cells == (
        "9f8e7d6c",
        "10:04",
        "In [7]",
        "AttributeError: 'DataFrameGroupBy' object has no attribute 'slaes'",
        "qwen2.5-coder:7b",
        "accepted",
        "✗ ValueError",
    )
    assert row.tone == "bad"


def test_a_row_of_an_error_without_a_fix_has_dashes(repairs):
    [row] = rows([repairs["unknown"]], NOW)
    assert row.cells[2:] == ("—", "ZeroDivisionError: division by zero", "—", "open", "—")


def test_long_errors_are_cut(repairs):
    [row] = rows([repairs["wide"]], NOW)
    assert row.cells[3].endswith("…")
    assert len(row.cells[3]) <= 80


def test_ids_are_whole_in_every_width(repairs):
    for width in (24, 60, 84, 100, 200):
        assert "9f8e7d6c" in in_terminal(history_table([repairs["edited"]], NOW), width)


@pytest.mark.parametrize(
    ("at", "shown", "brief"),
    [
        ("2026-11-21T10:04:05.678+00:00", "10:04", "10:04"),
        ("2026-11-21T10:04:05Z", "10:04", "10:04"),
        ("2026-11-20T23:59:00.000+00:00", "2026-11-20 23:59", "2026-11-20"),
        ("2026-11-21T01:00:00.000+05:00", "2026-11-20 20:00", "2026-11-20"),
        ("whenever", "whenever", "whenever"),
        ("", "", ""),
    ],
)
def test_times_are_local_and_of_today_without_the_date(at, shown, brief):
    assert local_time(at, NOW) == shown
    assert local_time(at, NOW, brief=True) == brief


def test_times_are_shown_in_the_zone_of_now():
    east = NOW.astimezone(timezone(timedelta(hours=9)))
    assert local_time("2026-11-21T10:04:00+00:00", east) == "2026-11-21 19:04"
    assert local_time("2026-11-21T16:04:00+00:00", east) == "01:04"


# ------------------------------------------------------------------------------- the report


def test_a_report_tells_everything(repairs):
    repair = repairs["edited"]
    passed = {**repair.verdicts, "x2": Verdict("passed", "", (Finding("shape", "the shape changes", "note"),))}
    repair = dataclasses.replace(repair, verdicts=passed, trouble="The model was slow.")
    for shown in (in_terminal(repair_report(repair, NOW), 200), repair_report_html(repair, NOW)):
        for part in (
            "9f8e7d6c",
            "5e55104e",
            "3.0.1",
            "see the data",
            "while handling KeyError",
            "Fix 1 of 2",
            "closest attribute",
            "ran in a copy of your kernel",
            "the shape changes",
            "In [2], an earlier cell",
            "1,834 + 212 tokens",
            "$0.0012",
            "it would delete data.csv",
            "The model was slow.",
            "accepted a fix (number 2, qwen2.5-coder:7b), 10:05",
            "with the user",
            "raised ValueError: no such part after 1.25 s",
        ):
            assert part in shown, part


def test_a_report_of_an_open_repair_says_that_nothing_was_decided(repairs):
    assert "Nothing was decided." in in_terminal(repair_report(repairs["simple"], NOW))


def test_a_report_gives_the_reason_of_a_decision(repairs):
    reason = Decision("superseded", AT, reason="The cell was edited.")
    shown = in_terminal(repair_report(dataclasses.replace(repairs["simple"], decision=reason), NOW), 200)
    assert "The cell was changed or run again before anything was decided, 10:05: The cell was edited." in shown


@pytest.mark.parametrize(
    ("rerun", "words"),
    [
        (Rerun(True, AT, seconds=3), "✓ The cell then ran without an error in 3.00 s."),
        (
            Rerun(True, AT, seconds=3, state="resumed at line 2, state restored exactly"),
            "✓ The cell then ran without an error in 3.00 s: resumed at line 2, state restored exactly.",
        ),
        (
            Rerun(False, AT, "KeyError", "'a'", 3, "restored except: x (too large)"),
            "✗ The cell then raised KeyError: 'a' after 3.00 s: restored except: x (too large).",
        ),
    ],
)
def test_a_report_of_a_rerun_says_how_it_went_and_what_became_of_the_state(repairs, rerun, words):
    decided = dataclasses.replace(repairs["simple"], decision=Decision("accepted", AT, "x1"), rerun=rerun)
    assert words in in_terminal(repair_report(decided, NOW), 200)


def test_a_message_of_several_lines_is_whole_in_the_report(repairs):
    repair = repairs["simple"]
    error = dataclasses.replace(repair.failure.error, evalue="first\nsecond\nthird")
    long = dataclasses.replace(repair, cause=dataclasses.replace(repair.failure, exceptions=(error,)))
    assert "third" in in_terminal(repair_report(long, NOW))
    assert "third" not in kept_text(long)
