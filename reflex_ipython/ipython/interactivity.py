"""Which expressions of a cell are shown: a cell that goes on where it failed shows those that it would have shown.

IPython looks at the setting as a cell begins. A statement that changes it is of no account for its own cell.
"""

from __future__ import annotations

from typing import Any

NAME = "ast_node_interactivity"
"""The shell's trait; a class attribute where somebody has set it for the class, as many notebooks do."""


class Interactivity:
    """Has the shell go by another setting until the first statement of a cell runs.

    Parameters
    ----------
    shell : InteractiveShell
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._meant = ""
        """The user's own setting, while another one stands there."""

    @property
    def now(self) -> str:
        """The user's setting."""
        return self._meant or getattr(self._shell, NAME, "")

    def set(self, interactivity: str) -> None:
        """The cell that begins is to go by this; empty: by the user's."""
        now = self.now
        if interactivity and interactivity != now:
            self._meant = now
            setattr(self._shell, NAME, interactivity)

    def reset(self) -> None:
        """IPython has looked: the user's own is to stand there again."""
        if not self._meant:
            return
        meant, self._meant = self._meant, ""
        if isinstance(getattr(type(self._shell), NAME, None), str):
            vars(self._shell).pop(NAME, None)
        if getattr(self._shell, NAME) != meant:
            setattr(self._shell, NAME, meant)
