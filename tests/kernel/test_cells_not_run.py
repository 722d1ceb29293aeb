"""Cells that did not run: the kernel asks the page for the notebook's cells, and offers to run what is needed."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.testing import Say, ScriptedServer
from tests.kernel.driver import Kernel, said_to_pages


@pytest.fixture(autouse=True)
def no_answer(kernel: Kernel) -> None:
    """The tests answer themselves."""
    kernel.answers = False


RESTORED = "state restored exactly, what it has shown stays there"
NOTEBOOK = {
    "a": "import math",
    "b": "orders = [math.floor(1.5), 2, 3]",
    "c": "unrelated = 1 / 0",
    "d": "orders.append(4)",
    "e": "total = sum(orders)\nprint(total)",
}


def fail(kernel: Kernel, comm: str, cell: str = "e", **changed: str) -> dict[str, Any]:
    """Run a cell that fails, answer as a page does, and wait for the panel."""
    notebook = {**NOTEBOOK, **changed}
    request = kernel.send(notebook[cell], cell)
    asked = kernel.until_told("want-cells")
    assert asked["client"] == kernel.client.session.session
    cells = [{"id": id, "source": source, "number": n} for n, (id, source) in enumerate(notebook.items(), 1)]
    kernel.tell(comm, type="cells", request=asked["request"], cells=cells)
    repair = kernel.until_told("state", lambda data: data["state"]["cell"]["id"] == cell)["state"]["repair"]
    kernel.reply(request)
    ended = ("ready", "nothing")
    return dict(
        kernel.until_told(
            "state",
            lambda data: (
                data["state"]["repair"] == repair and data["state"]["phase"] in ended and not data["state"]["working"]
            ),
        )["state"]
    )


def first(panel: dict[str, Any]) -> list[str]:
    return [step["cell"]["id"] for step in panel["fixes"][0]["first"]]


def test_what_is_needed_is_found_by_data_flow_tried_and_run_in_the_page_in_order(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel, comm)
    fix = panel["fixes"][0]
    assert first(panel) == ["a", "b", "d"]
    assert [step["name"] for step in fix["first"]] == ["cell 1", "cell 2", "cell 4"]
    assert "Cell 2 sets `orders`, but was not run in this session." in fix["explanation"]
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel"), fix["verdict"]
    assert kernel.value("'orders' in globals()") is False, "the trial ran on a copy"
    apply = kernel.accept(comm, panel)
    assert apply["first"] == [{"cell": id, "expected": NOTEBOOK[id]} for id in "abd"]
    assert apply["run"] == "e"
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    for cell in "abd":
        assert kernel.run(NOTEBOOK[cell], cell).status == "ok"
    ran = kernel.run(NOTEBOOK["e"], "e")
    assert (ran.status, ran.text.splitlines()[0]) == ("ok", "10")
    said = kernel.state(comm, panel["repair"])["notice"]["text"]
    undone = "cell 1, cell 2, cell 4 ran first, so what the failed run had done was not undone"
    assert said == f"Ran, no error · {undone}"


def test_one_of_them_that_fails_ends_it_and_the_panel_says_so_and_stays_open(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel, comm)
    apply = kernel.accept(comm, panel)
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    kernel.tell(comm, type="applied", request=apply["request"], status="first-failed")
    state = kernel.until_told("state", lambda data: "first failed" in str(data["state"]["notice"]))["state"]
    assert (state["phase"], state["accepted"]) == ("ready", None)


def test_a_cell_that_failed_is_run_again_once_it_can_work(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.run("orders = [math.floor(1.5), 2, 3]", "b")
    kernel.run("import math", "a")
    panel = fail(kernel, comm)
    assert first(panel) == ["b", "d"]
    assert "In [2] sets `orders`, but failed on line 1: NameError" in panel["fixes"][0]["explanation"]


def test_a_column_of_a_cell_that_was_edited_since_it_ran(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.run("import pandas as pd", "a")
    kernel.run("df = pd.DataFrame({'x': [1, 2]})", "b")
    kernel.run("pass", "c")
    panel = fail(
        kernel, comm, "e", a="import pandas as pd", b="df = pd.DataFrame({'x': [1, 2]})",
        c="df['ratio'] = df['x'] / 2", e="df['ratio'].sum()",
    )  # fmt: skip
    assert first(panel) == ["c"]
    assert "sets `ratio`, but was edited since it ran" in panel["fixes"][0]["explanation"]


def test_a_cell_that_deletes_files_is_not_run_without_a_tick(kernel: Kernel) -> None:
    comm = kernel.hello()
    wipe = "import shutil\nshutil.rmtree('build', ignore_errors=True)\norders = [1]"
    panel = fail(kernel, comm, b=wipe, d="pass")
    assert panel["fixes"][0]["dangerous"]
    assert "tick" in kernel.accept(comm, panel)["reason"]


def test_a_page_that_never_answers_harms_nothing_and_a_forged_answer_is_not_believed(kernel: Kernel) -> None:
    comm = kernel.hello()
    request = kernel.send("print(orders)", "e")
    asked = kernel.until_told("want-cells")
    kernel.tell(comm, type="cells", request="another", cells=[{"id": "b", "source": "orders = 1", "number": 1}])
    ran = kernel.finish(request)
    assert not any(fix["first"] for fix in kernel.settled(ran)["fixes"])
    kernel.tell(comm, type="cells", request=asked["request"], cells=[{"id": 1}, {"id": "x", "source": 2}])
    assert kernel.run("40 + 2", "f").status == "ok"


def test_nothing_is_asked_while_cells_succeed_or_fail_for_another_reason(kernel: Kernel) -> None:
    kernel.hello()
    ran = kernel.run("1 / 0", "a")
    told = [said_to_pages(message).get("type") for message in ran.messages]
    assert "state" in told
    assert "want-cells" not in told


def test_where_no_page_can_run_them_the_kernel_runs_what_failed_in_one_cell(kernel: Kernel) -> None:
    kernel.run("orders = [math.floor(1.5), 2, 3]")
    kernel.run("import math")
    panel = kernel.settled(kernel.run("print(sum(orders))"))
    assert [step["name"] for step in panel["fixes"][0]["first"]] == ["In [2]"]
    ran = kernel.run("%reflex accept")
    assert (ran.status, ran.text.splitlines()[0]) == ("ok", "6")
    assert kernel.value("orders") == [1, 2, 3]


def test_undoing_names_the_cells_that_ran_first_and_stay_run(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel, comm)
    apply = kernel.accept(comm, panel)
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    for cell in "abde":
        kernel.run(NOTEBOOK[cell], cell)
    undone = kernel.run("%reflex undo", "f").text
    stay = "but cell 1, cell 2, cell 4, which ran first, stay run: what they did is not undone."
    assert undone == f"Undid {panel['repair']}: {RESTORED}, {stay}\n"
    assert kernel.state(comm, panel["repair"])["notice"]["text"] == f"Undone: {RESTORED}, {stay}"
    assert kernel.value("('total' in globals(), orders)") == (False, [1, 2, 3, 4])


def test_undoing_what_ran_in_one_cell_undoes_all_of_it(kernel: Kernel) -> None:
    kernel.run("orders = [math.floor(1.5), 2, 3]")
    kernel.run("import math")
    kernel.settled(kernel.run("total = sum(orders)"))
    assert kernel.run("%reflex accept").status == "ok"
    assert kernel.run("%reflex undo").text.endswith(": state restored exactly.\n")
    assert kernel.value("('total' in globals(), 'orders' in globals())") == (False, False)


def test_a_misspelt_name_is_corrected_and_the_cell_that_sets_the_right_one_runs_first(kernel: Kernel) -> None:
    comm = kernel.hello()
    failing, right = "total = sum(ordes)\nprint(total)", "total = sum(orders)\nprint(total)"
    panel = fail(kernel, comm, e=failing)
    fix = panel["fixes"][0]
    assert first(panel) == ["a", "b", "d"]
    assert fix["edits"][0]["source"] == right
    assert fix["explanation"].startswith(
        "The name `ordes` is not defined; the closest is `orders`. Cell 2 sets `orders`, but was not run"
    )
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel"), fix["verdict"]
    assert panel["question"] == ""
    apply = kernel.accept(comm, panel)
    assert apply["edits"] == [{"cell": "e", "expected": failing, "source": right}]
    assert [one["cell"] for one in apply["first"]] == ["a", "b", "d"]
    kernel.tell(comm, type="applied", request=apply["request"], status="applied")
    for cell in "abd":
        kernel.run(NOTEBOOK[cell], cell)
    assert kernel.run(right, "e").text == "10\n"
    stay = "but cell 1, cell 2, cell 4, which ran first, stay run: what they did is not undone"
    kernel.send("%reflex undo", "f")
    back = kernel.until_told("apply")
    assert back["edits"] == [{"cell": "e", "expected": right, "source": failing}]
    kernel.tell(comm, type="applied", request=back["request"], status="applied")
    words = f"Undone: the cell has its old text back, {RESTORED}, {stay}."
    kernel.until_told("state", lambda data: (data["state"]["notice"] or {}).get("text") == words)


def test_where_such_a_cell_fails_in_the_trial_the_panel_and_explain_still_name_it(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel, comm, b="orders = open('/nowhere/orders.txt').read()", d="pass")
    fix = panel["fixes"][0]
    fact = "Cell 2 sets `orders`, but was not run in this session."
    assert fix["explanation"] == fact
    assert fix["verdict"]["tone"] == "bad"
    assert panel["names"] == [], "which name is meant is known"
    assert "FileNotFoundError" in fix["verdict"]["text"]
    assert fix["verdict"]["text"].endswith("in cell 2, which runs first, instead")
    explained = kernel.run("%reflex explain").text
    assert f"Fix (rule: cells not run): {fact}\n  {fix['verdict']['text']}" in explained


def test_a_model_is_told_which_cells_have_another_text_in_the_notebook_whatever_has_failed(kernel: Kernel) -> None:
    comm = kernel.hello()
    kernel.run("rate = 2", "a")
    kernel.run("rate += 1", "b")
    with ScriptedServer(Say(["Needs: something else."])) as server:
        kernel.run(f"%reflex model tiny --base-url {server.base_url}")
        kernel.run("%config Reflex.ask_model = 'always'")
        fail(kernel, comm, a="rate = 'two'", b="rate += 1", e="print(rate.upper())")
        [asked] = server.chats
    said = asked.json["messages"][1]["content"]
    assert "(has another text by now):\n```python\nrate = 2\n```" in said
    assert said.count("another text by now") == 1


def test_without_a_model_the_page_is_asked_only_where_a_cell_may_give_what_is_lacking(kernel: Kernel) -> None:
    kernel.hello()
    kernel.run("rate = 2", "a")

    def asked(source: str) -> int:
        return sum(content["data"].get("type") == "want-cells" for content in kernel.run(source).contents("comm_msg"))

    assert (asked("print(rate.upper())"), asked("print(lacking)")) == (0, 1)


def test_a_model_names_one_by_its_place_and_it_runs_with_what_it_needs(kernel: Kernel) -> None:
    comm = kernel.hello()
    for number in range(3):
        kernel.run(f"other_{number} = {number}")
    with ScriptedServer(Say(["Needs: run cell 4, which `orders` comes from."])) as server:
        kernel.run(f"%reflex model tiny --base-url {server.base_url}")
        kernel.run("%config Reflex.ask_model = 'always'")
        panel = fail(kernel, comm)
        [asked] = server.chats
    assert "cell 4:\n```python\n# It was not run in this session." in asked.json["messages"][1]["content"]
    (fix,) = panel["fixes"]
    assert fix["origin"] == "tiny"
    assert first(panel) == ["a", "b", "d"]
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel"), fix["verdict"]
