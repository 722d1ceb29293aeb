"""What is in an object of numpy, pandas, scikit-learn, scipy or matplotlib."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from tests.property.contents import Contents, attributes, numbered, own_class, text_of
from tests.property.graph import Place


def _memory(o: Any) -> tuple[int, int]:
    """Where an array's memory belongs to, and how far from there it begins."""
    import numpy as np

    owner = o
    while isinstance(getattr(owner, "base", None), np.ndarray):
        owner = owner.base
    here = np.ndarray.__array_interface__.__get__(o)["data"][0]
    start = np.ndarray.__array_interface__.__get__(owner)["data"][0]
    base = owner.base
    try:
        if base is not None:
            start = np.frombuffer(base, dtype="u1").__array_interface__["data"][0]
    except (TypeError, ValueError, BufferError):
        pass
    return start, here - start


def _array(o: Any) -> Contents:
    import numpy as np

    start, offset = _memory(o)
    flags = (o.flags.writeable, o.flags.c_contiguous, o.flags.f_contiguous, o.flags.owndata, o.flags.aligned)
    raw = np.ndarray.view(o, np.ndarray)
    data = None if o.dtype.hasobject else raw.tobytes()
    children: list[tuple[str, Any]] = list(numbered(raw.ravel().tolist())) if o.dtype.hasobject else []
    memory = [("memory", Place("memory", ("memory", start)))] if o.size else []
    if o.dtype.names:
        children.append(("dtype", o.dtype))
    if isinstance(o, np.ma.MaskedArray):
        children += [("mask", np.ma.getmask(o)), ("fill", text_of(o.fill_value)), ("hard", text_of(o.hardmask))]
        return (o.shape, o.strides, str(o.dtype), flags, data, offset), [*memory, *children]
    extra = attributes(o) if own_class(type(o)) else ()
    return (o.shape, o.strides, str(o.dtype), flags, data, offset), [*memory, *children, *extra]


def _mode(blocks: Any) -> list[bool]:
    """Which blocks would be copied by the next write to them."""
    return [bool(block.refs.has_reference()) for block in blocks]


def _values(values: Any) -> list[tuple[str, Any]]:
    """The memory below a block's values."""
    import numpy as np

    parts = [values] if isinstance(values, np.ndarray) else []
    for name in ("_ndarray", "_data", "_mask", "_codes"):
        part = getattr(values, name, None)
        if isinstance(part, np.ndarray):
            parts.append(part)
    found: list[tuple[str, Any]] = []
    for place, part in enumerate(parts):
        if part.size:
            start, _ = _memory(part)
            found.append((f"memory {place}", Place("memory", ("memory", start))))
        if part.dtype.hasobject:
            found += [(f"{place}.{label}", item) for label, item in numbered(part.ravel().tolist())]
    return found


def _frame(o: Any) -> Contents:
    import pandas as pd

    manager = o._mgr
    columns = (
        [manager.iget_values(place) for place in range(o.shape[1])]
        if isinstance(o, pd.DataFrame)
        else [manager.internal_values()]
    )
    data = [(str(values.dtype), text_of(list(values))) for values in columns]
    payload = (data, o.shape, o.flags.allows_duplicate_labels)
    children: list[tuple[str, Any]] = [
        ("index", o.index),
        ("attrs", o._attrs),
        ("copied when written", text_of(_mode(manager.blocks))),
    ]
    if isinstance(o, pd.DataFrame):
        children.append(("columns", o.columns))
        for place, values in enumerate(columns):
            children += [(f"column {place} {label}", child) for label, child in _values(values)]
    else:
        children.append(("name", o._name))
        children += _values(columns[0])
    own = {
        k: v
        for k, v in object.__getattribute__(o, "__dict__").items()
        if k not in ("_mgr", "_attrs", "_flags", "_name", "_item_cache", "_cache", "_is_copy")
    }
    return payload, [*children, *((f".{k}", v) for k, v in own.items())]


def _index(o: Any) -> Contents:
    return (str(o.dtype), text_of(list(o)), text_of(list(o.names))), [("name", o._name)] if hasattr(o, "_name") else []


