"""The recorded answers of the network, played back to a call, and how a test does the same.

By `responses` or `respx` where they are installed, else by `unittest.mock`.
"""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import pkgutil
from collections.abc import Iterator, Sequence
from typing import Any

from reflex_ipython.testwriting.literals import CannotWrite, Literal, LiteralWriter, quoted
from reflex_ipython.testwriting.network_mocks import MOCKS, RESPONSES, RESPX, NetworkMock
from reflex_ipython.testwriting.plain_literals import LONGEST
from reflex_ipython.testwriting.staging import Staging

_NETWORK = " as network"
PLAYED = "the network is played back"
NO_ERROR = "got an error of the network that can't be made again ({}: {})"
SOMETHING_ELSE = "asks the network for something else than was recorded"
SEVERAL = "asks the network by more than one library ({})"


class PlayedNetwork:
    """Answers what a call asks.

    Parameters
    ----------
    exchanges : sequence of dict
        As `traces.recorded.NetworkExchange`: those that may be asked for.
    """

    def __init__(self, exchanges: Sequence[dict[str, Any]]) -> None:
        self._exchanges = exchanges
        self._played = [_played(one) for one in exchanges]
        self._scopes: dict[str, dict[str, Any]] = {}

    @contextlib.contextmanager
    def playing(self) -> Iterator[None]:
        """In the block, nothing else is answered."""
        with contextlib.ExitStack() as stack:
            for library in dict.fromkeys(one["library"] for one in self._exchanges):
                scope: dict[str, Any] = {"exchanges": self._of(library)}
                mocked = MOCKS[library]
                exec("\n".join(mocked.imports), scope)
                exec("\n".join(mocked.setup), scope)
                entered = [stack.enter_context(eval(one.removesuffix(_NETWORK), scope)) for one in mocked.contexts]
                self._scopes[library] = {**scope, "network": entered[0]}
            yield

    @property
    def used(self) -> list[int]:
        """Which of the exchanges were asked for, by their places.

        Raises
        ------
        CannotWrite
            If something else was asked for, or one was that is not there as a whole.
        """
        left = {id(one) for scope in self._scopes.values() for one in scope["answers"]}
        used = [place for place, one in enumerate(self._played) if id(one) not in left]
        if sum(scope["network"].call_count for scope in self._scopes.values()) != len(used):
            others = [one["unkept"] for place, one in enumerate(self._exchanges) if place not in used]
            raise CannotWrite(next(filter(None, others), SOMETHING_ELSE))
        for place in used:
            if self._exchanges[place]["unkept"]:
                raise CannotWrite(self._exchanges[place]["unkept"])
        return used

    def stage(self, staging: Staging, label: str) -> None:
        """Say the same in a test. Raises `CannotWrite` if that can't be said."""
        libraries = sorted({one["library"] for one in self._exchanges})
        if len(libraries) > 1:
            raise CannotWrite(SEVERAL.format(", ".join(libraries)))
        mocked = _installed(libraries[0])
        staging.given.append(("exchanges", _literal(self._exchanges, mocked, f"{label}_exchanges")))
        staging.imports += mocked.imports
        staging.setup += mocked.setup
        staging.contexts += mocked.contexts
        staging.inside += mocked.inside
        staging.after += mocked.after
        staging.words.append(PLAYED)

    def _of(self, library: str) -> list[Any]:
        return [one for one, told in zip(self._played, self._exchanges) if told["library"] == library]


def _installed(library: str) -> NetworkMock:
    """What plays it back here."""
    known = {"requests": ("responses", RESPONSES), "httpx": ("respx", RESPX), "httpx async": ("respx", RESPX)}
    package, found = known.get(library, ("", MOCKS[library]))
    return found if package and importlib.util.find_spec(package) is not None else MOCKS[library]


def _asked(told: dict[str, Any]) -> tuple[str, str, Any]:
    """What is asked, as the library has it: the body as text or bytes, and where there is none, None, or for httpx
    none."""
    sent: Any = base64.b64decode(told["request"]["body"])
    if told["is_text"]:
        sent = sent.decode()
    elif not sent and not told["library"].startswith("httpx"):
        sent = None
    return told["method"], told["url"], sent


def _headers(told: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in told["response"]["headers"]:
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def _played(told: dict[str, Any]) -> tuple[Any, Any]:
    """What is asked, and the answer."""
    if told["status"] is None or told["error"] is not None:
        return _asked(told), _exception(told["error"]) if told["error"] is not None else OSError(told["unkept"])
    return _asked(told), (told["status"], _headers(told), base64.b64decode(told["response"]["body"]))


def _exception(told: dict[str, Any]) -> Exception:
    given = [_exception(one) if isinstance(one, dict) else one for one in told["arguments"]]
    try:
        found = pkgutil.resolve_name(told["type"] if "." in told["type"] else f"builtins.{told['type']}")(*given)
    except Exception as error:  # noqa: BLE001 - a class of a library's, or of the user's
        raise CannotWrite(NO_ERROR.format(told["type"], type(error).__name__)) from None
    if not isinstance(found, Exception):
        raise CannotWrite(NO_ERROR.format(told["type"], "no exception"))
    return found


def _literal(exchanges: Sequence[dict[str, Any]], mocked: NetworkMock, name: str) -> Literal:
    """The exchanges as a list."""
    writer = LiteralWriter(name)
    pairs = (f"({writer.written(_asked(one))}, {_answer(one, writer, mocked)})" for one in exchanges)
    return Literal(f"[{', '.join(pairs)}]", tuple(writer.imports), (), writer.files)


def _answer(told: dict[str, Any], writer: LiteralWriter, mocked: NetworkMock) -> str:
    if told["error"] is not None:
        error = _raised(told["error"], writer)
        return f'{{"body": {error}}}' if mocked.is_named else error
    headers, body = writer.written(_headers(told)), _body(base64.b64decode(told["response"]["body"]), writer)
    if mocked.is_named:
        return f'{{"status": {told["status"]}, "headers": {headers}, "body": {body}}}'
    return f"({told['status']}, {headers}, {body})"


def _raised(told: dict[str, Any], writer: LiteralWriter) -> str:
    module, _, _ = told["type"].rpartition(".")
    if module:
        writer.needs(f"import {module}")
    given = (_raised(one, writer) if isinstance(one, dict) else writer.written(one) for one in told["arguments"])
    return f"{told['type']}({', '.join(given)})"


def _body(data: bytes, writer: LiteralWriter) -> str:
    """Text that is not all ASCII, as such."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return writer.written(data)
    return f"{quoted(text)}.encode()" if not text.isascii() and len(data) <= LONGEST else writer.written(data)
