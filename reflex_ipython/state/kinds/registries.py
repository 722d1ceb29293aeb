"""What modules have one of, and a line of a notebook may change: registries, handlers, settings, started patches.

Looked at only where the code can get at the module. A registry is a path of attributes from its module: a dict, list or
set is noted with what is in it, a generator of random numbers with its state, anything else by what it is.
"""

from __future__ import annotations

import functools
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from reflex_ipython.state.kinds.contained import Contained, all_contained, copy_of, have_still, put_back_into
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import Kind, ObjectWalk

NAME = "registries and settings of modules that the code uses"
Row = tuple[str, frozenset[str], str, Kind]
"""A module; names or attributes, one of which the code has to use, if there are any; a label; the kind."""


def switch(get: Callable[[Any], Any], put: Callable[[Any, Any], None]) -> Kind:
    """Something that one function of a module gives and another one takes."""
    return Kind(NAME, "exact", lambda o, walk: get(o), lambda o, saved: bool(get(o) == saved), put)


_PATHS: dict[str, tuple[str, ...]] = {
    "asyncio": ("events._event_loop_policy",),
    "calendar": ("c._firstweekday",),
    "copyreg": ("dispatch_table", "_extension_registry", "_inverted_registry", "_extension_cache"),
    "doctest": ("_unittest_reportflags",),
    "email.charset": ("CHARSETS", "ALIASES", "CODEC_MAP"),
    "encodings.aliases": ("aliases",),
    "fileinput": ("_state",),
    "gettext": ("_current_domain", "_localedirs"),
    "joblib.compressor": ("_COMPRESSORS",),
    "logging": (
        "_levelToName",
        "_nameToLevel",
        "_loggerClass",
        "_logRecordFactory",
        "_warnings_showwarning",
        "lastResort",
        "raiseExceptions",
        "root.manager.disable",
        "root.manager.loggerClass",
        "root.manager.logRecordFactory",
    ),
    "mimetypes": ("_db", "inited", "types_map", "common_types", "suffix_map", "encodings_map", "knownfiles"),
    "multiprocessing.context": ("_default_context._actual_context",),
    "shutil": ("_ARCHIVE_FORMATS", "_UNPACK_FORMATS"),
    "sqlite3": ("adapters", "converters"),
    "sys": ("argv", "meta_path", "path_hooks", "warnoptions", "stdin", "stdout", "stderr"),
    "threading": ("excepthook", "_profile_hook", "_trace_hook"),
    "urllib.request": ("_opener",),
    "warnings": ("showwarning", "_showwarnmsg_impl", "formatwarning", "defaultaction", "onceregistry"),
    "webbrowser": ("_browsers", "_tryorder"),
    "xml.etree.ElementTree": ("_namespace_map",),
    "matplotlib": ("_colormaps._cmaps", "_color_sequences._color_sequences"),
    "matplotlib.animation": ("writers._registered",),
    "matplotlib.backend_bases": ("_default_filetypes", "_default_backends"),
    "matplotlib.colors": ("_colors_full_map", "_colors_full_map.cache"),
    "matplotlib.dates": ("_epoch",),
    "matplotlib.font_manager": ("fontManager.ttflist", "fontManager.afmlist"),
    "matplotlib.hatch": ("_hatch_types",),
    "matplotlib.projections": ("projection_registry._all_projection_types",),
    "matplotlib.scale": ("_scale_mapping",),
    "matplotlib.style": ("library", "available"),
    "matplotlib.units": ("registry",),
    "pandas.core.dtypes.base": ("_registry.dtypes",),
    "pandas.plotting._core": ("_backends",),
    "altair.theme": ("enable.__self__.__dict__",),
    "astropy.units.core": ("_unit_registries",),
    "faker.generator": ("random",),
    "lightgbm.basic": ("_LOGGER", "_INFO_METHOD_NAME", "_WARNING_METHOD_NAME"),
    "plotly.io._renderers": ("renderers._default_name", "renderers._default_renderers", "renderers._to_activate"),
    "spacy.tokens.underscore": (
        "Underscore.doc_extensions",
        "Underscore.span_extensions",
        "Underscore.token_extensions",
    ),
    "sympy.core.random": ("rng",),
    "xarray.core.options": ("OPTIONS",),
}
"""Where they are, by the module that has them. Their package's being used is enough: `plt.style` uses `matplotlib`."""


