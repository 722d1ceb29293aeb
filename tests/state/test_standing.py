"""What the streams and threads of the process have of the user's is put back, whether or not a name leads to them."""

from __future__ import annotations

import sys
import threading

import pytest

from tests.state.halves.half import Half, check, check_read, halves

OUT = "import sys\nfrom ipykernel.iostream import OutStream\no = sys.stderr = OutStream.__new__(OutStream); o.tags = []"


@halves(
    Half("an attribute", OUT, "sys.stderr.tags.append(1)", "o.tags"),
    Half("a new one", f"{OUT}\ndef act(): sys.stderr.more = 1", "act()", named="sys.stderr ("),
    Half("text in memory", "import io, sys\no = sys.stdout = io.StringIO()", "print('x')", "o.getvalue()"),
    Half(
        "one of the user's",
        "import sys\nclass Own:\n    n = 0\n    def write(self, text): self.n += 1\n    def flush(self): pass\n"
        "o = sys.stdout = Own()",
        "print('x')",
        "o.n",
    ),
)
def test_what_the_streams_of_the_process_have(half: Half, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ipykernel")
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    check(half)


@pytest.mark.parametrize("thread", ["main_thread", "current_thread"])
def test_what_was_set_on_the_thread_that_runs_is_put_back(thread: str) -> None:
    one = f"threading.{thread}().tags"
    try:
        check(Half("", f"import threading\n{one} = []", f"{one}.append(1)", one))
    finally:
        vars(threading.current_thread()).pop("tags", None)


@halves(
    Half(
        "a new one", "import threading", "threading.main_thread().tags = 1", "'tags' in vars(threading.main_thread())"
    ),
    Half("by its function", "from threading import main_thread as m", "m().tags = 1", "'tags' in vars(m())"),
    Half(
        "by a text",
        "import threading",
        "setattr(getattr(threading, 'current_thread')(), 'tags', 1)",
        "'tags' in vars(threading.main_thread())",
    ),
    Half(
        "of all threads",
        "import threading",
        "threading.enumerate()[0].tags = 1; threading.enumerate()[0].name = 'w'",
        "'tags' in vars(threading.main_thread()), threading.main_thread().name",
    ),
    Half(
        "in a function",
        "import threading\ndef act(): threading.current_thread().tags = 1",
        "act()",
        "'tags' in vars(threading.current_thread())",
    ),
    Half(
        "of the process",
        "import multiprocessing",
        "multiprocessing.current_process().name = 'w'; multiprocessing.current_process().tags = 1",
        "multiprocessing.current_process().name, 'tags' in vars(multiprocessing.current_process())",
    ),
)
def test_what_is_newly_set_on_it_is_taken_away(half: Half) -> None:
    check(half)


def test_a_thread_that_is_only_asked_for_is_not_named() -> None:
    check_read("import threading", "threading.current_thread().name; threading.main_thread().is_alive()")
