"""What a library's class has by a name that code uses: whatever holds state, not the methods and properties."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.state.halves.half import Half, check, check_read, halves

CLASS = "import json, array, types\nfrom collections import *\n"
OWN = "json.JSONEncoder.own"


@pytest.fixture(autouse=True)
def the_class_has_nothing_of_ours() -> Iterator[None]:
    yield
    if "own" in vars(json.JSONEncoder):
        delattr(json.JSONEncoder, "own")


CHANGES = (
    Half("a deque", f"{CLASS}{OWN} = deque([1])", f"{OWN}.append(2)", OWN),
    Half("a namespace", f"{CLASS}{OWN} = types.SimpleNamespace(a=1)", f"{OWN}.a = 2", OWN),
    Half("a counter", f"{CLASS}{OWN} = Counter('a')", f"{OWN}['a'] += 2", OWN),
    Half("a dict with a default", f"{CLASS}{OWN} = defaultdict(list)", f"{OWN}['a'].append(2)", OWN),
    Half("an ordered dict", f"{CLASS}{OWN} = OrderedDict(a=1)", f"{OWN}['b'] = 2", OWN),
    Half("a dict of a library's class", f"{CLASS}{OWN} = UserDict(a=1)", f"{OWN}['b'] = 2", OWN),
    Half("dicts in a row", f"{CLASS}{OWN} = ChainMap({{}})", f"{OWN}['b'] = 2", OWN),
    Half("bytes", f"{CLASS}{OWN} = bytearray(b'a')", f"{OWN}.append(66)", OWN),
    Half("an array", f"{CLASS}{OWN} = array.array('i', [1])", f"{OWN}.append(2)", OWN),
    Half("a list", f"{CLASS}{OWN} = [1]", f"{OWN}.append(2)", OWN),
    Half("by a function", f"{CLASS}{OWN} = deque()\ndef put(): {OWN}.append(2)", "put()", OWN),
    Half("by another name of the class", f"{CLASS}{OWN} = deque()\nC = json.JSONEncoder", "C.own.append(2)", OWN),
)


@halves(*CHANGES)
def test_it_is_put_back(half: Half) -> None:
    check(half)


@pytest.mark.parametrize("read", ["json.JSONEncoder().encode([1])", "json.JSONEncoder.item_separator", f"len({OWN})"])
def test_what_is_read_is_not_named(read: str) -> None:
    check_read(f"{CLASS}{OWN} = deque([1])", read)
