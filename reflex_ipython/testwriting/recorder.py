"""Runs in a sandbox: cells as they were, and what was there when their code failed; a call, and what it gives."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import io
import json
import linecache
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

from reflex_ipython.testwriting.another_time import later
from reflex_ipython.testwriting.literals import MAIN, CannotWrite, Literal, literal
from reflex_ipython.testwriting.texts import ModuleTexts
from reflex_ipython.traces import environment

OUT = "out.json"
_rows: int | None = None
"""So many rows of each frame are written down; None: all. One process records once."""
_home = ""
"""The file that the code finds itself in: what a value reads stands beside it."""


@dataclasses.dataclass(frozen=True)
class CodePlace:
    """Where a function's code is: the name of its file, its own name, and the first and last line of its text."""

    filename: str
    name: str
    first: int
    last: int

    def holds(self, code: CodeType) -> bool:
        """Whether a code is that function's."""
        named = code.co_filename == self.filename and code.co_name == self.name
        return named and self.first <= code.co_firstlineno <= self.last


def record(folder: str, job: dict[str, Any]) -> None:
    """Do one of the jobs, and write what was seen to `out.json` in a folder."""
    ModuleTexts({name: tuple(text) for name, text in job.get("modules", {}).items()}).install()
    global _rows, _home
    _rows, _home = job.get("rows"), str(Path(folder, "test_it.py"))
    done = _before(job) if job["kind"] == "before" else _after(job)
    Path(folder, OUT).write_text(json.dumps(done), encoding="utf-8")


def _before(job: dict[str, Any]) -> dict[str, Any]:
    """Run cells, the last of which fails.

    Gives the error, the values of names as they were when the function was called that failed, or before the last cell,
    and the function's arguments as they were then.
    """
    module = _main()
    namespace = vars(module)
    place = CodePlace(*job["place"]) if job["place"] else None
    *cells, failing = job["cells"]
    for name, source in cells:
        error = _run(name, source, namespace)
        if error is not None:
            return {"setup_error": f"{name} raises {_told(error)}"}
    if place is None:
        values = _literals(namespace, job["names"])
        return {**_failed(_run(failing[0], failing[1], namespace)), "values": values}
    watch = _Watch(place, job["names"], namespace, job["call"])
    with watch.watching():
        error = _run(failing[0], failing[1], namespace)
    failed = _failed(error)
    if error is not None and job["call"] is None:
        failed["call"] = watch.failed_call(error)
    return {**failed, **watch.seen}


def _after(job: dict[str, Any]) -> dict[str, Any]:
    """Run code, and give the values of expressions in the end, what was printed, and the environment variables read."""
    namespace = vars(_main())
    printed = io.StringIO()
    seed(job.get("seed"))
    read = _EnvironmentReads()
    with contextlib.redirect_stdout(printed), contextlib.ExitStack() as stack:
        stack.callback(environment.listen(read))
        if job.get("later"):
            stack.enter_context(later())
        error = _run("a test", job["code"], namespace)
    values = {} if error is not None else _literals(namespace, job["names"])
    failed = {"error": ""} if error is None else {"error": _told(error)}
    return {**failed, "values": values, "printed": printed.getvalue()[:2_000], "environment": read.values}


class _EnvironmentReads:
    """What was asked for first, by its name (`environment.Listener`)."""

    def __init__(self) -> None:
        self.values: dict[str, str | None] = {}

    def asked(self, name: str, value: str | None) -> None:
        if name != environment.ALL:
            self.values.setdefault(name, value)


