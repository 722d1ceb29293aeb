"""Random cells fail, fixes are accepted in every way: what differs from running the right cell alone was named."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from tests.property.contents import plain
from tests.property.describe import describe
from tests.property.grammar import Case, is_expression, make_case, smaller
from tests.property.graph import Builder, Graph, Place, differences
from tests.property.judging import compare
from tests.property.kinds import EVERY
from tests.property.named import Named
from tests.property.playing import Outcome
from tests.property.routes import ROUTES, play

CELLS = os.environ.get("REFLEX_PROPERTY_CELLS", "60")
SEED = os.environ.get("REFLEX_PROPERTY_SEED", "1")
ROOT = Path(__file__).parents[2]
needs_fork = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="two kernels that begin alike are forked from one process"
)


def run(*arguments: str) -> tuple[int, str]:
    """A process of its own, since a test's has threads, which no fork survives."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.property", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    return done.returncode, done.stdout + done.stderr


@needs_fork
def test_after_accepting_a_fix_all_is_as_if_the_right_cell_alone_had_run_or_it_was_named() -> None:
    code, report = run("--cells", CELLS, "--seed", SEED)
    assert code == 0, report
    print(report)


@needs_fork
def test_two_kernels_without_the_extension_look_the_same() -> None:
    code, report = run("--cells", "20", "--seed", "2", "--plain", "--no-shrinking")
    assert code == 0, report


def test_the_cells_are_about_sixty_kinds_of_objects_and_more() -> None:
    assert len(EVERY) >= 60
    assert len({kind.name for kind in EVERY}) == len(EVERY)


def test_no_name_belongs_to_two_kinds() -> None:
    names = [name for kind in EVERY for name in kind.names]
    assert sorted(set(names)) == sorted(names)


def test_a_seed_and_a_number_make_the_same_case_again() -> None:
    assert make_case(5, 17) == make_case(5, 17)
    assert make_case(5, 17) != make_case(6, 17)


def test_every_way_of_accepting_comes_up() -> None:
    assert {make_case(1, number).route for number in range(300)} == set(ROUTES)


@pytest.mark.parametrize("route", sorted(set(ROUTES)))
def test_a_case_is_text_that_compiles(route: str) -> None:
    for number in range(200):
        case = make_case(3, number)
        if case.route == route:
            for step in (*play(case).steps, *play(case).right):
                compile(step.source.replace("%reflex", "''"), "<cell>", "exec", 0x2000)


def test_a_smaller_case_lacks_one_statement() -> None:
    case = make_case(1, 3)
    count = len(case.setup) + len(case.before) + len(case.after)
    assert {len(one.setup) + len(one.before) + len(one.after) for one in smaller(case)} == {count - 1}


# ------------------------------------------------------------------------------------------ the comparison


def graph(**names: object) -> Graph:
    return Builder(plain, describe).graph(names)


def found(some: Graph, other: Graph) -> set[tuple[str, str]]:
    return {(difference.root, difference.what) for difference in differences(some, other)}


def test_equal_contents_in_other_objects_are_the_same() -> None:
    assert found(graph(a=[1, {"k": (2.5, "text")}]), graph(a=[1, {"k": (2.5, "text")}])) == set()


def test_what_two_names_share_is_compared() -> None:
    one, two = [1], [1]
    assert found(graph(a=one, b=one), graph(a=one, b=two)) == {("b", "identity")}
    assert found(graph(a=one, b=two), graph(a=one, b=one)) == {("b", "identity")}


def test_values_lengths_orders_and_names_are_compared() -> None:
    assert found(graph(a=[1]), graph(a=[2])) == {("a", "value")}
    assert found(graph(a=[1000]), graph(a=[1001])) == {("a", "contents")}
    assert found(graph(a=[1]), graph(a=[1, 1])) == {("a", "labels")}
    assert found(graph(a={"x": 1, "y": 2}), graph(a={"y": 2, "x": 1})) == {("a", "order")}
    assert found(graph(a=1), graph(b=1)) == {("a", "missing"), ("b", "missing")}


def test_members_of_sets_are_told_apart_by_who_else_refers_to_them() -> None:
    class Thing:
        pass

    things = [Thing(), Thing()]
    assert found(graph(s=set(things), first=things[0]), graph(s=set(things), first=things[1])) == set()
    assert found(graph(s=set(things), first=things[0]), graph(s=set(things), first=Thing())) != set()


def test_memory_that_arrays_share_is_compared() -> None:
    np = pytest.importorskip("numpy")
    array = np.arange(4.0)
    assert found(graph(a=array, b=array[1:]), graph(a=array, b=array[1:])) == set()
    assert ("b", "identity") in found(graph(a=array, b=array[1:]), graph(a=array.copy(), b=array[1:])) | found(
        graph(a=array, b=array[1:]), graph(a=array, b=np.arange(4.0)[1:])
    )
    locked = array.copy()
    locked.setflags(write=False)
    assert found(graph(a=array), graph(a=locked)) == {("a", "contents")}


