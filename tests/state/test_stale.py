"""Which earlier results were computed with the old code."""

from __future__ import annotations

import ast

import pytest

from reflex_ipython.state.stale import Stale, stale_results


def stale(*cells: str, changed: tuple[str, ...] = ("f",), since: int = 0) -> tuple[Stale, ...]:
    return stale_results([ast.parse(cell).body for cell in cells], changed, since)


def test_what_came_before_the_cell_was_computed_by_another_function_of_that_name() -> None:
    assert stale("def f(): pass", "a = f()", "def f(): pass", "b = f()", since=2) == (Stale(3, ("b",), False),)


def test_names_and_outputs_that_were_computed_with_it_are_stale() -> None:
    found = stale("def f(x): return x", "a = f(1)\nb = 2", "f(3)", "c = b")
    assert found == (Stale(1, ("a",), False), Stale(2, (), True))


def test_what_was_computed_from_something_stale_is_stale() -> None:
    assert stale("def f(): pass", "a = f()", "b = a + 1\nb", "c = 1") == (
        Stale(1, ("a",), False),
        Stale(2, ("b",), True),
    )


def test_functions_that_call_it_are_not_stale_but_what_they_computed_is() -> None:
    found = stale("def f(): pass", "def g(): return f()\nclass K:\n def m(self): return g()", "a = K().m()")
    assert found == (Stale(2, ("a",), False),)
    assert stale("def f(): pass", "async def g(): return await f()", "a = await g()") == (Stale(2, ("a",), False),)
    assert stale("def f(): pass", "a = f()", "def show(): return a") == (Stale(1, ("a",), False),)


def test_what_a_function_that_calls_it_has_inside_is_not_stale_elsewhere() -> None:
    assert stale("def f(): pass", "def g():\n part = f()\n return part", "part = 5", "b = part + 1") == ()


def test_a_cache_of_a_function_that_calls_it_is_stale() -> None:
    found = stale(
        "def f(): pass\n@cache\ndef other(): return 1",
        "@functools.lru_cache(maxsize=9)\ndef g(): return f()\n@log\ndef h(): return f()",
        "class K:\n @cached_property\n def m(self): return g()\n def n(self): return g()",
        "class L:\n @cached_property\n def m(self): return 1\n def n(self): return g()",
    )
    assert found == (Stale(1, (), False, ("g",)), Stale(2, (), False, ("K.m",)))


def test_the_cache_of_what_changed_is_emptied_and_so_not_stale() -> None:
    assert stale("@cache\ndef f(n): return f(n - 1)") == ()


def test_what_another_cell_has_defined_under_the_name_is_not_the_old_code() -> None:
    assert stale("def f(): pass", "def f(): return 5", "b = f()") == ()
    assert stale("def f(): pass", "a = f()", "def a(): pass", "b = a()") == ()


def test_a_name_that_got_a_fresh_value_is_not_stale() -> None:
    for fresh in ("a = 1", "b = a = 1", "import a", "from b import a", "import b as a"):
        assert stale("def f(): pass", "a = f()", fresh, "a") == ()


def test_objects_that_were_changed_with_it_are_stale() -> None:
    found = stale("def f(): pass", "d = {}; l = []; o = K()", "d['k'] = f()\nl.append(f())\no.x += f()")
    assert found == (Stale(2, ("d", "l", "o"), False),)
    assert stale("def f(): pass", "o.x.y = f()") == (Stale(1, ("o",), False),)


def test_a_stale_value_that_was_only_added_to_is_stale_of_the_later_cell() -> None:
    assert stale("def f(): pass", "a = f()", "a += 1") == (Stale(2, ("a",), False),)


def test_loops_and_blocks_count_as_a_whole() -> None:
    assert stale("def f(): pass", "for i in range(3):\n  t = f()\n") == (Stale(1, ("i", "t"), False),)


def test_another_name_of_it_is_not_stale_but_what_it_computes_is() -> None:
    assert stale("def f(): pass", "g = f\nh = g", "a = h()\nb = a") == (Stale(2, ("a", "b"), False),)
    assert stale("def f(): pass", "g = [f, 1]", "a = g[0]()") == (Stale(2, ("a",), False),)
    assert stale("def f(): pass", "g = [f, f(1)]") == (Stale(1, ("g",), False),)


