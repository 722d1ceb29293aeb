"""Ctrl-C at many moments around a failure: never an error of a callback, nothing of ours shown, the kernel goes on."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.text import Text

from tests.kernel.drawn_interrupt import ENTERED_HOOK, without_entered_hook
from tests.kernel.driver import PATIENCE, Kernel, Ran
from tests.kernel.terminal import end

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts a kernel by an event, not a signal")
WHOLE = bool(os.environ.get("HOSTILE_WHOLE"))
MOMENTS = 120 if WHOLE else 12
"""How many interrupts for each kind of cell."""
MOST_TORN = 5
"""Messages in a row: a kernel without us has sent two."""
LAST = 0.25
"""Seconds after a cell's beginning at which the last of them comes: its panel is there by then, a trial runs."""

ENTERED_CALLBACK = re.compile(
    r"Error in callback <bound method Hooks\.(?:pre|post)_run_cell of [^\n]*(?:\n(?!-{3,})[^\n]*)*\n-+\n"
    r"KeyboardInterrupt[^\n]*\nFile \S+reflex_ipython/ipython/hooks\.py:\d+, in Hooks\.(?:pre|post)_run_cell\("
    r"[^\n]*(?:\n +\d+[^\n]*)*\n-+> \d+ def (?:pre|post)_run_cell\("
)
"""What IPython draws of an interrupt that strikes at the very first line of a callback of ours."""
OURS = re.compile("Error in callback <[^>]*reflex_ipython|inside Reflex itself|reflex_ipython/")

CELLS = {
    "a failure": "toatl",
    "a failure after statements": "kept = [1]\nkept.append(2)\nkept = [kept]\ntoatl",
    "a failure in a function": "def mean(values):\n    return sum(values) / len(vlaues)\nmean([1, 2])",
    "a failure that does not parse": "print('begun'\n",
    "a failure beside a frame": "df.groupby('regoin').sum()",
}
PREPARE = (
    "%load_ext reflex_ipython\n"
    "total, values = 1, [1]\n"
    "import pandas as pd\n"
    "df = pd.DataFrame({'region': ['a', 'b'], 'sales': [1, 2]})"
)


def drawn(ran: Ran) -> str:
    """What a cell has shown, its tracebacks among it, without colours."""
    tracebacks = ("\n".join(content["traceback"]) for content in ran.contents("error"))
    return Text.from_ansi("\n".join([ran.text, *tracebacks])).plain


def wrong(ran: Ran) -> str:
    """What must not be in a cell's outputs; empty if all is well.

    An interrupt that strikes while IPython itself draws a traceback is drawn as well, as in a kernel without us, and so
    is one that strikes in a callback of its own. If Python was just about to enter our audit hook or our callback, that
    is the place where it struck: nothing can catch it there.
    """
    text = ENTERED_CALLBACK.sub("", ENTERED_HOOK.sub("", drawn(ran)))
    return "\n...\n".join(text[max(0, sign.start() - 400) : sign.end() + 100] for sign in OURS.finditer(text))


def doubled(ran: Ran) -> bool:
    """Whether one failure was drawn twice. What IPython draws of an interrupt quotes the failure that it came after."""
    names = [content["ename"] for content in ran.contents("error") if content["ename"] != "KeyboardInterrupt"]
    return len(names) > len(set(names))


def interrupted_after(kernel: Kernel, source: str, cell: str, seconds: float) -> Ran:
    """Run a cell, interrupt the kernel that long after it was sent, and have it answer to another cell.

    An interrupt before the cell has begun may take the cell's reply with it, as in a kernel without us; and one that
    strikes between two parts of a message on its way out tears it: that one and the next arrive as one that nobody has
    signed. The kernel answers to what comes after them.
    """
    kernel.send(source, cell)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
    kernel.manager.interrupt_kernel()
    messages: list[dict[str, Any]] = []
    for _ in range(MOST_TORN):
        with contextlib.suppress(TornMessage):
            return Ran(another_cell(kernel, messages), messages)
    raise AssertionError("no message of the kernel's is whole")


class TornMessage(Exception):
    """Two messages have arrived as one."""


