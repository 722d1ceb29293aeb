"""The picture of a whole process: its names, what is the process's own, and what its iterators would give next."""

from __future__ import annotations

import atexit
import decimal
import gc
import locale
import logging
import os
import random
import re
import signal
import socket
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from tests.property.contents import own_module_name, plain, text_of
from tests.property.describe import describe
from tests.property.describe_libraries import open_figures
from tests.property.graph import Builder, Graph

_SHELLS = re.compile(r"_i*|__+|_i?\d+|In|Out|_ih|_oh|_dh|exit|quit|get_ipython|open|__\w+__|_exit_code")
_AHEAD = 8
"""How many items each iterator is asked for, at the very end."""


def picture(shell: Any, begun: dict[str, Any], folder: str) -> Graph:
    """The picture of a process; its iterators have moved on afterwards.

    Parameters
    ----------
    shell : InteractiveShell
    begun : dict
        What `baseline` gave before the first cell.
    folder : str
        The folder of the notebook.
    """
    let_go_of_tracebacks(shell)
    names = {name: value for name, value in shell.user_ns.items() if not _SHELLS.fullmatch(name)}
    builder = Builder(plain, describe)
    graph = builder.graph(
        {**names, "files": dict(_files(folder)), **dict(_ambient()), **dict(_library_settings()), **dict(_since(begun))}
    )
    for node, o in zip(graph.nodes, builder.objects):
        ahead = _ahead(o)
        if ahead is not None:
            node.payload = (node.payload, ahead)
    return graph


def let_go_of_tracebacks(shell: Any) -> None:
    """What an exception that was shown keeps alive is Python's doing, in every kernel."""
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        vars(sys).pop(name, None)
    for name in ("tb", "etype", "value"):
        if hasattr(shell.InteractiveTB, name):
            setattr(shell.InteractiveTB, name, None)
    for _ in range(3):
        gc.collect()


def _ahead(o: Any) -> list[str] | None:
    cls = type(o)
    if (
        not hasattr(cls, "__next__")
        or own_module_name(cls.__module__)
        or cls.__module__.startswith("unittest")
        or cls.__name__ in ("TextIOWrapper", "BufferedReader", "BufferedWriter", "BufferedRandom", "FileIO")
    ):
        return None
    found = []
    for _ in range(_AHEAD):
        try:
            found.append(text_of(next(o)))
        except BaseException as error:  # noqa: BLE001 - whatever ends it is part of what it does
            found.append(type(error).__name__)
            break
    return found


def _ambient() -> Iterator[tuple[str, Any]]:
    """What a process has one of, by the words that a report has for it."""
    yield "the state of random", text_of(random.getstate())
    yield "os.environ", dict(os.environ)
    yield "the current folder", os.getcwd()
    yield "sys.path", sys.path
    yield "sys.argv", sys.argv
    ours = "reflex_ipython.base.unwarned"  # while a thread of ours still looks at a text
    yield "warnings.filters", text_of([each for each in warnings.filters if type(each[3]).__module__ != ours])
    yield "loggers", sorted(_loggers())
    yield (
        "logging",
        text_of((logging.root.manager.disable, logging.getLevelName(15), logging._warnings_showwarning is not None)),
    )
    yield "the recursion limit", sys.getrecursionlimit()
    yield "switch interval", sys.getswitchinterval()
    yield "dont_write_bytecode", sys.dont_write_bytecode
    yield "excepthook", text_of(sys.excepthook)
    yield "the locale", locale.setlocale(locale.LC_ALL)
    yield "the default timeout", text_of(socket.getdefaulttimeout())
    yield "decimal's context", text_of((decimal.getcontext(), decimal.DefaultContext))
    yield "umask", text_of(_umask())
    yield "signal", [text_of(signal.getsignal(number)) for number in (signal.SIGUSR1, signal.SIGUSR2)]
    yield "atexit", atexit._ncallbacks()
    yield "gc threshold", text_of(gc.get_threshold())
    yield from open_figures()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _files(here: str) -> Iterator[tuple[str, Any]]:
    for folder, folders, names in os.walk(here):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in folders:
            yield os.path.relpath(os.path.join(folder, name), here), "folder"
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, here), "image" if name.endswith(".png") else text_of(file.read(2000))


def _loggers() -> Iterator[str]:
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            found = (
                logger.name,
                logger.level,
                logger.propagate,
                logger.disabled,
                [type(h).__name__ for h in logger.handlers],
                len(logger.filters),
            )
            if found[1:] != (0, True, False, [], 0):
                yield text_of(found)


def _library_settings() -> Iterator[tuple[str, Any]]:
    numpy, pandas, matplotlib, sklearn = (
        sys.modules.get(name) for name in ("numpy", "pandas", "matplotlib", "sklearn")
    )
    if numpy is not None:
        yield "the state of numpy.random", text_of(numpy.random.get_state())
        yield "numpy settings", text_of((numpy.geterr(), numpy.get_printoptions(), numpy.getbufsize()))
    if pandas is not None:
        yield "pandas options", text_of(pandas._config.config._global_config)
        yield "pandas accessors", sorted(pandas.Series._accessors)
    if matplotlib is not None:
        yield "matplotlib.rcParams", text_of(list(dict.items(matplotlib.rcParams)))
        yield "matplotlib interactive", matplotlib.is_interactive()
        yield "matplotlib colormaps", sorted(matplotlib.colormaps)
    if sklearn is not None:
        yield "scikit-learn's configuration", text_of(sklearn.get_config())


_LIBRARIES = (
    "string",
    "json",
    "builtins",
    "sys",
    "warnings",
    "numpy",
    "pandas",
    "matplotlib",
    "matplotlib.units",
    "string:Template",
    "pandas:Series",
)


def baseline() -> dict[str, Any]:
    """What modules of libraries hold before the first cell: only what is new or other afterwards is looked at."""
    return {name: dict(vars(_thing(name))) for name in _LIBRARIES if _thing(name) is not None} | {
        "modules": set(sys.modules)
    }


def _thing(name: str) -> Any:
    module = sys.modules.get(name.partition(":")[0])
    return getattr(module, name.partition(":")[2], None) if ":" in name and module is not None else module


def _since(begun: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in _LIBRARIES:
        before, now = begun.get(name), _thing(name)
        if before is not None and now is not None:
            unlike = {
                k: v
                for k, v in vars(now).items()
                if (k not in before or before[k] is not v)
                and not k.startswith(("__", "last_", "_"))
                and k
                not in (
                    "stdout",
                    "stderr",
                    "displayhook",
                    "ps1",
                    "ps2",
                    "ps3",
                    "path",
                    "argv",
                    "get_ipython",
                    "display",
                )
            }
            yield name.replace(":", "."), dict(sorted(unlike.items()))
    new = set(sys.modules) - begun["modules"]
    yield (
        "sys.modules",
        sorted(
            name
            for name in new
            if own_module_name(name) and not name.startswith(("reflex_ipython", "tests", "IPython"))
        ),
    )
