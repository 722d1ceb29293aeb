"""Modules and names of Python 2."""

from __future__ import annotations

import pytest

from reflex_ipython.models import Lookup
from tests.propose.rules.build import best, failure, fixed, fixes, no_module, not_in_module


@pytest.mark.parametrize(
    ("source", "wanted", "expected"),
    [
        ("import urllib2\nq = urllib2.quote(t)", "urllib2", "import urllib.parse\nq = urllib.parse.quote(t)"),
        (
            "import json, urllib2\ntry:\n    urllib2.urlopen(a)\nexcept urllib2.URLError:\n    pass",
            "urllib2",
            "import json, urllib.error, urllib.request\ntry:\n    urllib.request.urlopen(a)\n"
            "except urllib.error.URLError:\n    pass",
        ),
        ("import urllib2", "urllib2", "import urllib.request as urllib2"),
        ("import urllib2 as u\nu.urlopen(a)", "urllib2", "import urllib.request as u\nu.urlopen(a)"),
        ("from urllib2 import quote", "urllib2", "from urllib.parse import quote"),
        ("import urlparse\nurlparse.urljoin(a, b)", "urlparse", "import urllib.parse\nurllib.parse.urljoin(a, b)"),
        ("import StringIO\nStringIO.StringIO(t)", "StringIO", "import io\nio.StringIO(t)"),
        ("from Queue import Queue", "Queue", "from queue import Queue"),
    ],
)
def test_a_module_of_python_2_is_imported_from_where_it_is_now(source: str, wanted: str, expected: str) -> None:
    assert fixed(no_module(source, wanted)) == expected


def test_what_of_urllib2_has_no_known_home_is_left_alone() -> None:
    assert fixes(no_module("import urllib2\nurllib2.something_else()", "urllib2")) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "import urllib\nq = urllib.quote(a) + urllib.urlencode(b)",
            "import urllib.parse\nq = urllib.parse.quote(a) + urllib.parse.urlencode(b)",
        ),
        ("q = urllib.urlencode(b)", "import urllib.parse\nq = urllib.parse.urlencode(b)"),
    ],
)
def test_what_urllib_had_itself_is_in_its_parts(source: str, expected: str) -> None:
    wanted = "quote" if "quote" in source else "urlencode"
    lookup = Lookup("attribute", wanted, "urllib", "module", ("parse", "error"))
    error = f"AttributeError: module 'urllib' has no attribute '{wanted}'"
    assert fixed(failure(source, error, lookup=lookup, line=source.count("\n") + 1)) == expected


@pytest.mark.parametrize(
    ("source", "module", "wanted", "expected"),
    [
        ("from itertools import izip", "itertools", "izip", "izip = zip"),
        ("from itertools import count, izip", "itertools", "izip", "from itertools import count\nizip = zip"),
        ("from itertools import izip as pairs", "itertools", "izip", "pairs = zip"),
        (
            "from sklearn.metrics import plot_roc_curve as p",
            "sklearn.metrics",
            "plot_roc_curve",
            "from sklearn.metrics import RocCurveDisplay\np = RocCurveDisplay.from_estimator",
        ),
        ("from string import maketrans", "string", "maketrans", "maketrans = str.maketrans"),
        ("from urllib import urlencode", "urllib", "urlencode", "from urllib.parse import urlencode"),
    ],
)
def test_a_name_of_python_2_keeps_its_name(source: str, module: str, wanted: str, expected: str) -> None:
    assert best(not_in_module(source, wanted, module, "count")) == expected
