"""The commands of `%reflex`, as an argument parser: it is their documentation and their completion as well."""

from __future__ import annotations

import argparse
import re
import shlex
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NoReturn

from reflex_ipython.errors import BadInput
from reflex_ipython.models import moment
from reflex_ipython.propose.presets import PRESETS


class HelpShown(Exception):
    """`-h` was given, and the help is on the screen."""


class _Parser(argparse.ArgumentParser):
    """Raises where argparse would end the kernel."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message[:1].upper()}{message[1:]}. {self.format_usage().strip()}")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise HelpShown


def parser() -> argparse.ArgumentParser:
    """The whole of it."""
    top = _Parser(
        prog="%reflex",
        description="Proposes fixes for failed cells and applies them. Without a command, shows the status.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="`%reflex COMMAND -h` explains a command; `%config Reflex` lists the settings.",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    def add(name: str, help: str, more: str = "") -> argparse.ArgumentParser:
        text = f"{help[:1].upper()}{help[1:]}. {more}".strip()  # both are %-formatted by argparse
        return commands.add_parser(name, help=help, description=text)

    add("on", "look for a fix whenever a cell fails")
    add("off", "stop looking for fixes, until `%%reflex on`", "Fixes that were already proposed can still be accepted.")
    fix = add("fix", "look at the last error again", "With a hint, or if no rule has a fix, the chosen model is asked.")
    fix.add_argument("hint", nargs="*", help="what the model should know or do, in your own words")
    do = add(
        "do",
        "have the chosen model write code for what you want, and try it on a copy of the kernel",
        "`%%%%reflex WORDS` as a whole cell does the same, with the words behind it or below. Nothing runs in your "
        "kernel before you accept the code, which then takes the place of the request, with your words above it.",
    )
    do.add_argument("words", nargs="*", help="what the code is to do, in your own words")
    add("explain", "show what is known about the last error")
    context = add(
        "context",
        "show what would be sent to the model about the last error",
        "Shows the whole request, to the last byte, and which secrets were withheld. Nothing is sent.",
    )
    context.add_argument("hint", nargs="*", help="the hint that you would give to `%%reflex fix`")
    accept = add(
        "accept",
        "accept a fix: rewrite its cell and run it",
        "Where the front end can't rewrite cells, this cell becomes the fixed one. If something that can't be undone "
        "would happen again, you are asked first, unless you say here what to do.",
    )
    _add_which(accept)
    _add_how(accept)
    _add_id(add("reject", "reject all fixes of a repair"), "the latest open repair")
    _add_id(
        add("undo", "undo an accepted fix: restore the cell's old text and, if no other cell has run since, the state"),
        "the latest accepted repair",
    )
    back = add(
        "back",
        "undo what the last cell did: put the state back to what it was before that ran",
        "The cell's text stays, and so does what was done outside the kernel's memory; one line says what that is.",
    )
    back.add_argument(
        "count", nargs="?", type=_count, default=1, metavar="N", help="how many cells (default: 1; see `keep_cells`)"
    )
    edit = add(
        "edit",
        "put the fixed source into the next cell, to be edited before it runs",
        "Without a fix it is the failed cell's own source, behind a line `%%reflex resume`.",
    )
    _add_which(edit)
    resume = add(
        "resume",
        "run what stands below this line as the failed cell, and go on where that failed",
        "What has run and is unchanged does not run again. Put it in front of the mended source: `%%reflex edit` does.",
    )
    _add_id(resume, "the latest failure")
    history = add("history", "list past failures in all notebooks, and what became of them")
    _add_filters(history)
    memory = add(
        "memory",
        "list what was learnt of accepted fixes, and is proposed again",
        "What has been right in three notebooks is a rule of your own. A rule can be switched off, and on again.",
    )
    switch = memory.add_mutually_exclusive_group()
    switch.add_argument("--off", metavar="ID", help="never propose this one again, in any notebook")
    switch.add_argument("--on", metavar="ID", help="propose it again")
    add("stats", "show figures of all repairs: what became of them, by exception, provider, rule and model")
    log = add("log", "show a repair, or all of this session, as Markdown, with what models were asked and answered")
    _add_id(log, "all of this session")
    show = add("show", "show everything about one repair")
    _add_id(show, "the latest")
    trace = add(
        "trace",
        "show the calls of your own functions that the last traced cell made, once more",
        "`%%%%reflex trace` as the first line of a cell records them, and shows them below it, with the options there.",
    )
    _add_trace_options(trace)
    trace.add_argument(
        "--tests",
        metavar="FOLDER",
        default="",
        help="write pytest tests of the calls of your modules into that folder; best after `%%%%reflex trace --values`",
    )
    test = add(
        "test",
        "write a pytest test of an accepted fix",
        "It calls the mended function with what it was called with, or runs the cell with what it had. It is shown "
        "once it was seen to fail with the old source and to pass with the new one, each in a sandboxed process of its "
        "own. For that the cells before it run again there, as far as they are needed, without network.",
    )
    _add_id(test, "the latest accepted repair")
    test.add_argument("-o", dest="file", metavar="FILE", default="", help="write it into that file, or add it there")
    model = add(
        "model",
        "show, choose or test the language model",
        "Without a name, shows the chosen model, the providers whose key is in the kernel's environment, and the model "
        "servers on this machine. `groq:NAME` is the model NAME of the provider groq; `local:PATH` is a GGUF file.",
    )
    _add_choice_of_model(model)
    return top


def _add_how(accept: argparse.ArgumentParser) -> None:
    ways = accept.add_mutually_exclusive_group()
    for flag, how, text in (
        ("--resume", "resume", "continue where the cell failed, without asking"),
        ("--whole", "whole", "run the whole cell, even if it could be resumed, without asking"),
        ("--only-rewrite", "only rewrite", "run nothing; in a terminal, the fixed source is put into the next prompt"),
    ):
        ways.add_argument(flag, dest="how", action="store_const", const=how, help=text)


def _add_trace_options(trace: argparse.ArgumentParser) -> None:
    trace.add_argument(
        "--values", action="store_true", help="keep a pickle of each value, so that calls can be replayed"
    )
    trace.add_argument("--lines", action="store_true", help="record the lines that each call reached")
    trace.add_argument("--to", metavar="NAME", default="", help="the name that gets the trace")
    trace.add_argument("-o", dest="file", metavar="FILE", default="", help="write it, redacted, as .json or .jsonl")


def _add_filters(history: argparse.ArgumentParser) -> None:
    history.add_argument(
        "-n", dest="count", type=_count, default=20, metavar="N", help="how many to list (default: 20)"
    )
    which = history.add_mutually_exclusive_group()
    which.add_argument("--failed", action="store_true", help="only failures that were not repaired")
    which.add_argument("--accepted", action="store_true", help="only failures whose fix was accepted")
    history.add_argument(
        "--search", metavar="TEXT", nargs="+", default=[], help="words in the error, the cell or the explanation"
    )
    history.add_argument("--class", dest="ename", metavar="NAME", default="", help="the exception's class: KeyError")
    history.add_argument("--notebook", metavar="NAME", default="", help="the notebook's name, or the end of its path")
    history.add_argument(
        "--since", type=since, metavar="WHEN", default=None, help="a date, 2026-11-03, or so many days back: 7d"
    )


def _add_choice_of_model(model: argparse.ArgumentParser) -> None:
    model.add_argument("name", nargs="?", metavar="NAME", help="PROVIDER:NAME, or its name on its server; `off`: none")
    model.add_argument(
        "--base-url", metavar="URL", help="the server's address (default: the provider's, else the setting `base_url`)"
    )
    model.add_argument(
        "--provider", metavar="PROVIDER", help=f"how the server at that address speaks: {', '.join(PRESETS)}"
    )
    model.add_argument(
        "--key-variable",
        metavar="VARIABLE",
        help="the name of the environment variable that holds the key (default: the provider's, else OPENAI_API_KEY)",
    )
    model.add_argument(
        "--test",
        action="store_true",
        help="ask it one short question, with nothing of yours in it; with a NAME, without choosing that",
    )
    model.add_argument(
        "--allow",
        action="store_true",
        help="let questions be sent to the chosen model's host, now and in other sessions; asked once for each host",
    )


def parse(line: str) -> argparse.Namespace:
    """Parse what stands behind `%reflex`.

    Raises
    ------
    BadInput
        In words, with the usage.
    HelpShown
        If help was asked for; it has been printed.
    """
    command, _, rest = line.lstrip().partition(" ")
    if command == "do" and rest.strip() not in ("-h", "--help"):  # as it was written, with its quotes and lines
        return parser().parse_args(["do", "--", rest.strip()] if rest.strip() else ["do"])
    try:
        words = shlex.split(line)
    except ValueError as error:
        if not line.startswith(("fix ", "context ")):
            raise BadInput(f"{error}: {line!r}") from None
        words = line.split()  # a hint is prose, with apostrophes
    top = parser()
    found, unknown = top.parse_known_args(words)
    if unknown:  # argparse itself would show the usage of all commands
        dict(_subparsers(top)).get(found.command, top).error(f"unrecognized arguments: {' '.join(unknown)}")
    return found


def completions(line: str) -> list[str]:
    """What the last word of a `%reflex` line may become.

    Parameters
    ----------
    line : str
        From `%reflex` to the cursor.
    """
    words = line.split()
    given = words[1:] if line.endswith(" ") else words[1:-1]
    commands = dict(_subparsers(parser()))
    if not given:
        return [*commands]
    command = commands.get(given[0])
    if command is None:
        return []
    return [option for action in command._actions for option in action.option_strings]


def _subparsers(top: argparse.ArgumentParser) -> Iterator[tuple[str, Any]]:
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _add_id(command: argparse.ArgumentParser, default: str) -> None:
    command.add_argument("id", nargs="?", default="", metavar="ID", help=f"which repair (default: {default})")


def _add_which(command: argparse.ArgumentParser) -> None:
    """Either may be left out: `ipython.which` tells them apart."""
    _add_id(command, "the latest open repair")
    command.add_argument(
        "number",
        nargs="?",
        default="",
        metavar="N",
        help="which of its fixes, by its number below the cell (default: 1, where there is nothing to choose)",
    )


def since(text: str) -> str:
    """The moment that a date, or a number of days back, stands for: ISO 8601 in UTC."""
    days = re.fullmatch(r"(\d{1,5})d", text)
    try:
        if days:
            return moment(time.time() - 86_400 * int(days[1]))
        return moment(datetime.fromisoformat(text).astimezone().timestamp())
    except (ValueError, OverflowError, OSError):
        raise argparse.ArgumentTypeError(f"{text!r} is no date: give 2026-11-03, or 7d for the last 7 days") from None


def _count(text: str) -> int:
    count = int(text) if text.isdigit() else 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of 1 or more")
    return count
