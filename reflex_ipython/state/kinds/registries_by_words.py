"""Registries of libraries that only a few of their functions change: looked at where the code uses one of these words.

Beside those of `kinds.registries`, for which it is enough that the code can get at the library.
"""

from __future__ import annotations

from collections.abc import Iterator

from reflex_ipython.state.kinds.registries import Row, registry

_PATHS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("PIL", "PIL.ImageShow", "register", ("_viewers",)),
    (
        "astropy",
        "astropy.io.registry.compat",
        "register_reader register_writer register_identifier unregister_reader unregister_writer",
        ("default_registry.__dict__",),
    ),
    (
        "asyncio",
        "asyncio.events",
        "set_event_loop",
        ("_event_loop_policy._local._loop", "_event_loop_policy._local._set_called"),
    ),
    ("autograd", "autograd.core", "defvjp defjvp defvjp_argnums defvjp_argnum", ("primitive_vjps", "primitive_jvps")),
    ("bokeh", "bokeh.io.state", "output_notebook output_file reset_output", ("_STATE", "_STATE.__dict__")),
    ("catalogue", "catalogue", "register component factory", ("REGISTRY",)),
    (
        "cloudpickle",
        "cloudpickle.cloudpickle",
        "register_pickle_by_value unregister_pickle_by_value",
        ("_PICKLE_BY_VALUE_MODULES",),
    ),
    ("dask", "dask.base", "normalize_token", ("normalize_token._lookup", "normalize_token._lazy")),
    ("dask", "dask.callbacks", "register unregister", ("Callback.active",)),
    ("dask", "dask.config", "config", ("config",)),
    ("dask", "dask.sizeof", "sizeof", ("sizeof._lookup", "sizeof._lazy")),
    (
        "email",
        "email.policy",
        "add_get_handler add_set_handler map_to_type",
        (
            "default.content_manager.get_handlers",
            "default.content_manager.set_handlers",
            "default.header_factory.registry",
        ),
    ),
    (
        "fsspec",
        "fsspec.registry",
        "register_implementation clobber",
        ("_registry", "known_implementations"),
    ),
    ("gettext", "builtins", "install", ("_", "ngettext", "pgettext", "npgettext")),
    (
        "joblib",
        "joblib.parallel",
        "register_parallel_backend parallel_backend parallel_config",
        ("BACKENDS", "DEFAULT_BACKEND", "_backend.config"),
    ),
    ("joblib", "joblib.memory", "register_store_backend", ("_STORE_BACKENDS",)),
    ("matplotlib", "matplotlib.legend", "Legend", ("Legend._default_handler_map",)),
    ("matplotlib", "matplotlib.pyplot", "switch_backend use", ("_backend_mod",)),
    ("multiprocessing", "multiprocessing.process", "current_process", ("_current_process.__dict__",)),
    ("multiprocessing", "multiprocessing.spawn", "set_executable", ("_python_exe",)),
    ("multiprocessing", "multiprocessing.util", "get_logger log_to_stderr", ("_logger", "_log_to_stderr")),
    (
        "multiprocessing",
        "multiprocessing.reduction",
        "register ForkingPickler",
        ("ForkingPickler._extra_reducers",),
    ),
    ("pandas", "matplotlib.units", "register_matplotlib_converters deregister_matplotlib_converters", ("registry",)),
    (
        "pandas",
        "pandas.plotting._matplotlib.converter",
        "register_matplotlib_converters deregister_matplotlib_converters",
        ("_mpl_units",),
    ),
    ("pandas", "pandas.io.excel._util", "register_writer ExcelWriter", ("_writers",)),
    ("plotly", "plotly.io._defaults", "defaults", ("defaults.__dict__",)),
    ("plotly", "plotly.io._json", "config", ("config.__dict__",)),
    ("plotly", "plotly.io._renderers", "renderers", ("renderers._default_name", "renderers._to_activate")),
    ("polars", "polars.datatypes.extension", "register_extension_type unregister_extension_type", ("_REGISTRY",)),
    ("random", "random", "_inst", ("_inst", "_inst.__dict__")),
    ("rich", "rich", "reconfigure get_console", ("_console", "_console.__dict__")),
    ("scipy", "scipy.sparse.linalg._dsolve.linsolve", "use_solver", ("useUmfpack.u",)),
    ("spacy", "catalogue", "component factory registry", ("REGISTRY",)),
    ("sympy", "sympy.assumptions.assume", "global_assumptions assuming", ("global_assumptions",)),
    (
        "sympy",
        "sympy.core.parameters",
        "evaluate distribute global_parameters",
        ("global_parameters.evaluate", "global_parameters.distribute", "global_parameters.exp_is_pow"),
    ),
    ("thinc", "catalogue", "registry", ("REGISTRY",)),
    ("tqdm", "tqdm.std", "set_lock", ("tqdm._lock",)),
    ("typing", "typing", "clear_overloads overload", ("_overload_registry",)),
    ("unittest", "unittest.signals", "installHandler removeHandler", ("_interrupt_handler",)),
    ("zoneinfo", "zoneinfo._tzpath", "reset_tzpath", ("TZPATH",)),
)
"""The package that code uses, the module that has them, the words, and the paths."""
PACKAGES = frozenset(package for package, *_ in _PATHS)


def rows(package: str) -> Iterator[Row]:
    """Those of a package that code uses."""
    for name, module, words, paths in _PATHS:
        if name == package:
            yield module, frozenset(words.split()), f"registries of {module}", registry(paths, deep=True)
