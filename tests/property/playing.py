"""Running a case in two processes that begin alike: one with the extension, one that runs only the right cell."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import importlib
import io
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from IPython import version_info

from tests.property.graph import Graph
from tests.property.kinds import EVERY
from tests.property.routes import Step

PATIENCE = 60
"""Seconds that a process may take."""


@dataclasses.dataclass
class Outcome:
    """What came of a notebook.

    Parameters
    ----------
    graph : Graph or None
        The picture at the end; None if it did not come so far.
    errors : list of str
        For each step what it raised, "" if nothing.
    words : list of str
        All that was said about the state: before, asked for; after, put back.
    trouble : str
        What went wrong with the playing itself.
    modules : list of str
        What was imported by the end.
    """

    graph: Graph | None = None
    errors: list[str] = dataclasses.field(default_factory=list)
    words: list[str] = dataclasses.field(default_factory=list)
    trouble: str = ""
    modules: list[str] = dataclasses.field(default_factory=list)


def warm_up() -> Any:
    """Import what the cells need, once, and make the shell: every process that is forked from here has them."""
    import matplotlib

    matplotlib.use("agg")
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.xmode = "Minimal"
    shell = InteractiveShell.instance(config=config, colors="nocolor" if version_info[0] >= 9 else "NoColor")
    needs = dict.fromkeys(need for kind in EVERY for need in kind.needs)
    sample = [
        Step("run", "\n".join(needs)),
        Step("run", "failed = missing_name", fails=True),
        Step("accept", "failed = 1"),
    ]
    outcome = played(shell, (*sample, Step("undo")), extension=True, wide=True)
    if outcome.trouble:
        raise RuntimeError(outcome.trouble)
    for name in outcome.modules:  # what came in with the first failure
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    matplotlib.pyplot.close(matplotlib.pyplot.figure())
    sys.modules["numpy"].random.seed(1)
    gc.collect()
    gc.freeze()  # collections in the forked processes would write to all of it
    return shell


def played(shell: Any, steps: tuple[Step, ...], *, extension: bool, wide: bool) -> Outcome:
    """Play a notebook in a forked process of its own, in a folder of its own."""
    folder = tempfile.mkdtemp(prefix="property")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _child(shell, steps, folder, write, extension, wide)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    shutil.rmtree(folder, ignore_errors=True)
    if not data:
        return Outcome(trouble=f"the process ended with {status}")
    outcome: Outcome = pickle.loads(data)
    return outcome


def _child(shell: Any, steps: tuple[Step, ...], folder: str, write: int, extension: bool, wide: bool) -> None:
    """Never comes back."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(PATIENCE)
    outcome = Outcome()
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            if not (number == 2 and os.environ.get("PROPERTY_DEBUG")):
                os.dup2(nothing, number)
        sys.stdout, sys.stdin = io.StringIO(), io.StringIO()
        if not os.environ.get("PROPERTY_DEBUG"):
            sys.stderr = io.StringIO()
        os.chdir(folder)
        random.seed(1)  # a forked process has begun anew with it
        from tests.property.notebook import Notebook

        notebook = Notebook(shell, outcome, extension=extension, wide=wide)
        notebook.play(steps)
        outcome.graph = notebook.picture(folder)
        outcome.modules = list(sys.modules) if steps[-1].do == "undo" else []
    except BaseException as error:  # noqa: BLE001 - it is told to the parent
        import traceback

        outcome.trouble = "".join(traceback.format_exception(error))[-1500:]
    try:
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(outcome, pipe)
    finally:
        os._exit(0)


_SENT = io.BytesIO()
_PRINTED = io.TextIOWrapper(_SENT, encoding="utf-8", write_through=True)
"""One for all cells, as a kernel has it: a cell that is taken back has seen the stream that the next one prints to. Not
one in memory, which would be the user's: what a failed statement has printed into that is undone.
"""


@contextlib.contextmanager
def silent() -> Iterator[Callable[[], str]]:
    """Gives what tells what was printed meanwhile."""
    begun = len(_SENT.getvalue())
    with contextlib.redirect_stdout(_PRINTED):
        yield lambda: _SENT.getvalue()[begun:].decode()
