"""What modules have one of behind functions, where the code can get at them; and what is registered for good."""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Iterator
from typing import Any

from reflex_ipython.state.kinds import (
    interpreter,
    interpreter_hooks,
    library_classes,
    log_handlers,
    module_entries,
    registries_by_words,
    setters,
    shell_events,
    shell_settings,
    standing,
)
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.registries import Row

_SWITCHES = (*interpreter.ROWS, *log_handlers.ROWS, *module_entries.ROWS, *shell_events.ROWS)
_PERMANENT = "sys.addaudithook and other permanent registrations"
FOR_GOOD = Kind(_PERMANENT, "named", lambda o, walk: None, lambda o, saved: False)
_REGISTERING = {
    "PIL": "register_decoder register_encoder register_extension register_extensions register_mime register_open "
    "register_save register_save_all",
    "atexit": "_clear _run_exitfuncs unregister",
    "bokeh": "curdoc",
    "cv2": "randn randShuffle randu setRNGSeed",
    "duckdb": "create_function register register_filesystem remove_function set_default_connection unregister",
    "faulthandler": "dump_traceback_later register unregister",
    "fcntl": "fcntl flock ioctl lockf",
    "h5py": "register_filter unregister_filter",
    "multiprocessing": "set_forkserver_preload",
    "os": "dup2 nice putenv register_at_fork sched_setparam sched_setscheduler set_blocking set_inheritable "
    "setpgid setpgrp setsid unsetenv",
    "polars": "disable_string_cache enable_string_cache sample set_random_seed shuffle",
    "psutil": "cpu_affinity ionice nice rlimit",
    "pyarrow": "register_aggregate_function register_extension_type register_scalar_function "
    "register_tabular_function register_vector_function unregister_extension_type",
    "pyogrio": "set_gdal_config_options",
    "pyparsing": "set_default_keyword_chars set_default_whitespace_chars",
    "pyproj": "set_use_global_context",
    "readline": "add_history clear_history parse_and_bind read_init_file set_completion_display_matches_hook "
    "set_history_length set_pre_input_hook set_startup_hook",
    "scipy": "register_backend set_global_backend",
    "signal": "siginterrupt",
    "sqlalchemy": "listen listens_for remove",
    "sqlite3": "enable_callback_tracebacks",
    "sys": "addaudithook",
    "termios": "tcsetattr",
    "torch": "manual_seed_all set_default_device set_default_tensor_type set_num_interop_threads",
    "tty": "setcbreak setraw",
    "wrapt": "register_post_import_hook when_imported",
}
"""And what nobody can read: whether an extension type is known to Arrow, how far the random numbers of OpenCV and of
polars are; the document that bokeh has one of holds models that notice every change."""


def _came_in(module: str) -> Kind:
    """The kind of what a module has that comes in with the statement that changes it: nobody knows what it was."""
    return Kind(_PERMANENT, "named", lambda o, walk: None, lambda o, saved: module not in sys.modules)


_ROWS = (*library_classes.ROWS, *setters.ROWS, *shell_settings.ROWS, *standing.ROWS)
"""Of libraries, where code uses one of some words: the package that it uses first."""
_PACKAGES = registries_by_words.PACKAGES | setters.PACKAGES | {package for package, *_ in _ROWS}


@functools.cache
def _of_package(package: str) -> list[tuple[Row, Kind]]:
    """A package's rows, each with what stands for a module that is not loaded yet; made where code uses the package."""
    own = [(module, needed, label, kind) for name, module, needed, label, kind in _ROWS if name == package]
    return [(row, _came_in(row[0])) for row in (*own, *registries_by_words.rows(package), *setters.rows(package))]


def reached(modules: Collection[str], words: Collection[str]) -> Iterator[tuple[str, Kind, Any]]:
    """Those that the code can get at, with a label for each.

    Parameters
    ----------
    modules : collection of str
        The modules that it can get at.
    words : collection of str
        The names and attributes that it uses.
    """
    used = {*modules, *(["builtins"] if "__builtins__" in words else [])}
    for module, needed, label, kind in _SWITCHES:
        loaded = sys.modules.get(module) if module in used else None
        if loaded is not None and (not needed or not needed.isdisjoint(words)):
            yield label, kind, loaded
    for package in sorted(_PACKAGES.intersection(modules)):
        for (module, needed, label, kind), came_in in _of_package(package):
            if not needed.isdisjoint(words):
                loaded = sys.modules.get(module)
                yield (label, came_in, sys.modules.get(package)) if loaded is None else (label, kind, loaded)
    yield from interpreter_hooks.reached(used, words)
    if interpreter_hooks.calls_unknown():
        yield "an audit hook", FOR_GOOD, sys
    for module in sorted(_REGISTERING.keys() & modules):
        for word in sorted(set(_REGISTERING[module].split()).intersection(words)):
            yield f"{module}.{word}", FOR_GOOD, sys.modules[module]


KINDS = (*(kind for *_, kind in _SWITCHES), *interpreter_hooks.KINDS, library_classes.ATTRIBUTES, FOR_GOOD)
