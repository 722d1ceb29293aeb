"""Commands that are given to `subprocess` as one text: the program's name would be all of it."""

from __future__ import annotations

import ast
import shlex
import shutil
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading, short

_START = frozenset({"run", "Popen", "call", "check_call", "check_output"})
_OF_A_SHELL = frozenset("|<>;&*$`~")


def command_as_text(failure: Failure) -> Iterator[Proposal]:
    """`subprocess.run("ls -l")`: `["ls", "-l"]`; with a pipe in it: `shell=True`."""
    if failure.error.ename not in ("FileNotFoundError", "PermissionError", "NotADirectoryError"):
        return
    read = reading(failure)
    for call in read.nodes(ast.Call) if read is not None else []:
        assert read is not None
        command = read.value(call.args[0]) if read.called(call) in _START and call.args else None
        if type(command) is not str or " " not in command.strip() or repr(command) not in failure.error.evalue:
            continue
        words = _words(command)
        if not words or shutil.which(words[0]) is None:
            continue
        yield from _split(read, call, command, words)


def _split(read: Reading, call: ast.Call, command: str, words: list[str]) -> Iterator[Proposal]:
    given = call.args[0]
    shell = bool(_OF_A_SHELL & set(command))
    end = read.cell.span(given)[1]
    why = f"{short(repr(command))} is what a shell reads; `shell=True` gives it to one."
    yield from read.propose([SpanEdit(end, end, ", shell=True")], why, "command of a shell", 0.85 if shell else 0.3)
    if not shell:
        why = (
            f"Without a shell the program and each of its arguments are members of a list: `{words[0]}` is the program."
        )
        if isinstance(given, ast.Constant):
            made = "[" + ", ".join(_literal(word) for word in words) + "]"
            yield from read.propose(read.replace(given, made), why, "command as a list", 0.93)
        else:
            module = read.module("shlex")
            edits = read.wrap(given, f"{module or 'shlex'}.split(")
            imports = () if module else ("import shlex",)
            yield from read.propose(edits, why, "command as a list", 0.93, imports=imports)


def _literal(word: str) -> str:
    return f'"{word}"' if word.isprintable() and not set(word) & {'"', "\\"} else repr(word)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []
