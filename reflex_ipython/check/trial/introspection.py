"""Cells that look behind Python: through all objects, other frames, C functions. A trial can't vouch for what they do.

Libraries do so all the time, and are not meant: only what the user's own code asks for counts.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from types import FrameType
from typing import Any

_WORDS = {
    "gc.get_objects": "looks through all of Python's objects (gc.get_objects)",
    "gc.get_referrers": "looks through all of Python's objects (gc.get_referrers)",
    "gc.get_referents": "looks through all of Python's objects (gc.get_referents)",
    "sys._getframe": "looks into its callers' frames",
    "sys._current_frames": "looks into its callers' frames",
    "sys.settrace": "traces its callers' frames",
    "sys.setprofile": "traces its callers' frames",
    "sys.monitoring.register_callback": "traces its callers' frames",
    "code.__new__": "builds code objects by hand",
}
_BEHIND = "calls C functions (ctypes); a trial can't see all they do"
_ATTRIBUTES = {
    "tb_frame": "looks into its callers' frames",
    "gi_frame": "looks into its callers' frames",
    "cr_frame": "looks into its callers' frames",
    "ag_frame": "looks into its callers' frames",
}
_MEMORY = re.compile(r"/proc/(self|thread-self|\d+)(/task/\d+)?/(mem|pagemap)$")
_FOLDERS = tuple(
    {
        os.path.join(folder, "")
        for folder in (
            *map(sysconfig.get_paths().get, ("stdlib", "platstdlib", "purelib", "platlib")),
            os.path.dirname(os.path.abspath(__file__ + "/../..")),  # the package
        )
        if folder
    }
)
"""Of libraries, ours included."""
_STANDARD = sysconfig.get_paths()["stdlib"]
_PASSED_ON = (
    os.path.join(_STANDARD, "ctypes", ""),
    os.path.join(_STANDARD, "inspect.py"),
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "audit.py"),
    os.path.abspath(__file__),
)
"""Code that asks for somebody else: these libraries, and the hook that calls us."""


def seen(event: str, arguments: tuple[Any, ...]) -> str:
    """What an audit event says of the code that caused it, in words that follow "it"; empty for all others.

    Parameters
    ----------
    event : str
        As Python's documentation lists them.
    arguments : tuple
    """
    if event == "open":  # no library does
        return f"opens {arguments[0]}" if type(arguments[0]) is str and _MEMORY.match(arguments[0]) else ""
    words = _words(event, arguments)
    return words if words and _asked_by_user(sys._getframe(1)) else ""


def _words(event: str, arguments: tuple[Any, ...]) -> str:
    if event.startswith("ctypes."):
        return _BEHIND
    if event == "object.__getattr__":
        return _ATTRIBUTES.get(arguments[1], "")
    return _WORDS.get(event, "")


def _asked_by_user(frame: FrameType | None) -> bool:
    """Whether the nearest code that wants it for itself is no library's."""
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_PASSED_ON):
            return is_users(name)
        frame = frame.f_back
    return False


def is_users(filename: str) -> bool:
    """Whether code from such a file is no library's.

    Parameters
    ----------
    filename : str
        As code objects have it.
    """
    return not filename.startswith((*_FOLDERS, "<frozen ")) and "-packages/" not in filename
