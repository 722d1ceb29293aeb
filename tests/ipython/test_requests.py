"""A request in words, in a terminal's shell: the prompt waits for the code, and `%reflex accept` becomes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.ipython.requests import as_ipython_takes_it, request_in
from reflex_ipython.models import Execution
from reflex_ipython.testing import Reply, Say, ScriptedServer

YES, NO = "yes: it adds them up", "no: it should be the mean"

Ask = Callable[..., str]


def code(text: str, why: str = "So it is.") -> Say:
    return Say([f"Reason: {why}\n```python\n{text}\n```"])


@pytest.fixture
def model(shell: Any, run: Any) -> Iterator[Callable[..., ScriptedServer]]:
    """Starts a scripted model, and chooses it."""
    servers: list[ScriptedServer] = []

    def start(*script: Reply) -> ScriptedServer:
        server = ScriptedServer(*script)
        servers.append(server.__enter__())
        config = shell.reflex_extension.config
        config.history, config.base_url, config.model = False, server.base_url, "scripted"
        run("values = [1, 2, 6]")
        return server

    yield start
    for server in servers:
        server.close()


def flat(printed: str) -> str:
    """What stands in the frame, in one line."""
    return " ".join(printed.replace("│", " ").split())


def last() -> Execution:
    found = reflex_ipython.last
    assert found is not None
    return found


@pytest.mark.parametrize(
    "cell", ["%%reflex add up the values", "%%reflex\nadd up the values", "%reflex do add up the values"]
)
def test_words_on_the_line_or_below_become_code_under_them(run: Any, shell: Any, model: Any, cell: str) -> None:
    server = model(code("total = sum(values)\ntotal"), Say([YES]))
    _, printed = run(cell)
    assert "total" not in shell.user_ns, "nothing ran here"
    assert "does what you asked for, says scripted: it adds them up" in flat(printed)
    assert "ran in a copy of your kernel" in flat(printed)
    asked = server.chats[0].json["messages"][1]["content"]
    assert "values: list = list of 3: [1, 2, 6]" in asked
    assert "## What the user wants\n\nadd up the values\n" in asked
    result, _ = run("%reflex accept")
    assert result.result == 9
    assert shell.reflex_extension.cells.all()[-1].source == "# add up the values\ntotal = sum(values)\ntotal"
    assert last().success
    assert (last().input_tokens, last().output_tokens) == (200, 40)


def test_a_request_may_be_a_question(run: Any, model: Any) -> None:
    model(code("len(values)"), Say([YES]), code("len(values)"), Say([YES]))
    run("%%reflex how many values?")
    assert last().request == "how many values?"
    run("%reflex do how many are there?")
    assert last().request == "how many are there?"


def test_a_request_in_a_line_leaves_the_rest_of_its_cell_as_it_is(run: Any, shell: Any, model: Any) -> None:
    model(code("mean = sum(values) / n\nmean"), Say([YES]))
    run("n = len(values)\nif n:\n    %reflex do the mean, isn't it?\n")
    assert last().final == ("n = len(values)\nif n:\n    # the mean, isn't it?\n    mean = sum(values) / n\n    mean\n")


def test_what_fails_goes_back_with_the_error_and_each_attempt_is_told(run: Any, model: Any) -> None:
    server = model(code("total = sum(valeus)"), Say(["I can't."]), code("total = sum(values)"), Say([YES]))
    _, printed = run("%%reflex add up the values")
    assert re.search(r"✗ Attempt 1, .*: raises NameError on line 2: name 'valeus' is not defined", flat(printed))
    assert re.search(r"✓ Attempt 3, .*: ran in a copy of your kernel", flat(printed))
    assert "name 'valeus' is not defined" in server.chats[1].json["messages"][-1]["content"]
    one, two, three = last().attempts
    assert one.error == "NameError: name 'valeus' is not defined (line 2)"
    assert two.code == ""
    assert two.error
    assert three.success


def test_the_same_error_again_ends_it(run: Any, model: Any) -> None:
    server = model(*[code(f"total = {number} / 0") for number in range(5)])
    _, printed = run("%%reflex divide")
    assert len(server.chats) == 2
    assert "The last attempts ended alike (raises ZeroDivisionError on line 2)" in flat(printed)
    assert not last().success


def test_the_same_code_again_ends_it(run: Any, model: Any) -> None:
    server = model(code("total = 1 / 0"), code("total = 1 / 0"), code("total = 1"))
    _, printed = run("%%reflex divide")
    assert len(server.chats) == 2
    assert "wrote the same code again" in flat(printed)
    assert last().reason.startswith("The model wrote the same code again")


def test_what_ran_but_is_not_what_was_asked_for_is_tried_again_and_shown(run: Any, model: Any) -> None:
    server = model(code("sum(values)"), Say([NO]), code("sum(values) / 3"), Say([YES]))
    _, printed = run("%%reflex the mean of the values")
    assert "it should be the mean" in server.chats[2].json["messages"][-1]["content"]
    assert "does not do what you asked for, says scripted: it should be the mean" in flat(printed)
    assert [one.success for one in last().attempts] == [False, True]
    assert last().final == "# the mean of the values\nsum(values) / 3"


def test_the_model_is_not_asked_what_it_thinks_of_it_if_that_is_off(run: Any, shell: Any, model: Any) -> None:
    server = model(code("sum(values)"))
    shell.reflex_extension.config.review = False
    run("%%reflex add up the values")
    assert len(server.chats) == 1
    assert last().success


def test_no_secret_is_in_what_the_model_is_asked_about_what_ran(run: Any, shell: Any, model: Any) -> None:
    secret = "sk-proj-51fc9a7712bd0e48"
    server = model(code("print(options)"), Say([YES]))
    run(f"options = {{'api_key': {secret!r}}}")
    run("%%reflex print the options")
    assert len(server.chats) == 2
    assert all(secret not in chat.body.decode() for chat in server.chats)
    assert secret in last().output


def test_undo_takes_what_the_code_did_back(run: Any, shell: Any, model: Any) -> None:
    model(code("values.append(7)\ntotal = sum(values)"), Say([YES]))
    run("%%reflex add seven")
    run("%reflex accept")
    assert shell.user_ns["total"] == 16
    run("%reflex undo")
    assert shell.user_ns["values"] == [1, 2, 6]
    assert "total" not in shell.user_ns


def test_without_a_model_it_is_said_what_to_choose(run: Any) -> None:
    _, printed = run("%%reflex add up the values")
    assert "No model is chosen, so nobody can write this code. `%reflex model NAME` chooses one" in flat(printed)


def test_without_words_it_is_said_what_to_write(run: Any) -> None:
    for cell in ("%%reflex", "%%reflex\n\n", "%reflex do"):
        _, printed = run(cell)
        assert "%%reflex plot the sales by region" in flat(printed), cell


def test_the_result_is_shown_and_nothing_is_left_of_its_name(run: Any, shell: Any, model: Any) -> None:
    model(code("sum(values)"), Say([YES]))
    run("%%reflex add up the values")
    _, printed = run("%reflex show")
    assert "add up the values" in flat(printed)
    assert "The attempts ✓ Attempt 1" in flat(printed)
    result, _ = run("reflex.last.success")
    assert result.result is True
    assert "reflex" not in run("%who")[1].split()
    reflex_ipython.unload_ipython_extension(shell)
    assert "reflex" not in shell.user_ns
    assert as_ipython_takes_it not in shell.input_transformers_cleanup
    assert reflex_ipython.last is None


def test_a_name_of_the_users_is_left_alone(run: Any, shell: Any, model: Any) -> None:
    model(code("sum(values)"), Say([YES]))
    run("reflex = 5")
    run("%%reflex add up the values")
    assert shell.user_ns["reflex"] == 5


@pytest.mark.parametrize(
    "cell", ["%reflex resume 1a\nx = 1", "%reflex do it", "print('%%reflex')", "x = 1", "%reflex?", "%%reflex?"]
)
def test_what_is_no_whole_cell_of_words_is_handed_on_as_it_is(cell: str) -> None:
    lines = cell.splitlines(keepends=True)
    assert as_ipython_takes_it(lines) == lines


def test_the_request_is_the_line_that_says_these_words() -> None:
    source = "%reflex do one\n%reflex do two\n"
    assert request_in(source, "two") == "%reflex do two"
    assert request_in("  %reflex do one", "one") == "  %reflex do one"
    assert request_in("%%reflex one", "one") == "%%reflex one"
