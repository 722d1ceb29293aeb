"""What hangs on the live objects of libraries is put back as what has a name is; or it is named."""

from __future__ import annotations

import pytest

from tests.state.halves.half import Half, check, check_read, halves

COUNTS = "class Counts:\n    n = 0\n    def __call__(self, *args): self.n += 1; return args[0] if args else None\n"
REQUESTS = f"import requests\n{COUNTS}s = requests.Session()\n"
HTTPX = f"import httpx\n{COUNTS}"
WIDGETS = "import ipywidgets as w\n"
BAR = "import io, tqdm\nclass It:\n    n = 0\n    def __iter__(self): self.n += 1; yield 1\n"


@halves(
    Half(
        "a session's password",
        f"{REQUESTS}s.auth = Counts()",
        "s.prepare_request(requests.Request('GET', 'http://x'))",
        "s.auth.n",
    ),
    Half(
        "one that goes by requests' class",
        f"{REQUESTS}s.auth = type('Own', (Counts, requests.auth.AuthBase), {{}})()",
        "s.prepare_request(requests.Request('GET', 'http://x'))",
        "s.auth.n",
    ),
    Half(
        "one of requests",
        f"{REQUESTS}s.auth = requests.auth.HTTPBasicAuth('a', 'b')\ndef act(): s.auth.username = 'c'",
        "act()",
        "s.auth.username",
    ),
    Half(
        "a session's adapter",
        f"{REQUESTS}a = type('Own', (requests.adapters.HTTPAdapter,), {{'seen': []}})(); s.mount('http://', a); del a\n"
        "def act(): s.adapters['http://'].seen.append(1)",
        "act()",
        "s.adapters['http://'].seen",
    ),
    Half(
        "a request's password",
        f"{REQUESTS}r = requests.Request('GET', 'http://x', auth=Counts())",
        "r.prepare()",
        "r.auth.n",
    ),
    Half(
        "a response's headers",
        f"{REQUESTS}r = requests.Response(); r._content = b''",
        "r.headers['a'] = 'b'",
        "dict(r.headers)",
    ),
    Half(
        "a response's request",
        f"{REQUESTS}r = requests.Response(); r._content = b''; r.request = requests.Request('GET', 'http://x').prepare()",
        "r.request.headers['a'] = 'b'",
        "dict(r.request.headers)",
    ),
    Half(
        "a response's cookies",
        f"{REQUESTS}r = requests.Response(); r._content = b''",
        "r.cookies.set('a', 'b')",
        named="r (",
    ),
)
def test_what_sessions_have(half: Half) -> None:
    pytest.importorskip("requests")
    check(half)


@pytest.mark.parametrize("package", ["httpx", "httpx2"])
@halves(
    Half("a password", f"{HTTPX}class A(httpx.Auth): n = 0\nc = httpx.Client(auth=A())", "c.auth.n += 1", "c.auth.n"),
    Half(
        "a hook",
        f"{HTTPX}c = httpx.Client(event_hooks={{'request': [Counts()]}})",
        "c.event_hooks['request'][0](1)",
        "c.event_hooks['request'][0].n",
    ),
    Half(
        "a method as a hook",
        f"{HTTPX}a = []; c = httpx.Client(event_hooks={{'request': [a.append]}})",
        "c.event_hooks['request'][0](1)",
        "a",
    ),
    Half(
        "a transport",
        f"{HTTPX}class T(httpx.BaseTransport): n = 0\nc = httpx.Client(transport=T())\ndef act(): c._transport.n += 1",
        "act()",
        "c._transport.n",
    ),
    Half(
        "a response's headers",
        f"{HTTPX}r = httpx.Response(200, content=b'')",
        "r.headers['a'] = 'b'",
        "dict(r.headers)",
    ),
    Half(
        "what else it brought",
        f"{HTTPX}r = httpx.Response(200, extensions={{'a': []}})\ndef act(): r.extensions['a'].append(1)",
        "act()",
        "r.extensions",
    ),
)
def test_what_clients_have(half: Half, package: str) -> None:
    pytest.importorskip(package)
    check(Half(half.says, half.setup.replace("import httpx", f"import {package} as httpx"), half.cell, half.shows))


