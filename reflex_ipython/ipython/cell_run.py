"""What a cell did, statement by statement, so that an accepted fix can go on where the cell failed.

The journal (`state.journal`) knows the way back; the outputs are kept because the front end clears them before the
cell runs again; the figures, because the inline backend closes them at the end of a cell.
"""

from __future__ import annotations

import ast
import dataclasses
import operator
import re
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython.ipython.cell_context import CellContext
from reflex_ipython.ipython.page_effects import page_effects

if TYPE_CHECKING:
    from reflex_ipython.ipython.cells import RanCell
    from reflex_ipython.state.effect import Repeat
    from reflex_ipython.state.journal import Journal
    from reflex_ipython.state.plan import Plan
    from reflex_ipython.state.unrestored import Unrestored

Output = tuple[str, dict[str, Any]]
MOST_OUTPUTS = 2_000
"""Messages kept of one cell; with more, the cell is not resumed but run whole."""


class ShellsOwn:
    """The names of a namespace that are IPython's: a journal leaves them alone."""

    _NAMES = re.compile(
        r"_i*|__+|_i?\d+|In|Out|_ih|_oh|_dh|exit|quit|get_ipython|open|__builtins?__|_exit_code|__warningregistry__"
    )

    def __contains__(self, name: object) -> bool:
        """Whether a name is one of them."""
        return isinstance(name, str) and self._NAMES.fullmatch(name) is not None


_RESULTS = re.compile(r"_{1,3}|_\d+")


def results(namespace: dict[str, Any], name: str) -> dict[str, Any]:
    """The results of earlier cells that code gets at by a name of the shell's: `_`, `_3`, `Out`."""
    found = namespace.get(name)
    if name in ("Out", "_oh") and type(found) is dict:
        return {f"Out[{number}]": o for number, o in found.items()}
    return {name: found} if _RESULTS.fullmatch(name) else {}


