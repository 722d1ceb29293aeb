"""Live objects that can be asked whether they have changed: an idle pool, a session that nobody used.

They can't be put back; but a statement that only could have changed them is no reason to ask anybody. Each entry says
what of the private side of such an object tells, without running code of the user's: plain values, and who is in it by
identity. What says `None` can't tell. Its public attributes are compared besides.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection
from types import FunctionType
from typing import Any

from reflex_ipython.base.classes import classes, is_exactly, module_name, qualname
from reflex_ipython.state.kinds.functions import PASSES_ON
from reflex_ipython.state.kinds.held_by_live import HTTPX, LAZY, OUTPUT, called, calling, held, told
from reflex_ipython.state.kinds.kind import Kind, ObjectWalk
from reflex_ipython.state.kinds.layout import attributes_of as _fields
from reflex_ipython.state.kinds.layout import identity, layout
from reflex_ipython.state.kinds.opaque import LIVE
from reflex_ipython.state.kinds.set_by_others import set_by_others
from reflex_ipython.state.user_code import is_users
from reflex_ipython.state.workers import goes_on

_Telling = Callable[[Any], Any]


def _of(*names: str) -> _Telling:
    """Those attributes, which have plain values."""
    return lambda o: tuple(_fields(o)[name] for name in names)


def _inside(*names: str) -> _Telling:
    """What is in those containers, by identity."""
    return lambda o: tuple(tuple(map(identity, _fields(o)[name] or ())) for name in names)


def _always(o: Any) -> Any:
    """It has nothing that a cell could change, or that matters."""
    return ()


# ------------------------------------------------------------------------------------------ threads and processes


def _thread(o: Any) -> Any:
    fields = _fields(o)  # that it ends is its own doing
    return (_fields(fields["_started"])["_flag"], fields["_name"], fields["_daemonic"])


_condition = _inside("_waiters")
"""Its lock is asked as well, whether it is held."""


def _future(o: Any) -> Any:
    return (_fields(o)["_state"], *_inside("_done_callbacks")(o))


def _simple_queue(o: Any) -> Any:
    return None if o.qsize() else ()


def _executor(o: Any) -> Any:
    fields = _fields(o)
    active = threading._active  # type: ignore[attr-defined]  # `is_alive` takes a lock
    busy = any(thread in fields["_threads"] and goes_on(ident, thread) for ident, thread in list(active.items()))
    return None if busy or fields["_work_queue"].qsize() else (fields["_shutdown"],)


def _processes(o: Any) -> Any:
    fields = _fields(o)
    return None if fields["_pending_work_items"] else (fields["_queue_count"], fields["_shutdown_thread"])


def _pool(o: Any) -> Any:
    fields = _fields(o)
    return None if len(fields["_cache"]) else (fields["_state"],)


def _process_pool(o: Any) -> Any:
    jobs = repr(sys.modules["multiprocessing.pool"].job_counter)  # of all pools: the work was done elsewhere, unseen
    return None if _pool(o) is None else (*_pool(o), jobs)


def _ended(o: Any) -> Any:
    code = _fields(o)["returncode"]
    return None if code is None else (code,)  # one that runs may be written to


def _task(o: Any) -> Any:
    return () if sys.modules["_asyncio"].Future.done(o) else None


def _selector(o: Any) -> Any:
    return tuple(map(identity, _fields(o)["_fd_to_key"].values()))


# ------------------------------------------------------------------------------------------ the network, databases


def _session(o: Any) -> Any:
    """How many requests went through it, its adapters and its cookies."""
    adapters = _fields(o)["adapters"]
    used = tuple((name, identity(adapter), _adapter(adapter)) for name, adapter in adapters.items())
    return used, _cookies(_fields(o)["cookies"])


def _adapter(o: Any) -> Any:
    """How many requests went through it; one that is all the user's has no connections that are known."""
    manager = _fields(o).get("poolmanager")
    pools = dict.values(_fields(_fields(manager)["pools"])["_container"]) if manager is not None else ()
    return tuple((identity(pool), _fields(pool)["num_requests"]) for pool in pools)


def _cookies(jar: Any) -> tuple[int, ...]:
    sites = dict.values(_fields(jar)["_cookies"])
    return tuple(identity(cookie) for site in sites for path in site.values() for cookie in path.values())


