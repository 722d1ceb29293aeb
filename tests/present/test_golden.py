"""What is shown, whole: golden files. `REWRITE_GOLDEN=1 pytest` writes them anew; look at the differences."""

from __future__ import annotations

import dataclasses
import io
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest
from rich.console import Console

from reflex_ipython.models import Decision, Rerun
from reflex_ipython.present.history import history_html, history_table, repair_report, repair_report_html
from reflex_ipython.present.text import repair_panel
from tests.present.looks import kept_html, kept_text

GOLDEN = Path(__file__).parent / "golden"
NOW = datetime(2026, 11, 21, 18, 0, tzinfo=timezone.utc)
NAMES = [
    "simple",
    "two proposals",
    "edited",
    "unknown",
    "hostile",
    "hostile decided",
    "wide",
    "tried",
    "choice",
    "unsure",
    "chosen",
]


def check(name, shown):
    path = GOLDEN / name.replace(" ", "-")
    if os.environ.get("REWRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8", newline="\n")
    assert shown == path.read_text(encoding="utf-8")


def printed(renderable, width=80):
    console = Console(file=io.StringIO(), width=width, color_system=None, legacy_windows=False, _environ={})
    console.print(renderable)
    return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().split("\n")[:-1])


def history(repairs):
    simple, unknown = repairs["simple"], repairs["unknown"]
    accepted = Decision("accepted", simple.failure.at, "x1", simple.fixes[0].steps)
    return [
        simple,
        repairs["edited"],
        dataclasses.replace(
            simple, id="aabbccdd", decision=accepted, rerun=Rerun(True, simple.failure.at, seconds=0.21)
        ),
        dataclasses.replace(unknown, cause=dataclasses.replace(unknown.failure, at="2026-10-02T08:00:00.000+00:00")),
        repairs["choice"],
        repairs["chosen"],
        repairs["unsure"],
        dataclasses.replace(repairs["wide"], decision=Decision("rejected", simple.failure.at)),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_repair_below_its_cell(repairs, name):
    repair = repairs[name]
    check(f"{name}.txt", kept_text(repair) + "\n")
    check(f"{name}.html", kept_html(repair).replace("</p>", "</p>\n").replace("</pre>", "</pre>\n") + "\n")
    check(f"{name}.terminal", printed(repair_panel(repair)))


@pytest.mark.parametrize("name", ["simple", "edited", "unknown", "hostile decided", "choice", "chosen"])
def test_all_of_one_repair(repairs, name):
    check(f"{name}.report", printed(repair_report(repairs[name], NOW)))
    check(f"{name}.report.html", repair_report_html(repairs[name], NOW).replace("</p>", "</p>\n") + "\n")


@pytest.mark.parametrize("width", [40, 60, 100, 160])
def test_the_history_in_a_terminal(repairs, width):
    check(f"history.{width}", printed(history_table(history(repairs), NOW), width))


def test_the_history_in_a_notebook(repairs):
    check("history.html", history_html(history(repairs), NOW).replace("</tr>", "</tr>\n") + "\n")
