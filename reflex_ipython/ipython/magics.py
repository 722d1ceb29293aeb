"""`%reflex`: each command parses, calls the session, and shows something."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_magic, magics_class

from reflex_ipython.errors import BadInput, CellEditRefused, ReflexError
from reflex_ipython.ipython import commands
from reflex_ipython.models import Repair
from reflex_ipython.present import history, status
from reflex_ipython.present.explain import explanation

if TYPE_CHECKING:
    from reflex_ipython.ipython.extension import Extension

NAME = "reflex"


@magics_class
class ReflexMagics(Magics):
    """The `%reflex` command."""

    def __init__(self, extension: Extension) -> None:
        super().__init__(extension.shell)
        self._extension = extension

    @line_magic(NAME)
    def reflex(self, line: str) -> None:
        """Is replaced by the parser's help."""
        try:
            arguments = commands.parse(line)
            command: Callable[[argparse.Namespace], None] = getattr(self, f"_{arguments.command or 'status'}")
            command(arguments)
        except commands.HelpShown:
            return
        except ReflexError as error:
            raise UsageError(str(error)) from None

    reflex.__doc__ = commands.parser().format_help()

    # ------------------------------------------------------------------------------- on and off

    def _status(self, arguments: argparse.Namespace) -> None:
        extension = self._extension
        print(status.status(extension.session.settings, extension.session.latest(), extension.session.latest(None)))

    def _on(self, arguments: argparse.Namespace) -> None:
        self._extension.config.enabled = True
        print("Reflex is on.")

    def _off(self, arguments: argparse.Namespace) -> None:
        self._extension.config.enabled = False
        print("Reflex is off: no fix is looked for when a cell fails. `%reflex fix` still works.")

    # ------------------------------------------------------------------------------- the last error

    def _fix(self, arguments: argparse.Namespace) -> None:
        session, hint = self._extension.session, " ".join(arguments.hint)
        repair = session.latest()
        failed = self._extension.last_failed
        if repair is None or (failed is not None and failed[0].cell != repair.failure.cell):
            repair = self._extension.look_again()
        else:
            session.show_again(repair.id)
        if hint or (not repair.fixes and session.settings.model):
            session.ask(repair.id, hint)

    def _explain(self, arguments: argparse.Namespace) -> None:
        repair = self._extension.session.latest() or self._extension.look_again()
        print(explanation(repair))

    # ------------------------------------------------------------------------------- decisions

    def _accept(self, arguments: argparse.Namespace) -> None:
        """Only where the page rewrites the cell: elsewhere this cell has become the fixed one (`acceptance`)."""
        extension = self._extension
        repair, fix = extension.session.accept(self._open(arguments.id).id)
        try:
            for edit in fix.edits:
                extension.front_end.apply(repair.id, edit, run=edit is fix.edit)
        except CellEditRefused as error:
            extension.session.refused(repair.id, str(error))
            raise

    def _reject(self, arguments: argparse.Namespace) -> None:
        repair = self._extension.session.reject(self._open(arguments.id).id)
        print(f"Rejected {repair.id}.")

    def _edit(self, arguments: argparse.Namespace) -> None:
        repair = self._open(arguments.id)
        if not repair.fixes:
            raise BadInput("There is no fix to edit yet.")
        self.shell.set_next_input(repair.fixes[0].edit.source)

    def _undo(self, arguments: argparse.Namespace) -> None:
        extension = self._extension
        repair = self._find(arguments.id, "accepted", "No repair was accepted in this kernel.")
        edit = extension.session.undo(repair.id)
        try:
            extension.front_end.apply(repair.id, edit, run=False)
        except CellEditRefused:
            self.shell.set_next_input(edit.source)
        print(f"Undone {repair.id}: the old text is back. What the cell did is not undone.")

    # ------------------------------------------------------------------------------- history

    def _history(self, arguments: argparse.Namespace) -> None:
        accepted = True if arguments.accepted else False if arguments.failed else None
        repairs = self._extension.session.recorder.recent(arguments.count, accepted=accepted)
        self._extension.front_end.show(history.history_table(repairs), history.history_html(repairs))

    def _show(self, arguments: argparse.Namespace) -> None:
        repair = self._extension.session.recorder.get(arguments.id)
        self._extension.front_end.show(history.repair_report(repair), history.repair_report_html(repair))

    # ------------------------------------------------------------------------------- the model

    def _model(self, arguments: argparse.Namespace) -> None:
        config = self._extension.config
        if arguments.name == "off":
            config.model = None
        elif arguments.name:
            config.base_url = arguments.base_url or config.base_url
            config.model = arguments.name
        elif arguments.base_url:
            raise BadInput("Give the model's name as well: `%reflex model NAME --base-url URL`.")
        if arguments.name:
            print(status.chosen_model(self._extension.session.settings))
            return
        from reflex_ipython.propose.servers import find_local_servers

        print(status.models(self._extension.session.settings, find_local_servers()))

    # ------------------------------------------------------------------------------- which repair

    def _open(self, repair_id: str) -> Repair:
        return self._find(repair_id, None, "No repair is open: no cell has failed, or all was decided.")

    def _find(self, repair_id: str, kind: str | None, otherwise: str) -> Repair:
        session = self._extension.session
        repair = session.repair(repair_id) if repair_id else session.latest(kind)
        if repair is None:
            raise BadInput(otherwise)
        return repair


def install_magics(extension: Extension) -> Callable[[], None]:
    """Register `%reflex` and its completion; gives the undo."""
    shell: Any = extension.shell
    shell.register_magics(ReflexMagics(extension))
    shell.set_hook("complete_command", lambda _, event: commands.completions(event.line), str_key=f"%{NAME}")

    def undo() -> None:
        shell.magics_manager.magics["line"].pop(NAME, None)
        shell.magics_manager.registry.pop(ReflexMagics.__name__, None)
        shell.strdispatchers["complete_command"].strs.pop(f"%{NAME}", None)

    return undo