def _request(o: Any) -> Any:
    """It is nothing but what is followed, and its public attributes."""
    return ()


def _client(o: Any) -> Any:
    return _unused(o) and (
        _inside("_list")(_fields(o)["_headers"]),
        _cookies(_fields(_fields(o)["_cookies"])["jar"]),
        *(identity(_fields(o)[name]) for name in ("_auth", "_base_url", "_params", "_timeout")),
        *((name, *map(identity, hooks)) for name, hooks in _fields(o)["_event_hooks"].items()),
    )


def _unused(o: Any) -> Any:
    """True of a client that was never asked for anything; None of others."""
    return _fields(o)["_state"].name == "UNOPENED" or None


def _api_client(o: Any) -> Any:
    return _unused(_fields(o)["_client"])


def _sqlite(o: Any) -> Any:
    """What a table got; that one was made or dropped is found in the code (`writers.TEXTS`)."""
    settings = (o.isolation_level, identity(o.row_factory), identity(o.text_factory))
    return None if identity(o) in calling else (o.total_changes, o.in_transaction, *settings)


def _certificates(o: Any) -> Any:
    settings = (o.options, o.verify_mode, o.minimum_version, o.maximum_version)
    ciphers = tuple(cipher["id"] for cipher in o.get_ciphers())
    own = (identity(o.sni_callback), int(o.verify_flags), o.post_handshake_auth)
    return (*map(int, settings), o.check_hostname, tuple(o.cert_store_stats().items()), ciphers, own)


# ------------------------------------------------------------------------------------------ what only passes on


def _response(o: Any) -> Any:
    content = _fields(o)["_content"]
    jar = _fields(o).get("cookies")  # of requests; httpx makes one when it is asked for
    cookies = () if jar is None else _cookies(jar)
    return None if content is False else (identity(content), cookies)  # until then, to read it is to use it up


def _traits(o: Any) -> Any:
    """The values of a widget, how it looks, and whom it tells of what happens to it."""
    values = _fields(o)["_trait_values"]
    looks = tuple(_look(values.get(name)) for name in ("layout", "style"))
    handlers = [(name, identity(one)) for name, one in told(o)], [tuple(map(identity, some)) for some in called(o)]
    is_open = values.get("comm", o) is not None  # one that was closed is not opened again
    return _known(values, LAZY), looks, handlers, values.get("_dom_classes"), is_open


def _look(o: Any) -> dict[str, str]:
    """What is set of a layout or a style; one that is only made when it is asked for has nothing set."""
    values = _fields(o)["_trait_values"] if o is not None else {}
    return {name: value for name, value in values.items() if value and type(value) is str and name[0] != "_"}


def _known(values: dict[str, Any], without: Collection[str]) -> _Known:
    """What has these names now. What an object finds out later about itself is no change, nor what a library has put in
    the place of a method.
    """
    return _Known(
        {
            name: (o, identity(o))
            for name, o in dict.items(values)
            if name not in without and not name.startswith("_") and type(o) is not FunctionType
        }
    )


