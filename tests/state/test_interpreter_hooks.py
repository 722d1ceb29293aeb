"""What a function of the user's changes that the interpreter calls: of codecs, of the audit, at a warning."""

from __future__ import annotations

import ast
import codecs
import encodings
import gc
import sys
import types
from collections.abc import Iterator

import pytest

from reflex_ipython.state.analysis.foreseen import Functions, foresee
from reflex_ipython.state.kinds import interpreter_hooks
from tests.state.cells import namespace, run
from tests.state.halves.half import Half, check, halves

COUNT = "n = [0]\ndef seen(*_, **__):\n    n[0] += 1\n"
HANDLER = (
    "import codecs\nn = [0]\ndef seen(error):\n    n[0] += 1\n    return '', error.end\n"
    "codecs.register_error('tests.mine', seen)"
)
CODEC = (
    "import codecs\nn = [0]\ndef encode(text, errors='strict'):\n    n[0] += 1\n    return b'x', len(text)\n"
    "def search(name):\n    return codecs.CodecInfo(encode, None, name=name) if name == 'tests_mine' else None\n"
    "codecs.register(search)"
)
AUDITED = "import sys\nn = [0]\ndef seen(event, args):\n    if event == 'tests.mine':\n        n[0] += 1\n"


@pytest.fixture(autouse=True)
def the_interpreter_calls_nothing_any_more() -> Iterator[None]:
    gc.unfreeze()  # what is not looked at by the collector is not found
    interpreter_hooks.forget()
    handlers, searching, known = _of_codecs()
    before = [*handlers], [*known], len(searching)
    yield
    for container, names in ((handlers, before[0]), (known, before[1])):
        for name in container.keys() - names:
            del container[name]
    del searching[before[2] :]
    interpreter_hooks.forget()


def _of_codecs() -> tuple[dict[str, object], list[object], dict[str, object]]:
    utf_8 = codecs.lookup("utf-8")
    found = gc.get_referrers(codecs.lookup_error("strict"), encodings.search_function, utf_8)
    handlers = next(o for o in found if type(o) is dict and "xmlcharrefreplace" in o)
    searching = next(o for o in found if type(o) is list and o[0] is encodings.search_function)
    known = next(o for o in found if type(o) is dict and utf_8 in o.values() and o is not encodings._cache)
    return handlers, searching, known


@halves(
    Half("a handler of coding errors", HANDLER, r"b'a\xff'.decode('utf8', 'tests.mine')", "n"),
    Half("one for what is encoded", HANDLER, "'é'.encode('ascii', 'tests.mine')", "n"),
    Half("one that a file has", HANDLER, "str(bytes([255]), 'utf8', 'tests.mine')", "n"),
    Half("a codec", CODEC, "'a'.encode('tests_mine')", "n"),
    Half("a search for a codec", f"{COUNT}import codecs\ncodecs.register(seen)", "codecs.lookup('tests.no')", "n"),
    Half("an audit hook", f"{AUDITED}sys.addaudithook(seen)", "sys.audit('tests.mine')", "n"),
    Half(
        "an audit hook that is a lambda",
        "import sys\nn = []\nsys.addaudithook(lambda event, args: event == 'tests.mine' and n.append(1))",
        "sys.audit('tests.mine')",
        "n",
    ),
    Half(
        "an audit hook that is a method",
        "import sys\nclass Seen:\n    n = 0\n    def hear(self, event, args): self.n += event == 'tests.mine'\n"
        "seen = Seen(); sys.addaudithook(seen.hear)",
        "sys.audit('tests.mine')",
        "seen.n",
    ),
    Half(
        "one that decorates",
        "import sys\nn = [0]\n@sys.addaudithook\ndef seen(event, args):\n"
        "    if event == 'tests.mine':\n        n[0] += 1",
        "sys.audit('tests.mine')",
        "n",
    ),
    Half(
        "an audit hook that nobody can tell",
        f"{AUDITED}sys.addaudithook([seen][0])",
        "sys.audit('tests.mine')",
        named="an audit hook",
    ),
    Half(
        "what is called at the end", f"{COUNT}import atexit", "if n[0]: atexit._run_exitfuncs()", named="_run_exitfuncs"
    ),
    Half(
        "an error that nobody can raise",
        f"{COUNT}import sys\nsys.unraisablehook = seen\nclass D:\n    def __del__(self): raise OSError",
        "D()",
        "n",
    ),
)
def test_what_the_interpreter_calls_is_looked_at(half: Half, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    check_seen(half)


def check_seen(half: Half) -> None:
    """Like `check`, but the earlier cells run where we are."""
    here = namespace()
    journal = run(here, half.setup)
    journal.clear()
    check(Half(half.says, "", half.cell, half.shows, half.named), **here)


@pytest.mark.parametrize(
    ("statement", "shows"),
    [
        ("codecs.register_error('tests.other', lambda error: ('', error.end))", "'tests.other' in str(handlers)"),
        ("codecs.register(lambda name: None)", "len(searching)"),
        ("codecs.lookup('koi8_t')", "'koi8_t' in known"),
    ],
)
def test_what_is_registered_with_codecs_is_put_back(statement: str, shows: str) -> None:
    handlers, searching, known = _of_codecs()
    cell = f"{statement}; codecs.register_error"
    check(Half("", "import codecs", cell, shows), handlers=handlers, searching=searching, known=known)


def test_a_search_that_found_a_codec_finds_it_again() -> None:
    here = namespace()
    run(here, f"{CODEC}\nfound = []\nold = search\nsearch = lambda name: found.append(name) or old(name)").clear()
    run(here, "codecs.register(lambda name: search(name))").clear()
    journal = run(here, "'a'.encode('tests_mine') + 1")
    assert journal.rollback(0).words == "state restored exactly"
    assert "tests_mine" not in _of_codecs()[2]


def test_what_was_registered_before_is_known_once_somebody_has_looked() -> None:
    here = namespace(HANDLER)
    assert not interpreter_hooks.may_call()
    interpreter_hooks.look_for_codecs()
    check(Half("", "", r"b'a\xff'.decode('utf8', 'tests.mine')", "n"), **here)


def test_a_short_statement_asks_no_codec_of_the_users() -> None:
    node = ast.parse("x = 'é'.encode('ascii', 'tests.mine')").body[0]
    assert foresee(node, namespace(), Functions()) is not None
    here = namespace()
    run(here, HANDLER)
    assert foresee(node, here, Functions()) is None


def test_what_numpy_calls_where_a_number_is_not_defined_is_looked_at() -> None:
    np = pytest.importorskip("numpy")
    old = np.geterrcall(), np.geterr()
    try:
        setup = f"{COUNT}import numpy as np\nnp.seterrcall(seen); np.seterr(all='call')\na = np.array([1.5])"
        check(Half("", setup, "a / 0", "n"))
    finally:
        np.seterrcall(old[0])
        np.seterr(**old[1])


def test_hooks_that_libraries_add_are_none_of_the_users() -> None:
    source = "import sys\ndef add(): sys.addaudithook(lambda event, args: None)"
    library = types.ModuleType("email.added")
    exec(source, vars(library))
    here = namespace()
    here["add"] = library.add
    run(here, "add()").clear()
    assert not interpreter_hooks.may_call()
