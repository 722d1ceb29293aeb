"""What a trial tells of what it saw: names, values, output, time."""

from __future__ import annotations

import base64
import io
import time
from typing import Any

import pytest

from reflex_ipython.check.trial.candidate import line_of
from reflex_ipython.check.trial.changes import Before
from reflex_ipython.check.trial.facts import facts, fingerprint
from reflex_ipython.check.trial.outputs import Outputs
from reflex_ipython.check.trial.picture import MOST, picture
from reflex_ipython.models import MOST_CHANGES, NameChange, ValueFacts
from tests.check.conftest import Try


def changes(namespace: dict[str, Any], source: str) -> dict[str, NameChange]:
    before = Before(namespace, source)
    exec(source, namespace)
    return {change.name: change for change in before.changes(namespace)}


def test_added_removed_rebound_and_changed_names_are_told_apart() -> None:
    namespace: dict[str, Any] = {"kept": [1], "items": [1, 2], "n": 1, "gone": {}, "same": 5, "_private": 1}
    found = changes(namespace, "items.append(3); n = 'x'; del gone; new = (1,); same = 5; _private = 2; import math")
    assert {name: change.kind for name, change in found.items()} == {
        "items": "changed",
        "n": "rebound",
        "gone": "removed",
        "new": "added",
    }
    assert found["items"].before == ValueFacts("list", length=2)
    assert found["items"].after == ValueFacts("list", length=3, text="[1, 2, 3]")
    assert (found["n"].before, found["n"].after) == (ValueFacts("int"), ValueFacts("str", length=1, text="'x'"))


def test_what_was_there_before_is_told_first_and_what_is_new_as_it_came() -> None:
    many = "; ".join(f"n{number} = {number}" for number in range(MOST_CHANGES + 10))
    found = changes({"zeta": 1, "gone": 2, "items": []}, f"{many}; zeta = 'changed'; del gone; items.append(1)")
    assert list(found)[:6] == ["zeta", "gone", "items", "n0", "n1", "n2"]
    assert len(found) == MOST_CHANGES


@pytest.mark.parametrize(
    "change",
    [
        "d['a']['b'] = 2",
        "d['l'][0] = 9",
        "s.add(3)",
        "o.x = 2",
        "b[0] = 1",
        "q.append(1)",
    ],
)
def test_a_change_inside_is_seen(change: str) -> None:
    from collections import deque

    class Thing:
        def __init__(self) -> None:
            self.x = 1

    namespace = {"d": {"a": {"b": 1}, "l": [1]}, "s": {1}, "o": Thing(), "b": bytearray(3), "q": deque()}
    assert list(changes(dict(namespace), change)) == [change[0]]
    assert changes(dict(namespace), "len(d)") == {}


def test_numpy_arrays_are_measured_and_their_changes_seen() -> None:
    np = pytest.importorskip("numpy")
    namespace = {"a": np.zeros((3, 4)), "big": np.zeros(5_000_000), "o": np.array([1, "x"], dtype=object)}
    found = changes(namespace, "a[1, 1] = 5; big[:] = 1; o[0] = 2")
    assert {change.kind for change in found.values()} == {"changed"}
    assert list(found) == ["a", "big", "o"]
    assert found["a"].after == ValueFacts("numpy.ndarray", (3, 4), "float64", 3)


