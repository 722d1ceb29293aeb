"""What a piece of bytecode reads of its namespace, without running it.

Names come from the instructions; from the strings that go to `exec`, `eval` and IPython's magics, taken as every word
in them; and where nobody can tell (`globals()`, `exec(text)`), the answer is "everything".
"""

from __future__ import annotations

import dataclasses
import dis
import re
import sys
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

from reflex_ipython.base.classes import is_exactly

_WORD = re.compile(r"[^\W\d]\w*")
_KNOWN_BYTECODE = sys.version_info < (3, 15)
_SHIFT = {
    dis.opmap.get("LOAD_GLOBAL", -1): 1 if sys.version_info >= (3, 11) else 0,
    dis.opmap.get("LOAD_ATTR", -1): 1 if sys.version_info >= (3, 12) else 0,
    dis.opmap.get("LOAD_SUPER_ATTR", -1): 2,
}


def _operations(*names: str) -> frozenset[int]:
    return frozenset(dis.opmap[name] for name in names if name in dis.opmap)


_HAS_NAME = frozenset(dis.hasname)
_READ = _operations("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_CLASSDEREF")
_BIND = _operations("STORE_NAME", "STORE_GLOBAL", "DELETE_NAME", "DELETE_GLOBAL")
_STORE_ATTRIBUTE = _operations("STORE_ATTR", "DELETE_ATTR")
_LOAD_ATTRIBUTE = _operations("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM")
_IMPORT = _operations("IMPORT_NAME")
_CALL = _operations("CALL", "PRECALL", "CALL_FUNCTION")
_CONSTANT = _operations("LOAD_CONST")
_SKIPPED = _operations("CACHE", "PUSH_NULL", "NOP", "EXTENDED_ARG")
_EXTENDED = dis.opmap["EXTENDED_ARG"]
_AROUND = "RESUME NOP CACHE EXTENDED_ARG PUSH_NULL COPY DUP_TOP POP_TOP RETURN_VALUE RETURN_CONST"
_BINDING = "LOAD_CONST LOAD_SMALL_INT LOAD_NAME STORE_NAME DELETE_NAME MAKE_FUNCTION SET_FUNCTION_ATTRIBUTE"
_INERT = _operations(*_AROUND.split(), *_BINDING.split(), "BUILD_TUPLE", "BUILD_LIST")

RESIZE = "resize"
EXECUTORS = frozenset({"exec", "eval"})
EVERYTHING = frozenset({"globals", "locals", "vars"})
_NAMESPACES = frozenset({"f_globals", "f_locals", "__globals__"})
"""Attributes of frames and functions that are all names."""
SETTERS = frozenset({"setattr", "delattr", "__setattr__", "__delattr__", "vars", "__dict__", "patch"})
"""What sets attributes that no instruction names."""
_IMPORTERS = frozenset({"import_module", "__import__", "reload", "patch", "modules"})
"""What imports modules by their names in strings."""
SHELL = "get_ipython"
_BY_THE_SHELL = "user_ns user_global_ns user_module ex ev run_cell run_cell_async push drop_by_id reset del_var"
SHELL_EVERYTHING = frozenset(_BY_THE_SHELL.split())
MAGICS_BY_NAME = frozenset({"run_line_magic", "run_cell_magic"})
"""By these the shell runs one that a text names, whatever the shell is called."""
SHELL_MAGICS = MAGICS_BY_NAME | {"magic", "system", "getoutput"}
MAGIC_EVERYTHING = frozenset({"run", "reset", "reset_selective", "xdel", "rerun", "recall", "macro", "edit", "load"})

MAGICS_THAT_BIND = frozenset({"load_ext", "pylab", "reload_ext", "store", "unload_ext"})
"""Those that bind names which nothing in the cell tells. Extensions of the user's may read some (`own_extensions`)."""


def is_inert(code: CodeType) -> bool:
    """Whether a statement runs nothing but itself, and binds names at most: `pass`, `x = 3`, `y = x`, a `def`."""
    return _KNOWN_BYTECODE and _INERT.issuperset(code.co_code[::2])


@dataclasses.dataclass(frozen=True)
class Reads:
    """What a piece of code and the code inside it can get at.

    Parameters
    ----------
    names : frozenset of str
        Names that it reads from its namespace, or may read.
    attributes : frozenset of str
        Attributes that it reads, of whatever object.
    stored : frozenset of str
        Attributes that it sets or deletes, of whatever object.
    everything : bool
        Whether it may get at any name.
    bound : frozenset of str
        Names of its namespace that it binds or deletes, or may.
    any_bound : bool
        Whether it may bind any name: `from x import *`, `globals()[name] = …`.
    resized : frozenset of (str, bool)
        Of whom the code gets the method `resize`: the name that the expression begins with, empty if it is none, and
        whether that is all there is to it.
    """

    names: frozenset[str]
    attributes: frozenset[str]
    stored: frozenset[str]
    everything: bool
    bound: frozenset[str]
    any_bound: bool
    resized: frozenset[tuple[str, bool]]
    imported: frozenset[str] = frozenset()
    computed: bool = False


