"""What a trial could have changed of the process that it was copied from, as one comparable value."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path
from typing import Any

from reflex_ipython.check.trial.changes import users
from reflex_ipython.check.trial.facts import fingerprint
from reflex_ipython.check.trial.process import children


def digest(namespace: dict[str, Any], *folders: Path) -> dict[str, Any]:
    """The namespace, the descriptors and their positions, the files, the threads, the children.

    Parameters
    ----------
    namespace : dict
        The user's.
    *folders : Path
        All below them is looked at, by content, permissions and times.
    """
    return {
        "names": {name: (id(value), fingerprint(value)) for name, value in users(namespace).items()},
        "descriptors": descriptors(),
        "files": {str(path): _file(path) for folder in folders for path in _below(folder)},
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "children": sorted(children()),
        "folder": os.getcwd(),
        "environment": dict(os.environ),
    }


def descriptors() -> dict[int, tuple[str, str]]:
    """What each descriptor leads to; its position and flags."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{name}")
            state = Path(f"/proc/self/fdinfo/{name}").read_text(encoding="ascii")
        except OSError:  # the one that listed them
            continue
        found[int(name)] = (target, "\n".join(state.splitlines()[:2]))
    return found


def _below(folder: Path) -> list[Path]:
    return [folder, *folder.rglob("*")]


def _file(path: Path) -> tuple[Any, ...]:
    status = path.lstat()
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return status.st_mode, status.st_uid, status.st_size, status.st_mtime_ns, content
