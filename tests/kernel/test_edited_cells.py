"""A fix of an earlier cell that is no definition: the cell runs again, with what it starts from and what follows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.driver import Kernel

PROVIDER = """
from reflex_ipython.models import Edit, Fix, new_id

class Elsewhere:
    name, where, cost, label = "elsewhere", "instant", "", "elsewhere"

    def propose(self, failure, request):
        cells = [cell for cell in failure.situation.earlier if {old!r} in cell.source]
        edits = [Edit(cell.cell, cell.source, cell.source.replace({old!r}, {new!r})) for cell in cells]
        yield Fix(new_id(), tuple(edits), "It belongs there.", self.name)

plugins = get_ipython().reflex_extension.assembly.session.plugins
plugins.loaded = ([Elsewhere()], plugins.checkers)
"""
NOTEBOOK = {
    "a": "rows = [3, 1, 2]",
    "b": "rows = rows.sort()",
    "c": "double = [1] if rows is None else [2 * row for row in rows]",
    "d": "size = str(rows)",
    "e": "first = double[2]\nprint(first + rows[0])",
}
RIGHT = "rows = sorted(rows)"


@pytest.fixture
def panel(kernel: Kernel) -> dict[str, Any]:
    return fail(kernel, NOTEBOOK, "rows.sort()", "sorted(rows)")


def fail(kernel: Kernel, notebook: dict[str, str], old: str, new: str) -> dict[str, Any]:
    kernel.run(PROVIDER.format(old=old, new=new), "provider")
    *before, (last, failing) = notebook.items()
    for cell, source in before:
        kernel.run(source, cell)
    return kernel.settled(kernel.run(failing, last))


def test_what_runs_again_is_found_by_data_flow_and_tried_as_a_whole(kernel: Kernel, panel: dict[str, Any]) -> None:
    fix = panel["fixes"][0]
    assert [(step["cell"]["id"], step["source"]) for step in fix["first"]] == [
        ("a", NOTEBOOK["a"]), ("b", RIGHT), ("c", NOTEBOOK["c"]),
    ]  # fmt: skip
    assert fix["first"][1]["why"] == "with its new text"
    assert fix["first"][1]["expected"] == NOTEBOOK["b"]
    assert [edit["source"] for edit in fix["edits"]] == [RIGHT, NOTEBOOK["e"]]
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel"), fix["verdict"]
    stale = [finding["text"] for finding in fix["findings"] if "`size`" in finding["text"]]
    assert stale == ["`size` was computed with the old In [4]"], fix["findings"]
    assert kernel.value("rows") is None, "the trial ran on a copy"


WITHOUT_RETURN = {
    "a": "def doubled(rows):\n    found = [2 * row for row in rows]",
    "b": "def shown(rows):\n    print(rows)",
    "c": "double = doubled([1, 2])",
    "d": "shown(double)",
    "e": "double[1]",
}
RETURNING = WITHOUT_RETURN["a"] + "\n    return found"


def test_a_function_that_only_earlier_cells_called_computes_again_what_it_had_computed(kernel: Kernel) -> None:
    panel = fail(kernel, WITHOUT_RETURN, WITHOUT_RETURN["a"], RETURNING)
    fix = panel["fixes"][0]
    assert [(step["cell"]["id"], step["source"]) for step in fix["first"]] == [
        ("a", RETURNING), ("c", WITHOUT_RETURN["c"]),
    ]  # fmt: skip
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel"), fix["verdict"]
    assert [finding["text"] for finding in fix["findings"] if "double" in finding["text"]] == []


def test_of_one_that_the_failing_cell_calls_nothing_runs_again(kernel: Kernel) -> None:
    notebook = {**WITHOUT_RETURN, "e": "doubled([3])[0] + doubled([1])[0]"}
    panel = fail(kernel, notebook, WITHOUT_RETURN["a"], RETURNING)
    assert panel["fixes"][0]["first"] == []
    assert panel["fixes"][0]["verdict"]["text"].startswith("ran in a copy of your kernel")


def test_a_page_rewrites_and_runs_them_in_order(kernel: Kernel, panel: dict[str, Any]) -> None:
    comm = kernel.hello()
    apply = kernel.accept(comm, panel)
    assert apply["edits"][0] == {"cell": "b", "expected": NOTEBOOK["b"], "source": RIGHT}
    assert apply["first"] == [{"cell": id, "expected": NOTEBOOK[id]} for id in "abc"]
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    for cell, source in (("a", NOTEBOOK["a"]), ("b", RIGHT), ("c", NOTEBOOK["c"])):
        assert kernel.run(source, cell).status == "ok"
    ran = kernel.run(NOTEBOOK["e"], "e")
    assert (ran.status, ran.text.splitlines()[0]) == ("ok", "7")
    assert "Ran, no error" in kernel.state(comm, panel["repair"])["notice"]["text"]
    shown = str(kernel.run(f"%reflex show {panel['repair']}").contents("display_data"))
    assert "sorted(rows)" in shown
    kernel.send("%reflex undo", "f")
    back = kernel.until_told("apply")
    assert (back["edits"][0], back["first"]) == ({"cell": "b", "expected": RIGHT, "source": NOTEBOOK["b"]}, [])


def test_one_that_fails_ends_it_and_the_panel_says_that_the_texts_are_new(
    kernel: Kernel, panel: dict[str, Any]
) -> None:
    comm = kernel.hello()
    apply = kernel.accept(comm, panel)
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    kernel.tell(comm, type="applied", request=apply["request"], status="first-failed")
    state = kernel.until_told("state", lambda data: "failed" in str(data["state"]["notice"]))["state"]
    assert state["notice"]["text"] == (
        "The cells were rewritten, but one of those that run first failed, so the rest was not run. "
        "Its own panel says why."
    )


def test_where_no_page_can_run_them_they_run_in_one_cell_and_are_undone_together(
    kernel: Kernel, panel: dict[str, Any]
) -> None:
    ran = kernel.run("%reflex accept")
    assert (ran.status, ran.text.splitlines()[0]) == ("ok", "7")
    assert "state restored exactly" in kernel.run("%reflex undo").text
    state = kernel.value("get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state")
    assert "In [4] itself still has its old text" in state
    assert kernel.value("('first' in globals(), rows)") == (False, None)


def test_what_is_edited_in_the_panel_is_what_runs_first(kernel: Kernel, panel: dict[str, Any]) -> None:
    comm = kernel.hello()
    mine = "rows = sorted(rows, reverse=True)"
    apply = kernel.accept(comm, panel, sources=[mine, NOTEBOOK["e"]])
    assert apply["edits"][0]["source"] == mine
    steps = kernel.value(
        "[(type(step).__name__, step.source) for step in "
        "get_ipython().reflex_extension.assembly.session.repairs.latest().decision.steps]"
    )
    assert ("RunCell", mine) in steps


@pytest.mark.parametrize("page", [True, False])
def test_a_name_that_the_new_text_does_not_give_is_gone(kernel: Kernel, page: bool) -> None:
    notebook = {"a": "max = 0\nvalues = [3, 4]", "b": "print(max(values))"}
    panel = fail(kernel, notebook, "max = 0\n", "")
    assert panel["fixes"][0]["verdict"]["text"].startswith("ran"), panel["fixes"]
    if not page:
        assert kernel.run("%reflex accept").text.splitlines()[0] == "4"
        return
    comm = kernel.hello()
    apply = kernel.accept(comm, panel)
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    assert kernel.run("values = [3, 4]", "a").status == "ok"
    assert kernel.run(notebook["b"], "b").text.splitlines()[0] == "4"


def test_functions_still_change_in_place_and_no_cell_runs_for_them(kernel: Kernel) -> None:
    panel = fail(kernel, {"a": "def f():\n    return nope", "b": "f()"}, "nope", "1")
    assert panel["fixes"][0]["first"] == []


MODEL = """
from reflex_ipython.models import Edit, Fix, RunCell, new_id

class Says:
    name, where, cost, label = "says", "instant", "", "says"

    def propose(self, failure, request):
        cell = next(cell for cell in failure.situation.earlier if "total = " in cell.source)
        yield Fix(new_id(), (RunCell(cell.cell, cell.source, None, "as the model says"),), "Run it again.", self.name)

plugins = get_ipython().reflex_extension.assembly.session.plugins
plugins.loaded = ([Says()], plugins.checkers)
"""


def test_a_cell_that_is_to_run_again_runs_with_what_it_starts_from(kernel: Kernel) -> None:
    kernel.run(MODEL, "model")
    kernel.run("rows = [1, 2]", "a")
    kernel.run("total = sum(rows)\nrows = None", "b")
    panel = kernel.settled(kernel.run("total.nothing if rows is None else total", "c"))
    fix = panel["fixes"][0]
    assert [(step["cell"]["id"], step["why"]) for step in fix["first"]] == [
        ("a", "gives anew what the new text starts from"), ("b", "as the model says"),
    ]  # fmt: skip