@pytest.mark.parametrize(
    "change", ["df.loc[1, 'a'] = 9", "df['c'] = 1", "df.loc[0, 'b'] = 'new'", "df.columns = ['x', 'y']"]
)
def test_tables_are_measured_and_their_changes_seen(change: str) -> None:
    pd = pytest.importorskip("pandas")
    namespace = {"df": pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", None]}), "other": pd.Series([1.0, 2.0])}
    found = changes(namespace, change)
    assert [(one.name, one.kind) for one in found.values()] == [("df", "changed")]
    assert found["df"].before == ValueFacts("pandas.DataFrame", (3, 2), "", 3)
    assert facts(namespace["other"]) == ValueFacts("pandas.Series", (2,), "float64", 2)
    assert changes(namespace, "df.sum(numeric_only=True); other * 2") == {}


def test_nothing_of_the_users_runs_to_measure_a_value() -> None:
    class Hostile:
        def __getattribute__(self, name: str) -> Any:
            raise SystemExit

        def __len__(self) -> int:
            raise SystemExit

        def __eq__(self, other: object) -> bool:
            raise SystemExit

        __hash__ = None  # type: ignore[assignment]  # as many classes do

    namespace = {"h": Hostile(), "l": [Hostile()]}
    assert facts(namespace["h"]).type.endswith("Hostile")
    assert changes(namespace, "n = 1").keys() == {"n"}


def test_a_value_that_contains_itself_is_no_trouble() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    assert fingerprint(loop) == fingerprint(loop)


def test_what_is_printed_by_python_and_by_c_is_kept(attempt: Try) -> None:
    source = (
        "import sys, os, ctypes\nprint('out')\nprint('err', file=sys.stderr)\nsys.stdout.buffer.write(b'bytes\\n')\n"
        "os.write(1, b'descriptor\\n')\nos.write(2, b'\\xff\\n')"
    )
    trial = attempt(source)
    assert trial.stdout == "out\nerr\nbytes\ndescriptor\n\ufffd\n"


def test_what_the_kernel_has_not_flushed_yet_is_not_the_trials(attempt: Try, capfd: pytest.CaptureFixture[str]) -> None:
    print("from the kernel", end="")
    assert attempt("print('from the trial')").stdout == "from the trial\n"
    assert capfd.readouterr().out == "from the kernel"


def test_time_and_memory_are_told(attempt: Try) -> None:
    began = time.monotonic()
    trial = attempt("import time\ntime.sleep(0.05)\nb = bytearray(b'x' * (50 << 20))")
    assert 0.05 <= trial.seconds < time.monotonic() - began
    assert trial.cpu_seconds < trial.seconds
    assert trial.peak_bytes > 45 << 20


PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU"
    b"\0\0\0\nIDATx\x9cc`\0\0\0\x02\0\x01H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82"
)
"""A grey point."""


@pytest.mark.parametrize(
    "shown",
    [PNG, base64.b64encode(PNG).decode(), base64.encodebytes(PNG).decode()],
    ids=["bytes", "text", "text in lines"],
)
def test_the_first_figure_is_kept(shown: Any) -> None:
    outputs = Outputs()
    outputs.show({"text/plain": "no figure"})
    outputs.show({"image/png": shown})
    outputs.show({"image/png": b"the second"})
    assert (outputs.figures, base64.b64decode(outputs.image)) == (2, PNG)


@pytest.mark.parametrize("shown", [b"", b"GIF89a", "no base64", "<script>", None, 5, PNG + bytes(9 << 20)])
def test_what_is_no_picture_or_far_too_large_is_left_out(shown: Any) -> None:
    assert picture(shown) == ""


def test_a_picture_that_is_too_large_is_made_smaller() -> None:
    image = pytest.importorskip("PIL.Image")
    noise = image.effect_noise((1200, 900), 100)
    noise.save(file := io.BytesIO(), "PNG")
    small = base64.b64decode(picture(file.getvalue()))
    assert len(small) <= MOST * 3 / 4
    assert image.open(io.BytesIO(small)).size == (320, 240)


def test_texts_that_are_not_unicode_do_no_harm(attempt: Try) -> None:
    trial = attempt("print('\\ud800')\nraise ValueError('\\udfff')")
    assert (trial.ename, trial.stdout, trial.evalue) == ("ValueError", "?\n", "?")


def test_an_exception_that_can_not_be_printed_is_told(attempt: Try) -> None:
    trial = attempt("class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E")
    assert (trial.outcome, trial.ename, trial.evalue, trial.lineno) == ("other_error", "E", "<no message>", 3)


def test_the_line_is_the_cells_even_if_a_module_was_being_imported() -> None:
    cell = compile("x = 1\n\nexec(compile('1/0', 'module', 'exec'))", "<cell>", "exec")
    with pytest.raises(ZeroDivisionError) as caught:
        eval(cell)
    assert line_of(caught.value) == 3


def test_a_value_is_measured_without_asking_its_class() -> None:
    class Lies(type):
        def __eq__(cls, other: object) -> bool:
            raise AssertionError(other)

        def __hash__(cls) -> int:
            raise AssertionError

        def __getattribute__(cls, name: str) -> object:
            raise AssertionError(name)

    class Liar(metaclass=Lies):
        @property
        def __dict__(self) -> dict[str, object]:  # type: ignore[override]  # it may be anything
            raise AssertionError

    liar = Liar()
    assert facts(liar).type.endswith("Liar")
    assert fingerprint(liar) is None
