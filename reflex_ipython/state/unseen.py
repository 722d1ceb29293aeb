"""Calls that write, send or leave something behind without an audit event, found in a statement's code.

What a name means is looked up, not guessed from its text: `from os import write as w` is found, a `write` of the user's
is not. The code is read with the functions and classes of the user's that it gets at. That a call stands in it does not
prove that it was made: it may have been, and nobody can see.
"""

from __future__ import annotations

import dis
import functools
import re
import sys
from collections import deque
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly, module_name
from reflex_ipython.base.own_dict import has_dict
from reflex_ipython.base.unwarned import unwarned
from reflex_ipython.state.bytecode_names import EXECUTORS
from reflex_ipython.state.effect import OutsideEffect
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.user_code import contents, owned_class, owned_module
from reflex_ipython.state.writers import CLASSES, DISTINCT, FUNCTIONS, TEXTS

_READ = frozenset({"LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_CLASSDEREF"})
_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_CALLS = frozenset({"CALL", "CALL_METHOD", "PRECALL"})
_NOTHING: Any = object()
_PLAIN = frozenset(
    map(
        identity,
        (type(_NOTHING), type(None), int, float, complex, bool, str, bytes, list, dict, tuple, set, frozenset, range),
    )
)
"""Types whose methods do nothing outside."""
_MOST = 2_000
"""Functions, methods and what stands in them that are read of what one statement leads to: 0.1 s of short ones."""
_TOO_MUCH = OutsideEffect("other", f"led to more than {_MOST:,} functions, of which not all were looked at")


