"""Modules. Of the user's own: all names. Of a library: only the attributes that the user's code itself sets."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, inherits
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import NOTHING, Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import identity, type_name
from reflex_ipython.state.kinds.replaced import may_be_set
from reflex_ipython.state.user_code import contents

_ASKED = ("__dir__", "__getattr__")
"""Functions of a module that Python calls."""


def _snapshot_module(o: Any, walk: ObjectWalk) -> Any:
    walk.module(o)
    return NOTHING


def snapshot_own_module(o: Any, walk: ObjectWalk) -> dict[str, Any]:
    """All names of a module of the user's."""
    saved = dict.copy(contents(o))
    walk.follow([value for name, value in saved.items() if not name.startswith("__") or name in _ASKED])
    return saved


def _same_module(o: Any, saved: dict[str, Any]) -> bool:
    now = contents(o)
    kept = all(now.get(name, MISSING) is value for name, value in saved.items())
    return kept and not _added(now, saved)


def _restore_module(o: Any, saved: dict[str, Any]) -> None:
    now = contents(o)
    for name in _added(now, saved):
        del now[name]
    for name, value in saved.items():
        if now.get(name, MISSING) is not value:
            now[name] = value


def _added(now: dict[str, Any], saved: dict[str, Any]) -> list[str]:
    # An imported submodule stays: `import a.b` would not put it back, since `sys.modules` knows it by now.
    return [name for name, value in list(now.items()) if name not in saved and ModuleType is not type(value)]


OWN_MODULE = Kind("module of your own", "exact", snapshot_own_module, _same_module, _restore_module)

# ------------------------------------------------------------------------------------------ chosen attributes


LIBRARY = "module or class of a library"
_LIMIT = "only the attributes that your own code sets; what the library changes in itself is not seen"


_SHELLS = {
    identity(sys): frozenset({"displayhook", "excepthook", "last_exc", "last_traceback", "last_type", "last_value"}),
    identity(builtins): frozenset({"display", "exit", "get_ipython", "quit"}),
}
"""What the shell sets in modules around each cell or statement, and once one has failed."""


def chosen_attributes(names: frozenset[str], computed: bool = False) -> Kind:
    """The kind that notes just these attributes of a module or a class, and nothing that hangs on them.

    Parameters
    ----------
    names : frozenset of str
    computed : bool
        All others as well that are no business of the library's own: nobody can tell which are set.
    """

    def now(o: Any, more: Iterable[str] = ()) -> dict[str, Any]:
        here = class_vars(o) if _is_class(o) else contents(o)
        public = [name for name in [*here] if not name.startswith("_")] if computed else []
        shells = _SHELLS.get(identity(o), ())
        return {name: here.get(name, MISSING) for name in (*names, *public, *more) if name not in shells}

    def snapshot(o: Any, walk: ObjectWalk) -> dict[str, Any]:
        saved = now(o)
        may_be_set(o, saved)
        return saved

    def to_put_back(o: Any, saved: Any) -> Iterator[tuple[str, Any]]:
        for name, value in now(o, saved).items():
            before = saved.get(name, MISSING)
            if before is not value and (before is not MISSING or not _is_submodule(o, name, value)):
                yield name, before

    def same(o: Any, saved: Any) -> bool:
        return not any(to_put_back(o, saved))

    def restore(o: Any, saved: Any) -> None:
        put, drop = (type.__setattr__, type.__delattr__) if _is_class(o) else (_put, _drop)
        for name, before in [*to_put_back(o, saved)]:
            if before is MISSING:
                drop(o, name)
            else:
                put(o, name, before)

    return Kind(
        LIBRARY,
        "partial",
        snapshot,
        same,
        restore,
        limit=_LIMIT,
        instance=False,
    )


def name_of(o: Any) -> str:
    """The name of a module or a class, without running its code."""
    if _is_class(o):
        return type_name(o)
    found = contents(o).get("__name__")
    return found if type(found) is str else "a module"


def _is_class(o: Any) -> bool:
    return inherits(type(o), type)


def _is_submodule(o: Any, name: str, value: Any) -> bool:
    """Whether it was imported: as above, nothing would put it back."""
    return ModuleType is type(value) and value is sys.modules.get(f"{name_of(o)}.{name}")


def _put(o: Any, name: str, value: Any) -> None:
    contents(o)[name] = value


def _drop(o: Any, name: str) -> None:
    del contents(o)[name]


KINDS: dict[type, Kind] = {
    ModuleType: Kind(LIBRARY, "partial", _snapshot_module, limit=_LIMIT, instance=False),
}
