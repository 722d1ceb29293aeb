"""What magics and libraries set in the shell is put back: traits, formatters, aliases, transformers, hooks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

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
