"""Terminal IPython, in a real pseudo-terminal, with a person's keys."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.testing import Say, ScriptedServer
from tests.kernel.terminal import end

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a pseudo-terminal")
if sys.platform != "win32":
    import pexpect


def started(folder: Path, *options: str) -> Any:
    """IPython with the extension."""
    return pexpect.spawn(
        sys.executable,
        ["-m", "IPython", "--no-banner", "--no-confirm-exit", *options, "--ext=reflex_ipython"],
        dimensions=(40, 100),
        timeout=60,
        cwd=folder,
        encoding="utf-8",
        env={**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"},
    )


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Any]:
    """With the simple prompt, which reads a line at a time."""
    child = started(tmp_path, "--simple-prompt")
    child.expect(r"In \[1\]:")
    yield child
    end(child)


def type_line(child: Any, line: str, number: int) -> str:
    child.sendline(line)
    child.expect(rf"In \[{number}\]:")
    return str(child.before)


def fail_line(child: Any, line: str, number: int) -> str:
    """Type a line that fails, and wait for its fix: on a busy machine that comes after the prompt."""
    shown = type_line(child, line, number)
    if "%reflex accept" not in shown:
        child.expect("%reflex accept")
        shown += f"{child.before}{child.after}"
    return shown


def test_the_diff_comes_in_colour_and_accept_runs_it(terminal: Any) -> None:
    type_line(terminal, "total = 41", 2)
    shown = fail_line(terminal, "print(toatl + 1)", 3)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert plain.index("NameError") < plain.index("print(total + 1)") < plain.index("%reflex accept")
    assert "\x1b[32mprint(" in shown
    assert "42" in type_line(terminal, "%reflex accept", 4)
    assert "accepted" in type_line(terminal, "%reflex history", 5)


def test_reject_says_so(terminal: Any) -> None:
    type_line(terminal, "total = 41", 2)
    fail_line(terminal, "toatl", 3)
    assert "Rejected" in type_line(terminal, "%reflex reject", 4)


def test_ctrl_c_interrupts_a_cell_and_nothing_is_proposed(terminal: Any) -> None:
    terminal.sendline("print('be' + 'gun'); import time; time.sleep(60)")
    terminal.expect("begun")
    shown = ""
    for _ in range(6):  # Python loses one that comes just as the sleep begins, without us too: twice in 1,200
        terminal.sendintr()
        if terminal.expect([r"In \[2\]:", pexpect.TIMEOUT], timeout=9) == 0:
            shown = terminal.before
            break
    assert "KeyboardInterrupt" in shown
    assert "%reflex" not in shown


def plain(shown: str) -> str:
    """Without colours, and on one line whatever the terminal's width."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", shown).split())


@pytest.mark.parametrize("first", ["counter += 1", "import asyncio; await asyncio.sleep(0); counter += 1"])
def test_what_has_run_does_not_run_twice_and_what_it_printed_stays_where_it_is(terminal: Any, first: str) -> None:
    type_line(terminal, "counter, total = 0, [3]", 2)
    fail_line(terminal, f"{first}; print('o' + 'ne'); print(toatl); counter += 10", 3)
    shown = plain(type_line(terminal, "%reflex accept", 4))
    assert "[3]" in shown
    assert "state restored" in shown
    assert "Resumed at line 1" in shown
    assert "one" not in shown
    assert "11" in type_line(terminal, "counter", 5)


def test_an_earlier_input_that_gets_another_text_runs_again_in_front_of_the_failed_one(terminal: Any) -> None:
    type_line(terminal, "%config Reflex.undo_share = 1000.0", 2)  # nobody types as fast as this test
    type_line(terminal, "from reflex_ipython.models import Edit, Fix, new_id", 3)
    type_line(terminal, "rows = [3, 1]", 4)
    type_line(terminal, "rows = rows.sort()", 5)
    provider = (
        "Says = type('Says', (), dict(name='says', where='instant', cost='', label='', "
        "propose=lambda self, failure, _: [Fix(new_id(), tuple(Edit(one.cell, one.source, 'rows = sorted(rows)') "
        "for one in failure.situation.earlier if 'sort' in one.source), 'why', 'says')]))"
    )
    type_line(terminal, provider, 6)
    type_line(terminal, "plugins = get_ipython().reflex_extension.assembly.session.plugins", 7)
    type_line(terminal, "plugins.loaded = ([Says()], plugins.checkers)", 8)
    shown = plain(fail_line(terminal, "print('first', rows[0])", 9))
    assert "with its new text" in shown
    assert "first 1" in type_line(terminal, "%reflex accept", 10)
    assert "state restored exactly" in plain(type_line(terminal, "%reflex undo", 11))


def test_a_loop_is_put_back_to_its_beginning(terminal: Any) -> None:
    type_line(terminal, "seen, total = [], [3]", 2)
    fail_line(terminal, "_ = [seen.append(n) or (n == 3 and print(toatl)) for n in range(5)]", 3)
    assert "[3]" in type_line(terminal, "%reflex accept", 4)
    assert "[0, 1, 2, 3, 4]" in type_line(terminal, "seen", 5)


def test_after_another_input_nothing_is_put_back_and_that_is_said(terminal: Any) -> None:
    type_line(terminal, "counter, total = 0, [3]", 2)
    fail_line(terminal, "counter += 1; print(toatl)", 3)
    type_line(terminal, "other = 1", 4)
    shown = plain(type_line(terminal, "%reflex accept", 5))
    assert "not undone: the failed run (another cell ran)" in shown
    assert "2" in type_line(terminal, "counter", 6)


