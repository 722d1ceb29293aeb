"""A tree that is built on a thread beside the user's: the same tree, and no harm to one that is being built there."""

from __future__ import annotations

import ast
import contextlib
import gc
import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.base import syntax_trees
from reflex_ipython.base.syntax_trees import expression, literal_value, syntax_tree

LONG = inspect.getsource(inspect)
only_there = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="only Python 3.11 counts in one place, and harms another thread's tree"
)


class Collections:
    """As ipykernel 6 does: calls Python code whenever garbage is collected."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    def noticed(self, phase: str, _: dict[str, Any]) -> None:
        self.threads.append(threading.get_ident())


@pytest.fixture
def collections() -> Iterator[Collections]:
    made = Collections()
    callback = made.noticed
    gc.callbacks.append(callback)
    yield made
    gc.callbacks.remove(callback)


@pytest.fixture
def collecting() -> Iterator[None]:
    was = gc.isenabled()
    yield
    (gc.enable if was else gc.disable)()


def beside(work: Callable[[], object]) -> Any:
    """What it gives, or raises, on a thread beside this one."""
    told: list[object] = []

    def tell() -> None:
        try:
            told.append(work())
        except Exception as error:  # noqa: BLE001 - it is what is asked for
            told.append(error)

    thread = threading.Thread(target=tell)
    thread.start()
    thread.join()
    return told[0]


@pytest.mark.parametrize("run", [beside, lambda work: work()], ids=["beside", "here"])
def test_it_is_the_tree_that_python_gives(run: Callable[[Callable[[], object]], Any]) -> None:
    whole = ast.dump(ast.parse(LONG), include_attributes=True)
    assert ast.dump(run(lambda: syntax_tree(LONG)), include_attributes=True) == whole
    assert ast.dump(run(lambda: expression("f(x)"))) == ast.dump(ast.parse("f(x)", mode="eval").body)
    assert run(lambda: literal_value(" [1, {'a': -2.5}]")) == [1, {"a": -2.5}]
    assert run(lambda: literal_value(ast.Constant(3))) == 3


@pytest.mark.usefixtures("collecting")
@pytest.mark.parametrize("collects", [True, False])
def test_whether_garbage_is_collected_stays_as_the_user_has_it(collects: bool) -> None:
    (gc.enable if collects else gc.disable)()
    assert isinstance(beside(lambda: syntax_tree("x")), ast.Module)
    assert gc.isenabled() is collects
    error = beside(lambda: syntax_tree("x =", "place"))
    assert isinstance(error, SyntaxError)
    assert error.filename == "place"
    assert gc.isenabled() is collects
    assert isinstance(beside(lambda: syntax_tree("\0")), (SyntaxError, ValueError))
    assert gc.isenabled() is collects


@only_there
def test_no_garbage_is_collected_amid_it(collections: Collections) -> None:
    thread = beside(lambda: (syntax_tree(LONG), threading.get_ident()))[1]
    assert collections.threads.count(thread) <= 6  # of hundreds, each of which calls twice: what comes once it is there


@only_there
def test_where_garbage_is_collected_after_the_look_it_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []

    def look() -> bool:
        looks.append(True)
        if len(looks) == 2:
            gc.collect(0)  # whoever does so may be amid a tree
        return False

    monkeypatch.setattr(syntax_trees, "_another_is_amid", look)
    callbacks = list(gc.callbacks)
    assert isinstance(beside(lambda: syntax_tree("x")), ast.Module)
    assert (len(looks), gc.callbacks) == (4, callbacks)


@pytest.mark.usefixtures("collections")
def test_trees_that_the_user_builds_meanwhile_come_to_no_harm() -> None:
    """On Python 3.11 about every third would fail."""
    end, built = threading.Event(), []

    def build() -> None:
        while not end.is_set():
            built.append(type(syntax_tree(LONG)))

    thread = threading.Thread(target=build)
    thread.start()
    try:
        for _ in range(60):
            ast.parse(LONG)
    finally:
        end.set()
        thread.join()
    assert set(built) == {ast.Module}


@pytest.mark.usefixtures("collections")
def test_two_threads_of_the_users_that_are_in_each_others_way_do_not_spoil_ours() -> None:
    end = threading.Event()

    def build() -> None:
        while not end.is_set():
            with contextlib.suppress(SystemError):
                ast.parse(LONG)

    threads = [threading.Thread(target=build) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert {type(syntax_tree(LONG)) for _ in range(10)} == {ast.Module}
    finally:
        end.set()
        for thread in threads:
            thread.join()


def test_all_of_ours_are_built_so() -> None:
    package = Path(reflex_ipython.__file__).parent
    written = ("ast.parse(", "ast.literal_eval(")
    modules = [
        path for path in package.rglob("*.py") if any(one in path.read_text(encoding="utf-8") for one in written)
    ]
    assert modules == [package / "base" / "syntax_trees.py"]
