"""`make bench`: all benchmarks, or the ones that are named, each in a data folder of its own.

What the history of whoever runs them knows would be recalled, and counted.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import tempfile

import tests.bench

NOT_BY_THEMSELVES = ("figures", "light_notebook", "model", "processor", "stages")

if __name__ == "__main__":
    names = [module.name for module in pkgutil.iter_modules(tests.bench.__path__) if module.name[0] != "_"]
    for name in sys.argv[1:] or [name for name in names if name not in NOT_BY_THEMSELVES]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            os.environ["XDG_DATA_HOME"] = folder
            importlib.import_module(f"tests.bench.{name}").main()
