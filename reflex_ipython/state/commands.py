"""Commands: what is shown of one, and which change nothing, so that nobody minds if they run twice."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "fish"})
_TELLING = (
    "arch basename cat cmp cut df diff dirname du echo fc-list file free getconf grep groups head id less ls lsblk "
    "lscpu lspci lsusb md5sum nproc printenv printf ps pwd readlink realpath seq sha1sum sha256sum stat tail tr "
    "uname uptime wc whereis which whoami zcat"
)
"""Commands that only tell, whatever their arguments."""
_READING = frozenset(_TELLING.split())

_ONLY_SO: dict[str, frozenset[str]] = {
    "git": frozenset({"describe", "diff", "log", "ls-files", "rev-parse", "show", "status"}),
    "pip": frozenset({"--version", "check", "freeze", "list", "show"}),
    "pip3": frozenset({"--version", "check", "freeze", "list", "show"}),
    "conda": frozenset({"--version", "info", "list"}),
    "python": frozenset({"--version", "-V"}),
    "python3": frozenset({"--version", "-V"}),
    "ldconfig": frozenset({"-p"}),
    "nvidia-smi": frozenset({"", "-L", "-q"}),
    "date": frozenset({""}),
    "hostname": frozenset({""}),
}
"""Commands that only tell if this is their first argument; "" for none."""

_BETWEEN = frozenset({"|", "&&", "||", ";"})
_WRITERS = ("--output", "-o")
"""Arguments by which some of those write after all: `git log --output=x`."""


def shown_command(words: Sequence[str]) -> str:
    """A command in one line, short: of a shell, what it runs.

    Parameters
    ----------
    words : sequence of str
    """
    inner = _inner(words)
    text = " ".join(words) if inner is None else inner
    first, *more = text.split("\n")
    return f"{first[:80]}{'…' if more or len(first) > 80 else ''}"


def changes_nothing(words: Sequence[str]) -> bool:
    """Whether a command surely only reads.

    Parameters
    ----------
    words : sequence of str
        The program and its arguments; a single one is a line for a shell.
    """
    inner = _inner(words)
    if inner is None and len(words) > 1:
        return _reads(list(words))
    line = inner if inner is not None else "".join(words)
    if any(sign in line for sign in ("`", "$(", "<(", "\n")):
        return False
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        parts: list[list[str]] = [[]]
        for word in lexer:
            if word in _BETWEEN:
                parts.append([])
            elif set(word) <= set("();<>|&"):  # writes to a file, goes on in the background
                return False
            else:
                parts[-1].append(word)
    except ValueError:  # a quote without an end
        return False
    return all(map(_reads, parts))


def _inner(words: Sequence[str]) -> str | None:
    """The line that a shell is to run; None if the command is no such thing."""
    shell = os.path.basename(words[0]) in _SHELLS if words else False
    return words[2] if shell and len(words) == 3 and words[1] in ("-c", "-lc") else None


def _reads(words: list[str]) -> bool:
    if not words:
        return False
    program, arguments = os.path.basename(words[0]), words[1:]
    if program in _READING and (program == "grep" or not any(word.startswith("--output") for word in arguments)):
        return True
    first = arguments[0] if arguments else ""
    return first in _ONLY_SO.get(program, ()) and not any(word.startswith(_WRITERS) for word in arguments)
