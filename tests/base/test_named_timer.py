"""Threads of ours that take none of the numbers by which Python names those of the user's code."""

from __future__ import annotations

import ast
import threading
from pathlib import Path

import reflex_ipython
from reflex_ipython.base.named_timer import NamedTimer


def next_number() -> int:
    return int(threading.Thread().name.removeprefix("Thread-"))


def test_the_users_next_thread_has_the_number_that_it_had_without_one() -> None:
    called = threading.Event()
    before = next_number()
    timer = NamedTimer("reflex-x", 0.0, called.set)
    timer.start()
    assert called.wait(60)
    timer.join()
    assert timer.name == "reflex-x"
    assert next_number() == before + 1


def test_one_that_is_cancelled_calls_nothing() -> None:
    called = threading.Event()
    timer = NamedTimer("reflex-x", 600.0, called.set)
    timer.start()
    timer.cancel()
    timer.join(60)
    assert not timer.is_alive()
    assert not called.is_set()


def test_no_thread_of_ours_is_without_a_name_when_it_is_made() -> None:
    for path in Path(reflex_ipython.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert called not in ("Timer", "threading.Timer"), path
            if called in ("Thread", "threading.Thread", "OwnThread"):
                assert "name" in [each.arg for each in node.keywords], (path, node.lineno)
            if called == "ThreadPoolExecutor":
                assert "thread_name_prefix" in [each.arg for each in node.keywords], (path, node.lineno)
