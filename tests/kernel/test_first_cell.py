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
    (option,) = fix["run_options"]
    assert option["whole"]
    assert option["repeats"] == "repeats what can't be undone: what ran before Reflex was loaded"
    plain_kernel.accept(plain_kernel.hello(), panel, whole=True)
    ran = plain_kernel.run(SHOWS.replace("lenn", "len"), "one")
    assert ran.text.startswith("first\n")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "2"
    assert plain_kernel.value(STATE) == "not undone: what ran before Reflex was loaded"


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
        "class Point:\n    'A place.'\n    x: int\n    y = -1\n    def norm(self): pass",
        "columns = ['a', 'b']",
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
        "class Point(dict):\n    pass",
        "import asyncio\nawait asyncio.sleep(0)",
        "%config IPCompleter",
        "if True:\n    import json",
    ],
)
def test_what_may_show_something_before_it_is_loaded(plain_kernel: Kernel, before: str) -> None:
    panel = plain_kernel.settled(plain_kernel.run(f"{before}\n{LOADS}\nvalues = [3, 4]\nlenn(values)", "one"))
    fix = panel["fixes"][0]
    assert "resumes" not in fix["verdict"]["text"]
    assert [option["whole"] for option in fix["run_options"]] == [True]
    assert "what ran before Reflex was loaded" in fix["run_options"][0]["repeats"]


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
    assert not panel["fixes"][0]["run_options"]
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


def test_an_import_that_loads_it_and_does_more_is_not_said_to_be_undone(plain_kernel: Kernel, tmp_path: Path) -> None:
    (tmp_path / "mylab.py").write_text(
        "import json\nget_ipython = __import__('IPython').get_ipython\n"
        "get_ipython().run_line_magic('load_ext', 'reflex_ipython')\njson.mine = [1]\n"
    )
    plain_kernel.run(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})")
    plain_kernel.run("import mylab\nx = 1\nlenn([x])", "one")
    assert "restored except: what ran before" in plain_kernel.run("%reflex back", "two").text


def test_a_cell_that_ended_well_is_not_taken_back(plain_kernel: Kernel) -> None:
    plain_kernel.run(f"{LOADS}\nvalues = [1]", "one")
    assert "no run to take back" in str(plain_kernel.run("%reflex back", "two").messages)
    assert plain_kernel.value("values") == [1]


def test_nothing_is_kept_where_no_state_is(plain_kernel: Kernel) -> None:
    plain_kernel.run(f"{LOADS}\n%config Reflex.keep_state = False\nvalues = [1]", "one")
    panel = plain_kernel.settled(plain_kernel.run("lenn(values)", "two"))
    assert "resumes" not in panel["fixes"][0]["verdict"]["text"]


def test_taking_back_where_it_failed(plain_kernel: Kernel) -> None:
    plain_kernel.settled(plain_kernel.run(SOURCE, "one"))
    assert "is taken back: restored except: what ran before" in plain_kernel.run("%reflex back", "two").text
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
