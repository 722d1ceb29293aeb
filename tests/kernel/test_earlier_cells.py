"""A fix in a function of an earlier cell: the function changes in place, its cell does not run again."""

from __future__ import annotations

import re
from typing import Any

from tests.kernel.driver import Kernel

PROVIDER = '''
from reflex_ipython.models import Edit, Fix, new_id

class Elsewhere:
    """Proposes `{old}` -> `{new}` in the cell that the failing frame is from."""
    name, where, cost, label = "elsewhere", "instant", "", "elsewhere"

    def propose(self, failure, request):
        frame = [frame for frame in failure.error.frames if frame.cell is not None][-1]
        source = next(cell.source for cell in failure.situation.earlier if cell.cell == frame.cell)
        earlier = Edit(frame.cell, source, source.replace({old!r}, {new!r}))
        unchanged = Edit(failure.situation.cell, failure.situation.source, failure.situation.source)
        yield Fix(new_id(), (earlier, unchanged), "It belongs there.", self.name)

plugins = get_ipython().reflex_extension.assembly.session.plugins
plugins.loaded = ([Elsewhere()], plugins.checkers)
'''


def propose(kernel: Kernel, old: str, new: str) -> None:
    kernel.run(PROVIDER.format(old=old, new=new), "provider")


def panel_of(kernel: Kernel, source: str, cell: str) -> dict[str, Any]:
    return kernel.settled(kernel.run(source, cell))


def accept(kernel: Kernel, panel: dict[str, Any], source: str, cell: str) -> Any:
    kernel.accept(kernel.hello(), panel)
    return kernel.run(source, cell)


def state(kernel: Kernel) -> str:
    return str(kernel.value("get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state"))


def test_the_function_changes_in_place_and_the_failing_cell_resumes(kernel: Kernel) -> None:
    propose(kernel, "hieght", "height")
    kernel.run("runs = 0", "zero")
    kernel.run("runs += 1\ndef area(width, height):\n    return width * hieght\nalias = area", "one")
    source = "counter = 1\ncounter += 1\nalias(2, 3)"
    panel = panel_of(kernel, source, "two")
    fix = panel["fixes"][0]
    assert [edit["label"] != "" for edit in fix["edits"]] == [True, False]
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel")
    ran = accept(kernel, panel, source, "two")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "6"
    assert kernel.value("(runs, counter)") == (1, 2)
    assert state(kernel) == "resumed at line 3, state restored exactly; `area` runs its new code"


def test_a_function_of_the_cell_that_loads_us_is_mended_as_any_other(plain_kernel: Kernel) -> None:
    source = "%load_ext reflex_ipython\nfactor = 2\ndef scale(value):\n    return value * fctor"
    plain_kernel.run(source, "one")
    panel = panel_of(plain_kernel, "scale(3)", "two")
    edit = panel["fixes"][0]["edits"][0]
    assert (edit["cell"]["id"], edit["source"]) == ("one", source.replace("fctor", "factor"))
    ran = accept(plain_kernel, panel, "scale(3)", "two")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "6"


def test_what_loads_us_without_being_a_cell_is_taken_for_none(plain_kernel: Kernel) -> None:
    plain_kernel.run("before = 1", "one")
    plain_kernel.run("%load_ext reflex_ipython\ndef scale(value):\n    return value * fctor", store_history=False)
    known = plain_kernel.value("[cell.source for cell in get_ipython().reflex_extension.cells.all()]")
    assert "before = 1" not in known
    assert not any("fctor" in source for source in known)


def test_results_of_the_old_code_are_named_before_and_after(kernel: Kernel) -> None:
    propose(kernel, "side ** 3", "side ** 2 if side < 9 else int('9')")
    kernel.run("def area(side):\n    if side == 9:\n        raise ValueError('nine')\n    return side ** 3", "one")
    kernel.run("import functools\n@functools.cache\ndef cube():\n    return area(1)", "cache")
    kernel.run("total = area(2)\ntotal", "two")
    number = kernel.value("len(In) - 2")
    source = "part = area(3)\narea(9)"
    kernel.run("%config Reflex.trial = 'off'")
    panel = panel_of(kernel, source, "three")
    stale = f"the cache of `cube`, Out[{number}], `total` and `part` were computed with the old `area`"
    assert stale in [finding["text"] for finding in panel["fixes"][0]["findings"]]
    accept(kernel, panel, source, "three")
    assert kernel.value("area(3)") == 9
    accepted = kernel.value("get_ipython().reflex_extension.assembly.session.repairs.all()[0].rerun.state")
    assert accepted == f"resumed at line 2, state restored exactly; `area` runs its new code; {stale}"


