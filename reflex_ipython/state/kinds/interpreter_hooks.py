"""Functions of the user's that the interpreter itself calls, though no module has them: of codecs, of the audit.

The handlers of coding errors, the functions that search for codecs and the codecs that were found are in containers of
the interpreter's, which only the collector knows. Of audit hooks nobody tells: one is looked up in the code that adds
it.
"""

from __future__ import annotations

import codecs
import dis
import encodings
import gc
import sys
from collections.abc import Callable, Collection, Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any

from reflex_ipython.state.audit import listen
from reflex_ipython.state.kinds.contained import Contained, all_contained, have_still, put_back_into
from reflex_ipython.state.kinds.kind import CannotRestore, Kind
from reflex_ipython.state.kinds.registries import NAME
from reflex_ipython.state.user_code import is_users, owned_namespace

# ------------------------------------------------------------------------------------------ codecs

REGISTERING = frozenset({"register", "register_error", "unregister"})
"""Functions of `codecs`. Other code changes at most which codecs were found."""
LABEL = "codecs and their handlers"
_containers: list[Any] = []
"""Those of the interpreter, once they were looked for."""
_any_users: dict[tuple[int, ...], bool] = {}
"""Whether something of the user's is in them, by how much is in them."""


def look_for_codecs() -> None:
    """Find what the interpreter has of codecs, once, in some ms: for who registers one, and while a kernel waits."""
    if not _containers:
        strict, search, known = codecs.lookup_error("strict"), encodings.search_function, codecs.lookup("utf-8")
        for o in gc.get_referrers(strict, search, known):
            if type(o) is dict:
                is_one = {"strict", "ignore", "replace"} <= o.keys() or any(o.get(key) is known for key in _UTF_8)
            else:
                is_one = type(o) is list and bool(o) and o[0] is search
            if is_one and o is not encodings._cache:  # what Python has of it
                _containers.append(o)


_UTF_8 = ("utf-8", "utf_8")
"""How the interpreter calls it, by its version."""


def _registered() -> Iterator[Any]:
    for container in _containers:
        for o in [*(container.values() if type(container) is dict else container)]:
            yield from o if isinstance(o, tuple) else (o,)


def _has_users_codecs() -> bool:
    sizes = tuple(map(len, _containers))
    if sizes not in _any_users:
        _any_users[sizes] = any(map(is_users, _registered()))
    return _any_users[sizes]


def _snapshot() -> Contained | None:
    return all_contained(_containers) if _containers else None


def _restore(o: Any, saved: Contained | None) -> None:
    if saved is None:  # somebody has hidden them from the collector
        raise CannotRestore("what was registered")
    put_back_into(saved)


_CODECS = Kind(
    NAME,
    "exact",
    lambda o, walk: _snapshot(),
    lambda o, saved: saved is not None and have_still(saved),
    _restore,
    holds=lambda saved: [],
)


def reached(modules: Collection[str], words: Collection[str]) -> Iterator[tuple[str, Kind, Any]]:
    """What the interpreter has of codecs, where the code may change it.

    Parameters
    ----------
    modules : collection of str
        The modules that it can get at.
    words : collection of str
        The names and attributes that it uses.
    """
    registers = "codecs" in modules and not REGISTERING.isdisjoint(words)
    if registers:
        look_for_codecs()
    if registers or (_containers and _has_users_codecs()):
        yield LABEL, _CODECS, codecs


# ------------------------------------------------------------------------------------------ the audit

hooks: list[Any] = []
"""Those of the user's, or what they hang on; a code object where they are its function. They stay for good."""
_LOADS = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FAST", "LOAD_DEREF")
_PASSED_OVER = ("PRECALL", "KW_NAMES", "CACHE", "EXTENDED_ARG", "LOAD_ATTR", "LOAD_METHOD", "SET_FUNCTION_ATTRIBUTE")


def listen_for_hooks() -> Callable[[], None]:
    """Know of each audit hook that code of the user's adds from now on.

    Returns
    -------
    callable
        Call it to end that.
    """
    return listen(("sys.addaudithook",), _adds)


def _adds(event: str, args: tuple[Any, ...]) -> None:
    frame = sys._getframe(2)  # behind this and the process's one hook
    if owned_namespace(frame.f_globals):
        try:
            hooks.append(_given(frame))
        except Exception:  # noqa: BLE001 - an error in here would break the user's call
            hooks.append(None)


def _given(frame: FrameType) -> Any:
    """What the frame is giving to a function, as far as its code says."""
    before = [each for each in dis.get_instructions(frame.f_code) if each.offset < frame.f_lasti]
    for each in reversed(before):
        if each.opname.startswith(_LOADS):
            here = frame.f_locals
            return here[each.argval] if each.argval in here else frame.f_globals.get(each.argval)
        if type(each.argval) is CodeType:
            return each.argval
        if each.opname != "MAKE_FUNCTION" and each.opname not in _PASSED_OVER:
            return None
    return None


def _hooks() -> Iterator[Any]:
    for place, o in enumerate(hooks):
        if type(o) is CodeType:
            functions = [each for each in gc.get_referrers(o) if type(each) is FunctionType]
            hooks[place] = functions[0] if functions else None
        yield hooks[place]


# ------------------------------------------------------------------------------------------ both


def called() -> Iterator[Any]:
    """What of the user's the interpreter calls."""
    yield from _hooks()
    if _containers and _has_users_codecs():
        yield from filter(is_users, _registered())


def calls_unknown() -> bool:
    """Whether it calls something of theirs that is not known."""
    return bool(hooks) and None in _hooks()


def may_call() -> bool:
    """Whether it may call something of theirs, whatever a statement does."""
    return (
        bool(hooks)
        or (bool(gc.callbacks) and any(map(is_users, gc.callbacks)))
        or bool(_containers and _has_users_codecs())
    )


def forget() -> None:
    """Know of nothing any more: whoever has registered it has taken it away."""
    hooks.clear()
    _containers.clear()
    _any_users.clear()


KINDS = (_CODECS,)
