"""What hides in a text is seen in every host, and found before anybody clicks."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from reflex_ipython.base.characters import HIDDEN, PATTERN, described
from reflex_ipython.models import CellRef, Edit, ExceptionInfo, Failure, Finding, Fix, Repair, Situation, Verdict
from reflex_ipython.present.history import history_html, history_table, repair_report, repair_report_html
from reflex_ipython.present.text import repair_panel
from tests.check.build import codes, criticise
from tests.present.looks import kept_html, kept_text

HIDING = {
    "right-to-left override": "\u202e",
    "isolate": "\u2066",
    "zero width space": "\u200b",
    "zero width joiner in code": "a\u200d",
    "zero width non-joiner in code": "a\u200c",
    "word joiner": "\u2060",
    "soft hyphen": "\xad",
    "line separator": "\u2028",
    "next line": "\x85",
    "tag": "\U000e0041",
    "variation selector": "\ufe01",
    "emoji selector after a letter": "a\ufe0f",
    "variation selector of the supplement": "\U000e0100",
    "hangul filler": "\u3164",
    "half-width filler": "\uffa0",
    "byte order mark": "\ufeff",
    "grapheme joiner": "\u034f",
    "escape": "\x1b",
    "backspace": "\x08",
    "lone carriage return": "\r",
    "form feed": "\x0c",
    "null": "\x00",
    "half of a character": "\ud83d",
}
PLAIN = ("é", "naïve – “café” …", "日本語", "👩\u200d🔬", "⚠\ufe0f", "1\ufe0f\u20e3", "می\u200cخواهم", "שלום", "µ±²")


@pytest.mark.parametrize("hiding", HIDING.values(), ids=HIDING)
def test_a_hidden_character_is_found_and_told_with_its_line(hiding: str) -> None:
    found = [each for each in criticise("x = f()", f"y = 1\nx = f(1)  # {hiding}x") if each.code == "hidden-text"]
    assert [each.severity for each in found] == ["danger"]
    assert "line 2: U+" in found[0].text


def test_the_words_name_the_characters() -> None:
    (found,) = criticise("x = f()", "x = f()  # \u202e import os \u2066 \x1b")
    assert found.text == (
        "hidden characters on line 1: U+202E right-to-left override, U+2066 left-to-right isolate, U+001B escape"
    )


@pytest.mark.parametrize("plain", PLAIN)
def test_plain_text_of_all_scripts_is_no_finding(plain: str) -> None:
    assert codes("x = f('a')", f"x = f({plain!r})\ny = '{plain}'") == []


def test_what_the_failed_cell_had_already_is_no_news() -> None:
    assert codes("x = f('\u202e')", "x = f('\u202e', 1)") == []


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("ｅxec('x = 1')", "`<FF45>xec` on line 1 is read as `exec`"),
        ("𝐱 = 1\nprint(𝐱)", "`<1D431>` on line 1 is read as `x`"),
        ("ﬁle = 1", "`<FB01>le` on line 1 is read as `file`"),
        ("p\u0430th = 1", "`p<0430>th` on line 1 looks like `path`: it has U+0430 cyrillic small letter a"),
        ("\u0435\u0445\u0435\u0441 = 1", "looks like `exec`"),
        ("v\u0430lues = 1", "looks like `values`"),
        ("def \u0441ount(x): return x", "looks like `count`"),
        ("\u03bfpen = 1", "looks like `open`"),
    ],
)
def test_an_identifier_that_is_not_what_it_looks_like_is_told(new: str, said: str) -> None:
    found = [each for each in criticise("total = sum(values)", new) if each.code == "look-alike"]
    assert [each.severity for each in found] == ["danger"]
    assert said in found[0].text


@pytest.mark.parametrize("new", ["α, Δx, σ_x = 1, 2, 3", "цена_usd = 1", "сумма = 2", "µ = 3.0", "größe = 1"])
def test_an_identifier_of_another_script_is_honest(new: str) -> None:
    assert "look-alike" not in codes("total = sum(values)", f"{new}\ntotal = 1")


def test_danger_is_judged_by_the_text_that_runs() -> None:
    assert "evaluates" in codes("x = f()", "ｅxec('x = 1')")
    assert "starts-process" in codes("x = f()", "import os\nos.ｓystem('id')")


# ------------------------------------------------------------------ every host

ALL = " ".join(HIDING.values())


def repair() -> Repair:
    cell = CellRef("cell", 1)
    old, new = f"x = f()  # {ALL}", f"x = f(1)  # {ALL} import os"
    failure = Failure(
        "f", "2026-01-01T00:00:00+00:00", Situation(cell, old), "run", (ExceptionInfo("NameError", ALL),), lineno=1
    )
    verdict = Verdict(findings=(Finding("hidden-text", ALL, "danger"),))
    return Repair("r", "s", failure, (Fix("x", (Edit(cell, old, new),), ALL, "model"),), {"x": verdict})


def drawn(renderable: object) -> str:
    console = Console(file=io.StringIO(), width=100, color_system=None, legacy_windows=False)
    console.print(renderable)
    return console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO


HOSTS: dict[str, Callable[[Repair], str]] = {
    "text": kept_text,
    "HTML": kept_html,
    "terminal": lambda shown: drawn(repair_panel(shown)),
    "history": lambda shown: drawn(history_table([shown])),
    "history as HTML": lambda shown: history_html([shown]),
    "report": lambda shown: drawn(repair_report(shown)),
    "report as HTML": repair_report_html,
}


@pytest.mark.parametrize("host", HOSTS)
def test_nothing_hides_in_any_host(host: str) -> None:
    shown = HOSTS[host](repair())
    assert [described(character) for character in set(HIDDEN.findall(shown))] == []
    assert "202E" in shown or host.startswith("history")


def test_long_lines_wrap_in_saved_html_so_that_nothing_stands_far_to_the_right() -> None:
    assert "white-space:pre-wrap" in kept_html(repair())
    assert "overflow-x" not in kept_html(repair())


def test_the_page_has_the_same_pattern() -> None:
    source = (Path(__file__).parents[2] / "labextension" / "src" / "panel" / "hidden.ts").read_text(encoding="utf-8")
    pieces = re.findall(r"^ {4,6}'(.*)'", source[: source.index("'gu'")].replace("  '[", "    '["), re.MULTILINE)
    there = "".join(pieces).replace("\\\\", "\\")
    here = re.sub(r"\\U000([0-9a-f]{5})", lambda match: rf"\u{{{match[1].lstrip('0')}}}", PATTERN)
    assert there == here
