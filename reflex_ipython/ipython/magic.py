"""`%reflex` itself: light, since it is registered at load; what it does is imported when it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

NAME = "reflex"


class ReflexMagic:
    """The magic, as IPython calls it, of a line and of a cell. Its documentation is the parser's help.

    Parameters
    ----------
    run : callable
        Runs a command line.
    """

    __name__ = NAME

    def __init__(self, run: Callable[[str], None]) -> None:
        self._run = run

    def __call__(self, line: str, cell: str | None = None) -> None:
        """Run the command; a whole cell is a request in words, whose first line may be empty.

        One that is traced comes here only where its options are none.
        """
        if cell is not None and line.startswith("trace -"):
            cell = None
        self._run(line if cell is None else f"do {line}\n{cell}")

    @property
    def __doc__(self) -> str:  # type: ignore[override]  # a text that is made when it is asked for
        from reflex_ipython.ipython.commands import parser

        return parser().format_help()


def install_magic(shell: Any, run: Callable[[str], None]) -> Callable[[], None]:
    """Register `%reflex` and its completion; gives the undo."""

    def complete(_: Any, event: Any) -> list[str]:
        from reflex_ipython.ipython.commands import completions

        return completions(event.line)

    shell.register_magic_function(ReflexMagic(run), "line_cell", NAME)
    shell.set_hook("complete_command", complete, str_key=f"%{NAME}")

    def undo() -> None:
        for kind in ("line", "cell"):
            shell.magics_manager.magics[kind].pop(NAME, None)
        shell.strdispatchers["complete_command"].strs.pop(f"%{NAME}", None)

    return undo
