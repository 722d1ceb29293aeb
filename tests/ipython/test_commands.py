"""`%reflex` as a user of a shell meets it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter

from reflex_ipython.ipython.acceptance import accepted, is_command


def test_the_fix_is_printed_under_the_traceback_with_what_to_type(run: Any) -> None:
    run("total = 3")
    _, text = run("print(toatl)")
    assert text.index("NameError") < text.index("%reflex accept")
    assert "print(total)" in text


def test_accept_becomes_the_fixed_cell(run: Any, shell: Any) -> None:
    run("total = 3")
    run("doubled = toatl * 2")
    result, _ = run("%reflex accept")
    assert result.success
    assert shell.user_ns["doubled"] == 6
    _, text = run("%reflex history")
    assert "accepted" in text


def test_accept_leaves_the_next_prompt_empty(run: Any, shell: Any) -> None:
    run("total = 3")
    run("toatl")
    run("%reflex accept")
    assert getattr(shell, "rl_next_input", None) is None


def test_a_fix_that_begins_indented_is_accepted(run: Any, shell: Any) -> None:
    run("total = 3")
    run("    doubled = toatl * 2")
    run("%reflex accept")
    assert shell.user_ns["doubled"] == 6


def test_accept_shows_the_value_of_the_last_expression(run: Any) -> None:
    run("total = 3")
    run("toatl + 1")
    result, _ = run("%reflex accept")
    assert result.result == 4


def test_accept_runs_a_fix_that_awaits(run: Any, shell: Any) -> None:
    run("import asyncio\ntotal = 3")
    run("await asyncio.sleep(0)\nlate = toatl")
    result, _ = run("%reflex accept")
    assert result.success
    assert shell.user_ns["late"] == 3


def test_accept_by_its_id_takes_that_one(run: Any, shell: Any) -> None:
    run("total = 3")
    run("one = toatl")
    repairs = shell.reflex_extension.assembly.session.repairs
    first = repairs.latest().id
    run("1 / 0")
    result, _ = run(f"%reflex accept {first}")
    assert result.success
    assert repairs.find(first).decision.kind == "accepted"
    assert shell.user_ns["one"] == 3


def test_a_fix_that_fails_again_opens_a_repair_of_its_own_text(run: Any, shell: Any) -> None:
    run("total = 3")
    run("print(toatl, valu)")
    result, _ = run("%reflex accept")
    assert not result.success
    latest = shell.reflex_extension.assembly.session.repairs.latest()
    assert latest.failure.situation.source == "print(total, valu)"


def test_nothing_to_accept_is_said_in_words(run: Any) -> None:
    result, text = run("%reflex accept")
    assert not result.success
    assert "There is no open repair" in text


def test_reject_leaves_nothing_to_accept(run: Any) -> None:
    run("total = 3")
    run("toatl")
    assert "Rejected" in run("%reflex reject")[1]
    assert "There is no open repair" in run("%reflex accept")[1]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("%reflex accept", (("", 0), "")),
        ("  %reflex  accept 0a1b --whole\n", (("0a1b", 0), "whole")),
        ("%reflex accept --resume 0a1b", (("0a1b", 0), "resume")),
        ("%reflex accept --resume --whole", None),
        ("%reflex accept --only-rewrite", None),
        ("%reflex accept 2", (("", 2), "")),
        ("%reflex accept 0a1b 2", (("0a1b", 2), "")),
        ("%reflex accept 12 --whole", (("", 12), "whole")),
        ("%reflex accept 2 --resume 123", (("123", 2), "resume")),
        ("%reflex accept 0", (("0", 0), "")),
        ("%reflex accept 2 3", None),
        ("%reflex accept 0a1b 2 3", None),
        ("%reflex accept 0a1b 0a1c", None),
        ("%reflex accept\nx = 1", None),
        ("x = 1\n%reflex accept", None),
        ("%reflex acceptance", None),
    ],
)
def test_only_a_cell_that_is_nothing_else_accepts(cell: str, expected: object) -> None:
    assert accepted(cell) == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("%reflex", True),
        (" %reflex history -n 3\n", True),
        ("%reflex history\nx = 1", False),
        ("x = 1\n%reflex", False),
        ("%reflexes", False),
    ],
)
def test_a_cell_with_something_else_is_no_command(cell: str, expected: bool) -> None:
    assert is_command(cell) is expected


def test_edit_puts_the_fix_into_the_next_cell(run: Any, shell: Any) -> None:
    run("total = 3")
    run("toatl")
    run("%reflex edit")
    assert shell.rl_next_input == "total"


def test_undo_gives_the_old_text_back(run: Any, shell: Any) -> None:
    run("total = 3")
    run("toatl")
    run("%reflex accept")
    _, text = run("%reflex undo")
    assert shell.rl_next_input == "toatl"
    assert text.endswith("the old text is in the next cell, state restored exactly.\n")


def test_off_looks_for_nothing_and_fix_still_works(run: Any) -> None:
    run("total = 3")
    run("%reflex off")
    assert "%reflex accept" not in run("toatl")[1]
    assert "%reflex accept" in run("%reflex fix")[1]
    run("%reflex on")
    assert "%reflex accept" in run("toatl")[1]


def test_fix_is_of_no_other_error_than_the_cells(run: Any) -> None:
    run("%reflex off")
    run("toatl")
    run("raise KeyboardInterrupt")
    assert "No cell has failed" in run("%reflex fix")[1]


def test_explain_says_what_is_there(run: Any) -> None:
    run("prices = {'apple': 1, 'pear': 2}")
    run("prices['aple']")
    _, text = run("%reflex explain")
    assert "KeyError" in text
    assert "apple, pear" in text


def test_status_names_what_is_open(run: Any, shell: Any) -> None:
    assert "No cell has failed" in run("%reflex")[1]
    assert "recorded" not in run("%reflex")[1]
    run("%config Reflex.trace = 'last calls'")
    assert "up to a twentieth of the time" in run("%reflex")[1]
    run("total = 3")
    run("toatl")
    assert f"Open: {shell.reflex_extension.assembly.session.repairs.latest().id}" in run("%reflex")[1]


def test_history_can_be_narrowed_and_shown_one_by_one(run: Any, shell: Any) -> None:
    run("total = 3")
    run("toatl")
    run("%reflex accept")
    run("1 / 0")
    assert "ZeroDivisionError" not in run("%reflex history --accepted")[1]
    assert "NameError" not in run("%reflex history --failed")[1]
    assert "NameError" not in run("%reflex history -n 1")[1]
    latest = shell.reflex_extension.assembly.session.repairs.latest().id
    assert "1 / 0" in run(f"%reflex show {latest[:5]}")[1]


def test_after_a_mistyped_command_the_last_error_is_still_the_users(run: Any) -> None:
    run("total = 3")
    run("%reflex off")
    run("toatl")
    error = sys.last_value
    run("%reflex histry")
    assert sys.last_value is error
    assert "closest name" in run("%reflex fix")[1]


def test_a_mistyped_command_is_no_error_to_look_back_at(run: Any) -> None:
    vars(sys).pop("last_value", None)
    run("%reflex histry")
    assert not hasattr(sys, "last_value")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("histry", "invalid choice"),
        ("history -n none", "not a number of 1 or more"),
        ("history -n 0", "not a number of 1 or more"),
        ("history --failed --accepted", "not allowed with"),
        ("show", "nothing was asked for in this kernel"),
        ("show zz", "no repair"),
        ("accept zz", "no repair"),
        ("undo", "No fix has been accepted"),
        ("fix", "No cell has failed"),
        ("model --base-url http://localhost:1", "Name the model as well"),
        ("show 'a", "No closing quotation"),
        ("history search cty", "Unrecognized arguments: search cty. usage: %reflex history"),
        ("--search cty", "usage: %reflex [-h]"),
    ],
)
def test_bad_input_is_a_short_error_that_says_what_to_do(run: Any, line: str, words: str) -> None:
    result, text = run(f"%reflex {line}")
    assert not result.success
    assert words in text
    assert "Traceback" not in text
    assert "%reflex explain" not in text


@pytest.mark.parametrize(
    "command",
    ["on", "off", "fix", "explain", "accept", "reject", "undo", "edit", "history", "show", "model"],
)
def test_every_command_has_help(run: Any, command: str) -> None:
    result, text = run(f"%reflex {command} -h")
    assert result.success
    assert f"usage: %reflex {command}" in text
    assert len(text.splitlines()) > 3


def test_the_docstring_is_the_parsers_help(shell: Any) -> None:
    assert "history" in shell.magics_manager.magics["line"]["reflex"].__doc__


def test_commands_and_options_are_completed(shell: Any) -> None:
    with provisionalcompleter():
        assert "history" in {c.text for c in shell.Completer.completions("%reflex hist", 12)}
        assert "--accepted" in {c.text for c in shell.Completer.completions("%reflex history --a", 19)}
        ways = {c.text for c in shell.Completer.completions("%reflex accept --", 17)}
        assert {"--resume", "--whole", "--only-rewrite"} <= ways


def test_a_model_can_be_chosen_and_dropped(run: Any, shell: Any) -> None:
    assert "nothing is sent to one" in run("%reflex model")[1]
    _, text = run("%reflex model tiny --base-url http://127.0.0.1:9/v1")
    assert "c.Reflex.model = 'tiny'" in text
    assert shell.reflex_extension.assembly.session.settings.base_url == "http://127.0.0.1:9/v1"
    run("%reflex model off")
    assert shell.reflex_extension.assembly.session.settings.model is None


def test_accept_whole_runs_all_of_it_where_it_could_be_resumed(run: Any) -> None:
    run("total = 3")
    run("print('first')\nprint(toatl)")
    assert run("%reflex accept --whole")[1].startswith("first\n3\n")
    run("print('first')\nprint(toatl)")
    assert run("%reflex accept")[1].startswith("3\n")


def test_with_the_history_off_no_file_is_made(run: Any, shell: Any, tmp_path: Path) -> None:
    run("%config Reflex.history = False")
    run("total = 3")
    run("toatl")
    assert "toatl" in run("%reflex history")[1]
    shell.reflex_extension.assembly.session.recorder.settle(10)
    assert not list(tmp_path.rglob("history*"))


def test_the_history_is_filtered_counted_and_logged(run: Any) -> None:
    run("total = 3")
    run("toatl")
    run("{}['absent']")
    assert "toatl" in run("%reflex history --class NameError --since 1d")[1]
    assert "toatl" not in run("%reflex history --class KeyError")[1]
    assert "toatl" in run("%reflex history --search toa")[1]
    assert "No repair fits" in run("%reflex history --search nothing_like_it")[1]
    assert "is no date" in run("%reflex history --since yesterday")[1]
    assert "2 repairs" in run("%reflex stats")[1]
    told = run("%reflex log")[1]
    assert "# Reflex: session" in told
    assert told.count("### The cell") == 2
    assert "Nothing is remembered yet" in run("%reflex memory")[1]
    assert "There is none with the ID" in run("%reflex memory --off abc")[1]


def test_the_log_is_written_as_the_session_goes_on(plain_shell: Any, tmp_path: Any) -> None:
    plain_shell.run_cell("%load_ext reflex_ipython")
    plain_shell.run_cell(f"%config Reflex.log_folder = {str(tmp_path / 'logs')!r}")
    plain_shell.run_cell("total = 3", store_history=True)
    plain_shell.run_cell("password = 'hunter2-Tr0ub4dor'\nprint(toatl)", store_history=True)
    plain_shell.run_cell("%reflex accept")
    plain_shell.run_cell("%unload_ext reflex_ipython")
    [path] = (tmp_path / "logs").iterdir()
    text = path.read_text(encoding="utf-8")
    moments = [text.index(part) for part in ("toatl", "Nothing was decided", "The user accepted a fix", "ran without")]
    assert moments == sorted(moments)
    assert "hunter2" not in text
    assert "REDACTED_1" in text
