"""Of failures of the project's own set: for how many a test is written, and whether it passes in a fresh clone.

`python -m tests.bench.written_tests [COUNT]`; half of them fail inside of a function that the right text changes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import linecache
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reflex_ipython.capture import capture_failure
from reflex_ipython.errors import BadInput
from reflex_ipython.models import CellRef, CellSource, Decision, Edit, Repair, Rerun, now
from reflex_ipython.testwriting.saving import save
from reflex_ipython.testwriting.subject import subject
from reflex_ipython.testwriting.writing import written

CASES = Path(__file__).parent.parent / "cases"
COUNT = 40
PYTEST = ("-m", "pytest", "-q", "-c", "/dev/null", "-p", "no:cacheprovider")


class _Cells:
    """The cells of one case, by the names of their codes."""

    def __init__(self, case: dict[str, Any]) -> None:
        sources = [*case["setup"], case["cell"]]
        self.cells = {
            f"<cell {number}>": CellSource(CellRef(f"c{number}", number), text)
            for number, text in enumerate(sources, 1)
        }

    def find(self, filename: str) -> CellSource | None:
        return self.cells.get(filename)

    def all(self) -> list[CellSource]:
        return list(self.cells.values())


def repair_of(case: dict[str, Any]) -> Repair | None:
    """What an accepted repair of a case would be; None if it does not fail here, as with other versions."""
    cells = _Cells(case)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for name, cell in cells.cells.items():
        linecache.cache[name] = (0, None, cell.source.splitlines(keepends=True), name)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(cell.source, name, "exec"), namespace)
        except Exception as error:  # noqa: BLE001 - cells that are meant to fail
            if cell is not cells.all()[-1] or isinstance(error, SyntaxError):  # nothing has run of what does not parse
                return None
            failure = capture_failure(error, source=cell.source, cell=cell.cell, namespace=namespace, cells=cells)
            steps = (Edit(cell.cell, cell.source, case["correct"]),)
            decision = Decision("accepted", now(), steps=steps)
            return Repair("r", "s", failure, decision=decision, rerun=Rerun(True, now()))
    return None


def chosen(count: int) -> Iterator[tuple[dict[str, Any], Repair]]:
    """Cases of all families by turns; up to half of them with a function, the others without one."""
    families = [[json.loads(line) for line in path.open(encoding="utf-8")] for path in sorted(CASES.glob("*.jsonl"))]
    ordered = [family[n] for n in range(max(map(len, families))) for family in families if n < len(family)]
    with_function = [case for case in ordered if "def " in case["cell"]]
    left = {True: count // 2, False: count}
    for has_function, case in [*((True, one) for one in with_function), *((False, one) for one in ordered)]:
        if not left[has_function] or not case.get("correct") or "notebook" in case or case["ename"] == "SyntaxError":
            continue
        for name, text in case.get("files", {}).items():
            Path(name).write_text(text, encoding="utf-8")
        repair = repair_of(case)
        if repair is not None and (subject(repair).function is not None) == has_function:
            left[has_function] -= 1
            left[False] -= has_function
            yield case, repair


def main(count: int) -> None:
    """Print a line for each, and the sums."""
    os.environ["MPLBACKEND"] = "agg"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", "project"], check=True, cwd=folder)
        os.chdir(Path(folder, "project"))
        seen: dict[bool, list[bool]] = {True: [], False: []}
        times: list[float] = []
        for number, (case, repair) in enumerate(chosen(count)):
            began = time.monotonic()
            has_function = subject(repair).function is not None
            try:
                test = written(dataclasses.replace(repair, id=case["id"]), _Cells(case).all()).test
                save(dataclasses.replace(test, name=f"test_{number}"), Path(f"test_{number}.py"))
                words = "fails before, passes after"
            except BadInput as reason:
                words = str(reason)
            except Exception as error:  # noqa: BLE001 - a mistake of ours counts as none written
                words = f"{type(error).__name__}: {error}"
            seen[has_function].append(words.startswith("fails"))
            times.append(time.monotonic() - began)
            print(f"{'function' if has_function else 'cell':8}  {case['id']:40}  {words}", flush=True)
        subprocess.run(["git", "add", "-A"], check=True)
        who = ("-c", "user.name=x", "-c", "user.email=x@localhost")
        subprocess.run(["git", *who, "commit", "-qm", "Tests"], check=True)
        os.chdir(folder)
        passed = in_clone()
    for has_function, found in seen.items():
        what = "with a function" if has_function else "without one"
        print(f"{what}: {len(found)} failures, {sum(found)} tests written, each seen to fail before and to pass after")
    print(f"in a fresh clone: {passed}; {sorted(times)[len(times) // 2]:.1f} s each (median)")


def in_clone() -> str:
    """What pytest says of all of them in a fresh clone."""
    subprocess.run(["git", "clone", "-q", "project", "clone"], check=True)
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "7"}
    ran = subprocess.run(
        [sys.executable, *PYTEST, "."], cwd="clone", env=environment, capture_output=True, text=True, check=False
    )
    return ran.stdout.strip().split("\n")[-1]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
