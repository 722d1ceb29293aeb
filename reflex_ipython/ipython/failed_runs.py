"""The runs of cells that failed, and what is asked about them: what an accepted run would do, and repeat."""

from __future__ import annotations

import ast
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.cell_run import CellRun
from reflex_ipython.ipython.trees import tree_of
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.ipython.after_reply import AfterReply
    from reflex_ipython.models import Edit
    from reflex_ipython.state.plan import Plan

_MOST = 50
"""Runs of which is known what running them again would repeat."""
_MOST_PLANS = 100
"""Texts of one cell of which it is kept how they would run."""
_FEW = 100
"""Statements of which nobody notices that it is found out at once what they did."""
_PATIENCE = 30.0
"""Seconds that another thread waits for the main one to find out what a run did."""
_EMPTY_ABOVE = re.compile(r"(?:[^\S\n]*\n)*")
_SEMICOLON = re.compile(r";\s*(?:#[^\n]*(?:\n\s*|\Z))*\Z")


class FailedRuns:
    """Those of one shell.

    Parameters
    ----------
    shell : InteractiveShell
    settings : callable
        Gives the settings as they are now.
    warn : callable
        Is told in one line when something of ours went wrong.
    """

    def __init__(self, shell: Any, settings: Callable[[], Settings], warn: Callable[[str], None]) -> None:
        self._shell = shell
        self._settings = settings
        self._warn = warn
        self._runs: OrderedDict[tuple[str | None, int], CellRun] = OrderedDict()
        self._after_reply: AfterReply | None = None
        self.last: CellRun | None = None
        """That of the last cell that failed, until another one succeeds."""
        self._read: tuple[str, ast.Module | None] | None = None
        """The text that was read last, and its tree."""
        self._cell = 0
        """How often that was forgotten: another thread may be reading meanwhile."""

    @property
    def of_last_cell(self) -> CellRun | None:
        """That of the last cell, if it has failed."""
        return None if self.last is None or self.last.other_cell_ran else self.last

    def add(self, run: CellRun) -> None:
        """A run has failed. What many statements did is found out once the cell's reply is out."""
        self._forget_read()
        self._runs[run.cell.id, run.cell.number] = self.last = run
        if len(self._runs) > _MOST:
            self._runs.popitem(last=False)
        if len(run.journal) <= _FEW:
            self._find_out(run)
            return
        if self._after_reply is None:
            from reflex_ipython.ipython.after_reply import AfterReply  # with the first long cell that fails

            self._after_reply = AfterReply(self._shell)
        self._after_reply.call(lambda: self._find_out(run), ready=lambda: True)

    def find_out(self) -> None:
        """Find out now what the last run did, if that was put off until its reply is out; the main thread alone can."""
        if threading.current_thread() is not threading.main_thread():
            return
        if self.last is not None and not self.last.known.is_set():
            self._find_out(self.last)

    def find(self, edit: Edit) -> CellRun | None:
        """The failed run of a cell; only the last one that failed holds what it takes to put the state back."""
        return self._runs.get((edit.cell.id, edit.cell.execution_count or 0))

    def remove(self, run: CellRun) -> None:
        """Its state was put back: nothing is known of it any more."""
        self._runs.pop((run.cell.id, run.cell.number), None)
        self.last = None
        self._forget_read()

    def outdate(self) -> None:
        """Another cell runs: what failed before can't be resumed any more, and no object of it is held."""
        self._forget_read()
        for run in self._runs.values():
            if not run.other_cell_ran:
                self._find_out(run)
                run.forget()

    def close(self) -> None:
        """Let go of everything."""
        if self._after_reply is not None:
            self._after_reply.close()
        for run in self._runs.values():
            run.known.set()
        self._runs.clear()
        self.last = None
        self._forget_read()

    def plan(
        self, edit: Edit, *, whole: bool = False, others_first: bool = False, earlier: tuple[Edit, ...] = ()
    ) -> Plan | None:
        """What an accepted run of a cell that failed would do; None if nothing is known of its failed run.

        Parameters
        ----------
        edit : Edit
        whole : bool
            Whether all of it is to run.
        others_first : bool
            Whether other cells run before it.
        earlier : tuple of Edit
            Those of other cells whose functions get their new code in place.
        """
        run = self.find(edit)
        if run is None or not (run.nodes or run.let_go) or not self._settings().keep_state or not self._is_known(run):
            return None
        others = run.other_cell_ran or others_first
        interactivity = self._shell.ast_node_interactivity
        more = (others, interactivity, self._renewed(earlier))
        found = self._planned(run, edit.source, whole or not run.complete, *more)
        if found is not None and found.done and self._needs_what_has_ended(run, edit.source, found):
            entire = self._planned(run, edit.source, True, *more)
            if entire and not entire.repeats and not self._needs_what_has_ended(run, edit.source, entire):
                return entire
        return found

    def _renewed(self, earlier: tuple[Edit, ...]) -> frozenset[str]:
        """The names of the functions whose text these edits change."""
        if not earlier:
            return frozenset()
        from reflex_ipython.state.changed import changed_definitions  # with the first fix of another cell

        found = set[str]()
        for edit in earlier:
            old, new = tree_of(self._shell, edit.expected), tree_of(self._shell, edit.source)
            if old is not None and new is not None:
                found.update(part for path in changed_definitions(old, new) for part in path.split("."))
        return frozenset(found)

    def uncovered(self, edit: Edit, earlier: tuple[Edit, ...] = (), *, whole: bool = False) -> dict[str, str]:
        """The names that an accepted run of a cell that failed starts with as the failed run has left them, and why.

        `whole`: if all of it is to run.
        """
        run, plan = self.find(edit), self.plan(edit, whole=whole, earlier=earlier)
        if run is None or plan is None or plan.rollback is None:
            return {}
        back = plan.rollback
        return {one.name: one.why for one in reversed(run.uncovered) if one.first <= back <= one.last}

    # ------------------------------------------------------------------------------- inside

    def _planned(self, run: CellRun, *question: Any) -> Plan | None:
        if question not in run.plans:
            if len(run.plans) >= _MOST_PLANS:  # somebody types in the failed cell, and asks after each pause
                run.plans.clear()
                run.counts.clear()
            run.plans[question] = self._plan(run, *question)
        return run.plans[question]

    def _needs_what_has_ended(self, run: CellRun, source: str, plan: Plan) -> bool:
        """Whether what would run reads a name whose value from before it is gone: it would read a later one."""
        from reflex_ipython.state.uses import names_bound  # with the first failure
        from reflex_ipython.state.weak import ENDED

        back = plan.rollback
        ended = {
            one.name for one in run.uncovered if back is not None and one.first <= back <= one.last and one.why == ENDED
        }
        tree = self._tree(source) if ended else None
        for statement in (tree.body[place] for place in plan.runs) if tree is not None else ():
            names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            if any(node.id in ended and isinstance(node.ctx, ast.Load) for node in names):
                return True
            ended -= set(names_bound(statement))
        return False

    def _plan(
        self,
        run: CellRun,
        source: str,
        whole: bool,
        other_cell_ran: bool,
        interactivity: Any,
        renewed: frozenset[str],
    ) -> Plan | None:
        from reflex_ipython.state.plan import FailedStatements, behind_another, plan  # with the first failure

        count = run.counts.get(hash(source)) if other_cell_ran else None
        known = behind_another(run.effects, count) if count is not None else None
        if known is not None:  # a cell that has succeeded waits for this
            return known
        tree, nodes = self._tree(source), run.nodes
        if nodes is None:  # to keep them would have each garbage collection walk through them
            ran = tree_of(self._shell, run.cell.source)
            nodes = ran.body[: run.let_go] if ran is not None else None
        if tree is None or nodes is None:
            return None
        run.counts[hash(source)] = len(tree.body)
        return plan(
            FailedStatements(nodes, run.failed, run.effects, run.order),
            tree.body,
            other_cell_ran=other_cell_ran,
            whole=whole,
            renewed=renewed,
            namespace=self._shell.user_ns,
            interactivity="none" if self._is_quiet(source) else interactivity,
            dropped=_empty_above(source),
        )

    def _tree(self, source: str) -> ast.Module | None:
        """As `tree_of`: to read a cell takes 0.2 ms for each line, and the same text is asked about several times."""
        known = self._read
        if known is None or known[0] != source:
            cell = self._cell
            known = source, tree_of(self._shell, source)
            if cell == self._cell:
                self._read = known
        return known[1]

    def _forget_read(self) -> None:
        """Another cell has run, or runs: that may change how cells are read."""
        self._cell += 1
        self._read = None

    def _find_out(self, run: CellRun) -> None:
        from reflex_ipython.state.collector import without_collector  # with the first failure

        try:
            with without_collector():
                run.find_out()
        except Exception as error:  # noqa: BLE001 - nothing of ours may break what comes next
            run.nodes, run.let_go = None, 0
            self._warn(f"{type(error).__name__} inside Reflex itself; this cell can't be resumed: {error}")
        except BaseException:  # an interrupt: nobody knows then what it did
            run.nodes, run.let_go = None, 0
            raise
        finally:
            run.known.set()

    def _is_known(self, run: CellRun) -> bool:
        """Whether it was found out what the run did: by the main thread alone, where nothing changes meanwhile."""
        if threading.current_thread() is threading.main_thread() and not run.known.is_set():
            self._find_out(run)
        return run.known.wait(_PATIENCE) and bool(run.nodes or run.let_go)

    def _is_quiet(self, source: str) -> bool:
        """Whether a cell ends with a semicolon, which keeps IPython from displaying anything."""
        if _SEMICOLON.search(source) is None:  # IPython reads all of the cell, token by token
            return False
        try:
            return bool(self._shell.displayhook.semicolon_at_end_of_expression(source))
        except Exception:  # noqa: BLE001 - magics are no Python, and the tokenizer says so in many ways
            return source.rstrip().endswith(";")


def _empty_above(source: str) -> int:
    """How many empty lines stand above a cell's first one: IPython drops them, and counts its lines from there on."""
    found = _EMPTY_ABOVE.match(source)
    return 0 if found is None else found.group().count("\n")
