"""The journal: the way back to any statement, within bounds, and nothing is kept afterwards."""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import os
import sys
import threading
import warnings
import weakref
from pathlib import Path
from types import ModuleType

import pytest

from reflex_ipython.base.unwarned import unwarned
from reflex_ipython.state.bounds import Bounds
from reflex_ipython.state.credit import Credit
from reflex_ipython.state.journal import Journal
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.putting_back import put_back
from tests.state.cells import GENEROUS, namespace, run


def test_new_names_go_rebound_and_deleted_names_come_back_as_the_same_objects() -> None:
    names = namespace("kept = [1]; gone = {2}")
    kept, gone = names["kept"], names["gone"]
    run(names, "kept = 5; new = 1\ndel gone\n1 / 0").rollback(0)
    assert names["kept"] is kept
    assert names["gone"] is gone
    assert "new" not in names


@pytest.mark.parametrize("made", ["{1, 2}", "collections.deque([1, 2])", "numpy.array([2, 1])"])
def test_what_a_statement_changes_and_lets_go_of_is_put_back_if_it_is_small(made: str) -> None:
    names = namespace(f"import collections, numpy; kept = {made}")
    change = "kept.sort()" if "array" in made else "kept.remove(2)"
    was = repr(names["kept"])
    assert run(names, f"kept = {change}\nlen(kept)").rollback(0).exact
    assert repr(names["kept"]) == was


def test_somebody_who_watches_it_sees_its_end_all_the_same() -> None:
    names = namespace("import weakref; kept = {1, 2}; watched = weakref.ref(kept)")
    journal = run(names, "kept = kept.remove(2)\nlen(kept)")
    assert names["watched"]() is None
    assert "kept" in journal.rollback(0).words


def test_a_rollback_goes_back_to_just_before_the_statement_that_is_asked_for() -> None:
    names = namespace("items = []")
    journal = run(names, "items.append(0)\nitems.append(1)\nitems.append(2)\n1 / 0")
    journal.rollback(2)
    assert names["items"] == [0, 1]
    journal.rollback(0)
    assert names["items"] == []


def test_an_object_is_put_back_although_only_an_earlier_statement_could_reach_it() -> None:
    names = namespace("items = [1]; box = [items]")
    journal = run(names, "box[0].append(2); del box\nitems.append(3)\n1 / 0")
    assert journal.rollback(0).exact
    assert names["items"] == [1]
    assert names["box"][0] is names["items"]


def test_what_objects_do_as_they_come_to_an_end_is_put_back_as_well() -> None:
    names = namespace(
        "import weakref; told = []",
        "class Open:\n  count = 0\n  def __init__(self): Open.count += 1\n  def __del__(self): Open.count -= 1",
        "held = [Open()]",
    )
    cell = "for n in range(3):\n  one = Open(); held.append(one); weakref.finalize(one, told.append, n)\n  1 / (1 - n)"
    assert run(names, cell).rollback(0).exact
    assert (names["Open"].count, names["told"], len(names["held"])) == (1, [], 1)
    assert run(names, "x = 1\nkept = [2]\nheld.append(Open())\nhere = Open()\n1 / 0").rollback(0).exact
    assert (names["Open"].count, len(names["held"])) == (1, 1)


def test_what_ends_only_with_a_failed_cell_does_not_undo_the_putting_back() -> None:
    names = namespace(
        "gone = []\nclass Mortal:\n    def __init__(self, n): self.n = n\n    def __del__(self): gone.append(self.n)",
        "box = [Mortal(1)]",
    )
    journal = run(names, "box.append(Mortal(2)); missing", foreseen=False, at_once=True)
    journal.note_end()
    assert journal.rollback(0).exact
    assert names["gone"] == []


