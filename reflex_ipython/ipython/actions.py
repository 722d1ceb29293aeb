"""What the commands of `%reflex` do: each parses, calls the session, and shows something."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from reflex_ipython.errors import BadInput, CellEditRefused, ReflexError
from reflex_ipython.ipython import commands
from reflex_ipython.ipython.acceptance import resumed
from reflex_ipython.ipython.earlier_cells import name_of
from reflex_ipython.ipython.hooks import CommandError
from reflex_ipython.ipython.lessons import Lessons
from reflex_ipython.ipython.mended_cells import NONE_OPEN
from reflex_ipython.ipython.model_choice import choose_model, understood, with_model
from reflex_ipython.ipython.model_loading import loaded
from reflex_ipython.ipython.model_test import tested
from reflex_ipython.ipython.which import which
from reflex_ipython.models import Fix, Repair, RepairFilter, cell_changes, target_name
from reflex_ipython.present import history, memory, model_words, status
from reflex_ipython.present.context import context
from reflex_ipython.present.explain import explanation
from reflex_ipython.present.offers import consent_for
from reflex_ipython.present.question import NOT_ACCEPTED
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.presets import LOCAL, with_a_key
from reflex_ipython.propose.servers import find_local_servers
from reflex_ipython.reports import stats
from reflex_ipython.reports.log import repair_log, session_log
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.ipython.extension import Extension

_LOGGED = 1_000
NOTHING_TO_ALLOW = "There is no host to be allowed: what is chosen now needs no consent, or has it already."
NOTHING_TO_SHOW = (
    "No cell has failed and nothing was asked for in this kernel: `%reflex history` lists what was before."
)
NO_PREFILL = "This prompt can't be filled in: {}."
BY_HAND = "what has run of the cell has run, so type the line that failed as you mend it, and those below it"
AS_IT_IS = "`%reflex accept` runs the fix as it is"
NEXT_CELL = "Mend it in the next {}: behind `%reflex resume`, it goes on where it failed."
NO_WORDS = "Say what the code is to do: `%%reflex plot the sales by region`, or in the lines below `%%reflex`."
NOT_WHICH = "There is no repair {!r}: give the first characters of its ID (`%reflex history`), and a fix's number."


class Actions:
    """The commands, by their names.

    Parameters
    ----------
    extension : Extension
    """

    def __init__(self, extension: Extension) -> None:
        self._extension = extension
        self._session = extension.assembly.session
        self._front_end = extension.assembly.front_end

    def run(self, line: str) -> None:
        """Run what stands behind `%reflex`.

        Raises
        ------
        CommandError
            In words, with nothing changed.
        """
        try:
            arguments = commands.parse(line)
            action: Callable[[argparse.Namespace], None] = getattr(self, f"_{arguments.command or 'status'}")
            action(arguments)
        except commands.HelpShown:
            return
        except ReflexError as error:
            raise CommandError(str(error)) from None

    # ------------------------------------------------------------------------------- on and off

    def _status(self, arguments: argparse.Namespace) -> None:
        session, trials = self._session, self._extension.assembly.trials
        latest, undecided = session.repairs.latest(), session.repairs.latest(None)
        undo, not_kept = self._extension.watch.kept.held, self._extension.watch.kept.refused
        memory, spent = trials.memory(), session.plugins.spent()
        print(status.status(session.settings, latest, undecided, trials.copies, memory, undo, spent, not_kept))

    def _on(self, arguments: argparse.Namespace) -> None:
        self._extension.config.enabled = True
        print("Reflex is on.")

    def _off(self, arguments: argparse.Namespace) -> None:
        self._extension.config.enabled = False
        print("Reflex is off: it doesn't look for a fix when a cell fails. `%reflex fix` still works.")

    def _trace(self, arguments: argparse.Namespace) -> None:
        traced = self._extension.traced
        if traced is None or traced.last is None:
            raise BadInput("No cell was traced: write `%%reflex trace` as the first line of one.")
        if arguments.to:
            self._extension.shell.user_ns[arguments.to] = traced.last
        if arguments.file:
            traced.save(arguments.file)
        if arguments.tests:
            from reflex_ipython.testwriting.from_trace import write_tests

            print(write_tests(traced.last, arguments.tests))
        if not (arguments.to or arguments.file or arguments.tests):
            traced.show()

    # ------------------------------------------------------------------------------- the last error

    def _fix(self, arguments: argparse.Namespace) -> None:
        session, hint = self._session, " ".join(arguments.hint)
        repair = self._of_last_error()
        if repair is None:
            repair = self._extension.look_again()
        else:
            session.show(repair.id)
        if hint or (not repair.fixes and session.rounds.slow()):
            session.questions.ask(repair.id, hint)

    def _do(self, arguments: argparse.Namespace) -> None:
        """The cell that runs is the request, or has it in one of its lines."""
        words = " ".join(arguments.words).strip()
        if not words:
            raise BadInput(NO_WORDS)
        self._extension.offer_name()
        self._extension.assembly.new_repairs.of_wish(words, self._extension.cells.all()[-1])

    def _explain(self, arguments: argparse.Namespace) -> None:
        repair = self._of_last_error() or self._extension.look_again()
        print(explanation(repair))

    def _context(self, arguments: argparse.Namespace) -> None:
        repair = self._of_last_error() or self._extension.look_again()
        print(context(self._session.questions.preview(repair.id, " ".join(arguments.hint))))

    # ------------------------------------------------------------------------------- decisions

    def _accept(self, arguments: argparse.Namespace) -> None:
        """Only where the page rewrites the cell: elsewhere this cell has become the fixed one (`acceptance`)."""
        (repair, fix), how = self._to_accept(arguments), arguments.how or ""
        if how == "only rewrite" and not self._front_end.can_rewrite():
            self._edit(arguments)
            return
        run = how != "only rewrite"
        answer = (
            self._extension.assembly.accepting.how_to_run(repair, fix, how)
            if run and not repair.is_decided
            else "resume"
        )
        if answer == "no":
            print(NOT_ACCEPTED)
            return
        with self._session.shown_later():
            repair, changes = self._session.decisions.accept(repair.id, fix.id, run=run, whole=answer == "whole")
            try:
                self._front_end.apply(repair.id, changes, run=run)
            except CellEditRefused as error:
                self._session.decisions.refused(repair.id, str(error))
                raise

    def _reject(self, arguments: argparse.Namespace) -> None:
        repair = self._session.decisions.reject(self._find(arguments.id, None, NONE_OPEN).id)
        print(f"Rejected {repair.id}.")

    def _edit(self, arguments: argparse.Namespace) -> None:
        shell, words = self._extension.shell, [word for word in (arguments.id, arguments.number) if word]
        repair = None if words else self._session.repairs.latest(None)
        if repair is not None and not repair.fixes and repair.failure is None:
            shell.set_next_input(repair.situation.source)
            return
        if repair is not None and not repair.fixes:
            shell.set_next_input(f"%reflex resume\n{repair.situation.source}")
            where = "prompt" if self._extension.page is None else "cell"
            print(NO_PREFILL.format(BY_HAND) if self._simple_prompt else NEXT_CELL.format(where))
            return
        repair, fix = self._to_accept(arguments)
        changes = cell_changes(fix, repair.situation)
        if changes.files:
            names = ", ".join(name_of(edit) for edit in changes.files)
            raise BadInput(f"This fix rewrites {names}: edit that yourself, or accept the fix.")
        shell.set_next_input(changes.in_one)
        if self._simple_prompt:
            print(NO_PREFILL.format(AS_IT_IS))

    @property
    def _simple_prompt(self) -> bool:
        """Whether this is a terminal whose prompt nobody can put a text into: `--simple-prompt`, or no terminal."""
        return bool(getattr(self._extension.shell, "simple_prompt", False))

    def _resume(self, arguments: argparse.Namespace) -> None:
        """Only where it can't be resumed: else this cell has become the mended one (`acceptance`)."""
        lines = self._extension.cells.all()[-1:]
        resumes = resumed(lines[0].source) if lines else None
        if resumes is None:
            raise BadInput("Put the mended source below `%reflex resume`, in the same cell: `%reflex edit` does.")
        reason = self._extension.assembly.mended.why_not_resumed(resumes.repair_id, resumes.source)
        raise BadInput(f"Nothing was run. {reason} Without `%reflex resume` this cell runs as any other.")

    def _undo(self, arguments: argparse.Namespace) -> None:
        repair = self._find(arguments.id, "accepted", "No fix has been accepted in this kernel.")
        with self._session.shown_later():
            self._undo_accepted(repair)

    def _undo_accepted(self, repair: Repair) -> None:
        changes = self._session.decisions.undo(repair.id)
        rewrites = any(edit.source != edit.expected for edit in changes.cells)
        state_undone = self._extension.assembly.runs.undoing(repair)
        files = [f"{target_name(edit.target)} has its old text back" for edit in changes.files]

        def undone(where: str) -> str:
            text = f"the old text is {where}" if rewrites else ""
            said = [words for words in (text, *files, state_undone()) if words]
            return f"Undid {repair.id}: {', '.join(said)}." if said else f"Undid {repair.id}."

        if not rewrites:
            print(undone(""))
            return
        try:
            self._front_end.apply(repair.id, changes, run=False, done=lambda: undone("back"))
        except CellEditRefused:
            self._extension.shell.set_next_input(changes.failing.source)
            print(undone("in the next cell"))

    def _back(self, arguments: argparse.Namespace) -> None:
        print(self._extension.assembly.taking_back.back(arguments.count))

    # ------------------------------------------------------------------------------- history

    def _history(self, arguments: argparse.Namespace) -> None:
        accepted = True if arguments.accepted else False if arguments.failed else None
        which = RepairFilter(
            text=" ".join(arguments.search),
            ename=arguments.ename,
            notebook=arguments.notebook,
            since=arguments.since or "",
            accepted=accepted,
        )
        repairs = self._session.recorder.find(which, arguments.count)
        if not repairs and which != RepairFilter():
            print(history.NONE_MEANT)
            return
        self._front_end.show(history.history_table(repairs), history.history_html(repairs))

    def _memory(self, arguments: argparse.Namespace) -> None:
        lessons = Lessons(self._session.recorder)
        if arguments.off or arguments.on:
            print(lessons.switch(arguments.off or arguments.on, on=bool(arguments.on)))
            return
        rows = lessons.rows()
        self._front_end.show(memory.memory_table(rows), memory.memory_html(rows))

    def _stats(self, arguments: argparse.Namespace) -> None:
        tallies = self._session.recorder.tallies()
        self._front_end.show(stats.stats_table(tallies), stats.stats_html(tallies))

    def _log(self, arguments: argparse.Namespace) -> None:
        recorder = self._session.recorder
        if arguments.id:
            print(repair_log(recorder.get(arguments.id)))
        else:
            print(session_log(recorder.find(RepairFilter(session=self._session.id), _LOGGED)))

    def _show(self, arguments: argparse.Namespace) -> None:
        latest = None if arguments.id else self._session.repairs.latest()
        if not arguments.id and latest is None:
            raise BadInput(NOTHING_TO_SHOW)
        repair = latest or self._session.recorder.get(arguments.id)
        self._front_end.show(history.repair_report(repair), history.repair_report_html(repair))

    def _test(self, arguments: argparse.Namespace) -> None:
        from reflex_ipython.ipython.testing_command import test_of

        repair = None if arguments.id else self._session.repairs.latest("accepted")
        if repair is None and not arguments.id:
            raise BadInput("No fix has been accepted in this kernel.")
        known, assembly = repair or self._known(arguments.id), self._extension.assembly
        print(test_of(known, assembly.known_cells(), arguments.file, assembly.redaction.withheld))

    # ------------------------------------------------------------------------------- the model

    def _model(self, arguments: argparse.Namespace) -> None:
        config, settings = self._extension.config, self._session.settings
        name, options = arguments.name, (arguments.base_url, arguments.key_variable, arguments.provider)
        if any(options) and (not name or name == "off"):
            raise BadInput("Name the model as well: `%reflex model NAME --base-url URL --key-variable VARIABLE`.")
        if name and name != "off":
            choice = understood(name, *options, settings)
            changed = self._served(with_model(settings, choice))
            if arguments.test:
                print(tested(changed))
                return
            choose_model(config, choice)
        elif arguments.allow:
            host = self._session.questions.allow()
            if not host:
                raise BadInput(NOTHING_TO_ALLOW)
            print(model_words.allowed(host))
            return
        elif name:
            config.model = None
        elif arguments.test:
            if not settings.model:
                raise BadInput("No model is chosen: `%reflex model NAME --test` tests one.")
            print(tested(self._served(settings)))
            return
        else:
            print(status.models(settings, find_local_servers(), with_a_key(), self._answers()))
            return
        print(status.chosen_model(self._session.settings, self._answers()))
        if name != "off":
            self._say_consent(allow=arguments.allow)

    def _served(self, settings: Settings) -> Settings:
        """The settings with which a model is asked; a file is loaded for that, while the cell waits."""
        if settings.provider != LOCAL:
            return settings
        return loaded(self._model_provider().files, settings)

    def _model_provider(self) -> ModelProvider:
        return next(one for one in self._session.plugins.providers if isinstance(one, ModelProvider))

    def _answers(self) -> str:
        """In which form the chosen model answers, where something is to be said of it."""
        return "" if self._session.settings.answers == "blocks" else self._model_provider().answers

    def _say_consent(self, *, allow: bool) -> None:
        """What has to be allowed before the chosen model is asked, or that it is allowed now."""
        host = next(filter(None, map(consent_for, self._session.rounds.slow())), "")
        if host:
            print(
                model_words.allowed(self._session.questions.allow(host)) if allow else model_words.to_be_allowed(host)
            )

    # ------------------------------------------------------------------------------- which repair

    def _to_accept(self, arguments: argparse.Namespace) -> tuple[Repair, Fix]:
        words = [word for word in (arguments.id, arguments.number) if word]
        meant = which(words)
        if meant is None:
            raise BadInput(NOT_WHICH.format(" ".join(words)))
        return self._extension.assembly.accepting.to_accept(meant, arguments.command)

    def _of_last_error(self) -> Repair | None:
        """The latest repair, if it is about the last error: while switched off, errors open none."""
        repair, failed = self._session.repairs.latest(), self._extension.last_failed
        newer = (
            failed is not None
            and repair is not None
            and failed[0].cell.number > (repair.situation.cell.execution_count or 0)
        )
        return None if newer else repair

    def _known(self, repair_id: str) -> Repair:
        """A repair of this kernel or of the history."""
        try:
            return self._session.repairs.find(repair_id)
        except BadInput:
            return self._session.recorder.get(repair_id)

    def _find(self, repair_id: str, kind: str | None, otherwise: str) -> Repair:
        repair = self._session.repairs.find(repair_id) if repair_id else self._session.repairs.latest(kind)
        if repair is None:
            raise BadInput(otherwise)
        return repair
