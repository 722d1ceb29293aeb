"""Running a cell in a copy of the kernel as the kernel runs it: magics, displays, `await`, figures.

Only ever used in a forked child (`check.trial`), where replacing the shell's parts harms nobody.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from reflex_ipython.base.running_loop import loop_is_running
from reflex_ipython.capture.second_look import second_look
from reflex_ipython.check.trial.after_fork import thawed
from reflex_ipython.check.trial.events import tell
from reflex_ipython.check.trial.outputs import Outputs
from reflex_ipython.check.trial.served_files import serve
from reflex_ipython.models import CellChanges, Edit, FileRef, Lookup, Replay

if TYPE_CHECKING:
    from reflex_ipython.traces.replaying import Replayer

_RUNNING = ("run_code", "run_ast_nodes", "run_cell_async", "should_run_async", "transform_cell", "transform_ast")

_AND_ITS_LOGS = ("", "-wal", "-journal")
"""What SQLite has open of a file."""


class ShellRunner:
    """Runs cells in a shell (`check.trial.runner.Runner`).

    Parameters
    ----------
    shell : InteractiveShell
    rewind : callable
        Given the failing cell's edit, brings the namespace to the state that an accepted run would start from.
    apply : callable
        Puts an earlier cell's or a file's new source into effect; gives what was raised, if anything was.
    forget : callable
        Takes away the names that an earlier cell's new source gives no more.
    history : callable or None
        Gives the path of the file where repairs are kept. None: there is none.
    """

    def __init__(
        self,
        shell: Any,
        rewind: Callable[[CellChanges], object],
        apply: Callable[[Edit], BaseException | None],
        forget: Callable[[Edit], object] = lambda edit: None,
        history: Callable[[], Path] | None = None,
    ) -> None:
        self._shell = shell
        self._rewind = rewind
        self._apply = apply
        self._forget = forget
        self._history = history
        self._replayer: Replayer | None = None

    @property
    def namespace(self) -> dict[str, Any]:
        """The user's names."""
        return self._shell.user_ns  # type: ignore[no-any-return]  # IPython is not typed

    @property
    def own_files(self) -> tuple[str, ...]:
        """The histories of years, IPython's and ours, which would be copied for each trial."""
        history = getattr(self._shell, "history_manager", None)
        files = [] if history is None else [history.hist_file]
        files += [] if self._history is None else [self._history()]
        return tuple(os.path.realpath(file) + log for file in files for log in _AND_ITS_LOGS)

    def detach(self) -> None:
        """Cut all that leads to the front end, and everybody's hooks but those that draw figures."""
        shell = self._shell
        if "reflex_ipython.traces.hook" in sys.modules:  # else no trace was ever on
            from reflex_ipython.traces.replaying import replayer

            with thawed():  # functions inside of others are looked for among the collector's objects
                self._replayer = replayer(type(getattr(sys, "last_value", None)).__name__)  # rewinding takes names away
        kernel = getattr(shell, "kernel", None)
        if kernel is not None:
            _silence(kernel)
        callbacks = shell.events.callbacks
        for name, registered in callbacks.items():
            callbacks[name] = [one for one in registered if "matplotlib" in getattr(one, "__module__", "")]
        shell.set_custom_exc((), None)
        shell._showtraceback = lambda *arguments: None
        # What nobody sees need not be made: of an error that was raised inside pandas it takes 0.3 s.
        shell.InteractiveTB.structured_traceback = lambda *arguments, **keywords: []
        scripts = shell.magics_manager.registry.get("ScriptMagics")
        if scripts is not None:
            scripts.event_loop = None  # `%%bash` waits for what runs there, and its thread is not in the copy
        shell.system = shell.system_raw  # the other way needs a pty, and fails in words that nobody understands
        history = getattr(shell, "history_manager", None)
        if history is not None:
            history.enabled = False

    def rewind(self, changes: CellChanges) -> None:
        """As it was given."""
        self._rewind(changes)

    def forget(self, edit: Edit) -> None:
        """As it was given."""
        self._forget(edit)

    def watch(self) -> list[tuple[Any, str]]:
        """Have it told at once that a statement of the cell raised, whatever the shell then makes of that."""
        shell = self._shell
        shell.run_code = _telling(shell.run_code)
        return [(owner, name) for owner in (shell, *type(shell).__mro__[:-1]) for name in _RUNNING]

    async def apply(self, edit: Edit, outputs: Outputs) -> BaseException | None:
        """Put an earlier cell's or a file's new source into effect."""
        with thawed():  # living functions are looked for among the collector's objects
            error = self._apply(edit)
        if isinstance(edit.target, FileRef):
            serve(edit.target.path, edit.source)
        return error

    def look_up(self, error: BaseException) -> Lookup | None:
        """As the capture of a failure finds it."""
        return second_look(error)

    async def replay(self, seconds: float) -> Replay | None:
        """Make again what a trace has recorded."""
        return await self._replayer.replay(seconds) if self._replayer is not None else None

    async def run(self, source: str, outputs: Outputs) -> BaseException | None:
        """Run a cell as the kernel would, without history."""
        transformed, trouble = source, None
        try:
            transformed = _blank_above(source) + self._shell.transform_cell(source)
        except Exception:  # noqa: BLE001 - as IPython does: the cell's own error follows
            trouble = sys.exc_info()
        run = self._run(source, transformed, trouble, outputs)
        if not loop_is_running() and self._shell.should_run_async(source, transformed_cell=transformed):
            return asyncio.run(run)  # a terminal starts a loop for a cell that awaits
        return await run

    async def _run(self, source: str, transformed: str, trouble: Any, outputs: Outputs) -> BaseException | None:
        shell = self._shell
        shell.display_pub.publish = _publisher(outputs)
        shell.display_trap.hook = sys.displayhook = _displayhook(shell, source, outputs)
        before = getattr(sys, "last_value", None)
        result = await shell.run_cell_async(
            source, store_history=False, transformed_cell=transformed, preprocessing_exc_tuple=trouble
        )
        shell.events.trigger("post_execute")  # draws the figures
        error = result.error_before_exec or result.error_in_exec
        shown = getattr(sys, "last_value", None)
        return error or (shown if shown is not before else None)