def test_what_one_operation_was_noted_of_first_is_not_put_back_to_what_it_was_later() -> None:
    names = namespace("items = []")
    journal = Journal(names, GENEROUS)
    for source, foreseen in (("items.append(1)", True), ("items.append(2)", False), ("items.append(missing)", False)):
        code = compile(source, "<cell>", "exec")
        journal.before(code, ast.parse(source).body[0] if foreseen else None)
        with contextlib.suppress(NameError):
            exec(code, names)
            journal.after()
    journal.finished()
    assert journal.rollback(0).exact
    assert names["items"] == []


def test_what_two_statements_have_done_outside_is_told_of_both(tmp_path: Path) -> None:
    names = namespace(f"import pathlib; path = pathlib.Path({str(tmp_path / 'log.txt')!r})")
    journal = run(names, "path.write_text('1')\npath.write_text('2') / 0")
    assert [len(journal.aftermath.effects(place)) for place in range(2)] == [1, 1]
    assert not journal.rollback(1).exact


def test_a_metaclass_is_looked_at_with_its_classes() -> None:
    names = namespace(
        "class Meta(type):\n  made = []\n  def __init__(cls, *a): Meta.made.append(cls.__name__)",
        "class Base(metaclass=Meta): pass",
        "def grow():\n  class Child(Base): pass",
    )
    assert run(names, "grow()\n1 / 0").rollback(0).exact
    assert names["Meta"].made == ["Base"]


def test_what_is_set_on_a_class_of_a_library_by_way_of_its_module_is_put_back() -> None:
    names = namespace("import json, os, xml.dom")
    path = os.path
    cell = "json.JSONEncoder.extra = 1; json.decoder.JSONDecoder.more = 2; xml.dom.Node.x = 3; os.path.y = 4; 1 / 0"
    assert run(names, cell).rollback(0).exact
    encoder, decoder, node = names["json"].JSONEncoder, names["json"].decoder.JSONDecoder, names["xml"].dom.Node
    assert not [o for o in (encoder, decoder, node, path) if {"extra", "more", "x", "y"} & vars(o).keys()]


def test_what_is_logged_into_a_text_in_memory_is_put_back() -> None:
    names = namespace(
        "import io, logging; text = io.StringIO(); log = logging.Logger('example')",
        "log.addHandler(logging.StreamHandler(text))",
    )
    assert run(names, "log.error('once'); 1 / 0").rollback(0).exact
    assert names["text"].getvalue() == ""


def test_what_is_reached_by_a_name_of_the_shells_is_put_back() -> None:
    names = namespace("items = [1]; _ = items; Out = {3: [3], 4: 4}")
    results = {"_": {"_": names["_"]}, "Out": {f"Out[{n}]": o for n, o in names["Out"].items()}}
    ran = Journal(names, ignored=results, results=lambda name: results[name])
    cell = compile("_.append(2); Out[3].append(4)", "<cell>", "exec")
    ran.before(cell)
    exec(cell, names)
    assert ran.rollback(0).exact
    assert (names["items"], names["Out"]) == ([1], {3: [3], 4: 4})


def test_what_a_function_reaches_is_put_back_as_far_as_calls_go() -> None:
    names = namespace(
        "log = []; total = {'n': 0}",
        "def inner(): log.append(1); total['n'] += 1",
        "def outer(f=inner): return f()",
        "class Tool:\n  def __call__(self): return outer()",
        "tool = Tool()",
    )
    assert run(names, "tool()\n1 / 0").rollback(0).exact
    assert (names["log"], names["total"]) == ([], {"n": 0})


