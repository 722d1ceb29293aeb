"""Verifies the cases: each fails as it says, and its correct cell runs and satisfies its check.

    python -m tests.cases.verify [ID ...]     without ids: all

One process imports the libraries once; each run then is a copy of it (a fork), in an empty folder.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from reflex_ipython.headless.bench.cases import Case, read_cases

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))
SECONDS = 60
"""For a run that hangs."""
LIBRARIES = ("pandas", "matplotlib.pyplot", "sklearn.ensemble", "sklearn.linear_model", "sklearn.model_selection")


def all_cases() -> list[Case]:
    """The cases of this folder."""
    return read_cases(FILES)


def problem(case: Case) -> str:
    """What is wrong with a case, in words; empty if nothing is."""
    return in_a_copy(lambda: _does_not_fail(case)) or (in_a_copy(lambda: _is_not_right(case)) if case.correct else "")


def in_a_copy(work: Callable[[], str]) -> str:
    """Do something in a copy of this process; gives its text."""
    read, write = os.pipe()
    process = os.fork()
    if not process:
        signal.alarm(SECONDS)
        try:
            said = work()
        except BaseException:  # noqa: BLE001 - whatever it was, it is told
            said = traceback.format_exc()
        os.write(write, said.encode()[:30_000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    _, status = os.waitpid(process, 0)
    return said or ("" if status == 0 else f"its process ended with status {status}")


def _does_not_fail(case: Case) -> str:
    shell = _prepared(case)
    error, _ = _run(shell, case.cell)
    return "" if type(error).__name__ == case.ename else f"raises {error!r} instead of {case.ename}"


def _is_not_right(case: Case) -> str:
    shell = _prepared(case)
    error, shown = _run(shell, case.correct)
    if error is not None:
        return f"the correct cell raises {error!r}"
    if not case.check:
        return ""
    shell.user_ns["OUT"] = shown
    value = eval(case.check, shell.user_ns)
    return "" if bool(value) else f"the check of the correct cell gives {value!r}; it shows {shown!r}"


def _prepared(case: Case) -> InteractiveShell:
    """A shell where the setup has run."""
    folder = Path(tempfile.mkdtemp(dir=os.environ["CASES_FOLDER"]))
    for name, text in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    os.chdir(folder)
    sys.path.insert(0, "")
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    for name in ("showtraceback", "showsyntaxerror", "showindentationerror"):
        setattr(shell, name, lambda *args, **options: None)
    for source in case.setup:
        error, _ = _run(shell, source)
        if error is not None:
            raise AssertionError(f"the setup raises {error!r}")
    return shell


def _run(shell: InteractiveShell, source: str) -> tuple[BaseException | None, str]:
    """Run a cell; gives its error and the text that it shows."""
    with capture_output() as shown:
        result: Any = shell.run_cell(source, store_history=True)
    texts = [shown.stdout, *(output.data.get("text/plain", "") for output in shown.outputs)]
    return result.error_before_exec or result.error_in_exec, "\n".join(filter(None, texts))


def main(ids: Sequence[str]) -> int:
    """Print what is wrong with which case, a JSON object by id; gives the exit code."""
    for name in LIBRARIES:
        __import__(name)
    cases = [case for case in all_cases() if not ids or case.id in ids]
    problems = {case.id: wrong for case in cases if (wrong := problem(case))}
    print(json.dumps({"verified": len(cases), "problems": problems}, indent=1))
    return bool(problems)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    os.environ["MPLBACKEND"] = "agg"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CASES_FOLDER"] = folder
        code = main(sys.argv[1:])
    sys.exit(code)
