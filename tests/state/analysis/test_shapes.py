"""Statements of the same bytecode are taken for what their like is, and for no more than that."""

from __future__ import annotations

import ast
import sys
from types import CodeType
from typing import Any

import pytest

from reflex_ipython.state.analysis.shapes import Shape, Shapes
from reflex_ipython.state.journal import Journal
from tests.state.analysis.test_quick import SETUP

LIKE = {
    "nothing": ("pass", "pass"),
    "a constant": ("y = 1", "new = 'a'"),
    "a sum": ("y = i + 1", "text = x + 2"),
    "another name": ("y = i", "y = loud"),
    "a text": ("y = f'{i} {x!r}'", "text = f'{x} {i!r}'"),
    "a call": ("y = str(i)", "i = len(words)"),
    "a length": ("y = len(words)", "x = abs(i)"),
    "a tuple": ("y = (i, x)", "i = (loud, words)"),
    "a dict": ("y = {'a': i, 'b': x}", "text = {1: loud, 2: words}"),
    "in place": ("i += 1", "x += 2.5"),
    "an append": ("words.append(i)", "words.append(loud)"),
    "what is printed": ("print(i)", "print(text)"),
    "several that are printed": ("print(i, f'{x}')", "print(x, f'{i}')"),
    "an item": ("words[0] = i", "words[-1] = loud"),
    "an entry": ("d['a'] = i", "d['new'] = x"),
    "a key that is calculated": ("words[i % 2] = x", "d[i % 3] = x"),
    "a value": ("i", "text"),
    "an attribute of an array": ("X.shape", "X.dtype"),
    "a part of an array": ("X[0]", "X[-1]"),
    "a slice of an array": ("X[:i]", "X[:i]"),
    "a part of an array that is bound": ("y = X[0]", "x = X[-1]"),
    "an attribute of an attribute": ("X.T.shape", "X.T.nbytes"),
}
OTHERS = {
    "another method": ("words.append(i)", "words.remove(loud)"),
    "another method that is called": ("words.append(i)", "words.extend(own_list)"),
    "another attribute": ("X.shape", "loud.shape"),
    "another array's attribute": ("X.shape", "own_array.shape"),
    "an attribute of an array that is asked for its contents": ("X.shape", "X.base"),
    "a part of another array": ("X[0]", "own_array[0]"),
    "a part of an array of objects": ("X[0]", "objects[0]"),
    "a part of another": ("X[0]", "loud[0]"),
    "a part by another": ("X[i]", "X[loud]"),
    "a slice by another": ("X[:i]", "X[:loud]"),
    "another list": ("words.append(i)", "own_list.append(i)"),
    "another dict": ("d['a'] = i", "own_dict['a'] = i"),
    "a dict of other keys": ("d['a'] = i", "by_loud['a'] = i"),
    "another key": ("d[i] = x", "d[loud] = x"),
    "another sum": ("y = i + 1", "y = loud + 1"),
    "another number": ("y = i + 1", "y = own + 1"),
    "another class": ("y = i + 1", "y = of_meta + 1"),
    "what is printed of another": ("print(i)", "print(loud)"),
    "a call that looks like printing": ("print(i)", "OwnList(i)"),
    "another length": ("y = len(words)", "y = len(loud)"),
    "a function of another": ("y = len(words)", "y = str(words)"),
    "another function": ("y = str(i)", "y = str(loud)"),
    "a function of the user's": ("y = str(i)", "y = OwnList(i)"),
    "a text of another": ("y = f'{i}'", "y = f'{loud}'"),
    "what goes has the last word": ("y = 1", "loud = 1"),
    "what goes holds such a one": ("y = 1", "holds = 1"),
    "a value that is shown": ("i", "loud"),
    "keys of another": ("y = {i: 1}", "y = {loud: 1}"),
}


def _namespace() -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(SETUP + "objects = np.empty(2, dtype=object)\nkept.clear()", namespace)
    return namespace