def reads(code: CodeType) -> Reads:
    """What the code reads, the code inside it included."""
    names: set[str] = set()
    attributes: set[str] = set()
    stored: set[str] = set()
    bound: set[str] = set()
    everything = any_bound = False
    resized: set[tuple[str, bool]] = set()
    imported: set[str] = set()
    for part in _parts(code):
        instructions = list(_instructions(part)) if _KNOWN_BYTECODE else []
        names.update(_names(part, instructions))
        attributes.update(name for operation, name, _ in instructions if operation in _LOAD_ATTRIBUTE)
        stored.update(name for operation, name, _ in instructions if operation in _STORE_ATTRIBUTE)
        resized.update(_resized(instructions))
        imported.update(name for operation, name, _ in instructions if operation in _IMPORT)
        words, unclear = _from_strings(part, instructions)
        inside = run_as_text(part)
        attributes |= inside
        stored |= inside
        resized.update({("", False)} if RESIZE in inside else ())
        names |= words
        everything |= unclear
        any_bound |= unclear or any(type(constant) is tuple and constant == ("*",) for constant in part.co_consts)
        any_bound |= not MAGICS_BY_NAME.isdisjoint(part.co_names) and not MAGICS_THAT_BIND.isdisjoint(texts(part))
        bound.update(words, (name for operation, name, _ in instructions if operation in _BIND))
        if not _KNOWN_BYTECODE:  # too much rather than too little
            attributes.update(part.co_names)
            stored.update(part.co_names)
            bound.update(part.co_names)
            resized.update({("", False)} if RESIZE in part.co_names else ())
            imported.update(part.co_names)
    if not _NAMESPACES.isdisjoint(attributes):
        everything = any_bound = True
    used = names | attributes
    if used & SETTERS:
        stored |= _words(code)
    if used & _IMPORTERS:
        imported |= texts(code)
    return Reads(
        frozenset(names),
        frozenset(attributes),
        frozenset(stored),
        everything,
        frozenset(bound),
        any_bound,
        frozenset(resized),
        frozenset(imported),
        bool(used & SETTERS),
    )


def _parts(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if type(constant) is CodeType:
            yield from _parts(constant)


class _Instruction(NamedTuple):
    operation: int
    name: str
    argument: int


def _instructions(code: CodeType) -> Iterator[_Instruction]:
    # `dis.get_instructions` says the same at ten times the cost; a test holds the two together.
    raw, names, extended = code.co_code, code.co_names, 0
    for place in range(0, len(raw), 2):
        operation, argument = raw[place], raw[place + 1] | extended
        extended = argument << 8 if operation == _EXTENDED else 0
        if operation in _HAS_NAME:
            yield _Instruction(operation, names[argument >> _SHIFT.get(operation, 0)], argument)
        elif operation not in _SKIPPED:
            yield _Instruction(operation, "", argument)


def _names(code: CodeType, instructions: list[_Instruction]) -> Iterator[str]:
    if not _KNOWN_BYTECODE:
        return iter(code.co_names)
    return (name for operation, name, _ in instructions if operation in _READ)


def _resized(instructions: list[_Instruction]) -> Iterator[tuple[str, bool]]:
    for place, (operation, name, _) in enumerate(instructions):
        if operation in _LOAD_ATTRIBUTE and name == RESIZE:
            root = place - 1
            while root > 0 and instructions[root].operation in _LOAD_ATTRIBUTE:
                root -= 1
            known = root >= 0 and instructions[root].operation in _READ
            yield (instructions[root].name, root == place - 1) if known else ("", False)


def _from_strings(code: CodeType, instructions: list[_Instruction]) -> tuple[set[str], bool]:
    """The names in strings that will be run, and whether more than those may be read."""
    used = set(_names(code, instructions))
    words: set[str] = set()
    everything = "globals" in used or (code.co_name == "<module>" and not EVERYTHING.isdisjoint(used))
    for place, (operation, name, _) in enumerate(instructions):
        if operation in _READ and name in EXECUTORS:
            text = _only_argument(code, instructions[place + 1 : place + 3])
            everything |= text is None
            words.update(_WORD.findall(text or ""))
    if SHELL in used or not MAGICS_BY_NAME.isdisjoint(code.co_names):
        words |= _words(code)
        everything |= not SHELL_EVERYTHING.isdisjoint(code.co_names) or not MAGIC_EVERYTHING.isdisjoint(texts(code))
    if not _KNOWN_BYTECODE:
        everything |= not EXECUTORS.isdisjoint(used)
    return words, everything


def run_as_text(code: CodeType) -> set[str]:
    """All words in the texts that code has, if it runs any by `exec` or `eval`; not those of functions in it."""
    if EXECUTORS.isdisjoint(code.co_names):
        return set()
    return {word for constant in code.co_consts for text in _strings(constant) for word in _WORD.findall(text)}


def _only_argument(code: CodeType, following: list[_Instruction]) -> str | None:
    """The text, where `exec("text")` is all there is to see; None for everything else."""
    if len(following) < 2 or following[0].operation not in _CONSTANT or following[1].operation not in _CALL:
        return None
    constant = code.co_consts[following[0].argument]
    return constant if type(constant) is str and EXECUTORS.isdisjoint(_WORD.findall(constant)) else None


def texts(code: CodeType) -> set[str]:
    """All texts in code and in the functions in it."""
    return {text for part in _parts(code) for constant in part.co_consts for text in _strings(constant)}


def _strings(constant: object) -> Iterator[str]:
    if type(constant) is str:
        yield constant
    elif is_exactly(constant, (tuple, frozenset)):
        for part in constant:  # type: ignore[attr-defined]  # just checked
            yield from _strings(part)


def _words(code: CodeType) -> set[str]:
    return {word for text in texts(code) for word in _WORD.findall(text)}
