"""What a process or a library has one of: settings that a statement changes, and `with` that puts them back itself."""

from __future__ import annotations

import ast
import os
import sys
import types
import warnings
from typing import Any

from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.analysis.analysis import STATEMENTS, Analysis
from reflex_ipython.state.analysis.forms import is_library_class
from reflex_ipython.state.analysis.values import ATOM, CLASS, Unknown, Value
from reflex_ipython.state.global_state import Shallow
from reflex_ipython.state.kinds import library_settings, process_settings
from reflex_ipython.state.user_code import contents

_NOWHERE = Shallow()
_SETTINGS = {
    ("numpy", "set_printoptions"): "numpy settings",
    ("numpy", "seterr"): "numpy settings",
    ("pandas", "set_option"): "pandas options",
    ("pandas", "reset_option"): "pandas options",
    ("warnings", "filterwarnings"): "warnings.filters",
    ("warnings", "simplefilter"): "warnings.filters",
    ("warnings", "resetwarnings"): "warnings.filters",
}
"""Functions that change a setting and nothing else, by what holds them."""

SETTERS = frozenset(name for _, name in _SETTINGS)


def snapshot_setting(a: Analysis, label: str) -> None:
    """What `library_settings` or `process_settings` have under that label is about to change."""
    for place in (library_settings, process_settings):
        for found, kind, o in place.shared():
            if found == label:
                if not a.snapshots(o, label):
                    a.snapshot(o, label, (kind, o, kind.snapshot(o, _NOWHERE)))
                return
    raise Unknown(f"no {label}")


def changes_setting(a: Analysis, o: object, args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether a function is one that changes a setting; it is noted then."""
    for (module, name), label in _SETTINGS.items():
        if module in sys.modules and contents(sys.modules[module]).get(name) is o:
            for value in (*args, *keywords.values()):
                _check_argument(value)
            if label == "pandas options":
                _check_options(args)
            snapshot_setting(a, label)
            return True
    return False


def is_documented(o: object) -> bool:
    """Whether it is what pandas before 3 makes of its functions of options: an object that makes the docstring."""
    config = sys.modules.get("pandas._config.config")
    cls = type(o)
    if config is None or contents(config).get("CallableDynamicDoc") is not cls or not is_library_class(cls):
        return False
    function = vars(o).get("__func__")
    return type(function) is types.FunctionType and is_library(function.__code__.co_filename)


def _check_options(args: list[Value]) -> None:
    """Others than those may run functions of libraries when they change."""
    names = [value.o for value in args[::2]]
    if not names or not all(type(name) is str and name.startswith("display.") for name in names):
        raise Unknown("an option that may do more")


def _check_argument(value: Value) -> None:
    if value.form != ATOM and not (value.form == CLASS and type(value.o) is type):
        raise Unknown("an object, given to a setting")


def set_shared(a: Analysis, target: Value, key: Value, value: Value) -> bool:
    """Whether that is `os.environ[…] = …` or `rcParams[…] = …`; it is noted then."""
    if target.o is os.environ:
        label = "os.environ"
    elif is_parameters(target.o) and type(key.o) is str and key.o != "backend":
        label = "matplotlib.rcParams"
    else:
        return False
    if key.form != ATOM or not a.plain(value):
        raise Unknown("an object, given to a setting")
    snapshot_setting(a, label)
    return True


def is_parameters(o: object) -> bool:
    """Whether it is the one `rcParams` of matplotlib."""
    return "matplotlib" in sys.modules and contents(sys.modules["matplotlib"]).get("rcParams") is o


# ------------------------------------------------------------------------------------------ with


def _with(a: Analysis, node: ast.With) -> None:
    suppressed = False
    for item in node.items:
        context = item.context_expr
        if type(context) is not ast.Call or item.optional_vars is not None:
            raise Unknown("with something")
        function = a.value(context.func).o
        values = [a.value(each) for each in context.args]
        values += [a.value(each.value) for each in context.keywords]
        for value in values:
            _check_argument(value)
        name = _known_context(function)
        if name == "option_context":
            _check_options(values)
        suppressed = suppressed or name == "suppress"
    if not suppressed:
        a.run(node.body)
        return
    handler = ast.ExceptHandler(None, None, [ast.Pass()])
    a.run([ast.Try(node.body, [handler], [], [])])


def _known_context(o: Any) -> str:
    """The name of a context that does nothing but put settings back, or swallow errors; `Unknown` for all others."""
    if o is warnings.catch_warnings and is_library_class(o):
        return "catch_warnings"
    for module, name in (("contextlib", "suppress"), ("numpy", "errstate"), ("pandas", "option_context")):
        if module in sys.modules and contents(sys.modules[module]).get(name) is o:
            code = getattr(getattr(o, "__wrapped__", None), "__code__", None)
            if is_library_class(o) if isinstance(o, type) else code and is_library(code.co_filename):
                return name
    raise Unknown("with something of some kind")


STATEMENTS[ast.With] = _with
