"""Types of C whose objects surely do not change once they are made, as far as a cell can see. All others are opaque.

By name, so that no library has to be loaded for it. A test makes an object of each that is installed, and looks whether
using it changes anything.
"""

from __future__ import annotations

from reflex_ipython.base.classes import classes, module_name
from reflex_ipython.state.kinds.layout import type_name

_TYPES: dict[str, tuple[str, ...]] = {
    "": ("PyCapsule", "PyExpr", "PyLazyFrame", "SuperLU", "cython_function_or_method"),
    "_abc": ("_abc_data",),
    "_collections": ("_tuplegetter",),
    "collections": ("_tuplegetter",),
    "_csv": ("Dialect",),
    "_sre": ("SRE_Template",),
    "_struct": ("Struct",),
    "datetime": ("timezone",),
    "typing": ("TypeVarTuple", "ParamSpecArgs", "ParamSpecKwargs", "TypeAliasType"),
    "unicodedata": ("UCD",),
    "contourpy._contourpy": (
        "Mpl2005ContourGenerator",
        "Mpl2014ContourGenerator",
        "SerialContourGenerator",
        "ThreadedContourGenerator",
    ),
    "matplotlib._tri": ("TrapezoidMapTriFinder", "TriContourGenerator", "Triangulation"),
    "matplotlib.backends._backend_agg": ("RendererAgg",),
    "matplotlib.ft2font": ("FT2Font", "FT2Image", "Glyph"),
    "numpy": ("_ArrayFunctionDispatcher", "busdaycalendar"),
    "numpy._core._multiarray_umath": ("_ArrayFunctionDispatcher", "_array_converter"),
    "numpy.core._multiarray_umath": ("_ArrayFunctionDispatcher",),
    "pandas._libs.missing": ("NAType",),
    "pandas._libs.sparse": ("IntIndex", "BlockIndex"),
    "pandas._libs.tslibs.dtypes": ("PeriodDtypeBase",),
    "pandas._libs.tslibs.nattype": ("_NaT", "NaTType"),
    "pandas._libs.tslibs.period": ("_Period",),
    "pandas._libs.tslibs.timedeltas": ("_Timedelta",),
    "pandas._libs.internals": ("BlockPlacement",),
    "pandas._libs.properties": ("CachedProperty", "AxisProperty"),
    "pydantic_core._pydantic_core": (
        "MultiHostUrl",
        "PydanticUndefinedType",
        "Some",
        "TzInfo",
        "Url",
    ),
    "pyarrow._parquet": (
        "ColumnChunkMetaData",
        "ColumnSchema",
        "FileMetaData",
        "ParquetSchema",
        "RowGroupMetaData",
        "Statistics",
    ),
    "pyarrow.lib": ("ChunkedArray", "Codec", "Field", "KeyValueMetadata", "RecordBatch", "Schema", "Table"),
    "pybind11_builtins": ("pybind11_static_property",),
    "scipy.spatial._ckdtree": ("cKDTreeNode",),
}
"""By module."""

_FAMILIES: dict[str, tuple[str, ...]] = {
    "_loss": ("CyLossFunction",),  # as scikit-learn before 1.8 names the module below
    "numpy": ("generic",),
    "pandas._libs.tslibs.offsets": ("BaseOffset",),
    "pyarrow._compute": ("Expression", "Function"),
    "pyarrow._dataset": ("Dataset", "FileFormat", "Partitioning"),
    "pyarrow._fs": ("FileSystem",),
    "pyarrow.lib": ("Array", "DataType", "Scalar"),
    "sklearn._loss._loss": ("CyLossFunction",),
    "sklearn.linear_model._sgd_fast": ("LossFunction", "Regression", "Classification"),
    "sklearn.metrics._dist_metrics": ("DistanceMetric", "DistanceMetric64", "DistanceMetric32"),
}
"""Base classes by module: what the same library derives from them is still as well."""


_PREFIXES = ("pybind11_builtins.pybind11_detail_function_record",)


def _full(names: dict[str, tuple[str, ...]]) -> frozenset[str]:
    return frozenset(f"{module}.{name}".strip(".") for module, some in names.items() for name in some)


_NAMES, _BASES = _full(_TYPES), _full(_FAMILIES)


def is_still(cls: type, solid: type) -> bool:
    """Whether objects of a class never change.

    Parameters
    ----------
    cls : type
    solid : type
        The base that has their C fields. What Python code derives from it adds attributes, which are looked at.
    """
    order = classes(cls)
    own = order[: next(place for place, base in enumerate(order) if base is solid) + 1]
    if any(type_name(base) in _NAMES or type_name(base).startswith(_PREFIXES) for base in own):
        return True
    library = module_name(solid).partition(".")[0]
    return any(type_name(base) in _BASES and _same_library(base, library) for base in order)


def _same_library(base: type, library: str) -> bool:
    return module_name(base).partition(".")[0] == library
