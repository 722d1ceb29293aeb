"""What stands in a test that plays the network back, for each library that may be asked: text, which runs as it is."""

from __future__ import annotations

import dataclasses

_FIND = "answer = answers.pop([one for one, _ in answers].index(asked))[1]"
_RAISE = """\
    if isinstance(answer, Exception):
        raise answer
    status, headers, body = answer"""
_WIRE = """\
    head = "".join(f"{name}: {value}\\r\\n" for name, value in headers.items())
    wire = f"HTTP/1.1 {status} {http.client.responses.get(status, '')}\\r\\n{head}\\r\\n".encode() + body
    response = http.client.HTTPResponse(Mock(**{"makefile.return_value": io.BytesIO(wire)}))
    response.begin()"""
_ALL = "assert (network.call_count, answers) == (len(exchanges), [])"
_PATCH = "from unittest.mock import patch"
_START = "answers = [*exchanges]"


@dataclasses.dataclass(frozen=True)
class NetworkMock:
    """Such text, about `exchanges`: pairs of what is asked, a tuple of method, URL and body, and the answer.

    Parameters
    ----------
    imports, setup, contexts, inside, after : tuple of str
        As in `staging.Staging`. The first context is `network`.
    is_named : bool
        Whether an answer is a dict of arguments; else it is an exception, or status, headers and body.
    """

    imports: tuple[str, ...]
    setup: tuple[str, ...]
    contexts: tuple[str, ...]
    inside: tuple[str, ...] = ()
    after: tuple[str, ...] = (_ALL,)
    is_named: bool = False


_REQUESTS = NetworkMock(
    (
        "import http.client",
        "import io",
        _PATCH,
        "from requests.adapters import HTTPAdapter",
        "from urllib3 import HTTPResponse",
    ),
    (
        _START,
        f"""\
def answered(request, **options):
    asked = request.method, request.url, request.body
    {_FIND}
{_RAISE}
    reason = http.client.responses.get(status)
    found = HTTPResponse(io.BytesIO(body), headers, status, reason=reason, preload_content=False)
    return HTTPAdapter().build_response(request, found)
""",
    ),
    ('patch("requests.adapters.HTTPAdapter.send", side_effect=answered) as network',),
)
_URLLIB3 = NetworkMock(
    ("import http.client", "import io", _PATCH, "from urllib3 import HTTPResponse"),
    (
        _START,
        f"""\
def answered(pool, method, url, body=None, *more, **options):
    asked = method, f"{{pool.scheme}}://{{pool.host}}:{{pool.port}}{{url}}", body
    {_FIND}
{_RAISE}
    reason = http.client.responses.get(status)
    return HTTPResponse(io.BytesIO(body), headers, status, reason=reason, preload_content=False)
""",
    ),
    ('patch("urllib3.connectionpool.HTTPConnectionPool.urlopen", autospec=True, side_effect=answered) as network',),
)
_HTTPX_ANSWERED = f"""\
def answered(request):
    asked = request.method, str(request.url), request.read()
    {_FIND}
{_RAISE}
    return httpx.Response(status, headers=headers, content=body)
"""
_HTTPX = NetworkMock(
    ("import httpx", _PATCH),
    (_START, _HTTPX_ANSWERED),
    ('patch("httpx.HTTPTransport.handle_request", side_effect=answered) as network',),
)
_HTTPX_ASYNC = dataclasses.replace(
    _HTTPX, contexts=('patch("httpx.AsyncHTTPTransport.handle_async_request", side_effect=answered) as network',)
)
_URLLIB = NetworkMock(
    ("import http.client", "import io", "from unittest.mock import Mock, patch"),
    (
        _START,
        f"""\
def answered(http_class, request, **options):
    asked = request.get_method(), request.full_url, request.data
    {_FIND}
{_RAISE}
{_WIRE}
    response.url, response.msg = request.full_url, response.reason
    return response
""",
    ),
    ('patch("urllib.request.AbstractHTTPHandler.do_open", side_effect=answered) as network',),
)
_HTTP_CLIENT = NetworkMock(
    ("import http.client", "import io", "from unittest.mock import Mock, patch"),
    (
        _START,
        "waiting = {}",
        f"""\
def ask(connection, method, url, body=None, *more, **options):
    asked = method, f"{{connection.host}}:{{connection.port}}{{url}}", body
    {_FIND}
    if isinstance(answer, Exception):
        raise answer
    waiting[connection] = answer
""",
        f"""\
def answered(connection):
    status, headers, body = waiting.pop(connection)
{_WIRE}
    return response
""",
    ),
    (
        'patch("http.client.HTTPConnection.request", autospec=True, side_effect=ask) as network',
        'patch("http.client.HTTPConnection.getresponse", autospec=True, side_effect=answered)',
    ),
)

MOCKS = {
    "requests": _REQUESTS,
    "urllib3": _URLLIB3,
    "httpx": _HTTPX,
    "httpx async": _HTTPX_ASYNC,
    "urllib.request": _URLLIB,
    "http.client": _HTTP_CLIENT,
}
"""With `unittest.mock`, by the library."""
RESPONSES = NetworkMock(
    ("import responses",),
    (),
    ("responses.RequestsMock() as network",),
    (
        """\
for asked, answer in exchanges:
    same = [lambda one, asked=asked: (asked == (one.method, one.url, one.body), f"not {asked}")]
    network.add(*asked[:2], match=same, **answer)""",
    ),
    ("assert len(network.calls) == len(exchanges)",),
    is_named=True,
)
"""For requests, with `responses`."""
RESPX = NetworkMock(
    ("import httpx", "import respx"),
    (_START, _HTTPX_ANSWERED),
    ('respx.mock(using="httpx") as network',),
    ("network.route().mock(side_effect=answered)",),
    ("assert (len(network.calls), answers) == (len(exchanges), [])",),
)
"""For httpx, with `respx`."""
