"""What magics and shell commands do: the few harmless ones are listed, all others are named as what they are."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator

from reflex_ipython.base.magics import python_in
from reflex_ipython.check.critic.added import Change, changed_parts, runs
from reflex_ipython.check.critic.dangers import DELETES, ENDS, FORGETS, INSTALLS, REFLEX, SECRETS, SHOWS, STARTS, Danger
from reflex_ipython.check.critic.words import words
from reflex_ipython.check.parsed_cell import ParsedCell, read
from reflex_ipython.models import Fix

_WRITES = Danger("writes-file", "writes a file")
_ENVIRONMENT = Danger("environment", "reads or changes the environment")
_UNKNOWN = Danger("magic", "runs a magic that can do anything")

_HARMLESS = words(
    """matplotlib autoreload precision pprint who who_ls whos psearch pinfo pinfo2 psource pdoc pdef pfile lsmagic
    magic quickref pwd cd dhist colors xmode doctest_mode gui page tb time timeit prun memit mprun lprun capture
    automagic autoindent aimport"""
)
_HARMLESS_CELLS = words("markdown latex time timeit prun capture memit mprun")
_MARKUP = words("html HTML svg SVG")
_HARMLESS_EXTENSIONS = words("autoreload line_profiler memory_profiler")
_HARMLESS_SETTINGS = re.compile(r"(InlineBackend|IPCompleter)(\.\w+(\s*=.*)?)?\s*$")

_KINDS: tuple[tuple[Danger, str], ...] = (
    (INSTALLS, "pip pip3 conda mamba micromamba uv apt apt-get"),
    (DELETES, "rm rmdir mv"),
    (FORGETS, "reset reset_selective xdel"),
    (_WRITES, "writefile file save logstart notebook logon macro store cp mkdir"),
    (_ENVIRONMENT, "env set_env dotenv"),
    (SHOWS, "javascript js"),
    (SECRETS, "connect_info history"),
    (ENDS, "killbgscripts"),
    (REFLEX, "config reflex load_ext unload_ext reload_ext alias alias_magic unalias rehashx autocall bookmark"),
    (STARTS, "sx sc system sh bash script cmd perl ruby python python2 python3 pypy run runfile ex rerun recall edit"),
)
_BY_NAME = {name: danger for danger, names in _KINDS for name in names.split()}

_COMMANDS = words(
    """ls pwd head tail cat wc du df free nvidia-smi date which file stat uname nproc lscpu tree whoami hostname
    echo ll la lf lx ldir"""
)
_INFORMING = re.compile(
    r"((pip3?|conda) (list|show|freeze|--version)|git (status|log|branch|--version)|\S*python3? (--version|-V))\b"
)
_SHELL_SYNTAX = re.compile(r"[;&<>`$(){}\\\n\r]|-exec|-delete")
_DELETING = re.compile(r"\b(rm|mv|rmdir|unlink|shred|truncate|dd|mkfs\S*)\b")
_INSTALLING = re.compile(r"\b(pip3?|conda|mamba|uv|apt|apt-get|npm)\b")
_ALONE = re.compile(r"(?P<name>[a-z]\w*)(?P<options>\s+-{1,2}\w+)*")
_RARE = words("connect_info env killbgscripts rehashx reset reset_selective unload_ext")
_SEVERAL = re.compile(r"\n\s*[%!]")
_NAME = re.compile(r"(?P<signs>%%?)\s*(?P<name>[\w.-]+)(?P<rest>.*)", re.DOTALL)


def magic_danger(magic: str) -> Danger | None:
    """What is dangerous in a magic, with its signs, or a shell command; None for a harmless one.

    What is Python in it is not looked at: see `new_parts`.
    """
    if magic.startswith("!"):
        return _shell(magic.lstrip("!").strip())
    found = _NAME.match(magic)
    if found is None:  # a request for help, or `%%!`
        return _UNKNOWN if magic.startswith("%") else None
    name, rest = found["name"], found["rest"].strip()
    if found["signs"] == "%" and _SEVERAL.search(magic):
        return _UNKNOWN
    if found["signs"] == "%%" and name not in _MARKUP:
        return None if name in _HARMLESS_CELLS else _BY_NAME.get(name, _UNKNOWN)
    if name in _HARMLESS or name in _MARKUP:
        return None
    if name in _COMMANDS or (name in ("pip", "conda") and _INFORMING.match(f"{name} {rest}")):
        return _shell(f"{name} {rest}".strip())
    if name in ("sx", "system", "sc"):
        return _shell(rest)
    if name == "load_ext" and rest in _HARMLESS_EXTENSIONS:
        return None
    if name == "config" and _HARMLESS_SETTINGS.match(rest):
        return None
    return _BY_NAME.get(name, _UNKNOWN)


def _shell(command: str) -> Danger | None:
    pieces = [piece.strip() for piece in command.split("|")]
    if not _SHELL_SYNTAX.search(command) and all(map(_informs, pieces)):
        return None
    if _INSTALLING.match(re.sub(r"^(sudo\s+)?(\S*python\S*\s+-m\s+)?", "", command)):
        return INSTALLS
    return DELETES if _DELETING.search(command) else STARTS


def _informs(command: str) -> bool:
    return command.partition(" ")[0] in _COMMANDS or _INFORMING.match(command) is not None


def new_parts(fix: Fix) -> Iterator[Change]:
    """What a fix changes in each text that runs, without the statements that stay, with the Python in its magics."""
    for change in runs(fix):
        part = changed_parts(change)
        yield Change(_with_python_of_magics(part.old), _with_python_of_magics(part.new))


def _with_python_of_magics(cell: ParsedCell) -> ParsedCell:
    """The cell with the Python in its magics' arguments, `%time f()`, as statements of its own."""
    magics = (*cell.magics, *_automatic(cell))
    inner = [read(code) for magic in magics for code in python_in(magic)]
    if not inner and magics == cell.magics:
        return cell
    trees = [each.tree for each in (cell, *inner) if each.tree is not None]
    body = [statement for tree in trees for statement in tree.body]
    magics = (*magics, *(magic for each in inner for magic in each.magics))
    return dataclasses.replace(cell, tree=ast.Module(body, []), magics=magics)


def _automatic(cell: ParsedCell) -> Iterator[str]:
    """The one line of a cell that is Python to Python, and a magic without its sign to IPython: `reset -f`."""
    line = cell.source.strip()
    found = _ALONE.fullmatch(line)
    if cell.tree is not None and found is not None and (found["options"] or found["name"] in _RARE):
        yield f"%{line}"


def runs_python(magic: str) -> bool:
    """Whether a magic has Python as its argument."""
    return any(python_in(magic))


def called_magic(name: str, arguments: list[str | None]) -> str | None:
    """The magic or command that a call of a method of the shell stands for; None if that can't be told."""
    if any(argument is None for argument in arguments) or not arguments:
        return None
    words = " ".join(argument or "" for argument in arguments)
    if name in ("system", "getoutput", "system_raw", "system_piped", "getoutput"):
        return f"!{words}"
    if name in ("run_line_magic", "magic"):
        return f"%{words}"
    return f"%%{words}" if name == "run_cell_magic" else None
