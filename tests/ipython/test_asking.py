"""How an accepted fix is to run: settled without asking, asked, or not to be asked."""

from __future__ import annotations

import builtins
import signal
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from reflex_ipython.errors import BadInput
from reflex_ipython.ipython.asking import RunQuestion
from reflex_ipython.models import RunOption
from reflex_ipython.present.question import listing, prompt, understood
from reflex_ipython.present.run_options import run_option_views

BOTH = (RunOption(2, ("wrote b",)), RunOption(None, ("wrote a", "wrote b")))
WHOLE = (RunOption(None, ("wrote a",)),)
NOTHING = (RunOption(2), RunOption(None, ("wrote a",)))


@pytest.mark.parametrize(
    ("run_options", "flag", "settled"),
    [
        (BOTH, "", None), (BOTH, "resume", "resume"), (BOTH, "whole", "whole"),
        (WHOLE, "", None), (WHOLE, "whole", "whole"),
        (NOTHING, "", "resume"), (NOTHING, "resume", "resume"), (NOTHING, "whole", "whole"),
        ((), "", "resume"), ((), "resume", "resume"), ((RunOption(),), "resume", "resume"),
    ],
)  # fmt: skip
def test_only_what_repeats_something_and_was_not_said_is_asked(
    run_options: tuple[RunOption, ...], flag: str, settled: str | None
) -> None:
    assert RunQuestion(SimpleNamespace()).settled(run_options, flag) == settled


def test_what_repeats_something_whole_is_not_run_for_a_flag_that_says_resume() -> None:
    with pytest.raises(BadInput, match=r"can't be resumed(.|\n)*wrote a(.|\n)*--whole"):
        RunQuestion(SimpleNamespace()).settled(WHOLE, "resume")


@pytest.mark.parametrize(
    ("typed", "both", "whole"),
    [
        ("r", "resume", None), (" Resume ", "resume", None), ("w", "whole", "whole"), ("whole", "whole", "whole"),
        ("", "no", "no"), ("n", "no", "no"), ("no", "no", "no"), ("y", None, None), ("rw", None, None),
    ],
)  # fmt: skip
def test_an_answer_is_one_of_those_that_were_offered(typed: str, both: str | None, whole: str | None) -> None:
    assert understood(typed, run_option_views(BOTH)) == both
    assert understood(typed, run_option_views(WHOLE)) == whole


def test_the_question_has_the_words_of_the_panel() -> None:
    assert listing(run_option_views(BOTH)) == (
        "Resume at line 2: repeats what can't be undone: wrote b\n"
        "Run the whole cell: repeats what can't be undone: wrote a, wrote b"
    )
    assert prompt(run_option_views(BOTH)) == "[r]esume / run [w]hole / [n]o: "
    assert prompt(run_option_views(WHOLE)) == "run [w]hole / [n]o: "


def test_control_characters_of_a_file_name_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in listing(run_option_views((RunOption(None, ("wrote \x1b[2J",)),)))


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, EOFError, OSError, ValueError])
def test_what_was_not_answered_is_a_no_and_interrupts_are_as_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], trouble: type[BaseException]
) -> None:
    def fails(text: str) -> str:
        raise trouble

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(builtins, "input", fails)
    assert RunQuestion(SimpleNamespace()).ask(BOTH) == "no"
    assert signal.getsignal(signal.SIGINT) is before
    assert "wrote b" in capsys.readouterr().out


def test_after_many_words_that_are_no_answer_it_is_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(builtins, "input", lambda text: "perhaps")
    assert RunQuestion(SimpleNamespace()).ask(BOTH) == "no"


def _closed() -> bool:
    raise ValueError("I/O operation on closed file")


@pytest.mark.parametrize("stdin", [None, SimpleNamespace(isatty=lambda: False), SimpleNamespace(isatty=_closed)])
def test_where_the_input_is_no_terminal_nobody_is_asked(monkeypatch: pytest.MonkeyPatch, stdin: Any) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(BadInput, match=r"Choose with `%reflex accept --resume` or `%reflex accept --whole`"):
        RunQuestion(SimpleNamespace()).ask(BOTH)
