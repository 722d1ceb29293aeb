"""A process that has imported what a kernel imports, and is copied (forked) for each: started by `zygote.py`.

It reads a request a line: JSON with the kernel's arguments, environment and folder. It answers with the number of the
copy's process, a line.
"""

import atexit
import contextlib
import gc
import importlib
import inspect
import json
import os
import signal
import sys
from importlib.metadata import entry_points

NEEDED = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.debugger", "tornado.platform.asyncio", "psutil"),
    *("IPython.core.ultratb", "IPython.core.magics.config", "IPython.core.magics.execution", "stack_data", "anywidget"),
    *("pygments.lexers.python", "pygments.formatters.terminal256", "rapidfuzz.process", "rapidfuzz.distance"),
    *("reflex_ipython.ipython.extension", "reflex_ipython.ipython.assembly", "reflex_ipython.ipython.widget"),
    *("reflex_ipython.state.journal", "reflex_ipython.state.aftermath", "reflex_ipython.capture.redactor"),
    *("reflex_ipython.check.trial.zygote", "reflex_ipython.check.trial.candidate", "pydantic"),
    *("reflex_ipython.propose.rules.access.rules", "reflex_ipython.propose.rules.calling.rules"),
    *("reflex_ipython.propose.rules.science.rules", "reflex_ipython.propose.rules.values.rules"),
)
"""What a kernel and a failure import besides our entry points. None of it starts a thread."""


def main() -> None:
    """Answer requests until there are no more."""
    del sys.path[0]  # this file's folder
    atexit.register(_end_at_once, os.getpid())  # before whatever else is: it comes after all of that
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # ipykernel reads it while it is imported: copies end with this
    for name in NEEDED:
        importlib.import_module(name)
    for kind in ("providers", "checkers", "stores"):
        for point in entry_points(group=f"reflex_ipython.{kind}"):
            point.load()
    inspect.getmodule(sys._getframe(), "nowhere")  # the first traceback has it look where each module's file is
    gc.collect()
    gc.freeze()  # a collection would touch, and so copy, every page of what has been imported
    signal.signal(signal.SIGCHLD, _reap)
    for line in sys.stdin:
        request = json.loads(line)
        copy = os.fork()
        if not copy:
            break
        print(copy, flush=True)
    else:
        os._exit(0)
    _become_kernel(**request)


def _reap(*_: object) -> None:
    """Copies that have ended are gone at once."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _end_at_once(zygote: int) -> None:
    """Have a kernel end without taking its objects apart, which it shares with the process that it is a copy of.

    Each page that holds some would be copied: that takes more than the kernel's start and a failure in it do. Threads
    and whatever else is done at the end have had their turn by now.
    """
    if os.getppid() == zygote:  # what a kernel forks ends as ever: somebody may ask for its exit code
        for file in filter(None, (sys.__stdout__, sys.__stderr__)):
            file.flush()
        os._exit(0)


def _become_kernel(arguments: list[str], environment: dict[str, str], folder: str) -> None:
    from ipykernel import kernelapp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it is open as long as the process lives
    os.environ.clear()
    os.environ.update(environment, JPY_PARENT_PID=str(os.getppid()))
    os.chdir(folder)
    sys.argv[1:] = arguments
    kernelapp.launch_new_instance()


if __name__ == "__main__":
    main()
