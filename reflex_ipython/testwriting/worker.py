"""The process of `workroom.Workroom`: a line of JSON in for each run, a line out; each in a sandboxed copy of it."""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
import sys

from reflex_ipython.execution.process_trials import ExecutionBounds, ProcessTrials
from reflex_ipython.models import CellChanges, CellRef, Edit, to_json
from reflex_ipython.testwriting import calling, pytest_run, recorder


def main() -> None:
    """Serve until there are no more lines."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing that is printed may get in between
    begin = json.loads(sys.stdin.readline())
    folder = begin["folder"]
    os.environ.update(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", MPLBACKEND="agg")
    sys.path += [path for path in begin["path"] if path not in sys.path]
    _import(begin["libraries"])
    pytest_run.warm_up(folder)
    assert recorder.OUT  # imported before the copies are made, as is
    assert calling.RESULT
    trials = ProcessTrials({}, ExecutionBounds(begin["seconds"], files=(folder,)))
    trials.freeze("test")
    for line in sys.stdin:
        asked = json.loads(line)
        code = asked["code"]
        edit = Edit(CellRef(), code, code)
        trial = trials.run("test", CellChanges((), edit), asked["seconds"])
        print(json.dumps(to_json(trial)), file=out, flush=True)
    trials.close()


def _import(names: list[str]) -> None:
    """Libraries that the code imports: in a sandbox each file that they open is asked about."""
    for name in names:
        with contextlib.suppress(Exception):
            pkgutil.resolve_name(name)


if __name__ == "__main__":
    main()
