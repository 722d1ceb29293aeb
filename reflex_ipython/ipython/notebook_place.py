"""Where a repair happened: which notebook this kernel runs for, and whose it is."""

from __future__ import annotations

import dataclasses
import getpass
import hashlib
import os
import socket
from contextlib import suppress
from typing import Any

from reflex_ipython.models import Repair
from reflex_ipython.settings import Settings


class NotebookPlace:
    """What the kernel knows of its notebook.

    Parameters
    ----------
    shell : InteractiveShell
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    @property
    def notebook(self) -> str:
        """The notebook's path; empty in a terminal, and where the front end does not tell it.

        Jupyter servers put it into the environment of the kernel that they start for it, VS Code into the namespace.
        """
        told = self._shell.user_ns.get("__vsc_ipynb_file__")
        path = told if isinstance(told, str) else os.environ.get("JPY_SESSION_NAME", "")
        return path if path.endswith(".ipynb") else ""

    def noted(self, repair: Repair, settings: Settings) -> Repair:
        """The repair with notebook and author as the history is to have them.

        On a server that others read, one notebook can be told from another, and no more, unless the settings allow it.
        """
        notebook = self.notebook or repair.notebook
        if not settings.history_url:
            return dataclasses.replace(repair, notebook=notebook)
        if settings.history_names:
            return dataclasses.replace(repair, notebook=notebook, author=_author())
        secret = f"{_author()}\x1f{notebook}".encode("utf-8", "replace")
        digest = hashlib.sha256(secret).hexdigest()[:8]
        return dataclasses.replace(repair, notebook=f"notebook {digest}" if notebook else "")


def _author() -> str:
    name = "somebody"
    with suppress(OSError, KeyError, ImportError):  # no user of that number
        name = getpass.getuser()
    return f"{name}@{socket.gethostname()}"
