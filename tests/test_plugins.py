"""Plugins of other packages, found by their entry points."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from reflex_ipython import plugins
from reflex_ipython.protocols import Context
from reflex_ipython.settings import Settings

CONTEXT = Context(Settings)


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, entry: str) -> None:
    """Put a small distribution onto the path, as pip leaves one."""
    (folder / "other_plugin.py").write_text(code)
    metadata = folder / "other_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[reflex_ipython.providers]\nother = {entry}\n")
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()


def test_ours_come_through_the_same_door_and_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "class Other:\n    name = 'other'\n    def __init__(self, context):\n        self.context = context\n"
    install(tmp_path, monkeypatch, code, "other_plugin:Other")
    monkeypatch.delitem(sys.modules, "other_plugin", raising=False)
    warnings: list[str] = []
    names = [provider.name for provider in plugins.load(plugins.PROVIDERS, CONTEXT, warnings.append)]
    assert names == ["model", "rule", "other"]
    assert not warnings


@pytest.mark.parametrize(
    ("code", "entry", "words"),
    [
        ("raise RuntimeError('broken')", "other_plugin:Other", "RuntimeError: broken"),
        ("", "other_plugin:Other", "AttributeError"),
        ("class Other:\n    def __init__(self, context):\n        1 / 0", "other_plugin:Other", "ZeroDivisionError"),
    ],
)
def test_a_plugin_that_does_not_load_is_named_and_the_others_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, entry: str, words: str
) -> None:
    install(tmp_path, monkeypatch, code, entry)
    monkeypatch.delitem(sys.modules, "other_plugin", raising=False)
    warnings: list[str] = []
    loaded = plugins.load(plugins.PROVIDERS, CONTEXT, warnings.append)
    assert {provider.name for provider in loaded} == {"model", "rule"}
    assert len(warnings) == 1
    assert "'other'" in warnings[0]
    assert words in warnings[0]
