"""Secrets in all places of a notebook, and what a model's server really gets of them."""

from __future__ import annotations

import ast
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reflex_ipython.capture import held_secrets
from reflex_ipython.capture.redactor import SecretRedactor
from reflex_ipython.capture.secrets.find import find
from reflex_ipython.models import Failure, Repair, Verdict
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.protocols import Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.repairs.pipeline import grow
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer
from tests.capture.conftest import Notebook
from tests.hostile import planted

WHOLE = bool(os.environ.get("HOSTILE_WHOLE"))
Case = tuple[str, str, Callable[["Sent"], str]]
"""Text, secret (or the text that must arrive), and what puts it into a notebook and gives what was sent."""


class Sent:
    """Asks a real server about a notebook's failure, and gives what it got."""

    def __init__(self, server: ScriptedServer) -> None:
        self._server = server

    def __call__(self, failure: Failure, hint: str = "", known: frozenset[str] = frozenset()) -> str:
        settings = Settings(model="scripted", base_url=self._server.base_url, timeout=30.0)
        provider = ModelProvider(Context(lambda: settings, MemoryStore()))
        repair = Repair("r", "s", failure)
        request = Request(hint=hint, cancelled=threading.Event())
        before = len(self._server.chats)
        redactor = SecretRedactor(home="/home/ann", user="ann", known=known)
        list(grow(repair, [provider], lambda *_: Verdict(), request, lambda: redactor))
        assert len(self._server.chats) == before + 1
        messages = self._server.chats[-1].json["messages"]
        return "\n".join(message["content"] for message in messages)

    def in_cell(self, text: str) -> str:
        notebook = Notebook()
        return self(notebook.fail(f"{text}\nnothing_like_it", "nothing_like_it"))

    def in_earlier_cell(self, text: str) -> str:
        notebook = Notebook()
        notebook.run(f"def load():\n    nothing_like_it\n\n\n{text}", "def load():\n    nothing_like_it\n")
        return self(notebook.fail("load()"))

    def in_message(self, text: str) -> str:
        notebook = Notebook()
        notebook.namespace["told"] = [text]
        notebook.run("def stop():\n    raise RuntimeError(told[0])")
        return self(notebook.fail("stop()"))

    def in_value(self, text: str) -> str:
        notebook = Notebook()
        notebook.namespace["told"] = text
        return self(notebook.fail("told.nothing_like_it"))

    def in_items(self, text: str) -> str:
        notebook = Notebook()
        notebook.namespace["told"] = {"a": 1, "text": text}
        return self(notebook.fail("told.nothing_like_it"))

    def in_hint(self, text: str) -> str:
        return self(Notebook().fail("nothing_like_it"), hint=text)


def quoted(text: str) -> str:
    return f"x = {text!r}" if "\n" not in text else f'x = """{text}"""'


def secret_cases() -> Iterator[Case]:
    for service, make in planted.BY_SHAPE.items():
        key = make(service)
        yield quoted(key), key, Sent.in_cell
        yield quoted(key), key, Sent.in_earlier_cell
        if len(key) < 150 and "\n" not in key:
            yield f"the key {key} was not accepted", key, Sent.in_message
            yield key, key, Sent.in_hint
        if len(key) < 55:
            yield key, key, Sent.in_value
    for text, make in planted.IN_CODE:
        key = make(text)
        yield text.replace("§", key), key, Sent.in_cell
        if not text.startswith("%%"):
            yield text.replace("§", key), key, Sent.in_earlier_cell
    for text in planted.IN_WORDS:
        key = planted.password(text)
        for place in (Sent.in_message, Sent.in_value, Sent.in_items, Sent.in_hint):
            yield text.replace("§", key), key, place
        yield f"text = {text.replace('§', key)!r}", key, Sent.in_cell
        yield "\n".join(f"# {line}" for line in text.replace("§", key).split("\n")), key, Sent.in_cell


def harmless_cases() -> Iterator[Case]:
    for text in planted.HARMLESS_CODE:
        yield text, text, Sent.in_cell
        yield text, text, Sent.in_earlier_cell
    for text in planted.HARMLESS_WORDS:
        yield text, text, Sent.in_message
        yield text, text, Sent.in_hint
        yield f"# {text}", text, Sent.in_cell


@pytest.fixture(scope="module")
def sent() -> Iterator[Sent]:
    with ScriptedServer(answer=lambda question: Say(["I do not know."])) as server:
        yield Sent(server)


def some(cases: Iterator[Case]) -> list[Case]:
    """All cases, or every third of them: each row of the tables is there in one place at least."""
    found = list(cases)
    return found if WHOLE else found[::3]


