"""What a model may answer besides one new cell: other cells, a need, a choice. A real kernel and a real socket."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from reflex_ipython.check.verdict import INSTALLS
from reflex_ipython.testing import Say, ScriptedServer
from tests.kernel.driver import Kernel

TABLE = "import pandas as pd\ndf = pd.DataFrame({'sales': [1.0, None]})"
DROPPED = "df = df.dropna(inplace=True)"
FAILING = "total = df['sales'].sum()\nprint(total)"


@pytest.fixture
def ask(kernel: Kernel) -> Callable[..., dict[str, Any]]:
    """Run cells, the last of which fails, and give the panel once a model has given an answer."""

    def asked(answer: Callable[[str], str], *cells: str) -> dict[str, Any]:
        def said(request: Mapping[str, Any]) -> Say:
            return Say([answer("\n".join(message["content"] for message in request["messages"]))])

        with ScriptedServer(answer=said) as server:
            kernel.run(f"%reflex model tiny --base-url {server.base_url}")
            kernel.run("%config Reflex.ask_model = 'always'")
            for number, source in enumerate(cells[:-1]):
                kernel.run(source, f"c{number}")
            ran = kernel.run(cells[-1], "failing")
            return dict(kernel.until_panel(ran.shown[-1], lambda state: not state["working"] and server.chats))

    return asked


def number_of(cell: str, question: str) -> str:
    """The number by which a question calls a cell."""
    found = re.search(rf"In \[(\d+)\][^\n]*\n+(?:```\w*\n)?{re.escape(cell)}", question)
    assert found is not None, question
    return found[1]


def test_a_mistake_two_cells_up_is_repaired_there_and_all_of_it_was_tried(
    kernel: Kernel, ask: Callable[..., dict[str, Any]]
) -> None:
    pytest.importorskip("pandas")

    def answer(question: str) -> str:
        number = number_of(DROPPED, question)
        return f"`dropna(inplace=True)` gives None.\n```python\n# In [{number}]\ndf = df.dropna()\n```\n"

    panel = ask(answer, TABLE, DROPPED, "other = 1", FAILING)
    fix = next(fix for fix in panel["fixes"] if fix["origin"] == "tiny")
    assert [step["cell"]["id"] for step in fix["first"]] == ["c0", "c1"]
    assert [edit["source"] for edit in fix["edits"]] == ["df = df.dropna()", FAILING]
    assert fix["verdict"]["text"].startswith(("ran in a copy", "runs")), fix["verdict"]
    apply = kernel.accept(kernel.hello(), panel, shown=fix, read=True)
    assert [edit["cell"] for edit in apply["edits"]] == ["c1", "failing"]
    assert [one["cell"] for one in apply["first"]] == ["c0", "c1"]


def test_an_answer_that_installs_is_shown_and_not_argued_against(
    kernel: Kernel, ask: Callable[..., dict[str, Any]]
) -> None:
    asked = []

    def answer(question: str) -> str:
        asked.append(question)
        return f"It is not installed.\n```python\n%pip install no_such_thing\n{FAILING}\n```"

    panel = ask(answer, FAILING)
    fix = next(fix for fix in panel["fixes"] if fix["origin"] == "tiny")
    assert fix["verdict"]["text"].startswith(f"blocked by the sandbox: {INSTALLS}"), fix["verdict"]
    assert len(asked) == 1


def test_what_it_needs_is_shown_in_its_words_and_nothing_of_them_is_markup(
    kernel: Kernel, ask: Callable[..., dict[str, Any]]
) -> None:
    words = "the definition of `load_it`, which <b>no cell</b> has."
    panel = ask(lambda question: f"Needs: {words}", "rows = load_it()")
    assert panel["notice"]["text"] == f"The model proposes no change of the code. It says: “{words}”"
    assert "<b>" not in json.dumps(kernel.run("%reflex fix").contents("display_data")[-1]["data"]["text/html"])


def test_a_cell_that_it_wants_to_run_first_is_tried_and_shown_with_its_words(
    kernel: Kernel, ask: Callable[..., dict[str, Any]]
) -> None:
    def answer(question: str) -> str:
        return f"Needs: run In [{number_of('rates = ', question)}] again, `rates` is spent."

    panel = ask(answer, "rates = iter([1, 2])", "first, second = rates", "first, second = rates\nprint(first)")
    fix = next(fix for fix in panel["fixes"] if fix["origin"] == "tiny")
    assert [(step["cell"]["id"], step["why"]) for step in fix["first"]] == [("c0", "as the model says")]
    assert "again, `rates` is spent." in fix["explanation"]
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel"), fix["verdict"]


def test_two_blocks_are_a_question_to_the_user_with_both_results(
    kernel: Kernel, ask: Callable[..., dict[str, Any]]
) -> None:
    blocks = "".join(f"\nThe {word}.\n```python\nprint({word}(rows))\n```\n" for word in ("min", "max"))
    panel = ask(
        lambda question: f"Needs: decide which one is meant.\n{blocks}", "rows = [1, 2]", "print(extreme(rows))"
    )
    assert [fix["gives"] for fix in panel["fixes"] if fix["origin"] == "tiny"] == ["prints 1", "prints 2"]
    assert panel["question"]