@dataclasses.dataclass(eq=False)  # each run is one of its own: nobody compares what two have done
class CellRun:
    """One run of a cell.

    Parameters
    ----------
    cell : RanCell
        Which cell.
    journal : Journal
        The way back to the state before each statement that was begun.
    nodes : list of ast.stmt or None
        The cell's top-level statements, in the order of its text; None before it is compiled.
    order : list of int or None
        The indices of the statements in the order in which they ran; None: in that of the text.
    outputs : list of (int, Output)
        The messages that the cell sent, kind and content, and before them how many statements had begun by each. Of
        what is printed on two streams, that of a later statement may come first; two threads add to them.
    opened : list of (int, list)
        The numbers of pyplot's open figures before a statement, where these are others than before the one above.
    count : int
        How many statements were begun, once it has failed.
    payloads : list of (int, dict)
        What the reply has for the front end to do, as that it insert a cell; and before that how many statements had
        begun by each. A front end does none of it for a cell that fails.
    figures : dict or None
        pyplot's open figures at the end, by their numbers.
    failed : int or None
        The statement that failed, counted in the order in which they ran.
    effects : list of tuples of Repeat
        For each statement that was begun: what it did that can't be put back.
    uncovered : list of Unrestored
        What its statements can reach and nobody can put back, and why.
    other_cell_ran : bool
        Whether another cell has run since.
    is_kept : bool
        Whether it can be taken back behind other cells: its journal is needed then.
    let_go : int
        How many trees of statements were let go once another cell ran.
    known : Event
        Whether it was found out what a run that has failed did: `effects` and `uncovered`. There is none before.
    plans : dict
        What was planned for a run of an accepted fix, by what was asked.
    counts : dict of int to int
        How many statements the cell has with each text that was asked about, by its hash.
    end : callable
        Ends what only the functions hold that were running as it failed: now, not while another cell runs.
    begun : int or None
        The statement before which the state was put back for this run of an accepted fix; None for all other runs.
    loads_us : bool
        Whether Reflex was loaded in it: its first statements ran before, and nothing of these is undone.
    interactivity : str
        Which of its expressions are shown, as it was set when the cell began.
    context : CellContext
        Where it runs: what context variables had is put back there.
    unkept : bool
        Whether these may have shown something, or an output could not be kept: that can't be shown again.
    """

    cell: RanCell
    journal: Journal
    nodes: list[ast.stmt] | None = None
    outputs: list[tuple[int, Output]] = dataclasses.field(default_factory=list)
    opened: list[tuple[int, list[Any]]] = dataclasses.field(default_factory=list)
    payloads: list[tuple[int, dict[str, Any]]] = dataclasses.field(default_factory=list)
    count: int = 0
    figures: dict[Any, Any] | None = None
    failed: int | None = None
    effects: list[tuple[Repeat, ...]] = dataclasses.field(default_factory=list)
    uncovered: list[Unrestored] = dataclasses.field(default_factory=list)
    other_cell_ran: bool = False
    is_kept: bool = False
    end: Callable[[], None] = lambda: None
    begun: int | None = None
    order: list[int] | None = None
    let_go: int = 0
    loads_us: bool = False
    interactivity: str = ""
    unkept: bool = False
    context: CellContext = dataclasses.field(default_factory=CellContext.now)
    known: threading.Event = dataclasses.field(init=False)
    plans: dict[tuple[Any, ...], Plan | None] = dataclasses.field(default_factory=dict)
    counts: dict[int, int] = dataclasses.field(default_factory=dict)

    def add(self, kind: str, content: dict[str, Any], begun: int) -> None:
        """Keep an output, of `begun` statements; beyond the bound one more, which tells that some are missing."""
        if len(self.outputs) <= MOST_OUTPUTS:
            self.outputs.append((begun, (kind, content)))

    def note_figures(self) -> None:
        """A statement is about to begin that may open figures, or comes behind one."""
        helpers = sys.modules.get("matplotlib._pylab_helpers")
        if helpers is not None:
            numbers = list(helpers.Gcf.figs)
            if not self.opened or self.opened[-1][1] != numbers:
                self.opened.append((len(self.journal), numbers))

    def note_payloads(self, payloads: list[dict[str, Any]]) -> None:
        """What a reply has for the front end by now: a statement is about to begin, or the cell is over."""
        for payload in payloads:
            if not any(known is payload for _, known in self.payloads):
                self.payloads.append((len(self.journal), payload))

    def payloads_before(self, start: int) -> list[dict[str, Any]]:
        """Those of so many statements, the first that ran."""
        return [payload for begun, payload in self.payloads if begun <= start]

    @property
    def complete(self) -> bool:
        """Whether all outputs were kept."""
        return len(self.outputs) <= MOST_OUTPUTS and not self.unkept

    @property
    def is_under_way(self) -> bool:
        """Whether a statement of this run has begun; those that are done already were of the run before."""
        return len(self.journal) > (self.begun or 0)

    def fail(self, *, began: bool) -> None:
        """The cell has failed. `began`: in the statement that ran last; else in compiling the one after it."""
        self.journal.note_end()
        self.known = threading.Event()
        self.journal.aftermath.raised = began
        count = self.count = len(self.journal)
        if not began and self.outputs and self.outputs[-1][1][0] == "error":  # of what did not compile
            self.outputs.pop()
        self.failed = (count - 1 if began else count) if self.nodes is not None and count else None

    def find_out(self) -> None:
        """Ask what its statements did; once, and before anything else runs."""
        if self.known.is_set():
            return
        aftermath = self.journal.aftermath
        shown: dict[int, list[Output]] = {}
        for begun, output in self.outputs:
            shown.setdefault(begun, []).append(output)
        for begun in sorted(shown):
            if begun:
                aftermath.also(begun - 1, page_effects(shown[begun]))
        self.effects = aftermath.repeats()
        self.uncovered = aftermath.uncovered()
        self.known.set()

    @property
    def has_shown(self) -> bool:
        """Whether it has shown anything but tracebacks, and what a run before it had shown."""
        return any(begun > (self.begun or 0) and kind != "error" for begun, (kind, _) in self.outputs)

    def forget(self) -> None:
        """Let go of every object: from now on no accepted fix puts anything back."""
        if not self.is_kept:
            self.journal.clear()
        self.outputs.clear()
        self.payloads.clear()
        self.plans.clear()
        self.uncovered.clear()
        self.let_go, self.nodes = len(self.nodes or ()), None
        self.figures = None
        self.other_cell_ran = True

    def forget_shown(self) -> None:
        """Let go of what it has shown: it ended well, and nothing of that is shown again."""
        self.outputs.clear()
        self.payloads.clear()
        self.opened.clear()
        self.figures = None

    def since(self, start: int, cell: RanCell) -> CellRun:
        """The same run up to a statement, to be gone on with from there by the cell that was accepted.

        Parameters
        ----------
        start : int
            How many of its statements stay done, counted in the order in which they ran.
        cell : RanCell
            The accepted one; its own statements are noted when it is compiled.
        """
        self.journal.aftermath.raised = False
        outputs = [(begun, output) for begun, output in self.outputs if begun <= start]
        opened = [(index, numbers) for index, numbers in self.opened if index < start]
        payloads = [(begun, payload) for begun, payload in self.payloads if begun <= start]
        return CellRun(
            cell,
            self.journal,
            self.nodes,
            outputs,
            opened,
            payloads,
            begun=start,
            order=self.order,
            interactivity=self.interactivity,
        )

    def figures_of(self, start: int) -> dict[Any, Any]:
        """The figures that so many statements, the first that ran, have left open; not those that came later."""
        figures = self.figures or {}
        if start >= self.count:
            return figures
        opened = [numbers for index, numbers in self.opened if index <= start][-1:]
        return {number: figures[number] for numbers in opened for number in numbers if number in figures}

    def shown_before(self, start: int) -> list[Output]:
        """The outputs of so many statements, the first that ran; there may be one more that never began."""
        shown = [(begun, output) for begun, output in self.outputs if begun <= start]
        return [output for _, output in sorted(shown, key=operator.itemgetter(0))]


def open_figures() -> dict[Any, Any] | None:
    """pyplot's open figures; None where it was never imported."""
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    return dict(helpers.Gcf.figs) if helpers is not None else None


def reopen(figures: dict[Any, Any]) -> None:
    """Give pyplot its figures back, and have the inline backend show them at the end of the cell."""
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if not figures or helpers is None:
        return
    for number, figure in figures.items():
        helpers.Gcf.figs.setdefault(number, figure)
    inline = sys.modules.get("matplotlib_inline.backend_inline")
    if inline is not None:
        inline.show._draw_called = True


def close_again(before: dict[Any, Any] | None) -> None:
    """Between two cells the inline backend leaves no figure open: those that were put back there are closed again.

    Parameters
    ----------
    before : dict or None
        The figures that were open before the state was put back; these stay.
    """
    helpers, inline = sys.modules.get("matplotlib._pylab_helpers"), sys.modules.get("matplotlib_inline.backend_inline")
    if helpers is None or inline is None or not _closes(inline):
        return
    for number in [number for number in helpers.Gcf.figs if number not in (before or {})]:
        del helpers.Gcf.figs[number]


def _closes(inline: Any) -> bool:
    backend = str(sys.modules["matplotlib"].get_backend())
    return "inline" in backend and bool(inline.InlineBackend.instance().close_figures)
