"""The traceback of a failed cell is made once, and kept as it would be without us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.kernel.driver import Kernel

KEEPS = hasattr(InteractiveShell, "_format_exception_for_storage")
pytestmark = pytest.mark.skipif(not KEEPS, reason="this IPython keeps no tracebacks")
TWO_FRAMES = "def inner():\n    return {}['key']\ninner()"
COUNT = """\
maker, made = get_ipython().InteractiveTB, []
make = type(maker).__mro__[WHOSE].structured_traceback
def counted(self, *arguments, **named):
    made.append(1)
    return make(self, *arguments, **named)
type(maker).__mro__[WHOSE].structured_traceback = counted
made.clear()"""
SHOWN = "get_ipython().showtraceback()"
MANY = [
    TWO_FRAMES,
    "1 +",
    "try:\n    1 / 0\nexcept Exception as e:\n    raise ValueError(2) from e",
    "%nothing",
    "class Drawn(Exception):\n    def _render_traceback_(self):\n        return ['as', 'I like']\nraise Drawn",
    f"try:\n    1 / 0\nexcept Exception:\n    {SHOWN}\nraise KeyError('other')",
    f"try:\n    1 / 0\nexcept Exception as e:\n    {SHOWN}\n    e.args = ('new words',)\n    raise",
    f"import sys\ntry:\n    sys.exit(3)\nexcept SystemExit:\n    {SHOWN}\n    raise",
    "get_ipython().InteractiveTB.tb_offset = 2",
    TWO_FRAMES,
    "get_ipython().InteractiveTB.tb_offset = 1",
    "%xmode Minimal",
    TWO_FRAMES,
    "%xmode Context",
]
"""Cells that fail, and what changes how they are shown."""


def _kept(kernel: Kernel, source: str) -> Any:
    kernel.run(source)
    kept = "get_ipython().history_manager.exceptions"
    return kernel.value(f"{kept}.popitem()[1] if {kept} else None")


def test_what_is_kept_is_what_ipython_keeps_without_us(kernel: Kernel, bare_kernel: Kernel) -> None:
    for number, source in enumerate(MANY, start=1):
        for each in (kernel, bare_kernel):
            each.run(f"get_ipython().execution_count = {number}00")  # it is among what is kept
        kept = _kept(kernel, source)
        assert kept == _kept(bare_kernel, source)
        assert (kept is None) is source.startswith(("get_ipython", "%xmode"))


def test_it_is_made_once(kernel: Kernel) -> None:
    kernel.run(COUNT.replace("WHOSE", "1"))
    _kept(kernel, TWO_FRAMES)
    assert kernel.value("len(made)") == 1
    _kept(kernel, TWO_FRAMES)
    assert kernel.value("len(made)") == 2


def test_one_that_was_interrupted_as_it_was_made_is_not_what_was_shown_before(kernel: Kernel) -> None:
    """The one before is of the same kind, and says something else."""
    _kept(kernel, "{}['one']")
    kernel.run(
        COUNT.replace("WHOSE", "1")
        + "\ndef interrupted(self, *arguments, **named):\n"
        + "    type(self).__mro__[1].structured_traceback = make\n"
        + "    raise KeyboardInterrupt\n"
        + "type(maker).__mro__[1].structured_traceback = interrupted"
    )
    kept = _kept(kernel, "{}['two']")
    assert "two" in "".join(kept["traceback"])
    assert "one" not in "".join(kept["traceback"])


def test_nothing_of_ours_is_on_the_stack_while_it_is_made(kernel: Kernel) -> None:
    kernel.run(COUNT.replace("WHOSE", "1"))
    kernel.run(
        "import traceback\ndef counted(self, *arguments, **named):\n"
        "    made.extend(entry.filename for entry in traceback.extract_stack())\n"
        "    return make(self, *arguments, **named)\n"
        "type(maker).__mro__[1].structured_traceback = counted"
    )
    kernel.run(TWO_FRAMES)
    files = kernel.value("made")
    assert any("interactiveshell" in file for file in files)
    assert not [file for file in files if "reflex_ipython" in file]


def test_an_interrupt_as_ipython_asks_for_it_is_the_cells(kernel: Kernel) -> None:
    kernel.run(
        "import sys\nfrom reflex_ipython.ipython.traceback_once import TracebackOnce\n"
        "instead = TracebackOnce._instead\n"
        "def struck(self):\n"
        "    TracebackOnce._instead = instead\n"
        "    raise KeyboardInterrupt\n"
        "TracebackOnce._instead = struck"
    )
    ran = kernel.run(TWO_FRAMES)
    assert ran.status == "error"
    assert "reflex_ipython" not in ran.text + "".join(
        line for content in ran.contents("error") for line in content["traceback"]
    )


@pytest.mark.parametrize("whose", ["type(maker)", "maker"])
def test_whoever_replaces_it_later_has_theirs_called(kernel: Kernel, whose: str) -> None:
    kernel.run(
        f"maker = get_ipython().InteractiveTB\n{whose}.structured_traceback = lambda *arguments, **named: ['theirs']"
    )
    ran = kernel.run(TWO_FRAMES)
    assert [content["traceback"] for content in ran.contents("error")] == [["theirs"]]
    assert kernel.run("%unload_ext reflex_ipython").status == "ok"


def test_it_is_made_once_where_reflex_is_loaded_before_any_cell(new_kernel: Callable[..., Kernel]) -> None:
    kernel = new_kernel("--InteractiveShellApp.extensions=reflex_ipython")
    kernel.run(COUNT.replace("WHOSE", "1"))
    _kept(kernel, TWO_FRAMES)
    assert kernel.value("len(made)") == 1


def test_lines_that_somebody_else_shows_are_not_kept(kernel: Kernel) -> None:
    kernel.run(
        "shell = get_ipython()\nshow = shell._showtraceback\n"
        "shell._showtraceback = lambda etype, value, lines: show(etype, value, [*lines, 'a hint'])"
    )
    assert "a hint" not in _kept(kernel, TWO_FRAMES)["traceback"]


def test_one_whose_class_can_not_be_replaced_is_left_alone(new_kernel: Callable[..., Kernel]) -> None:
    kernel = new_kernel()
    kernel.run(
        "usual = get_ipython().InteractiveTB\nclass Slotted:\n"
        "    __slots__ = ('more', 'tb_offset', '__dict__')\n"
        "    def __getattr__(self, name):\n        return getattr(usual, name)\n"
        "    def structured_traceback(self, *arguments, **named):\n        return ['theirs']\n"
        "get_ipython().InteractiveTB = Slotted()"
    )
    loaded = kernel.run("%load_ext reflex_ipython")
    assert (loaded.status, "TypeError" in loaded.text) == ("ok", False)
    assert [content["traceback"] for content in kernel.run(TWO_FRAMES).contents("error")] == [["theirs"]]


def test_nothing_of_the_error_is_held_when_its_cell_is_over(kernel: Kernel) -> None:
    _kept(kernel, TWO_FRAMES)
    assert kernel.value("get_ipython().reflex_extension._traceback._asked") is None


def test_unloading_leaves_nothing(new_kernel: Callable[..., Kernel]) -> None:
    kernel = new_kernel()
    kernel.run("usual = type(get_ipython().InteractiveTB)")
    kernel.run("%load_ext reflex_ipython")
    assert not kernel.value("type(get_ipython().InteractiveTB) is usual")
    kernel.run("%unload_ext reflex_ipython")
    assert kernel.value("type(get_ipython().InteractiveTB) is usual")
