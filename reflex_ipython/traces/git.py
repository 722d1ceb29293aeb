"""The state of the git repository around a folder, as git itself tells it."""

from __future__ import annotations

import os
import re
import subprocess
from urllib.parse import urlsplit, urlunsplit

from reflex_ipython.traces.recorded import Commit

_SECONDS = 2.0
_SCP = re.compile(r"^[^/@:]+@(?=[^/:]+:)")  # `git@host:path`: who logs in is no part of the place


def commit_of(folder: str) -> Commit | None:
    """The commit, branch and remote; None where there is no repository, no commit in it, or no git.

    Parameters
    ----------
    folder : str
    """
    commit = _git(folder, "rev-parse", "HEAD")
    if not commit:
        return None
    return Commit(
        commit,
        _git(folder, "symbolic-ref", "--short", "--quiet", "HEAD"),
        without_credentials(_git(folder, "config", "--get", "remote.origin.url")),
        bool(_git(folder, "status", "--porcelain", "--untracked-files=no")),
    )


def without_credentials(address: str) -> str:
    """The address of a remote without who logs in there, and with what.

    Parameters
    ----------
    address : str
        A URL, or what git takes in its place: `git@host:path`, a folder.
    """
    if "://" not in address:
        return _SCP.sub("", address)
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _git(folder: str, *arguments: str) -> str:
    """What git says; empty if it fails or takes too long. It takes no lock and asks nothing."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        # An own fsmonitor or hook of the repository is foreign code: it does not run for a look.
        command = ["git", "-c", "core.fsmonitor=false", "-C", folder, *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, env=environment, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
