"""Taking back the run of the last cell, in a real kernel."""

from __future__ import annotations

from tests.kernel.driver import Kernel


def back(kernel: Kernel) -> str:
    return kernel.run("%reflex back").text.strip()


def test_what_a_cell_did_is_undone_in_place(kernel: Kernel) -> None:
    kernel.run("import numpy as np\nnames, counts, a = ['x'], {'x': 1}, np.zeros(3)\nalias = names")
    ran = kernel.run("names.append('y')\ncounts['y'] = 2\ndel counts['x']\na += 1\nnew = a.sum()\nnames = 'gone'")
    assert ran.status == "ok"
    assert back(kernel) == f"In [{ran.reply['execution_count']}] is taken back: state restored exactly."
    assert kernel.value("(names, names is alias, counts, a.tolist(), 'new' in globals())") == (
        ["x"], True, {"x": 1}, [0.0, 0.0, 0.0], False
    )  # fmt: skip


def test_a_failed_cell_is_undone_as_well_and_its_fix_then_runs_whole(kernel: Kernel) -> None:
    kernel.run("names, total = [], 0")
    kernel.run("names.append(1)\ntotal = len(nmaes)")
    assert "state restored exactly" in back(kernel)
    assert kernel.value("(names, total)") == ([], 0)
    kernel.run("%reflex accept")
    assert kernel.value("(names, total)") == ([1], 1)


def test_an_interrupted_cell_is_undone(kernel: Kernel) -> None:
    kernel.run("seen = []")
    kernel.run("seen.append(1)\nraise KeyboardInterrupt")
    assert "state restored exactly" in back(kernel)
    assert kernel.value("seen") == []


def test_what_was_done_outside_is_named(kernel: Kernel, tmp_path: object) -> None:
    kernel.run("n = 0")
    kernel.run(f"n = 1\nopen({str(tmp_path)!r} + '/out.txt', 'w').close()")
    line = back(kernel)
    assert "not undone: " in line
    assert "out.txt" in line
    assert kernel.value("n") == 0


def test_only_the_last_cell_can_be_taken_back_and_only_once(kernel: Kernel) -> None:
    kernel.run("n = 0")
    kernel.run("n = 1")
    kernel.run("n = 2")
    back(kernel)
    ran = kernel.run("%reflex back")
    assert ran.status == "error"
    assert "There is no run to take back" in ran.contents("error")[0]["traceback"][0]
    assert kernel.value("n") == 1


def test_commands_are_no_cells(kernel: Kernel) -> None:
    kernel.run("n = 0")
    kernel.run("n = 1")
    kernel.run("%reflex")
    kernel.run("%reflex history")
    back(kernel)
    assert kernel.value("n") == 0


def test_what_is_too_large_to_be_kept_is_said(kernel: Kernel) -> None:
    kernel.run("import numpy as np\na = np.zeros(2_000_000)")
    kernel.run("%config Reflex.back_bytes = 8_000_000")
    kernel.run("a += 1")
    why = "can't be taken back: 16 MB would have to be kept for it, above all of `a`, and `back_bytes` allows 8 MB."
    assert why in kernel.run("%reflex").text  # before anybody tries
    assert why in kernel.run("%reflex back").contents("error")[0]["traceback"][0]
    kernel.run("b = 1")
    assert "can't be taken back" not in kernel.run("%reflex").text


def test_what_is_too_large_is_named_where_all_was_noted_that_can_be_reached(kernel: Kernel) -> None:
    kernel.run("import numpy as np\nsmall, large = np.zeros(10), np.zeros(2_000_000)\ndef fill(a): a[:] = 1")
    kernel.run("%config Reflex.back_bytes = 8_000_000")
    kernel.run("for each in (small, large):\n    fill(each)")
    assert "above all of `large`, and" in kernel.run("%reflex").text


def test_nothing_that_a_cell_let_go_of_is_kept(kernel: Kernel) -> None:
    kernel.run("import weakref\nclass Big: pass\nb = Big()\nr = weakref.ref(b)")
    ran = kernel.run("b = None\nprint(r() is None)")
    assert ran.text == "True\n"
    assert "restored except: b" in back(kernel)


def test_a_resumed_cell_is_taken_back_whole(kernel: Kernel) -> None:
    kernel.run("names = []")
    kernel.run("names.append(1)\nnames.append(len(nmaes))\nprint(names)")
    assert kernel.run("%reflex accept").text == "[1, 1]\n"
    assert "state restored exactly" in back(kernel)
    assert "the state was put back before" in kernel.run("%reflex undo").text
    assert kernel.value("names") == []


def test_several_cells_are_taken_back_the_latest_first_if_they_are_kept(kernel: Kernel) -> None:
    kernel.run("%config Reflex.keep_cells = 3")
    kernel.run("seen, n = ['start'], 0")
    kernel.run("seen.append('a')\nn = 1")
    kernel.run("seen.append('b')\nn = nn")
    kernel.run("alias = seen\nseen = seen + ['c']\nn = 3")
    assert back(kernel) == "In [6] is taken back: state restored exactly."
    lines = kernel.run("%reflex back 2").text.splitlines()
    assert [line.partition(" is")[0] for line in lines] == ["In [5]", "In [4]"]
    assert all("is taken back: state restored exactly." in line for line in lines)
    assert lines[1].endswith("In [5] and In [6] were computed with its `seen`.")
    assert kernel.value("(seen, n, 'alias' in globals())") == (["start"], 0, False)