def _find(module: Any, path: str) -> tuple[Any, str, Any]:
    *holders, name = path.split(".")
    for holder in holders:
        module = getattr(module, holder, None)
    return module, name, getattr(module, name, MISSING)


def _noted(paths: tuple[str, ...], deep: bool, o: Any) -> list[Any]:
    found = ((holder, name, value) for holder, name, value in (_find(o, path) for path in paths) if holder is not None)
    if deep:
        return [(holder, name, value, all_contained([value])) for holder, name, value in found]
    return [(holder, name, value, [(value, copy_of(value))]) for holder, name, value in found]


def _same_entry(holder: Any, name: str, value: Any, contained: Contained) -> bool:
    return getattr(holder, name, MISSING) is value and have_still(contained)


def _restore_entry(holder: Any, name: str, value: Any, contained: Contained) -> None:
    if value is MISSING:
        if getattr(holder, name, MISSING) is not MISSING:
            delattr(holder, name)
        return
    if getattr(holder, name, MISSING) is not value:
        setattr(holder, name, value)
    put_back_into(contained)


@functools.cache
def registry(paths: tuple[str, ...], *, deep: bool = False) -> Kind:
    """The kind of a module that has registries, made where code can get at it: there are many, and most are never used.

    Parameters
    ----------
    paths : tuple of str
        Attributes, from the module on.
    deep : bool
        Whether containers inside them may be changed in place as well.
    """

    def restore(o: Any, saved: list[Any]) -> None:
        for entry in saved:
            _restore_entry(*entry)

    def snapshot(o: Any, walk: ObjectWalk) -> list[Any]:
        return _noted(paths, deep, o)

    def same(o: Any, saved: list[Any]) -> bool:
        return all(_same_entry(*entry) for entry in saved)

    return Kind(NAME, "exact", snapshot, same, restore, holds=_held)


def _held(saved: list[Any]) -> list[Any]:
    """What is in the registries: the modules and objects that have them are their library's."""
    return [part for _, _, value, contained in saved for part in (value, *(copy for _, copy in contained))]


_BY_PACKAGE: dict[str, list[tuple[str, str]]] = {}
for _module in _PATHS:
    _BY_PACKAGE.setdefault(_module.partition(".")[0], []).append((_module, f"registries of {_module}"))
_REGISTRIES = re.compile(r"registries of (\w+)")
_SET_BY = {"contextlib": "sys", "logging": "warnings", "seaborn": "matplotlib", "unittest": "unittest.mock"}
"""Modules that set what another one has: `redirect_stdout`, `captureWarnings`, `set_color_codes`."""
_PUBLIC = {"posix": "os", "nt": "os", "_signal": "signal", "_csv": "csv", "_locale": "locale", "_codecs": "codecs"}
"""Modules of C whose functions are another one's."""


def used(modules: Iterable[str]) -> set[str]:
    """Those modules, their packages, and what they are known to set elsewhere."""
    names = {part for name in modules for part in (_PUBLIC.get(name, name), name.partition(".")[0])}
    return names | {_SET_BY[name] for name in names if name in _SET_BY}


def folded(labels: Iterable[str]) -> list[str]:
    """Labels of what code may change, with one in the place of all registries of a package, where it has several."""
    labels = list(labels)
    packages = ["".join(_REGISTRIES.findall(label)) for label in labels]
    many = {package for package, count in Counter(packages).items() if package and count > 1}
    plain = [f"settings of {package}" if package in many else label for label, package in zip(labels, packages)]
    return list(dict.fromkeys(plain))


def reached(modules: Collection[str]) -> Iterator[tuple[str, Kind, Any]]:
    """Those of the modules that are loaded and that the code can get at, with a label for each.

    Parameters
    ----------
    modules : collection of str
        As `used` gives them; a package stands for all that is in it.
    """
    for package in _BY_PACKAGE.keys() & modules:
        for module, label in _BY_PACKAGE[package]:
            loaded = sys.modules.get(module)
            if loaded is not None:
                yield label, registry(_PATHS[module]), loaded
