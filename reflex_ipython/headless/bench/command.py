"""`reflex-ipython bench`: reads the cases, runs them, shows the figures."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reflex_ipython.errors import BadInput
from reflex_ipython.headless.arguments import at_a_time, model_settings, seconds, try_to_write
from reflex_ipython.headless.bench.cases import Case, read_cases
from reflex_ipython.headless.bench.many import caches, run_cases
from reflex_ipython.headless.bench.one import Conditions
from reflex_ipython.headless.bench.outcome import Outcome, read_outcomes
from reflex_ipython.headless.bench.shown import markdown, rich_tables

if TYPE_CHECKING:
    from rich.progress import Progress

DESCRIPTION = """\
Run notebook cells that are known to fail, each in a fresh kernel with the extension loaded, accept what is proposed as
a person would, and count how often that is right.

Each line of CASES is a JSON object: `id`, `cell` (fails), `ename` (the exception's class); and perhaps `setup` (the
cells before it), `check` (an expression over the namespace and OUT, the text shown, that is true if the repair is
right), `correct` (a cell whose result is right), `says` (a regular expression for the words about the error), `files`
(texts by name, in the folder where it runs), and `notebook` (the sources of all its cells, in their order: those that
are neither in `setup` nor `cell` did not run)."""
EPILOG = """\
No model is asked and no network is used, unless --model is given. The kernels read and write in temporary folders, but
they run what the cases and the fixes say, with your rights: run only cases that you trust."""
INTERRUPTED = 130
"""The exit code of what Ctrl-C ended."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("cases", nargs="+", type=Path, metavar="CASES.jsonl", help="files of cases")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT.jsonl", help=(
        "where each outcome is written as its case ends; cases that it has already are not run again"))  # fmt: skip
    parser.add_argument("--report", type=Path, metavar="FILE.md", help="where the figures are written as Markdown")
    parser.add_argument("--jobs", type=at_a_time, default=1, metavar="N", help="cases at a time (1)")
    parser.add_argument("--timeout", type=seconds, default=60.0, metavar="SECONDS", help=(
        "for each cell and each repair (60)"))  # fmt: skip
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="run these cases alone")
    parser.add_argument("--provider", choices=("rules", "model"), help=(
        "who proposes: the rules alone, or the model named by --model as well, where no rule fits"))  # fmt: skip
    parser.add_argument("--model", metavar="NAME", help="the model to ask: its name, PROVIDER:NAME or local:PATH")
    parser.add_argument("--base-url", metavar="URL", help="its OpenAI-compatible server")


def run(arguments: argparse.Namespace) -> int:
    """Do it.

    Parameters
    ----------
    arguments : Namespace
        As `add_arguments` says.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    BadInput
        If something that is asked for can't be done; nothing has run then.
    """
    cases = _chosen(read_cases(arguments.cases), arguments.only)
    conditions = _conditions(arguments)
    wanted = {case.id for case in cases}
    known = read_outcomes(arguments.output) if arguments.output else []
    outcomes = [outcome for outcome in known if outcome.id in wanted]
    had = {outcome.id for outcome in known}
    for path in filter(None, (arguments.output, arguments.report)):
        try_to_write(path)
    interrupted = _run([case for case in cases if case.id not in had], conditions, arguments, outcomes)
    if outcomes:
        _show(outcomes, arguments.report)
    if interrupted:
        again = f"; the same command goes on with the other {len(cases) - len(outcomes)}" if arguments.output else ""
        print(f"Interrupted after {len(outcomes)} of {len(cases)} cases{again}.", file=sys.stderr)
    return INTERRUPTED if interrupted else 0


def _run(cases: Sequence[Case], conditions: Conditions, arguments: argparse.Namespace, outcomes: list[Outcome]) -> bool:
    """Run the cases and add their outcomes; gives whether that was interrupted."""
    with caches(conditions) as conditions, _terminated_as_interrupted(), _progress() as progress:
        task = progress.add_task("", total=len(cases) + len(outcomes), completed=len(outcomes))
        running = run_cases(
            cases, conditions, arguments.jobs, lambda case: progress.update(task, description=f"[dim]{case}")
        )
        try:
            for outcome in running:
                outcomes.append(outcome)
                if arguments.output:
                    with arguments.output.open("a", encoding="utf-8") as file:
                        file.write(outcome.line())
                progress.advance(task)
        except KeyboardInterrupt:
            return True
        finally:
            running.close()
    return False


def _chosen(cases: list[Case], ids: Sequence[str]) -> list[Case]:
    known = {case.id for case in cases}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise BadInput(f"There is no case {unknown[0]!r}.")
    return [case for case in cases if not ids or case.id in ids]


def _conditions(arguments: argparse.Namespace) -> Conditions:
    model = arguments.model if arguments.provider != "rules" else None
    if arguments.provider == "model" and not model:
        raise BadInput("Name the model to ask: --model NAME.")
    if arguments.base_url and not model:
        raise BadInput("--base-url is where a model is asked: name it with --model NAME.")
    config: list[tuple[str, Any]] = [("history", False)]
    if model:
        config += model_settings(model, arguments.base_url)
        config.append(("allowed_hosts", "*"))  # who names a model here lets it see the cases
    return Conditions(Path(), arguments.timeout, tuple(config), network=bool(model))


def _show(outcomes: Sequence[Outcome], report: Path | None) -> None:
    from rich.console import Console

    console = Console()
    console.print(rich_tables(outcomes))
    for outcome in outcomes:
        if outcome.trouble:
            console.print(f"{outcome.id}: {outcome.trouble}", markup=False)
    if report is not None:
        report.write_text(markdown(outcomes), encoding="utf-8")


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Being asked to end is Ctrl-C: no kernel may be left then either."""

    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
