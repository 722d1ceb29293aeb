"""A trace without secrets, as it may leave this process: in its texts, its payloads and the bodies of requests."""

from __future__ import annotations

import base64
import dataclasses
import os
from collections.abc import Iterable

from reflex_ipython.capture import held_secrets
from reflex_ipython.capture.redactor import SecretRedactor
from reflex_ipython.capture.secrets.find import find
from reflex_ipython.capture.secrets.summary import in_summary
from reflex_ipython.traces.recorded import (
    Argument,
    Call,
    EnvironmentRead,
    Message,
    NetworkError,
    NetworkExchange,
    Raised,
    RecordedValue,
    Trace,
    TracedFunction,
    WebExchange,
)

SECRET_ASKED = "sends a secret to the network, or gets one, which was taken out of the trace"
SECRET_READ = "reads the environment variable {}, which holds a secret, or names your home folder"
SECRET = "its pickle holds a secret"


def without_secrets(trace: Trace, known: Iterable[str] = ()) -> Trace:
    """The trace with all that looks like a key, a password, a token or the user's home folder replaced.

    Idempotent. A payload can't be rewritten: one that holds a secret is left out, and says so.

    Parameters
    ----------
    trace : Trace
    known : iterable of str
        Secrets that are known beforehand, besides those that the environment holds.
    """
    if trace.redacted:
        return trace
    read = {one.name: one.value for one in trace.environment if one.value is not None}
    held = {*known, *held_secrets({}, os.environ), *held_secrets({}, read)}
    held |= {secret for call in trace.calls for secret in _named(call)}
    return _Redaction(held).trace(trace)


def _named(call: Call) -> Iterable[str]:
    """What stands under an argument's name that announces a secret."""
    for argument in call.arguments:
        text = argument.value.text
        scalar = argument.value.type in ("str", "bytes", "int")
        yield from (text[one.start : one.end] for one in in_summary(argument.name, text, scalar))


class _Redaction:
    def __init__(self, known: set[str]) -> None:
        self._known = known
        self._redactor = SecretRedactor(known=known)
        self._done: dict[tuple[str, bool], str] = {}

    def trace(self, trace: Trace) -> Trace:
        for function in trace.functions:  # what one text gives away is taken out of all
            self._text(function.source, code=True)
        return dataclasses.replace(
            trace,
            functions=tuple(map(self._function, trace.functions)),
            calls=tuple(map(self._call, trace.calls)),
            exchanges=tuple(map(self._exchange, trace.exchanges)),
            network=tuple(map(self._asked, trace.network)),
            environment=tuple(map(self._read, trace.environment)),
            git=trace.git and dataclasses.replace(trace.git, remote=self._text(trace.git.remote)),
            redacted=True,
        )

    def _text(self, text: str, *, code: bool = False) -> str:
        if (text, code) not in self._done:
            self._done[text, code] = self._redactor.text(text, code=code)
        return self._done[text, code]

    def _function(self, one: TracedFunction) -> TracedFunction:
        return dataclasses.replace(one, file=self._text(one.file), source=self._text(one.source, code=True))

    def _call(self, call: Call) -> Call:
        return dataclasses.replace(
            call,
            arguments=tuple(map(self._argument, call.arguments)),
            result=call.result and self._value(call.result),
            exception=call.exception and self._raised(call.exception),
        )

    def _argument(self, one: Argument) -> Argument:
        return dataclasses.replace(one, value=self._value(one.value))

    def _raised(self, one: Raised) -> Raised:
        return dataclasses.replace(one, message=self._text(one.message))

    def _value(self, value: RecordedValue) -> RecordedValue:
        text = self._text(value.text)
        if value.payload and self._gives_away(base64.b64decode(value.payload)):
            return RecordedValue(value.type, text, unkept=SECRET)
        return dataclasses.replace(value, text=text)

    def _gives_away(self, data: bytes) -> bool:
        """Whether a pickle holds a secret: one that is known, or what has the shape of one."""
        text = data.decode("latin-1")
        known = any(secret.encode() in data for secret in (*self._known, *self._redactor.secrets))
        return known or bool(find(text, code=False))

    def _exchange(self, one: WebExchange) -> WebExchange:
        return dataclasses.replace(
            one,
            path=self._text(one.path),
            query=self._text(one.query),
            request=self._message(one.request),
            response=self._message(one.response),
            exception=one.exception and self._raised(one.exception),
        )

    def _asked(self, one: NetworkExchange) -> NetworkExchange:
        url, request, response = self._text(one.url), self._message(one.request), self._message(one.response)
        held = (url, request.body, response.body) != (one.url, one.request.body, one.response.body)
        return dataclasses.replace(
            one,
            url=url,
            request=request,
            response=response,
            error=one.error and self._error(one.error),
            unkept=one.unkept or (SECRET_ASKED if held else ""),
        )

    def _read(self, one: EnvironmentRead) -> EnvironmentRead:
        if one.value is None or self._text(one.value) == one.value:
            return one
        return dataclasses.replace(one, value=None, unkept=SECRET_READ.format(one.name))

    def _error(self, one: NetworkError) -> NetworkError:
        given = (self._error(value) if isinstance(value, NetworkError) else value for value in one.arguments)
        return NetworkError(one.type, tuple(self._text(value) if isinstance(value, str) else value for value in given))

    def _message(self, one: Message) -> Message:
        headers = tuple((name, self._text(value)) for name, value in one.headers)
        data = base64.b64decode(one.body)
        try:
            body = base64.b64encode(self._text(data.decode("utf-8")).encode()).decode("ascii")
        except UnicodeDecodeError:
            body = "" if self._gives_away(data) else one.body
        return dataclasses.replace(one, headers=headers, body=body)
