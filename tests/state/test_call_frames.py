"""What code does to the variables of a call, by its frame or a traceback, is undone."""

from __future__ import annotations

from tests.state.halves.half import Half, check, check_read, halves

STOPS = "import sys\ndef stops():\n    inner = []\n    return sys._getframe()\no = stops()"
FAILS = "def fails():\n    inner = []\n    1 / 0\ntry: fails()\nexcept ZeroDivisionError as e: error = e"
DEEP = "tb_next.tb_frame.f_locals['inner']"


@halves(
    Half("a frame", STOPS, "o.f_locals['inner'].append(1)", "o.f_locals['inner']"),
    Half(
        "a frame by a function",
        f"{STOPS}\ndef change(frame): frame.f_locals['inner'].append(1)",
        "change(o)",
        "o.f_locals['inner']",
    ),
    Half("a traceback", f"{FAILS}\no = error.__traceback__\ndel error", f"o.{DEEP}.append(1)", f"o.{DEEP}"),
    Half("that of an error", FAILS, f"error.__traceback__.{DEEP}.append(1)", f"error.__traceback__.{DEEP}"),
    Half("one that is cut", f"{FAILS}\no = error.__traceback__", "o.tb_next = None", "o.tb_next is None"),
    Half("a frame that is cleared", STOPS, "o.clear()", named="o"),
)
def test_what_is_done_to_the_variables_is_undone(half: Half) -> None:
    check(half)


def test_what_is_only_read_is_not_named() -> None:
    check_read(STOPS, "o.f_locals, o.f_lineno, o.f_back")
    check_read(FAILS, "error.__traceback__.tb_next.tb_frame.f_locals")
