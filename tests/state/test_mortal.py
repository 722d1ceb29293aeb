"""Inside a statement that is noted as a whole, what somebody sees end ends when it would have ended."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.state.weak import ends_inside
from tests.state.cells import namespace, run

ENDS = {
    "__del__": "class Part:\n  def __init__(self, n): self.n = n\n  def __del__(self): told.append(self.n)",
    "a finalizer": (
        "import weakref\nclass Part:\n  def __init__(self, n): self.end = weakref.finalize(self, told.append, n)"
    ),
    "a weak reference": (
        "import weakref\nrefs = []\nclass Part:\n"
        "  def __init__(self, n): refs.append(weakref.ref(self, lambda ref: told.append(n)))"
    ),
}


@pytest.mark.parametrize("ends", ENDS.values(), ids=ENDS.keys())
@pytest.mark.parametrize("made", ["Part({})", "type('Own', (Part,), {{}})({})"])
def test_a_loop_that_replaces_objects_sees_them_end_one_by_one(ends: str, made: str) -> None:
    names = namespace("told = []", ends, f"part = {made.format(0)}")
    cell = f"for n in (1, 2):\n  part = {made.format('n')}\n  told.append(-n)\nx = 1"
    journal = run(names, cell, foreseen=False)
    assert names["told"] == [0, -1, 1, -2]
    restored = journal.rollback(0)
    assert "part" in restored.words, "its old value no longer exists"


HOLDERS = {
    "a list": ("[Part({})]", "box[:] = [Part(n)]"),
    "a deque": ("collections.deque([Part({})])", "box.pop(); box.append(Part(n))"),
    "a dict": ("{{'part': Part({})}}", "box['part'] = Part(n)"),
    "an object": ("types.SimpleNamespace(part=Part({}))", "box.part = Part(n)"),
    "a slot": ("type('Slot', (), {{'__slots__': ('part',)}})(); box.part = Part({})", "box.part = Part(n)"),
    "a name bound to a list": ("[Part({})]", "box = [Part(n)]"),
    "a name bound to a dict": ("{{'part': Part({})}}", "box = {'part': Part(n)}"),
    "a list in a list": ("[[Part({})]]", "box = [[Part(n)]]"),
    "a list in a dict": ("{{'part': [Part({})]}}", "box = {'part': [Part(n)]}"),
    "a tuple in a dict in a dict": ("{{'a': {{'b': (Part({}),)}}}}", "box = {'a': {'b': (Part(n),)}}"),
    "an ordered dict": ("collections.OrderedDict(part=Part({}))", "box['part'] = Part(n)"),
    "a default dict that stays": ("collections.defaultdict(list, part=Part({}))", "box['part'] = Part(n)"),
    "a set": ("{{Part({})}}", "box.pop(); box.add(Part(n))"),
    "a default dict": (
        "collections.defaultdict(list, a=[Part({})])",
        "box = collections.defaultdict(list, a=[Part(n)])",
    ),
    "a list in a list that is read as well": ("[[Part({})]]", "len(box[0]); box = [[Part(n)]]"),
    "a name that is read as well": ("[Part({})]", "box = [Part(n)]; len(box)"),
}
PAUSED = """
def Part(n):
  def made():
    try:
      yield n
    finally:
      told.append(n)
  it = made()
  next(it)
  return it