def test_a_method_changes_for_the_objects_that_are_there(kernel: Kernel) -> None:
    propose(kernel, "self.rat ", "self.rate ")
    kernel.run("class Shop:\n    rate = 2\n    def price(self, n):\n        return self.rat * n", "one")
    kernel.run("shop = Shop()\nbound = shop.price", "two")
    panel = panel_of(kernel, "bound(3)", "three")
    accept(kernel, panel, "bound(3)", "three")
    assert kernel.value("(bound(3), type(shop) is Shop)") == (6, True)
    assert state(kernel) == "state restored exactly; `Shop.price` runs its new code"


def test_a_function_that_can_not_be_swapped_is_defined_anew_with_the_reason(kernel: Kernel) -> None:
    propose(kernel, "return 1 / 0", "yield 1 / 1")
    kernel.run("count = 0", "zero")
    kernel.run("count += 1\ndef numbers():\n    return 1 / 0", "one")
    panel = panel_of(kernel, "list(numbers())", "two")
    assert panel["fixes"][0]["verdict"]["text"].startswith("ran in a copy")
    ran = accept(kernel, panel, "list(numbers())", "two")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "[1.0]"
    assert kernel.value("count") == 1
    assert state(kernel).endswith("`numbers` was redefined: it was a plain function and is now a generator")


def test_where_more_than_a_definition_changes_the_cell_runs_again(kernel: Kernel) -> None:
    propose(kernel, "nope", "1")
    kernel.run("def f():\n    return nope\nprint('nope')", "one")
    panel = panel_of(kernel, "f()", "two")
    assert [step["source"] for step in panel["fixes"][0]["first"]] == ["def f():\n    return 1\nprint('1')"]


def test_what_is_no_definition_is_named_where_too_many_cells_would_have_to_run(kernel: Kernel) -> None:
    propose(kernel, "nope", "1")
    kernel.run("x0 = str('nope')\ndef f():\n    return nope\nprint(x0)", "one")
    for number in range(20):
        kernel.run(f"x{number + 1} = x{number}", f"x{number}")
    panel = panel_of(kernel, "f(), x20", "two")
    ran = accept(kernel, panel, "f(), x20", "two")
    assert ran.text == ""
    assert state(kernel).endswith("`f` runs its new code, line 1 of In [3] was not run again")


def test_a_traceback_shows_the_new_text_and_the_next_fix_starts_from_it(kernel: Kernel) -> None:
    propose(kernel, "nope", "1 / 0")
    kernel.run("def f():\n    return nope", "one")
    panel = panel_of(kernel, "f()", "two")
    ran = accept(kernel, panel, "f()", "two")
    traceback = re.sub("\x1b\\[[0-9;]*m", "", "".join(ran.contents("error")[0]["traceback"]))
    assert "    return 1 / 0" in traceback
    propose(kernel, "1 / 0", "5")
    panel = panel_of(kernel, "f()", "two")
    assert [edit["expected"] for edit in panel["fixes"][0]["edits"]] == ["def f():\n    return 1 / 0", "f()"]
    assert accept(kernel, panel, "f()", "two").contents("execute_result")[0]["data"]["text/plain"] == "5"


def test_undoing_gives_the_function_its_old_code_and_the_state_back(kernel: Kernel) -> None:
    propose(kernel, "nope", "len(items)")
    kernel.run("items = [1]\ndef f():\n    items.append(2)\n    return nope", "one")
    panel_of(kernel, "f()", "two")
    kernel.run("%reflex accept", "three")
    undone = kernel.run("%reflex undo", "four").text
    assert undone.endswith("state restored exactly, what it has shown stays there, `f` has its old code again.\n")
    assert kernel.value("(items, f.__code__.co_names)") == ([1], ("items", "append", "nope"))


def test_the_same_cell_run_by_hand_is_not_taken_for_the_fix(kernel: Kernel) -> None:
    propose(kernel, "nope", "1")
    kernel.run("def f():\n    return nope", "one")
    first = panel_of(kernel, "f()", "two")
    kernel.run("f()", "two")
    state = kernel.value("get_ipython().reflex_extension.assembly.session.repairs.all()[0].decision.kind")
    assert (first["phase"], state) == ("ready", "superseded")


def test_without_cell_ids_accepting_changes_the_function_and_runs_the_cell(kernel: Kernel) -> None:
    propose(kernel, "nope", "1")
    kernel.run("def f():\n    return nope", "")
    kernel.run("f()", "")
    ran = kernel.run("%reflex accept", "")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "1"
    assert state(kernel).endswith("`f` runs its new code; In [3] itself still has its old text")


