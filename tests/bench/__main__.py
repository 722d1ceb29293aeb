"""`make bench`: all benchmarks, or the ones that are named."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import tests.bench

NOT_BY_THEMSELVES = ("figures", "light_notebook", "model", "stages")

if __name__ == "__main__":
    names = [module.name for module in pkgutil.iter_modules(tests.bench.__path__) if module.name[0] != "_"]
    for name in sys.argv[1:] or [name for name in names if name not in NOT_BY_THEMSELVES]:
        importlib.import_module(f"tests.bench.{name}").main()
