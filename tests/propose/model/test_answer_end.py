"""When enough of an answer has come."""

from __future__ import annotations

import pytest

from reflex_ipython.errors import ModelError
from reflex_ipython.models import CellRef, CellSource, ExceptionInfo, Failure, Situation, Wish, new_id, now
from reflex_ipython.propose.answer_end import AnswerEnd
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.protocols import Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer

SOURCE = "rows = load()\ntotal = sum(rwos)\nprint(total)"
FIXED = SOURCE.replace("rwos", "rows")
ONE = [CellSource(CellRef("c7", 7), SOURCE)]
OTHER = [CellSource(CellRef("c3", 3), "def load():\n    return [1, 2, 3]")]
BLOCK = f"```python\n{FIXED}\n```\n"
BEHIND = "This misspelt name was the reason why the cell has failed, and nothing else had to be changed in it. " * 2


def taken(text: str, *, shown: list[CellSource] = [], early: bool = True, size: int = 7) -> tuple[str, str]:  # noqa: B006 - not changed
    """What is read of a text, and why no more is."""
    end = AnswerEnd(ONE, shown, early=early)
    for at in range(0, len(text), size):
        if end.enough(text[at : at + size]):
            return text[: at + size], end.reason
    return text, end.reason


@pytest.mark.parametrize("size", [1, 7, 300])
def test_what_comes_behind_the_finished_code_is_not_waited_for(size: int) -> None:
    text = f"Reason: `rows` is misspelt.\n{BLOCK}"
    read, why = taken(text + BEHIND * 50, size=size)
    assert why == "done"
    assert len(read) <= len(text) + size


NOT_DONE = {
    "no reason yet": BLOCK,
    "the old cell": f"This is wrong:\n```python\n{SOURCE}\n```\n",
    "the failing line": "This is wrong:\n```python\ntotal = sum(rwos)\n```\n",
    "a command": "First this.\n```bash\npip install numpy\n```\n",
    "a block that is open": f"why.\n```python\n{FIXED}\n",
    "a fence that may go on": f"why.\n```python\n{FIXED}\n```",
    "a thought": f"<think>\nwhy.\n{BLOCK}\n",
    "a choice": f"Needs: decide which.\n{BLOCK}",
}


@pytest.mark.parametrize("case", NOT_DONE)
def test_what_may_go_on_is_waited_for(case: str) -> None:
    assert taken(NOT_DONE[case]) == (NOT_DONE[case], "")


def test_where_other_cells_may_change_their_blocks_are_waited_for() -> None:
    text = f"why.\n{BLOCK}"
    assert taken(text, shown=OTHER)[1] == ""
    assert taken(f"{text}### In [3]\n```python\ndef load():\n    return [1]\n```\n", shown=OTHER)[1] == ""
    read, why = taken(text + BEHIND * 50, shown=OTHER)
    assert (why, len(read) < len(text) + 400) == ("done", True)


def test_the_whole_end_is_waited_for_where_tokens_are_counted() -> None:
    assert taken(f"why.\n{BLOCK}{BEHIND}", early=False)[1] == ""


@pytest.mark.parametrize("early", [True, False])
def test_an_answer_far_longer_than_the_cell_could_need_is_cut(early: bool) -> None:
    text = "".join(f"Line {number} says something else.\n" for number in range(5_000))
    read, why = taken(text, early=early)
    assert (why, len(read) < 5_000) == ("too long", True)
    read, why = taken(f"why.\n```python\n{text}", early=early)
    assert (why, len(read) < 5_000) == ("too long", True)


def test_what_says_the_same_line_again_and_again_is_cut_soon() -> None:
    read, why = taken("why.\n```python\n" + "x = 1\n" * 3_000)
    assert (why, len(read) < 600) == ("too long", True)


def test_long_thoughts_are_not_cut() -> None:
    thoughts = "".join(f"Let me see {number}.\n" for number in range(2_000))
    assert taken(f"<think>\n{thoughts}") == (f"<think>\n{thoughts}", "")
    assert taken(f"<think>\n{thoughts}</think>\nwhy.\n{BLOCK}\n")[1] == "done"


# ------------------------------------------------------------------------------------------ on the wire


def failure() -> Failure:
    return Failure(new_id(), now(), Situation(ONE[0].cell, SOURCE), "run", (ExceptionInfo("NameError", "rwos"),))


def propose(server: ScriptedServer, cause: Failure | Wish) -> str:
    settings = Settings(model="scripted", base_url=server.base_url, timeout=20.0)
    (fix,) = ModelProvider(Context(lambda: settings, MemoryStore())).propose(cause, Request())
    return fix.edits[0].source


@pytest.mark.usefixtures("no_socket_is_left")
def test_a_server_that_never_ends_is_left_behind_the_finished_code() -> None:
    with ScriptedServer(Say([f"why.\n{BLOCK}", "and"], ending="silent")) as server:
        assert propose(server, failure()) == FIXED
        assert server.hung_up.wait(20)


def test_a_server_that_goes_round_in_circles_is_left_with_a_reason() -> None:
    with ScriptedServer(Say(["why.\n```python\n", *(["x = 1\n"] * 60)], ending="silent")) as server:
        with pytest.raises(ModelError, match=r"cut off\. It had become far longer than this cell could need"):
            propose(server, failure())
        assert server.hung_up.wait(20)


def test_code_that_is_not_there_yet_may_be_long() -> None:
    code = "\n".join(f"value_{number} = {number}" for number in range(400))
    wish = Wish(new_id(), now(), Situation(CellRef("c7", 7), ""), "many values")
    with ScriptedServer(Say([f"why.\n```python\n{code}\n```\n"])) as server:
        assert propose(server, wish) == code
