"""Attributes of a library's class that the library itself sets when it is asked to: accessors, handlers, defaults.

`pl.api.register_dataframe_namespace` sets one of `DataFrame`, and `Legend.update_default_handler_map` changes the dict
that the class has. Code of the user's that sets an attribute is seen by its bytecode (`kinds.modules`); here it only
calls.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, is_exactly, module_name
from reflex_ipython.state.kinds.contained import all_contained, have_still, put_back_into
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.registries import NAME
from reflex_ipython.state.user_code import owned_class

_SETTING = re.compile(r"(?:un)?(?:set|register|update|add|remove|enable|disable|reset|clear|use|on|seed)(?:_|$)")
"""What a class method is called that changes its class."""
_KERNELS = frozenset({"IPython", "asyncio", "builtins", "ipykernel", "reflex_ipython", "tornado", "traitlets", "zmq"})
"""Packages whose classes the kernel itself runs on."""


def _noted(some: Iterable[type]) -> list[Any]:
    return [(cls, own, all_contained(own.values())) for cls, own in ((cls, _attributes(cls)) for cls in some)]


def _attributes(cls: type) -> dict[str, Any]:
    return {name: value for name, value in class_vars(cls).items() if not name.startswith("__")}


def _same(o: Any, saved: list[Any]) -> bool:
    return not any(_changed(cls, own) for cls, own, _ in saved) and all(have_still(inside) for *_, inside in saved)


def _changed(cls: type, own: dict[str, Any]) -> list[str]:
    now = _attributes(cls)
    return [name for name in {**own, **now} if now.get(name, MISSING) is not own.get(name, MISSING)]


def _restore(o: Any, saved: list[Any]) -> None:
    for cls, own, inside in saved:
        for name in _changed(cls, own):
            if name in own:
                type.__setattr__(cls, name, own[name])
            else:
                type.__delattr__(cls, name)
        put_back_into(inside)


def _held(saved: list[Any]) -> list[Any]:
    return [part for _, own, inside in saved for part in (own, *(copy for _, copy in inside))]


def _of_module(paths: tuple[str, ...]) -> Kind:
    """The kind of a module that has classes to which attributes are added."""

    def present(o: Any) -> Iterator[type]:
        for path in paths:
            cls = o
            for name in path.split("."):
                cls = getattr(cls, name, None)
            if cls is not None:
                yield cls

    return Kind(NAME, "exact", lambda o, walk: _noted(present(o)), _same, _restore, holds=_held)


ATTRIBUTES = Kind(NAME, "exact", lambda o, walk: _noted(_lineage(o)), _same, _restore, instance=False, holds=_held)
"""Of a library's class whose class methods are called."""


def _lineage(cls: type) -> list[type]:
    return [base for base in classes(cls) if module_name(base).partition(".")[0] not in _KERNELS]


def setting_words(words: Collection[str]) -> list[str]:
    """Those of the names by which a class method would change its class."""
    return [word for word in words if _SETTING.match(word)]


def is_set_by(cls: type, words: Collection[str]) -> bool:
    """Whether a library's class has class methods or functions of these names.

    Parameters
    ----------
    cls : type
    words : collection of str
        As `setting_words` gives them.
    """
    if not words or owned_class(cls):
        return False
    return any(
        is_exactly(class_vars(base).get(word), (classmethod, staticmethod)) for base in _lineage(cls) for word in words
    )


_OF_POLARS = frozenset(f"register_{name}_namespace" for name in ("dataframe", "lazyframe", "expr", "series"))
_OF_XARRAY = frozenset(f"register_{name}_accessor" for name in ("dataset", "dataarray", "datatree"))
_OF_YAML = frozenset(
    f"add_{name}"
    for name in (
        "constructor",
        "implicit_resolver",
        "multi_constructor",
        "multi_representer",
        "path_resolver",
        "representer",
    )
)
_APPLIED = ("frame.DataFrame", "series.Series", "groupby.DataFrameGroupBy", "groupby.SeriesGroupBy")

ROWS = (
    ("polars", "polars", _OF_POLARS, "polars namespaces", _of_module(("DataFrame", "LazyFrame", "Expr", "Series"))),
    ("tqdm", "pandas.core", frozenset({"pandas"}), "methods of pandas", _of_module((*_APPLIED, "generic.NDFrame"))),
    ("xarray", "xarray", _OF_XARRAY, "xarray accessors", _of_module(("DataArray", "Dataset", "DataTree"))),
    (
        "yaml",
        "yaml",
        _OF_YAML | {"YAMLObject"},
        "yaml's constructors and representers",
        _of_module(
            (
                *("Loader", "SafeLoader", "FullLoader", "UnsafeLoader", "CLoader", "CSafeLoader", "CFullLoader"),
                *("CUnsafeLoader", "Dumper", "SafeDumper", "CDumper", "CSafeDumper", "constructor.BaseConstructor"),
                *("resolver.BaseResolver", "resolver.Resolver", "representer.BaseRepresenter"),
            )
        ),
    ),
)
"""As `kinds.switches` has them, the package that code uses first."""
