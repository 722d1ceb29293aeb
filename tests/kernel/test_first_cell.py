"""The cell that loads Reflex fails further down: it has its panel as any other, and says what nobody saw."""

from __future__ import annotations

import pytest

from tests.kernel.driver import Kernel

SOURCE = "runs = 0\nruns += 1\n%load_ext reflex_ipython\nvalues = [3, 4]\nlenn(values)"
MENDED = SOURCE.replace("lenn", "len")
ANEW = "runs the whole cell anew: Reflex was loaded in it, and undoes nothing of it"


def test_its_fix_is_tried_and_runs_the_whole_cell(plain_kernel: Kernel) -> None:
    panel = plain_kernel.settled(plain_kernel.run(SOURCE, "one"))
    fix = panel["fixes"][0]
    assert fix["edits"][0]["source"] == MENDED
    assert fix["verdict"]["tone"] == "good"
    assert [finding["text"] for finding in fix["findings"]] == [ANEW]
    plain_kernel.accept(plain_kernel.hello(), panel)
    ran = plain_kernel.run(MENDED, "one")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "2"
    assert plain_kernel.value("get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.succeeded")


def test_a_later_run_of_it_is_resumed_as_any_other(plain_kernel: Kernel) -> None:
    plain_kernel.run(SOURCE, "one")
    panel = plain_kernel.settled(plain_kernel.run(SOURCE, "one"))
    assert ANEW not in [finding["text"] for finding in panel["fixes"][0]["findings"]]
    plain_kernel.accept(plain_kernel.hello(), panel)
    plain_kernel.run(MENDED, "one")
    state = plain_kernel.value("get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state")
    assert state.startswith("resumed at line 5")


@pytest.mark.parametrize(
    "around",
    ["%%capture\n{}", "get_ipython().run_cell({!r})\nlenn(())", "import asyncio\nawait asyncio.sleep(0)\n{}"],
    ids=["captured", "run by another", "awaiting"],
)
def test_it_is_the_outermost_cell(plain_kernel: Kernel, around: str) -> None:
    plain_kernel.run(around.format(SOURCE), "one")
    failures = plain_kernel.value(
        "[(one.failure.situation.cell.id, one.failure.situation.source)"
        " for one in get_ipython().reflex_extension.assembly.session.repairs.all()]"
    )
    assert failures == [("one", around.format(SOURCE))]
    assert plain_kernel.value("get_ipython().reflex_extension._hooks.depth()") == 1
    assert plain_kernel.settled(plain_kernel.run("lenn([1])", "two"))["fixes"]


def test_one_that_succeeds_leaves_nothing_behind(plain_kernel: Kernel) -> None:
    plain_kernel.run(SOURCE.replace("lenn", "len"), "one")
    assert plain_kernel.value("get_ipython().reflex_extension.assembled is None")
    assert plain_kernel.settled(plain_kernel.run("lenn([1])", "two"))["fixes"]


def test_loading_anew_in_a_cell_that_fails(kernel: Kernel) -> None:
    panel = kernel.settled(kernel.run("%reload_ext reflex_ipython\nlenn([1])", "one"))
    assert [finding["text"] for finding in panel["fixes"][0]["findings"]] == [ANEW]
