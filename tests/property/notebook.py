"""A notebook in this process: cells, fixes that are accepted as a page does it, and what is said about the state."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tests.property.graph import Graph
from tests.property.picture import baseline, picture
from tests.property.playing import Outcome, silent
from tests.property.routes import Step

_NO_BOUNDS = {"undo_nodes": 10**6, "undo_bytes": 4 * 10**9, "undo_time": 600.0, "undo_share": 1000.0}


_TEMPORARY = re.compile(r"/tmp/tmp\w{8}")


class Prepared:
    """Proposes what the next step is going to accept (`protocols.FixProvider`)."""

    name = "prepared"
    where = "instant"
    cost = ""
    label = "prepared"

    def __init__(self) -> None:
        self.next: Step | None = None
        self.earlier: Any = None

    def propose(self, failure: Any, request: Any) -> Iterable[Any]:
        from reflex_ipython.models import Edit, Fix, new_id

        if self.next is not None:
            edits = [Edit(failure.situation.cell, failure.situation.source, self.next.source)]
            if self.earlier is not None:
                ref, expected = self.earlier
                edits.insert(0, Edit(ref, expected, self.next.earlier[1]))
            yield Fix(new_id(), tuple(edits), "as it is right", self.name)


class Notebook:
    """One shell and what is done in it.

    Parameters
    ----------
    shell : InteractiveShell
    outcome : Outcome
        Is told what comes of it.
    extension : bool
        Whether ours is loaded.
    wide : bool
        Whether its bounds are out of the way.
    """

    def __init__(self, shell: Any, outcome: Outcome, *, extension: bool, wide: bool) -> None:
        self._shell = shell
        self._outcome = outcome
        self._prepared = Prepared()
        self._ids: dict[str, str] = {}
        if extension:
            self._load(wide)
        self._begun = baseline()

    def play(self, steps: tuple[Step, ...]) -> None:
        """Do it all."""
        for step, later in zip(steps, [*steps[1:], None]):
            self._prepare(step, later, steps)
            if step.do == "run":
                self._run(step.source, step.cell)
            elif step.do == "accept":
                self._accept(step)
            elif step.do in ("undo", "back"):
                self._command(step.do)
            else:
                with silent():
                    self._shell.run_cell(step.source, store_history=True, cell_id="command")

    def picture(self, folder: str) -> Graph:
        """What there is at the end."""
        with silent():
            self._shell.run_cell("pass", cell_id="looks")  # nobody sees what there is but in a further cell
        return _without(folder, picture(self._shell, self._begun, folder))

    # ------------------------------------------------------------------------------- inside

    def _load(self, wide: bool) -> None:
        import reflex_ipython
        from reflex_ipython.ipython.assembly import Assembly
        from reflex_ipython.state import restoration

        if hasattr(restoration, "_SHOWN"):
            restoration._SHOWN = 10**6  # whoever is counted only is listed here
        Assembly._load_plugins = lambda _: ([self._prepared], [])
        reflex_ipython.load_ipython_extension(self._shell)
        self._extension = self._shell.reflex_extension
        config = self._extension.config
        wanted = {"trial": "off", "history": False, **(_NO_BOUNDS if wide else {})}
        for name, value in wanted.items():
            if name in config.trait_names():
                setattr(config, name, value)

    def _prepare(self, step: Step, later: Step | None, steps: tuple[Step, ...]) -> None:
        """The cell that runs now may fail: what is going to be accepted then is proposed at once."""
        following = steps[steps.index(step) + 1 :] if later is not None else ()
        self._prepared.next = next((one for one in following if one.do == "accept"), None)
        self._prepared.earlier = None
        if (
            self._prepared.next is not None
            and self._prepared.next.earlier
            and step.cell != "defines"
            and hasattr(self, "_extension")
        ):
            cell_id = self._prepared.next.earlier[0]
            from reflex_ipython.models import CellRef

            found = [cell for cell in self._extension.cells.all() if cell.id == cell_id]
            if found:
                self._prepared.earlier = (CellRef(found[-1].id, found[-1].number), found[-1].source)

    def _run(self, source: str, cell: str) -> None:
        with silent():
            result = self._shell.run_cell(source, store_history=True, cell_id=cell)
        error = result.error_before_exec or result.error_in_exec
        line = _line(error) if error is not None else ""
        self._outcome.errors.append(f"{type(error).__name__}: {str(error)[:120]}{line}" if error is not None else "")

    def _latest(self, *kinds: str | None) -> Any:
        session = self._extension.assembly.session
        repair = session.repairs.latest(*kinds)
        if repair is not None:
            session.repairs.open(repair.id).wait(timeout=30)
            repair = session.repairs[repair.id]
        return repair

    def _accept(self, step: Step) -> None:
        repair = self._latest(None, "undone")
        if repair is None or not repair.fixes:
            raise LookupError(f"no fix to accept: {repair.trouble if repair is not None else 'no repair'}")
        session, fix = self._extension.assembly.session, repair.fixes[0]
        with silent():
            repair = session.repairs.change(repair.id, session.verdicts.reconsidered)  # what the panel shows now
        verdict = repair.verdict(fix)
        run_options = verdict.run_options[-1:] if step.whole else verdict.run_options[:1]
        self._outcome.words += [f"asked: {text}" for option in run_options for text in option.repeats]
        self._outcome.words += [f"noted: {finding.text}" for finding in verdict.findings]
        sources = [edit.source for edit in fix.edits]
        with silent():
            session.decisions.accept(repair.id, fix.id, sources, run=True, whole=step.whole, applied=True)
        self._run(step.source, step.cell)
        rerun = session.repairs[repair.id].rerun
        self._outcome.words.append(f"said: {rerun.state if rerun is not None else 'not run'}")

    def _command(self, name: str) -> None:
        with silent() as printed:
            result = self._shell.run_cell(f"%reflex {name}", store_history=True, cell_id=name)
        self._outcome.words.append(f"undone: {result.error_in_exec or printed()}")


def _line(error: BaseException) -> str:
    tb, found = error.__traceback__, ""
    while tb is not None:
        if "ipython-input" in tb.tb_frame.f_code.co_filename or "ipykernel" in tb.tb_frame.f_code.co_filename:
            found = f" (line {tb.tb_lineno})"
        tb = tb.tb_next
    return found


def _without(folder: str, graph: Graph) -> Graph:
    """The graph with a name in place of the folder's, which is another one in each process."""

    def plain(value: object) -> object:
        if isinstance(value, str):
            return _TEMPORARY.sub("<temporary>", value.replace(folder, "<folder>"))
        if isinstance(value, (tuple, list)):
            return type(value)(map(plain, value)) if type(value) in (tuple, list) else value
        return value

    for node in graph.nodes:
        node.payload = plain(node.payload)
        node.edges = [(str(plain(label)), plain(child)) for label, child in node.edges]  # type: ignore[misc]
    graph.roots = {name: plain(child) for name, child in graph.roots.items()}  # type: ignore[misc]
    return graph
