"""Hot swap: living functions run the new code, whoever holds them; what can't be swapped is refused with the reason."""

from __future__ import annotations

import ast
import asyncio
import gc
from typing import Any

import pytest

from reflex_ipython.state.definitions import CompiledCell
from reflex_ipython.state.hotswap import Swap, hot_swap


@pytest.fixture(autouse=True)
def nothing_else_is_looked_through() -> None:
    """What was there before the test is no holder of its functions, and to look through all of it takes seconds."""
    gc.collect()
    gc.freeze()


def cell(source: str, name: str = "<cell 1>") -> CompiledCell:
    return CompiledCell(ast.parse(source), name)


def ran(source: str, more: str = "") -> dict[str, Any]:
    """The namespace after the cell ran statement by statement, as in IPython, and then some more code."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for statement in ast.parse(source).body:
        exec(compile(ast.Module([statement], []), "<cell 1>", "exec", dont_inherit=True), names)
    exec(more, names)
    return names


def swap(old: str, new: str) -> Swap:
    return hot_swap(cell(old), cell(new, "<cell 2>"))


WAYS = {
    "alias": ("def f(): return 1", "g = f", "g()"),
    "in a container": ("def f(): return 1", "g = {'k': [f]}", "g['k'][0]()"),
    "bound method": ("class A:\n def f(self): return 1", "a = A(); g = a.f", "g()"),
    "instance": ("class A:\n def f(self): return 1", "a = A()", "a.f()"),
    "inherited": ("class A:\n def f(self): return 1", "class B(A): pass\nb = B()", "b.f()"),
    "property": ("class A:\n @property\n def f(self): return 1", "a = A()", "a.f"),
    "static method": ("class A:\n @staticmethod\n def f(): return 1", "a = A()", "a.f()"),
    "class method": ("class A:\n @classmethod\n def f(cls): return 1", "a = A()", "a.f()"),
    "partial": ("def f(x): return 1", "import functools; g = functools.partial(f, 3)", "g()"),
    "closure": ("def make():\n n = 0\n def f():\n  return n + 1\n return f", "g = make(); make = None", "g()"),
    "decorated": (
        "import functools\ndef deco(f):\n @functools.wraps(f)\n def w(*a): return f(*a)\n return w\n"
        "@deco\ndef f(): return 1",
        "",
        "f()",
    ),
    "nested class": ("class A:\n class B:\n  def f(self): return 1", "b = A.B()", "b.f()"),
    "imported by another": ("def f(): return 1", "def g(): return f()", "g()"),
    "default argument": ("def f(): return 1", "def g(h=f): return h()", "g()"),
    "lambda": ("f = lambda: 1", "g = f", "g()"),
    "lambda with a type": ("f: object = lambda: 1", "g = [f]", "g[0]()"),
    "lambda in a dict": ("d = {'k': lambda: 1}", "g = d['k']", "g()"),
    "lambda in a list": ("d = [lambda: 1, lambda: 3]", "g = d[0]", "g()"),
    "lambda in a default": ("def f(h=lambda: 1): return h()", "g = f", "g()"),
    "lambda in a partial": ("import functools\nf = functools.partial(lambda: 1)", "g = f", "g()"),
    "lambda in a class": ("class A:\n f = staticmethod(lambda: 1)", "a = A()", "a.f()"),
    "lambda beside another": ("h = lambda: 3\nf = lambda: 1", "g = f", "g()"),
}


@pytest.mark.parametrize(("source", "more", "call"), WAYS.values(), ids=WAYS)
def test_whoever_holds_the_function_runs_the_new_code(source: str, more: str, call: str) -> None:
    names = ran(source, more)
    assert eval(call, names) == 1
    new = (
        source.replace("return n + 1", "return n + 2").replace("return 1", "return 2").replace("lambda: 1", "lambda: 2")
    )
    found = swap(source, new)
    assert eval(call, names) == 2
    assert len(found.swapped) in (1, 2)
    assert found.refused == ()


def test_coroutines_and_generators_are_swapped() -> None:
    old = "async def f(): return 1\ndef g():\n yield 1"
    names = ran(old)
    assert swap(old, "async def f(): return 2\ndef g():\n yield 2") == Swap(("f", "g"), (), ())
    assert asyncio.run(names["f"]()) == 2
    assert list(names["g"]()) == [2]


def test_a_cache_of_old_results_is_emptied() -> None:
    old = "import functools\n@functools.lru_cache\ndef f(): return 1"
    names = ran(old, "f()")
    swap(old, old.replace("1", "2"))
    assert names["f"]() == 2


def test_functions_that_did_not_change_are_not_reported_and_show_the_new_text_in_tracebacks() -> None:
    old, new = "def f(): return 1\ndef g(): return 1", "# a line\ndef f(): return 1\ndef g(): return 2"
    names = ran(old)
    assert swap(old, new).swapped == ("g",)
    assert names["f"].__code__.co_filename == "<cell 2>"
    assert names["f"].__code__.co_firstlineno == 2


def test_defaults_documentation_and_annotations_are_taken_over() -> None:
    old = "def f(a, b=[], *, c=1) -> int:\n 'old'\n return a, b, c"
    new = "def f(a, b=[], d=5, *, c=2, e='x') -> str:\n 'new'\n return a, b, c, d, e"
    names = ran(old, "f.__defaults__[0].append(7)")
    assert swap(old, new).swapped == ("f",)
    assert names["f"](1) == (1, [7], 2, 5, "x"), "an unchanged default keeps its living object"
    assert names["f"].__doc__ == "new"
    assert names["f"].__annotations__ == {"return": str}


def test_defaults_of_arguments_by_place_or_name_alone_are_taken_over() -> None:
    old = "def f(a, b=[], /, *, c=[], d): return a, b, c, d"
    new = "def f(a, b=[], /, *, c=[], d, e=1): return a, b, c, d, e"
    names = ran(old, "f.__defaults__[0].append(7); f.__kwdefaults__['c'].append(8)")
    assert swap(old, new).swapped == ("f",)
    assert names["f"](1, d=2) == (1, [7], [8], 2, 1)


def test_annotations_keep_their_values_and_new_ones_are_found_by_their_names() -> None:
    old = "class Own: pass\ndef f(a: [1], *b: 'int', **c: Own): pass"
    new = "class Own: pass\ndef f(a: [1], *b: 'str', d: Own, **c: int): pass"
    names = ran(old)
    kept = names["f"].__annotations__["a"]
    swap(old, new)
    assert names["f"].__annotations__ == {"a": [1], "b": "str", "d": names["Own"], "c": int}
    assert names["f"].__annotations__["a"] is kept


def test_documentation_that_somebody_else_gave_it_stays() -> None:
    names = ran("def f():\n 'old'", "f.__doc__ = 'mine'")
    swap("def f():\n 'old'", "def f():\n 'new'")
    assert names["f"].__doc__ == "mine"


REFUSED = {
    "free variables": (
        "def m():\n a = b = 1\n def f(): return a\n return f",
        "def m():\n a = b = 1\n def f(): return b\n return f",
        "f = m()",
        "m.<locals>.f",
        "closes over different variables (a, b)",
    ),
    "generator": ("def f(): return 1", "def f():\n yield 1", "", "f", "function and is now a generator"),
    "coroutine": ("def f(): return 1", "async def f(): return 1", "", "f", "function and is now a coroutine"),
    "removed": ("def f(): return 1", "def g(): return 1", "", "f", "it no longer exists"),
    "decorators": ("def f(): return 1", "@staticmethod\ndef f(): return 2", "", "f", "its decorators changed"),
    "computed default": (
        "def f(x=1): return 1",
        "def f(x=len('a')): return 1",
        "",
        "f",
        "the default of x must be computed",
    ),
    "several": ("def f(): return 1", "def f(): return 1\ndef f(): return 2", "", "f", "several with that name"),
}


@pytest.mark.parametrize(("old", "new", "more", "path", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_swapped_keeps_its_code_and_says_why(
    old: str, new: str, more: str, path: str, reason: str
) -> None:
    names = ran(old, more)
    before = names["f"].__code__
    found = swap(old, new)
    assert names["f"].__code__ is before
    assert dict(found.refused)[path].endswith(reason)
    if path == "f" and "no longer exists" not in reason:
        assert found.to_run != ()


def test_only_what_the_swap_did_not_do_remains_to_be_run() -> None:
    old = "x = 1\ndef f(): return 1\nclass A:\n def m(self): return 1\nclass B:\n k = 1"
    new = "x = 1\ndef f(): return 2\nclass A:\n def m(self): return 2\nclass B:\n k = 2\ny = 3\ndef h(): pass"
    names = ran(old, "a = A()")
    found = swap(old, new)
    assert (names["f"](), names["a"].m()) == (2, 2)
    assert found.swapped == ("f", "A.m")
    assert found.to_run == (3, 4, 5)


def test_a_class_inside_of_which_a_method_was_swapped_need_not_be_defined_anew() -> None:
    old = "class A:\n class B:\n  def f(self): return 1"
    names = ran(old)
    assert swap(old, old.replace("1", "2")) == Swap(("A.B.f",), (), ())
    assert names["A"].B().f() == 2


def test_functions_of_other_cells_with_the_same_name_are_left_alone() -> None:
    old = "def f(): return 1"
    names = ran(old)
    exec(compile(old, "<cell 3>", "exec"), names)
    assert swap(old, "def f(): return 2").swapped == ()
    assert names["f"]() == 1


@pytest.mark.parametrize(
    ("old", "new", "results"),
    [
        ("f, g = lambda a: 1, lambda a: a", "f, g = lambda a: 2, lambda a: a", (2, 5)),
        ("f, g = lambda a: a, lambda b: b", "f, g = lambda a: [a], lambda b: b", ([5], 5)),
        ("def f(a): return 1\ng = f\ndef f(a): return 2", "def f(a): return 1\ng = f\ndef f(a): return 3", (3, 1)),
    ],
)
def test_functions_of_one_name_each_get_their_own_code(old: str, new: str, results: tuple[Any, Any]) -> None:
    names = ran(old)
    swap(old, new)
    assert (names["f"](5), names["g"](5)) == results


def test_functions_that_nobody_can_tell_apart_are_left_to_be_defined_anew() -> None:
    old = "f, g = lambda: 1, lambda: 1"
    names = ran(old)
    found = swap(old, "f, g = lambda: 1, lambda: 2")
    if names["f"].__code__ is names["g"].__code__:  # Python 3.10, which knows no columns, and 3.12.1 make one of both
        assert (found.swapped, found.to_run) == ((), (0,))
        assert (names["f"](), names["g"]()) == (1, 1)
    else:
        assert found == Swap(("<lambda>",), (), ())
        assert (names["f"](), names["g"]()) == (1, 2)


KEPT = {name: WAYS[name] for name in WAYS if name.startswith("lambda")}


@pytest.mark.parametrize(("source", "more", "call"), KEPT.values(), ids=KEPT)
def test_a_lambda_stays_the_very_same_one_whoever_holds_it(source: str, more: str, call: str) -> None:
    ran(source, more)
    assert swap(source, source.replace("lambda: 1", "lambda: 2")).to_run == ()


def test_a_lambda_is_the_same_one_though_the_cell_has_got_another_one() -> None:
    old = "f = lambda: 1"
    names = ran(old, "alias = f")
    assert swap(old, "h = lambda: 3\nf = lambda: 2") == Swap(("f",), (), (0,))
    assert names["alias"] is names["f"]
    assert names["alias"]() == 2


@pytest.mark.parametrize(
    "old",
    [
        "f = lambda: 1\ng = sorted([3], key=lambda x: 1)",
        "f = lambda: 1\ng = (h := lambda: 1)()",
        "f = [lambda: 1, len('a')]",
    ],
)
def test_a_statement_that_computed_something_remains_to_be_run(old: str) -> None:
    names = ran(old, "kept = f")
    assert swap(old, old.replace(": 1", ": 2")).to_run == (len(ast.parse(old).body) - 1,)
    assert names["kept"] is names["f"]
