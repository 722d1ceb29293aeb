"""From recorded calls to tests with parameters, each seen to pass, in files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from reflex_ipython.errors import BadInput
from reflex_ipython.testwriting.imports import imported
from reflex_ipython.testwriting.parametrised import OTHERS
from reflex_ipython.testwriting.passing import Passing
from reflex_ipython.testwriting.reached import lines_of
from reflex_ipython.testwriting.recorded_calls import DistinctCalls, LeftOut, full_name, merged, selected
from reflex_ipython.testwriting.recorded_requests import packages
from reflex_ipython.testwriting.repeating import cases_of
from reflex_ipython.testwriting.saving import save, sort_imports
from reflex_ipython.testwriting.tests_told import FunctionLines, WrittenTests
from reflex_ipython.testwriting.workroom import Workroom, libraries
from reflex_ipython.traces.recorded import Trace
from reflex_ipython.traces.recording import Recording

SECONDS = 20.0
"""That each run may take."""
NO_FOLDER = "{} is no folder: give one for the tests, `-o tests`."
NO_CALLS = "The trace holds no calls."


def write_tests(trace: Trace | Recording, folder: str | Path) -> WrittenTests:
    """Write tests of the recorded calls that give the same each time, and were seen to pass.

    The values of the trace are made again in sandboxed processes, never in this one.

    Parameters
    ----------
    trace : Trace or Recording
        Recorded with `values=True`; without, calls are tested whose values the summaries say whole.
    folder : str or Path
        Where the tests are put, `test_MODULE.py` for each module: a file that is there keeps all its lines.

    Returns
    -------
    WrittenTests
        What was written, what was not and why, and which lines are reached.

    Raises
    ------
    BadInput
        If nothing can be tried here: no calls, no sandbox, no pytest, no folder.
    """
    trace = trace.trace if isinstance(trace, Recording) else trace
    folder = Path(folder).expanduser().absolute()
    if folder.suffix == ".py" or (folder.exists() and not folder.is_dir()):
        raise BadInput(NO_FOLDER.format(folder))
    if not trace.calls:
        raise BadInput(NO_CALLS)
    asked, left = selected(trace)
    if not asked:
        return WrittenTests((), tuple(left), ())
    files = sorted({os.path.realpath(one.function.file) for one in asked})
    roots = [*dict.fromkeys(one.root for one in asked)]
    imports = [*imported(_texts(files)), *packages(trace)]
    with Workroom(imports, SECONDS, 1, roots) as room, Workroom(imports, SECONDS, 2, roots) as other:
        passing = Passing(other, files)
        before = passing.lines_of_folder(folder)
        names = tuple({name.partition(".")[0] for name in libraries(imports)})
        written, made = [], set()
        for one in asked:
            path = folder / _file_name(one, asked)
            tests, refused = cases_of(one, room, other, trace, names)
            left += refused
            for test in tests:
                new, why = passing.seen(test, path)
                if new is not None:
                    made |= set() if path.exists() else {path}
                    written.append((save(new, path)[0], len(new.cases), new.text))
                if why:
                    left.append(LeftOut(full_name(one.function), len(test.cases) - len(new.cases if new else ()), why))
    for path in made:
        sort_imports(path, (*names, *OTHERS))
    return WrittenTests(tuple(written), tuple(merged(left)), tuple(_reached(files, passing.lines, before)))


def _texts(files: Iterable[str]) -> Iterator[str]:
    for file in files:
        yield Path(file).read_text(encoding="utf-8", errors="replace")


def _reached(
    files: Iterable[str], now: set[tuple[str, int]], before: set[tuple[str, int]] | None
) -> Iterator[FunctionLines]:
    for file, text in zip(files, _texts(files)):
        all_, new = lines_of(text), {line for name, line in now if name == file}
        old = None if before is None else {line for name, line in before if name == file}
        yield FunctionLines(file, len(new & all_), len(all_), None if old is None else len((new - old) & all_))


def _file_name(one: DistinctCalls, asked: Iterable[DistinctCalls]) -> str:
    """Of the module's last part, if that is no other's too."""
    module = one.function.module
    last = module.rpartition(".")[2]
    alone = all(other.function.module.rpartition(".")[2] != last for other in asked if other.function.module != module)
    return f"test_{last if alone else module.replace('.', '_')}.py"
