"""An interrupt that struck our own code is handed on to the user's."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from reflex_ipython.ipython import interrupts


def test_one_that_is_handed_on_ends_a_sleep() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Timer(0.3, interrupts._interrupt)
    began = time.monotonic()
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(600)
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()
    assert time.monotonic() - began < 500


def test_none_is_handed_on_where_interrupts_are_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupts._interrupt()
    finally:
        signal.signal(signal.SIGINT, before)


def test_one_that_came_just_before_a_sleep_began_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    kill = signal.pthread_kill

    def lost_at_first(ident: int, number: int) -> None:
        sent.append(number)
        if len(sent) > 1:
            kill(ident, number)

    monkeypatch.setattr(signal, "pthread_kill", lost_at_first)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Timer(0.3, interrupts._strike, [interrupts._over[0]])
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(600)
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()
    assert sent == [signal.SIGINT] * 2


def test_one_that_was_taken_is_not_sent_again() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Timer(0.3, interrupts._strike, [interrupts._over[0]])
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(600)
        time.sleep(1)
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()
