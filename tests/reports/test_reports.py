"""Logs, figures and the page: what a history comes to."""

from __future__ import annotations

import dataclasses
import json
import shutil
from datetime import datetime, timezone
from pathlib import Path

import pytest

from reflex_ipython.cli import main
from reflex_ipython.models import Exchange, RepairFilter, Trial, Verdict
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.reports.charts import charts
from reflex_ipython.reports.log import repair_log, session_log
from reflex_ipython.reports.page import page
from reflex_ipython.reports.statistics import by, in_all, most_often_wrong
from reflex_ipython.reports.stats import stats_html, stats_table
from reflex_ipython.testing import full_repair

NOW = datetime(2026, 11, 24, tzinfo=timezone.utc)


def history(*kinds):
    """A store with a repair of each kind."""
    store = MemoryStore()
    for number, kind in enumerate(kinds):
        store.save(full_repair(f"id{number}", f"2026-11-{number + 1:02}T10:00:00.000+00:00", decided=kind))
    return store


def asked():
    repair = full_repair()
    exchange = Exchange("[user]\nWhat is wrong?\n```python\nx\n```", "Use `price`.", "It is misspelt.")
    fixes = tuple(dataclasses.replace(fix, exchange=exchange if fix.usage else None) for fix in repair.fixes)
    trial = Trial("passed", stdout="printed here", seconds=0.2)
    verdicts = {**repair.verdicts, fixes[1].id: Verdict("passed", trial=trial)}
    return dataclasses.replace(repair, fixes=fixes, verdicts=verdicts)


def test_a_log_has_what_was_asked_answered_thought_tried_and_decided():
    text = repair_log(asked(), NOW)
    for part in (
        "total(df.prise)", "+total(df.price)", "What is wrong?", "Use `price`.", "It is misspelt.", "printed here",
        "900 tokens in", "The user accepted a fix", "ran without an error", "df = load()",
    ):  # fmt: skip
        assert part in text, part


def test_no_text_of_a_log_ends_its_block_or_becomes_markup():
    text = repair_log(
        full_repair(source="x = '''\n````\n<script>'''", message="<img onerror=x> [a](javascript:b)"), NOW
    )
    assert "`````python\n" in text
    assert "\\<img onerror=x\\> \\[a\\](javascript:b)" in text


def test_a_session_is_told_from_its_first_repair_on():
    repairs = history("accepted", None).recent(5)
    text = session_log(repairs, NOW)
    assert text.index("repair id0") < text.index("repair id1")
    assert text.startswith("# Reflex: session session1")
    assert "no repairs" in session_log([])


def test_figures_say_which_share_of_the_decided_fixes_was_right():
    tallies = history("accepted", "accepted", "rejected", None, "superseded").tallies()
    figures = in_all(tallies)
    assert (figures.repairs, figures.right, figures.wrong) == (5, 2, 1)
    assert figures.share == pytest.approx(2 / 3)
    assert [one.value for one in by("ename", tallies)] == ["AttributeError"]
    assert [(one.value, one.wrong) for one in most_often_wrong(tallies)] == []  # the model's fixes, not a rule's
    assert in_all([]).share is None


def test_stats_are_shown_as_text_and_html_and_of_nothing_in_words():
    tallies = history("accepted", "rejected").tallies()
    assert "2 repairs: 1 accepted, 1 rejected; 50% of the decided fixes were right" in stats_table(tallies)
    assert "<td" in stats_html(tallies)
    assert "No repairs yet" in stats_table([])


def test_the_tables_of_stats_fit_a_terminal_of_80_columns():
    tables = stats_table(history("accepted", "rejected").tallies()).splitlines()[1:]
    assert any("share right" in line for line in tables)
    assert max(map(len, tables)) < 80


def test_the_page_lets_no_text_of_a_repair_out():
    store = MemoryStore()
    store.save(full_repair(message="</script><script>alert(1)</script>\u2028"))
    text = page(store.summaries(RepairFilter(), 9), store.tallies(), "")
    assert "<script>alert" not in text
    [start] = [text.index('id="data">') + len('id="data">')]
    data = json.loads(text[start : text.index("</script>", start)])
    assert "alert(1)" in data["rows"][0][3]


def test_there_is_no_chart_of_what_was_not_counted():
    assert charts([]) == []
    titles = [title for title, _ in charts(history("accepted", "rejected").tallies())]
    assert titles[0] == "Success over time"
    assert "Seconds to a fix, by model" in titles


