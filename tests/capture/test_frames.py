from __future__ import annotations

import json
import sys
import types
from typing import Any

import pytest

from reflex_ipython.capture import statement
from reflex_ipython.models import Failure, from_json, to_json
from tests.capture.conftest import Notebook, variable

needs_groups = pytest.mark.skipif(sys.version_info < (3, 11), reason="exception groups came with Python 3.11")


def relations(failure: Failure) -> list[tuple[str, str]]:
    return [(one.ename, one.relation) for one in failure.exceptions]


def test_a_cause_and_a_context_follow_the_exception_that_was_raised(notebook: Notebook) -> None:
    failure = notebook.fail(
        "try:\n"
        "    try:\n        1 / 0\n"
        "    except ZeroDivisionError:\n        int('x')\n"
        "except ValueError as error:\n    raise KeyError('k') from error"
    )

    assert relations(failure) == [("KeyError", "raised"), ("ValueError", "cause"), ("ZeroDivisionError", "context")]
    assert failure.lineno == 7
    assert failure.exceptions[2].frames[-1].lineno == 3


def test_a_suppressed_context_is_left_out(notebook: Notebook) -> None:
    failure = notebook.fail("try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise KeyError('k') from None")

    assert relations(failure) == [("KeyError", "raised")]


def test_a_chain_that_bites_its_tail_ends(notebook: Notebook) -> None:
    failure = notebook.fail("a, b = ValueError('a'), ValueError('b')\na.__cause__, b.__cause__ = b, a\nraise a")

    assert relations(failure) == [("ValueError", "raised"), ("ValueError", "cause")]


def test_a_long_chain_is_cut(notebook: Notebook) -> None:
    failure = notebook.fail(
        "def nest(depth):\n"
        "    try:\n        nest(depth - 1) if depth else 1 / 0\n"
        "    except Exception as error:\n        raise ValueError(depth) from error\nnest(50)"
    )

    assert len(failure.exceptions) == 8


@needs_groups
def test_the_members_of_a_group_follow_it(notebook: Notebook) -> None:
    failure = notebook.fail(
        "raise ExceptionGroup('several', [ValueError(1), ExceptionGroup('inner', [TypeError(2)])]) from KeyError(3)"
    )

    assert relations(failure) == [
        ("ExceptionGroup", "raised"),
        ("ValueError", "member"),
        ("ExceptionGroup", "member"),
        ("TypeError", "member"),
        ("KeyError", "cause"),
    ]
    assert failure.title == "ExceptionGroup: several (2 sub-exceptions)"


@needs_groups
def test_a_large_group_is_cut(notebook: Notebook) -> None:
    assert len(notebook.fail("raise ExceptionGroup('g', [ValueError(i) for i in range(1000)])").exceptions) == 8


@pytest.mark.skipif(sys.version_info < (3, 11), reason="`add_note` came with Python 3.11")
def test_notes_are_told(notebook: Notebook) -> None:
    failure = notebook.fail("error = ValueError('x')\nerror.add_note('while reading')\nraise error")

    assert failure.error.notes == ("while reading",)


def test_a_long_recursion_is_shortened_and_says_so(notebook: Notebook) -> None:
    failure = notebook.fail("def down(n):\n    return down(n + 1)\ndown(0)")

    frames = failure.error.frames
    assert failure.error.ename == "RecursionError"
    assert len(frames) < 10
    assert frames[0].function == "<module>"
    assert sum(frame.skipped for frame in frames) + len(frames) > 500
    assert from_json(Failure, json.loads(json.dumps(to_json(failure)))) == failure


def test_a_recursion_through_many_lines_is_shortened_too(notebook: Notebook) -> None:
    functions = "\n".join(f"def f{i}(n):\n    return f{(i + 1) % 40}(n + 1)" for i in range(40))

    failure = notebook.fail(f"{functions}\nf0(0)")

    assert len(failure.error.frames) == 30
    assert sum(frame.skipped for frame in failure.error.frames) > 500


