"""Runs cells statement by statement, and looks ahead before each: a statement that then runs was a false alarm.

    python -m tests.foreseen.alarms < cells.json

It reads `[{"cells": [cell, …], "files": {path: text}}, …]`, and prints what came of it as JSON.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reflex_ipython.foreseen import foresee


@dataclasses.dataclass
class Looked:
    """What came of it: cells that ran to their end, false alarms in words, right ones, and milliseconds a look."""

    cells: int = 0
    alarms: list[str] = dataclasses.field(default_factory=list)
    right: int = 0
    median: float = 0.0
    slowest: float = 0.0


def looked(notebooks: Sequence[dict[str, Any]]) -> Looked:
    """Do it in a process of its own, in an empty folder."""
    root = Path(__file__).parents[2]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
        ran = subprocess.run(
            [sys.executable, "-m", "tests.foreseen.alarms"],
            input=json.dumps(list(notebooks)),
            stdout=subprocess.PIPE,
            cwd=folder,
            env={**environment, "MPLBACKEND": "agg"},
            text=True,
            check=True,
        )
    return Looked(**json.loads(ran.stdout.splitlines()[-1]))


def _play(notebooks: Sequence[dict[str, Any]]) -> Looked:
    from IPython.core.interactiveshell import InteractiveShell

    shell, found, times = InteractiveShell.instance(), Looked(), list[float]()
    home, fresh = os.getcwd(), dict(shell.user_ns)
    for number, notebook in enumerate(notebooks):
        folder = Path(home, str(number))
        folder.mkdir()
        os.chdir(folder)
        for path, text in notebook.get("files", {}).items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text)
        shell.user_ns.clear()  # `reset` collects all garbage as well
        shell.user_ns.update(fresh)
        for cell in notebook["cells"]:
            _run(shell, cell, found, times)
    found.median, found.slowest = statistics.median(times) * 1e3, max(times) * 1e3
    return found


def _run(shell: Any, cell: str, found: Looked, times: list[float]) -> None:
    try:
        statements = ast.parse(shell.transform_cell(cell)).body
    except SyntaxError:
        return
    told: dict[int, str] = {}
    for place, statement in enumerate(statements):
        began = time.perf_counter()
        ahead = foresee(statements, place + 1, shell.user_ns)
        times.append(time.perf_counter() - began)
        if ahead is not None:
            told[ahead.place] = f"{ahead.error!r} in {ast.unparse(statements[ahead.place])!r} of\n{cell}"
        try:
            code = compile(ast.Module([statement], []), "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            if code.co_flags & 0x80:  # it awaits, and there is no loop
                return
            exec(code, shell.user_ns)
        except BaseException:  # noqa: BLE001 - whatever it is: the cell is over
            found.right += place in told
            return
        if place in told:
            found.alarms.append(told[place])
    found.cells += len(statements) > 1


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    given = json.load(sys.stdin)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        came = _play(given)
    print()
    print(json.dumps(dataclasses.asdict(came)))
    sys.stdout.flush()
    os._exit(0)  # not after the threads that a cell has left
