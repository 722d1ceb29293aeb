"""Short plain names are not looked through for secrets: in none of them would one be found."""

from __future__ import annotations

import random
import string

import pytest

from reflex_ipython.capture.secrets import find as finding

SMALL, LETTERS = string.ascii_lowercase + string.digits + "_", string.ascii_letters + "_"
BEGINNINGS = (
    *("", "sk_live_", "ghp_", "hf_", "dapi", "npm_", "gsk_", "secret_", "password", "token_", "api_key_", "artif"),
    *("AKIA", "AKC", "APA", "LTAI", "EAA", "AC", "SK", "Password", "secretKey", "JFrog", "pwd"),
)


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_no_way_finds_a_secret_in_a_short_plain_name(beginning: str) -> None:
    drawn = random.Random(beginning)
    for signs, longest in ((SMALL, 17), (LETTERS, 10)):
        if not set(beginning) <= set(signs):
            continue
        for size in range(max(len(beginning), 1), longest + 1):
            for _ in range(20):
                text = beginning + "".join(drawn.choices(signs, k=size - len(beginning)))
                assert finding.find(text) == finding._find(text, False) == finding._find(text, True) == []


def test_what_is_longer_or_of_all_kinds_of_signs_is_looked_through() -> None:
    key = "sk_live_" + "a1" * 8
    assert [key[one.start : one.end] for one in finding.find(key)] == [key]
    assert finding.find("passwordIsX1y2Z3") == finding._find("passwordIsX1y2Z3", False) != []
