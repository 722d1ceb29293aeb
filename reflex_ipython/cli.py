"""The command line: `reflex-ipython COMMAND`, `python -m reflex_ipython COMMAND`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from reflex_ipython.errors import BadInput
from reflex_ipython.version import __version__

BAD_INPUT = 2
"""The exit code of what can't be done as it was asked for, which is argparse's as well."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str or None
        None: those of the process.

    Returns
    -------
    int
        The exit code: 0, 2 for what can't be done as asked for, 130 if it was interrupted; `heal` has more.
    """
    from reflex_ipython.headless import changes_command, command, history_command, log_command, report_command
    from reflex_ipython.headless.bench import command as bench
    from reflex_ipython.ipython import script_command
    from reflex_ipython.testwriting import tests_command
    from reflex_ipython.traces import command as trace_command

    parser = argparse.ArgumentParser(
        "reflex-ipython", description="Checked fixes for notebook cells that fail: what needs no front end."
    )
    parser.add_argument("--version", action="version", version=f"reflex_ipython {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    made = commands.add_parser("bench", help="run cells that are known to fail, and count how often the fix is right")
    bench.add_arguments(made)
    made.set_defaults(run=bench.run)
    made = commands.add_parser("heal", help="run notebooks, and heal the cells that fail")
    command.add_arguments(made)
    made.set_defaults(run=command.run)
    made = commands.add_parser("run", help="run a script, and mend it where it fails")
    script_command.add_arguments(made)
    made.set_defaults(run=script_command.run)
    made = commands.add_parser("diff", help="show what `heal` has changed in a notebook")
    changes_command.add_arguments(made)
    made.set_defaults(run=changes_command.run)
    for name, module, words in (
        ("history", history_command, "export, import or forget what is remembered"),
        ("log", log_command, "write a session or a repair as Markdown"),
        ("report", report_command, "write figures and charts of all repairs as one HTML file"),
        ("tests", tests_command, "write pytest tests of the calls in a trace, each seen to pass"),
        ("trace", trace_command, "say how recorded calls are written"),
    ):
        made = commands.add_parser(name, help=words)
        module.add_arguments(made)
        made.set_defaults(run=module.run)
    parsed = parser.parse_args(arguments)
    try:
        code: int = parsed.run(parsed)
    except BadInput as error:
        print(f"reflex-ipython: {error}", file=sys.stderr)
        return BAD_INPUT
    return code
