"""Watching the statements of each cell, and going on in an accepted one where it failed."""

from __future__ import annotations

import ast
import dataclasses
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.interrupts import hand_on
from reflex_ipython.ipython.nobodys_folders import nobodys_folders
from reflex_ipython.ipython.publish import DISPLAY_IDS
from reflex_ipython.ipython.recording import (
    Recording,
    ShellsOwn,
    close_again,
    open_figures,
    open_numbers,
    reopen,
    results,
)
from reflex_ipython.ipython.replay import replayed
from reflex_ipython.ipython.statements import on_statement
from reflex_ipython.ipython.trees import Tap, tree_of
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.ipython.cells import RanCell
    from reflex_ipython.models import CellEdit
    from reflex_ipython.state.analysis.foreseen import Functions
    from reflex_ipython.state.credit import Credit
    from reflex_ipython.state.journal import Journal
    from reflex_ipython.state.plan import Plan

_DEFINING = (ast.FunctionDef, ast.ClassDef)
_FAILURES = 50
"""Failed runs of which is known what running them again would repeat."""
_OTHER_CELL = "what the failed run did, since another cell ran in between"
_UNSHOWN = "the last line's value is not shown: it was not run again"
_SHOWN = ("stream", "display_data", "update_display_data", "execute_result", "clear_output")


