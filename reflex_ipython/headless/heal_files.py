"""`reflex-ipython heal`: has notebooks healed, writes each, shows what came of it."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reflex_ipython.errors import BadInput, told
from reflex_ipython.headless.arguments import model_settings, try_to_write
from reflex_ipython.headless.heal import Options
from reflex_ipython.headless.healed import EXIT_CODES, GOOD
from reflex_ipython.headless.inputs import notebooks, targets
from reflex_ipython.headless.jobs import Done, Job, Stops, heal_here
from reflex_ipython.headless.notebook_file import NO_PAPERMILL
from reflex_ipython.headless.progress import progress
from reflex_ipython.headless.report import check_suffix, write_report
from reflex_ipython.headless.results import Result, append, kept, known

RULES = "rules"
MIXED = 1
"""The exit code of several notebooks that are not good for different reasons."""


def heal_files(arguments: argparse.Namespace) -> int:
    """Do what the command asks for.

    Parameters
    ----------
    arguments : Namespace
        As `command.add_arguments` says.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    BadInput
        If something that is asked for can't be done; nothing has run then.
    """
    paths = notebooks(arguments.notebooks)
    places = targets(paths, arguments.output, in_place=arguments.in_place)
    jobs = [Job(str(path), _options(arguments, path)) for path in paths]
    if arguments.report:
        check_suffix(arguments.report)
    for folder in {place.parent for place in places.values()}:
        _check_folder(folder, make=arguments.output is not None)
    for path in filter(None, (arguments.report, arguments.results)):
        try_to_write(path)
    results = list(known(jobs, arguments.results)) if arguments.results else []
    names = {result.notebook for result in results}
    left = [job for job in jobs if job.name not in names]
    if results and left:
        print(f"{arguments.results} has {len(results)} of {len(jobs)}; the others run.", file=sys.stderr)
    stops = Stops()
    with _interrupts(stops), progress(len(left)) as shown:
        for done in _run(left, arguments, stops, lambda job: shown.begun(job.name)):
            result = kept(done, places[Path(done.job.name)], backup=arguments.in_place)
            results.append(result)
            if arguments.results:
                append(arguments.results, result)
            if arguments.json:
                print(json.dumps(result.document()), flush=True)
            else:
                shown.ended(result)
    return _ended(jobs, results, arguments)


def _run(
    jobs: Sequence[Job], arguments: argparse.Namespace, stops: Stops, begun: Callable[[Job], None]
) -> Iterator[Done]:
    """Have notebooks healed, here or on a cluster."""
    if not arguments.dask:
        return heal_here(jobs, arguments.jobs, stops, begun)
    from reflex_ipython.headless.dask_cluster import heal_on_dask  # Dask comes along, where it is installed

    return heal_on_dask(jobs, arguments.dask, arguments.jobs, stops, begun)


def _ended(jobs: Sequence[Job], results: Sequence[Result], arguments: argparse.Namespace) -> int:
    """Say what there is to say in the end; gives the exit code."""
    if arguments.report:
        write_report(arguments.report, results)
    if not arguments.json:
        _say_what_is_left(results, one=len(jobs) == 1)
    if len(results) < len(jobs):
        again = "; the same command goes on with them" if arguments.results else ""
        print(f"Interrupted: {len(jobs) - len(results)} of {len(jobs)} did not run{again}.", file=sys.stderr)
        return EXIT_CODES["interrupted"]
    bad = {result.healed.exit_code for result in results if result.healed.status not in GOOD}
    return 0 if not bad else bad.pop() if len(bad) == 1 else MIXED


def _say_what_is_left(results: Sequence[Result], *, one: bool) -> None:
    """The tracebacks of what failed, and where a single notebook is."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    for result in results:
        if result.healed.traceback and result.healed.status not in GOOD:
            console.print(Text(f"\n{result.notebook}", "bold"), Text.from_ansi(result.healed.traceback), sep="\n")
        if result.output and one:
            console.print(f"Written to {result.output}.", markup=False)


def _options(arguments: argparse.Namespace, path: Path) -> Options:
    model = arguments.model if arguments.provider != RULES else None
    if arguments.base_url and not model:
        raise BadInput("--base-url is where a model is asked: name it with --model NAME.")
    settings: dict[str, Any] = dict(model_settings(model, arguments.base_url)) if model else {}
    if arguments.provider == RULES:
        settings["model"] = None
    elif arguments.provider:
        settings["provider"] = arguments.provider
    return Options(
        accept=arguments.accept, attempts=arguments.attempts, install=arguments.install, timeout=arguments.timeout,
        notebook_timeout=arguments.notebook_timeout, memory=arguments.memory, max_output=arguments.max_output,
        kernel=arguments.kernel, parameters=_parameters(arguments), verify=not arguments.no_verify,
        folder=str(path.resolve().parent), settings=settings,
    )  # fmt: skip


def _parameters(arguments: argparse.Namespace) -> dict[str, Any]:
    """Names and values as papermill reads them."""
    if not arguments.parameters and not arguments.parameter:
        return {}
    try:
        from papermill.cli import _resolve_type
        from papermill.iorw import read_yaml_file
    except ImportError:
        raise BadInput(NO_PAPERMILL) from None
    found: dict[str, Any] = {}
    if arguments.parameters:
        try:
            found |= read_yaml_file(str(arguments.parameters)) or {}
        except Exception as error:  # noqa: BLE001 - whatever a YAML reader raises
            raise BadInput(f"{arguments.parameters} can't be read as parameters: {told(error)}.") from None
    return found | {name: _resolve_type(value) for name, value in arguments.parameter}


def _check_folder(folder: Path, *, make: bool) -> None:
    """Say now that nothing could be written there later."""
    try:
        if make:
            folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise BadInput(f"Nothing can be written in {folder}: {error.strerror}.") from None


@contextmanager
def _interrupts(stops: Stops) -> Iterator[None]:
    """Ctrl-C, and being asked to end, ends all kernels, and what ran is written. Once more: nothing is waited for."""

    def stop(number: int, frame: Any) -> None:
        if stops.all_over:
            raise KeyboardInterrupt
        stops.now()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
