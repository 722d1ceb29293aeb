"""What a trial reports is what happened, whatever the cell does to pipes, modules, frames or Python itself."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

from reflex_ipython.check.trial.channel import Receiver, key, sender
from reflex_ipython.check.trial.testimony import is_over, over, read
from tests.check.build import codes, edits
from tests.check.conftest import Start, Try

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

FORGED = repr(json.dumps({"outcome": "passed", "result": "'forged'"}))
EVERYWHERE = f"""
import os, itertools
def forge():
    for fd in range(3, 1100):
        for head in (b'', bytes(28), b'over\\x1f'):
            try: os.write(fd, head + {FORGED}.encode())
            except OSError: pass
"""
MODULES = "import sys\nours = [m for n, m in list(sys.modules.items()) if n.startswith('reflex_ipython')]\n"

FORGERIES = {
    "to every descriptor": EVERYWHERE + "forge()\n1 / 0",
    "to every descriptor, and gone": EVERYWHERE + "forge()\nos._exit(0)",
    "gone at once": "import os\nos._exit(0)",
    "by a thread that goes on": EVERYWHERE
    + "import threading, time\nt = threading.Thread(target=lambda: [forge() for _ in range(99)], daemon=True)\n"
    "t.start()\ntime.sleep(0.05)\n1 / 0",
    "at exit": EVERYWHERE + "import atexit\natexit.register(forge)\nraise SystemExit",
    "in a finalizer": EVERYWHERE + "class F:\n    def __del__(self): forge()\nkept = F()\n1 / 0",
    "from a signal handler": EVERYWHERE + "import signal\nsignal.signal(signal.SIGALRM, lambda *a: forge())\n"
    "signal.setitimer(signal.ITIMER_REAL, 0.001)\nsum(range(10**6))\n1 / 0",
    "all descriptors closed": "import os\nos.closerange(3, 5000)\n1 / 0",
    "all descriptors replaced": "import os\nr, w = os.pipe()\nfor fd in range(3, 1100):\n"
    "    if fd not in (r, w):\n        try: os.fstat(fd); os.dup2(w, fd)\n        except OSError: pass\n1 / 0",
    "json.dumps": f"import json\njson.dumps = lambda *a, **k: {FORGED}\n1 / 0",
    "json's encoder": f"import json\njson.JSONEncoder.encode = lambda *a, **k: {FORGED}\n1 / 0",
    "os.write": f"import os\nold = os.write\n"
    f"os.write = lambda fd, data: old(fd, {FORGED}.encode()) and len(data)\n1 / 0",
    "sys.audit": "import sys\nsys.audit = lambda *a: None\n1 / 0",
    "builtins": "import builtins\nbuiltins.isinstance = lambda *a: False\nbuiltins.len = lambda *a: 0\n1 / 0",
    "dataclasses": "import dataclasses\ndataclasses.replace = lambda one, **k: type(one)('passed')\n1 / 0",
    "the runner, imported": "import reflex_ipython.check.trial.candidate as c\n"
    "c._Candidate._seen = lambda *a, **k: c.Trial('passed')\n1 / 0",
    "the judge, imported": "from reflex_ipython.check.trial import refusal\n"
    "refusal.judge = lambda *a: ('passed', '')\n1 / 0",
    "the model": "from reflex_ipython import models\nmodels.Trial = lambda *a, **k: None\n1 / 0",
    "all our functions": MODULES + "for m in ours:\n    for name, value in list(vars(m).items()):\n"
    "        if callable(value): setattr(m, name, lambda *a, **k: None)\n1 / 0",
    "the code of all our functions": MODULES + "import types\nfor m in ours:\n"
    "    for value in list(vars(m).values()):\n"
    "        if type(value) is types.FunctionType and not value.__closure__:\n"
    "            value.__code__ = (lambda *a, **k: None).__code__\n1 / 0",
    "the classes found by their base": "for kind in object.__subclasses__():\n"
    "    if kind.__module__.startswith('reflex_ipython'):\n"
    "        for name in list(vars(kind)):\n            if not name.startswith('__'):\n"
    "                try: setattr(kind, name, lambda *a, **k: None)\n"
    "                except (AttributeError, TypeError): pass\n1 / 0",
    "the functions in builtins": "import builtins\nnames = builtins.input.__globals__\n"
    "names['refusal'].judge = lambda *a: ('passed', '')\n1 / 0",
    "the collector's objects": "import gc\nfor one in gc.get_objects():\n"
    "    if type(one).__name__ == '_Candidate': type(one)._seen = lambda *a, **k: type(one.trial)('passed')\n1 / 0",
    "the frames": "import sys\nf = sys._getframe()\nwhile f:\n"
    "    me = f.f_locals.get('self')\n    if type(me).__name__ == '_Candidate':\n"
    "        type(me)._seen = lambda *a, **k: type(me.trial)('passed')\n    f = f.f_back\n1 / 0",
    "the trial's own notes": "import sys\nsys.audit('reflex_ipython.trial.over', '{}')\n"
    "sys.audit('reflex_ipython.trial.raised', 1)\n1 / 0",
}


@pytest.mark.parametrize("source", FORGERIES.values(), ids=FORGERIES)
def test_a_cell_that_fails_is_never_reported_as_one_that_passed(attempt: Try, source: str) -> None:
    trial = attempt(source)
    assert trial.outcome in ("other_error", "inconclusive"), trial
    assert trial.reason or trial.ename, trial
    assert trial.result == ""


def test_what_could_not_be_hidden_is_told_in_words(attempt: Try) -> None:
    told = {
        name: attempt(FORGERIES[name]).reason for name in ("to every descriptor", "the runner, imported", "builtins")
    }
    assert told["to every descriptor"] == "it wrote into the trial's own report, so nothing is proven"
    assert told["the runner, imported"].startswith("it tampered with the trial, so nothing is proven: it import")
    assert told["builtins"].endswith("it replaced builtins.len") or told["builtins"].endswith("builtins.isinstance")


def test_how_far_a_cell_came_that_tampered_is_not_known(attempt: Try) -> None:
    trial = attempt(FORGERIES["builtins"])
    assert (trial.outcome, trial.lineno, trial.statement) == ("inconclusive", None, "")


HIDING = {
    "a judge that puts itself back": "import builtins\nnames = builtins.input.__globals__\n"
    "judge = names['refusal'].judge\n"
    "def forge(*a):\n    names['refusal'].judge = judge\n    return 'passed', ''\n"
    "names['refusal'].judge = forge\n1 / 0",
    "a runner that puts itself back": "import builtins\nkind = builtins.input.__globals__['_Candidate']\n"
    "seen = kind._seen\n"
    "def forge(self, *a, **k):\n    kind._seen = seen\n    return type(self.trial)('passed')\n"
    "kind._seen = forge\n1 / 0",
}


@pytest.mark.parametrize("source", HIDING.values(), ids=HIDING)
def test_an_exception_is_told_before_anybody_can_hide_it(attempt: Try, source: str) -> None:
    trial = attempt(source)
    assert (trial.outcome, trial.reason) == (
        "inconclusive",
        "it hid an exception from the trial, so nothing is proven",
    )


LOOKING = {
    "import gc\nlen(gc.get_objects())": "looks through all of Python's objects (gc.get_objects)",
    "import gc\ngc.get_referrers([])": "looks through all of Python's objects (gc.get_referrers)",
    "import sys\nsys._getframe().f_back": "looks into its callers' frames",
    "import inspect\ninspect.currentframe().f_back": "looks into its callers' frames",
    "import inspect\ninspect.stack()": "looks into its callers' frames",
    "try: 1 / 0\nexcept Exception as e: e.__traceback__.tb_frame.f_back": "looks into its callers' frames",
    "def g(): yield\ng().gi_frame": "looks into its callers' frames",
    "import sys\nsys.settrace(lambda *a: None)\nsys.settrace(None)": "traces its callers' frames",
    "import ctypes\nctypes.CDLL(None).getpid() > 0": "calls C functions (ctypes); a trial can't see all they do",
    "import ctypes\nctypes.string_at(id(1), 8)": "calls C functions (ctypes); a trial can't see all they do",
    "open('/proc/self/mem', 'rb').close()": "opens /proc/self/mem",
    "exec('import gc; gc.get_objects()')": "looks through all of Python's objects (gc.get_objects)",
}


def test_a_green_of_a_cell_that_looks_behind_python_has_a_finding(start: Start) -> None:
    zygote = start()
    for source, words in LOOKING.items():
        trial = zygote.trial(edits(source))
        assert (trial.outcome, [effect.text for effect in trial.effects]) == ("passed", [words]), source
        assert codes("1 / 0", source, trial).count("acts-outside") == 1


LIBRARIES = [
    "import collections; collections.namedtuple('T', 'a b')",
    "import logging; logging.getLogger('x').warning('w')",
    "import dataclasses\n@dataclasses.dataclass\nclass D: x: int = 1\nD()",
    "import enum; enum.Enum('E', 'a b')",
    "import traceback\ntry: 1 / 0\nexcept Exception: traceback.format_exc()",
    "import inspect, textwrap; inspect.signature(textwrap.dedent), inspect.getsource(textwrap)",
    "import unittest.mock as m\nwith m.patch('os.getcwd', return_value='x'): pass",
    "import contextlib\n@contextlib.contextmanager\ndef c(): yield\nwith c(): pass",
    "import json\nclass E(json.JSONEncoder): pass\n"
    "json.JSONEncoder.default = lambda self, o: str(o)\njson.dumps(object)",
    "import typing\nclass G(typing.Generic[typing.TypeVar('T')]): pass",
    "import pickle; pickle.loads(pickle.dumps({1: [2]}))",
    "import functools, time; time.sleep = functools.partial(time.sleep)",
]


def test_what_libraries_do_by_themselves_is_no_finding(start: Start) -> None:
    zygote = start()
    for source in LIBRARIES:
        trial = zygote.trial(edits(source))
        assert (trial.outcome, trial.effects) == ("passed", ()), (source, trial)


def test_the_folder_for_temporary_files_looks_as_it_does_in_the_kernel(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variables in ({}, {"TMPDIR": "/var/tmp", "TEMP": "/tmp"}):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        source = (
            "import os, tempfile\n(tempfile.gettempdir(), tempfile.gettempdirb(), tempfile.tempdir, "
            "[os.environ.get(n) for n in ('TMPDIR', 'TEMP', 'TMP')], sorted(os.environ))"
        )
        expected = (
            tempfile.gettempdir(),
            tempfile.gettempdirb(),
            tempfile.tempdir,
            [os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")],
        )
        zygote = start()
        assert zygote.trial(edits(source)).result.startswith(repr(expected)[:-1])
        made = (
            "import tempfile\nwith tempfile.NamedTemporaryFile() as f, tempfile.TemporaryDirectory() as d:\n"
            "    f.write(b'x'); open(d + '/y', 'w').close()\n'fine'"
        )
        assert zygote.trial(edits(made)).result == "'fine'"


def test_c_code_that_asks_for_the_temporary_folder_is_told_one_that_it_may_use(attempt: Try) -> None:
    source = (
        "import ctypes\ngetenv = ctypes.CDLL(None).getenv\ngetenv.restype = ctypes.c_char_p\n"
        "for name in (b'TMPDIR', b'TEMP', b'TMP'): open(getenv(name).decode() + '/x', 'w').close()"
    )
    assert attempt(source).outcome == "passed"


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Its two ends."""
    ends = os.pipe()
    yield ends
    for fd in ends:
        os.close(fd)


