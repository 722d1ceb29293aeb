"""Taking secrets and the user's own folders out of a text before it leaves this machine.

A secret becomes `REDACTED_1`, which is a plain word in code and in text alike; the user's home folder becomes `~`.
`Redactor.restore` puts them back into what comes in return.
"""

from __future__ import annotations

import dataclasses
import functools
import getpass
import os
import re
from collections.abc import Callable
from typing import Any, TypeVar

from reflex_ipython.models import Failure, ValueSummary

T = TypeVar("T")

_PLACEHOLDER = re.compile(r"REDACTED_\d+")
_PASSES = 5  # what one pass leaves behind may look like another secret

# A name that says that its value is secret, and one that says so only of values that look random.
_SECRET = r"(?:pass(?:word|wd|phrase)?|pwd|secret|(?:api|access|secret|private|account)[_-]?key)"
_MAYBE = r"(?:token|auth|credentials?|signature)"
_NAMED = rf"(?<![A-Za-z0-9]){_SECRET}"
_MAYBE_NAMED = rf"(?<![A-Za-z0-9]){_MAYBE}"
_IS_STRING = r"""["']?\]?\s*(?::[ \t]*str\s*)?[!=]?=\s*[rRbBfFuU]{0,2}"""
_AS_KEY = r"""["']\s*:\s*[rRbBfFuU]{0,2}"""
_QUOTED = r"""(?P<quote>\"{3}|'{3}|"|')(?P<secret>[^"'\n]{3,}?)(?P=quote)"""
_RANDOM = r"""(?P<quote>"|')(?P<secret>(?=[^"'\n]{0,300}\d)(?=[^"'\n]{0,300}[A-Za-z])[^\s"'<>\[\]]{8,})(?P=quote)"""
_BARE = r"(?P<secret>[^\s\"'&;#]{3,})"

# Each has a group named `secret`: that alone is replaced.
_PATTERNS = tuple(
    re.compile(pattern, flags)
    for pattern, flags in (
        (r"(?P<secret>-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z))", re.S),
        (r"\b(?P<secret>sk-(?=[\w-]{0,200}\d)[\w-]{16,})", 0),  # OpenAI, Anthropic and many others
        (r"\b(?P<secret>(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|gsk_|r8_|pypi-)[\w-]{16,})", 0),
        (r"\b(?P<secret>[srp]k_(?:live|test)_\w{10,})", 0),  # Stripe
        (r"\b(?P<secret>(?:AKIA|ASIA)[0-9A-Z]{16})\b", 0),  # Amazon
        (r"\b(?P<secret>AIza[\w-]{30,})", 0),  # Google
        (r"\b(?P<secret>xox[abeoprs]-[\w-]{10,})", 0),  # Slack
        (r"\b(?P<secret>eyJ[\w-]{8,2000}\.[\w-]{8,}\.[\w-]*)", 0),  # a JSON web token
        (r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@'\"]{0,200}:(?P<secret>[^\s/'\"]{1,500})@", re.I),
        (r"\bBearer\s+(?P<secret>(?=[\w.~+/=-]{0,500}\d)[\w.~+/=-]{8,})", re.I),
        (r"\bAuthorization:\s*(?:Basic|Token)\s+(?P<secret>[^\s\"']{8,})", re.I),
        (rf"\bAuthorization(?:{_IS_STRING}|{_AS_KEY})[\"'](?:\w+ )?(?P<secret>[^\s\"']{{8,}})[\"']", re.I),
        (rf"{_NAMED}(?:{_IS_STRING}|{_AS_KEY}){_QUOTED}", re.I),
        (rf"{_MAYBE_NAMED}(?:{_IS_STRING}|{_AS_KEY}){_RANDOM}", re.I),
        (
            rf"(?:[?&;]|--|\b(?:export|set|setenv|%env|%set_env)\s+)[\w-]{{0,40}}?(?:{_SECRET}|{_MAYBE})=[\"']?{_BARE}",
            re.I,
        ),
        (rf"(?<![\w-])--(?:[\w-]{{0,40}}-)?(?:{_SECRET}|{_MAYBE})\s+{_BARE}", re.I),
        (rf"%(?:set_)?env\s+\w{{0,40}}(?:{_SECRET}|{_MAYBE})\s+{_BARE}", re.I),
    )
)
_SECRET_NAME = re.compile(rf"{_NAMED}s?$|{_MAYBE_NAMED}s?$", re.I)
_FILLED_LATER = re.compile(r"^(?:\{.*\}?|%s|%\(.*|\$.*|<.*>?|\*+|…)$", re.S)  # a placeholder of the user's own
_KEPT = frozenset({"id", "at", "stage", "kind", "relation"})  # fields that are no texts of the user's


