"""What a cell puts in the place of `sys.stdout` is the user's: nothing of ours asks or flushes it."""

from __future__ import annotations

import pytest

from tests.kernel.driver import Kernel

TEE = """
import sys
class Tee:
    flushed, asked = [], []
    def __init__(self, stream): self.stream = stream
    def write(self, text): return self.stream.write(text)
    def flush(self): self.flushed.append(1); self.stream.flush()
    def __getattr__(self, name): self.asked.append(name); return getattr(self.stream, name)
class Bare:
    def __init__(self, stream): self.__dict__['known'] = {'write': stream.write, 'flush': stream.flush}
    def __getattr__(self, name): return self.known[name]
class Closed(Tee):
    def flush(self): raise ValueError('closed')
total, kept = 3, sys.stdout"""


@pytest.mark.parametrize("kind", ["Tee", "Bare", "Closed"])
@pytest.mark.parametrize("failed", [False, True], ids=["at first", "behind a failure"])
def test_a_stream_of_the_users_is_left_alone(kernel: Kernel, kind: str, failed: bool) -> None:
    kernel.run(TEE)
    if failed:
        kernel.settled(kernel.run("toatl"))
    ran = kernel.run(f"sys.stdout = {kind}(kept)\nprint('a')\nx = 1\nprint('b')\nx = 2\nsys.stdout = kept\nprint(x)")
    assert (ran.status, ran.text) == ("ok", "a\nb\n2\n")
    assert kernel.value("(Tee.flushed, Tee.asked)") == ([], [])


def test_what_was_printed_through_one_is_on_its_side_of_the_line_that_failed(kernel: Kernel) -> None:
    kernel.run(TEE)
    kernel.run("sys.stdout = Tee(kept)\nprint('a')\nprint('b', toatl)\nsys.stdout = kept")
    ran = kernel.run("%reflex accept")
    assert ran.status == "ok", ran.reply
    assert ran.text.startswith("a\nb 3\n")


def test_so_is_one_that_is_there_as_a_cell_begins(kernel: Kernel) -> None:
    kernel.run(TEE)
    kernel.run("sys.stdout = Tee(kept)")
    ran = kernel.run("print('a')\nx = 1\nprint('b')\nx = 2\nsys.stdout = kept\nprint(x)")
    assert (ran.status, ran.text) == ("ok", "a\nb\n2\n")
    assert "_flush_pending" not in kernel.value("Tee.asked")


BUFFER = "import io, sys\nfrom contextlib import redirect_stderr, redirect_stdout\ntotal, buffer = 'abc', io.StringIO()"
LAST = "\nprint('after', file=sys.{0})"
REDIRECTED = {
    "by statements": "old = sys.{0}\nsys.{0} = buffer\nprint('b', file=sys.{0})\nlen(toatl)\nsys.{0} = old",
    "by hand": "to = redirect_{0}(buffer)\nto.__enter__()\nlen(toatl)\nto.__exit__(None, None, None)",
    "by the failed statement": "if True:\n    old = sys.{0}\n    sys.{0} = buffer\n    len(toatl)\n    sys.{0} = old",
}


@pytest.mark.parametrize("name", ["stdout", "stderr"])
@pytest.mark.parametrize("failing", REDIRECTED.values(), ids=REDIRECTED)
def test_what_is_printed_once_the_kernels_own_is_back_is_shown_below_the_run_that_prints_it(
    kernel: Kernel, name: str, failing: str
) -> None:
    kernel.run(BUFFER)
    kernel.settled(kernel.run((failing + LAST).format(name)))
    ran = kernel.run("%reflex accept")
    assert (ran.status, ran.text.splitlines()[0]) == ("ok", "after")


def test_what_was_printed_by_statements_whose_like_ran_before_is_on_its_side_of_the_line_that_failed(
    kernel: Kernel,
) -> None:
    kernel.run("number = 1")
    lines = "print('a')\nprint('b')\nprint('c')\nbig = number + 1"
    for _ in range(6):
        assert kernel.run(lines).text == "a\nb\nc\n"
    kernel.run("number = '1'")
    failed = kernel.run(f"{lines}\nprint(big)")
    assert (failed.reply["ename"], failed.text) == ("TypeError", "a\nb\nc\n")
    kernel.settled(failed)
    ran = kernel.run("%reflex accept")
    assert (ran.status, ran.text) == ("ok", "a\nb\nc\n2\n")
