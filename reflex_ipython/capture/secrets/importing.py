"""Importing a library that would change what the process has one of: where warnings go, and which are shown."""

from __future__ import annotations

import contextlib
import importlib
import logging
import warnings
from collections.abc import Callable, Iterator
from threading import get_ident
from types import ModuleType
from typing import Any

from reflex_ipython.base.unwarned import unwarned

_CHANGES: tuple[tuple[Any, str], ...] = (
    (logging, "captureWarnings"),  # detect-secrets sends the user's warnings to a logger that nobody listens to
    (warnings, "simplefilter"),  # requests adds two filters, and has warnings shown again that were shown once
    (warnings, "filterwarnings"),
)


def import_module(name: str) -> ModuleType:
    """As `importlib.import_module`, but the user's warnings stay as they are.

    Parameters
    ----------
    name : str
    """
    with contextlib.ExitStack() as stack:
        for holder, function in _CHANGES:
            stack.enter_context(_for_others(holder, function))
        stack.enter_context(unwarned())
        return importlib.import_module(name)


@contextlib.contextmanager
def _for_others(holder: Any, name: str) -> Iterator[None]:
    """Have a function do nothing on this thread; on others it does what it does."""
    thread, original = get_ident(), getattr(holder, name)

    def only_others(*args: Any, **named: Any) -> Any:
        return None if get_ident() == thread else original(*args, **named)

    replacement: Callable[..., Any] = only_others
    setattr(holder, name, replacement)
    try:
        yield
    finally:
        if getattr(holder, name) is replacement:
            setattr(holder, name, original)
