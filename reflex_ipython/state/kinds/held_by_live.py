"""What hangs on live objects and may be the user's: what a future gave, whom a session asks for a password, a widget's
children. It is looked at as if a name stood for it, while what such an object is made of is left alone.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, inherits, is_exactly, module_name, qualname
from reflex_ipython.state.kinds.kind import ObjectWalk
from reflex_ipython.state.kinds.layout import attributes_of as _fields
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.user_code import is_users

_Holding = Callable[[Any, ObjectWalk], Iterable[Any]]


def _of(*names: str) -> _Holding:
    """What these attributes are."""

    def holding(o: Any, walk: ObjectWalk) -> list[Any]:
        fields = _fields(o)
        return [fields[name] for name in names if name in fields]

    return holding


def given(some: Iterable[Any]) -> Iterator[Any]:
    """What is to be looked at of functions that may be called: not those of the library that calls them.

    A list's `append`, or a queue's `put`, changes what it is bound to, whoever wrote it.
    """
    for each in some:
        if is_users(each) or type(each) is functools.partial:
            yield each
        elif is_exactly(each, (BuiltinMethodType, MethodType)):
            bound = type(each.__self__)
            if not inherits(bound, ModuleType) and not inherits(bound, type):
                yield each.__self__


# ------------------------------------------------------------------------------------------ threads and processes


def _outcome(o: Any, walk: ObjectWalk) -> Iterator[Any]:
    """What a future gave, or whom it will call."""
    fields = _fields(o)
    yield from (fields["_result"], fields["_exception"])
    yield from given(list(fields["_done_callbacks"]))


def _outcome_of_task(o: Any, walk: ObjectWalk) -> list[Any]:
    """The same of one that is written in C; to call `exception` would be noted there, as if somebody had seen it."""
    own = next(class_vars(base) for base in classes(type(o)) if module_name(base) == "_asyncio")
    return [own[name].__get__(o) for name in ("_result", "_exception")]


def _scheduled(o: Any, walk: ObjectWalk) -> list[Any]:
    return list(_fields(o)["_queue"])


def _registered(o: Any, walk: ObjectWalk) -> list[Any]:
    return [key.data for key in list(_fields(o)["_fd_to_key"].values())]


# ------------------------------------------------------------------------------------------ the network, databases

HTTPX = ("httpx", "httpx2")
_IN_SESSION = _of("auth", "cert", "headers", "hooks", "params", "proxies")
_IN_REQUEST = _of("auth", "body", "data", "files", "headers", "hooks", "json", "params")


def _in_session(o: Any, walk: ObjectWalk) -> list[Any]:
    return [*_IN_SESSION(o, walk), *_fields(o)["adapters"].values()]


def _in_request(o: Any, walk: ObjectWalk) -> list[Any]:
    return [*_IN_REQUEST(o, walk), *(each for each in _of("cookies")(o, walk) if type(each) is dict)]


def _in_client(o: Any, walk: ObjectWalk) -> Iterator[Any]:
    fields = _fields(o)
    yield from (fields["_auth"], fields["_event_hooks"])
    transports = (fields["_transport"], *fields["_mounts"].values())
    yield from (one for one in transports if is_users(one) or qualname(type(one)) == "MockTransport")


def _in_response(o: Any, walk: ObjectWalk) -> list[Any]:
    fields = _fields(o)
    more = fields["extensions"].values()  # the connection is among them
    return [fields["headers"], fields["history"], *filter(_is_plain, more)]


def _is_plain(o: object) -> bool:
    return is_exactly(o, (list, dict, set)) or is_users(o)


CALLED_BY_SQLITE = frozenset(
    (
        *("create_aggregate", "create_collation", "create_function", "create_window_function"),
        *("set_authorizer", "set_progress_handler", "set_trace_callback"),
    )
)
calling: set[int] = set()
"""Connections that were given functions by these, which nobody can look up."""


def _called_by_sqlite(o: Any, walk: ObjectWalk) -> Iterator[Any]:
    if not CALLED_BY_SQLITE.isdisjoint(walk.attributes):
        calling.add(identity(o))
    return given((o.row_factory, o.text_factory))


# ------------------------------------------------------------------------------------------ what only passes on

LAZY = ("comm", "layout", "style", "tooltip")
"""What a widget makes for itself once it is asked for it."""
_CHILDREN = "children"
OUTPUT = "ipywidgets.widgets.widget_output"
"""Of widgets into which prints go: what is in them is in the page, and not told."""
_CALLBACKS = ("_click_handlers", "_submission_callbacks", "_msg_callbacks", "_display_callbacks")


def told(o: Any) -> list[tuple[str, Any]]:
    """Whom a widget tells of changes of its values, each with the name of the value."""
    notifiers = _fields(o)["_trait_notifiers"]
    return [(name, one) for name, kinds in notifiers.items() for some in kinds.values() for one in some]


def called(o: Any) -> list[tuple[Any, ...]]:
    """Whom it tells of clicks and the like."""
    fields = _fields(o)
    dispatchers = [fields.get(name) or fields["_trait_values"].get(name) for name in _CALLBACKS]
    return [tuple((_fields(one)["_trait_values"].get("callbacks") or ()) if one else ()) for one in dispatchers]


def _in_widget(o: Any, walk: ObjectWalk) -> Iterator[Any]:
    yield from given(one for _, one in told(o))
    yield from given(one for some in called(o) for one in some)
    values = _fields(o)["_trait_values"]
    yield from (value for name, value in list(values.items()) if name not in (*LAZY, _CHILDREN) and name[0] != "_")
    # What a function of the user's prints into an `Output` it has by a name; by what holds it, it is got at here.
    entered = _CHILDREN in walk.attributes
    children = values.get(_CHILDREN) or ()
    yield from (child for child in children if entered or module_name(type(child)) != OUTPUT)


def _in_bar(o: Any, walk: ObjectWalk) -> Iterator[Any]:
    """What it goes through, and what it is drawn into, if that is in memory."""
    fields = _fields(o)
    yield fields["iterable"]
    into = fields["fp"]
    into = _fields(into)["_wrapped"] if module_name(type(into)) == "tqdm.utils" else into
    if is_exactly(into, (io.StringIO,)) or is_users(into):
        yield into


def _in_console(o: Any, walk: ObjectWalk) -> Iterator[Any]:
    return filter(is_users, list(_fields(o)["_render_hooks"]))


_MEMBERS = frozenset({"NameToInfo", "filelist", "getinfo", "infolist"})
"""What gives the members of an archive; the list of them is the archive's own."""
_FEW = 1_000
"""Members that take no time that counts; nobody looks at each of many."""


