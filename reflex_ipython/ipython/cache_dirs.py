"""Where libraries write for themselves: a cache that is written twice is no effect that anybody minds.

`%cd` notes in IPython's own folder where one has been; matplotlib builds its list of fonts when it is first used. What
`%store` and `%bookmark` keep in that folder is the user's.
"""

from __future__ import annotations

import functools
import os
from typing import Any

_OF_IPYTHON = ("history.sqlite", "db/dhist", "db/rootmodules_cache", "db/syscmdlist", "log", "pid", "security")
"""What it writes by itself in the folder of its profile."""


def cache_dirs(shell: Any) -> tuple[str, ...]:
    """How the paths of this moment begin."""
    named = (os.environ.get(name, "") for name in ("XDG_CACHE_HOME", "MPLCONFIGDIR"))
    return _paths(os.environ.get("HOME", ""), str(shell.profile_dir.location), *named)


@functools.lru_cache(maxsize=1)
def _paths(home: str, profile: str, *named: str) -> tuple[str, ...]:
    usual = [os.path.expanduser(path) for path in ("~/.cache", "~/.config/matplotlib", "~/Library/Caches")]
    folders = [os.path.join(path, "") for path in (*filter(None, named), *usual)]
    return (*folders, *(os.path.join(profile, *path.split("/")) for path in _OF_IPYTHON))