def test_secrets_are_withheld_wherever_they_stand(sent: Sent) -> None:
    cases = some(secret_cases())
    gone = [(place.__name__, text) for text, key, place in cases if _shows(key, place(sent, text))]

    assert len(cases) >= 150
    assert len(gone) <= 0.03 * len(cases), "\n".join(f"{place}: {text[:140]!r}" for place, text in gone)


def test_harmless_look_alikes_arrive_as_they_are(sent: Sent) -> None:
    cases = some(harmless_cases())
    damaged = [(place.__name__, text) for text, wanted, place in cases if wanted not in place(sent, text)]

    assert len(cases) >= 80
    assert len(damaged) <= 0.03 * len(cases), "\n".join(f"{place}: {text[:140]!r}" for place, text in damaged)


def _shows(key: str, sent: str) -> bool:
    lines = key.split("\n")
    return any(line in sent for line in ([key] if len(lines) == 1 else lines[1:-1]))


# ------------------------------------------------------------------------------------------ live values

HELD = planted.password("held by a value")
LIVE: dict[str, tuple[str, str]] = {
    "a column": ("import pandas as pd\ntold = pd.DataFrame({'user': ['ann'], 'password': [§]})", "told['nothing']"),
    "a column in an object": ("import pandas as pd\ntold = {'t': pd.DataFrame({'pwd': [§]})}", "told['t']['nothing']"),
    "a series": ("import pandas as pd\ntold = pd.Series([§], name='password')", "told['nothing']"),
    "a table as text": (
        "import pandas as pd\ntold = pd.DataFrame({'user': ['ann'], 'password': [§]})",
        "raise ValueError(told.to_string())",
    ),
    "an array": ("import numpy as np\npasswords = np.array([§, §])", "passwords.nothing"),
    "a dict": ("told = {'user': 'ann', 'password': §}", "told.nothing"),
    "a dict in a dict": ("told = {'db': {'user': 'ann', 'db_password': §}}", "told.nothing"),
    "a list of dicts": ("told = [{'user': 'ann', 'password': §}]", "told.nothing"),
    "a list": ("passwords = ['x', §]", "passwords.nothing"),
    "an attribute": ("class Login: pass\ntold = Login()\ntold.password = §", "told.nothing"),
    "a slot": ("class Login: __slots__ = ('password',)\ntold = Login()\ntold.password = §", "told.nothing"),
    "a class of settings": ("class Config:\n    api_key = §", "raise ValueError(Config.api_key)"),
    "an enumeration": (
        "import enum\nclass Keys(enum.Enum):\n    API_KEY = §", "raise ValueError(Keys.API_KEY.value)",
    ),
    "an object of a class of settings": (
        "class Base:\n    api_key = §\nclass Config(Base): pass\nconfig = [Config()]\ndel Base, Config",
        "raise ValueError(config[0].api_key)",
    ),
    "a data class": (
        "import dataclasses\n@dataclasses.dataclass\nclass Login:\n    user: str\n    password: str\ntold = Login('ann', §)",
        "raise ValueError(told)",
    ),
    "a named tuple": (
        "import collections\nLogin = collections.namedtuple('Login', 'user password')\ntold = Login('ann', §)",
        "told.nothing",
    ),
    "bytes": ("password = §.encode()", "password.nothing"),
    "a key that is not there": ("password = §\nusers = {}", "users[password]"),
    "a variable of a function": ("def login(password):\n    raise ValueError('no: ' + password)\nhidden = [§]", "login(hidden[0])"),
    "a variable that no line shows": (
        "import functools\npassword = §\ndef stop():\n    raise ValueError('no ' + globals()['pass' + 'word'])",
        "stop()",
    ),
    "a url that was made of it": (
        "import urllib.parse\npassword = §\nurl = 'https://x/?q=' + urllib.parse.quote(password, safe='')",
        "raise ValueError(url)",
    ),
    "a repr of it": ("password = §\ntold = repr(repr([password]))", "raise ValueError(told)"),
    "JSON of it": ("import json\npassword = §\ntold = json.dumps(json.dumps([password]))", "raise ValueError(told)"),
    "a note": ("password = §\nerror = ValueError('x')\nerror.__notes__ = ['with ' + password]", "raise error"),
    "a cause": ("password = §", "try:\n    {}[password]\nexcept KeyError as error:\n    raise ValueError('x') from error"),
    "a comparison": ("client_secret = § * 3", "assert client_secret == 'x', client_secret"),
    "an instance in a list": ("class Login: pass\none = Login()\none.api_secret = §\ntold = [one]", "told.nothing"),
    "an environment of a process": ("env = {'PATH': '/bin', 'PGPASSWORD': §}", "raise ValueError(env)"),
    "an argument list": ("told = ['mysql', '--password', §]", "raise ValueError(told)"),
}  # fmt: skip