@pytest.fixture
def file(tmp_path, sqlite):
    path = tmp_path / "h.sqlite"
    store = sqlite(path)
    for number, kind in enumerate(["accepted", None, "rejected"]):
        store.save(full_repair(f"id{number}", f"2026-11-{number + 1:02}T10:00:00.000+00:00", decided=kind))
    return path


@pytest.fixture(scope="session")
def sqlite():
    from reflex_ipython.protocols import StoreContext
    from reflex_ipython.remember.store import SqliteStore
    from reflex_ipython.settings import Settings

    return lambda path: SqliteStore(StoreContext(lambda: Settings(history_file=str(path))))


def test_what_is_exported_and_imported_is_exported_the_same(file, tmp_path, capsys):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert main(["history", "export", "--file", str(file), "-o", str(first)]) == 0
    other = str(tmp_path / "other.sqlite")
    assert main(["history", "import", str(first), "--file", other]) == 0
    assert main(["history", "export", "--file", other, "-o", str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_text(encoding="utf-8").splitlines()) == 3


def test_an_export_overwrites_nothing_and_a_bad_line_is_named(file, tmp_path, capsys):
    there = tmp_path / "there.jsonl"
    there.write_text("{}\n", encoding="utf-8")
    assert main(["history", "export", "--file", str(file), "-o", str(there)]) == 2
    assert main(["history", "import", str(there), "--file", str(file)]) == 2
    assert "line 1" in capsys.readouterr().err


def test_nothing_is_forgotten_before_it_is_said_yes(file, sqlite, capsys):
    assert main(["history", "forget", "--until", "2026-11-03", "--file", str(file)]) == 0
    assert "2 repairs would be forgotten" in capsys.readouterr().out
    assert main(["history", "forget", "--until", "2026-11-03", "--yes", "--file", str(file)]) == 0
    assert [repair.id for repair in sqlite(file).recent(9)] == ["id2"]
    assert b"total(df.pri" in file.read_bytes()  # of the one that stays
    assert sum(tally.repairs for tally in sqlite(file).tallies() if tally.dimension == "all") == 1


def test_the_command_writes_a_log_and_a_page(file, tmp_path, capsys):
    assert main(["log", "id0", "--file", str(file)]) == 0
    assert "## AttributeError" in capsys.readouterr().out
    assert main(["log", "--file", str(file), "-o", str(tmp_path / "log.md")]) == 0
    assert (tmp_path / "log.md").read_text(encoding="utf-8").count("\n## ") == 3
    assert main(["report", "--file", str(file), "-o", str(tmp_path / "page.html")]) == 0
    assert "+total(df.price)" in (tmp_path / "page.html").read_text(encoding="utf-8")  # the details of one
    assert main(["report", "--file", str(file), "-o", str(tmp_path / "page.html")]) == 2


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: `make chromium` installs it")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("count", [0, 10])
def test_the_page_opens_offline_draws_its_charts_and_filters_its_table(count, scheme, tmp_path):
    pytest.importorskip("vl_convert", reason="what draws the charts is not installed: the extra `report`")
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    from reflex_ipython.headless.report_command import charts_script

    store = history(*["accepted", "rejected", None, "undone", "accepted"] * (count // 5))
    file = tmp_path / "page.html"
    logs = {repair.id: repair_log(repair, NOW) for repair in store.recent(count - 1)}
    text = page(store.summaries(RepairFilter(), 99), store.tallies(), charts_script(), logs)
    file.write_text(text, encoding="utf-8")
    asked, wrong = [], []
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        shown = browser.new_page(color_scheme=scheme, viewport={"width": 1200, "height": 1000})
        shown.on("request", lambda request: asked.append(request.url))
        shown.on("pageerror", lambda error: wrong.append(str(error)))
        shown.goto(file.as_uri())
        shown.wait_for_selector("html[data-drawn]", timeout=60_000)
        assert shown.locator(".chart svg").count() == len(charts(store.tallies()))
        assert shown.locator("tbody tr").count() == count
        if count:
            shown.locator("#filters").get_by_label("Outcome").select_option("rejected")
            assert shown.locator("tbody tr").count() == count // 5
            shown.locator("tbody button").first.click()
            details = shown.locator("tbody pre")
            assert "+total(df.price)" in details.locator(".added").all_inner_texts()[0]
            assert "The user rejected" in details.inner_text()
        folder = Path(__file__).parent / "screenshots"
        folder.mkdir(exist_ok=True)
        shown.screenshot(path=folder / f"{count}-{scheme}.png", full_page=True)
        browser.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
