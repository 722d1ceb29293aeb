"""What of libraries a statement can get at: modules, classes, what is inside them, the registries that they keep."""

from __future__ import annotations

import builtins
import sys
from abc import ABCMeta
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly, module_name
from reflex_ipython.state.bytecode_names import Reads
from reflex_ipython.state.kinds import registries, switches
from reflex_ipython.state.kinds.abstract_classes import REGISTERED
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.library_classes import ATTRIBUTES, is_set_by, setting_words
from reflex_ipython.state.kinds.modules import chosen_attributes, name_of
from reflex_ipython.state.kinds.subclasses import SUBCLASSES, users_nearest
from reflex_ipython.state.kinds.unknown_setters import unknown_setters
from reflex_ipython.state.user_code import contents, owned_class, owned_namespace

_KNOWN_INSIDE = frozenset({"builtins", "numpy.random", "random", "sys"})
"""Modules of whose objects is known which can be changed (`kinds.registries`, `switches`, `random_state`)."""
_CALLED = (ModuleType, FunctionType, BuiltinFunctionType)


class CodeWords:
    """The words of all code that a walk has met.

    `attributes` are those that it reads, `names` those of namespaces, `stored` the attributes that it sets; `computed`
    says whether it may set others as well.
    """

    def __init__(self) -> None:
        self.attributes: set[str] = set()
        self.names: set[str] = set()
        self.stored: set[str] = set()
        self.computed = False

    def add(self, found: Reads) -> None:
        """Code was met that has these."""
        self.attributes |= found.attributes
        self.names |= found.names
        self.stored |= found.stored
        self.computed |= found.computed


class Libraries:
    """The modules and classes of libraries that a walk has met.

    Parameters
    ----------
    words : CodeWords
        Of the code that it has met; they become more while it goes on.
    """

    def __init__(self, words: CodeWords) -> None:
        self._words = words
        self._met: dict[int, Any] = {}
        self._namespaces: dict[int, dict[str, Any]] = {}

    def add(self, o: Any) -> None:
        """The code can get at this module or class."""
        self._met[id(o)] = o

    def called(self, name: str, namespace: dict[str, Any]) -> None:
        """A function of a library may run that is called so, whatever the code calls it, and that has these globals."""
        self._words.attributes.add(name)
        self._namespaces[id(namespace)] = namespace

    def names(self) -> list[str]:
        """What they are called."""
        return [*map(name_of, self._met.values())]

    def objects(self) -> Iterator[tuple[str, object]]:
        """What holds state in those modules and the code may get at by an attribute, labelled: `reprlib.aRepr`."""
        met = [*self._met.values(), *self._inside().values()]
        if SUBCLASSES in self._words.attributes:
            yield from self._subclasses(met)
        for library in met:
            yield from self._users_functions(library)
            here, name = (contents if _is_module(library) else class_vars)(library), name_of(library)
            if name not in _KNOWN_INSIDE:
                for attribute in [attribute for attribute in self._words.attributes if attribute in here]:
                    o = here[attribute]
                    if not _is_module(library):  # `MarkerStyle.markers`
                        if not _is_called(o):
                            yield f"{name}.{attribute}", o
                        continue
                    if type(o) is MethodType:  # `theme.enable`, of altair
                        o = o.__self__
                    if _dispatches(o) or not (_is_class(o) or is_exactly(o, _CALLED)):
                        yield f"{name}.{attribute}", o

    def _subclasses(self, met: Iterable[Any]) -> Iterator[tuple[str, object]]:
        """The user's classes that are derived from one of these, or from a built-in one that the code names."""
        here = contents(builtins)
        named = [here[name] for name in self._words.names if name in here]
        for cls in filter(_is_class, [*named, *(o for o in met if o is not object)]):  # of which all are derived
            found = tuple(users_nearest(cls))
            if found:
                yield f"{name_of(cls)}.{SUBCLASSES}()", found

    def _users_functions(self, library: Any) -> Iterator[tuple[str, object]]:
        """What a module has of the user's functions: `sys.excepthook`."""
        here = contents(library) if _is_module(library) else {}
        for attribute in [attribute for attribute in self._words.attributes if attribute in here]:
            if type(here[attribute]) is FunctionType and owned_namespace(here[attribute].__globals__):
                yield f"{name_of(library)}.{attribute}", here[attribute]

    def notable(self) -> Iterator[tuple[str, Kind, Any]]:
        """What is to be noted of them, with a label for each."""
        words = self._words
        setting = setting_words(words.attributes)
        if words.stored or words.computed or setting:
            self._met.update(self._inside())
        if words.stored or words.computed:
            kind = chosen_attributes(frozenset(words.stored), words.computed)
            yield from ((name_of(o), kind, o) for o in self._met.values())
        if "register" in words.attributes:  # `numbers.Number.register(Mine)`
            yield from ((name_of(o), REGISTERED, o) for o in self._met.values() if inherits(type(o), ABCMeta))
        if setting:
            yield from (
                (name_of(o), ATTRIBUTES, o) for o in self._met.values() if _is_class(o) and is_set_by(o, setting)
            )
        setters = unknown_setters(self._met.values(), words.attributes)
        yield from ((name, switches.FOR_GOOD, module) for name, module in setters)
        modules = registries.used(self.modules())
        yield from registries.reached(modules)
        yield from switches.reached(modules, words.names | words.attributes | words.stored)

    def modules(self) -> Iterator[str]:
        """The full names of those modules, and of the modules of those classes and functions."""
        yield from (name_of(o) if _is_module(o) else module_name(o) for o in self._met.values())
        yield from (name for here in self._namespaces.values() if type(name := here.get("__name__")) is str)

    def _inside(self) -> dict[int, Any]:
        """The modules and classes that the code may get at by an attribute of those modules: `pandas.DataFrame`."""
        found: dict[int, Any] = {}
        waiting = [library for library in self._met.values() if _is_module(library)]
        while waiting:
            here = contents(waiting.pop())
            for o in [here[name] for name in self._words.attributes if name in here]:
                is_module = _is_module(o) and not owned_namespace(contents(o))
                is_class = inherits(type(o), type) and not owned_class(o)
                if id(o) not in found and id(o) not in self._met and (is_module or is_class):
                    found[id(o)] = o
                    waiting += [o] if is_module else []
        return found