def test_a_rule_finds_the_mistake_in_the_earlier_cell(kernel: Kernel) -> None:
    kernel.run("def area(width, height):\n    return width * hieght", "one")
    panel = panel_of(kernel, "sizes = [area(2, 3)]\nsizes", "two")
    fix = panel["fixes"][0]
    assert fix["edits"][0]["source"] == "def area(width, height):\n    return width * height"
    assert fix["verdict"]["text"].startswith("ran in a copy of your kernel")
    ran = accept(kernel, panel, "sizes = [area(2, 3)]\nsizes", "two")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "[6]"


def test_an_import_that_the_earlier_cell_lacks_is_made_without_running_the_cell(kernel: Kernel) -> None:
    kernel.run("runs = []", "zero")
    kernel.run("runs.append(1)\ndef root(x):\n    return math.sqrt(x)", "one")
    panel = panel_of(kernel, "root(9)", "two")
    ran = accept(kernel, panel, "root(9)", "two")
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "3.0"
    assert kernel.value("runs") == [1]
    assert state(kernel) == "state restored exactly; `math` was redefined"


def test_a_second_fix_that_goes_back_before_the_first_keeps_what_the_first_changed(kernel: Kernel) -> None:
    propose(kernel, "nope", "len(items)")
    kernel.run("def f(items):\n    return nope", "one")
    source = "items = list([f])\ncount = items[0](items)\n1 / 0"
    second = accept(kernel, panel_of(kernel, source, "two"), source, "two").shown[-1]
    comm, fixed = kernel.hello(), "items = list([f, 1])\ncount = items[0](items)\n1 / 1"
    kernel.run(
        "from reflex_ipython.models import Edit, Fix, new_id\n"
        "import dataclasses\nrepairs = get_ipython().reflex_extension.assembly.session.repairs\n"
        f"last = repairs.find({second['repair']!r})\n"
        f"fix = Fix('x', (Edit(last.failure.situation.cell, last.failure.situation.source, {fixed!r}),), '', 'test')\n"
        "repairs.change(last.id, lambda repair: dataclasses.replace(repair, fixes=(fix,)))",
        silent=True,
    )
    kernel.accept(comm, second)
    kernel.run(fixed, "two")
    assert kernel.value("count") == 2


def test_a_new_text_that_only_the_compiler_refuses_is_told_and_the_cell_runs_all_the_same(kernel: Kernel) -> None:
    propose(kernel, "return nope", "nonlocal nope")
    kernel.run("def f():\n    return nope", "one")
    panel = panel_of(kernel, "f()", "two")
    accept(kernel, panel, "f()", "two")
    accepted = kernel.value("get_ipython().reflex_extension.assembly.session.repairs.all()[0].rerun.state")
    assert "the new In [3] does not compile: no binding for nonlocal 'nope' found" in accepted


def test_a_function_beside_an_import_that_it_uses_is_changed_in_place(kernel: Kernel) -> None:
    kernel.run("import math\ndef area(width, height):\n    return math.floor(width * hieght)", "one")
    kernel.run("alias = area\nclass Kept: pass", "mid")
    panel = panel_of(kernel, "alias(2, 3.5)", "two")
    assert panel["fixes"][0]["verdict"]["text"].startswith("ran in a copy of your kernel")
    accept(kernel, panel, "alias(2, 3.5)", "two")
    assert kernel.value("(alias is area, alias(2, 3.5))") == (True, 7)


def test_what_the_resumed_cell_computes_is_not_said_to_be_of_the_old_code(kernel: Kernel) -> None:
    kernel.run("total = 0\ndef area(width, height):\n    return width * hieght", "one")
    panel = panel_of(kernel, "total += area(2, 3)", "two")
    assert panel["fixes"][0]["findings"] == []
    accept(kernel, panel, "total += area(2, 3)", "two")
    assert kernel.value("total") == 6
    assert state(kernel) == "state restored exactly; `area` runs its new code"


def test_a_cell_that_the_user_has_run_with_another_text_is_left_alone(kernel: Kernel) -> None:
    propose(kernel, "return 1 / 0", "yield 1")
    kernel.run("def f():\n    return 1 / 0", "one")
    panel = panel_of(kernel, "f()", "two")
    kernel.run("def f():\n    return 'mine'", "one")
    accept(kernel, panel, "f()", "two")
    assert kernel.value("f()") == "mine"
    assert "In [3] has run with a different text since then, so it was left alone" in state(kernel)


def test_a_name_that_another_cell_has_taken_over_is_left_to_it(kernel: Kernel) -> None:
    propose(kernel, "return 1 / 0", "yield 1")
    kernel.run("def f():\n    return 1 / 0\nold = f", "one")
    kernel.run("def f():\n    return 'newer'", "mid")
    panel = panel_of(kernel, "list(old())", "two")
    accept(kernel, panel, "list(old())", "two")
    assert kernel.value("f()") == "newer"
