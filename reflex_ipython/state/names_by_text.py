"""Names of the notebook that are looked up by text: `cProfile.run("f()")`, `unittest.main()`, `df.query("@f(a)")`.

No instruction names them. Which library does so is told by a word of the code and by what its names lead to: `f` in
`print("f")`, `df["f"]` or `re.match("f", text)` is none. A module may be looked up so as well: `sys.modules[name]`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from reflex_ipython.base.classes import class_vars, inherits, is_exactly
from reflex_ipython.state.bytecode_names import texts
from reflex_ipython.state.user_code import is_users, owned_module

_WORD = re.compile(r"[^\W\d]\w*")
_OF_FRAMES = re.compile(r"@\s*([^\W\d]\w*)")

_RUN = frozenset({"run", "runctx", "runeval"})
_RUNS = {"bdb": _RUN, "cProfile": _RUN, "pdb": _RUN, "profile": _RUN, "trace": _RUN}
"""What runs a text as if it stood in the notebook, by its package."""
_TIMES = frozenset({"Timer", "autorange", "main", "repeat", "timeit"})
_FORMULA = frozenset({"dmatrices", "dmatrix", "from_formula", "glm", "logit", "mixedlm", "ols", "poisson", "wls"})
_LOOKS_UP = {
    "logging": frozenset({"dictConfig"}),
    "pandas": frozenset({"eval"}),
    "patsy": _FORMULA,
    "pkgutil": frozenset({"resolve_name"}),
    "pydoc": frozenset({"locate", "resolve"}),
    "statsmodels": _FORMULA,
    "timeit": _TIMES,
}
"""What looks up the names that a text has, or lets the text import them."""
_FRAMES = frozenset({"eval", "query"})
"""Methods of frames, whose texts have an @ before each such name."""
_IMPORTING = frozenset({"__import__", "import_module", "modules"})
"""What gives a module for a text."""
_GOES_THROUGH = {
    **dict.fromkeys(("_pickle", "pickle"), _IMPORTING),  # by a `find_class` of the user's, of which no event tells
    "doctest": frozenset({"DocTestFinder", "DocTestSuite", "testfile", "testmod", "testsource"}),
    "inspect": frozenset({"get_annotations", "signature"}),
    "ipytest": frozenset({"run"}),
    "jsonpickle": frozenset({"decode", "loads", "restore"}),
    "logging": frozenset({"fileConfig"}),
    "timeit": frozenset({"inner"}),  # of a timer that was made before
    "typing": frozenset({"get_type_hints"}),
    "unittest": frozenset({"TestProgram", "loadTestsFromName", "loadTestsFromNames", "main"}),
    "yaml": frozenset({"CLoader", "CUnsafeLoader", "Loader", "UnsafeLoader", "unsafe_load", "unsafe_load_all"}),
}
"""What may call any function or class of the notebook: there is no text, or it is not at hand."""
_TABLES = (_RUNS, _LOOKS_UP, _GOES_THROUGH)
LOOKING_UP = frozenset().union(_FRAMES, _IMPORTING, *(words for table in _TABLES for words in table.values()))
"""Words of code that may do any of these."""
GETTING = frozenset({"__dict__", "__getattribute__", "attrgetter", "getattr", "methodcaller", "vars"})
"""Words of code that may ask for an attribute by a text."""
_FEW = 100
_DEPTH = 5


class ByText(NamedTuple):
    """What code may get at in a way that its instructions do not tell.

    Parameters
    ----------
    names : frozenset of str
        Names of the notebook that are looked up.
    run : frozenset of str
        All words of texts that are run as if they stood in the notebook.
    modules : frozenset of str
        Modules of the user's that are looked up, the notebook's among them.
    """

    names: frozenset[str]
    run: frozenset[str]
    modules: frozenset[str]


NOTHING = ByText(frozenset(), frozenset(), frozenset())


def by_text(
    words: Set[str],
    modules: Callable[[], Collection[str]],
    said: Callable[[], set[str]],
    namespace: dict[str, Any],
) -> ByText:
    """What a statement may get at by texts.

    Parameters
    ----------
    words : set of str
        The names and attributes that all its code uses.
    modules : callable
        Gives the modules of libraries that it can get at, and their packages.
    said : callable
        Gives its texts: `texts_of`.
    namespace : dict
        The notebook's.
    """
    if words.isdisjoint(LOOKING_UP):
        return NOTHING
    at_hand = modules()
    runs, looks_up, goes_through = (_uses(table, words, at_hand) for table in _TABLES)
    of_frames = not words.isdisjoint(_FRAMES)
    importing = not words.isdisjoint(_IMPORTING)
    if not (runs or looks_up or goes_through or of_frames or importing):
        return NOTHING
    found = said()
    if goes_through == {"inspect"} and "eval_str" not in found:  # else annotations stay texts
        goes_through = set()
    names: set[str] = set()
    if goes_through or ((runs or looks_up) and not found):
        names = {name for name, o in list(namespace.items()) if _may_be_called(o)}
    if "doctest" in goes_through:
        names |= _words(text for name in [*names] for text in _documentation(namespace[name]))
    if looks_up == {"pandas"}:
        found = {text for text in found if "(" in text}  # no other calls anything
    if runs or looks_up:
        names |= _words(found)
    elif of_frames:
        names |= {name for text in found if "(" in text for name in _OF_FRAMES.findall(text)}
    imported = filter(owned_module, found & sys.modules.keys()) if importing else ()
    return ByText(frozenset(names), frozenset(_words(found) if runs else ()), frozenset(imported))


def texts_of(codes: Iterable[CodeType | None], namespace: dict[str, Any]) -> set[str]:
    """The texts in code, and those that its names stand for now.

    Parameters
    ----------
    codes : iterable of code objects
        None among them is passed over.
    namespace : dict
        Where the names are.
    """
    found: set[str] = set()
    for code in filter(None, codes):
        found |= texts(code)
        for name in code.co_names:
            found.update(_inside(namespace.get(name), _DEPTH))
    return found


def attributes_of(code: CodeType, namespace: dict[str, Any]) -> set[str]:
    """The attributes that code may ask for by a text: `getattr(Base, "__subclasses__")`.

    Parameters
    ----------
    code : code object
    namespace : dict
        Where its names are.
    """
    paths = (text.split(".") for text in texts_of([code], namespace))
    return {name for path in paths if all(map(str.isidentifier, path)) for name in path}


def _uses(table: dict[str, frozenset[str]], words: Set[str], modules: Collection[str]) -> set[str]:
    return {package for package in table.keys() & modules if not words.isdisjoint(table[package])}


def _inside(o: Any, depth: int) -> Iterator[str]:
    if type(o) is str:
        yield o
    elif depth and is_exactly(o, (dict, list, tuple)):
        for part in list(o.values() if type(o) is dict else o)[:_FEW]:
            yield from _inside(part, depth - 1)


def _may_be_called(o: Any) -> bool:
    return (type(o) is FunctionType or inherits(type(o), type)) and is_users(o)


def _documentation(o: Any) -> list[str]:
    """The texts in which a function or a class, with its methods, is told of."""
    own = [] if type(o) is FunctionType else list(class_vars(o).values())
    found = [part.__doc__ for part in (o, *own) if type(part) is FunctionType]
    return [text for text in (*found, *own) if type(text) is str]


def _words(found: Iterable[str]) -> set[str]:
    return {word for text in found for word in _WORD.findall(text)}
