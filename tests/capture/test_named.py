"""What a text names, where no frame tells of it."""

from __future__ import annotations

from tests.capture.conftest import Notebook


def test_a_cell_that_does_not_parse_tells_of_the_values_that_it_names(notebook: Notebook) -> None:
    notebook.run("import math\nsales, unused = [1, 2], 3\ndef area(side): return side ** 2")
    failure = notebook.fail("for each in sales\n    print(math.pi, area(each), 'unused')  # unused")
    assert [(value.name, value.type) for value in failure.situation.values] == [("sales", "list"), ("area", "function")]


def test_where_frames_tell_of_the_values_they_are_not_told_twice(notebook: Notebook) -> None:
    notebook.run("sales = [1, 2]")
    failure = notebook.fail("sales[7]")
    assert failure.situation.values == ()
    assert [value.name for value in failure.error.frames[0].variables] == ["sales"]


def test_the_values_of_the_names_that_are_like_an_unknown_one_are_told(notebook: Notebook) -> None:
    notebook.run("import random\nscores = [88, 92]\nscore_of = {'Ada': 1}\nunlike = 3")
    failure = notebook.fail("print(scoers)")
    assert [(value.name, value.text) for value in failure.situation.values] == [
        ("scores", "list of 2: [88, 92]"),
        ("score_of", "dict of 1: {'Ada': 1}"),
    ]


def test_in_a_function_its_own_variables_are_among_them(notebook: Notebook) -> None:
    notebook.run("total = 'of another'\ndef mean(scores):\n    total = sum(scores)\n    return totl / len(scores)")
    failure = notebook.fail("mean([1, 2])")
    assert [(value.name, value.text) for value in failure.situation.values] == [("total", "3")]


def test_of_very_many_names_those_that_are_alike_are_told(notebook: Notebook) -> None:
    notebook.namespace |= {f"value_{number}": number for number in range(10_000)}
    notebook.run("scores = [88, 92]")
    failure = notebook.fail("print(scoers)")
    assert failure.lookup is not None
    assert failure.lookup.available[0] == "scores"
    assert [value.name for value in failure.situation.values] == ["scores"]


def test_the_latest_names_are_told_with_their_types_without_modules(notebook: Notebook) -> None:
    notebook.namespace |= {f"value_{number}": number for number in range(100)}
    notebook.run("import math\nclass Engine: pass\nengine = Engine()\ndef area(side): pass")
    types = notebook.fail("engine.start()").situation.types
    assert list(types.items())[-3:] == [("Engine", "type"), ("engine", "Engine"), ("area", "function")]
    assert "math" not in types
    assert len(types) == 40
