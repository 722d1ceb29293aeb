"""What modules have one of, and a line of a notebook may change: put back, or named where that can't be."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
from collections.abc import Iterator

import pytest

from reflex_ipython.state.kinds import interpreter_hooks
from tests.state.halves.half import Half, check, check_read, halves

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def collector_alarm_and_hooks_are_as_they_were() -> Iterator[None]:
    enabled = gc.isenabled()
    yield
    interpreter_hooks.forget()
    (gc.enable if enabled else gc.disable)()
    signal.alarm(0)


PYTHON = (
    Half(
        "a signal handler",
        "import signal",
        "signal.signal(signal.SIGUSR1, lambda *_: 0)",
        "signal.getsignal(signal.SIGUSR1)",
    ),
    Half(
        "a signal handler through a function",
        "import signal\ndef f():\n    signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "f()",
        "signal.getsignal(signal.SIGUSR1)",
    ),
    Half(
        "a signal handler by a name of the module",
        "from signal import signal, getsignal, SIGUSR2",
        "signal(SIGUSR2, lambda *_: 0)",
        "getsignal(SIGUSR2)",
    ),
    Half("an alarm", "import signal", "signal.alarm(1000)", "signal.getitimer(signal.ITIMER_REAL)[0] > 0"),
    Half(
        "an alarm that was set",
        "import signal; signal.alarm(2000)",
        "signal.alarm(1000)",
        "round(signal.getitimer(signal.ITIMER_REAL)[0], -2)",
    ),
    Half(
        "a signal that is blocked",
        "import signal",
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
        "signal.pthread_sigmask(signal.SIG_BLOCK, ())",
    ),
    Half("os.umask", "import os\ndef mask():\n    m = os.umask(0); os.umask(m); return m", "os.umask(0o017)", "mask()"),
    Half(
        "os.umask by its name",
        "import os\nfrom os import umask\ndef mask():\n    m = os.umask(0); os.umask(m); return m",
        "umask(0o017)",
        "mask()",
    ),
    Half("sys.path", "import sys", "sys.path.append('/nowhere')", "sys.path"),
    Half("sys.path that is replaced", "import sys", "sys.path = ['/nowhere', *sys.path]", "sys.path"),
    Half("sys.argv", "import sys", "sys.argv[1:] = ['a']", "sys.argv"),
    Half("sys.meta_path", "import sys", "sys.meta_path.append(1)", "sys.meta_path"),
    Half(
        "the profiler of new threads",
        "import threading\ndef look(*_): pass",
        "threading.setprofile(look)",
        "threading._profile_hook",
    ),
    Half(
        "the tracer of new threads",
        "import threading\ndef look(*_): pass",
        "threading.settrace(look)",
        "threading._trace_hook",
    ),
    Half(
        "what tells of a thread's error",
        "import threading\ndef tell(error): pass",
        "threading.excepthook = tell",
        "threading.excepthook",
    ),
    Half(
        "a type that SQLite takes",
        "import sqlite3\nclass Point: pass",
        "sqlite3.register_adapter(Point, str)",
        "(Point, sqlite3.PrepareProtocol) in sqlite3.adapters",
    ),
    Half(
        "a type that SQLite gives",
        "import sqlite3",
        "sqlite3.register_converter('point', str)",
        "'POINT' in sqlite3.converters",
    ),
    Half(
        "the policy of event loops",
        "import asyncio",
        "asyncio.set_event_loop_policy(asyncio.DefaultEventLoopPolicy())",
        "asyncio.events._event_loop_policy",
    ),
    Half(
        "an entry of sys.modules",
        "import sys, types",
        "sys.modules['colorsys'] = types.ModuleType('colorsys')",
        "id(sys.modules.get('colorsys'))",
    ),
    Half(
        "an entry of sys.modules that is deleted",
        "import sys, colorsys",
        "del sys.modules['colorsys']",
        "'colorsys' in sys.modules",
    ),
    Half("sys.stdout that is replaced", "import sys, io", "sys.stdout = io.StringIO()", "id(sys.stdout)"),
    Half(
        "sys.stdout that contextlib redirects",
        "import sys, io, contextlib",
        "contextlib.redirect_stdout(io.StringIO()).__enter__()",
        "id(sys.stdout)",
    ),
    Half("the switch interval", "import sys", "sys.setswitchinterval(0.1)", "sys.getswitchinterval()"),
    Half(
        "the limit of digits",
        "import sys",
        "sys.set_int_max_str_digits(0) if hasattr(sys, 'set_int_max_str_digits') else sys.setswitchinterval(1)",
        "sys.get_int_max_str_digits() if hasattr(sys, 'set_int_max_str_digits') else sys.getswitchinterval()",
    ),
    Half("the recursion limit", "import sys", "sys.setrecursionlimit(4321)", "sys.getrecursionlimit()"),
    Half("sys.setprofile", "import sys\ndef p(*_): pass", "sys.setprofile(p)", "sys.getprofile()"),
    Half("the collector is off", "import gc", "gc.disable()", "gc.isenabled()"),
    Half("the collector's thresholds", "import gc", "gc.set_threshold(5, 6, 7)", "gc.get_threshold()"),
    Half("the collector's callbacks", "import gc", "gc.callbacks.append(print)", "gc.callbacks"),
    Half("the collector by a name of the module", "import gc\nfrom gc import disable", "disable()", "gc.isenabled()"),
    Half(
        "faulthandler",
        "import faulthandler",
        "faulthandler.disable() if faulthandler.is_enabled() else faulthandler.enable(open('/dev/null', 'w'))",
        "faulthandler.is_enabled()",
    ),
    Half("tracemalloc", "import tracemalloc", "tracemalloc.start()", "tracemalloc.is_tracing()"),
    Half(
        "the locale",
        "import locale",
        "locale.setlocale(locale.LC_ALL, 'C.UTF-8' if locale.setlocale(locale.LC_ALL) == 'C' else 'C')",
        "locale.setlocale(locale.LC_ALL)",
    ),
    Half("warnings.showwarning", "import warnings", "warnings.showwarning = print", "warnings.showwarning"),
    Half("warnings.formatwarning", "import warnings", "warnings.formatwarning = print", "warnings.formatwarning"),
    Half(
        "filters of warnings", "import warnings", "warnings.simplefilter('ignore', ImportWarning)", "warnings.filters"
    ),
    Half(
        "logging.captureWarnings", "import logging, warnings", "logging.captureWarnings(True)", "warnings.showwarning"
    ),
    Half(
        "a name of a logging level",
        "import logging",
        "logging.addLevelName(25, 'NOTE')",
        "logging.getLevelName(25), logging.getLevelName('NOTE')",
    ),
    Half("logging.disable", "import logging", "logging.disable(logging.ERROR)", "logging.root.manager.disable"),
    Half(
        "the class of loggers",
        "import logging\nclass L(logging.Logger): pass",
        "logging.setLoggerClass(L)",
        "logging.getLoggerClass()",
    ),
    Half(
        "the factory of log records",
        "import logging",
        "logging.setLogRecordFactory(print)",
        "logging.getLogRecordFactory()",
    ),
    Half("a dialect of csv", "import csv", "csv.register_dialect('mine', delimiter=';')", "csv.list_dialects()"),
    Half(
        "a dialect of csv that is replaced",
        "import csv",
        "csv.register_dialect('excel', delimiter=';')",
        "csv.get_dialect('excel').delimiter",
    ),
    Half("the field size of csv", "import csv", "csv.field_size_limit(7)", "csv.field_size_limit()"),
    Half(
        "a type of mimetypes",
        "import mimetypes",
        "mimetypes.add_type('a/b', '.abc')",
        "mimetypes._db and mimetypes._db.types_map[1].get('.abc'), mimetypes.types_map.get('.abc')",
    ),
    Half("copyreg", "import copyreg\nclass A: pass", "copyreg.pickle(A, print)", "len(copyreg.dispatch_table)"),
    Half(
        "an archive format of shutil",
        "import shutil",
        "shutil.register_archive_format('mine', print)",
        "len(shutil.get_archive_formats())",
    ),
    Half(
        "a namespace of ElementTree",
        "import xml.etree.ElementTree as E",
        "E.register_namespace('a', 'b')",
        "E._namespace_map.get('b')",
    ),
    Half("a name of builtins", "import builtins", "builtins.mine = 1", "hasattr(builtins, 'mine')"),
    Half("a function of builtins that is replaced", "import builtins", "builtins.ascii = len", "builtins.ascii is len"),
    Half(
        "a function of builtins replaced through setattr",
        "import builtins\nname = 'ascii'",
        "setattr(builtins, name, len)",
        "builtins.ascii is len",
    ),
    Half(
        "builtins by their hidden name",
        "",
        "(__builtins__ if type(__builtins__) is dict else vars(__builtins__))['mine'] = 1",
        "'mine' in (__builtins__ if type(__builtins__) is dict else vars(__builtins__))",
    ),
    Half(
        "a patch that was started",
        "from unittest.mock import patch\nimport string",
        "patch('string.digits', 'x').start()",
        "string.digits",
    ),
    Half(
        "a patch of an object that was started",
        "from unittest import mock\nimport string",
        "mock.patch.object(string.Template, 'delimiter', '%').start()",
        "string.Template.delimiter",
    ),
    Half(
        "a patch of a dict that was started",
        "from unittest import mock\nimport string\nd = {}",
        "mock.patch.dict(d, a=1).start()",
        "d",
    ),
    Half(
        "a patch of a dict that was made before",
        "from unittest import mock\nd = {}\nmade = mock.patch.dict(d, a=1)\nstarted = mock._patch._active_patches",
        "made.start()",
        "(d, len(started))",
    ),
    Half(
        "a patch that was made before",
        "from unittest import mock\nimport string\nmade = mock.patch('string.digits', 'x')\n"
        "started = mock._patch._active_patches",
        "made.start()",
        "(string.digits, len(started))",
    ),
    Half(
        "a patch entered by an ExitStack",
        "from unittest.mock import patch\nimport string, contextlib\nstack = contextlib.ExitStack()",
        "stack.enter_context(patch('string.digits', 'x'))",
        "string.digits",
    ),
    Half(
        "an attribute of a library by setattr with a name",
        "import string\nname = 'digits'",
        "setattr(string, name, 'x')",
        "string.digits",
    ),
    Half(
        "an attribute of a library's class by setattr with a name",
        "from string import Template\nname = 'delimiter'",
        "setattr(Template, name, 'x')",
        "Template.delimiter",
    ),
    Half(
        "a new attribute of a library by vars",
        "import string\nname = 'mine'",
        "vars(string)[name] = 1",
        "hasattr(string, 'mine')",
    ),
    Half(
        "attributes of a library from a tuple of names",
        "import string",
        "[setattr(string, n, 'x') for n in ('digits', 'hexdigits')]",
        "string.digits, string.hexdigits",
    ),
    Half("an object inside a library", "import reprlib", "reprlib.aRepr.maxlist = 99", "reprlib.aRepr.maxlist"),
    Half("a dict inside a library", "import inspect", "inspect.modulesbyfile['x'] = 1", "'x' in inspect.modulesbyfile"),
    Half("a list inside a library", "import keyword", "keyword.kwlist.append('mine')", "keyword.kwlist"),
    Half(
        "a context inside decimal", "import decimal", "decimal.DefaultContext.prec = 3", "decimal.DefaultContext.prec"
    ),
    Half(
        "a name of a file encoding",
        "import encodings.aliases",
        "encodings.aliases.aliases['mine'] = 'utf_8'",
        "encodings.aliases.aliases.get('mine')",
    ),
    Half("the time zone", "import time, os", "os.environ['TZ'] = 'Asia/Tokyo'; time.tzset()", "time.tzname"),
    Half(
        "a limit of the process",
        "import resource",
        "resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[0] "
        "- 1, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))",
        "resource.getrlimit(resource.RLIMIT_NOFILE)",
    ),
    Half(
        "the default timeout of sockets", "import socket", "socket.setdefaulttimeout(5)", "socket.getdefaulttimeout()"
    ),
    Half(
        "an opener of urllib",
        "import urllib.request",
        "urllib.request.install_opener(urllib.request.build_opener())",
        "urllib.request._opener",
    ),
    Half("the first day of a week", "import calendar", "calendar.setfirstweekday(6)", "calendar.firstweekday()"),
    Half(
        "how doctest reports",
        "import doctest",
        "doctest.set_unittest_reportflags(doctest.REPORT_NDIFF)",
        "doctest._unittest_reportflags",
    ),
    Half(
        "where dates begin",
        "import matplotlib.dates as dates\ndates._reset_epoch_test_example()",
        "dates.set_epoch('2000-01-01')",
        "dates._epoch",
    ),
    Half(
        "a way to compress",
        "import gzip, joblib\nfrom joblib.compressor import CompressorWrapper",
        "joblib.register_compressor('mine', CompressorWrapper(gzip.GzipFile, b'M'))",
        "'mine' in joblib.compressor._COMPRESSORS",
    ),
    Half("a name of a charset", "import email.charset", "email.charset.add_alias('a', 'b')", "email.charset.ALIASES"),
    Half(
        "how processes are started",
        "import multiprocessing",
        "multiprocessing.set_start_method('spawn', force=True)",
        "multiprocessing.get_start_method(allow_none=True)",
    ),
    Half("a global that a function sets", "import gettext", "gettext.textdomain('mine')", "gettext.textdomain()"),
    Half(
        "a global that a function sets, by its name",
        "import gettext\nfrom gettext import textdomain",
        "textdomain('mine')",
        "gettext.textdomain()",
    ),
    Half(
        "an input of several files",
        "import fileinput, os",
        "fileinput.input(os.devnull)",
        "fileinput._state is None",
    ),
    Half(
        "the collector, by code that asks it as well",
        "import gc",
        "gc.collect(); gc.disable()",
        named="the garbage collector",
    ),
    Half("a hook of the audit", "import sys", "sys.addaudithook(lambda *_: None)", named="sys.addaudithook"),
    Half(
        "a function before a fork", "import os", "os.register_at_fork(before=lambda: None)", named="os.register_at_fork"
    ),
)


@halves(*PYTHON)
def test_what_a_module_of_python_has_one_of_is_put_back_or_named(half: Half) -> None:
    check(half)


@pytest.mark.parametrize(
    "read",
    [
        "signal.getsignal(signal.SIGINT)",
        "gc.get_threshold(); gc.collect()",
        "sys.path; sys.modules; sys.stdout; sys.argv",
        "logging.getLogger('a.b.c').info('x')",
        "csv.list_dialects()",
        "mimetypes.guess_type('a.txt')",
        "os.getcwd(); os.path.join('a'); os.environ.get('x')",
        "warnings.warn('x')",
        "builtins.len([])",
        "atexit; codecs.lookup('utf8'); copyreg.dispatch_table",
        "time.time(); time.sleep(0)",
        "faulthandler.is_enabled(); tracemalloc.is_tracing(); resource.getrlimit(resource.RLIMIT_CORE)",
        "mock.Mock()(1); threading.current_thread(); weakref.ref",
        "print('x'); sys.stdout.write(''); sys.stdout.flush()",
        "decimal.DefaultContext.prec; decimal.Decimal(1) / 3",
        "itertools.count(); functools.reduce; re.compile('a').match('a')",
    ],
)
def test_what_is_only_read_of_a_module_is_not_named(read: str) -> None:
    check_read(
        "import signal, gc, sys, logging, csv, mimetypes, os, warnings, builtins, atexit, codecs, copyreg, time\n"
        "import faulthandler, tracemalloc, resource, threading, weakref, decimal, itertools, functools, re\n"
        "from unittest import mock",
        read,
    )


def test_a_handler_of_a_signal_is_left_alone_where_a_kernel_sets_it_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipykernel.kernelapp", sys)
    before = signal.getsignal(signal.SIGINT)
    with contextlib.suppress(AssertionError):
        check(
            Half("", "import signal", "signal.signal(signal.SIGINT, lambda *_: 0)", "signal.getsignal(signal.SIGINT)")
        )
    assert signal.getsignal(signal.SIGINT) is not before
    signal.signal(signal.SIGINT, before)