class Unseen:
    """What the statements of a cell may have done that no event tells of.

    Parameters
    ----------
    namespace : dict
        Where they ran; asked when the cell has failed, for nobody else wants to know.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self._functions = _known_functions()
        self._alike: dict[object, tuple[OutsideEffect, ...]] = {}
        self._distinct = {name for package, names in DISTINCT.items() if package in sys.modules for name in names}

    def of(self, code: CodeType) -> tuple[OutsideEffect, ...]:
        """Each once, of one statement.

        Parameters
        ----------
        code : code object
        """
        inner = [constant for constant in code.co_consts if type(constant) is CodeType]
        if not inner and all(map(self._tells_nothing, code.co_names)):
            return ()
        said = tuple(words for words in TEXTS.values() if _says(code, self._namespace, words))
        alike = (code.co_code, code.co_names, said, *map(id, inner))  # thousands of statements have a few shapes
        if alike not in self._alike:
            reading = _CodeSearch(self._functions)
            reading.code(code, self._namespace)
            self._alike[alike] = tuple(dict.fromkeys(reading.found))
        return self._alike[alike]

    def called(self, code: CodeType, namespace: dict[str, Any]) -> tuple[OutsideEffect, ...]:
        """The same of a function that ran.

        Parameters
        ----------
        code : code object
        namespace : dict
            Its globals.
        """
        reading = _CodeSearch(self._functions)
        reading.code(code, namespace)
        return tuple(dict.fromkeys(reading.found))

    def _tells_nothing(self, name: str) -> bool:
        """Whether a name leads nowhere, be it one of the namespace, of plain data, or that of an attribute."""
        return (
            name not in EXECUTORS
            and identity(type(self._namespace.get(name, _NOTHING))) in _PLAIN
            and name not in self._distinct
        )


def _known_functions() -> dict[int, tuple[object, OutsideEffect]]:
    """The functions of the table as they are now, by identity, where their modules are loaded."""
    found: dict[int, tuple[object, OutsideEffect]] = {}
    for module, names in FUNCTIONS.items():
        here = contents(sys.modules.get(module))
        for name, (kind, text) in names.items():
            if name in here:
                found[id(here[name])] = (here[name], OutsideEffect(kind, text))
    return found


class _Chain(NamedTuple):
    """`a.b.c`: the name that it begins with, empty if it is none, its attributes, whether it is called with nothing."""

    name: str
    attributes: tuple[str, ...]
    bare: bool


class _CodeSearch:
    """One statement's code and what it leads to."""

    def __init__(self, functions: dict[int, tuple[object, OutsideEffect]]) -> None:
        self.found: list[OutsideEffect] = []
        self._functions = functions
        self._seen: set[int] = set()
        self._todo: deque[tuple[CodeType, dict[str, Any]]] = deque()
        self._words: set[str] = set()
        self._parts: list[tuple[CodeType, dict[str, Any]]] = []
        self._classes: list[type] = []

    def code(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """Look at a piece of code, and at what it leads to, the nearest first."""
        self._leads_to(code, namespace)
        while self._todo:
            while self._todo:
                self._read(*self._todo.popleft())
                if len(self._parts) > _MOST:
                    self.found.append(_TOO_MUCH)
                    return
            for cls in self._classes:  # with all the words that were met by now
                self._methods(cls)

    def _leads_to(self, code: CodeType, namespace: dict[str, Any]) -> None:
        if id(code) not in self._seen:
            self._seen.add(id(code))
            self._todo.append((code, namespace))

    def _read(self, code: CodeType, namespace: dict[str, Any]) -> None:
        for part in self._with_texts(code):
            self._parts.append((part, namespace))
            self._words.update(part.co_names)
            for chain in _chains(part):
                self._chain(chain, namespace)

    def _with_texts(self, code: CodeType) -> Iterator[CodeType]:
        """The code, what stands in it, and the texts that it may run."""
        for part in _parts(code):
            yield part
            texts = part.co_consts if not EXECUTORS.isdisjoint(part.co_names) else ()
            for text in texts:
                run = _compiled(text) if type(text) is str else None
                if run is not None:
                    yield from self._with_texts(run)

    def _chain(self, chain: _Chain, namespace: dict[str, Any]) -> None:
        o = namespace.get(chain.name, _NOTHING) if chain.name else _NOTHING
        for place, name in enumerate(chain.attributes):
            if not self._meets(o):
                return
            last = place == len(chain.attributes) - 1
            if o is _NOTHING:
                self._distinct(name, bare=chain.bare and last)
                continue
            if not inherits(type(o), ModuleType) and not inherits(type(o), type):
                self._method(o, name, bare=chain.bare and last)
            o = _attribute(o, name)
        self._meets(o)

    def _meets(self, o: Any) -> bool:
        """Look at an object that the code gets at; False if that is all there is to it."""
        known = self._functions.get(id(o))
        if known is not None and known[0] is o:
            self.found.append(known[1])
            return False
        function = o.__func__ if type(o) is MethodType else o
        if type(function) is FunctionType:
            if _is_owned(function):
                self._leads_to(function.__code__, function.__globals__)
        elif inherits(type(o), type):
            self._class(o)
        elif o is not _NOTHING:
            self._class(type(o))
        return True

    def _class(self, cls: type) -> None:
        if id(cls) not in self._seen and owned_class(cls):
            self._seen.add(id(cls))
            self._classes.append(cls)

    def _methods(self, cls: type) -> None:
        """The methods of a class of the user's that the code names, and those that Python itself calls."""
        for base in classes(cls):
            for name, o in list(class_vars(base).items()) if owned_class(base) else []:
                function = getattr(o, "__func__", o) if is_exactly(o, (staticmethod, classmethod)) else o
                function = o.fget if type(o) is property else function
                special = name.startswith("__") and name.endswith("__")
                if type(function) is FunctionType and (special or name in self._words):
                    self._leads_to(function.__code__, function.__globals__)

    def _method(self, o: Any, name: str, *, bare: bool) -> None:
        for base in classes(type(o)):
            root = module_name(base).partition(".")[0]
            if not self._says(root):
                return
            names = CLASSES.get((root, _name(base)), CLASSES.get((root, ""), {}))
            found = names.get(name) or names.get("")
            if found is not None and not (bare and name in DISTINCT.get(root, ())):
                self.found.append(OutsideEffect(found[0], found[1].format(name)))
                return

    def _says(self, package: str) -> bool:
        """Whether the code has a text without which calls of that package are nothing to tell of."""
        words = TEXTS.get(package)
        return words is None or any(_says(part, namespace, words) for part, namespace in self._parts)

    def _distinct(self, name: str, *, bare: bool) -> None:
        """A method of what a call gave: known by its name, if that is nobody else's."""
        for package, names in DISTINCT.items():
            if name in names and not bare and package in sys.modules and self._says(package):
                self.found.append(OutsideEffect(names[name][0], names[name][1].format(name)))


_name = type.__dict__["__name__"].__get__


def _says(code: CodeType, namespace: dict[str, Any], words: re.Pattern[str]) -> bool:
    """Whether a text in the code, or one that its names stand for now, has one of these words."""
    values = [*code.co_consts, *(namespace.get(name) for name in code.co_names)]
    for o in list(values):
        values += o[:_FEW] if is_exactly(o, (list, tuple)) else list(o.values())[:_FEW] if type(o) is dict else ()
    return any(type(text) is str and words.search(text[:_LONG]) is not None for text in values)


def _is_owned(function: FunctionType) -> bool:
    module = function.__globals__.get("__name__")
    return type(module) is str and owned_module(module)


@functools.lru_cache(maxsize=256)
def _compiled(text: str) -> CodeType | None:
    """The code of a text that may be run; None if it is none, or a long one."""
    if len(text) > _LONG:
        return None
    with unwarned():
        try:
            return compile(text, "<text>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


_LONG = 10_000
"""Letters."""
_FEW = 100
"""Texts of a list of them that are looked at."""


def _attribute(o: Any, name: str) -> Any:
    """An attribute of a module or class, or of an object of the user's, without running anything for it."""
    if inherits(type(o), ModuleType):
        return contents(o).get(name, _NOTHING)
    if inherits(type(o), type):
        return next((class_vars(base)[name] for base in classes(o) if name in class_vars(base)), _NOTHING)
    if not has_dict(o):
        return _NOTHING
    try:
        fields = object.__getattribute__(o, "__dict__")
    except AttributeError:
        return _NOTHING
    return fields.get(name, _NOTHING) if type(fields) is dict else _NOTHING


def _parts(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if type(constant) is CodeType:
            yield from _parts(constant)


def _chains(code: CodeType) -> Iterator[_Chain]:
    """The names and attributes of a piece of code, as they are strung together."""
    instructions = [
        one for one in dis.get_instructions(code) if one.opname not in ("CACHE", "PUSH_NULL", "EXTENDED_ARG")
    ]
    place = 0
    while place < len(instructions):
        one = instructions[place]
        place += 1
        if one.opname not in _READ and one.opname not in _ATTRIBUTE and one.opname != "IMPORT_FROM":
            continue
        name = str(one.argval) if one.opname in _READ else ""
        attributes: tuple[str, ...] = () if name else (str(one.argval),)
        while place < len(instructions) and instructions[place].opname in _ATTRIBUTE:
            attributes += (str(instructions[place].argval),)
            place += 1
        after = instructions[place] if place < len(instructions) else None
        bare = after is not None and after.opname in _CALLS and not after.arg
        yield _Chain(name, attributes, bare)
