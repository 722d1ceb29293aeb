"""Work for other processes, done in the copy itself: pools, executors and clusters get nothing from it to do.

What a cell hands to a pool runs here, one piece after the other, with copies of what it is given, as a process of the
pool would get them. So a fix in a function that runs there is tried on the very arguments that it failed with.
"""

from __future__ import annotations

import functools
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any, NoReturn

from reflex_ipython.base.classes import is_exactly

Work = Callable[..., Any]


def work_here(refuse: Callable[[], NoReturn]) -> None:
    """Replace what hands work to other processes, in the libraries that are loaded.

    Parameters
    ----------
    refuse : callable
        Raises what stands for a refusal: of what was handed over before the copy was made, and comes from there.
    """
    executors, pools = sys.modules.get("concurrent.futures.process"), sys.modules.get("multiprocessing.pool")
    if executors is not None:
        _replace_executors(executors.ProcessPoolExecutor)
    if pools is not None:
        _replace_pools(pools)
    if "distributed.client" in sys.modules:
        _replace_clients(sys.modules["distributed.client"], refuse)
    if "ipyparallel.client.view" in sys.modules:
        _replace_views(sys.modules["ipyparallel.client.view"])
    if "dask" in sys.modules:
        sys.modules["dask"].config.set(scheduler="synchronous")


def _copied(value: Any) -> Any:
    """The value as another process gets it; raises what it would raise there if it can't travel."""
    return pickle.loads(pickle.dumps(value))


