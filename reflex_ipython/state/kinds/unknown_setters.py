"""Functions of a library that nobody has gone through, whose names say that they set something: named, not put back."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.state.kinds.modules import name_of
from reflex_ipython.state.user_code import contents

_SETTER = re.compile(r"(?:set|enable|disable|register|unregister)_")
_NAMES = (
    "IPython PIL altair anywidget astropy attr attrs autograd bokeh bs4 catalogue cloudpickle cv2 dask distributed "
    "duckdb faker fsspec gensim geopandas h5py ipykernel ipywidgets jinja2 joblib lightgbm llvmlite loguru matplotlib "
    "matplotlib_inline mpmath narwhals networkx nltk numba numpy pandas plotly polars psutil pyarrow pydantic pyogrio "
    "pyparsing pyproj pytest reflex_ipython regex requests rich scipy seaborn shapely simpy sklearn spacy sqlalchemy "
    "statsmodels sympy thinc threadpoolctl torch tqdm traitlets urllib3 wrapt xarray xgboost yaml zmq"
)
_KNOWN = frozenset(_NAMES.split())
"""Packages whose settings are noted, or named by themselves."""


def unknown_setters(modules: Collection[Any], words: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Those that the code may call, each by its full name and with its module.

    Parameters
    ----------
    modules : collection of module or class
        Of libraries.
    words : collection of str
        Attributes that the code uses.
    """
    setting = sorted(word for word in words if _SETTER.match(word))
    for module in modules if setting else ():
        if type(module) is ModuleType and not _is_known(name_of(module)):
            here = contents(module)
            for word in [word for word in setting if is_exactly(here.get(word), (FunctionType, BuiltinFunctionType))]:
                yield f"{name_of(module)}.{word}", module


def _is_known(name: str) -> bool:
    root = name.partition(".")[0]
    return root in _KNOWN or root in sys.stdlib_module_names
