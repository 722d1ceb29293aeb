"""Watching the statements of each cell, and going on in an accepted one where it failed."""

from __future__ import annotations

import ast
import dataclasses
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.publish import DISPLAY_IDS
from reflex_ipython.ipython.recording import Recording, ShellsOwn, open_figures, reopen
from reflex_ipython.models import RunWay
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.state.journal import Journal
    from reflex_ipython.state.plan import Plan

_SHOWN = ("stream", "display_data", "update_display_data", "execute_result", "clear_output")


@dataclasses.dataclass(frozen=True)
class Resumption:
    """How an accepted cell is run again, what was put back for it in words, and whether that was all."""

    plan: Plan
    words: str
    exact: bool


class Resuming:
    """One shell's cells, one at a time, and the last one that failed.

    Parameters
    ----------
    shell : InteractiveShell
    settings : callable
        Gives the settings as they are now.
    depth : callable
        How many cells run inside each other just now: what a cell runs itself is not looked at.
    warn : callable
        Is told in one line when something of ours went wrong.
    """

    def __init__(
        self, shell: Any, settings: Callable[[], Settings], depth: Callable[[], int], warn: Callable[[str], None]
    ) -> None:
        self._shell = shell
        self._settings = settings
        self._depth = depth
        self._warn = warn
        self._running: Recording | None = None
        self._skip: int | None = None
        self.failed: Recording | None = None
        """The run of the last cell that failed, until another one succeeds."""

    # ------------------------------------------------------------------------------- around a cell

    def starts(self, resumed: Resumption | None) -> None:
        """A cell of the user's begins. `resumed`: it is the accepted one, prepared."""
        before, self.failed = self.failed, None
        if not self._settings().keep_state:
            self._running = None
        elif resumed is not None and resumed.plan.start and before is not None:
            self._running = before.since(resumed.plan.start)
            self._replay(before, resumed.plan.start)
        else:
            self._running = Recording(self._journal())
            self.failed = before
            if before is not None:
                before.other_cell_ran = True

    def ended(self, *, failed: bool, began: bool = True) -> None:
        """It has ended; `began`: its last statement was compiled and began to run."""
        running, self._running, self._skip = self._running, None, None
        if running is None:
            return
        if failed:
            running.fail(began=began)
            self._let_go()
            self.failed = running
        else:
            running.journal.clear()
            self._let_go()

    def close(self) -> None:
        """Let go of everything."""
        self._let_go()
        self.failed = None
        if self._running is not None:
            self._running.journal.clear()
            self._running = None

    # ------------------------------------------------------------------------------- an accepted cell

    def ways(self, source: str) -> tuple[RunWay, ...]:
        """How this source can be run once it is accepted; empty if nothing is known of a failed run."""
        plans = [self.plan(source), self.plan(source, whole=True)]
        ways = [RunWay(plan.line, plan.repeats) for plan in plans if plan is not None]
        return tuple(dict.fromkeys(ways))

    def plan(self, source: str, *, whole: bool = False) -> Plan | None:
        """What an accepted run of this source would do; None if nothing is known of a failed run."""
        failed = self.failed
        if failed is None or failed.nodes is None or not self._settings().keep_state:
            return None
        nodes = self._statements(source)
        if nodes is None:
            return None
        from reflex_ipython.state.plan import plan  # with the first failure

        whole = whole or not failed.complete
        return plan(
            failed.nodes, nodes, failed.failed, failed.effects, other_cell_ran=failed.other_cell_ran, whole=whole
        )

    def prepare(self, source: str, *, whole: bool = False) -> Resumption | None:
        """Put the state back to where the accepted run starts, and have what is done left out."""
        failed, found = self.failed, self.plan(source, whole=whole)
        if failed is None or found is None:
            return None
        words = [f"resumed at line {found.line}"] if found.start else []
        exact = True
        if found.rollback is not None and found.rollback < len(failed.journal):
            restored = failed.journal.rollback(found.rollback)
            words.append(restored.words)
            exact = restored.exact
        elif failed.other_cell_ran:
            words.append("another cell ran in between, so nothing was put back")
            exact = False
        self._skip = found.start or None
        return Resumption(found, ", ".join(words), exact)

    # ------------------------------------------------------------------------------- registrations

    def install(self) -> Callable[[], None]:
        """Begin to watch; gives the function that ends it."""
        shell, callbacks = self._shell, self._shell.events.callbacks["post_execute"]
        own = vars(shell).get("run_code")
        original = shell.run_code

        async def run_code(code: Any, result: Any = None, *, async_: bool = False) -> Any:
            self._before(code)
            return await original(code, result, async_=async_)

        transformer = _Tap(self)
        shell.run_code = run_code
        shell.ast_transformers.append(transformer)
        callbacks.insert(0, self._keep_figures)  # in front of the inline backend, which closes them
        unhook = self._install_output_hook()

        def uninstall() -> None:
            unhook()
            callbacks.remove(self._keep_figures)
            shell.ast_transformers.remove(transformer)
            if own is None:
                del shell.run_code
            else:
                shell.run_code = own
            self.close()

        return uninstall

    def _install_output_hook(self) -> Callable[[], None]:
        kernel = getattr(self._shell, "kernel", None)
        if kernel is None:  # a terminal keeps what it has printed
            return lambda: None
        session, original = kernel.session, kernel.session.send

        def send(*arguments: Any, **named: Any) -> Any:
            if self._running is not None:
                self._keep_output(*arguments[1:3], **named)
            return original(*arguments, **named)

        session.send = send

        def undo() -> None:
            if vars(session).get("send") is send:
                del session.send

        return undo

    # ------------------------------------------------------------------------------- inside

    def _journal(self) -> Journal:
        from reflex_ipython.state.bounds import Bounds  # with the first cell, not with %load_ext
        from reflex_ipython.state.journal import Journal

        settings = self._settings()
        bounds = Bounds(settings.undo_nodes, settings.undo_bytes, settings.undo_time * 1000)
        return Journal(self._shell.user_ns, bounds, ShellsOwn(), own_folders=_nobodys(self._shell))

    def _before(self, code: Any) -> None:
        """A statement is about to run."""
        running = self._running
        if running is None or self._depth() != 1:
            return
        try:
            if running.marks:  # what was printed must be on its side of the mark; flushing waits for another thread
                sys.stdout.flush()
                sys.stderr.flush()
            running.marks.append(len(running.outputs))
            running.journal.before(code)
        except Exception as error:  # noqa: BLE001 - nothing of ours may break a cell
            self._running = None
            running.journal.clear()
            self._warn(f"{type(error).__name__} in its own code, this cell can't be resumed: {error}")

    def _keep_output(self, msg_or_type: Any = None, content: Any = None, **_: Any) -> None:
        """Keep what `Session.send` was given, if it is an output of the cell that runs."""
        kind = msg_or_type
        if isinstance(msg_or_type, dict):
            kind, content = msg_or_type.get("header", {}).get("msg_type"), msg_or_type.get("content")
        if self._running is None or kind not in _SHOWN or not isinstance(content, dict):
            return
        shown_as = (content.get("transient") or {}).get("display_id") or ""
        if not str(shown_as).startswith(DISPLAY_IDS):  # a panel that changes meanwhile is ours, not the cell's
            self._running.add(str(kind), content)

    def _keep_figures(self) -> None:
        if self._running is not None and self._depth() == 1:
            self._running.figures = open_figures()

    def _replay(self, before: Recording, start: int) -> None:
        """Show again what the statements that do not run again had shown."""
        kernel = getattr(self._shell, "kernel", None)
        running, self._running = self._running, None  # what is replayed was kept already
        if kernel is not None:
            for kind, content in before.outputs[: before.marks[start]]:
                kernel.session.send(
                    kernel.iopub_socket, kind, content, parent=self._shell.get_parent(), ident=kind.encode()
                )
        self._running = running
        reopen(before.figures)

    def _statements(self, source: str) -> list[ast.stmt] | None:
        """The statements of a cell as IPython would compile them."""
        shell = self._shell
        try:
            tree = shell.compile.ast_parse(shell.transform_cell(source))
            for transformer in shell.ast_transformers:
                if not isinstance(transformer, _Tap):
                    tree = transformer.visit(tree)
        except Exception:  # noqa: BLE001 - foreign transformers; a cell that does not compile is not resumed
            return None
        return list(tree.body)

    def _let_go(self) -> None:
        """Hold no object of the failed run any more; that it was there, and that another cell came, is still known."""
        if self.failed is not None:
            self.failed.forget()

    def tapped(self, tree: ast.Module) -> None:
        """A cell was parsed: note its statements, and leave out those that are done."""
        running, skip, self._skip = self._running, self._skip, None
        if running is not None and self._depth() == 1 and (running.nodes is None or skip is not None):
            running.nodes = list(tree.body)
        if skip is not None:
            tree.body = tree.body[skip:]


def _nobodys(shell: Any) -> tuple[str, ...]:
    """Folders where libraries write for themselves: a cache that is written twice is no effect that anybody minds.

    `%cd` notes in IPython's own folder where one has been; matplotlib builds its list of fonts when it is first used.
    """
    named = [os.environ.get(name) for name in ("XDG_CACHE_HOME", "MPLCONFIGDIR")]
    usual = [os.path.expanduser(path) for path in ("~/.cache", "~/.config/matplotlib", "~/Library/Caches")]
    return (str(shell.ipython_dir), *filter(None, named), *usual)


class _Tap(ast.NodeTransformer):
    """IPython's door to a cell's syntax tree. It stands last, so that it sees what will be compiled."""

    def __init__(self, resuming: Resuming) -> None:
        self._resuming = resuming

    def visit(self, node: ast.AST) -> ast.AST:
        """Called once for each tree."""
        if isinstance(node, ast.Module):
            self._resuming.tapped(node)
        return node
