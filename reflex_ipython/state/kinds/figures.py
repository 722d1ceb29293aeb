"""matplotlib: figures, axes and artists are ordinary objects, thousands of them; two classes are made short work of."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable
from typing import Any

from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk

LIBRARIES = ("matplotlib.cbook", "matplotlib.figure", "matplotlib.markers")


def kinds() -> dict[type, Kind]:
    """The kinds of matplotlib, where it is loaded."""
    found: dict[type, Kind] = {}
    cbook, markers = sys.modules.get("matplotlib.cbook"), sys.modules.get("matplotlib.markers")
    if cbook is not None:
        found[cbook.CallbackRegistry] = Kind(
            "matplotlib callbacks", "exact", _snapshot_callbacks, _same_callbacks, _restore_callbacks, instance=False
        )
    if markers is not None:  # each tick of an axes has three; a marker is replaced, not changed
        found[markers.MarkerStyle] = Kind("matplotlib marker", "exact", lambda o, walk: NOTHING, instance=False)
    stack = getattr(sys.modules.get("matplotlib.figure"), "_AxesStack", None)
    if stack is not None:  # counts its axes by a counter of its own, which only has to grow
        found[stack] = Kind("matplotlib's order of axes", "exact", _snapshot_axes, instance=False)
    return found


def _snapshot_axes(o: Any, walk: ObjectWalk) -> bool:
    walk.follow([part for name, part in _fields(o).items() if name != "_counter"])
    return True


_DRAWING_MODULES = frozenset({"matplotlib", "seaborn", "pylab", "plotnine"})
_DRAWING_METHODS = frozenset({"plot", "hist", "boxplot"})


def drawn_upon(modules: Iterable[str], attributes: set[str]) -> list[tuple[str, object]]:
    """The open figures, with a label, if code with these modules and attributes at hand may draw upon them unnamed."""
    pylab = sys.modules.get("matplotlib._pylab_helpers")
    if pylab is None or not pylab.Gcf.figs:
        return []
    roots = {name.partition(".")[0] for name in modules}
    if _DRAWING_MODULES.isdisjoint(roots) and _DRAWING_METHODS.isdisjoint(attributes):
        return []
    return [(f"figure {number}", manager.canvas.figure) for number, manager in pylab.Gcf.figs.items()]


def _fields(o: Any) -> dict[str, Any]:
    return object.__getattribute__(o, "__dict__")  # type: ignore[no-any-return]  # matplotlib's own class


def _snapshot_callbacks(o: Any, walk: ObjectWalk) -> int | None:
    """The number that the next callback gets; None if there is no callback, as with nearly every artist."""
    if not _fields(o)["callbacks"]:
        return None
    walk.follow([part for name, part in _fields(o).items() if name != "_cid_gen"])
    return _next_number(o)


def _next_number(o: Any) -> int:
    return int(repr(_fields(o)["_cid_gen"]).removeprefix("count(").removesuffix(")"))  # `itertools.count` says it so


def _same_callbacks(o: Any, number: int | None) -> bool:
    return not _fields(o)["callbacks"] if number is None else _next_number(o) == number


def _restore_callbacks(o: Any, number: int | None) -> None:
    fields = _fields(o)
    if number is not None:
        fields["_cid_gen"] = itertools.count(number)
        return
    fields["callbacks"].clear()
    by_function = fields["_func_cid_map"]
    for part in (by_function,) if type(by_function) is dict else vars(by_function).values():
        part.clear()
