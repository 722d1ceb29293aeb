"""Members of modules by what they are called in a shell or another language."""

from __future__ import annotations

import importlib

import pytest

from reflex_ipython.models import Lookup
from reflex_ipython.propose.rules.lookups.words_of_modules import _WORDS, word_of
from tests.propose.rules.build import candidates, failure


@pytest.mark.parametrize(
    ("module", "cell", "wanted", "meant"),
    [
        ("json", 'json.parse("[1]")', "parse", "loads"),
        ("posixpath", 'os.path.filename("/a/b")', "filename", "basename"),
        ("re", 're.replace("a", "b", s)', "replace", "sub"),
        ("matplotlib.pyplot", "plt.heatmap(z)", "heatmap", "imshow"),
    ],
)
def test_the_modules_own_word_is_proposed_first(module: str, cell: str, wanted: str, meant: str) -> None:
    owner = cell.partition(f".{wanted}")[0]
    lookup = Lookup("attribute", wanted, owner, "module", ("load", meant, "other"))
    found = candidates(failure(cell, f"AttributeError: module '{module}' has no attribute '{wanted}'", lookup=lookup))
    assert found[0][0] == cell.replace(wanted, meant)


def test_a_word_that_the_module_does_not_have_is_not_proposed() -> None:
    lookup = Lookup("attribute", "parse", "json", "module", ("other",))
    assert not candidates(
        failure("json.parse(t)", "AttributeError: module 'json' has no attribute 'parse'", lookup=lookup)
    )


@pytest.mark.parametrize("module", [name for name in _WORDS if not name.startswith(("matplotlib", "numpy", "pandas"))])
def test_every_word_leads_to_something_that_is_there(module: str) -> None:
    there = importlib.import_module(module)
    for pair in _WORDS[module].split():
        word, _, meant = pair.partition("=")
        assert hasattr(there, meant) or meant == "pairwise", pair  # which Python has since 3.10
        assert not hasattr(there, word), pair
        assert word_of(module, word) == meant
