"""What libraries have one of that are not installed for the tests: modules of their names show the same mechanism."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from tests.state.cells import namespace, run

DICE = "import random as dice\n{name} = dice.Random(1)"
ROWS = {
    "altair.theme": (
        "class Themes:\n    def enable(self, name): self.active = name\nenable = Themes().enable; enable('a')",
        "enable('b')",
        "enable.__self__.active",
    ),
    "astropy.units.core": ("_unit_registries = [1]", "_unit_registries.append(2)", "_unit_registries"),
    "faker.generator": (DICE.format(name="random"), "random.random()", "random.getstate()"),
    "lightgbm.basic": ("_LOGGER = print", "global _LOGGER; _LOGGER = len", "_LOGGER"),
    "plotly.io._renderers": (
        "class Renderers: _default_name = 'a'\nrenderers = Renderers()",
        "renderers._default_name = 'b'",
        "renderers._default_name",
    ),
    "spacy.tokens.underscore": (
        "class Underscore: doc_extensions = {}",
        "Underscore.doc_extensions['a'] = 1",
        "Underscore.doc_extensions",
    ),
    "sympy.core.random": (DICE.format(name="rng"), "rng.random()", "rng.getstate()"),
    "xarray.core.options": ("OPTIONS = {'width': 80}", "OPTIONS['width'] = 9", "OPTIONS"),
}


def library(monkeypatch: pytest.MonkeyPatch, name: str, source: str) -> tuple[Any, dict[str, Any]]:
    """A package of a library with `change`, a function of one of its modules; and that module's namespace."""
    root = name.partition(".")[0]
    package, module = ModuleType(root), ModuleType(name)
    for each in dict.fromkeys((package, module)):
        each.__file__ = f"/lib/site-packages/{each.__name__}.py"
        monkeypatch.setitem(sys.modules, each.__name__, each)
    exec(source, vars(module))
    vars(package)["change"] = vars(module)["change"]
    return package, vars(module)


@pytest.mark.parametrize("name", ROWS)
def test_what_a_function_of_a_library_sets_is_put_back(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made, change, shows = ROWS[name]
    package, inside = library(monkeypatch, name, f"{made}\ndef change():\n    {change}")
    before = repr(eval(shows, inside))
    journal = run(namespace() | {"lib": package}, "lib.change(); 1 / 0", at_once=True)
    assert repr(eval(shows, inside)) != before
    assert journal.rollback(0).words == "state restored exactly"
    assert repr(eval(shows, inside)) == before


def test_what_a_method_changes_that_a_module_has_as_a_function_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "class Themes:\n    def enable(self): self.active = 'dark'\nthemes = Themes()\nchange = themes.enable"
    package, inside = library(monkeypatch, "charts.themes", source)
    journal = run(namespace() | {"lib": package}, "lib.change(); 1 / 0", at_once=True)
    assert vars(inside["themes"])
    assert journal.rollback(0).words == "state restored exactly"
    assert not vars(inside["themes"])


@pytest.mark.parametrize(
    ("root", "word"),
    [
        ("bokeh", "curdoc"),
        ("cv2", "randn"),
        ("cv2", "randShuffle"),
        ("cv2", "randu"),
        ("cv2", "setRNGSeed"),
        ("pyarrow", "register_extension_type"),
        ("pyarrow", "unregister_extension_type"),
    ],
)
def test_what_nobody_can_read_is_named(root: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package, _ = library(monkeypatch, root, "def change(): pass")
    vars(package)[word] = package.change
    assert (
        f"{root}.{word}" in run(namespace() | {"lib": package}, f"lib.{word}(); 1 / 0", at_once=True).rollback(0).words
    )


def test_the_codes_of_colours_that_seaborn_sets_are_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    colors = pytest.importorskip("matplotlib.colors")
    source = "import matplotlib.colors as mc\ndef change(): mc.colorConverter.colors['b'] = (0, 0, 0.5)"
    package, _ = library(monkeypatch, "seaborn.palettes", source)
    before = colors.colorConverter.colors["b"]
    journal = run(namespace() | {"lib": package}, "lib.change(); 1 / 0", at_once=True)
    assert journal.rollback(0).exact
    assert colors.colorConverter.colors["b"] == before