def _in_archive(o: Any, walk: ObjectWalk) -> list[Any]:
    """The file that it reads from, and what code may set attributes of."""
    fields = _fields(o)
    members = fields.get("filelist", []) if not _MEMBERS.isdisjoint(walk.attributes) else []
    return [fields["fp"], *(members if len(members) <= _FEW else ())]


HELD: dict[tuple[str, str], _Holding] = {
    ("threading", "Thread"): _of("_target", "_args", "_kwargs", "function", "args", "kwargs"),
    ("threading", "Condition"): _of("_lock"),
    ("concurrent.futures._base", "Future"): _outcome,
    ("concurrent.futures.thread", "ThreadPoolExecutor"): _of("_initializer", "_initargs"),
    ("concurrent.futures.process", "ProcessPoolExecutor"): _of("_initializer", "_initargs"),
    ("multiprocessing.pool", "ThreadPool"): _of("_initializer", "_initargs"),
    ("multiprocessing.process", "BaseProcess"): _of("_target", "_args", "_kwargs"),
    ("subprocess", "Popen"): _of("args", "stdin", "stdout", "stderr"),
    ("_asyncio", "Future"): _outcome_of_task,
    ("_asyncio", "Task"): _outcome_of_task,
    ("sched", "scheduler"): _scheduled,
    ("selectors", "_BaseSelectorImpl"): _registered,
    ("requests.sessions", "Session"): _in_session,
    ("requests.models", "Response"): _of("headers", "history", "request"),
    ("requests.models", "PreparedRequest"): _in_request,
    ("requests.models", "Request"): _in_request,
    **dict.fromkeys(((package, name) for package in HTTPX for name in ("Client", "AsyncClient")), _in_client),
    **{(package, "Response"): _in_response for package in HTTPX},
    ("openai._base_client", "BaseClient"): _of("_client", "_custom_headers", "_custom_query"),
    ("anthropic._base_client", "BaseClient"): _of("_client", "_custom_headers", "_custom_query"),
    ("sqlite3", "Connection"): _called_by_sqlite,
    ("zipfile", "ZipFile"): _in_archive,
    ("rich.console", "Console"): _in_console,
    ("tqdm.std", "tqdm"): _in_bar,
    ("ipywidgets.widgets.widget", "Widget"): _in_widget,
}
"""By the module and name of the class."""


def held(base: tuple[str, str], o: Any, walk: ObjectWalk) -> list[Any]:
    """What hangs on an object of that class, besides what is the user's in its attributes."""
    holding = HELD.get(base)
    try:
        return [] if holding is None else [*holding(o, walk)]
    except (AttributeError, KeyError):  # not fully made, or of another version: it can't be asked either
        return []