@pytest.mark.parametrize(
    ("keys", "expected"), [("r\r", "xx"), ("w\r", "xx"), ("n\r", "x"), ("\r", "x"), ("\x03", "x"), ("\x04", "x")]
)
def test_what_would_happen_again_is_asked_about(terminal: Any, tmp_path: Path, keys: str, expected: str) -> None:
    type_line(terminal, "total, ran = [3], []", 2)
    fail_line(terminal, "ran.append(1); print(open('log.txt', 'a').write('x'), toatl)", 3)
    terminal.sendline("%reflex accept")
    terminal.expect(r"\[n\]o: ")
    assert "repeats what can't be undone: wrote log.txt" in plain(terminal.before)
    terminal.send(keys)
    terminal.expect(r"In \[4\]:")
    said = "Not accepted: nothing has changed." in plain(terminal.before)
    assert said is (expected == "x")
    assert (tmp_path / "log.txt").read_text() == expected
    assert "[1]" in type_line(terminal, "ran", 5)


# `%pip` is the user's: here it says what it was given, and makes the module by itself. No network, no package.
PIP = """\
import sys, types
from IPython import get_ipython

def pip(line):
    print("pip was given:", line)
    works = get_ipython().user_ns["works"]
    if works:
        sys.modules["haversine"] = types.ModuleType("haversine")
    get_ipython().user_ns["_exit_code"] = 0 if works else 1

get_ipython().register_magic_function(pip)
"""
IMPORTS = "counter += 1; import haversine; print('done', counter)"


@pytest.mark.parametrize("works", [True, False], ids=["pip works", "pip fails"])
def test_accept_installs_a_missing_package_and_goes_on(terminal: Any, tmp_path: Path, works: bool) -> None:
    (tmp_path / "own_pip.py").write_text(PIP, encoding="utf-8")
    type_line(terminal, f"import own_pip; counter, works = 0, {works}", 2)
    shown = plain(fail_line(terminal, IMPORTS, 3))
    assert "haversine is a package that is not installed here." in shown
    assert "pip was given" not in shown, "nothing is installed before it is accepted"
    shown = plain(type_line(terminal, "%reflex accept", 4))
    assert 'pip was given: install "haversine"' in shown
    assert ("done 1" in shown) is works
    assert ("haversine could not be installed: what pip said is above." in shown) is not works
    assert ("1") in type_line(terminal, "counter", 5)


FAILS = "counter += 1; value = open('/nowhere/at/all')"


def reason(child: Any, line: str) -> None:
    """Fail where no rule has a fix, and wait for the commands of the panel."""
    child.send(f"{line}\r")
    child.expect("FileNotFoundError")
    child.expect("%reflex edit")


def test_a_simple_prompt_can_not_be_filled_in_and_says_what_to_do(terminal: Any) -> None:
    type_line(terminal, "counter = 0", 2)
    reason(terminal, FAILS)
    terminal.expect(r"In \[3\]:")
    shown = plain(type_line(terminal, "%reflex edit", 4))
    assert "This prompt can't be filled in: what has run of the cell has run, so type the line that failed" in shown
    assert "in the same cell: `%reflex edit` does." in plain(type_line(terminal, "%reflex resume", 5))
    assert "1" in type_line(terminal, "counter", 6)


def test_edit_fills_the_next_prompt_and_what_was_mended_goes_on_where_it_failed(tmp_path: Path) -> None:
    child = started(tmp_path)
    child.expect(r"In .*?1.*?:")
    child.send("counter = 0\r")
    child.expect(r"In .*?2.*?:")
    reason(child, FAILS)
    child.send("%reflex edit\r")
    child.expect("Mend it in the next prompt")
    child.expect(r"In .*?4.*?:[^%]*%reflex resume")
    child.expect("at/all'")
    child.send("\x7f" * len("open('/nowhere/at/all')") + "7; print('en' + 'd', counter)\r")
    child.expect("end 1")
    shown = child.before
    child.expect("Resumed at line 1")
    shown += child.before
    assert "not tried" not in shown, "no panel for what the user has just typed"
    end(child)


def test_nothing_leaves_the_machine_before_it_is_allowed_and_then_it_does(terminal: Any) -> None:
    answer = "Done.\n```python\nprint(6 * 7)\n```"
    with ScriptedServer(Say([answer]), Say([answer])) as server:  # another machine's by its name, reached by a proxy
        proxy = f"import os; os.environ.update(HTTP_PROXY='http://127.0.0.1:{server.port}', NO_PROXY='', no_proxy='')"
        type_line(terminal, f"{proxy}; os.environ['MY_KEY'] = 'none of yours'", 2)
        type_line(terminal, "%config Reflex.attempts = 1", 3)
        chosen = plain(
            type_line(terminal, "%reflex model large --base-url http://models.example/v1 --key-variable MY_KEY", 4)
        )
        assert "Nothing is sent to http://models.example before you allow it" in chosen
        shown = plain(type_line(terminal, "nothing_like_it()", 5))
        if "Nothing has been sent" not in shown:
            terminal.expect("Nothing has been sent")
            terminal.expect("shows every byte")
        assert server.requests == []
        assert "may be sent to http://models.example" in plain(type_line(terminal, "%reflex model --allow", 6))
        assert server.requests == []
        terminal.sendline("%reflex fix")
        terminal.expect("%reflex accept")
        assert len(server.chats) == 1
        assert "42" in type_line(terminal, "%reflex accept", 8)