def _done(work: Work, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Future[Any]:
    """A future whose work is done."""
    future: Future[Any] = Future()
    try:
        work, arguments, keywords = _copied((work, arguments, keywords))
        future.set_result(_copied(work(*arguments, **keywords)))
    except Exception as error:  # noqa: BLE001 - whoever asks for the result gets it
        future.set_exception(error)
    return future


# ---- concurrent.futures


def _replace_executors(executor: Any) -> None:
    def begin(
        self: Any,
        max_workers: Any = None,
        mp_context: Any = None,
        initializer: Any = None,
        initargs: Any = (),
        **_: Any,
    ) -> None:
        if initializer is not None:
            initializer(*initargs)

    executor.__init__ = begin
    executor.submit = lambda self, work, /, *arguments, **keywords: _done(work, arguments, keywords)
    executor.shutdown = lambda self, wait=True, *, cancel_futures=False: None


# ---- multiprocessing


class _Result:
    """What a pool gives for work that is done."""

    def __init__(self, future: Future[Any], callback: Work | None, error_callback: Work | None) -> None:
        self._future = future
        error = future.exception()
        if error is None and callback is not None:
            callback(future.result())
        if error is not None and error_callback is not None:
            error_callback(error)

    def get(self, timeout: float | None = None) -> Any:
        return self._future.result()

    def wait(self, timeout: float | None = None) -> None:
        pass

    def ready(self) -> bool:
        return True

    def successful(self) -> bool:
        return self._future.exception() is None


class _Pool:
    """The methods of a pool."""

    def __init__(self, processes: Any = None, initializer: Any = None, initargs: Any = (), *_: Any, **__: Any) -> None:
        if initializer is not None:
            initializer(*initargs)

    def apply(self, work: Work, args: Any = (), kwds: Any = None) -> Any:
        return _done(work, tuple(args), dict(kwds or {})).result()

    def map(self, work: Work, iterable: Iterable[Any], chunksize: Any = None) -> list[Any]:
        return [_done(work, (one,), {}).result() for one in iterable]

    def starmap(self, work: Work, iterable: Iterable[Any], chunksize: Any = None) -> list[Any]:
        return [_done(work, tuple(one), {}).result() for one in iterable]

    def imap(self, work: Work, iterable: Iterable[Any], chunksize: Any = 1) -> Iterator[Any]:
        return (_done(work, (one,), {}).result() for one in iterable)

    def apply_async(
        self, work: Work, args: Any = (), kwds: Any = None, callback: Any = None, error_callback: Any = None
    ) -> _Result:
        return _Result(_done(work, tuple(args), dict(kwds or {})), callback, error_callback)

    def map_async(
        self, work: Work, iterable: Any, chunksize: Any = None, callback: Any = None, error_callback: Any = None
    ) -> _Result:
        return _later(lambda: _Pool.map(self, work, iterable), callback, error_callback)

    def starmap_async(
        self, work: Work, iterable: Any, chunksize: Any = None, callback: Any = None, error_callback: Any = None
    ) -> _Result:
        return _later(lambda: _Pool.starmap(self, work, iterable), callback, error_callback)

    def close(self) -> None:
        pass

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.terminate()

    def terminate(self) -> None:
        """Of a pool from before the copy was made, its processes are refused to be ended."""
        for process in vars(self).get("_pool", ()):
            process.terminate()

    imap_unordered, __del__ = imap, close


def _later(run: Callable[[], Any], callback: Work | None, error_callback: Work | None) -> _Result:
    """What a method gives whose result is asked for later."""
    future: Future[Any] = Future()
    try:
        future.set_result(run())
    except Exception as error:  # noqa: BLE001 - as above
        future.set_exception(error)
    return _Result(future, callback, error_callback)


def _replace_pools(module: Any) -> None:
    for name, method in vars(_Pool).items():
        if not callable(method):
            continue
        if name not in vars(module.ThreadPool):  # its threads are this process's own
            setattr(module.ThreadPool, name, getattr(module.Pool, name))
        setattr(module.Pool, name, method)


# ---- Dask


class _Here(Future):  # type: ignore[type-arg]
    """What a client of a cluster gives for work that is done."""

    key = status = ""

    def release(self) -> None:
        pass


def _finished(work: Work, arguments: Iterable[Any], keywords: dict[str, Any]) -> _Here:
    future = _Here()
    try:
        given = [_value(one) for one in arguments]
        future.set_result(work(*given, **{name: _value(one) for name, one in keywords.items()}))
        future.status = "finished"
    except Exception as error:  # noqa: BLE001 - as above
        future.set_exception(error)
        future.status = "error"
    return future


def _value(given: Any) -> Any:
    """What futures stand for, in whatever holds them."""
    if isinstance(given, _Here):
        return given.result()
    if is_exactly(given, (list, tuple, set)):
        return type(given)(map(_value, given))
    return {name: _value(one) for name, one in given.items()} if type(given) is dict else given


_OF_SUBMIT = frozenset(
    [
        "key",
        "workers",
        "resources",
        "retries",
        "priority",
        "fifo_timeout",
        "allow_other_workers",
        "actor",
        "actors",
        "pure",
        "batch_size",
    ]
)
"""Keywords that say how the cluster is to work, not what the function gets."""


def _replace_clients(module: Any, refuse: Callable[[], NoReturn]) -> None:
    def submit(self: Any, work: Work, *arguments: Any, **keywords: Any) -> _Here:
        return _finished(work, arguments, _without(keywords))

    def map_all(self: Any, work: Work, *given: Any, **keywords: Any) -> list[_Here]:
        return [_finished(work, arguments, _without(keywords)) for arguments in zip(*given)]

    def compute(self: Any, collections: Any, sync: bool = False, **_: Any) -> Any:
        many = isinstance(collections, (list, tuple, set))
        dask = sys.modules["dask"]
        futures = [
            _finished(functools.partial(_computed, dask, one), (), {})
            for one in (collections if many else [collections])
        ]
        found = futures if many else futures[0]
        return _value(found) if sync else found

    client = module.Client
    client.submit, client.map, client.compute = submit, map_all, compute
    client.gather = lambda self, futures, *_, **__: _value(futures)
    client.scatter = lambda self, data, *_, **__: data
    client.persist = lambda self, collections, *_, **__: collections
    module.Future.result = lambda self, *_, **__: refuse()


def _computed(dask: Any, collection: Any) -> Any:
    return dask.compute(collection, scheduler="synchronous")[0]


def _without(keywords: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in keywords.items() if name not in _OF_SUBMIT}


# ---- ipyparallel


def _replace_views(module: Any) -> None:
    def apply(self: Any, work: Work, *arguments: Any, **keywords: Any) -> Any:
        found = [_done(work, arguments, keywords).result() for _ in range(_engines(self))]
        return found if isinstance(self.targets, (list, tuple)) else found[0]

    def map_all(self: Any, work: Work, *given: Any, **_: Any) -> list[Any]:
        return [_done(work, arguments, {}).result() for arguments in zip(*given)]

    def later(method: Work) -> Callable[..., _Result]:
        return lambda *arguments, **keywords: _later(lambda: method(*arguments, **keywords), None, None)

    for view in (module.DirectView, module.LoadBalancedView):
        view.apply_sync, view.map_sync = apply, map_all
        view.apply_async, view.map_async = later(apply), later(map_all)
        view.apply = lambda self, *given, **named: (self.apply_sync if self.block else self.apply_async)(
            *given, **named
        )
        view.map = lambda self, *given, **named: (self.map_sync if self.block else self.map_async)(*given, **named)


def _blocking(method: Work) -> Work:
    """The form that gives its result at once, or later, as its view is set."""

    def either(self: Any, *given: Any, **named: Any) -> Any:
        return (
            method(self, *given, **named) if self.block else _later(lambda: method(self, *given, **named), None, None)
        )

    return either


def _engines(view: Any) -> int:
    return len(view.targets) if isinstance(view.targets, (list, tuple)) else 1
