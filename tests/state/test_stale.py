"""Which earlier results were computed with the old code."""

from __future__ import annotations

import ast

from reflex_ipython.state.stale import Stale, stale_results


def stale(*cells: str, changed: tuple[str, ...] = ("f",)) -> tuple[Stale, ...]:
    return stale_results([ast.parse(cell).body for cell in cells], changed)


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


def test_a_cache_of_a_function_that_calls_it_is_stale() -> None:
    found = stale(
        "def f(): pass\n@cache\ndef other(): return 1",
        "@functools.lru_cache(maxsize=9)\ndef g(): return f()\n@log\ndef h(): return f()",
        "class K:\n @cached_property\n def m(self): return g()\n def n(self): return g()",
    )
    assert found == (Stale(1, (), False, ("g",)), Stale(2, (), False, ("K.m",)))


def test_the_cache_of_what_changed_is_emptied_and_so_not_stale() -> None:
    assert stale("@cache\ndef f(n): return f(n - 1)") == ()


def test_a_name_that_got_a_fresh_value_is_not_stale() -> None:
    assert stale("def f(): pass", "a = f()", "a = 1", "a") == ()


def test_objects_that_were_changed_with_it_are_stale() -> None:
    found = stale("def f(): pass", "d = {}; l = []; o = K()", "d['k'] = f()\nl.append(f())\no.x += f()")
    assert found == (Stale(2, ("d", "l", "o"), False),)


def test_loops_and_blocks_count_as_a_whole() -> None:
    assert stale("def f(): pass", "for i in range(3):\n  t = f()\n") == (Stale(1, ("i", "t"), False),)


def test_another_name_of_it_is_not_stale_but_what_it_computes_is() -> None:
    assert stale("def f(): pass", "g = f\nh = g", "a = h()\nb = a") == (Stale(2, ("a", "b"), False),)


def test_an_instance_was_not_computed_by_the_method_that_changed() -> None:
    cells = ("class K:\n def m(self): pass", "k = K()", "a = k.m()\nb = 1")
    assert stale(*cells, changed=("K.m",)) == (Stale(2, ("a",), False),)
    assert stale(*cells, changed=("K.__init__",)) == (Stale(1, ("k",), False), Stale(2, ("a",), False))
