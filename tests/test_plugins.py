"""Plugins of other packages, found by their entry points."""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import FastPath  # type: ignore[attr-defined]  # the cache is its
from pathlib import Path

import pytest

from reflex_ipython import plugins
from reflex_ipython.protocols import Context, StoreContext
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.settings import Settings

CONTEXT = Context(Settings, MemoryStore())
OTHER = """
class Other:
    name, where, cost, label = "other", "local", "", "other"
    def __init__(self, context):
        self.context = context
    def propose(self, failure, request):
        return []
"""
STORE = """
class Other:
    def __init__(self, context):
        self.context = context
    def save(self, repair): ...
    def get(self, prefix): ...
    def recent(self, count, *, accepted=None): ...
    def close(self): ...
"""


def install(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: str,
    entry: str = "other_plugin:Other",
    group: str = plugins.PROVIDERS,
) -> None:
    """Put a small distribution onto the path, as pip leaves one."""
    (folder / "other_plugin.py").write_text(code)
    metadata = folder / "other_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\nother = {entry}\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "other_plugin", raising=False)
    importlib.invalidate_caches()


def test_ours_come_through_the_same_door_and_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, OTHER)
    warnings: list[str] = []
    names = [provider.name for provider in plugins.load(plugins.PROVIDERS, CONTEXT, warnings.append)]
    assert names == ["model", "rule", "remembered", "other"]
    assert not warnings


def test_a_plugin_is_made_with_what_was_decided_before_and_a_clock_and_nothing_is_read_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, OTHER)
    unread = object()  # whatever is asked of it fails
    context = Context(Settings, unread, clock=iter([1.5, 4.0]).__next__)  # type: ignore[arg-type]
    given = plugins.load(plugins.PROVIDERS, context, pytest.fail)[-1].context
    assert given.store is unread
    assert -given.clock() + given.clock() == 2.5


@pytest.mark.parametrize(
    ("code", "entry", "words"),
    [
        ("raise RuntimeError('broken')", "other_plugin:Other", "RuntimeError: broken"),
        ("", "other_plugin:Other", "AttributeError"),
        ("class Other:\n    def __init__(self, context):\n        1 / 0", "other_plugin:Other", "ZeroDivisionError"),
        (OTHER.replace("where, cost", "instant, price"), "other_plugin:Other", "it has no `cost`, `where`"),
    ],
)
def test_a_plugin_that_does_not_load_is_named_and_the_others_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, entry: str, words: str
) -> None:
    install(tmp_path, monkeypatch, code, entry)
    warnings: list[str] = []
    loaded = plugins.load(plugins.PROVIDERS, CONTEXT, warnings.append)
    assert {provider.name for provider in loaded} == {"model", "remembered", "rule"}
    assert len(warnings) == 1
    assert "'other'" in warnings[0]
    assert words in warnings[0]


@pytest.mark.parametrize(("missing", "loaded"), [("", 2), ("get", 1), ("save", 1)])
def test_a_store_is_asked_for_all_that_a_store_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, loaded: int
) -> None:
    install(tmp_path, monkeypatch, STORE.replace(f"def {missing}(", "def other(", bool(missing)), group=plugins.STORES)
    warnings: list[str] = []
    assert len(plugins.load(plugins.STORES, StoreContext(Settings), warnings.append)) == loaded
    assert [f"it has no `{missing}`" in warning for warning in warnings] == [True] * (2 - loaded)


def test_nothing_of_the_installed_packages_stays_behind_once_the_plugins_are_loaded() -> None:
    plugins.load(plugins.PROVIDERS, CONTEXT, print)
    plugins.forget_packages()
    assert FastPath.__new__.cache_info().currsize == 0
