"""A process that has imported what a kernel imports, and is copied (forked) for each: started by `zygote.py`.

It reads a request a line: JSON with the kernel's arguments, environment and folder. It answers with the number of the
copy's process, a line.
"""

import contextlib
import importlib
import json
import os
import signal
import sys

NEEDED = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "IPython.core.ultratb", "stack_data", "anywidget"),
    *("reflex_ipython.ipython.extension", "reflex_ipython.ipython.assembly", "reflex_ipython.ipython.widget"),
    *("reflex_ipython.state.aftermath", "reflex_ipython.capture.redactor", "reflex_ipython.remember.store"),
    *("reflex_ipython.propose.near_matches", "reflex_ipython.propose.rules", "reflex_ipython.propose.recall"),
    *("reflex_ipython.propose.model", "reflex_ipython.check.static", "pydantic", "pygments.formatters"),
    *("reflex_ipython.check.critic", "reflex_ipython.check.trial.zygote", "reflex_ipython.check.trial.candidate"),
)
"""What a kernel and a first failure import. None of it starts a thread."""


def main() -> None:
    """Answer requests until there are no more."""
    del sys.path[0]  # this file's folder
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # ipykernel reads it while it is imported: copies end with this
    for name in NEEDED:
        importlib.import_module(name)
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