class _Known(dict[str, tuple[object, int]]):
    """Attributes that were known; others may have come since."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and all(
            name in other and _same(value, other[name]) for name, value in self.items()
        )

    __hash__ = None  # it is only compared


def _same(some: tuple[object, int], other: tuple[object, int]) -> bool:
    plain = type(some[0]) is type(other[0]) and is_exactly(some[0], (int, float, str, bool, bytes))
    return some[1] == other[1] or (plain and some[0] == other[0])


def _digest(o: Any) -> Any:
    return (o.digest(),)


def _temporary(o: Any) -> Any:
    return (_fields(o)["_finalizer"].alive,)


def _wrapped_file(o: Any) -> Any:
    return (True,) if _fields(o)["file"].closed else None


def _archive(o: Any) -> Any:
    fields = _fields(o)
    return (fields["mode"], fields["fp"] is None, len(fields["filelist"]), fields["_comment"])


def _map(o: Any) -> Any:
    with memoryview(o) as view:
        return () if view.readonly else None


def _console(o: Any) -> Any:
    fields = _fields(o)
    hooks = _inside("_render_hooks")(o)
    return (len(fields["_record_buffer"]), hooks) if fields["_file"] is None else None


ASKED: dict[tuple[str, str], _Telling] = {
    ("threading", "Thread"): _thread,
    ("threading", "Condition"): _condition,
    ("_queue", "SimpleQueue"): _simple_queue,
    ("concurrent.futures._base", "Future"): _future,
    ("concurrent.futures.thread", "ThreadPoolExecutor"): _executor,
    ("concurrent.futures.process", "ProcessPoolExecutor"): _processes,
    ("multiprocessing.pool", "ThreadPool"): _pool,
    ("multiprocessing.pool", "Pool"): _process_pool,
    ("multiprocessing.process", "BaseProcess"): lambda o: (_fields(o)["_popen"] is None,),
    ("subprocess", "Popen"): _ended,
    ("_asyncio", "Future"): _task,
    ("_asyncio", "Task"): _task,
    ("sched", "scheduler"): _inside("_queue"),
    ("selectors", "_BaseSelectorImpl"): _selector,
    ("requests.sessions", "Session"): _session,
    ("requests.adapters", "BaseAdapter"): _adapter,
    ("requests.models", "Response"): _response,
    ("requests.models", "PreparedRequest"): _request,
    ("requests.models", "Request"): _request,
    **dict.fromkeys(((package, name) for package in HTTPX for name in ("Client", "AsyncClient")), _client),
    **{(package, "Response"): _response for package in HTTPX},
    ("openai._base_client", "BaseClient"): _api_client,
    ("anthropic._base_client", "BaseClient"): _api_client,
    ("ssl", "SSLContext"): _certificates,
    ("sqlite3", "Connection"): _sqlite,
    ("tempfile", "TemporaryDirectory"): _temporary,
    ("tempfile", "_TemporaryFileWrapper"): _wrapped_file,
    ("zipfile", "ZipFile"): _archive,
    ("mmap", "mmap"): _map,
    ("psutil", "Process"): _always,
    ("rich.console", "Console"): _console,
    ("tqdm.std", "tqdm"): _of("n", "total"),
    ("ipywidgets.widgets.widget", "Widget"): _traits,
    ("ipykernel.iostream", "OutStream"): _always,
    ("_csv", "reader"): lambda o: (o.line_num,),
    ("_hashlib", "HASH"): _digest,
    ("_blake2", "blake2b"): _digest,
    ("_blake2", "blake2s"): _digest,
}
"""By the module and name of the class."""

_PASSING = frozenset({("_csv", "writer"), ("_csv", "Dialect")})
"""What writes into something else and has nothing of its own."""


def asked_kind(cls: type) -> Kind | None:
    """The kind of a class's live objects that can be asked; None if they can't."""
    for base in classes(cls):
        if module_name(base) == OUTPUT:
            return None
        if (module_name(base), qualname(base)) in _PASSING:
            return PASSES_ON
        known = (module_name(base), qualname(base))
        if known in ASKED:
            return _kind(known)
    return None


def _kind(base: tuple[str, str]) -> Kind:
    telling = ASKED[base]

    def snapshot(o: Any) -> Any:
        try:
            private = telling(o)
            fields = _attributes(o)
        except Exception:  # noqa: BLE001 - not fully made, of another version, or closed
            return None
        return None if private is None else (private, _known(fields, ()), _ids(_users(o, fields)))

    def snapshots(o: Any, walk: ObjectWalk) -> Any:
        fields = _attributes(o)
        walk.follow([*held(base, o, walk), *_users(o, fields).values()])
        return snapshot(o)

    def same(o: Any, saved: Any) -> bool:
        now = snapshot(o)
        if saved is None or now is None:
            return False
        gone = dict.fromkeys(saved[2].keys() - now[2].keys())
        # What its class knows and lets go of itself, as a thread that ends does of its function, is no change.
        missed = {name: value for name, value in saved[2].items() if name not in gone}
        return not set_by_others(type(o), gone) and bool((*saved[:2], missed) == now)

    return Kind(LIVE.name, "named", snapshots, same, instance=False)


def _attributes(o: Any) -> dict[str, Any]:
    return _fields(o) if layout(type(o)).dictionary is not None else {}


def _users(o: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """Attributes that the user's code has set, or whose values are the user's."""
    return {**set_by_others(type(o), fields), **{name: value for name, value in [*fields.items()] if is_users(value)}}


def _ids(fields: dict[str, Any]) -> dict[str, int]:
    return {name: identity(value) for name, value in fields.items()}
