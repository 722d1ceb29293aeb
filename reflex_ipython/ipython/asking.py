"""Asking on the keyboard before something happens again: on a terminal, or wherever a front end answers `input`."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from reflex_ipython.errors import BadInput
from reflex_ipython.models import RunOption
from reflex_ipython.present import question
from reflex_ipython.present.question import Answer
from reflex_ipython.present.run_options import run_option_views

_PATIENCE = 5
"""So often is asked for an answer that can be understood; then it is a no."""


class RunQuestion:
    """Asks how an accepted fix is to run.

    Parameters
    ----------
    shell : InteractiveShell
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    def possible(self) -> bool:
        """Whether somebody can answer. Not under nbclient, nor where the input is a file."""
        kernel = getattr(self._shell, "kernel", None)
        if kernel is not None:
            return bool(getattr(kernel, "_allow_stdin", False))
        try:
            return sys.stdin.isatty()
        except (AttributeError, ValueError):  # there is none, or it is closed
            return False

    def settled(self, run_options: Sequence[RunOption], flag: str) -> Answer | None:
        """How it is to run without asking; None if that has to be asked.

        Parameters
        ----------
        run_options : sequence of RunOption
            What can be chosen.
        flag : str
            "resume" or "whole", if the user has said so already.

        Raises
        ------
        BadInput
            If it is to be resumed and can't be, and running all of it repeats something.
        """
        choice = run_option_views(run_options)
        if flag == "whole":
            return "whole"
        if not choice:
            return "resume"
        if flag != "resume":
            return None
        if choice[0].whole:
            raise BadInput(question.not_resumed(choice))
        return "resume"

    def ask(self, run_options: Sequence[RunOption]) -> Answer:
        """Ask; Ctrl-C, the end of the input and whatever goes wrong are a no.

        Raises
        ------
        BadInput
            If nobody can be asked.
        """
        choice = run_option_views(run_options)
        if not self.possible():
            raise BadInput(question.nobody_to_ask(choice))
        print(question.listing(choice), flush=True)
        try:
            with _interruptible():
                for _ in range(_PATIENCE):
                    answer = question.understood(self._read(question.prompt(choice)), choice)
                    if answer is not None:
                        return answer
        except (KeyboardInterrupt, Exception):  # noqa: BLE001 - whatever went wrong: nobody has said yes
            print()
        return "no"

    def _read(self, prompt: str) -> str:
        kernel = getattr(self._shell, "kernel", None)
        return str(input(prompt) if kernel is None else kernel.raw_input(prompt))


@contextmanager
def _interruptible() -> Iterator[None]:
    """Have Ctrl-C end the question: for a cell that awaits, the kernel has it cancel the cell, which has not begun."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