def _received(pipe: tuple[int, int], secret: bytearray) -> Receiver:
    receiver = Receiver(secret, is_over)
    receiver.feed(os.read(pipe[0], 1 << 16))
    return receiver


def test_messages_are_taken_once_in_full_and_none_after_the_last(pipe: tuple[int, int]) -> None:
    secret = key()
    given = bytearray(secret)
    note, last = sender(pipe[1], given)
    assert given == bytes(32), "the key is left with the cell"
    note(b"raised")
    note(b"effect\x1f" + b"x" * 100_000)
    last(over('{"outcome": "passed"}'))
    note(b"raised")
    receiver = _received(pipe, secret)
    told = read(receiver.messages)
    assert (receiver.over, receiver.forged, len(receiver.messages)) == (True, False, 3)
    assert (told.raised, told.report) == (True, {"outcome": "passed"})


@pytest.mark.parametrize("attack", ["another key", "a copy", "a gap", "a change", "a size"])
def test_what_the_sender_did_not_send_is_seen(pipe: tuple[int, int], attack: str) -> None:
    secret = key()
    note, last = sender(pipe[1], bytearray(secret))
    note(b"raised")
    first = os.read(pipe[0], 1000)
    note(b"tampered\x1fx")
    second = os.read(pipe[0], 1000)
    last(over("{}"))
    third = os.read(pipe[0], 1000)
    sent = {
        "another key": first + second + _others(),
        "a copy": first + first + second + third,
        "a gap": first + third,
        "a change": first + second.replace(b"x", b"y") + third,
        "a size": first + b"\xff" * 28,
    }[attack]
    receiver = Receiver(secret, is_over)
    for index in range(len(sent)):
        receiver.feed(sent[index : index + 1])
    assert receiver.forged


