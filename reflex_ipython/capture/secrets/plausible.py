"""Whether a value that stands where secrets stand is one: most look-alikes are words, paths, prompts or code."""

from __future__ import annotations

import re

from reflex_ipython.capture.secrets.secret import Family
from reflex_ipython.capture.secrets.words import announces, says_secret

PLACEHOLDER = re.compile(r"REDACTED_\d+")

_FILLED_LATER = re.compile(
    r"\{[\w.\[\]'\"!:]*\}?|%s|%\(.*|\$\{?\w.*|\$\(.*|<[^<>]*>?|\*+|\.{3}|…|[xX]{3,}|-+|_+|\[.*|"
    r"(?:your|my|the|some|enter|insert|change|fill)[ _-].*(?:here|key|token|password|secret|me)?",
    re.S | re.I,
)
_NO_VALUES = frozenset(
    "none null nil true false undefined nan optional required missing invalid valid unknown empty default string str int"
    " integer float number bool boolean bytes bytearray any text object self value values yes no on off not is and or if"
    " else in return raise lambda await async def for while with from import pass print list dict tuple set union"
    " secretstr wrong incorrect expired disabled enabled hidden masked redacted withheld changed auto manual prompt"
    " readonly private public basic digest bearer oauth oauth2 saml ldap kerberos ssl tls sha1 sha256 sha512 md5 bcrypt"
    " scrypt argon2 base64 utf8 utf-8 hex category float64 float32 int64 int32 datetime64 varchar boolean uint8".split()
)
_WORD = re.compile(r"[A-Za-z]{1,24}|\d{1,4}|[A-Za-z]{2,14}\d{1,2}|v?\d{1,3}|[A-Za-z]{2,}\d[a-z]{2,}")
_PATH = re.compile(r"(?:[A-Za-z]:)?(?:[~.]{0,2}[\\/])[\w .~+@%\\/-]*|[\w-]+(?:/[\w.-]+)+|[\w-]+\.(?:py|txt|csv|json|ya?ml|pem|key|ini|toml|env|html?|md|cfg)")  # fmt: skip
_EXPRESSION = re.compile(r"[A-Za-z_][\w.]*[(\[]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\W*$|&[a-z]+;|self\b|os\.|\)")
_A_NAME = re.compile(r"(?:[A-Za-z_]+|[a-z_]+\d|[A-Z_]+\d)[^\w!@#$%^&*+]*")
"""A variable, `db_password2`; a password that has such a word in it, `MyPass123!`, has more digits, or signs."""
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,20}://", re.I)
_TURNS = re.compile(r"[a-z](?=[A-Z])|[A-Z](?=[a-z])")
_CAMEL = re.compile(r"[A-Za-z][a-z]+(?:[A-Z][a-z]+)+\d{0,2}|[A-Z]{2,}[a-z]+")


def is_secret(family: Family, value: str, *, name: str = "") -> bool:
    """Whether this value of something so named is a secret.

    Parameters
    ----------
    family : str
        What the name says.
    value : str
        Without quotes.
    name : str
        The name itself: a value that only repeats it is none.
    """
    if len(value) < 3 or is_no_value(value) or _same(value, name):
        return False
    if family == "password":
        return not _is_prompt(value) and not (name.lower() in ("pwd", "pass") and _PATH.fullmatch(value))
    if family == "token" and _PIN.fullmatch(value) and _CALLED_PIN.search(name):
        return True
    if family == "other key":
        return len(value) >= _LONG and _ONE.fullmatch(value) is not None and looks_random(value)
    if family == "key":
        return not (_WORDS_JOINED.fullmatch(value) and is_words(value)) and not _is_prompt(value) and " " not in value
    return looks_random(value)


_LONG = 16
"""Characters that a key has of which nothing is said but that it is one."""
_ONE = re.compile(r"[A-Za-z0-9_+/=.~-]+")
_PIN = re.compile(r"\d{4,8}")
_CALLED_PIN = re.compile(r"(?:^|[^A-Za-z])(?:pin|otp|pin_?code)s?\d?$|[a-z](?:Pin|PIN|Otp|OTP|PinCode)$", re.I)
_WORDS_JOINED = re.compile(r"[A-Za-z0-9]+(?:[_.\-/: ][A-Za-z0-9]+)+")


def is_no_value(value: str) -> bool:
    """Whether a value says that it is none: a placeholder, a template's slot, a word such as `None` or `required`."""
    return bool(
        PLACEHOLDER.search(value) or _FILLED_LATER.fullmatch(value) or value.strip(".,;:!?()").lower() in _NO_VALUES
    )


def is_bare_secret(family: Family, value: str, *, name: str = "", free: bool = False) -> bool:
    """Whether a value without quotes is a secret, and no code, type or word of a sentence.

    Parameters
    ----------
    free : bool
        Whether it stands in a sentence rather than as a line or an assignment of its own.
    """
    if _EXPRESSION.match(value) or (says_secret(value) and _A_NAME.fullmatch(value)):
        return False
    if free and not is_mixed(value):
        return False
    if family in ("token", "maybe key", "other key") and value.replace(".", "").isdigit():
        return False
    return is_secret(family, value, name=name)


def is_mixed(value: str) -> bool:
    """Whether it has letters and digits, or signs inside of it, as words have not."""
    inside = value.strip(".,;:!?()")
    return (any(c.isdigit() for c in inside) and any(c.isalpha() for c in inside)) or bool(
        re.search(r"[^\w\s.,'-]", inside)
    )


def looks_random(value: str) -> bool:
    """Whether a value looks as if a machine had made it: no words, no path, letters and digits mixed."""
    if len(value) < 8 or re.search(r"[\s<>\[\]]", value) or is_words(value) or _PATH.fullmatch(value):
        return False
    if _ADDRESS.match(value) or _CAMEL.fullmatch(value):
        return False
    has_digit, has_letter = any(c.isdigit() for c in value), any(c.isalpha() for c in value)
    if has_digit and has_letter:
        return True
    mixed_case = len(_TURNS.findall(value)) >= 4
    return (has_letter and len(value) >= 16 and mixed_case) or (has_digit and len(value) >= 20)


def is_words(value: str) -> bool:
    """Whether the parts of a value between its dashes and dots are words and short numbers."""
    parts = re.split(r"[_.\-/: ,]+", value.strip("_-/."))
    return all(_WORD.fullmatch(part) and not _is_erratic(part) for part in parts) and not (
        len(parts) == 1 and len(value) >= 20
    )


def _is_erratic(part: str) -> bool:
    """Whether capitals and small letters change as in no word, and in no `CamelCase`."""
    return len(_TURNS.findall(part)) >= 4 and not _CAMEL.fullmatch(part)


def _is_prompt(value: str) -> bool:
    """Whether it is a sentence about passwords, or the name of one."""
    if not says_secret(value):
        return False
    words = re.split(r"[_.-]", value)
    alone = all(word.isalpha() for word in words)
    named = (alone and len(words) <= 2 and announces(words[-1])) or _COLUMN.fullmatch(value) is not None
    return " " in value or value.endswith(":") or named


_COLUMN = re.compile(r"[a-z]+(?:_[a-z]+){0,5}_(?:col|column|field|length|len|hash|type|name|count|id|label|strength|score|policy|input|box|changed|reset|expiry|age)", re.I)  # fmt: skip


def _same(value: str, name: str) -> bool:
    plain = re.sub(r"[\W_]", "", value).lower()
    return bool(name) and plain == re.sub(r"[\W_]", "", name).lower()
