"""A script that is run as one cell: where it fails, it is mended in its file and goes on where it failed."""

from __future__ import annotations

import dataclasses
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from reflex_ipython.base.text_file import read
from reflex_ipython.errors import BadInput, FileRefused
from reflex_ipython.ipython.extension import ATTRIBUTE, load, unload
from reflex_ipython.models import Edit, FileRef, Fix, Repair, cell_changes
from reflex_ipython.remember.backups import keep_copy
from reflex_ipython.repairs.own_files import OwnFiles
from reflex_ipython.repairs.ranking import convincing
from reflex_ipython.settings import from_environment

MOST = 20
"""Mistakes of one run that are mended: a script that goes on failing is left to a person."""
QUESTION = "Write this into {} and go on? [y/N] "
INTERRUPTED = 130
"""The exit code after a Ctrl-C."""
SETTLED = 60.0
"""Seconds that the trials of one failure are waited for, besides a model's answer."""


class _ScriptCompiler(CachingCompiler):
    """Gives the code of cells the name of the script, so that tracebacks and `inspect` name the file."""

    script = ""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return self.script

    def format_code_name(self, name: str) -> None:
        return None


class _ScriptShell(InteractiveShell):
    """A shell that runs a script: it shows no results, and an exit is no error."""

    def showtraceback(self, exc_tuple: Any = None, *arguments: Any, **more: Any) -> None:
        """Show it, unless it is an exit."""
        kind = exc_tuple[0] if exc_tuple else sys.exc_info()[0]
        if not (isinstance(kind, type) and issubclass(kind, SystemExit)):
            super().showtraceback(exc_tuple, *arguments, **more)


def run_script(path: str, arguments: Sequence[str], accept: str = "ask") -> int:
    """Run a script, and mend it where it fails.

    Parameters
    ----------
    path : str
    arguments : sequence of str
        The script's own.
    accept : str
        "ask", "proven" or "never".

    Returns
    -------
    int
        The script's exit code; 1 if it ended with an exception, 130 if it was interrupted.

    Raises
    ------
    BadInput
        If there is no such script, or it is no Python text.
    """
    # What IPython tells a person at its prompt of an exit.
    warnings.filterwarnings("ignore", message="To exit: use 'exit', 'quit', or Ctrl-D", category=UserWarning)
    found = read(path)
    if found is None:
        raise BadInput(f"{path} can't be read as a Python script.")
    shell = _shell(os.path.abspath(path), path, arguments)
    try:
        return _Script(shell, os.path.abspath(path), accept).run(found.text)
    finally:
        unload(shell)


def _shell(path: str, name: str, arguments: Sequence[str]) -> Any:
    settings = from_environment()
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.ast_node_interactivity = "none"
    for field in dataclasses.fields(settings):
        config.Reflex[field.name] = getattr(settings, field.name)
    _ScriptCompiler.script = path
    shell = _ScriptShell.instance(config=config, compiler_class=_ScriptCompiler)
    shell.user_ns["__file__"] = name
    sys.argv[:] = [name, *arguments]
    sys.path[:1] = [os.path.dirname(path)]
    load(shell)
    return shell


@dataclasses.dataclass(frozen=True)
class _Mended:
    """A text that was written for the script, and the repair that it is of."""

    repair: str
    old: str
    new: str


class _Script:
    """One run of it.

    Parameters
    ----------
    shell : InteractiveShell
        With the extension.
    path : str
        Absolute.
    accept : str
    """

    def __init__(self, shell: Any, path: str, accept: str) -> None:
        self._shell = shell
        self._path = path
        self._accept = accept
        self._extension = getattr(shell, ATTRIBUTE)
        self._files = OwnFiles(lambda name, data: keep_copy(self._extension.settings, name, data))

    def run(self, source: str) -> int:
        """Run it to its end."""
        self._extension.assembly.front_end.presenter.muted = True
        result = self._shell.run_cell(source, store_history=True)
        for _ in range(MOST):
            error = result.error_before_exec or result.error_in_exec
            if error is None or isinstance(error, (SystemExit, KeyboardInterrupt)):
                break
            try:
                mended = self._mended()
            except KeyboardInterrupt:  # while a fix is looked for, or instead of an answer: nothing is written
                print(file=sys.stderr)
                return INTERRUPTED
            if mended is None:
                break
            failed, result = result, self._shell.run_cell("%reflex accept", store_history=True)
            if not self._was_accepted(mended):  # what would happen twice was asked about, and is not wanted
                self._write(mended.new, mended.old)
                _say("the script is as it was.")
                result = failed
                break
        return _exit_code(result.error_before_exec or result.error_in_exec)

    def _mended(self) -> _Mended | None:
        """What has become of the script in its file, which is to run; None: nothing."""
        session = self._extension.assembly.session
        repair = session.repairs.latest(None)
        if repair is None or self._accept == "never":
            return None
        opened = session.repairs.open(repair.id)
        opened.wait(timeout=SETTLED + self._extension.settings.total_timeout)
        repair = opened.repair
        fix = next(iter(repair.fixes), None)
        if fix is None:
            _say(repair.trouble or "no fix was found.")
            return None
        own = cell_changes(fix, repair.situation).failing
        wanted = self._is_wanted(repair, fix) and self._write(own.expected, own.source)
        return _Mended(repair.id, own.expected, own.source) if wanted else None

    def _was_accepted(self, mended: _Mended) -> bool:
        decision = self._extension.assembly.session.repairs.find(mended.repair).decision
        return decision is not None and decision.kind == "accepted"

    def _is_wanted(self, repair: Repair, fix: Fix) -> bool:
        verdict = repair.verdict(fix)
        self._show(repair, fix)
        if self._accept == "proven":
            proven = convincing(verdict) and not verdict.dangerous and not repair.is_choice and not verdict.repeats
            if not proven:
                _say("this fix is not proven, so nothing was written.")
            return proven
        if not (sys.stdin is not None and sys.stdin.isatty()):
            _say("nobody can be asked here, so nothing was written: --accept proven takes what is proven.")
            return False
        print(QUESTION.format(os.path.basename(self._path)), end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def _show(self, repair: Repair, fix: Fix) -> None:
        """The change, why, and what is known of it."""
        from rich.console import Console

        from reflex_ipython.present.blocks import Title
        from reflex_ipython.present.elsewhere import outside_of_notebooks
        from reflex_ipython.present.fix_blocks import fix_blocks
        from reflex_ipython.present.panel import panel_state
        from reflex_ipython.present.terminal import panel

        view = outside_of_notebooks(next(view for view in panel_state(repair).fixes if view.id == fix.id))
        Console(file=sys.stderr).print(panel([Title(repair.cause.title, fix.origin), *fix_blocks(view)]))

    def _write(self, old: str, new: str) -> bool:
        """Give the script another text; a module's file is written as the fix is accepted."""
        try:
            if new != old:
                self._files.write([Edit(FileRef(self._path), old, new)])
        except FileRefused as refused:
            _say(f"not written: {refused}")
            return False
        return True


def _exit_code(error: BaseException | None) -> int:
    if error is None:
        return 0
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if not isinstance(error, SystemExit):
        return 1
    if error.code is None or isinstance(error.code, int):
        return error.code or 0
    print(error.code, file=sys.stderr)
    return 1


def _say(text: str) -> None:
    print(f"reflex: {text}", file=sys.stderr)
