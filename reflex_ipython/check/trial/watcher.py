"""A tiny process that outlives the kernel and its copies, even when they are killed: it removes what they leave.

It waits at a pipe. When the last one who holds the other end is gone, it looks for the folder; only if that is still
there, it becomes a Python that removes it. A shell, since it is there for as long as the zygote: 1 MB, not 10.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass

from reflex_ipython.check.trial import scratch

_SHELL = "/bin/sh"
_SCRIPT = 'while read -r _; do :; done; if [ -d "$1" ]; then exec "$2" -I -S "$3" "$1"; fi'


@dataclass(frozen=True)
class Watcher:
    """A watcher that was started.

    Parameters
    ----------
    pid : int
        The process, a child of this one.
    line : int
        The descriptor that keeps it waiting.
    """

    pid: int
    line: int

    def dismiss(self) -> None:
        """Let it look, and wait for its end."""
        os.close(self.line)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def start(folder: str) -> Watcher | None:
    """Have a folder removed once this process has ended, whatever ends it.

    Parameters
    ----------
    folder : str
        Its path; it need not be there yet.

    Returns
    -------
    Watcher or None
        None where no process can be started, or there is no shell: then the next start sweeps.
    """
    waiting, line = os.pipe2(os.O_CLOEXEC)
    words = [_SHELL, "-c", _SCRIPT, "reflex-scratch", folder, sys.executable or "python3", scratch.__file__]
    actions = [(os.POSIX_SPAWN_DUP2, waiting, 0)]
    try:
        # A session of its own: what is sent to the kernel's group or terminal does not reach it.
        pid = os.posix_spawn(_SHELL, words, os.environ, file_actions=actions, setsid=True)
    except (OSError, NotImplementedError):
        os.close(line)
        return None
    finally:
        os.close(waiting)
    return Watcher(pid, line)