def test_an_instance_was_not_computed_by_the_method_that_changed() -> None:
    cells = ("class K:\n def m(self): pass", "k = K()", "a = k.m()\nb = 1")
    assert stale(*cells, changed=("K.m",)) == (Stale(2, ("a",), False),)
    assert stale(*cells[:2], "m = k.m", "a = m()", changed=("K.m",)) == (Stale(3, ("a",), False),)
    assert stale(*cells, changed=("K", "K.m")) == (Stale(1, ("k",), False), Stale(2, ("a",), False))
    assert stale(*cells, changed=("K.__init__",)) == (Stale(1, ("k",), False), Stale(2, ("a",), False))


def test_a_bound_method_in_a_list_was_not_computed_but_what_a_property_gave_was() -> None:
    cells = ("class K:\n def m(self): pass\n @property\n def p(self): return self.m()", "k = K()")
    assert stale(*cells, "l = [k.m]; d = {'m': k.m}", "a = l[0]()", changed=("K.m",)) == (Stale(3, ("a",), False),)
    assert stale(*cells, "v = k.p; w = [k.p]", changed=("K.m",)) == (Stale(2, ("v", "w"), False),)


def test_an_instance_of_a_class_that_inherits_all_it_is_made_by_was_not_computed() -> None:
    cells = ("class K:\n def m(self): pass", "class S(K):\n def n(self): return self.m()", "s = S()", "a = s.n()")
    assert stale(*cells, changed=("K.m",)) == (Stale(3, ("a",), False),)
    made = ("class K:\n def m(self): pass", "class S(K):\n def __init__(self): self.m()", "s = S()")
    assert stale(*made, changed=("K.m",)) == (Stale(2, ("s",), False),)
    assert stale(*cells[:2], "s = S(S().n())", changed=("K.m",)) == (Stale(2, ("s",), False),)


HELD = {
    "a partial": "g = functools.partial(f, 2)",
    "a lambda": "g = lambda x: f(x)",
    "a lambda in a dict": "g = {'k': lambda x: f(x)}",
    "a map that was not drawn": "g = map(f, rows)",
    "a generator that was not drawn": "g = (f(row) for row in rows)",
    "a decorator of the notebook's": "def t(h):\n @wraps(h)\n def run(): return h()\n return run\ng = t(f)",
    "a default": "g: list = defaultdict(f)",
    "one that is appended": "g = []\ng.append(f)",
    "one in a dict": "g = {}\ng['k'] = f",
    "one of two": "g = f if x else None",
    "one that is shown": "f",
    "a partial that is shown": "partial(f, 2)",
    "whether it is the same": "g = h is f",
    "a thread that was not started": "g = Thread(target=f)",
    "one taken out of a dict": "d = {'k': f}\ng = d['k']",
}  # fmt: skip


@pytest.mark.parametrize("held", HELD.values(), ids=HELD)
def test_what_holds_the_function_was_not_computed_with_it(held: str) -> None:
    assert stale("def f(x): pass", held) == ()


RAN = {
    "a partial that is called": ("g = partial(f, 2)", "a = g()"),
    "a map that was drawn": ("g = map(f, rows)", "a = list(g)"),
    "a map that was drawn at once": ("a = list(map(f, rows))", ""),
    "a list": ("a = [f(row) for row in rows]", ""),
    "a partial of what it gives": ("a = partial(h, f(2))", ""),
    "a default of a lambda": ("a = lambda x=f(1): x", ""),
    "the first rows of a generator": ("a = (row for row in f(1))", ""),
    "a decorator that calls it": ("def at_once(function): return function()\na = at_once(f)", ""),
    "a function of another name that calls it": ("def partial(function): return function()\na = partial(f)", ""),
    "a method of that name": ("a = rows.map(f)", ""),
    "a pool": ("a = pool.map(f, rows)", ""),
    "a sorting": ("a = sorted(rows, key=f)", ""),
    "what is appended": ("a = []\na.append(f(1))", ""),
}


@pytest.mark.parametrize("cells", RAN.values(), ids=RAN)
def test_what_ran_the_function_was_computed_with_it(cells: tuple[str, str]) -> None:
    assert [name for found in stale("def f(x): pass", *cells) for name in found.names] == ["a"]


def test_an_object_is_not_of_the_old_constant_of_its_class_but_what_was_read_is() -> None:
    cells = ("class K:\n RATE = 1\n def m(self): return self.RATE", "k = K()", "a = k.RATE; b = k.m(); c = K.RATE")
    assert stale(*cells, changed=("K.RATE",)) == (Stale(2, ("a", "b", "c"), False),)


def test_an_object_that_was_made_with_the_old_constant_is_of_it() -> None:
    cells = ("class K:\n RATE = 1\n def __init__(self): self.x = self.RATE", "k = K()")
    assert stale(*cells, changed=("K.RATE",)) == (Stale(1, ("k",), False),)
