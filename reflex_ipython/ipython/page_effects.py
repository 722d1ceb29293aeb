"""What a cell's outputs did in the page that showed them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reflex_ipython.state.effect import OutsideEffect

_SCRIPT = "application/javascript"
RAN_SCRIPT = OutsideEffect("page", "ran JavaScript in the page")


def page_effects(outputs: Iterable[tuple[str, dict[str, Any]]]) -> tuple[OutsideEffect, ...]:
    """Those of some outputs, each once.

    Parameters
    ----------
    outputs : iterable of (str, dict)
        Messages: kind and content. A library's picture that brings its script along is only a picture.
    """
    bundles = [content.get("data") for _, content in outputs]
    ran = any(type(data) is dict and _SCRIPT in data and not any(map(_is_librarys, data)) for data in bundles)
    return (RAN_SCRIPT,) if ran else ()


def _is_librarys(mime: object) -> bool:
    return isinstance(mime, str) and mime.startswith("application/vnd.")