def test_the_notebooks_machinery_is_left_out(notebook: Notebook) -> None:
    machinery = types.ModuleType("IPython.core.magic")
    exec("def call(function):\n    return function()", machinery.__dict__)
    notebook.namespace["call"] = machinery.call

    failure = notebook.fail("def mine():\n    return 1 / 0\ncall(mine)")

    assert [frame.function for frame in failure.error.frames] == ["<module>", "mine"]


def test_variables_are_those_of_the_failing_statement_and_of_the_loops_around(notebook: Notebook) -> None:
    notebook.run("a = 1; b = 2; unused = 3; import math")

    failure = notebook.fail(
        "def work(rows):\n"
        "    local = rows\n"
        "    for row in rows:\n"
        "        other = (row +\n"
        "                 a / (b - 2))\n"
        "    return other, unused\n"
        "work([1])"
    )

    assert [one.name for one in failure.error.frames[-1].variables] == ["row", "a", "b", "rows"]
    assert failure.error.frames[-1].lineno in (4, 5)


def test_of_a_loop_that_fails_in_its_first_line_only_that_line_counts(notebook: Notebook) -> None:
    failure = notebook.fail("inside = 5\nnumber = 3\nfor item in number:\n    print(inside)")

    assert [one.name for one in failure.error.frames[-1].variables] == ["number"]


def test_a_builtin_is_no_variable_unless_the_user_replaced_it(notebook: Notebook) -> None:
    assert [one.name for one in notebook.fail("len(3)").error.frames[-1].variables] == []
    assert [one.name for one in notebook.fail("len = 3; len(3)").error.frames[-1].variables] == ["len"]


def test_a_frame_in_a_library_shows_little_and_a_file_of_the_users_much(notebook: Notebook, tmp_path: Any) -> None:
    (tmp_path / "mine_reflex.py").write_text(
        "import json\n\n\ndef load(text):\n    result = json.loads(text)\n    return result\n"
    )
    sys.path.insert(0, str(tmp_path))
    try:
        failure = notebook.fail("import mine_reflex\nmine_reflex.load('{')")
    finally:
        sys.path.remove(str(tmp_path))

    by_function = {frame.function.rpartition(".")[2]: frame for frame in failure.error.frames}
    assert [one.name for one in by_function["load"].variables] == ["json", "text"]
    assert by_function["load"].source.startswith("import json")
    assert len(by_function["loads"].source.splitlines()) <= 5
    assert by_function["loads"].variables == ()


def test_a_class_body_with_a_mapping_of_its_own_is_not_asked(notebook: Notebook) -> None:
    source = (
        "class Spy(dict):\n"
        "    def __getitem__(self, name):\n        asked.append(name)\n        raise KeyError(name)\n"
        "    get = keys = __iter__ = __contains__ = __getitem__\n"
        "class Meta(type):\n"
        "    @classmethod\n    def __prepare__(cls, *rest): return Spy()\n"
        "asked = []\n"
        "class Body(metaclass=Meta):\n"
        "    x = 3\n"
        "    undefined + x\n"
    )
    error = notebook.error(source)
    before = list(notebook.namespace["asked"])

    failure = notebook.capture(error, source)

    assert variable(failure, "x").text == "3"
    assert failure.lookup is not None
    assert failure.lookup.wanted == "undefined"
    assert notebook.namespace["asked"] == before


def test_the_failing_expression_has_its_place_in_the_raw_cell(notebook: Notebook) -> None:
    failure = notebook.fail("é = 1\nprint('é', 5 + 'a')")

    line, last, start, end = failure.error.frames[-1].span or (0, 0, 0, 0)
    raw = "print('é', 5 + 'a')".encode()
    assert (line, last) == (2, 2)
    assert raw[start:end].decode() == "5 + 'a'"


