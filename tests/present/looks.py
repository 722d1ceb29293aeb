"""What a repair looks like where there is no page: in a notebook's file, and in a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from reflex_ipython.models import Repair
from reflex_ipython.present.kept import kept
from reflex_ipython.present.panel import panel_state
from reflex_ipython.present.text import repair_panel


def kept_html(repair: Repair, working: str = "") -> str:
    """What is saved of it as HTML."""
    return str(kept(repair, panel_state(repair, working=working))["text/html"])


def kept_text(repair: Repair, working: str = "") -> str:
    """What is saved of it as text."""
    return str(kept(repair, panel_state(repair, working=working))["text/plain"])


def in_terminal(repair: Repair, width: int = 300) -> str:
    """What is printed of it."""
    console = Console(file=io.StringIO(), width=width, color_system=None, legacy_windows=False, _environ={})
    console.print(repair_panel(repair))
    return str(console.file.getvalue())  # type: ignore[attr-defined]  # a StringIO
