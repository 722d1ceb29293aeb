"""A notebook's namespace with an example of every kind of object in it; some of them spring traps."""

from __future__ import annotations

import atexit
import builtins
import importlib.util
import logging
import os
import sqlite3
import string
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.state import library_examples, python_examples
from tests.state.example import Example

DATABASE = sqlite3.connect(":memory:")
atexit.register(DATABASE.close)
READABLE = os.open(string.__file__, os.O_RDONLY)
atexit.register(os.close, READABLE)
LOG_FOLDER = tempfile.TemporaryDirectory()
LOG_HANDLER = logging.FileHandler(os.path.join(LOG_FOLDER.name, "log_file"), delay=True)
logging.getLogger("example.file").addHandler(LOG_HANDLER)
atexit.register(LOG_FOLDER.cleanup)
atexit.register(LOG_HANDLER.close)

_CLASSES = """
class Plain:
    count = 0
    members = []
    def __init__(self): self.value = 1; self.inner = []
    def grow(self): self.value += 1; self.inner.append(self.value); Plain.count += 1; self.members.append(1)
class Slotted:
    __slots__ = ("a", "b")
class Both(Slotted):
    def __init__(self): self.a = [1]; self.c = 2
def guard():
    if armed: raise AssertionError("the journal ran code of the user's")
class Hostile:
    def __init__(self): object.__setattr__(self, "x", [1])
    def forbidden(self, *args): guard(); return NotImplemented
    __eq__ = __ne__ = __reduce__ = __reduce_ex__ = __copy__ = __deepcopy__ = forbidden
    __getstate__ = __sizeof__ = __dir__ = forbidden
    def __hash__(self): guard(); return 1
    def __len__(self): guard(); return 1
    def __iter__(self): guard(); return iter(())
    def __repr__(self): guard(); return "hostile"
    def __getattribute__(self, name): guard(); return object.__getattribute__(self, name)
    @property
    def __class__(self): guard(); return Hostile
class OwnList(list):
    def __iter__(self): guard(); return list.__iter__(self)
    def __len__(self): guard(); return list.__len__(self)
    def __eq__(self, other): guard(); return list.__eq__(self, other)
    __hash__ = None
class OwnDict(dict):
    def __iter__(self): guard(); return dict.__iter__(self)
    def keys(self): guard(); return dict.keys(self)
    def values(self): guard(); return dict.values(self)
    def __getitem__(self, key): guard(); return dict.__getitem__(self, key)
    def __len__(self): guard(); return dict.__len__(self)
    def copy(self): guard(); return dict.copy(self)
class Meta(type):
    def __getattribute__(cls, name): guard(); return type.__getattribute__(cls, name)
    def __hash__(cls): guard(); return type.__hash__(cls)
    def __eq__(cls, other): guard(); return cls is other
    def mro(cls): guard(); return type.mro(cls)
class OfMeta(metaclass=Meta):
    pass
"""

_HELPERS = """
class Pause:
    def __await__(self): yield
def advance(generator):
    try: generator.asend(None).send(None)
    except StopIteration: pass
def give_a_window(plt):
    class Window(type(plt.get_current_fig_manager())): pass
    for manager in plt._pylab_helpers.Gcf.figs.values(): manager.__class__ = Window
"""
_LIBRARIES = {
    "numpy": "import numpy",
    "pandas": "import pandas",
    "sklearn": "",
    "matplotlib": "import matplotlib; matplotlib.use('agg'); import matplotlib.cbook, matplotlib.markers",
    "torch": "import torch",
}

SETUP = f"""
import array, builtins, collections, contextvars, csv, decimal, functools, hashlib, io, itertools, locale
import logging, os, random, socket, string, sys, threading, types, warnings, xml.etree.ElementTree
{_CLASSES}
{_HELPERS}
"""


def available() -> tuple[Example, ...]:
    """The examples whose libraries are there."""
    of_libraries = (example for library in libraries() for example in library_examples.EXAMPLES[library])
    return (*python_examples.EXAMPLES, *of_libraries)


def libraries() -> list[str]:
    """The libraries that have examples and are there."""
    return [name for name in library_examples.EXAMPLES if importlib.util.find_spec(name) is not None]


def notebook(examples: tuple[Example, ...]) -> dict[str, Any]:
    """A namespace with all of them in it."""
    namespace: dict[str, Any] = {"__name__": "__main__", "DATABASE": DATABASE, "READABLE": READABLE}
    builtins.armed = False  # type: ignore[attr-defined]  # where the code of the examples finds it
    for library in libraries():
        exec(_LIBRARIES[library], namespace)
    exec(SETUP, namespace)
    for example in examples:
        exec(example.make, namespace)
    return namespace


@contextmanager
def nothing_of_the_users_may_run() -> Iterator[None]:
    """Meanwhile, the methods of the hostile classes raise."""
    builtins.armed = True  # type: ignore[attr-defined]  # as above
    try:
        yield
    finally:
        builtins.armed = False  # type: ignore[attr-defined]  # as above
