"""Our own parsing warns nobody, and leaves alone what others do about warnings meanwhile."""

from __future__ import annotations

import ast
import threading
import warnings

import pytest

from reflex_ipython.base.unwarned import unwarned

ODD = "'\\d'"


def test_what_is_parsed_in_there_warns_nobody_even_where_warnings_are_errors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with unwarned():
            ast.parse(ODD)
        with pytest.raises(SyntaxError):
            ast.parse(ODD)


def test_another_thread_still_warns() -> None:
    inside, done = threading.Event(), threading.Event()

    def parse() -> None:
        with unwarned():
            inside.set()
            done.wait(60)

    thread = threading.Thread(target=parse)
    thread.start()
    inside.wait(60)
    with pytest.warns(UserWarning, match="mine"):
        warnings.warn("mine", stacklevel=1)
    done.set()
    thread.join()


def test_who_records_warnings_meanwhile_gets_his_own_back() -> None:
    inside, done, left = threading.Event(), threading.Event(), threading.Event()

    def parse() -> None:
        inside.wait(60)
        with unwarned():
            done.set()
            left.wait(60)

    thread = threading.Thread(target=parse)
    thread.start()
    before = list(warnings.filters), warnings.showwarning, warnings._showwarnmsg_impl  # type: ignore[attr-defined]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        inside.set()
        done.wait(60)
        warnings.warn("mine", stacklevel=1)
    left.set()
    thread.join()
    assert [str(warning.message) for warning in found] == ["mine"]
    assert before == (list(warnings.filters), warnings.showwarning, warnings._showwarnmsg_impl)  # type: ignore[attr-defined]


def test_who_begins_to_record_meanwhile_has_no_filter_of_ours_afterwards() -> None:
    inside, done = threading.Event(), threading.Event()

    def parse() -> None:
        with unwarned():
            inside.set()
            done.wait(60)

    before = list(warnings.filters)
    thread = threading.Thread(target=parse)
    thread.start()
    inside.wait(60)
    with warnings.catch_warnings():
        done.set()
        thread.join()
        assert list(warnings.filters) == before
    assert list(warnings.filters) == before
