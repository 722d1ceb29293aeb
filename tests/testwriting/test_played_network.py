"""Calls that ask the network over HTTP become tests that play the recorded answers back."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import reflex_ipython
from reflex_ipython.testwriting.from_trace import write_tests
from reflex_ipython.testwriting.tests_told import WrittenTests
from reflex_ipython.traces.documents import read
from reflex_ipython.traces.recorded import Trace
from tests.traces.network_server import NetworkServer

pytest.importorskip("httpx")
HAS_RESPONSES = importlib.util.find_spec("responses") is not None
HAS_RESPX = importlib.util.find_spec("respx") is not None
SHOP_KEY = "sk-proj-abcdefghijklmnopqrstuvwx0123456789"
SHOP = '''"""Rates."""

import asyncio
import http.client
import json
import os
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import httpx
import requests
import urllib3


def rate(base, currency):
    answer = requests.get(f"{base}/rates", params={"base": currency}, timeout=5)
    answer.raise_for_status()
    return answer.json()["USD"]


def told(base, item):
    with requests.Session() as session:
        return session.post(base, json=item).json(), session.post(base, data={"a": 1}).text


def moved(url):
    answer = requests.get(url)
    return [one.status_code for one in answer.history], answer.text


def failing(base):
    requests.get(f"{base}/missing").raise_for_status()


def raising(base):
    return requests.get(base).text


def silent(base):
    try:
        return requests.get(base).text
    except requests.RequestException:
        return ""


def size(base):
    with requests.get(f"{base}/long", stream=True) as answer:
        return sum(map(len, answer.iter_content(1000)))


def lines(base):
    with requests.get(f"{base}/new", stream=True) as answer:
        yield from answer.iter_lines(decode_unicode=True)


def huge(base):
    return len(requests.get(f"{base}/huge").content)


def several(base, currencies):
    with ThreadPoolExecutor(3) as pool:
        return [one.json()["USD"] for one in pool.map(requests.get, [f"{base}/rates?{one}" for one in currencies])]


def stamped(base, currency):
    return rate(base, currency), date.today().isoformat()


def rate_of_httpx(base, currency):
    return httpx.get(f"{base}/rates", params={"base": currency}).json()["USD"]


async def later(base, currencies):
    async with httpx.AsyncClient(base_url=base) as client:
        found = await asyncio.gather(*(client.get("/rates", params={"base": one}) for one in currencies))
    return [one.json()["USD"] for one in found]


def silent_httpx(base):
    try:
        return httpx.get(base).text
    except httpx.ConnectError as error:
        return str(error)


def rate_of_urllib(base, currency):
    with urllib.request.urlopen(f"{base}/rates?base={currency}") as answer:
        return json.load(answer)["USD"], answer.status


def missing(base):
    try:
        urllib.request.urlopen(f"{base}/missing")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def silent_urllib(base):
    try:
        urllib.request.urlopen(base)
    except urllib.error.URLError as error:
        return str(error.reason)


def rate_of_client(host, port):
    connection = http.client.HTTPConnection(host, port)
    connection.request("GET", "/rates")
    found = json.loads(connection.getresponse().read())
    connection.close()
    return found


def rate_of_urllib3(base):
    with urllib3.PoolManager() as pool:
        return json.loads(pool.request("GET", f"{base}/rates", fields={"base": "EUR"}).data)


def mixed(base):
    with urllib.request.urlopen(f"{base}/new") as answer:
        return requests.get(f"{base}/new").text + answer.read().decode()


counted = [0]


def numbered(base):
    counted[0] += 1
    return requests.get(f"{base}/rates?{counted[0]}").json()


def length(base):
    return int(requests.get(f"{base}/long").headers["Content-Length"])


def keyed(base):
    return requests.get(f"{base}/new?api_key={os.environ['SHOP_KEY']}").text


def private(base):
    return requests.get(f"{base}/secret").text


def session(base):
    return requests.get(f"{base}/new").cookies["session"]
'''


class Written:
    """What was written of a project, once for all tests; the server has gone."""

    def __init__(self, folder: Path) -> None:
        self.name = f"rates_{id(self)}"
        self.folder = folder
        package = folder / self.name
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        self.file = package / "shop.py"
        self.file.write_text(SHOP, encoding="utf-8")
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setenv("HOME", str(folder.parent))  # in a redacted trace, files in it begin with `~`
            monkeypatch.setenv("SHOP_KEY", SHOP_KEY)
            monkeypatch.syspath_prepend(str(folder))
            shop = importlib.import_module(f"{self.name}.shop")
            with NetworkServer() as server, reflex_ipython.trace(values=True) as trace:
                self._call(shop, server)
            self.trace: Trace = trace.trace
            trace.save(folder / "trace.json")
            self.found: WrittenTests = write_tests(self.trace, folder / "tests")
        self.text = (folder / "tests" / "test_shop.py").read_text(encoding="utf-8")

    def _call(self, shop: Any, server: NetworkServer) -> None:
        url, silent = server.url, server.silent_url
        shop.rate(url, "EUR"), shop.rate(url, "Zürich"), shop.told(url, {"x": ["ü"]}), shop.moved(f"{url}/moved")
        for fails in (shop.failing, shop.raising):
            with contextlib.suppress(OSError):
                fails(url if fails is shop.failing else silent)
        (
            shop.silent(silent),
            shop.size(url),
            list(shop.lines(url)),
            shop.huge(url),
            shop.several(url, ["a", "bb", "ccc"]),
        )
        shop.stamped(url, "EUR"), shop.rate_of_httpx(url, "EUR"), asyncio.run(shop.later(url, ["A", "BB"]))
        shop.silent_httpx(silent), shop.rate_of_urllib(url, "EUR"), shop.missing(url), shop.silent_urllib(silent)
        shop.rate_of_client("127.0.0.1", server.port), shop.rate_of_urllib3(url), shop.mixed(url)
        shop.counted[0] = 5
        shop.numbered(url)
        shop.private(url), shop.length(url), shop.keyed(url), shop.session(url)

    def test_of(self, name: str) -> str:
        """The text of a function's test."""
        found = re.search(rf"@pytest[^@]*\ndef test_{name}\(.*?(?=\n\n\n|\Z)", self.text, re.DOTALL)
        assert found, f"{name}\n{self.found}"
        return " ".join(found[0].split())

    def why_not(self, name: str) -> list[str]:
        return [one.why for one in self.found.left_out if one.function.endswith(f".{name}")]

    def clone(self, folder: Path, *changes: tuple[str, str]) -> subprocess.CompletedProcess[str]:
        """The tests, run in a clone, with parts of the code changed there."""
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost"]
        if not (self.folder / ".git").exists():
            subprocess.run([*git, "init", "-q"], cwd=self.folder, check=True)
            subprocess.run([*git, "add", self.name, "tests"], cwd=self.folder, check=True)
            subprocess.run([*git, "commit", "-qm", "Tests"], cwd=self.folder, check=True)
        subprocess.run([*git, "clone", "-q", str(self.folder), "clone"], cwd=folder, check=True)
        file = folder / "clone" / self.name / "shop.py"
        text = SHOP
        for before, after in changes:
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        file.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
        env = {
            **os.environ,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return subprocess.run(command, cwd=folder / "clone", env=env, capture_output=True, text=True, check=False)


def only(trace: Trace, *names: str) -> Trace:
    """The calls of some functions."""
    functions = tuple(one for one in trace.functions if one.name in names)
    calls = tuple(one for one in trace.calls if one.function in [each.id for each in functions])
    return dataclasses.replace(trace, functions=functions, calls=calls)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return Written(tmp_path_factory.mktemp("network") / "project")


def test_all_that_is_written_passes_in_a_clone_without_a_network(written: Written, tmp_path: Path) -> None:
    done = written.clone(tmp_path)
    assert done.returncode == 0, done.stdout
    assert " 21 passed" in f" {done.stdout.split(chr(10))[-2]}", f"{done.stdout}\n{written.found}"


CHANGES: list[dict[str, tuple[str, str]]] = [
    {
        "rate": ('{"base": currency}, timeout', '{"base": currency, "at": 1}, timeout'),
        "told": ("json=item", 'json={"x": item}'),
        "silent": ("return requests.get(base).text\n    except requests.R", "return ''\n    except requests.R"),
        "moved": ("requests.get(url)", "requests.get(url, allow_redirects=False)"),
        "rate_of_httpx": ('httpx.get(f"{base}/rates"', 'httpx.get(f"{base}/rate"'),
        "later": ('client.get("/rates"', 'client.get("/rate"'),
        "rate_of_urllib": ("rates?base={currency}", "rates?currency={currency}"),
        "missing": ('urlopen(f"{base}/missing")', 'urlopen(f"{base}/missing", b"")'),
        "rate_of_client": ('request("GET", "/rates")', 'request("GET", "/rates", b"x")'),
        "rate_of_urllib3": ('"base": "EUR"', '"base": "USD"'),
    },
    {
        "rate": ("timeout=5)\n", "timeout=5)\n    requests.get(f'{base}/rates', params={'base': currency})\n"),
        "told": ("session.post(base, json=item)", "session.put(base, json=item)"),
        "silent": (
            "requests.get(base).text\n    except requests.R",
            "requests.get(base + 'x').text\n    except requests.R",
        ),
    },
]
"""What functions that have a test each ask for instead, in two clones."""


@pytest.fixture(scope="module")
def said(written: Written, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What pytest says in these clones."""
    return [written.clone(tmp_path_factory.mktemp("changed"), *each.values()).stdout for each in CHANGES]


@pytest.mark.parametrize(("clone", "name"), [(clone, name) for clone, each in enumerate(CHANGES) for name in each])
def test_a_function_that_asks_for_something_else_fails_its_test(said: list[str], clone: int, name: str) -> None:
    assert f"::test_{name}[" in said[clone]


def test_a_function_that_asks_for_the_same_passes_its_test_beside_those(said: list[str]) -> None:
    assert not [name for name in ("size", "lines", "several") for each in said if f"::test_{name}[" in each]


@pytest.mark.parametrize("name", ["rate", "told", "size"])
def test_requests_are_played_back_by_responses_where_it_is_installed(written: Written, name: str) -> None:
    text = written.test_of(name)
    assert ("with responses.RequestsMock() as network:" in text) is HAS_RESPONSES
    assert ('patch("requests.adapters.HTTPAdapter.send"' in text) is not HAS_RESPONSES
    assert "; the network is played back." in text


@pytest.mark.parametrize("name", ["rate_of_httpx", "later"])
def test_httpx_is_played_back_by_respx_where_it_is_installed(written: Written, name: str) -> None:
    text = written.test_of(name)
    assert ('with respx.mock(using="httpx") as network:' in text) is HAS_RESPX
    assert ('patch("httpx.' in text.replace("( ", "(")) is not HAS_RESPX


def test_answers_are_written_as_a_person_would(written: Written) -> None:
    text = written.test_of("rate")
    assert '\'{"USD": 15, "name": "Zürich"}\'.encode()' in text
    assert '"Content-Type": "application/json"' in text
    assert not [noise for noise in ("Date", "Server", "Set-Cookie", "Content-Encoding") if noise in text]
    assert 'urllib.error.URLError( ConnectionRefusedError(111, "Connection refused")' in written.test_of(
        "silent_urllib"
    )


def test_the_clock_stands_and_the_network_is_played_back_in_one_test(written: Written) -> None:
    assert "played back" in written.test_of("stamped")
    assert "the clock stands" in written.test_of("stamped")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("huge", "more than 64 kB by the network"),
        ("mixed", "more than one library (requests, urllib.request)"),
        ("numbered", "for something else than was recorded"),
        ("session", "raises KeyError (the cookies that it got are not in the trace)"),
        ("keyed", "reads the environment variable SHOP_KEY, which holds a secret"),
    ],
)
def test_what_can_not_be_played_back_is_named(written: Written, name: str, words: str) -> None:
    assert [why for why in written.why_not(name) if words in why], written.found


def test_what_held_a_secret_is_left_out_of_the_tests_of_a_redacted_trace(
    written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = only(read(written.folder / "trace.json"), "private", "keyed", "rate")
    assert trace.functions[0].file.startswith("~")
    monkeypatch.setenv("HOME", str(written.folder.parent))
    monkeypatch.setenv("SHOP_KEY", SHOP_KEY)
    found = write_tests(trace, tmp_path / "tests")
    secret = "sends a secret to the network, or gets one, which was taken out of the trace"
    assert [one.why for one in found.left_out] == [secret, secret]
    assert len(found.tests) == 1


def test_a_trace_without_answers_gives_no_test_and_names_the_network(written: Written, tmp_path: Path) -> None:
    found = write_tests(dataclasses.replace(only(written.trace, "rate"), network=()), tmp_path / "tests")
    assert not found.tests
    assert "wants to connect to 127.0.0.1" in str(found)