"""


@pytest.mark.parametrize("ends", [*ENDS.values(), PAUSED], ids=[*ENDS, "a generator"])
@pytest.mark.parametrize(("holder", "replaces"), HOLDERS.values(), ids=HOLDERS.keys())
def test_so_do_objects_that_hang_on_something(ends: str, holder: str, replaces: str) -> None:
    names = namespace("import collections, types; told = []", ends, f"box = {holder.format(0)}")
    journal = run(names, f"for n in (1, 2):\n  {replaces}\n  told.append(-n)\nx = 1", foreseen=False)
    assert names["told"] == [0, -1, 1, -2]
    assert "box" in journal.rollback(0).words, "its old value no longer exists"


@pytest.mark.parametrize(
    ("holder", "replaces"),
    [
        HOLDERS[name]
        for name in (
            "a list",
            "a deque",
            "a dict",
            "an object",
            "an ordered dict",
            "a default dict that stays",
            "a set",
        )
    ],
)
def test_what_has_not_ended_is_put_back_where_it_hung(holder: str, replaces: str) -> None:
    names = namespace("import collections, types; told, n = [], 1", ENDS["__del__"], "part = Part(0)")
    exec("box = " + holder.replace("Part({})", "part").format(), names)
    journal = run(names, f"if n:\n  {replaces}\n  1 / 0", foreseen=False)
    assert eval(_PART, names) is not names["part"]
    assert journal.rollback(0).words == "state restored exactly"
    assert eval(_PART, names) is names["part"]


NESTED = {
    "an item": "box['a'][0].append(1)",
    "one behind": "box['a'][1].clear()",
}


@pytest.mark.parametrize("change", NESTED.values(), ids=NESTED)
def test_what_is_nested_is_put_back_as_long_as_nothing_of_it_has_ended(change: str) -> None:
    names = namespace("told = []", ENDS["__del__"], "part = Part(0); box = {'a': [[part], [2, 3]]}; kept = box['a']")
    journal = run(names, f"if box:\n  {change}\n  if not told: 1 / 0\n  box = 5", foreseen=False)
    assert journal.rollback(0).exact
    assert names["box"] == {"a": [[names["part"]], [2, 3]]}
    assert names["box"]["a"] is names["kept"]


_PART = "box.part if hasattr(box, 'part') else box['part'] if isinstance(box, dict) else [*box][0]"


@pytest.mark.parametrize(
    "resize",
    ["a.resize(2)", "exec('a.resize(2)')", "a.resize(2, refcheck=False)", "exec('a.resize(2, refcheck=False)')"],
)
def test_an_array_that_is_noted_already_can_be_resized_by_a_statement_that_may_bind_any_name(resize: str) -> None:
    names = namespace("import numpy; a = numpy.arange(4.)")
    journal = run(names, f"a[0] = 9\n{resize}\n1 / 0")
    assert names["a"].tolist() == [9, 1]
    assert journal.rollback(1).words == "state restored exactly"
    assert names["a"].tolist() == [9, 1, 2, 3]


@pytest.mark.parametrize("ends", ENDS.values(), ids=ENDS.keys())
def test_so_does_a_statement_that_may_bind_any_name(ends: str) -> None:
    names = namespace("told = []", ends, "part = Part(0)")
    journal = run(names, "for n in (1, 2):\n  exec(f'part = Part({n})', globals())\n  told.append(-n)")
    assert names["told"] == [0, -1, 1, -2]
    assert "part" in journal.rollback(0).words, "its old value no longer exists"


COUNTING = {
    "a list": ("told = []", "told.append(1)", "told"),
    "a number": ("told = 0", "global told; told += 1", "told"),
    "its class": ("", "Part.told = 1", "hasattr(Part, 'told')"),
    "another object": ("class Box: pass\ntold = Box()", "told.ended = True", "vars(told)"),
}


@pytest.mark.parametrize(("setup", "end", "shows"), COUNTING.values(), ids=COUNTING.keys())
@pytest.mark.parametrize("cell", ["part = Part()", "kept.append(Part())", "part = [Part()]; kept.append(Part())"])
def test_what_a_failed_run_has_made_ends_on_the_way_back_and_leaves_no_trace(
    setup: str, end: str, shows: str, cell: str
) -> None:
    names = namespace(setup, f"class Part:\n  def __del__(self): {end}", "kept = []")
    before = repr(eval(shows, names))
    journal = run(names, f"{cell}\nx = 1\n1 / 0")
    assert journal.rollback(0).words == "state restored exactly"
    assert repr(eval(shows, names)) == before
    assert names["kept"] == []


def test_neither_does_what_it_knows_by_its_attributes() -> None:
    part = "class Part:\n  def __init__(self, told): self.told = told\n  def __del__(self): self.told.append(1)"
    names = namespace("told = []", part)
    assert run(names, "part = Part(told)\nx = 1\n1 / 0").rollback(0).words == "state restored exactly"
    assert names["told"] == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it is nobody's to close
def test_a_file_in_a_list_that_a_loop_replaces_is_written_out_at_once(tmp_path: Path) -> None:
    names = namespace("import pathlib", f"path = pathlib.Path({str(tmp_path / 'a.txt')!r})", "files = [path.open('w')]")
    names["files"][0].write("all")
    run(names, f"if True:\n  files = [open({os.devnull!r})]; seen = path.read_text(); len(files)", foreseen=False)
    assert names["seen"] == "all"
    names["files"][0].close()


@pytest.mark.parametrize("many", [list, tuple, set, lambda items: dict.fromkeys(items, 0)])
def test_what_has_many_items_is_not_gone_through_wherever_it_is(many: Callable[[range], Any]) -> None:
    class Part:
        def __del__(self) -> None:
            pass

    few, large = Part(), many(range(2_000))
    assert ends_inside({"few": [few], "large": large}) == [few]
    assert ends_inside({"large": [large, [*range(2_000), few]]}) == []