def _picture(namespace: dict[str, Any]) -> dict[str, Any]:
    return {name: (id(o), list(o) if type(o) is list or type(o) is dict else "") for name, o in namespace.items()}


def _compiled(source: str, mode: str = "exec") -> tuple[CodeType, ast.stmt]:
    node = ast.parse(source).body[0]
    tree = ast.Module([node], []) if mode == "exec" else ast.Interactive([node])
    return compile(tree, "<cell>", mode), node


def _journal(namespace: dict[str, Any], source: str) -> Journal:
    """That of a cell in which this was the only statement so far, often enough for its shape to be known."""
    shapes = Shapes()
    code, node = _compiled(source)
    for _ in range(9):
        shapes.meet(code, node)
    journal = Journal(namespace, shapes=shapes)
    journal.before(*_compiled("words.append(0)"))
    journal.before(*_compiled("d['a'] = 0"))
    return journal


@pytest.mark.parametrize(("known", "source"), LIKE.values(), ids=LIKE)
def test_a_statement_like_one_that_is_known_is_noted_at_once_and_undone(known: str, source: str) -> None:
    for each in (known, source):
        namespace = _namespace()
        journal = _journal(namespace, known)
        before = _picture(namespace)
        code, node = _compiled(each)
        if code.co_code != _compiled(known)[0].co_code:
            pytest.fail("it is of another shape")
        assert journal.next(code, node), each
        exec(code, namespace)
        assert journal.rollback(2).exact
        assert namespace["kept"] == []
        assert _picture(namespace) == before


@pytest.mark.parametrize(("known", "source"), OTHERS.values(), ids=OTHERS)
def test_what_may_do_more_than_its_like_takes_another_look(known: str, source: str) -> None:
    namespace = _namespace()
    journal = _journal(namespace, known)
    code, node = _compiled(source)
    assert code.co_code == _compiled(known)[0].co_code
    assert not journal.next(code, node)
    assert namespace["kept"] == []
    assert len(journal) == 2


@pytest.mark.parametrize("name", ["len", "str"])
def test_a_function_that_somebody_put_in_the_place_of_another_is_not_taken_for_it(name: str) -> None:
    namespace = _namespace()
    journal = _journal(namespace, f"y = {name}(text)")
    code, node = _compiled(f"y = {name}(text)")
    assert journal.next(code, node)
    namespace[name] = namespace["loud"]
    assert not journal.next(code, node)
    del namespace[name]
    namespace["__builtins__"] = {name: namespace["loud"]}
    assert not journal.next(code, node)


def test_what_is_printed_by_another_or_into_another_takes_another_look(monkeypatch: pytest.MonkeyPatch) -> None:
    namespace = _namespace()
    journal = _journal(namespace, "print(i)")
    printed = _compiled("print(i)")

    class Theirs:
        def write(self, text: str) -> None:
            """Do anything."""

    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Theirs())
        assert not journal.next(*printed)
    namespace["print"] = namespace["loud"]
    assert not journal.next(*printed)


def test_behind_a_statement_that_prints_somebody_is_told_before_the_next_one_is_noted() -> None:
    namespace = _namespace()
    shapes, told = Shapes(), []
    for _ in range(4):
        shapes.meet(*_compiled("print(i)"))
        shapes.meet(*_compiled("y = 1"))
    journal = Journal(namespace, shapes=shapes, printed=told.append)
    assert journal.before(*_compiled("print(i)")) == 0
    assert not journal.is_short
    assert journal.prints
    assert journal.next(*_compiled("print(i)"))
    assert told == [1]
    assert journal.next(*_compiled("y = 1"))
    assert told == [1, 2]
    assert journal.is_short
    assert journal.next(*_compiled("y = 1"))
    assert told == [1, 2]


