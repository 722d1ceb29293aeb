"""The parts that are needed from the first failure on, put together: session, front end, message handlers."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reflex_ipython import plugins
from reflex_ipython.capture.lookup.names import users
from reflex_ipython.capture.similar import SimilarSearch
from reflex_ipython.ipython.accepted_runs import AcceptedRuns
from reflex_ipython.ipython.accepting import Accepting
from reflex_ipython.ipython.ahead import Ahead
from reflex_ipython.ipython.asking import RunQuestion
from reflex_ipython.ipython.at_once import AtOnce
from reflex_ipython.ipython.causes import Causes
from reflex_ipython.ipython.cell_watch import CellWatch
from reflex_ipython.ipython.cells import CellLog, RanCell
from reflex_ipython.ipython.cells_not_run import CellsNotRun
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.ipython.consequences import KernelConsequences
from reflex_ipython.ipython.earlier_cells import EarlierCells
from reflex_ipython.ipython.edited_cells import EditedCells
from reflex_ipython.ipython.front_end import FrontEnd, NotebookFrontEnd, TerminalFrontEnd
from reflex_ipython.ipython.kernel_trials import KernelTrials
from reflex_ipython.ipython.known_cells import KnownCells
from reflex_ipython.ipython.living_code import LivingCode
from reflex_ipython.ipython.mended_cells import MendedCells
from reflex_ipython.ipython.new_repairs import NewRepairs
from reflex_ipython.ipython.notebook_place import NotebookPlace
from reflex_ipython.ipython.page_comm import PageComm
from reflex_ipython.ipython.resumption import Resumer
from reflex_ipython.ipython.stale_results import StaleResults
from reflex_ipython.ipython.taking_back import TakingBack
from reflex_ipython.models import (
    Cause,
    CellSource,
    Execution,
    Repair,
    Wish,
    execution,
    now,
)
from reflex_ipython.present.offers import NOTHING, Offers, offers
from reflex_ipython.protocols import Context, RepairStore, StoreContext
from reflex_ipython.remember.backups import keep_copy
from reflex_ipython.remember.opening import open_store
from reflex_ipython.remember.recorder import Recorder
from reflex_ipython.repairs.choosing import offered
from reflex_ipython.repairs.open_repair import Event, OpenRepair
from reflex_ipython.repairs.own_files import OwnFiles
from reflex_ipython.repairs.redaction import Redaction
from reflex_ipython.repairs.services import Services
from reflex_ipython.repairs.session import Session
from reflex_ipython.reports.log_folder import LogFolder
from reflex_ipython.settings import Settings
from reflex_ipython.stages import Work

if TYPE_CHECKING:
    from reflex_ipython.ipython.look_ahead import LookAhead
    from reflex_ipython.ipython.message_handlers import MessageHandlers

CONSENT_BY_SETTINGS = (
    "nobody can be asked here, so the settings that chose {} are the consent: what is asked is sent to its server."
)


class Assembly:
    """Everything that works on repairs.

    Parameters
    ----------
    shell : InteractiveShell
    config : Reflex
    cells : CellLog
    watch : CellWatch
        Knows what the last cells did.
    page : PageComm or None
        The comm to the pages; None in a terminal.
    warn : callable
        Is told in one line what the user should know.
    look_ahead : LookAhead
        Looks at the cell that runs.
    session : str
        The session's id, as pages were told it; empty: a new one.
    """

    def __init__(
        self,
        shell: Any,
        config: Reflex,
        cells: CellLog,
        watch: CellWatch,
        page: PageComm | None,
        warn: Callable[[str], None],
        look_ahead: LookAhead,
        session: str = "",
    ) -> None:
        self._shell = shell
        self._cells = cells
        self._warn = warn
        self._living = LivingCode(EarlierCells(shell, cells))
        edited, files = EditedCells(cells), OwnFiles(self._keep_copy)
        self._consequences = KernelConsequences(shell, cells, watch.failures, edited, files)
        resumer = Resumer(shell, watch.failures, watch.leaving_out)
        self._asking = RunQuestion(shell)
        self.trials = KernelTrials(
            shell,
            lambda: self.session.settings,
            rewind=resumer.rewind,
            apply=lambda edit: self._living.apply(edit).error,
            forget=lambda edit: self._living.forget(edit),
            cell_runs=lambda: watch.any_runs,
        )
        self.redaction = Redaction(lambda: self.session.settings)
        causes = Causes(shell, cells, self.redaction, lambda: self.session.settings)
        self._told_of_consent = False
        self._place = NotebookPlace(shell)
        self.front_end: FrontEnd = (
            TerminalFrontEnd()
            if page is None
            else NotebookFrontEnd(shell, page, self.receive, self._offers_of, lambda: watch.context)
        )
        self._cells_not_run = CellsNotRun(shell, cells, self._ask_cells, lambda: bool(self.session.settings.model))
        stale = StaleResults(cells)
        self._similar = SimilarSearch(self._cells_so_far)
        self.session = Session(
            config.settings(),
            presenter=self.front_end.presenter,
            recorder=Recorder(
                self._open_store, warn, self._kept, LogFolder(lambda: self.session.settings.log_folder, warn)
            ),
            services=Services(
                self.redaction.redactor,
                self._load_plugins,
                self.trials,
                self._consequences,
                self._cells_not_run.of,
                edited.complete,
                files,
                self._enriched,
                stale.after,
                lambda: tuple(users(shell.user_ns)),
            ),
            session_id=session,
        )
        self.session.repairs.listen(self._forget)
        self.new_repairs = NewRepairs(self.session, causes, cells, watch.failures, self._cells_not_run, self.front_end)
        self.runs = AcceptedRuns(
            self.session, resumer, watch.kept, self._living, self._consequences, self.front_end.can_rewrite
        )
        self.taking_back = TakingBack(shell, watch, self.runs, self.front_end, cells, stale)
        self.accepting = Accepting(
            self.session,
            watch.failures,
            self.trials,
            self._consequences,
            self._asking,
            self.front_end.can_rewrite,
        )
        self.mended = MendedCells(self.session, watch.failures, self._asking)
        self._at_once = AtOnce()
        self.ahead = Ahead(
            shell,
            self.session,
            watch,
            look_ahead,
            lambda cell, error: causes.failure(cell, error, foreseen=True),
            self.front_end.can_rewrite,
        )
        # The recorder opens the history when it is first read, on its own thread.
        self._context = Context(lambda: self.session.settings, self.session.recorder, attended=self._attended)
        self._config = config

    @functools.cached_property
    def handlers(self) -> MessageHandlers | None:
        """Where messages arrive; made when the first one comes. None in a terminal."""
        if not isinstance(self.front_end, NotebookFrontEnd):
            return None
        from reflex_ipython.ipython.message_handlers import MessageHandlers

        return MessageHandlers(
            self.session,
            self._config,
            self.front_end,
            self._warn,
            self._cells_not_run.came,
            lambda repair: self.runs.undoing(repair),
            self.taking_back.asked,
            self.ahead,
            self._at_once,
        )

    def is_refused(self, cell: RanCell) -> bool:
        """Whether a page runs that cell for a click that was refused: then that is said, and the panel shown anew."""
        if not isinstance(self.front_end, NotebookFrontEnd):
            return False
        refused = self._at_once.refused(self.front_end.client, cell.id)
        if refused is None:
            return False
        print(refused.reason)
        if refused.repair in self.session.repairs:
            self.session.show(refused.repair)
        return True

    def execution(self) -> Execution | None:
        """What came of the latest request in words; None if there was none."""
        wishes = [repair for repair in self.session.repairs.all() if isinstance(repair.cause, Wish)]
        return execution(wishes[-1]) if wishes else None

    def receive(self, data: Any) -> None:
        """A message of a page or a widget."""
        if self.handlers is not None:
            self.handlers.receive(data)

    def receive_with(self, cell: RanCell, data: Any) -> None:
        """A page's message that came with the cell which begins."""
        if self.handlers is not None:
            self.handlers.receive_with(cell.id, data)

    def set(self, settings: Settings) -> None:
        """The settings have changed."""
        before, asked = self._offers(), _asked(self.session.settings)
        self.session.settings = settings
        if self._offers() != before:
            self.session.repairs.offers_changed()
        if _asked(settings) != asked:
            self.session.repairs.another_is_asked()
        if self.handlers is not None:
            self.handlers.welcome()

    def _cells_so_far(self) -> list[CellSource]:
        """The same on any thread: but for a cell that has not begun."""
        return [KnownCells(self._cells).source(cell) for cell in self._cells.begun()]

    def _enriched(self, cause: Cause) -> Cause:
        cause = self._cells_not_run.with_edited(cause)
        return self._similar.with_similar(cause) if self.session.settings.similar_code else cause

    def known_cells(self) -> list[CellSource]:
        """The cells that ran, in the order of their last run."""
        return KnownCells(self._cells).all()

    def close(self) -> None:
        """Stop all work, write down what is left, close what is open."""
        if "handlers" in vars(self) and self.handlers is not None:
            self.handlers.close()
        self.session.close()
        self.front_end.close()

    def _ask_cells(self, request: str) -> bool:
        return isinstance(self.front_end, NotebookFrontEnd) and self.front_end.ask_cells(request)

    def _attended(self) -> bool:
        """Whether anybody can be asked for consent; if nobody can, it is said what stands for it."""
        if self.front_end.can_rewrite() or self._asking.possible():
            return True
        if not self._told_of_consent:
            self._told_of_consent = True
            self._warn(CONSENT_BY_SETTINGS.format(self.session.settings.model))
        return False

    def _forget(self, event: Event, opened: OpenRepair) -> None:
        """A repair that leaves the memory takes along what the front end and the trials keep for it."""
        if event == "forgotten":
            self.trials.forget(opened.repair.id)
            self.front_end.forget(opened.repair.id)

    def _offers_of(self, repair: Repair, work: Work | None) -> Offers:
        """What its panel can offer; the names that may be meant only once nobody works on it: none is drawn before."""
        known = work is None and self.session.plugins.are_loaded and repair.id in self.session.repairs
        names = tuple(match.name for match in offered(self.session.repairs.open(repair.id))) if known else ()
        return dataclasses.replace(self._offers(), names=names)

    def _offers(self) -> Offers:
        """Whom a panel can ask is what the providers say.

        They are loaded by the first failure, on the thread that looks for its fix. Until then a page can only ask about
        a panel of an earlier session: of that it is first looked up whether it is known here at all, which is no reason
        to import every plugin, and nothing is said of whom it could ask.
        """
        if not self.session.plugins.are_loaded:
            return NOTHING
        return offers(self.session.rounds.slow(), triable=self.session.settings.trial != "off")

    def _load_plugins(self) -> tuple[list[Any], list[Any]]:
        providers = plugins.load(plugins.PROVIDERS, self._context, self._warn)
        checkers = plugins.load(plugins.CHECKERS, self._context, self._warn)
        plugins.forget_packages()
        return providers, checkers

    def _kept(self, repair: Repair) -> Repair:
        """A repair as the history has it: without secrets, as a model gets it; cells keep the paths that they have."""
        from reflex_ipython.propose.recall import learnt  # rules are imported by then

        settings = self.session.settings
        if settings.history_redacted or settings.history_url:
            repair = self.redaction.redactor(paths_in_code=not settings.history_url).repair(repair)
        repair = dataclasses.replace(self._place.noted(repair, settings), revised=now())
        return learnt(repair)

    def _keep_copy(self, path: str, data: bytes) -> None:
        """Keep a file of the user's as it is, before a fix is written into it."""
        keep_copy(self.session.settings, path, data)

    def _open_store(self) -> RepairStore:
        context = StoreContext(self._context.settings, clock=self._context.clock)
        store = open_store(context, lambda: plugins.load(plugins.STORES, context, self._warn), self._warn)
        plugins.forget_packages()
        return store


def _asked(settings: Settings) -> tuple[str | None, ...]:
    """Whom a question goes to, and with which key."""
    return settings.model, settings.provider, settings.base_url, settings.api_key, settings.key_variable
