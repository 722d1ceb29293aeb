"""The cell that loads Reflex fails further down: it is gone on with as any other, and says what nobody saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel.driver import Kernel

LOADS = "%load_ext reflex_ipython"
SOURCE = f"import json\n{LOADS}\nvalues = [3, 4]\nprint(values)\nvalues.append(5), lenn(values)"
MENDED = SOURCE.replace("lenn", "len")
SHOWS = f"print('first')\n{LOADS}\nvalues = [3, 4]\nlenn(values)"
ANEW = "runs the whole cell anew: Reflex was loaded in it, and undoes nothing of it"
NOT_SEEN = "what ran before Reflex was loaded is not undone"
STATE = "get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state"


def test_it_goes_on_where_it_failed_with_what_that_half_did_undone(plain_kernel: Kernel) -> None:
    panel = plain_kernel.settled(plain_kernel.run(SOURCE, "one"))
    fix = panel["fixes"][0]
    assert fix["edits"][0]["source"] == MENDED
    assert fix["verdict"]["text"].endswith("resumes at line 5")
    assert not fix["findings"]
    assert not fix["run_options"]
    plain_kernel.accept(plain_kernel.hello(), panel)
    ran = plain_kernel.run(MENDED, "one")
    assert ran.text == "[3, 4]\n", "it is shown again, and what IPython says of loading twice is not there"
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "(None, 3)"
    assert plain_kernel.value(STATE) == "resumed at line 5, state restored exactly"


def test_what_was_shown_before_it_was_loaded_can_not_be_shown_again_so_all_of_it_runs(plain_kernel: Kernel) -> None:
    panel = plain_kernel.settled(plain_kernel.run(SHOWS, "one"))
    fix = panel["fixes"][0]
    assert fix["verdict"]["tone"] == "good"
    assert "resumes" not in fix["verdict"]["text"]
    assert [finding["text"] for finding in fix["findings"]] == [NOT_SEEN]
    plain_kernel.accept(plain_kernel.hello(), panel)
    ran = plain_kernel.run(SHOWS.replace("lenn", "len"), "one")
    assert ran.text.startswith("first\n")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "2"
    assert plain_kernel.value(STATE) == "restored except: what ran before Reflex was loaded (nobody saw it)"


def test_what_it_did_outside_is_asked_about_before_all_of_it_runs(plain_kernel: Kernel, tmp_path: Path) -> None:
    writes = f"print('first')\n{LOADS}\nopen({str(tmp_path / 'log')!r}, 'a').write('x')\nlenn('')"
    panel = plain_kernel.settled(plain_kernel.run(writes, "one"))
    (option,) = panel["fixes"][0]["run_options"]
    assert option["whole"]
    assert "wrote" in option["repeats"]


@pytest.mark.parametrize(
    "before",
    [
        "import json",
        "from json import dumps as d",
        "def first():\n    print(1)",
        "kind = 'x'",
        "%config InlineBackend.figure_format = 'png'",
        "import warnings\nwarnings.filterwarnings('ignore')",
        "class Point:\n    x: int\n    y = 1\n    def norm(self): pass",
    ],
)
def test_what_shows_nothing_before_it_is_loaded(plain_kernel: Kernel, before: str) -> None:
    source = f"{before}\n{LOADS}\nvalues = [3, 4]\nlenn(values)"
    panel = plain_kernel.settled(plain_kernel.run(source, "one"))
    assert panel["fixes"][0]["verdict"]["text"].endswith(f"resumes at line {source.count(chr(10)) + 1}")


@pytest.mark.parametrize(
    "before",
    [
        "print(1)",
        "kind = print(1)",
        "@print\ndef first(): pass",
        "class Point:\n    print(1)",
        "import asyncio\nawait asyncio.sleep(0)",
        "%config IPCompleter",
        "if True:\n    import json",
    ],
)
def test_what_may_show_something_before_it_is_loaded(plain_kernel: Kernel, before: str) -> None:
    panel = plain_kernel.settled(plain_kernel.run(f"{before}\n{LOADS}\nvalues = [3, 4]\nlenn(values)", "one"))
    assert "resumes" not in panel["fixes"][0]["verdict"]["text"]


def test_what_ran_before_it_was_loaded_is_changed_and_runs_again(plain_kernel: Kernel) -> None:
    source = f"word = 'abc'\n{LOADS}\nmade = [1]\nmade.append(lenn(word))"
    mended = source.replace("lenn", "len").replace("abc", "abcd")
    panel = plain_kernel.settled(plain_kernel.run(source, "one"))
    plain_kernel.accept(plain_kernel.hello(), panel, sources=[mended])
    plain_kernel.run(mended, "one")
    assert plain_kernel.value("made") == [1, 4]
    assert plain_kernel.value(STATE) == "restored except: what ran before Reflex was loaded (nobody saw it)"


def test_a_later_run_of_it_is_resumed_as_any_other(plain_kernel: Kernel) -> None:
    plain_kernel.run(SHOWS, "one")
    panel = plain_kernel.settled(plain_kernel.run(SHOWS, "one"))
    assert NOT_SEEN not in [finding["text"] for finding in panel["fixes"][0]["findings"]]
    plain_kernel.accept(plain_kernel.hello(), panel)
    plain_kernel.run(SHOWS.replace("lenn", "len"), "one")
    assert plain_kernel.value(STATE).startswith("resumed at line 4")


def test_it_fails_once_more_behind_where_it_went_on(plain_kernel: Kernel) -> None:
    twice = f"{SOURCE}\nlenn(json.dumps(1))"
    panel = plain_kernel.settled(plain_kernel.run(twice, "one"))
    plain_kernel.accept(plain_kernel.hello(), panel)
    once_mended = twice.replace("5), lenn", "5), len")
    panel = plain_kernel.settled(plain_kernel.run(once_mended, "one"))
    plain_kernel.accept(plain_kernel.hello(), panel)
    plain_kernel.run(once_mended.replace("lenn", "len"), "one")
    assert plain_kernel.value("values") == [3, 4, 5]
    assert plain_kernel.value(STATE) == "resumed at line 6, state restored exactly"


def test_undo_and_taking_back(plain_kernel: Kernel) -> None:
    plain_kernel.settled(plain_kernel.run(SOURCE, "one"))
    assert "taken back" in plain_kernel.run("%reflex back", "two").text
    assert plain_kernel.value("'values' in globals()") is False
    assert plain_kernel.value("json.dumps(1)") == "1"


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
    assert panel["fixes"][0]["verdict"]["text"].endswith("resumes at line 2")


def test_empty_lines_above_count_for_the_line_where_it_goes_on(kernel: Kernel) -> None:
    source = "\n  \nvalues = [1]\n\nlenn(values)"
    panel = kernel.settled(kernel.run(source, "one"))
    assert panel["fixes"][0]["verdict"]["text"].endswith("resumes at line 5")
    kernel.accept(kernel.hello(), panel)
    kernel.run(source.replace("lenn", "len"), "one")
    assert kernel.value(STATE) == "resumed at line 5, state restored exactly"
