"""The demonstrations as somebody plays them: cells are run, fixes and buttons clicked, sliders moved."""

from __future__ import annotations

import ast
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenNotebook
from tests.browser.notebook import NotebookPage

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
COUNT_IMAGES = """cell => {
  window.charts = new Set();
  new MutationObserver(() => cell.querySelectorAll('img').forEach(image => window.charts.add(image.src)))
    .observe(cell, { subtree: true, childList: true, attributes: true });
}"""
"""Notes each chart that the cell shows from now on."""


def accept_what_gives(notebook: NotebookPage, index: int, result: str) -> None:
    """Choose among a panel's alternatives by what it gives, then accept it."""
    chosen = notebook.panel(index).locator(".rx-alternative", has_text=result)
    expect(chosen).to_have_count(1)
    chosen.click()
    notebook.accept(index)


def slide(notebook: NotebookPage, name: str, steps: int) -> None:
    """Move a slider by its arrow keys."""
    notebook.page.locator(".widget-hslider", has_text=name).get_by_role("slider").focus()
    for _ in range(steps):
        notebook.page.keyboard.press("ArrowRight")


def until_value(notebook: NotebookPage, expression: str, expected: str) -> None:
    """Wait until the kernel has it: what a widget tells in a hurry comes in one message later."""
    while (found := notebook.value(expression)) != expected:
        print(f"{expression} is {found}")
        notebook.page.wait_for_timeout(50)


def write(box: Locator, text: str) -> None:
    """Fill a text widget, and leave it."""
    box.fill(text)
    box.press("Tab")


def test_missing_keys_are_a_choice_that_shows_what_each_default_gives(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(NOTEBOOKS / "04_missing_keys.ipynb")
    notebook.run(1)
    notebook.run(2)
    panel = notebook.fail(4)
    question = "Several fixes run, with different results. Which one is meant?"
    expect(panel.locator(".rx-question")).to_have_text(question)
    notebook.shot("keys-addresses")
    accept_what_gives(notebook, 4, "gives ['ada@example.org', 'alan@example.org']")
    assert notebook.value("addresses") == "['ada@example.org', 'alan@example.org']"
    panel = notebook.fail(6)
    expect(panel.locator(".rx-question")).to_have_text("This runs, but nothing else says that it is meant.")
    notebook.shot("keys-total")
    accept_what_gives(notebook, 6, "gives 81")
    assert notebook.value("total") == "81"
    panel = notebook.fail(8)
    expect(panel.locator(".rx-alternative")).to_have_count(2)
    notebook.shot("keys-loop")
    panel.locator(".rx-alternative").first.click()
    notebook.accept(8)
    assert "Alan is None" in notebook.text(8)
    notebook.run(10)
    notebook.shot("keys-history")


def test_the_calculator_heals_at_a_click_and_leaves_alone_what_has_several_meanings(
    open_notebook: OpenNotebook,
) -> None:
    notebook = open_notebook(NOTEBOOKS / "05_calculator.ipynb")
    notebook.run(1)
    notebook.run(3)
    panel = notebook.fail(4)
    assert panel.locator(".rx-alternative").count() >= 2
    notebook.shot("calculator-choice")
    panel.locator(".rx-alternative", has_text="nan").click()
    notebook.accept(4)
    assert "nan" in notebook.source(3)
    assert "nan" in str(notebook.outputs(4))
    for index in (6, 7):
        notebook.run(index)
    calculator = notebook.cell(7)
    click = calculator.get_by_role("button", name="a / b")
    click.click()
    expect(calculator).to_contain_text("3.75")
    expect(calculator).to_contain_text("return float(a) / float(b)")
    notebook.shot("calculator-healed")
    write(calculator.get_by_label("b", exact=True), "0")
    click.click()
    expect(calculator).to_contain_text("ZeroDivisionError: float division by zero")
    expect(calculator).to_contain_text("was not mended: several things may be meant")
    notebook.shot("calculator-zero")
    write(calculator.get_by_label("b", exact=True), "4")
    click.click()
    expect(calculator).to_contain_text("1.875")


def test_the_service_is_charted_while_sliders_inject_failures(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(NOTEBOOKS / "06_service.ipynb")
    for index in (1, 3, 5, 7, 8, 10, 12, 14):
        notebook.run(index)
    assert "float(order" in notebook.text(8) or "int(order" in notebook.text(8), "a call was mended"
    assert "`price` was not mended" in str(notebook.outputs(10)), "and another was not"
    slide(notebook, "orders", 6)
    slide(notebook, "% text", 5)
    slide(notebook, "% missing", 8)
    until_value(notebook, "(orders.value, text.value, missing.value)", "(100, 35, 10)")
    service = notebook.cell(12)
    send = service.get_by_role("button", name="Send")
    service.evaluate(COUNT_IMAGES)
    send.click()
    notebook.page.wait_for_function("() => window.charts.size >= 2")
    notebook.shot("service-running")
    expect(send).to_be_enabled()
    notebook.shot("service-done")
    counts = ast.literal_eval(notebook.value("dict(counts)"))
    assert counts["requests"] == 141
    assert counts["mended"] == 1, "one text serves all that came after"
    assert counts["healed"] > 15
    assert 1 < counts["errors"] < 40
