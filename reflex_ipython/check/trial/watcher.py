"""A tiny process that outlives the kernel and its copies, even when they are killed: it removes what they leave.

It waits at a pipe. When the last one who holds the other end is gone, it looks for the folders; only if one is still
there, it becomes a Python that removes them. A shell, since it is there for as long as the zygote: 1 MB, not 10.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from reflex_ipython.check.trial import scratch

_SHELL = "/bin/sh"
_SCRIPT = """
python=$1 remover=$2; shift 2
while read -r _; do :; done
for one do if [ -d "$one" ]; then exec "$python" -I -S "$remover" "$@"; fi; done
"""


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


def start(folders: Sequence[str]) -> Watcher | None:
    """Have folders removed once this process and its copies have ended, whatever ends them.

    Parameters
    ----------
    folders : sequence of str
        Their paths; they need not be there yet.

    Returns
    -------
    Watcher or None
        None where no process can be started, or there is no shell: then the next start sweeps.
    """
    waiting, line = os.pipe2(os.O_CLOEXEC)
    words = [_SHELL, "-c", _SCRIPT, "reflex-scratch", sys.executable or "python3", scratch.__file__, *folders]
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
