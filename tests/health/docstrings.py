"""The examples in the docstrings of installed libraries, as notebooks.

Run as a program it prints them, since importing every module of a library is nothing for a process of tests:
`python -m tests.health.docstrings pandas numpy`.
"""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

_NOT_FOR_HERE = re.compile(
    r"fetch_|https?://|urlopen|read_clipboard|to_clipboard|n_jobs|sys\.exit|\binput\(|\bhelp\(|\binfo\("
    r"|default_rng\(\)|RandomState\(\)|PCG64\(\)|SeedSequence\(\)|\bempty(_like)?\(|np\.ndarray\(|read_sql|to_gbq|plt\.show|np\.test\(|show_versions|show_config|time\.sleep|seterrcall|subprocess"
)
"""Network, the screen, processes, and what differs from one run to the next by its nature."""
PREPARE: dict[str, str] = {
    "pandas": "import numpy as np, pandas as pd",
    "numpy": "import numpy as np",
    "sklearn": "import numpy as np, sklearn",
}


@dataclasses.dataclass(frozen=True)
class Notebook:
    """The examples of one docstring.

    Parameters
    ----------
    name : str
        Whose docstring it is.
    cells : tuple of str
        One an example.
    """

    name: str
    cells: tuple[str, ...]


def notebooks(*libraries: str) -> list[Notebook]:
    """All notebooks of some libraries, gathered in a process of its own."""
    command = [sys.executable, "-m", "tests.health.docstrings", *libraries]
    root = Path(__file__).parents[2]
    output = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [Notebook(name, tuple(cells)) for name, cells in json.loads(output)]


def sample(found: list[Notebook], cells: int) -> list[Notebook]:
    """Notebooks with about that many cells in all, spread evenly and the same each time."""
    every = max(1, round(sum(len(notebook.cells) for notebook in found) / cells))
    return found[::every]


def _gather(library: str) -> Iterator[Notebook]:
    seen: set[str] = set()
    parser = doctest.DocTestParser()
    for name, o in _documented(library):
        doc = inspect.getdoc(o)
        if not doc or doc in seen or _NOT_FOR_HERE.search(doc):
            continue
        seen.add(doc)
        try:
            examples = parser.get_examples(doc)
        except ValueError:  # an example that is not well formed
            continue
        cells = [e.source.rstrip("\n") for e in examples if not e.options.get(doctest.SKIP) and e.exc_msg is None]
        if cells:
            yield Notebook(name, (PREPARE[library], *cells))


def _documented(library: str) -> Iterator[tuple[str, Any]]:
    for module in _modules(library):
        for name, o in sorted(vars(module).items()):
            if name.startswith("_") or isinstance(o, ModuleType):
                continue
            yield f"{module.__name__}.{name}", o
            if inspect.isclass(o):
                members = [member for member in sorted(vars(o)) if not member.startswith("_")]
                yield from ((f"{module.__name__}.{name}.{member}", vars(o)[member]) for member in members)


def _modules(library: str) -> Iterator[ModuleType]:
    package = importlib.import_module(library)
    yield package
    for found in sorted(
        pkgutil.walk_packages(package.__path__, f"{library}.", lambda name: None), key=lambda m: m.name
    ):
        if re.search(r"\.(_|tests?\b|conftest|externals|f2py|distutils|testing|experimental)", found.name):
            continue
        try:
            yield importlib.import_module(found.name)
        except Exception:  # noqa: BLE001 - one that needs what is not installed
            continue


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps([dataclasses.astuple(notebook) for name in sys.argv[1:] for notebook in _gather(name)]))