def _others() -> bytes:
    reading, writing = os.pipe()
    sender(writing, key())[1](over('{"outcome": "passed"}'))
    found = os.read(reading, 1000)
    os.close(reading)
    os.close(writing)
    return found


def test_a_report_that_is_no_json_is_no_report(pipe: tuple[int, int]) -> None:
    for text in ("{", "[]", "null", ""):
        assert read([over(text)]).report is None


def test_in_ipython_an_exception_can_not_be_hidden_either(start: Start) -> None:
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    from reflex_ipython.ipython.trial_runner import ShellRunner

    config = Config()
    config.HistoryManager.enabled = False
    shell: Any = InteractiveShell.instance(config=config)
    try:
        zygote = start(runner=ShellRunner(shell, lambda edit: None, lambda edit: None))
        hidden = "it hid an exception from the trial, so nothing is proven"
        silent = "ip = get_ipython()\nip.showtraceback = lambda *a, **k: None\n"
        result = "from IPython.core.interactiveshell import ExecutionResult as E\nE.error_in_exec = None\n"
        for source, expected in {
            silent + result + "E.error_in_exec = property(lambda s: None, lambda s, v: None)\n1 / 0": hidden,
            "ip = get_ipython()\nasync def fake(*a, **k): return False\nip.run_code = fake\n1 / 0": "replaced",
            "ip = get_ipython()\nasync def fake(*a, **k): return False\ntype(ip).run_ast_nodes = fake\n1 / 0": None,
            "async def fake(*a, **k): return False\nget_ipython().run_code = fake\n0\n1 / 0": "replaced",
        }.items():
            trial = zygote.trial(edits(source))
            assert trial.outcome in ("other_error", "inconclusive"), (source, trial)
            assert expected is None or expected in trial.reason, (source, trial)
        for harmless in (silent + "ip.run_cell('1/0'); 5", "get_ipython().ast_node_interactivity = 'all'\n1\n5"):
            trial = zygote.trial(edits(harmless))
            assert (trial.outcome, trial.result, trial.effects) == ("passed", "5", ()), harmless
    finally:
        InteractiveShell.clear_instance()