FILL = "".join(f"filler_{number} = {number}\n" for number in range(400))


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("total + price", ["total", "price"]),
        ("print(\n    total,\n    price.nothing,\n    [\n        1,\n    ],\n)", ["print", "total", "price"]),
        ("for step in [1, 2]:\n    if step:\n        price[step] + total\n    else:\n        pass", None),
        ("@price\ndef f(\n    a,\n):\n    return a", None),
        ('text = f"""\n{total}\n{price.nothing}\n"""', None),
        ("def f(given):\n    return given + price\n\nf(total)", None),
        ("[given + price for given in [total]]", None),
        ("class A:\n    held = total\n    other = price.nothing", None),
    ],
)
def test_in_a_long_cell_the_failing_statement_is_found_as_in_a_short_one(
    notebook: Notebook, cell: str, names: list[str] | None
) -> None:
    notebook.run("total, price = 1, 'x'")
    short = notebook.fail(cell)
    long = notebook.fail(FILL + cell + "\n" + FILL)
    found = [[variable.name for variable in frame.variables] for frame in long.exceptions[0].frames]
    assert found == [[variable.name for variable in frame.variables] for frame in short.exceptions[0].frames]
    assert names is None or found[-1] == [name for name in names if name != "print"]


def test_of_a_long_cell_only_the_failing_statement_is_parsed(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    parse = statement.parse
    monkeypatch.setattr(statement, "parse", lambda text: parsed.append(text) or parse(text))
    notebook.fail(FILL + "toatl = filler_3 + nowhere\n" + FILL)
    assert [text.strip() for text in parsed] == ["toatl = filler_3 + nowhere"]


@pytest.mark.parametrize("name", ["<timed exec>", "<timed eval>", "<magic-timeit>", "<string>"])
def test_what_a_line_magic_runs_is_the_cells_own_code(notebook: Notebook, name: str) -> None:
    notebook.run("words = ['a']")
    ran = f"x = 1\nexec(compile('words + 1', {name!r}, 'exec'))"
    failed = notebook.fail("x = 1\n%time words + 1", ran)
    frame = failed.error.frames[-1]
    assert (frame.cell, frame.lineno) == (failed.situation.cell, 2)
    assert [variable.name for variable in frame.variables] == ["words"]


SHOWN = """def magic(code):
    try:
        exec(compile(code, "<timed eval>", "exec"), globals())
    except Exception as error:
        return error"""
"""As `%time` of older versions of IPython: what it has caught and shown has no frame of the cell."""


@pytest.mark.parametrize(
    ("source", "ran", "lineno"),
    [
        ("x = 1\n%time words + 1\nx", "x = 1\nfailed = magic('words + 1')\nx", 2),
        ("for x in 1, 2:\n    %time words + 1", "for x in 1, 2:\n    failed = magic('words + 1')", 2),
        (
            "%time 1\nif x:\n    !ls\n    %time words + 1\n    x",
            "magic('1')\nif x:\n    x\n    failed = magic('words + 1')\n    x",
            4,
        ),
        ("if x:\n    %time words + 1\n    %time 1", "if x:\n    failed = magic('words + 1')\n    magic('1')", None),
    ],
)
def test_what_a_line_magic_has_shown_is_the_cells_own_code(
    notebook: Notebook, source: str, ran: str, lineno: int | None
) -> None:
    notebook.run("words, x = ['a'], 1")
    exec(SHOWN, notebook.namespace)
    notebook.run(source, ran)
    failed = notebook.capture(notebook.namespace["failed"], source)
    frame = failed.error.frames[-1]
    assert (frame.cell and frame.lineno, failed.lineno) == (lineno, lineno)


@pytest.mark.parametrize("first", ["%%prun", "%%prun -s 1", "%%timeit -n1 -r 2"])
def test_what_a_cell_magic_runs_is_the_cells_own_code(notebook: Notebook, first: str) -> None:
    notebook.run("words = ['a']")
    ran = "exec(compile('x = 1\\nwords + 1', '<string>', 'exec'))"
    failed = notebook.fail(f"{first}\nx = 1\nwords + 1", ran)
    frame = failed.error.frames[-1]
    assert (frame.cell, frame.lineno, failed.lineno) == (failed.situation.cell, 3, 3)
    assert [variable.name for variable in frame.variables] == ["words"]


def test_code_of_that_name_that_no_magic_ran_is_nobodys(notebook: Notebook) -> None:
    failed = notebook.fail("exec(compile('1 / 0', '<string>', 'exec'))")
    assert failed.error.frames[-1].cell is None