def test_a_place_is_one_by_its_key() -> None:
    assert (
        found(graph(a=Place("memory", 1), b=Place("memory", 1)), graph(a=Place("memory", 7), b=Place("memory", 7)))
        == set()
    )
    assert found(
        graph(a=Place("memory", 1), b=Place("memory", 1)), graph(a=Place("memory", 7), b=Place("memory", 8))
    ) == {("b", "identity")}


def test_the_layout_of_a_functions_text_is_no_difference() -> None:
    functions = []
    for source in (
        "def f():\n    while g() < 3: pass\n    yield 1",
        "def f():\n    while g() < 3:\n        pass\n    yield 1",
    ):
        there: dict[str, object] = {"__name__": "__main__"}
        exec(source, there)
        functions.append(graph(f=there["f"]))
    assert not list(differences(*functions))


# ------------------------------------------------------------------------------------------ what the words name


def by(words: str, some: Graph, other: Graph, *cells: str) -> set[str]:
    named = Named([words], some, other, cells)
    return {named.by(difference) for difference in differences(some, other)}


def test_a_name_that_is_listed_names_what_hangs_on_it() -> None:
    shared = [1]
    some, other = graph(a=shared, b=[shared]), graph(a=[2], b=[[2]])
    assert "" in by("said: state restored exactly", some, other)
    assert by("said: restored except: a (list)", graph(a=[1]), graph(a=[2])) == {"a"}
    assert "" not in by("said: restored except: b (list)", some, other)


@pytest.mark.parametrize(
    ("words", "root"),
    [("decimal.DefaultContext", "decimal's context"), ("matplotlib.colormaps", "matplotlib colormaps")],
)
def test_what_hangs_on_a_module_is_named_by_its_path(words: str, root: str) -> None:
    some, other = graph(**{root: [1], "a": 1}), graph(**{root: [2], "a": 2})
    assert by(f"said: restored except: {words} (no time)", some, other) == {root, ""}


def test_that_somebody_has_looked_at_axes_is_no_difference() -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    pictures = []
    for look, height in ((False, 9), (True, 9), (True, 7)):
        figure, axes = plt.subplots()
        above = axes.twinx()
        above.plot([height])
        if look:
            axes.get_xlim()
        pictures.append(graph(axes=axes, above=above))
        plt.close(figure)
    assert not list(differences(*pictures[:2]))
    assert list(differences(*pictures[1:]))


def test_what_is_computed_from_a_listed_name_is_named_by_it() -> None:
    some, other = graph(a=[1], b=1, c=5), graph(a=[2], b=2, c=6)
    assert by("said: not undone: a (generator)", some, other, "b = next(a)", "c = 5") == {
        "a",
        "what it was computed from",
        "",
    }


def test_an_alias_that_is_bound_by_its_text_is_named_by_what_it_is_an_alias_of() -> None:
    some, other = graph(late=[1], held=[3]), graph(late=[2], held=[4])
    cells = "a = open('a.txt')", "globals()['late'] = a; held['b'] = c", "globals().pop('a')"
    assert by("said: restored except: a (open file)", some, other, *cells) == {"what it was computed from", ""}


def test_a_logger_that_is_named_is_one_of_the_processs() -> None:
    some, other = graph(log=logging.Logger("a", 10), loggers=["a 10"]), graph(log=logging.Logger("a"), loggers=[])
    assert "" not in by("said: restored except: log (no time)", some, other, "log = logging.getLogger('a')")


def test_a_proxy_whose_object_is_gone_can_be_pictured() -> None:
    class Thing:
        pass

    thing = Thing()
    proxy = weakref.proxy(thing)
    alive = graph(p=proxy)
    del thing
    assert found(alive, graph(p=proxy)) == {("p", "contents"), ("p", "labels")}


def test_code_that_was_swapped_names_no_difference() -> None:
    assert by("said: `a` runs its new code", graph(a=[1]), graph(a=[2])) == {""}


def test_an_accepted_cell_that_fails_is_a_difference() -> None:
    case = Case(1, 0, "resume", (), ("a = [1]",), (), "1 / 0", "b = 1", ("c = 2",))
    same = graph(a=[1])
    got = Outcome(same, ["", "ZeroDivisionError", "NameError: name 'b'"], ["said: state restored exactly"])
    assert compare(case, play(case), got, Outcome(same, ["", ""])).state == "silent"
    fine = Outcome(same, ["", "ZeroDivisionError", ""], ["said: state restored exactly"])
    assert compare(case, play(case), fine, Outcome(same, ["", ""])).state == "same"


def test_an_expression_is_told_from_a_statement() -> None:
    assert is_expression("next(a)")
    assert not is_expression("a = 1")
    assert not is_expression("a; b")