def _extension_array(o: Any) -> Contents:
    return (str(o.dtype), text_of(list(o))), _values(o)


def _generator(o: Any) -> Contents:
    return None, [("bits", o.bit_generator)]


def _bits(o: Any) -> Contents:
    seeds = getattr(o, "seed_seq", None)
    return text_of(o.state), [("seeds", seeds)] if seeds is not None else []


def _flags_tree(o: Any) -> Contents:
    state = o.__getstate__()
    return text_of(state), []


# ------------------------------------------------------------------------------------------ matplotlib


def _path(o: Any) -> Any:
    return (o.vertices.tolist(), None if o.codes is None else o.codes.tolist())


def _look(o: Any) -> list[Any]:
    found = []
    for name in (
        "get_visible",
        "get_zorder",
        "get_alpha",
        "get_label",
        "get_color",
        "get_linewidth",
        "get_linestyle",
        "get_marker",
        "get_text",
        "get_position",
        "get_facecolor",
        "get_edgecolor",
        "get_fontsize",
        "get_offsets",
        "get_array",
        "get_cmap",
        "get_clim",
        "get_extent",
        "get_lim",
    ):
        method = getattr(o, name, None)
        if method is not None:
            try:
                found.append((name, text_of(method())))
            except Exception as error:  # noqa: BLE001 - some need a canvas
                found.append((name, type(error).__name__))
    for name in ("get_xdata", "get_ydata"):
        found += [(name, text_of(list(getattr(o, name)())))] if hasattr(o, name) else []
    for name in ("get_path", "get_paths"):
        try:
            paths = getattr(o, name)()
        except Exception:  # noqa: BLE001 - of those that have none
            continue
        found.append((name, text_of([_path(p) for p in (paths if isinstance(paths, (list, tuple)) else [paths])])))
    return found


def _artist(o: Any) -> Contents:
    axes = getattr(o, "axes", None)
    return _look(o), [("axes", axes), ("children", tuple(o.get_children())), ("figure", getattr(o, "figure", None))]


def _colours_used(lines: Any) -> int | None:
    found: int | None = getattr(getattr(lines, "_prop_cycle", lines), "_idx", None)
    return found


def _axis(o: Any) -> Contents:
    locator, formatter = o.get_major_locator(), o.get_major_formatter()
    units = sorted(map(str, o.units)) if isinstance(o.units, list) else o.units
    own = [text_of(getattr(locator, "locs", None)), text_of(getattr(formatter, "seq", None)), text_of(units)]
    names = [type(locator).__name__, type(formatter).__name__]
    return [o.get_scale(), o.get_label().get_text(), *names, text_of(o._major_tick_kw), o.get_inverted(), *own], []


def _axes(o: Any) -> Contents:
    o._unstale_viewLim()  # whether a look at the limits was the first one, which scales the axes, is no state
    payload = [
        o.get_title(),
        o._viewLim.bounds,
        o.dataLim.bounds,
        o.get_autoscalex_on(),
        o.get_autoscaley_on(),
        text_of(o.get_facecolor()),
        o.get_position().bounds,
        _colours_used(o._get_lines),
        text_of(o.margins()),
        o.get_aspect(),
        o.axison,
        o._axisbelow,
        o._stale_viewlims,
        o.get_label(),
        o.get_visible(),
        sorted((name, spine.get_visible()) for name, spine in o.spines.items()),
    ]
    groups = [
        ("x shared", _siblings(o, "x")),
        ("y shared", _siblings(o, "y")),
    ]
    return payload, [
        ("artists", tuple(o._children)),
        ("xaxis", o.xaxis),
        ("yaxis", o.yaxis),
        ("legend", o.legend_),
        ("figure", o.figure),
        *groups,
        ("containers", tuple(o.containers)),
        ("tables", len(o.child_axes)),
    ]