@pytest.mark.parametrize(
    "cell",
    [
        "exec('items.append(1)')",
        "eval('items.append(1)')",
        "text = 'items.append(1)'; exec(text)",
        "globals()['items'].append(1)",
        "[value.append(1) for name, value in list(vars().items()) if name == 'items']",
        "exec('exec(\"items.append(1)\")')",
        "get_ipython().run_cell_magic('time', '', 'items.append(1)')",
        "get_ipython().run_line_magic('time', 'items.append(1)')",
        "get_ipython().user_ns['items'].append(1)",
        "import __main__ as me; me.items.append(1)",
        "for _ in range(1): (lambda: items.append(1))()",
        "class A: items.append(1)",
        "f'{items.append(1)}'",
        "run(items.append)(1)",
    ],
)
def test_names_are_found_in_whatever_way_the_cell_gets_at_them(cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    main = ModuleType("__main__")
    names = namespace("items = []; run = lambda f: f", main=main)
    monkeypatch.setitem(sys.modules, "__main__", main)

    class Shell:
        user_ns = names
        run_cell_magic = run_line_magic = lambda self, *args: exec(args[-1], names)

    names["get_ipython"] = Shell
    journal = run(names, f"{cell}\n1 / 0", ignored={"get_ipython"})
    assert names["items"] == [1]
    journal.rollback(0)
    assert names["items"] == []


@pytest.mark.parametrize(
    "cell",
    [
        "__main__.made = 1",
        "setattr(__main__, name, 1)",
        "setattr(sys.modules['__main__'], name, 1)",
        "sys._getframe().f_globals['made'] = 1",
        "tool.__globals__['made'] = 1",
        "shell.push('made')",
        "shell.run_line_magic('time', 'made = 1')",
        "held[0].push('made')",
        "tool('made')",
    ],
)
def test_a_name_that_is_made_in_a_roundabout_way_goes_again(cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    main, module = ModuleType("__main__"), ModuleType("IPython.core.interactiveshell")
    names = namespace("import sys; name = 'made'\ndef tool(text): shell.push(text)", main=main)
    names["__main__"] = main
    monkeypatch.setitem(sys.modules, "__main__", main)

    class Shell:
        push = run_line_magic = lambda self, *args: exec("made = 1", names)

    Shell.__module__ = module.__name__
    Shell._instance = names["shell"] = Shell()  # type: ignore[attr-defined]  # as IPython's has it
    module.InteractiveShell = Shell  # type: ignore[attr-defined]  # as above
    monkeypatch.setitem(sys.modules, module.__name__, module)
    names["held"] = [names["shell"]]
    journal = run(names, f"if True:\n {cell}\n 1 / 0")
    assert names["made"] == 1
    journal.rollback(0)
    assert "made" not in names


def test_ignored_names_are_left_alone() -> None:
    names = namespace("Out = {}; items = []")
    run(names, "Out['1'] = items; items.append(1); In = 3\n1 / 0", ignored={"Out", "In"}).rollback(0)
    assert names["Out"] == {"1": []}
    assert names["In"] == 3


def test_the_names_that_python_itself_has_are_never_taken_away() -> None:
    names = namespace("import builtins; everywhere = vars(builtins); items = []")
    journal = run(names, "everywhere['reflex_example'] = 1; items.append(everywhere)\n1 / 0")
    journal.rollback(0)
    assert names["items"] == []
    assert len([None]) == 1
    names["everywhere"].pop("reflex_example", None)


def test_objects_that_are_keys_are_looked_at_as_well() -> None:
    names = namespace("class Key: pass", "key = Key(); key.x = 1; table, members = {key: 1}, {key}; del Key")
    assert run(names, "list(table)[0].x = 2\n1 / 0").rollback(0).exact
    assert run(names, "list(members)[0].y = 2\n1 / 0").rollback(0).exact
    assert vars(names["key"]) == {"x": 1}


def test_entries_that_weak_references_remove_by_themselves_are_left_to_them() -> None:
    class Node:
        pass

    node = Node()
    names = namespace(
        "import weakref",
        "parents = {}",
        "def register(key):\n  parents[key] = weakref.ref(weak(), lambda _: parents.pop(key))",
    )
    names["weak"] = weakref.ref(node)
    journal = run(names, "register(1)\nregister(1)\nregister(2)\nparents['x'] = 1\n1 / 0")
    assert journal.rollback(3).exact
    assert list(names["parents"]) == [1, 2]
    journal.clear()
    del node  # a reference that a copy kept alive would complain, and fail this test
    gc.collect()
    assert names["parents"] == {}


def test_what_is_not_as_it_was_although_it_was_put_back_is_named() -> None:
    broken = Kind("thing", "exact", lambda o, walk: None, lambda o, saved: False, lambda o, saved: None)
    raising = Kind("thing", "exact", lambda o, walk: None, lambda o, saved: False, lambda o, saved: 1 / 0)  # type: ignore[arg-type,return-value]  # it raises
    found = put_back([("a", (broken, object(), None)), ("b", (raising, object(), None))], 2)
    assert [(outcome.label, outcome.why) for outcome in found] == [
        ("a", "its thing could not be put back"),
        ("b", "ZeroDivisionError while putting it back"),
    ]


# ------------------------------------------------------------------------------------------ ambient


def test_random_state_environment_folder_path_and_filters_are_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFLEX_EXAMPLE", "before")
    with warnings.catch_warnings():
        names = namespace("import os, random, sys, warnings; random.seed(1); os.mkdir('inside')")
        path, filters = list(sys.path), list(warnings.filters)
        cell = (
            "first = random.random()\nos.environ['REFLEX_EXAMPLE'] = 'after'; os.environ['REFLEX_NEW'] = '1'\n"
            "os.chdir('inside')\nsys.path.append('x')\nwarnings.simplefilter('ignore')\n1 / 0"
        )
        journal = run(names, cell)
        first = names["first"]
        assert journal.rollback(0).exact
        assert names["random"].random() == first
        assert os.environ["REFLEX_EXAMPLE"] == "before"
        assert "REFLEX_NEW" not in os.environ
        assert Path.cwd() == tmp_path
        assert sys.path == path
        assert list(warnings.filters) == filters


def test_a_logger_is_put_back_with_its_handlers_and_with_what_it_lets_through() -> None:
    names = namespace(
        "import io, logging; log = logging.getLogger('example.put_back')",
        "log.setLevel(30); log.addHandler(logging.StreamHandler(io.StringIO()))",
    )
    cell = "log.setLevel(10); shown = log.isEnabledFor(10); log.handlers[0].setLevel(20)\n1 / 0"
    assert run(names, cell).rollback(0).exact
    assert not names["log"].isEnabledFor(10)
    assert names["log"].handlers[0].level == 0


def test_a_new_logger_of_a_library_stays_as_it_was_set_and_one_of_the_notebook_does_not() -> None:
    names = namespace("import logging")
    cell = "for name in ('json.put_back', '__main__.put_back'): logging.getLogger(name).setLevel(7)\n1 / 0"
    run(names, cell).rollback(0)
    levels = [names["logging"].getLogger(name).level for name in ("json.put_back", "__main__.put_back")]
    assert levels == [7, 0]


# ------------------------------------------------------------------------------------------ bounds


def test_a_name_beyond_the_nodes_is_named_and_left_and_the_others_are_put_back() -> None:
    names = namespace("many = [[place] for place in range(500)]; few = [1]")
    journal = run(
        names, "many[0].append(1); few.append(2)\n1 / 0", Bounds(nodes=100, milliseconds=60_000), foreseen=False
    )
    restoration = journal.rollback(0)
    assert restoration.except_names == ("many (more than 100 objects)",)
    assert names["few"] == [1]
    assert names["many"][0] == [0, 1]


def test_a_later_statement_of_the_cell_counts_only_what_is_new() -> None:
    names = namespace("many = [[place] for place in range(3000)]")
    journal = run(
        names, "many[0].append(1)\nmany[1].append(2)\n1 / 0", Bounds(nodes=4000, milliseconds=60_000), foreseen=False
    )
    assert journal.rollback(1).exact
    assert names["many"][:2] == [[0, 1], [1]]


def test_many_plain_values_are_no_nodes() -> None:
    names = namespace("many = list(range(5000)); table = dict.fromkeys(range(5000))")
    assert (
        run(names, "many.clear(); table.clear()\n1 / 0", Bounds(nodes=10, milliseconds=60_000), foreseen=False)
        .rollback(0)
        .exact
    )
    assert len(names["many"]) == len(names["table"]) == 5000


def test_a_name_beyond_the_bytes_is_named() -> None:
    names = namespace("small = bytearray(10); big = bytearray(10_000)")
    journal = run(names, "small[0] = big[0] = 1\n1 / 0", Bounds(bytes=2_000, milliseconds=60_000), foreseen=False)
    assert journal.rollback(0).except_names == ("big (more than 0 MB)",)
    assert names["small"][0] == 0
    assert names["big"][0] == 1


BEYOND = {
    "objects": ("[[place] for place in range(200)]", "[[place] for place in range(60)]", Bounds(100, 10**9, 60_000)),
    "bytes": ("[bytearray(1_500), bytearray(1_500)]", "[bytearray(1_500)]", Bounds(10_000, 2_000, 60_000)),
}


@pytest.mark.parametrize(("large", "fits", "bounds"), BEYOND.values(), ids=BEYOND)
def test_a_name_that_was_given_up_takes_nothing_from_the_statements_after_it(
    large: str, fits: str, bounds: Bounds
) -> None:
    names = namespace(f"large = {large}; fits = {fits}")
    journal = run(names, "large[0][0] = 7\nfits[0][0] = 7\n1 / 0", bounds, foreseen=False)
    restoration = journal.rollback(0)
    assert [name.split()[0] for name in restoration.except_names] == ["large"]
    assert (names["large"][0][0], names["fits"][0][0]) == (7, 0)


def test_what_many_foreseen_writes_copy_is_within_the_bytes() -> None:
    names = namespace("import numpy; x = numpy.zeros(1000)")
    cell = "\n".join(["x[:] = 1"] * 5) + "\n1 / 0"
    journal = run(names, cell, Bounds(bytes=20_000, milliseconds=60_000))
    assert 8_000 <= journal.held <= 20_000
    assert not journal.rollback(0).exact or names["x"].sum() == 0


def test_when_the_time_is_used_up_every_further_name_is_named() -> None:
    names = namespace("items = [[1], [2]]")
    restoration = run(names, "items.append(1)\n1 / 0", Bounds(milliseconds=0.0), foreseen=False).rollback(0)
    assert restoration.except_names == ("items (more than 0 ms)",)


def test_a_name_that_an_earlier_statement_covered_is_put_back_although_a_later_one_was_beyond_the_bounds() -> None:
    names = namespace("items = [1]; other = [[place] for place in range(200)]")
    cell = "items.append(2)\nitems += other\nitems.append(3)\n1 / 0"
    restoration = run(names, cell, Bounds(nodes=50, milliseconds=60_000), foreseen=False).rollback(0)
    assert restoration.except_names == ("other (more than 50 objects)",)
    assert names["items"] == [1]


def test_a_name_is_not_covered_by_what_was_noted_with_another_one_and_let_go_of() -> None:
    names = namespace("inner = [[1]]; whole = [inner]; big = [[place] for place in range(200)]")
    cell = "[whole, inner.append(big)]\ninner[0].append(2)\n1 / 0"
    restoration = run(names, cell, Bounds(nodes=20, milliseconds=60_000), foreseen=False).rollback(0)
    assert names["inner"] == [[1, 2]]
    assert "inner (more than 20 objects)" in restoration.except_names


# ------------------------------------------------------------------------------------------ letting go


@pytest.mark.parametrize(
    "value",
    [
        "{'mean': np.mean, 'n': len, 'kind': np.float64}",
        "[np.log1p, np.sqrt, math.sin]",
        "(dict, warnings.warn, math)",
        "('ignore', DeprecationWarning)",
    ],
)
def test_what_holds_but_functions_and_classes_of_libraries_is_kept(value: str) -> None:
    names = namespace("import math, warnings\nimport numpy as np", f"value = {value}")
    before = repr(names["value"])
    assert run(names, "value = [value]\nvalue = 3\n1 / 0", foreseen=False).rollback(0).exact
    assert repr(names["value"]) == before


@pytest.mark.parametrize("value", ["[f]", "(Thing,)", "{'module': types.ModuleType('m')}"])
def test_what_holds_some_of_the_users_is_not(value: str) -> None:
    names = namespace("import types\ndef f(): pass\nclass Thing: pass", f"value = {value}")
    restoration = run(names, "value = 3\n1 / 0", foreseen=False).rollback(0)
    assert restoration.except_names == ("value (its old value no longer exists)",)


def test_what_a_statement_has_ended_is_not_kept_alive() -> None:
    names = namespace("class Thing: pass", "thing = Thing(); box = [thing, {'k': Thing()}]")
    refs = [weakref.ref(names["thing"]), weakref.ref(names["box"][1]["k"]), weakref.ref(names["Thing"])]
    journal = run(names, "thing.x = 1; box.append(Thing)\ndel thing, box, Thing\n1 / 0")
    gc.collect()  # a class is held by itself
    assert [ref() for ref in refs] == [None, None, None]
    assert "thing (its old value no longer exists)" in journal.rollback(0).except_names


@pytest.mark.parametrize(
    ("change", "shows"),
    [
        ("logging.addLevelName(31, 'x')", "logging.getLevelName(31)"),
        ("Plain.grow = lambda self: 2", "Plain().grow()"),
        ("sys.modules['mine'] = sys", "'mine' in sys.modules"),
    ],
)
def test_what_a_statement_that_was_well_replaced_elsewhere_is_kept_and_put_back(change: str, shows: str) -> None:
    names = namespace("import logging, sys", "class Plain:\n  def grow(self): return 1")
    before = eval(shows, names)
    journal = run(names, f"{change}\n1 / 0")
    assert eval(shows, names) != before
    assert journal.rollback(0).exact
    assert eval(shows, names) == before


def test_nothing_is_kept_alive_after_clear() -> None:
    names = namespace("class Thing: pass", "thing = Thing(); box = [thing, {'k': Thing()}]")
    refs = [weakref.ref(names["thing"]), weakref.ref(names["box"][1]["k"]), weakref.ref(names["Thing"])]
    journal = run(names, "thing.x = 1; box.append(Thing); del thing, box, Thing; 1 / 0")
    journal.clear()
    gc.collect()
    assert [ref() for ref in refs] == [None, None, None]


def test_the_collector_is_as_it_was_after_noting() -> None:
    journal = Journal({"x": [1]})
    code = compile("x", "<cell>", "exec")
    gc.disable()
    try:
        journal.before(code)
        assert not gc.isenabled()
    finally:
        gc.enable()
    journal.before(code)
    assert gc.isenabled()
    journal.clear()


def test_of_two_notes_of_the_same_data_the_first_one_is_right() -> None:
    names = {"warnings": warnings, "os": os, "filters": warnings.filters, "environ": os.environ}
    filters, environ = list(warnings.filters), dict(os.environ)
    journal = Journal(names)
    for source in ("warnings.filterwarnings('ignore', 'once')\nos.environ['REFLEX_TEST'] = '1'", "globals()['x'] = 1"):
        code = compile(source, "<cell>", "exec")
        journal.before(code)
        exec(code, names)
    warnings.filterwarnings("ignore", "twice")
    os.environ["REFLEX_TEST"] = "2"
    assert journal.rollback(0).words == "state restored exactly"
    assert (list(warnings.filters), dict(os.environ)) == (filters, environ)


def test_what_was_noted_once_and_then_was_beyond_the_bounds_is_named() -> None:
    names = namespace("data = bytearray(5000); read = lambda: len(data); write = lambda: data.extend(b'1')")
    names["call"] = lambda function: function()
    bounds = Bounds(bytes=6_000, milliseconds=60_000)
    journal = run(names, "call(read)\ncall(write)\n1 / 0", bounds, foreseen=False)
    assert [name.partition(" ")[0] for name in journal.rollback(0).except_names] == ["data"]


def test_of_data_that_was_foreseen_first_and_then_noted_the_first_is_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REFLEX_TEST", "1")
    names = namespace("import os")
    journal = run(names, "os.environ['REFLEX_TEST'] = '2'\ndone = os.environ.update(REFLEX_TEST='3')\n1 / 0")
    assert journal.rollback(0).words == "state restored exactly"
    assert os.environ["REFLEX_TEST"] == "1"


def test_what_a_function_sets_on_an_object_is_named_by_what_the_object_is_called() -> None:
    names = namespace("class Box: pass\nbox = Box()")
    journal = run(names, "def sets(): box.x = 1\nsets()\n1 / 0")
    assert [label for label, _ in journal.aftermath.checkpoints[1].snapshots.labelled()] == ["box"]
    assert journal.rollback(0).exact
    assert vars(names["box"]) == {}


def test_a_module_made_by_hand_is_taken_out_of_sys_modules_though_a_failure_imports_others() -> None:
    names = namespace("import sys, types; mod = types.ModuleType('made_by_hand')")
    journal = run(names, "sys.modules['made_by_hand'] = mod\n1 / 0")
    journal.note_end()
    sys.modules.pop("colorsys", None)
    importlib.import_module("colorsys")
    assert journal.rollback(0).exact
    assert "made_by_hand" not in sys.modules


def test_filters_of_warnings_that_a_finished_statement_has_removed_are_put_back() -> None:
    with warnings.catch_warnings():
        warnings.filters[:] = [(*each,) for each in warnings.filters]  # the block holds those that were there
        before = repr(warnings.filters)
        cell = "warnings.simplefilter('ignore', UserWarning)\nwarnings.resetwarnings()\n1 / 0"
        assert run(namespace("import warnings"), cell).rollback(0).exact
        assert repr(warnings.filters) == before


def test_the_filter_of_warnings_that_a_thread_of_ours_needs_is_not_put_back_once_it_is_done() -> None:
    inside, done = threading.Event(), threading.Event()

    def parse() -> None:
        with unwarned():
            inside.set()
            done.wait(60)

    with warnings.catch_warnings():
        before = list(warnings.filters)
        thread = threading.Thread(target=parse)
        thread.start()
        inside.wait(60)
        journal = run(namespace("import warnings"), "warnings.simplefilter('ignore')\n1 / 0", foreseen=False)
        done.set()
        thread.join()
        assert journal.rollback(0).exact
        assert list(warnings.filters) == before


def test_the_trees_of_a_cell_that_has_ended_well_end_and_it_can_be_taken_back() -> None:
    names = namespace("kept = [1]; number = 1; some = {'a': 1}")
    journal = run(names, "number = 2\nkept.append(3)\nsome['b'] = 2\nnumber += 1\nother = sorted(kept)\npass")
    trees = journal.aftermath.nodes()
    assert trees is not None
    before = [sys.getrefcount(tree) for tree in trees]
    journal.ended_well()
    assert [sys.getrefcount(tree) for tree in trees] == [count - 1 for count in before]
    assert journal.rollback(0).exact
    assert (names["kept"], names["number"], names["some"]) == ([1], 1, {"a": 1})
    assert "other" not in names


def test_a_statement_of_which_nothing_could_be_noted_keeps_its_tree_which_alone_has_its_names() -> None:
    credit = Credit(0.0)
    credit.spend(1.0)
    journal = run(namespace("kept = [{1}]"), "other = sorted(map(str, kept))", credit=credit)
    trees = journal.aftermath.nodes()
    journal.ended_well()
    assert journal.aftermath.nodes() == trees


def test_a_journal_whose_cell_is_over_ends_as_nobody_holds_it_any_more() -> None:
    names = namespace("kept = {1}")
    journal = run(names, "import os\nos.listdir('.')\nother = sorted(kept)")
    ends = weakref.ref(journal._effects)
    gc.disable()
    try:
        del journal
        assert ends() is None
    finally:
        gc.enable()