@pytest.mark.parametrize(
    "value", [HELD, HELD + "'\"\\\n&é" + HELD[::-1], "(" + HELD * 12 + ")"], ids=["plain", "signs", "long"]
)
@pytest.mark.parametrize("kind", LIVE)
def test_what_a_live_value_holds_is_withheld(sent: Sent, kind: str, value: str) -> None:
    made, failing = LIVE[kind]
    notebook = Notebook()
    notebook.namespace["given"] = [value]
    notebook.run(made.replace("§", "given[0]"))
    error = notebook.error(failing)
    known = held_secrets(notebook.namespace, {}, error.__traceback__)
    told = sent(notebook.capture(error, failing), known=known)

    assert HELD[:8] not in told
    assert HELD[-8:] not in told


def test_what_a_module_of_the_users_holds_is_withheld(
    sent: Sent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_config.py").write_text(f"DB_PASSWORD = {HELD!r}\nclass Login:\n    token = {HELD[::-1]!r}\n")
    monkeypatch.syspath_prepend(tmp_path)
    notebook = Notebook()
    notebook.run("import own_config as config")
    failing = "raise ValueError(config.DB_PASSWORD + ' or ' + config.Login.token)"
    error = notebook.error(failing)
    known = held_secrets(notebook.namespace, {})
    monkeypatch.delitem(sys.modules, "own_config")

    assert known == {HELD, HELD[::-1]}
    told = sent(notebook.capture(error, failing), known=known)
    assert HELD not in told
    assert HELD[::-1] not in told


def test_what_the_environment_holds_is_withheld(sent: Sent) -> None:
    known = held_secrets({}, {"SALES_DB_PASSWORD": HELD, "PWD": "/home/ann/data", "MAX_TOKENS": "4096", "USER": "ann"})
    notebook = Notebook()
    notebook.namespace["told"] = [f"could not open {HELD} in /home/ann/data"]
    told = sent(notebook.fail("raise OSError(told[0])"), known=known)

    assert known == {HELD}
    assert HELD not in told


def test_no_code_of_the_users_runs_to_find_them() -> None:
    class Evil:
        def __getattribute__(self, name: str) -> object:
            raise SystemExit("asked")

        __hash__ = __eq__ = __iter__ = __len__ = __repr__ = __getattribute__  # type: ignore[assignment]

    assert held_secrets(
        {"password": Evil(), "x": {"password": Evil(), Evil: "y"}, "y": [Evil()], "pwd2": HELD}, {}
    ) == {HELD}


def test_the_shell_is_not_looked_through_though_names_of_its_own_lead_there() -> None:
    class Exit:
        def __init__(self) -> None:
            self.shell = {"password": HELD}

    assert held_secrets({"exit": Exit()}, {}) == {HELD}
    Exit.__module__ = "IPython.core.autocall"
    assert held_secrets({"exit": Exit()}, {}) == set()


# ------------------------------------------------------------------------------------------ beside words


@pytest.mark.parametrize(
    ("text", "withheld"),
    [
        ("(ann, Gr4nite-18c6Eu) rejected: wrong password", ["Gr4nite-18c6Eu"]),
        ("the credentials Gr4nite-18c6Eu and q7Wx9Zt2 were tried", ["Gr4nite-18c6Eu", "q7Wx9Zt2"]),
        ("(ann, Gr4nite-18c6Eu) are two columns", []),
        ("Conv2DTranspose needs no password", []),
        ("Llama3-8B-Instruct needs a password", []),
        ("no token 0136uXT3yKW5ds3g9UFCGbHZIibp9foNlkgtqJ09", ["0136uXT3yKW5ds3g9UFCGbHZIibp9foNlkgtqJ09"]),
        ("token of revision: 4a306de2b3c4d5e6f708192a3b4c5d6e7f809102", []),
    ],
)
def test_what_looks_chosen_or_drawn_is_a_secret_beside_a_word_that_says_so(text: str, withheld: list[str]) -> None:
    assert [text[one.start : one.end] for one in find(text)] == withheld


# ------------------------------------------------------------------------------------------ once known

KNOWN = "zanzibar#77/Kestrel+xyz&orchid"


@pytest.mark.parametrize(
    "elsewhere",
    [
        f"no {KNOWN}!",
        KNOWN.replace("#", "%23").replace("/", "%2F").replace("+", "%2B").replace("&", "%26"),
        KNOWN.replace("#", "%23").replace("/", "%2f").replace("+", "%2b").replace("&", "%26"),
        KNOWN.replace("&", "&amp;"),
        f"('{KNOWN[:13]}'\n '{KNOWN[13:]}')",
        f"['{KNOWN[:20]}'\n    '{KNOWN[20:]}']",
        f"{KNOWN[:11]}\n{KNOWN[11:]}",
        f"'{KNOWN[:12]}…'",
        f"{KNOWN[:16]}...",
        f"x{KNOWN}x",
        f"{KNOWN}{KNOWN}",
        f"{KNOWN[:6]}{KNOWN}",
    ],
)
def test_a_secret_that_one_text_gives_away_is_withheld_in_all(sent: Sent, elsewhere: str) -> None:
    notebook = Notebook()
    notebook.namespace["told"] = [elsewhere]
    for place in ("message", "hint"):
        if place == "message":
            told = sent(notebook.fail(f"raise ValueError(told[0])  # password = {KNOWN!r}"))
        else:
            told = sent(notebook.fail(f"nothing  # password = {KNOWN!r}"), hint=elsewhere)
        assert KNOWN[:8] not in told
        assert KNOWN[-8:] not in told


def test_a_hint_gives_away_what_the_cell_has(sent: Sent) -> None:
    told = sent(Notebook().fail(f"connect('{KNOWN}')"), hint=f"why is the password '{KNOWN}' not accepted?")
    assert KNOWN not in told
    assert "connect('REDACTED_1')" in told


# ------------------------------------------------------------------------------------------ code stays code


def test_redacted_code_parses_where_it_did_and_comes_back_as_it_was() -> None:
    broken = []
    for text, make in planted.IN_CODE:
        source = text.replace("§", make(text))
        redactor = SecretRedactor(home="/home/ann", user="ann")
        redacted = redactor.text(source, code=True)
        assert redactor.restore(redacted) == source
        if _parses(source) and not _parses(redacted):
            broken.append(redacted)
    assert broken == []


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def test_a_fix_comes_back_with_the_secrets_in_it(sent: Sent) -> None:
    source = f"connect('ann', password={KNOWN!r}, timeout=none)"
    answer = "A name.\n```python\nconnect('ann', password='REDACTED_1', timeout=None)\n```"
    with ScriptedServer(Say([answer])) as server:
        settings = Settings(model="scripted", base_url=server.base_url, timeout=30.0)
        provider = ModelProvider(Context(lambda: settings, MemoryStore()))
        repair = Repair("r", "s", Notebook().fail(source))
        (grown,) = grow(repair, [provider], lambda *_: Verdict(), Request(), SecretRedactor)
    assert grown.fixes[0].edits[-1].source == source.replace("none", "None")
    assert grown.fixes[0].edits[-1].expected == source


# ------------------------------------------------------------------------------------------ time

LENGTH = 1_000_000 if WHOLE else 200_000
"""Characters of a long line."""

LONG = (
    "_", "-", "sk-", "password=", "password: ", "http:", "://", "a.", "eyJ-", "eyJa.", "AKIA", "aws ", "auth=(a,", "\"", "'", "\\n",
    "cookie: a=", "insert into a (", "password,", "token\n", "-----BEGIN PRIVATE KEY-----", "xoxb-1-", "key-", "[", "x=!", " ", "0", "é",
)  # fmt: skip


@pytest.mark.parametrize("piece", LONG if WHOLE else LONG[::4])
@pytest.mark.parametrize("code", [True, False])
def test_a_long_line_takes_a_time_that_grows_with_its_length_alone(piece: str, code: bool) -> None:
    text = piece * (LENGTH // len(piece))
    short, long = (_seconds(text[:size], code) for size in (LENGTH // 10, LENGTH))
    assert long < 40 * short + 1.0


def _seconds(text: str, code: bool) -> float:
    began = time.process_time()
    SecretRedactor(home="/home/eve", user="eve").learn((text,)) if not code else find(text, code=True)
    return time.process_time() - began


@pytest.mark.parametrize("text", ["A" * 190 + "a1+", "Aa1." * 45 + "+", "Ab_" * 60 + "1+"], ids=lambda text: text[:8])
def test_a_value_that_can_be_taken_apart_in_many_ways_is_taken_apart_in_one(text: str) -> None:
    assert _seconds(f"connect({text!r})  # the password", code=True) < 10
