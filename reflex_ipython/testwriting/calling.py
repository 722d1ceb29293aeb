"""Runs in a sandbox: a recorded call made again as a test would make it, and what it gives, as expressions."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import dataclasses
import inspect
import itertools
import json
import os
import pickle
import pkgutil
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reflex_ipython.testwriting.literals import CannotWrite, Literal, LiteralWriter, literal
from reflex_ipython.testwriting.outside import Outside
from reflex_ipython.testwriting.recorded_calls import NOT_READ
from reflex_ipython.testwriting.recorder import OUT, seed
from reflex_ipython.testwriting.surroundings import Surroundings
from reflex_ipython.traces.living import innermost
from reflex_ipython.traces.recorded import RecordedValue
from reflex_ipython.traces.same import NotComparable, difference
from reflex_ipython.traces.values import described, loaded

OTHER_FILE = "is imported from another file, {}"
IS_GONE = "is not in its module any more"
BY_ATTRIBUTE = "is no plain function, method or property"
ARGUMENT = "its argument `{}` {}"
RESULT = "its result {}"
DIFFERS = "does not do any more what was recorded: {}"
NOTHING = "gives None and changes what it was passed, which is not compared"
NO_RESULT = "gives None, so there is nothing to compare"
NOT_RECORDED = "has a result that was not recorded"
LONELY = "holds objects that equal only themselves"
MAIN = "is of a class of a script or notebook, which no test can import"
_TAKEN = frozenset(("expected", "error", "request", "pytest", "pd", "np", "asyncio", "list", "vars", "Path"))
_STAGED = frozenset(("files", "name", "text", "tmp_path", "monkeypatch", "patch", "clock", "random", "datetime"))
_STAGED |= {"time_machine", "now", "today", "utc_now", "seconds", "nanoseconds"}
_STAGED |= {"exchanges", "answers", "answered", "answer", "asked", "ask", "waiting", "network", "same", "io", "http"}
_STAGED |= {"Mock", "HTTPAdapter", "HTTPResponse", "httpx", "respx", "responses", "requests", "urllib", "urllib3"}


class _NoTest(Exception):
    """There is no test of this call; the text says why.

    Parameters
    ----------
    reason : str
    asks : dict
        What it asks of the world, with which it may be another thing.
    """

    def __init__(self, reason: str, asks: dict[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.asks = asks or {}


def make_call(folder: str, job: dict[str, Any]) -> None:
    """Make a call, and write what it came to, or why no test can tell that, to `out.json` in a folder.

    Parameters
    ----------
    folder : str
    job : dict
        `module`, `file`, `name`, `kind` of the function; `arguments`, each its kind, name and payload, and without one
        its value; `result`, `exception` and `yielded` as recorded; `seed` of random numbers; `elsewhere`, whether it is
        made in another working folder; `label` of files; what it is given of the world, `around`; `moment` of the call,
        in seconds since 1970; `root`, the project's folder; `source`, the function's; `network`, the requests that were
        recorded meanwhile; `environment`, the environment variables that it read.
    """
    staged = tempfile.mkdtemp(dir=folder)
    try:
        told = _told(job, os.path.realpath(staged))
    except _NoTest as reason:
        told = {"refused": str(reason), "asks": reason.asks}
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    Path(folder, OUT).write_text(json.dumps(told), encoding="utf-8")


def _told(job: dict[str, Any], staged: str) -> dict[str, Any]:
    try:
        recorded = {"network": job["network"], "environment": job["environment"]}
        around = Surroundings(job["around"], job["moment"], staged, job["root"], job["label"], recorded)
        return _in(around, job, staged)
    except CannotWrite as reason:
        raise _NoTest(str(reason)) from None


def _in(around: Surroundings, job: dict[str, Any], staged: str) -> dict[str, Any]:
    """The call, made in such surroundings."""
    top, _, method = job["name"].partition(".")
    owner = _owner(job, top)
    arguments = [
        (kind, _own_name(name, top, method), name, value)
        for (kind, name, _, _), value in zip(
            job["arguments"], around.passed([_value(payload, value) for _, _, payload, value in job["arguments"]])
        )
    ]
    style = _style(owner, method)
    if style == "class" and arguments[0][3] is owner:
        arguments = arguments[1:]
    elif style == "class":
        style = "method"
    call = _expression(top, method, style, arguments)
    before = {
        own: _written(value, f"{job['label']}_{own}", ARGUMENT.format(own, "{}")) for _, own, _, value in arguments
    }
    namespace = {top: owner, **{own: value for _, own, _, value in arguments}}
    seed(job["seed"])
    outside = Outside(staged)
    with around.given(elsewhere=job["elsewhere"]):
        value, error = _made(call, namespace, job, outside)
    asks = _asks(outside, job["around"])
    if around.asked != job["around"].get("network", []):
        asks["network"] = around.asked
    if {*asks} - {"chance"}:
        return {"asks": asks}
    _compare(job, owner, method, value, error, asks)
    after = {own: _changed_to(namespace[own], before[own], job["label"]) for own in before}
    imports = [] if style in ("method", "property") else [f"from {job['module']} import {top}"]
    came = {
        "call": _asked(call, job["kind"]),
        "imports": imports,
        "given": {own: dataclasses.asdict(one) for own, one in before.items()},
        "staging": dataclasses.asdict(around.staging),
        "asks": asks,
    }
    if error is not None:
        return {**came, "raises": dataclasses.asdict(_class(error))}
    if value is None and job["kind"] != "generator":
        raise _NoTest(NOTHING if after != before else NO_RESULT)
    found = _written(value, f"{job['label']}_expected", RESULT)
    if found.kind == "never":
        raise _NoTest(RESULT.format(LONELY))
    return {**came, "gives": dataclasses.asdict(found)}


def _owner(job: dict[str, Any], top: str) -> Any:
    """The function, or the class that it is in."""
    module = pkgutil.resolve_name(job["module"])
    file = str(module.__file__)
    if os.path.realpath(file) != os.path.realpath(job["file"]):
        raise _NoTest(OTHER_FILE.format(file))
    if not hasattr(module, top):
        raise _NoTest(IS_GONE)
    return getattr(module, top)


def _value(payload: str, value: Any) -> Any:
    try:
        return pickle.loads(base64.b64decode(payload)) if payload else value
    except Exception as error:  # noqa: BLE001 - what a pickle says may fail in any way
        raise _NoTest(f"can't be passed what it was: {type(error).__name__}: {error}") from None


def _style(owner: Any, method: str) -> str:
    """How it is called: "function", "method", "static", "class", "property"."""
    if not method:
        return "function"
    try:
        found = inspect.getattr_static(owner, method)
    except AttributeError:
        raise _NoTest(IS_GONE) from None
    if inspect.isfunction(found):
        return "method"
    for kind, style in ((staticmethod, "static"), (classmethod, "class"), (property, "property")):
        if isinstance(found, kind):
            return style
    raise _NoTest(BY_ATTRIBUTE)


def _expression(top: str, method: str, style: str, arguments: Sequence[tuple[str, str, str, Any]]) -> str:
    """The call, with names in place of the values."""
    before = {"args": "*", "kwargs": "**"}
    order = ("positional", "args", "keyword", "kwargs")
    parts = [
        f"{name}={own}" if kind == "keyword" else f"{before.get(kind, '')}{own}"
        for kind, own, name, _ in sorted(arguments, key=lambda one: order.index(one[0]))
    ]
    if style == "property":
        return f"{parts[0]}.{method}"
    if style == "method":
        return f"{parts[0]}.{method}({', '.join(parts[1:])})"
    return f"{top}.{method}({', '.join(parts)})" if method else f"{top}({', '.join(parts)})"


def _asked(call: str, kind: str) -> str:
    """The call with what takes its values out."""
    return {"coroutine": f"asyncio.run({call})", "generator": f"list({call})"}.get(kind, call)


def _asks(outside: Outside, around: dict[str, Any]) -> dict[str, Any]:
    """What a call asked of the world that it was not given."""
    asked: dict[str, list[Any]] = {"clock": outside.clock, "files": outside.files}
    asked["environment"] = outside.environment
    asked["chance"] = outside.chance
    lacking = {what: [one for one in found if one not in _listed(around, what)] for what, found in asked.items()}
    return {what: [*_listed(around, what), *found] for what, found in lacking.items() if found}


def _listed(around: dict[str, Any], what: str) -> list[Any]:
    return [tuple(one) if isinstance(one, list) else one for one in around.get(what, ())]


def _made(
    call: str, namespace: dict[str, Any], job: dict[str, Any], outside: Outside
) -> tuple[Any, BaseException | None]:
    """What the call gives or raises."""
    read = {"generator": f"list(islice({call}, {job['yielded'] + 1}))"}.get(job["kind"], _asked(call, job["kind"]))
    scope = {**namespace, "asyncio": asyncio, "islice": itertools.islice}
    code = compile(read, "a test", "eval")
    value, raised = None, None
    with outside.watching():
        try:
            value = eval(code, scope)
        except BaseException as error:
            if type(error).__name__ == "Blocked":
                raise
            raised = error
    if outside.reasons:
        raise _NoTest(outside.reasons[0])
    return value, raised


def _compare(
    job: dict[str, Any], owner: Any, method: str, value: Any, raised: BaseException | None, asks: dict[str, Any]
) -> None:
    """Refuse what is not as it was recorded.

    Another time and other random numbers give something else: then the function's text has to be what was recorded.
    """
    is_another = bool({"clock", "chance"} & {*job["around"]}) and _is_source(owner, method, job["source"])
    recorded, now = str(job["exception"]).rpartition(".")[2], type(raised).__name__ if raised is not None else ""
    if recorded != now:
        was, is_ = (
            (f"raised {recorded}" if recorded else "raised nothing"),
            (f"raises {now}" if now else "raises nothing"),
        )
        raise _NoTest(DIFFERS.format(f"it {was}, and {is_}"), asks)
    if raised is not None:
        return
    if job["kind"] == "generator":
        if len(value) != job["yielded"]:
            raise _NoTest(NOT_READ)
        return
    if job["result"] is None:
        raise _NoTest(NOT_RECORDED)
    if is_another:
        return
    result, words = RecordedValue(**job["result"]), ""
    if result.payload:
        with contextlib.suppress(NotComparable):
            words = difference(loaded(result), value, close=0)
    else:
        words = "" if described(value).text == result.text else f"gave {result.text}, gives {described(value).text}"
    if words:
        raise _NoTest(DIFFERS.format(f"it {words.replace(', gives', ', and gives')}"), asks)


def _is_source(owner: Any, method: str, source: str) -> bool:
    """Whether a function's text is the one that was recorded."""
    found = innermost(inspect.getattr_static(owner, method) if method else owner)
    try:
        return found is not None and bool(source) and inspect.getsource(found).strip() == source.strip()
    except (OSError, TypeError):
        return False


def _written(value: Any, name: str, words: str) -> Literal:
    try:
        found = literal(value, name)
    except CannotWrite as reason:
        raise _NoTest(words.format(reason)) from None
    if found.names:
        raise _NoTest(words.format(MAIN))
    return found


def _changed_to(value: Any, before: Literal, label: str) -> Literal | None:
    """What an argument is afterwards; None: that can't be told."""
    try:
        found = literal(value, label)
    except CannotWrite:
        return None
    return before if found.text == before.text and not before.files else found


def _class(error: BaseException) -> Literal:
    writer = LiteralWriter()
    try:
        text = writer.type_(type(error))
    except CannotWrite as reason:
        raise _NoTest(f"it raises what {reason}") from None
    if writer.names:
        raise _NoTest(f"it raises what {MAIN}")
    return Literal(text, tuple(writer.imports))


def _own_name(name: str, top: str, method: str) -> str:
    """The name that a parameter has in a test: none that means something else there."""
    if method and name == "self":
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", top).lower().strip("_")
    return f"{name}_" if name in _TAKEN or name in _STAGED or name == top or name in sys.builtin_module_names else name