def _siblings(o: Any, name: str) -> tuple[Any, ...]:
    """In the order of the figure: they come out of a set, by their addresses."""
    places = {id(axes): place for place, axes in enumerate(o.figure.axes if o.figure is not None else ())}
    siblings = o._shared_axes[name].get_siblings(o)
    return tuple(sorted(siblings, key=lambda axes: (places.get(id(axes), len(places)), len(axes._children))))


def _figure(o: Any) -> Contents:
    title = o._suptitle.get_text() if o._suptitle is not None else None
    payload = [title, tuple(o.get_size_inches()), o.dpi, text_of(o.get_facecolor()), o.get_label(), len(o.subfigs)]
    callbacks = sorted((name, len(found)) for name, found in o._canvas_callbacks.callbacks.items() if found)
    return payload, [
        ("axes", tuple(o.axes)),
        ("current", o.gca() if o._axstack.current() is not None else None),
        ("texts", tuple(o.texts)),
        ("callbacks", text_of(callbacks)),
    ]


def _callbacks(o: Any) -> Contents:
    return sorted((str(k), len(v)) for k, v in o.callbacks.items() if v), []


LIBRARIES: dict[str, Callable[[Any], Contents]] = {
    "numpy.ndarray": _array,
    "numpy.void": lambda o: (
        text_of(o.tolist()),
        [],
    ),
    "numpy.generic": lambda o: ((str(o.dtype), text_of(o)), []),
    "numpy.dtype": lambda o: (str(o), []),
    "numpy.random._generator.Generator": _generator,
    "numpy.random.mtrand.RandomState": lambda o: (text_of(o.get_state(legacy=False)), []),
    "numpy.random.bit_generator.BitGenerator": _bits,
    "numpy.random.bit_generator.SeedSequence": lambda o: (text_of(o.state), []),
    "numpy.flatiter": lambda o: (o.index, [("of", o.base)]),
    "numpy.nditer": lambda o: ((o.iterindex, o.finished), []),
    "numpy.broadcast": lambda o: (o.index, []),
    "numpy.ndindex": lambda o: (None, []),
    "pandas.core.frame.DataFrame": _frame,
    "pandas.DataFrame": _frame,
    "pandas.core.series.Series": _frame,
    "pandas.Series": _frame,
    "pandas.core.indexes.base.Index": _index,
    "pandas.Index": _index,
    "pandas.core.arrays.base.ExtensionArray": _extension_array,
    "pandas.api.extensions.ExtensionArray": _extension_array,
    "pandas._libs.tslibs.timestamps.Timestamp": lambda o: (text_of(o), []),
    "pandas.core.groupby.groupby.BaseGroupBy": lambda o: (text_of(o.keys), [("obj", o.obj)]),
    "pandas.core.window.rolling.BaseWindow": lambda o: (text_of(o.window), [("obj", o.obj)]),
    "pandas.io.parsers.readers.TextFileReader": lambda o: (o._currow, []),
    "pandas.io.json._json.JsonReader": lambda o: (o.nrows_seen, []),
    "sklearn.tree._tree.Tree": _flags_tree,
    "scipy.spatial._ckdtree.cKDTree": lambda o: (o.n, [("data", o.data)]),
    "scipy.spatial._qhull.Delaunay": lambda o: ((text_of(o.points.tolist()), text_of(o.simplices.tolist())), []),
    "matplotlib.axes._base._AxesBase": _axes,
    "matplotlib.figure.FigureBase": _figure,
    "matplotlib.axis.Axis": _axis,
    "matplotlib.axis.Tick": lambda o: (None, []),
    "matplotlib.artist.Artist": _artist,
    "matplotlib.cbook.CallbackRegistry": _callbacks,
    "matplotlib.transforms.TransformNode": lambda o: (None, []),
    "matplotlib.colors.Colormap": lambda o: (o.name, []),
    "matplotlib.container.Container": lambda o: (o.get_label(), numbered(tuple(o))),
}
"""By the full name of the nearest base."""


def open_figures() -> Iterator[tuple[str, Any]]:
    """pyplot's figures, and which is current."""
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if helpers is not None:
        yield "the current figure", {number: manager.canvas.figure for number, manager in helpers.Gcf.figs.items()}