def another_cell(kernel: Kernel, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Run a cell to its end; gives its reply, and adds all messages that came until then."""
    request = kernel.send("kept_going = 1")
    while True:
        message = kernel.client.get_iopub_msg(timeout=PATIENCE)
        messages.append(message)
        if message["parent_header"].get("msg_id") == request and message["content"].get("execution_state") == "idle":
            break
    while True:
        try:
            reply = kernel.client.get_shell_msg(timeout=PATIENCE)
        except ValueError as error:  # what jupyter_client says of one that it can't verify
            raise TornMessage from error
        if reply["parent_header"].get("msg_id") == request:
            return dict(reply["content"])


@pytest.fixture(scope="module")
def plain() -> Iterator[Kernel]:
    """A kernel without us, to tell what IPython does by itself."""
    started = Kernel()
    assert started.run("\n".join(PREPARE.split("\n")[1:])).status == "ok"
    yield started
    started.close()


@pytest.mark.parametrize("source", CELLS.values(), ids=CELLS.keys())
def test_an_interrupt_around_a_failure_shows_nothing_of_ours_and_nothing_twice(
    source: str, new_kernel: Callable[..., Kernel], plain: Kernel
) -> None:
    kernel = new_kernel()
    assert kernel.run(PREPARE).status == "ok"
    found, twice, twice_without_us = [], [], 0
    for number in range(MOMENTS):
        moment = LAST * (number / MOMENTS) ** 2  # most of them early, when all happens
        ran = interrupted_after(kernel, source, f"cell-{number}", moment)
        found += [(moment, wrong(ran))] if wrong(ran) else []
        twice += [(moment, drawn(ran)[-3000:])] if doubled(ran) else []
        twice_without_us += doubled(interrupted_after(plain, source, f"cell-{number}", moment))
    assert not found, found[:2]
    assert len(twice) <= twice_without_us, twice[:2]
    assert kernel.run("toatl").shown, "the next failure has its panel"
    assert kernel.value("1 + 1") == 2


@pytest.mark.parametrize("source", [CELLS["a failure"], CELLS["a failure that does not parse"]])
def test_what_is_drawn_twice_is_counted(source: str, new_kernel: Callable[..., Kernel]) -> None:
    kernel = new_kernel()
    assert not doubled(kernel.run(source))
    assert not doubled(kernel.run("try:\n    toatl\nfinally:\n    raise KeyboardInterrupt"))
    name = "NameError" if source == "toatl" else "SyntaxError"
    draw = "get_ipython().showtraceback" if name == "NameError" else "get_ipython().showsyntaxerror"
    twice = f"try:\n    exec({source!r})\nexcept {name}:\n    {draw}()\n    raise"
    assert doubled(kernel.run(twice))


def test_an_interrupt_around_an_acceptance_shows_nothing_of_ours(new_kernel: Callable[..., Kernel]) -> None:
    kernel = new_kernel()
    assert kernel.run(PREPARE).status == "ok"
    found = []
    for number in range(MOMENTS):
        kernel.run("kept = [1]\nkept.append(2)\ntoatl", f"cell-{number}")
        moment = LAST * (number / MOMENTS) ** 2
        ran = interrupted_after(kernel, "%reflex accept", f"accept-{number}", moment)
        found += [(moment, wrong(ran))] if wrong(ran) else []
    assert not found, found[:2]
    assert kernel.value("1 + 1") == 2


def test_an_interrupt_around_a_failure_in_a_terminal_shows_nothing_of_ours() -> None:
    pexpect = pytest.importorskip("pexpect")
    terminal = pexpect.spawn(
        sys.executable, ["-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor"], encoding="utf-8",
        timeout=60, echo=False, env={**os.environ, "TERM": "dumb", "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    prompt = r"In \[\d+\]: "
    try:
        terminal.expect(prompt)
        for line in ("%load_ext reflex_ipython", "total = 1"):
            terminal.sendline(line)
            terminal.expect(prompt)
        found = []
        for number in range(MOMENTS):
            moment = 0.4 * (number / MOMENTS) ** 2
            terminal.sendline("toatl")
            time.sleep(moment)
            terminal.kill(2)
            gone_on = 1
            while gone_on:  # readline may drop what was typed as it was interrupted
                terminal.sendline(f"print('go', {number} + 1000)")
                gone_on = terminal.expect([f"go {number + 1000}", pexpect.TIMEOUT], timeout=10)
            shown = without_entered_hook(terminal.before.replace("\r\n", "\n"))
            terminal.expect(prompt)
            ours = "Error in callback" in shown or "inside Reflex itself" in shown or "reflex_ipython/" in shown
            doubled = len(re.findall(r"^NameError: ", shown, re.MULTILINE)) > 1
            if ours or doubled:
                found.append((moment, shown[-2500:]))
        assert not found, found[:2]
        terminal.sendline("print('still', 'here')")
        terminal.expect("still here")
    finally:
        end(terminal)


def test_an_interrupt_that_strikes_as_the_hook_is_entered_is_drawn_as_one(new_kernel: Callable[..., Kernel]) -> None:
    """Such as it may come by chance: `map` calls both without a look for signals in between."""
    kernel = new_kernel()
    assert kernel.run(PREPARE).status == "ok"
    ran = kernel.run(
        "import _thread, functools\n"
        "calls = [functools.partial(_thread.interrupt_main), functools.partial(id, 1)]\n"
        "list(map(functools.partial.__call__, calls))"
    )
    assert ran.reply["ename"] == "KeyboardInterrupt"
    # Before Python 3.11 nothing strikes at a first line that is a `try`, so that the hook itself can hand it on.
    assert ("in _hook(" in drawn(ran)) is (sys.version_info >= (3, 11)), "it does strike there"
    assert wrong(ran) == ""
    other = kernel.run("import reflex_ipython.state.audit as ours\nours.listen(1, 2)")
    assert wrong(other), "every other frame is found"


def test_an_interrupt_that_strikes_as_a_callback_is_entered_is_drawn_as_one(new_kernel: Callable[..., Kernel]) -> None:
    kernel = new_kernel()
    kernel.run(PREPARE)
    kernel.run(
        "import sys\n"
        "callbacks = get_ipython().events.callbacks['pre_run_cell']\n"
        "(ours,) = [each.__func__.__code__ for each in callbacks if 'Hooks' in repr(each)]\n"
        "def strike(frame, event, argument):\n"
        "    if frame.f_code is STRUCK:\n"
        "        sys.setprofile(None)\n"
        "        raise KeyboardInterrupt\n"
        "callbacks.insert(0, lambda info: sys.setprofile(strike))\n"
        "STRUCK = ours"
    )
    ran = kernel.run("1 + 1")
    assert "Error in callback <bound method Hooks.pre_run_cell" in drawn(ran), "it does strike there"
    assert wrong(ran) == ""
    kernel.run("import reflex_ipython.ipython.hooks as hooks\nSTRUCK = hooks.CellLog.add.__code__")
    assert kernel.run("1 + 1").text == "", "what strikes behind its first line is handed on"
