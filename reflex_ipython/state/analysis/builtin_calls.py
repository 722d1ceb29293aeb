"""Calls of built-in functions and of functions of C."""

from __future__ import annotations

import abc
import sys
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.analysis import library_calls
from reflex_ipython.state.analysis.analysis import PASSES, Analysis
from reflex_ipython.state.analysis.attributes import attribute
from reflex_ipython.state.analysis.items import element
from reflex_ipython.state.analysis.joins import all_fresh, join
from reflex_ipython.state.analysis.patched import shows_itself
from reflex_ipython.state.analysis.plain import only_atoms
from reflex_ipython.state.analysis.streams import stream_is_known
from reflex_ipython.state.analysis.tables import BUILTINS, STANDARD_LIBRARY, WRITING_FIRST, words
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    CLASS,
    DATA,
    FRESH_DATA,
    ITERATOR,
    NONE,
    SOME_ATOM,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Unknown,
    Value,
    box,
    constant,
    iterator,
    same_knowledge,
)
from reflex_ipython.state.analysis.writes import put, set_attribute, stored, write_whole
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.user_code import owned_class

Keywords = dict[str, Value]
_LAZY = (zip, enumerate, map, filter, reversed)
_TEXTS = frozenset(["str", "repr", "format", "hex", "bin", "oct", "chr", "ascii"])
_ATOMS = words(
    """
    len int float bool complex isinstance issubclass hash id ord callable any all hasattr
    """
)
_LOOK_AT_NOTHING = frozenset(["id", "type", "isinstance", "issubclass", "callable"])
_PLAIN = (ATOM, DATA, BOX, ITERATOR)
_OF_NUMBERS = frozenset(["math", "cmath", "time"])
_LIBRARIES = frozenset(["numpy", "pandas"])


def call_builtin(a: Analysis, o: Any, args: list[Value], keywords: Keywords) -> Value:
    """What a function of C gives: of a module, or built in."""
    owner = o.__self__
    module = owner.__name__ if owner is not None else o.__module__
    name = o.__name__
    if module == "builtins":
        return _builtin(a, o, name, args, keywords)
    if type(module) is str and module.partition(".")[0] == "numpy":
        return library_calls.call_numpy(a, o, name, args, keywords)
    writing = WRITING_FIRST.get(module)
    if writing is not None and name in writing and args:
        return _write_first(a, args, keywords)
    if module == "_functools" and name == "reduce" and len(args) >= 2:
        return _reduce(a, args)
    known = STANDARD_LIBRARY.get(module, frozenset())
    if known is not None and name not in known:
        raise Unknown(f"{module}.{name}")
    look_at(a, args, keywords)
    if module in _OF_NUMBERS:
        return SOME_ATOM
    return FRESH_DATA if all(map(all_fresh, (*args, *keywords.values()))) else SOME_DATA


def look_at(a: Analysis, args: list[Value], keywords: Keywords) -> None:
    """They look at all that they are given."""
    for value in args:
        a.use(value)
    for value in keywords.values():
        a.use(value)


def _write_first(a: Analysis, args: list[Value], keywords: Keywords) -> Value:
    look_at(a, args, keywords)
    target = args[0]
    if target.form != BOX or not (target.fresh or target.o is not MISSING):
        raise Unknown("a write to some list")
    if not target.fresh:
        write_whole(a, target.o)
        for value in args[1:]:
            stored(a, target.o, value)
    else:
        for value in args[1:]:
            put(a, target, value)
    return element(a, target)


def _reduce(a: Analysis, args: list[Value]) -> Value:
    a.use(args[1])
    item = element(a, args[1])
    result = item if len(args) == 2 else join(item, args[2])
    for _ in range(PASSES):
        before = result
        result = join(before, a.again(lambda before=before: a.call(args[0], [before, item], {})))  # type: ignore[misc]
        if same_knowledge(before, result):
            return result
    raise Unknown("a loop that is not understood")


# ------------------------------------------------------------------------------------------ built in