def _blank_above(source: str) -> str:
    """The empty lines at the top of a cell, which IPython takes away: without them its lines have other numbers."""
    return "\n" * source[: len(source) - len(source.lstrip())].count("\n")


def _telling(run_code: Callable[..., Any], frame_of: Callable[[int], FrameType] = sys._getframe) -> Callable[..., Any]:
    """Tells when a statement raises: in a frame that runs before the cell's code, which so can't replace it."""

    async def run(code: CodeType, result: Any = None, *, async_: bool = False) -> bool:
        told, nested = tell, _is_below(frame_of(1), run.__code__)
        failed = await run_code(code, result, async_=async_)
        if failed and not nested:  # `get_ipython().run_cell` in a cell only prints what it raises
            told("raised")
        return bool(failed)

    return run


def _is_below(frame: FrameType | None, code: CodeType) -> bool:
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


def _silence(kernel: Any) -> None:
    """Nothing reaches the front end, and nobody waits for the thread that would send it: it did not come along."""
    from ipykernel.iostream import OutStream

    kernel.session.send = lambda *arguments, **more: None
    OutStream.write = lambda self, text: len(text)
    OutStream.flush = lambda self: None


def _publisher(outputs: Outputs) -> Callable[..., None]:
    def publish(data: dict[str, Any], *arguments: Any, **more: Any) -> None:
        outputs.show(data)

    return publish


def _displayhook(shell: Any, source: str, outputs: Outputs) -> Callable[[Any], None]:
    def hook(value: Any = None) -> None:
        if value is not None and not shell.displayhook.semicolon_at_end_of_expression(source):
            data, _ = shell.display_formatter.format(value)
            outputs.result(data)

    return hook
