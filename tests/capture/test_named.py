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