def _builtin(a: Analysis, o: Any, name: str, args: list[Value], keywords: Keywords) -> Value:
    if name not in BUILTINS:
        raise Unknown(f"{name}()")
    if name == "print":
        return _print(a, args, keywords)
    if name in ("getattr", "setattr"):
        return _by_name(a, name, args)
    if name in ("next", "iter") and args and len(args) <= 2:
        return _iterated(a, name, args)
    key = keywords.pop("key", None)
    if name in ("min", "max", "sorted") and key is not None:
        call_on_items(a, key, args)
    if name == "len" and args and args[0].form == BOX:
        return SOME_ATOM if args[0].o is MISSING else constant(len(args[0].o)) if not a.written else SOME_ATOM
    if name not in _LOOK_AT_NOTHING:
        look_at(a, args, keywords)
    elif name in ("isinstance", "issubclass"):
        plain = bool(args) and args[0].form in _PLAIN
        if not all(_simple_class(value, plain) for value in args[1:]):
            raise Unknown("a metaclass")
    if name in _TEXTS:
        check_shown(args)
        return TEXT
    if name in _ATOMS:
        return SOME_ATOM
    if name == "sorted":
        return box(list, element(a, args[0]) if args else None)
    if name in ("min", "max"):
        return element(a, args[0]) if len(args) == 1 else any_of(args)
    if name == "sum" and not all(map(all_fresh, args)):  # it may be a list of them, or one of them
        return SOME_DATA
    return FRESH_DATA  # abs, round, sum, pow, divmod


def _by_name(a: Analysis, name: str, args: list[Value]) -> Value:
    """`getattr` and `setattr`, with a name that is known."""
    if len(args) < 2 or type(args[1].o) is not str:
        raise Unknown(f"{name}()")
    if name == "setattr":
        set_attribute(a, args[0], args[1].o, args[2] if len(args) > 2 else NONE)
        return NONE
    found = attribute(a, args[0], args[1].o)
    return found if len(args) == 2 else join(found, args[2])


def _iterated(a: Analysis, name: str, args: list[Value]) -> Value:
    """`next` of an iterator that the statement makes, and `iter`."""
    if name == "iter":
        if len(args) != 1 or args[0].form > ITERATOR:
            raise Unknown("iter()")
        a.use(args[0])
        return args[0] if args[0].form == ITERATOR else iterator(element(a, args[0]))
    if args[0].form != ITERATOR:
        raise Unknown("next()")
    found = element(a, args[0])
    return found if len(args) == 1 else join(found, args[1])


def _simple_class(value: Value, plain: bool) -> bool:
    """Whether asking if something is of that class, or of one of those classes, runs nothing of the user's, and leaves
    no answer behind that they remember of a class of the user's. `plain`: it is of none.
    """
    if value.parts is not None:
        return all(_simple_class(part, plain) for part in value.parts)
    if value.form != CLASS or (type(value.o) is not type and owned_class(value.o)):
        return False
    return plain or not inherits(type(value.o), abc.ABCMeta)


def any_of(args: list[Value]) -> Value:
    """Any of these, as the result of `max` is."""
    result = None
    for value in args:
        result = value if result is None else join(result, value)
    return result or SOMETHING


def call_on_items(a: Analysis, function: Value, args: list[Value]) -> Value:
    """What a function gives that is called on the items of some values, or on the values themselves."""
    if function.form == ATOM:  # None
        return SOME_DATA
    items = [element(a, value) for value in args] or [SOME_DATA]
    if len(args) > 1:
        items = [join(any_of(items), any_of(args))]
    return a.again(lambda: a.call(function, items[:1], {}))


def check_shown(values: list[Value]) -> None:
    """`Unknown` if the texts of data come from a function of the user's."""
    for value in values:
        may_be = value.form == DATA or (value.form == BOX and not _holds_atoms(value))
        if may_be and not shows_itself(value.o if value.form == DATA else MISSING):
            raise Unknown("a text that somebody put there")


def _holds_atoms(value: Value) -> bool:
    if value.o is not MISSING:
        return only_atoms(value.o)
    return value.parts is not None and all(part.form == ATOM for part in value.parts)


def _print(a: Analysis, args: list[Value], keywords: Keywords) -> Value:
    if "file" in keywords or not stream_is_known(sys.stdout):
        raise Unknown("print to a file")
    look_at(a, args, keywords)
    check_shown(args)
    return NONE
