"""The versions of the libraries that a failure has to do with."""

from __future__ import annotations

import functools
import os
import sys
import types
from collections.abc import Iterable
from typing import Any

from reflex_ipython.base.classes import is_exactly, module_vars
from reflex_ipython.capture import safe_inspection
from reflex_ipython.capture.bounds import clip
from reflex_ipython.capture.dataflow import names
from reflex_ipython.capture.trace import Step

_MOST = 12


def versions(steps: Iterable[Step], source: str, namespace: dict[str, Any]) -> dict[str, str]:
    """The loaded libraries of the traceback and of the cell's imports and names, with their versions."""
    used = names(source)
    packages = [step.package for step in steps if step.origin == "library"] + sorted(used.imports)
    packages += [_package(dict.get(namespace, name)) for name in sorted(used.reads)]
    found = {}
    for package in dict.fromkeys(packages):
        if package and package not in sys.stdlib_module_names and (version := _version(package)):
            found[package] = version
            if len(found) == _MOST:
                break
    return found


def _package(value: Any) -> str:
    """The top-level package of a module, class or function; of another object, that of its class."""
    if safe_inspection.is_a(value, types.ModuleType):
        module = module_vars(value).get("__name__")
    else:
        module = getattr(value, "__module__", None) if is_exactly(value, (type, types.FunctionType)) else None
        module = module or safe_inspection.type_name(value)
    return module.partition(".")[0] if type(module) is str else ""


def _version(package: str) -> str:
    module = sys.modules.get(package)
    if not safe_inspection.is_a(module, types.ModuleType):
        return ""
    attributes = module_vars(module)  # type: ignore[arg-type]  # just checked
    version = attributes.get("__version__")
    if type(version) is str:
        return clip(version, 60)
    file = attributes.get("__file__")
    return _installed_version(package, os.path.dirname(os.path.dirname(file))) if type(file) is str else ""


@functools.lru_cache(maxsize=200)
def _installed_version(package: str, folder: str) -> str:
    """The version in the name of the folder that the installer left: `importlib.metadata` takes 10 ms a package."""
    start = f"{package.lower()}-"
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name.lower()
                if name.startswith(start) and name.endswith(".dist-info"):
                    return clip(entry.name[len(start) : -len(".dist-info")], 60)
    except OSError:
        return ""  # inside an archive, or gone
    return ""