@halves(
    Half("a child", f"{WIDGETS}h = w.HBox([w.IntText(1)])", "h.children[0].value += 1", named="h ("),
    Half(
        "a child's child",
        f"{WIDGETS}h = w.HBox([w.VBox([w.IntText(1)])])",
        "h.children[0].children[0].value += 1",
        named="h (",
    ),
    Half(
        "a child into which is printed",
        f"{WIDGETS}h = w.VBox([w.Output()])",
        "h.children[0].clear_output()",
        named="h (",
    ),
    Half("one that is closed", f"{WIDGETS}b = w.Button()", "b.close()", named="b ("),
    Half("an option", f"{WIDGETS}d = w.Dropdown(options=[('a', [1])])", "d.options[0][1].append(2)", "d.options"),
    Half("a list's method", f"{WIDGETS}b = w.Button(); a = []; b.on_click(a.append)", "b.click()", "len(a)"),
    Half(
        "a queue's method",
        f"{WIDGETS}import queue\nb = w.Button(); q = queue.Queue(); b.on_click(q.put)",
        "b.click()",
        "q.qsize()",
    ),
    Half(
        "a partial",
        f"{WIDGETS}import functools\nb = w.Button(); a = []; b.on_click(functools.partial(list.append, a))",
        "b.click()",
        "len(a)",
    ),
)
def test_what_widgets_have(half: Half) -> None:
    pytest.importorskip("ipywidgets")
    check(half)


@halves(
    Half(
        "what it goes through",
        f"{BAR}t = tqdm.tqdm(It(), file=io.StringIO(), total=5)",
        "next(iter(t.iterable))",
        "t.iterable.n",
    ),
    Half(
        "what it is drawn into",
        f"{BAR}into = io.StringIO(); t = tqdm.tqdm(total=5, file=into)",
        "t.refresh()",
        "into.getvalue()",
    ),
)
def test_what_a_progress_bar_has(half: Half) -> None:
    pytest.importorskip("tqdm")
    check(half)


@halves(
    Half(
        "a highlighter",
        f"{COUNTS}import rich.console\nc = rich.console.Console(highlighter=Counts())",
        "c.highlighter(1)",
        "c.highlighter.n",
    ),
    Half(
        "a hook that it gets", "import rich.console\nc = rich.console.Console()", "c.push_render_hook(1)", named="c ("
    ),
)
def test_what_a_console_has(half: Half) -> None:
    pytest.importorskip("rich")
    check(half)


@pytest.mark.parametrize(
    ("library", "setup", "read"),
    [
        ("requests", f"{REQUESTS}s.auth = requests.auth.HTTPDigestAuth('a', 'b')", "s.auth.username; s.adapters"),
        ("httpx", "import httpx\nc = httpx.Client(auth=('a', 'b')); r = httpx.Response(200)", "c.auth; r.text"),
        (
            "ipywidgets",
            f"{WIDGETS}h = w.HBox([w.IntText(1), w.Dropdown(options=[1]), w.Button()])",
            "h.children[1].value; h",
        ),
        ("ipywidgets", f"{WIDGETS}h = w.VBox([w.IntText(1), w.Output()])", "h.layout; h"),
        ("ipywidgets", f"{WIDGETS}class Own(w.IntText): pass\no = Own(1)", "o.value; o"),
        ("openai", "import openai\nc = openai.OpenAI(api_key='x')", "c.timeout; c.api_key"),
        ("tqdm", f"{BAR}t = tqdm.tqdm([1, 2], file=io.StringIO())", "t.n; t.total"),
    ],
)
def test_what_of_a_library_is_only_read_is_not_named(library: str, setup: str, read: str) -> None:
    pytest.importorskip(library)
    check_read(setup, read)