class Redactor:
    """Redacts texts, and puts back into an answer what it took out of the question.

    Parameters
    ----------
    home, user : str or None
        The user's home folder and name. None: those of this process.
    """

    def __init__(self, home: str | None = None, user: str | None = None) -> None:
        self._paths = _path_patterns(_home() if home is None else home, _user() if user is None else user)
        self._placeholders: dict[str, str] = {}  # what was taken out -> what stands in its place
        self._folders: dict[str, str] = {}  # a redacted path -> the whole path

    def text(self, text: str) -> str:
        """The text without secrets; a text that was redacted stays as it is."""
        for _ in range(_PASSES):
            before = text
            for pattern in _PATTERNS:
                text = pattern.sub(functools.partial(self._replace, text), text)
            for pattern in self._paths:
                text = pattern.sub(self._shorten, text)
            if text == before:
                break
        return text

    def failure(self, failure: Failure) -> Failure:
        """The failure with all its texts redacted. Its sources no longer match their cells."""
        return self._walk(failure)

    def restore(self, text: str) -> str:
        """The text with what was redacted put back."""
        for secret, placeholder in reversed(self._placeholders.items()):
            text = re.sub(rf"{placeholder}(?!\d)", secret.replace("\\", r"\\"), text)
        for short, path in sorted(self._folders.items(), key=lambda one: -len(one[0])):
            text = text.replace(short, path)
        return text

    def _replace(self, text: str, found: re.Match[str]) -> str:
        secret = found["secret"]
        if _PLACEHOLDER.fullmatch(secret) or _FILLED_LATER.match(secret):
            return found[0]
        start = found.start("secret") - found.start()
        return found[0][:start] + self._placeholder(secret, text) + found[0][start + len(secret) :]

    def _placeholder(self, secret: str, text: str) -> str:
        if secret not in self._placeholders:
            number = len(self._placeholders) + 1
            while f"REDACTED_{number}" in text and f"REDACTED_{number}" not in self._placeholders.values():
                number += 1
            self._placeholders[secret] = f"REDACTED_{number}"
        return self._placeholders[secret]

    def _shorten(self, found: re.Match[str]) -> str:
        short = "~" + found["rest"]
        if found["rest"]:
            self._folders[short] = found[0]
        return short

    def _walk(self, value: T) -> T:
        walk: Callable[[Any], Any] = self._walk
        if isinstance(value, str):
            return self.text(value)  # type: ignore[return-value]  # a plain string
        if isinstance(value, tuple):
            return tuple(walk(item) for item in value)  # type: ignore[return-value]  # tuples here are of one kind
        if isinstance(value, ValueSummary) and value.kind == "scalar" and _SECRET_NAME.search(value.name):
            return dataclasses.replace(value, text="'REDACTED'")
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            texts = {field.name for field in dataclasses.fields(value)} - _KEPT
            return dataclasses.replace(value, **{name: walk(getattr(value, name)) for name in texts})
        return value


def redact(text: str) -> str:
    """The text without keys, passwords, tokens and the user's home folder.

    Parameters
    ----------
    text : str
        Any text or code. Idempotent.
    """
    return Redactor().text(text)


def redact_failure(failure: Failure) -> Failure:
    """The failure with all its texts redacted, to be kept or shown elsewhere. Its sources no longer match the cells."""
    return Redactor().failure(failure)


def _path_patterns(home: str, user: str) -> tuple[re.Pattern[str], ...]:
    """Patterns for the home folder and for other people's idea of it, each with the `rest` of the path."""
    homes = {home.rstrip("\\/")} if len(home.strip("\\/")) > 1 else set()
    if len(user) > 2 and user != "root":
        homes |= {f"/home/{user}", f"/Users/{user}", rf"C:\Users\{user}"}
    homes |= {one.replace("\\", "\\\\") for one in homes}
    rest = r"(?P<rest>(?:[\\/][^\s'\"<>|:;,)\]}]*)?)(?![\w.-])"
    patterns = [rf"(?<![\w.~\\/-]){re.escape(one)}{rest}" for one in sorted(homes, key=len, reverse=True)]
    if len(user) > 2 and user != "root":
        patterns.append(rf"(?<=[\\/]){re.escape(user)}(?P<rest>)(?=[\\/])")
    return tuple(re.compile(pattern) for pattern in patterns)


def _home() -> str:
    return os.path.expanduser("~")


@functools.lru_cache(maxsize=1)
def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user: a container
        return ""