def imported(found: Reads, namespace: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The modules that code imports, and those in them that it may mean; what was never imported is not there yet.

    Parameters
    ----------
    found : Reads
        Of the code.
    namespace : dict

    Yields
    ------
    (str, module)
        The name is the full one.
    """
    package = dict.get(namespace, "__package__") or dict.get(namespace, "__name__")
    for name in found.imported:
        paths = _prefixes(name)
        if type(package) is str:  # it may be a relative one
            paths += [f"{prefix}.{name}".strip(".") for prefix in _prefixes(package)]
        for path in paths:
            module = sys.modules.get(path)
            if module is not None:
                yield path, module
                here = contents(module)
                yield from ((f"{path}.{part}", here[part]) for part in found.attributes if _is_module(here.get(part)))


def _dispatches(o: object) -> bool:
    """Whether it is a function that `functools.singledispatch` has made: others may be registered with it."""
    return type(o) is FunctionType and "registry" in vars(o) and "dispatch" in vars(o)


def _is_called(o: object) -> bool:
    """Whether it is a method, a property or a class: what a class has that holds no state."""
    return _is_class(o) or _is_module(o) or any("__get__" in class_vars(cls) for cls in classes(type(o)))


def _is_class(o: object) -> bool:
    return inherits(type(o), type)


def _is_module(o: object) -> bool:
    return inherits(type(o), ModuleType)  # lazy ones have a class of their own


def module_of(namespace: dict[str, Any]) -> Any:
    """The module of the user's that has this namespace; None for a script, and for what nobody has registered."""
    name = dict.get(namespace, "__name__")
    module = sys.modules.get(name) if type(name) is str and name != "__main__" else None
    return module if contents(module) is namespace else None


def _prefixes(package: str) -> list[str]:
    parts = package.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
