"""Whom a fix of a function can be shown to: a person at a terminal, or in front of a notebook.

In a notebook the panel does that where it can: of a function whose text is a cell's or a file's. Of another text (one
that was kept by its id, say) the cell asks itself.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from reflex_ipython.models import Fix, Repair

_ASKING = threading.Lock()
"""One question at a time: functions may fail on several threads."""
QUESTION = "Put it in and call it again? [y/N] "


def is_notebook() -> bool:
    """Whether IPython runs here with the extension: its panel shows what failed."""
    return hasattr(_shell(), "reflex_extension")


def can_ask() -> bool:
    """Whether somebody sits at a terminal, or waits for this cell at a front end that can ask."""
    kernel = getattr(_shell(), "kernel", None)
    if kernel is not None:
        return threading.current_thread() is threading.main_thread() and bool(getattr(kernel, "_allow_stdin", False))
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def asked(repair: Repair, fix: Fix) -> bool:
    """Show the fix and ask; whether it is wanted."""
    with _ASKING:
        if getattr(_shell(), "kernel", None) is None:
            return _asked_in_terminal(repair, fix)
        print(_drawn(repair, fix), flush=True)
        return _is_yes(input(QUESTION))  # ipykernel asks the front end


def _shell() -> Any:
    """The shell that runs here; None where IPython does not run."""
    interactive = sys.modules.get("IPython.core.interactiveshell")
    shell = getattr(interactive, "InteractiveShell", None)
    return shell._instance if shell is not None and shell.initialized() else None


def _asked_in_terminal(repair: Repair, fix: Fix) -> bool:
    print(_drawn(repair, fix), QUESTION, sep="\n", end="", file=sys.stderr, flush=True)
    return _is_yes(sys.stdin.readline())


def _drawn(repair: Repair, fix: Fix) -> str:
    """The fix as a terminal shows it."""
    from rich.console import Console

    from reflex_ipython.present.blocks import Title
    from reflex_ipython.present.elsewhere import outside_of_notebooks
    from reflex_ipython.present.fix_blocks import fix_blocks
    from reflex_ipython.present.panel import panel_state
    from reflex_ipython.present.terminal import panel

    shown = outside_of_notebooks(next(view for view in panel_state(repair).fixes if view.id == fix.id))
    console = Console(stderr=True)
    with console.capture() as captured:
        console.print(panel([Title(repair.cause.title), *fix_blocks(shown)]))
    return captured.get().rstrip("\n")


def _is_yes(answer: str) -> bool:
    return answer.strip().lower() in ("y", "yes")