def test_an_accepted_run_is_taken_back_and_then_what_ran_before_its_cell_had_failed(kernel: Kernel) -> None:
    kernel.run("%config Reflex.keep_cells = 5")
    kernel.run("names, total = [], 3")
    number = kernel.run("names.append('x')").reply["execution_count"]
    kernel.run("names.append(toatl)")
    assert kernel.run("%reflex accept").text == ""
    assert back(kernel) == f"In [{number + 2}] is taken back: state restored exactly."
    assert back(kernel).startswith(f"In [{number}] is taken back: state restored exactly.")
    assert kernel.value("names") == []


def test_more_than_are_kept_are_not_taken_back_and_nothing_is(kernel: Kernel) -> None:
    kernel.run("n = 0")
    kernel.run("n = 1")
    ran = kernel.run("%reflex back 2")
    assert "Only the last cell can be taken back" in ran.contents("error")[0]["traceback"][0]
    assert kernel.value("n") == 1


def test_of_older_cells_nothing_is_kept_alive_either(kernel: Kernel) -> None:
    kernel.run("%config Reflex.keep_cells = 5")
    kernel.run("import weakref\nclass Big(list): pass\nb, holders = Big(), []\nr = weakref.ref(b)")
    kernel.run("holders.append(b)")
    kernel.run("holders.append(1)")
    assert kernel.run("del b\nholders.clear()\nprint(r() is None)").text == "True\n"
    assert "holders" in kernel.run("%reflex back 3").text


CYCLE = "import gc, weakref\nclass Big: pass\nb, holder = Big(), []\nb.me, r = b, weakref.ref(b)\nholder.append(b)"


def test_what_holds_itself_by_a_cycle_is_kept_by_no_older_cell_where_that_can_be_seen(kernel: Kernel) -> None:
    kernel.run("%config Reflex.keep_cells = 5")
    kernel.run(CYCLE)
    kernel.run("holder[0] = 1")
    kernel.run("del b")
    assert kernel.run("gc.collect()\nprint(r() is None)").text.endswith("True\n")


def test_once_the_collector_came_by_no_older_cell_keeps_a_cycle(kernel: Kernel) -> None:
    kernel.run("%config Reflex.keep_cells = 5")
    kernel.run(CYCLE)
    kernel.run("holder[0] = 1")
    kernel.run("del b")
    come_by = "getattr(gc, 'coll' + 'ect')();"  # as it does by itself, which no code tells of
    kernel.run(come_by)
    kernel.run(come_by)
    assert kernel.run("print(r() is None)").text == "True\n"


def test_behind_a_cell_that_is_not_kept_no_older_one_is_taken_back(kernel: Kernel) -> None:
    kernel.run("%config Reflex.keep_cells = 5")
    kernel.run("import numpy as np\na, n = np.zeros(2_000_000), 0")
    kernel.run("n = 1")
    kernel.run("%config Reflex.back_bytes = 8_000_000")
    kernel.run("a += 1")
    assert "can't be taken back" in kernel.run("%reflex back").contents("error")[0]["traceback"][0]
    kernel.run("n = 2")
    assert "In [" in back(kernel)
    assert "no run to take back" in kernel.run("%reflex back").contents("error")[0]["traceback"][0]


def test_a_cell_of_very_many_statements_is_not_kept_and_that_is_said(kernel: Kernel) -> None:
    kernel.run("n = 0")
    kernel.run("n += 1\n" * 201)
    words = kernel.run("%reflex back").contents("error")[0]["traceback"][0]
    assert "can't be taken back: it has more than 200 statements" in words
    assert kernel.value("n") == 201


def test_a_cell_that_needs_what_was_taken_back_is_offered_that_with_the_reason(kernel: Kernel) -> None:
    kernel.run("total = 1", "a")
    back(kernel)
    panel = kernel.settled(kernel.run("print(total)", "b"))
    assert [(step["name"], step["why"]) for step in panel["fixes"][0]["first"]] == [("In [2]", "was taken back")]


def test_what_used_the_values_of_a_cell_that_is_taken_back_is_named(kernel: Kernel) -> None:
    kernel.run("%config Reflex.keep_cells = 3")
    kernel.hello()
    for cell, source in (("a", "total = 1"), ("b", "other = 2"), ("c", "print(total)")):
        kernel.run(source, cell)
    ran = kernel.run("%reflex back 3", "back")
    assert (
        ran.text.splitlines()[-1]
        == "In [3] is taken back: state restored exactly. In [5] was computed with its `total`."
    )
    told = [content["data"] for content in ran.contents("comm_msg") if content["data"]["type"] == "took-back"]
    assert [(one["cell"], one["stale"]) for one in told] == [("c", []), ("b", []), ("a", ["c"])]