@dataclasses.dataclass(frozen=True)
class Resumption:
    """How an accepted cell is run again.

    Parameters
    ----------
    run : Recording
        The failed run of it.
    plan : Plan
    words : str
        What was put back for it.
    exact : bool
        Whether that was all.
    beyond : bool
        Whether the state is one from before an earlier fix of that cell was accepted.
    """

    run: Recording
    plan: Plan
    words: str
    exact: bool
    beyond: bool


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
        self._unhook: Callable[[], None] = lambda: None
        """Ends the keeping of outputs."""
        self._thread = 0
        """The thread that it runs on; a cell that a subshell runs meanwhile is not watched."""
        self._tap = Tap(self._tapped)
        self._skip: Plan | None = None
        """What to leave out of the cell that is parsed next."""
        self.failed: Recording | None = None
        """The run of the last cell that failed, until another one succeeds."""
        self._failures: OrderedDict[tuple[str | None, int], Recording] = OrderedDict()
        self._credit: Credit | None = None
        """How much time noting may take, over all cells."""
        self._functions: Functions | None = None
        """Where the source of the user's functions is found."""
        self._accepted: Recording | None = None
        """The run of an accepted fix, until another cell runs: it can still be undone."""

    # ------------------------------------------------------------------------------- around a cell

    def starts(self, cell: RanCell, resumed: Resumption | None) -> None:
        """A cell of the user's begins. `resumed`: it is the accepted one, prepared."""
        if self._elsewhere():
            return
        self._thread = threading.get_ident()
        self._unhook()
        self._unhook = self._keep_outputs()
        if resumed is not None and resumed.plan.done:  # it goes on in the same journal, as what failed before it did
            self._accepted = None
            done = len(resumed.plan.done)
            self._running = resumed.run.since(done, cell)
            self._replay(resumed.run, done)
            return
        self._release()
        self._outdate()
        begun = None if resumed is None else 0
        self._running = Recording(cell, self._journal(), begun=begun) if self._settings().keep_state else None

    def ended(self, *, failed: bool, began: bool = True) -> None:
        """It has ended; `began`: its last statement was compiled and began to run."""
        if self._elsewhere():
            return
        running, self._running = self._running, None
        self._unhook()
        self._leave_out(None)
        if running is None:
            return
        if failed:
            if running.nodes is None:
                running.nodes = self._nodes(running, began=began)
            running.fail(began=began)
            self._failures[running.cell.id, running.cell.number] = self.failed = running
            if len(self._failures) > _FAILURES:
                self._failures.popitem(last=False)
            return
        self.failed = None
        if running.begun is None:
            running.journal.clear()
        else:
            running.journal.left()
            self._accepted = running

    def close(self) -> None:
        """Let go of everything."""
        self._unhook()
        self._leave_out(None)
        self._release()
        self._failures.clear()
        self.failed = None
        if self._running is not None:
            self._running.journal.clear()
            self._running = None

    # ------------------------------------------------------------------------------- an accepted cell

    def plan(self, edit: CellEdit, *, whole: bool = False) -> Plan | None:
        """What an accepted run of a cell that failed would do; None if nothing is known of its failed run."""
        failed = self._failed(edit)
        if failed is None or failed.nodes is None or not self._settings().keep_state:
            return None
        tree = tree_of(self._shell, edit.source)
        if tree is None:
            return None
        from reflex_ipython.state.plan import Ran, plan  # with the first failure

        return plan(
            Ran(failed.nodes, failed.failed, failed.effects, failed.order),
            tree.body,
            other_cell_ran=failed.other_cell_ran,
            whole=whole or not failed.complete,
            namespace=self._shell.user_ns,
            interactivity="none" if self._is_quiet(edit.source) else self._shell.ast_node_interactivity,
        )

    def uncovered(self, edit: CellEdit) -> dict[str, str]:
        """The names that an accepted run of a cell that failed starts with as the failed run has left them, and why."""
        failed, found = self._failed(edit), self.plan(edit)
        if failed is None or found is None or found.rollback is None:
            return {}
        return {name: why for names in reversed(failed.uncovered[found.rollback :]) for name, why in names.items()}

    def rewind(self, edit: CellEdit) -> None:
        """In a copy of the kernel: put the state back to where the accepted run would start."""
        failed = self._failed(edit)
        resumed = self.prepare(edit)
        if failed is not None and resumed is not None and resumed.plan.done:
            reopen(failed.figures_of(len(resumed.plan.done)))

    def prepare(self, edit: CellEdit, *, whole: bool = False) -> Resumption | None:
        """Put the state back to where the accepted run starts, and have what is done left out."""
        failed, found = self._failed(edit), self.plan(edit, whole=whole)
        if failed is None or found is None:
            return None
        if found.rollback is not None and found.rollback < len(failed.journal):
            restored = failed.journal.rollback(found.rollback)
        else:  # what failed had not begun to run; or nobody knows the way back any more
            from reflex_ipython.state.restoration import Restoration

            restored = Restoration(not_undone=(_OTHER_CELL,) if failed.other_cell_ran else ())
        self._leave_out(found if found.done else None)
        words = ", ".join(filter(None, (found.words, restored.words)))
        words += f"; {_UNSHOWN}" if found.unshown else ""
        beyond = found.rollback is not None and found.rollback < (failed.begun or 0)
        return Resumption(failed, found, words, restored.exact, beyond)

    def run_nothing(self) -> None:
        """The cell that runs now was an acceptance, and the user has thought better of it."""
        from reflex_ipython.state.plan import Plan

        self._leave_out(Plan())

    @property
    def held(self) -> int:
        """Bytes that are held to put the state back."""
        runs = {id(run): run for run in (self._accepted, self.failed) if run is not None}
        return sum(run.journal.held for run in runs.values())

    def undo(self) -> str:
        """Put the state back to where the last cell began, if that was the run of an accepted fix.

        Returns
        -------
        str
            What came of it, in words; empty if it was none, or if nothing of it is held any more.
        """
        run = self._accepted or self.failed
        if run is None or run.begun is None or run.other_cell_ran:
            return ""
        figures = open_figures()
        if run.begun < len(run.journal):
            words = run.journal.rollback(run.begun).words
        else:  # no statement was left to run
            from reflex_ipython.state.restoration import Restoration

            words = Restoration().words
        close_again(figures)
        self._failures.pop((run.cell.id, run.cell.number), None)
        self._accepted = self.failed = None  # the journal is needed, if the same fix is accepted again
        return words

    # ------------------------------------------------------------------------------- registrations

    def install(self) -> Callable[[], None]:
        """Begin to watch; gives the function that ends it."""
        callbacks = self._shell.events.callbacks["post_execute"]
        stop = on_statement(self._before)
        callbacks.insert(0, self._executed)  # in front of the inline backend, which closes figures

        def uninstall() -> None:
            callbacks.remove(self._executed)
            stop()
            self.close()
            effects = sys.modules.get("reflex_ipython.state.effects")
            if effects is not None:
                effects.unlisten()

        return uninstall

    def _keep_outputs(self) -> Callable[[], None]:
        """Keep what the cell sends from now on; gives the function that ends it.

        Not longer than the cell runs: nothing of ours stands in the way of a reply.
        """
        kernel = getattr(self._shell, "kernel", None)
        if kernel is None:  # a terminal keeps what it has printed
            return lambda: None
        session, original = kernel.session, kernel.session.send

        def send(*arguments: Any, **named: Any) -> Any:
            if self._running is not None:
                try:
                    self._keep_output(*arguments[1:3], **named)
                except KeyboardInterrupt:
                    hand_on()
            return original(*arguments, **named)

        return _replace(session, "send", send)

    # ------------------------------------------------------------------------------- inside

    def _journal(self) -> Journal:
        from reflex_ipython.state.analysis.foreseen import Functions  # with the first cell, not with %load_ext
        from reflex_ipython.state.bounds import Bounds
        from reflex_ipython.state.credit import Credit
        from reflex_ipython.state.journal import Journal

        settings = self._settings()
        if self._credit is None or self._functions is None:
            self._credit, self._functions = Credit(lambda: self._settings().undo_share), Functions()
        self._credit.begin()
        bounds = Bounds(settings.undo_nodes, settings.undo_bytes, settings.undo_time * 1000)
        return Journal(
            self._shell.user_ns,
            bounds,
            ShellsOwn(),
            results=lambda name: results(self._shell.user_ns, name),
            own_folders=lambda: nobodys_folders(self._shell),
            credit=self._credit,
            functions=self._functions,
        )

    def _elsewhere(self) -> bool:
        """Whether a cell runs on another thread than this one."""
        if self._running is None or self._thread == threading.get_ident():
            return False
        return any(thread.ident == self._thread for thread in threading.enumerate())

    def _before(self, code: CodeType, node: ast.stmt) -> None:
        """A statement is about to run."""
        running = self._running
        if running is None or self._thread != threading.get_ident() or self._depth() != 1:
            return
        try:
            if running.marks:
                running.journal.after()
                for stream in (sys.stdout, sys.stderr):
                    if getattr(stream, "_flush_pending", False):
                        stream.flush()  # what was printed must be on its side of the mark; waits for another thread
            running.marks.append(len(running.outputs))
            running.opened.append(open_numbers())
            if type(node) in _DEFINING and self._functions is not None:
                self._functions.add([node], code.co_filename)
            running.journal.before(code, node)
        except KeyboardInterrupt:
            self._give_up(running)
            raise
        except Exception as error:  # noqa: BLE001 - nothing of ours may break a cell
            self._give_up(running)
            self._warn(f"{type(error).__name__} in its own code, this cell can't be resumed: {error}")

    def _give_up(self, running: Recording) -> None:
        self._running = None
        running.journal.clear()

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

    def _executed(self) -> None:
        """IPython's event: the last statement is over."""
        try:
            running = self._running
            if running is not None and self._depth() == 1:
                running.figures = open_figures()
                if running.marks and self._shell.last_execution_succeeded:
                    running.journal.after()
        except KeyboardInterrupt:  # the cell was over
            if self._running is not None:
                self._give_up(self._running)

    def _replay(self, before: Recording, done: int) -> None:
        """Show again what the statements that do not run again had shown: so many, the first that ran."""
        kernel = getattr(self._shell, "kernel", None)
        running, self._running = self._running, None  # what is replayed was kept already
        if kernel is not None:
            for kind, content in before.shown_before(done):
                content = replayed(kind, content)
                kernel.session.send(
                    kernel.iopub_socket, kind, content, parent=self._shell.get_parent(), ident=kind.encode()
                )
        self._running = running
        reopen(before.figures_of(done))

    def _failed(self, edit: CellEdit) -> Recording | None:
        """The failed run of a cell; only the last one that failed holds what it takes to put the state back."""
        return self._failures.get((edit.cell.id, edit.cell.execution_count or 0))

    def _release(self) -> None:
        """An accepted run can't be undone any more, and no object of it is held."""
        if self._accepted is not None:
            self._accepted.journal.clear()
        self._accepted = None

    def _outdate(self) -> None:
        """Another cell runs: what failed before can't be resumed any more, and no object of it is held."""
        for run in self._failures.values():
            if not run.other_cell_ran:
                run.forget()

    def _nodes(self, running: Recording, *, began: bool) -> list[ast.stmt] | None:
        """The statements of a cell that failed, as far as it came; with the one that did not compile."""
        ran = running.journal.nodes()
        if began and ran:
            return ran
        tree = tree_of(self._shell, running.cell.source)
        return list(tree.body) if tree is not None else None

    def _leave_out(self, plan: Plan | None) -> None:
        """Have the cell that is parsed next run what that plan says; None: have it run as it is.

        The transformer is there only for such a cell: IPython walks once more through what a transformer has seen.
        """
        self._skip = plan
        transformers = self._shell.ast_transformers
        if plan is None and self._tap in transformers:
            transformers.remove(self._tap)
        if plan is not None and self._tap not in transformers:
            transformers.append(self._tap)

    def _tapped(self, tree: ast.Module) -> None:
        """An accepted cell was parsed: note its statements, and leave out those that are done."""
        if self._elsewhere() or self._skip is None:
            return
        running, skip, self._skip = self._running, self._skip, None
        if running is not None and self._depth() == 1:
            running.nodes = list(tree.body)
            running.order = [*skip.done, *skip.runs]
        tree.body = [*(tree.body[place] for place in skip.runs), *_ending(skip, tree.body)]

    def _is_quiet(self, source: str) -> bool:
        """Whether a cell ends with a semicolon, which keeps IPython from displaying anything."""
        try:
            return bool(self._shell.displayhook.semicolon_at_end_of_expression(source))
        except Exception:  # noqa: BLE001 - magics are no Python, and the tokenizer says so in many ways
            return source.rstrip().endswith(";")


def _ending(plan: Plan, statements: list[ast.stmt]) -> list[ast.stmt]:
    """What has to come last, where the last statement itself does not run: it decides what is displayed."""
    if len(statements) - 1 not in plan.done:
        return []
    last: ast.stmt = ast.Expr(ast.Name(plan.shows, ast.Load())) if plan.shows else ast.Pass()
    ast.copy_location(last, statements[-1])
    return [ast.fix_missing_locations(last)] if plan.shows or plan.runs else []


def _replace(holder: Any, name: str, method: Any) -> Callable[[], None]:
    """Replace a method of an object; gives the function that puts it back, unless somebody has replaced ours since."""
    own = vars(holder).get(name)
    setattr(holder, name, method)

    def put_back() -> None:
        if vars(holder).get(name) is not method:
            return
        if own is None:
            delattr(holder, name)
        else:
            setattr(holder, name, own)

    return put_back
