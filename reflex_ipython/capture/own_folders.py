"""The user's home folder and name in paths: they become `~`, and can be put back."""

from __future__ import annotations

import functools
import getpass
import os
import re


class OwnFolders:
    """Shortens the user's own folders in texts.

    Parameters
    ----------
    home, user : str or None
        The user's home folder and name. None: those of this process.
    """

    def __init__(self, home: str | None = None, user: str | None = None) -> None:
        self._patterns = _path_patterns(_home() if home is None else home, _user() if user is None else user)
        self._folders: dict[str, str] = {}  # a shortened path -> the whole path

    def shorten(self, text: str) -> str:
        """The text with `~` for the home folder and for the user's name in a path."""
        for pattern in self._patterns:
            text = pattern.sub(self._shortened, text)
        return text

    def restore(self, text: str) -> str:
        """The text with the folders that were shortened before as they were."""
        for short, path in sorted(self._folders.items(), key=lambda one: -len(one[0])):
            text = text.replace(short, path)
        return text

    def _shortened(self, found: re.Match[str]) -> str:
        short = "~" + found["rest"]
        if found["rest"]:
            self._folders[short] = found[0]
        return short


def _path_patterns(home: str, user: str) -> tuple[re.Pattern[str], ...]:
    """Patterns for the home folder and for other people's idea of it, each with the `rest` of the path."""
    homes = {home.rstrip("\\/")} if len(home.strip("\\/")) > 1 else set()
    if len(user) > 2 and user != "root":
        homes |= {f"/home/{user}", f"/Users/{user}", rf"C:\Users\{user}"}
    homes |= {one.replace("\\", "\\\\") for one in homes}
    rest = r"(?P<rest>(?:[\\/][^\s'\"<>|:;,)\]}]*)?)(?![\w.-])"
    patterns = [rf"(?<![\w.~\\/-]){re.escape(one)}{rest}" for one in sorted(homes, key=len, reverse=True)]
    if len(user) > 2 and user != "root":
        patterns.append(rf"(?<=[\\/]){re.escape(user)}(?P<rest>)(?=[\\/])")
    return tuple(re.compile(pattern) for pattern in patterns)


def _home() -> str:
    return os.path.expanduser("~")


@functools.lru_cache(maxsize=1)
def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user: a container
        return ""
