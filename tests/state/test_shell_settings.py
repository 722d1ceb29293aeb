"""What magics and libraries set in the shell is put back: traits, formatters, aliases, transformers, hooks."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from reflex_ipython.state.effect import Repeat
from tests.state.cells import run


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    shell = InteractiveShell()
    monkeypatch.setattr(InteractiveShell, "_instance", shell)
    yield shell
    shell.history_manager.end_session()
    sys.stdout.flush()


def magic(line: str) -> str:
    name, _, rest = line.partition(" ")
    return f"get_ipython().run_line_magic({name!r}, {rest!r})"


PLAIN = "ip.display_formatter.formatters['text/plain']"


@pytest.mark.parametrize(
    ("change", "shows"),
    [
        (magic("precision 3"), f"{PLAIN}.float_precision, {PLAIN}.float_format"),
        (magic("pprint"), f"{PLAIN}.pprint"),
        (magic("xmode Plain"), "ip.InteractiveTB.mode"),
        (magic("config Completer.use_jedi = False"), "ip.Completer.use_jedi"),
        (magic("config InteractiveShell.ast_node_interactivity = 'all'"), "ip.ast_node_interactivity"),
        (magic("config Unknown.x = 1"), "'Unknown' in ip.config"),
        (magic("alias mine echo"), "'mine' in ip.magics_manager.magics['line']"),
        (magic("automagic off"), "ip.automagic"),
        (magic("autocall 2"), "ip.autocall"),
        (magic("pdb on"), "ip.call_pdb"),
        ("get_ipython().register_magic_function(len, magic_name='mine')", "'mine' in ip.magics_manager.magics['line']"),
        (
            "get_ipython().display_formatter.formatters['text/html'].for_type(int, str)",
            "int in ip.display_formatter.formatters['text/html'].type_printers",
        ),
        ("get_ipython().display_formatter.active_types = ['text/plain']", "ip.display_formatter.active_types"),
        ("get_ipython().display_formatter.formatters['a/b'] = None", "'a/b' in ip.display_formatter.formatters"),
        ("get_ipython().input_transformers_post.append(len)", "ip.input_transformers_post"),
        ("get_ipython().ast_transformers.append(len)", "ip.ast_transformers"),
        (
            "get_ipython().set_hook('editor', len)",
            "[len for _, hook in ip.hooks['editor'].chain if hook is len], len(ip.hooks['editor'].chain)",
        ),
        ("get_ipython().set_custom_completer(lambda *_: [])", "len(ip.Completer.custom_matchers)"),
        ("get_ipython().showtraceback = len", "'showtraceback' in vars(ip)"),
        ("get_ipython().set_custom_exc((KeyError,), len)", "ip.custom_exceptions"),
        ("get_ipython().system = len", "'system' in vars(ip)"),
        ("get_ipython().configurables.append(1)", "len(ip.configurables)"),
        ("get_ipython().meta['n'] = 1", "ip.meta"),
        ("get_ipython().user_ns_hidden['total'] = 1", "'total' in ip.user_ns_hidden"),
        ("get_ipython().push({'mark': 1}, interactive=False)", "'mark' in ip.user_ns_hidden"),
        (magic("doctest_mode"), "ip.meta, ip.InteractiveTB.mode"),
        (magic("autoawait False"), "ip.autoawait"),
    ],
)
def test_what_is_set_is_put_back(change: str, shows: str, shell: Any) -> None:
    names = {"__name__": "__main__", "get_ipython": lambda: shell}
    before = repr(eval(shows, {"ip": shell}))
    journal = run(names, f"{change}; 1 / 0", at_once=True, ignored=frozenset({"get_ipython"}))
    assert repr(eval(shows, {"ip": shell})) != before, "the change must be one"
    assert journal.rollback(0).words == "state restored exactly"
    assert repr(eval(shows, {"ip": shell})) == before


@pytest.mark.parametrize(
    ("change", "shows"),
    [
        ("get_ipython().mark = [1]", "vars(ip).get('mark')"),
        ("setattr(get_ipython(), 'mark', 1)", "vars(ip).get('mark')"),
        ("get_ipython().separate_in = 'zz'", "ip.separate_in"),
    ],
)
def test_what_may_be_of_another_object_is_put_back_and_named_all_the_same(change: str, shows: str, shell: Any) -> None:
    names = {"__name__": "__main__", "get_ipython": lambda: shell}
    before = repr(eval(shows, {"ip": shell}))
    journal = run(names, f"{change}; 1 / 0", at_once=True, ignored=frozenset({"get_ipython"}))
    assert repr(eval(shows, {"ip": shell})) != before, "the change must be one"
    assert "get_ipython()" in journal.rollback(0).words
    assert repr(eval(shows, {"ip": shell})) == before


@pytest.mark.parametrize(
    ("change", "shows"),
    [
        ("ip.run_line_magic('precision', '3')", f"{PLAIN}.float_precision"),
        (
            "ip.display_formatter.formatters['text/html'].for_type(int, str)",
            "int in ip.display_formatter.formatters['text/html'].type_printers",
        ),
        ("ip.input_transformers_post.append(len)", "ip.input_transformers_post"),
        ("ip.ast_node_interactivity = 'all'", "ip.ast_node_interactivity"),
        ("ip.set_custom_exc((KeyError,), len)", "ip.custom_exceptions"),
        ("ip.user_ns.setdefault('ip2', 3)", "'ip2' in ip.user_ns"),
    ],
)
def test_a_shell_that_a_name_stands_for_is_not_named_if_all_of_it_is_put_back(
    change: str, shows: str, shell: Any
) -> None:
    own = frozenset(shell.user_ns)
    shell.user_ns.update({"__name__": "__main__", "ip": shell})
    before = repr(eval(shows, {"ip": shell}))
    journal = run(shell.user_ns, f"{change}; 1 / 0", at_once=True, ignored=own)
    assert repr(eval(shows, {"ip": shell})) != before, "the change must be one"
    assert journal.rollback(0).words == "state restored exactly"
    assert repr(eval(shows, {"ip": shell})) == before


@pytest.mark.parametrize(
    "change",
    [
        "ip.banner1 = 'x'",
        "ip.mark = 'x'",
        "ip.history_manager.db_cache_size = 7",
        "ip.display_formatter.mark = 1",
        "ip.set_next_input('x')",
        "ip.run_cell('x = 1')",
        "ip.run_line_magic(''.join(('pre', 'cision')), '3')",
        "setattr(ip, 'banner' + '1', 'x')",
    ],
)
def test_what_is_not_known_of_such_a_shell_is_named(change: str, shell: Any) -> None:
    words = run({"__name__": "__main__", "ip": shell}, f"{change}; 1 / 0", at_once=True).rollback(0).words
    assert "ip (IPython.core.interactiveshell.InteractiveShell)" in words


@pytest.mark.parametrize(
    "change",
    [
        "get_ipython().observe(print, 'autocall')",
        "get_ipython().history_manager.enabled = False",
        "get_ipython().builtin_trap.auto_builtins['hey'] = 5",
        "get_ipython().run_line_magic('theirs', '')",
        "getattr(get_ipython().kernel, 'session', None)",
        "get_ipython().run_line_magic(''.join(('pre', 'cision')), '3')",
    ],
)
def test_what_nobody_knows_of_the_shell_that_code_asks_for_is_named(change: str, shell: Any) -> None:
    shell.register_magic_function(lambda line: None, magic_name="theirs")
    names = {"__name__": "__main__", "get_ipython": lambda: shell}
    journal = run(names, f"{change}; 1 / 0", at_once=True, ignored=frozenset({"get_ipython"}))
    assert "get_ipython() (IPython.core.interactiveshell.InteractiveShell)" in journal.rollback(0).words


@pytest.mark.parametrize(
    "harmless",
    [
        magic("time parent = log.compile"),
        magic("who"),
        "get_ipython().system('true')",
        "get_ipython().ipython_dir",
        "text = re.compile('x').pattern; get_ipython().run_line_magic('time', 'f()')",
    ],
)
def test_a_magic_that_sets_nothing_there_names_nothing(harmless: str, shell: Any) -> None:
    names: dict[str, Any] = {"__name__": "__main__", "get_ipython": lambda: shell, "re": re}
    exec("def f(): return parent.log", names)
    journal = run(names, f"{harmless}; 1 / 0", at_once=True, ignored=frozenset({"get_ipython"}))
    assert "get_ipython" not in journal.rollback(0).words


def test_a_log_that_was_ended_goes_on(shell: Any, tmp_path: Path) -> None:
    log = tmp_path / "log.py"
    shell.run_line_magic("logstart", f"-q {log} over")
    names = {"__name__": "__main__", "get_ipython": lambda: shell}
    journal = run(names, f"{magic('logstop')}; 1 / 0", at_once=True, ignored=frozenset({"get_ipython"}))
    assert journal.rollback(0).words == "state restored exactly"
    shell.run_cell("later = 1", store_history=True)
    shell.logger.logstop()
    assert "later" in log.read_text()


def test_what_an_extension_has_pushed_and_registered_is_gone(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "their_extension.py").write_text(
        "def called(*_): pass\ndef load_ipython_extension(ip):\n    ip.push({'pushed': 5})\n"
        "    ip.events.register('pre_run_cell', called)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    own = frozenset(shell.user_ns)
    shell.user_ns["__name__"] = "__main__"
    before = list(shell.events.callbacks["pre_run_cell"])
    journal = run(shell.user_ns, f"{magic('load_ext their_extension')}; 1 / 0", at_once=True, ignored=own)
    assert shell.user_ns["pushed"] == 5
    journal.rollback(0)
    assert "pushed" not in shell.user_ns
    assert shell.events.callbacks["pre_run_cell"] == before
    assert "their_extension" not in shell.extension_manager.loaded


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("get_ipython().ast_transformers.append(len)", True),
        ("get_ipython().input_transformers_cleanup.append(len)", True),
        ("get_ipython().input_transformers_post.append(len)", True),
        ("get_ipython().set_custom_exc((KeyError,), len)", True),
        ("get_ipython().showtraceback = len", False),
        (magic("pprint"), False),
        (magic("config InteractiveShell.ast_node_interactivity = 'all'"), False),
    ],
)
def test_that_the_rest_would_be_read_otherwise_is_told(change: str, told: bool, shell: Any) -> None:
    names = {"__name__": "__main__", "get_ipython": lambda: shell}
    journal = run(names, f"{change}\n1 / 0", ignored=frozenset({"get_ipython"}))
    repeats = journal.aftermath.repeats()
    assert (Repeat("changed how the shell reads cells", left=True) in repeats[0]) is told
    assert repeats[1] == ()


def test_a_transformer_of_ours_stays(shell: Any) -> None:
    ours = type("Ours", (), {"__module__": "reflex_ipython.ipython.left_out"})()
    shell.ast_transformers.append(ours)
    names = {"__name__": "__main__", "get_ipython": lambda: shell}
    journal = run(names, "get_ipython().ast_transformers.append(len); 1 / 0", at_once=True, ignored={"get_ipython"})
    later = type("Ours", (), {"__module__": "reflex_ipython.ipython.left_out"})()
    shell.ast_transformers[:] = [len, later]
    assert journal.rollback(0).exact
    assert shell.ast_transformers == [later]


def test_a_library_that_sets_the_shells_formatter_is_undone(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pretty = pytest.importorskip("rich.pretty")
    monkeypatch.setitem(vars(sys.modules["builtins"]), "get_ipython", lambda: shell)
    before = shell.display_formatter.formatters["text/plain"]
    names = {"__name__": "__main__", "pretty": pretty}
    journal = run(names, "pretty.install(); 1 / 0", at_once=True)
    journal.rollback(0)
    assert shell.display_formatter.formatters["text/plain"] is before