def test_behind_a_full_checkpoint_nobody_takes_the_last_one_for_one_that_prints() -> None:
    journal = _journal(_namespace(), "print(i)")
    assert journal.next(*_compiled("print(i)"))
    assert journal.prints
    journal.before(*_compiled("loud.any()"))
    assert not journal.prints
    assert not journal.next(*_compiled("print(i)"))


def test_what_prints_and_is_shown_waits_for_what_is_shown() -> None:
    shapes = Shapes()
    for _ in range(4):
        shapes.meet(*_compiled("print(i)", "single"))
        shapes.meet(*_compiled("y = 1"))
    journal = Journal(_namespace(), shapes=shapes)
    journal.before(*_compiled("print(i)", "single"))
    assert not journal.prints
    assert not journal.next(*_compiled("y = 1"))


@pytest.mark.parametrize(
    "source",
    ["print(i, end='')", "y = ~i", "y = z = 1", "y = i if x else 2", "y = str(i, x=1)", "y = [*t]"],
)
def test_what_is_not_as_simple_has_no_shape(source: str) -> None:
    with pytest.raises(LookupError):
        Shape(*_compiled(source))


def test_behind_a_statement_that_shows_something_the_next_one_waits_for_what_was_shown() -> None:
    namespace = _namespace()
    shapes = Shapes()
    shown = _compiled("i", "single")
    quiet = _compiled("y = 1")
    for _ in range(9):
        shapes.meet(*shown)
        shapes.meet(*quiet)
    journal = Journal(namespace, shapes=shapes)
    journal.before(*quiet)
    assert journal.next(*quiet)
    assert journal.next(*shown)
    assert not journal.next(*quiet)


def test_behind_a_full_checkpoint_the_next_statement_waits_for_its_end() -> None:
    namespace = _namespace()
    journal = _journal(namespace, "y = 1")
    journal.before(*_compiled("loud.any()"))
    assert not journal.next(*_compiled("y = 1"))


def test_a_shape_is_worked_out_once_its_like_was_met_often_and_not_all_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reflex_ipython.state.analysis.shapes._MOST", 3)
    shapes = Shapes()
    code, node = _compiled("y = 1")
    shapes.meet(code, node)
    assert code.co_code not in shapes.known
    for _ in range(3):
        shapes.meet(code, node)
    assert isinstance(shapes.known[code.co_code], Shape)
    for source in ("y = i + 1", "y = i - 1", "y = i * 1", "y = i / 1"):
        shapes.meet(*_compiled(source))
    assert len(shapes.known) <= 3


def test_an_item_with_an_annotation_is_the_same_code_and_takes_another_look() -> None:
    namespace = _namespace()
    journal = _journal(namespace, "d['a'] = i")
    node = ast.parse("d['a']: int = i").body[0]
    tree = ast.parse("from __future__ import annotations")
    code = compile(ast.Module([node], []), "<cell>", "exec", compile(tree, "", "exec").co_flags & 0x1000000)
    assert not journal.next(code, node)


def test_the_first_statement_of_a_cell_has_a_shape_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = _journal(_namespace(), "y = 1")
    journal.clear()
    monkeypatch.setattr(journal._noting, "brief", pytest.fail)
    assert journal.before(*_compiled("y = 1")) == 0
    assert journal.is_short


def test_a_list_that_was_appended_to_is_known_in_the_next_cells() -> None:
    journal = _journal(_namespace(), "words.append(i)")
    journal.clear()
    journal.before(*_compiled("y = 1"))
    assert journal.next(*_compiled("words.append(i)"))


def test_a_result_that_was_appended_to_may_be_another_in_the_next_cell() -> None:
    namespace = _namespace()
    shapes, (code, node) = Shapes(), _compiled("_.append(i)")
    for _ in range(9):
        shapes.meet(code, node)
    journal = Journal(namespace, ignored={"_"}, results=lambda name: {name: namespace[name]}, shapes=shapes)
    namespace["_"] = namespace["words"]
    journal.before(code, node)
    journal.clear()
    journal.before(*_compiled("y = 1"))
    assert not journal.next(code, node)
