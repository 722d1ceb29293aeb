"""The first figure of a trial, small enough to be looked at on a panel."""

from __future__ import annotations

import base64
import binascii
import io
import logging
import sys
from typing import Any

MOST = 100_000
"""Characters of base64 that are kept."""

_log = logging.getLogger(__name__)
_READ = 8 << 20  # bytes of a PNG that we are willing to make smaller
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SIDES = (640, 320)  # pixels, of what is too large as it is


def picture(data: Any) -> str:
    """A displayed PNG as base64; empty if it is none, or too large and can't be made smaller.

    Parameters
    ----------
    data : object
        What the bundle has: bytes, or base64 as text; anything else if the user displays something odd.
    """
    png = _bytes(data)
    if not png.startswith(_SIGNATURE):
        return ""
    text = base64.b64encode(png).decode()
    return text if len(text) <= MOST else _smaller(png)


def _bytes(data: Any) -> bytes:
    if type(data) is bytes:
        return data if len(data) <= _READ else b""
    if type(data) is not str or len(data) > _READ:
        return b""
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _smaller(png: bytes) -> str:
    """By the library that drew it; where that is not loaded, nothing is."""
    library = sys.modules.get("PIL.Image")
    if library is None:
        return ""
    try:
        for side in _SIDES:
            image = library.open(io.BytesIO(png), formats=["PNG"])
            image.thumbnail((side, side))
            image.save(file := io.BytesIO(), "PNG")
            text = base64.b64encode(file.getvalue()).decode()
            if len(text) <= MOST:
                return text
    except Exception:  # noqa: BLE001 - of another library, on data of the user's: then there is no picture
        _log.debug("no smaller picture", exc_info=True)
    return ""