class _Watch:
    """Sees the calls of one function.

    Parameters
    ----------
    place : CodePlace
    names : list of str
        Of the namespace, whose values are wanted as well.
    namespace : dict
    call : int or None
        The number of the call that is written down, from 0; None: calls are only counted.
    """

    def __init__(self, place: CodePlace, names: list[str], namespace: dict[str, Any], call: int | None) -> None:
        self._place = place
        self._names = names
        self._namespace = namespace
        self._call = call
        self._count = 0
        self._numbers: dict[FrameType, int] = {}
        self.seen: dict[str, Any] = {}

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Until the end of the block."""
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(None)

    def failed_call(self, error: BaseException) -> int | None:
        """The number of the innermost call through which an error went; of an endless recursion, the outermost."""
        traceback, found = error.__traceback__, list[int]()
        while traceback is not None:
            if traceback.tb_frame in self._numbers:
                found.append(self._numbers[traceback.tb_frame])
            traceback = traceback.tb_next
        return (found[0] if isinstance(error, RecursionError) else found[-1]) if found else None

    def _profile(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "return":
            if argument is not None:
                self._numbers.pop(frame, None)
        elif event == "call" and self._place.holds(frame.f_code) and frame not in self._numbers:
            if self._count == self._call:
                sys.setprofile(None)
                values = _literals(self._namespace, self._names)
                self.seen = {**_arguments(frame), "values": values}
            self._numbers[frame] = self._count
            self._count += 1
            if len(self._numbers) > 10_000:  # those that gave None
                del self._numbers[next(iter(self._numbers))]


def _arguments(frame: FrameType) -> dict[str, Any]:
    """The arguments of a call that has just begun: the positional ones, then those by name."""
    code, known = frame.f_code, frame.f_locals
    plain = code.co_varnames[: code.co_argcount]
    only = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    rest = list(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :])
    defaults = _defaults(frame)
    positional = [(name, known[name]) for name in plain]
    if code.co_flags & inspect.CO_VARARGS:
        more = rest.pop(0)
        positional += [(f"{more}_{number}", one) for number, one in enumerate(known[more], 1)]
    else:
        while positional and positional[-1][0] in defaults and defaults[positional[-1][0]] is positional[-1][1]:
            positional.pop()
    named = [(name, known[name]) for name in only if name not in defaults or defaults[name] is not known[name]]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        named += list(known[rest.pop(0)].items())
    return {"positional": _written(positional), "named": _written(named)}


def _defaults(frame: FrameType) -> dict[str, Any]:
    """Those of the function that a frame runs, as far as it can be found."""
    import gc

    functions = [one for one in gc.get_referrers(frame.f_code) if inspect.isfunction(one)]
    if not functions:
        return {}
    parameters = inspect.signature(functions[0], follow_wrapped=False).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not one.empty}


def _written(values: Iterable[tuple[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    return [(name, _literal(value, name)) for name, value in values]


def _literals(namespace: dict[str, Any], names: list[str]) -> dict[str, dict[str, Any]]:
    return {name: _literal(namespace[name], name) for name in names if name in namespace}


def _literal(value: Any, name: str) -> dict[str, Any]:
    """A value's expression, or why it has none."""
    try:
        if _rows is not None and type(value).__name__ in ("DataFrame", "Series"):
            value = value.head(_rows)
        return dataclasses.asdict(literal(value, name))
    except CannotWrite as reason:
        return {"refused": str(reason)}
    except Exception as error:  # noqa: BLE001 - the user's own objects
        return {"refused": f"can't be looked at: {_told(error)}"}


def literal_of(told: dict[str, Any]) -> Literal | None:
    """The expression that was told; None if the value has none."""
    return (
        None
        if "refused" in told
        else Literal(**{**told, "imports": tuple(told["imports"]), "names": tuple(told["names"])})
    )


def _failed(error: BaseException | None) -> dict[str, Any]:
    return {"ename": type(error).__name__ if error is not None else "", "error": _told(error) if error else ""}


def _main() -> ModuleType:
    """A fresh module of that name, so that what is defined in it belongs to it."""
    module = ModuleType(MAIN)
    module.__dict__["__file__"] = _home
    sys.modules[MAIN] = module
    return module


def _run(name: str, source: str, namespace: dict[str, Any]) -> BaseException | None:
    """Run a text; what it raised, if it did."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        exec(compile(source, name, "exec", dont_inherit=True), namespace)
    except BaseException as error:
        if type(error).__name__ == "Blocked":
            raise
        return error
    return None


def seed(seed: int | None) -> None:
    """Random numbers that differ from those of another run, unless the code seeds them itself."""
    if seed is not None:
        import random

        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)


def _told(error: BaseException) -> str:
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
