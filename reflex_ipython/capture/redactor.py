"""Taking secrets and the user's own folders out of a text before it leaves this machine.

A secret becomes `REDACTED_1`, which is a plain word in code and in text alike; the user's home folder becomes `~`.
`SecretRedactor.restore` puts them back into what comes in return.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from reflex_ipython.capture.own_folders import OwnFolders
from reflex_ipython.capture.secrets.find import apart, find
from reflex_ipython.capture.secrets.known import KnownSecrets
from reflex_ipython.capture.secrets.secret import Secret
from reflex_ipython.capture.secrets.summary import in_summary
from reflex_ipython.models import (
    Cause,
    CellSource,
    Edit,
    ExceptionInfo,
    FileSource,
    Fix,
    Frame,
    Lesson,
    Lookup,
    NameChange,
    Repair,
    RunCell,
    Situation,
    Trial,
    ValueSummary,
    Verdict,
    Wish,
)
from reflex_ipython.stages import Withheld

T = TypeVar("T")

_PASSES = 5  # what one pass leaves behind may look like another secret

_KEPT = frozenset(
    {
        "id",
        "at",
        "stage",
        "kind",
        "relation",
        "session",
        "fix_id",
        "image",
        "outcome",
        "severity",
        "code",
        "path",
        "module",
        "qualname",
        "digest",
        "mistake",
        "shape",
        "revised",
    }
)
"""Fields that are no texts of the user's."""
_CODE: dict[type, frozenset[str]] = {
    Situation: frozenset({"source"}),
    CellSource: frozenset({"source"}),
    FileSource: frozenset({"source"}),
    Frame: frozenset({"source"}),
    Lesson: frozenset({"before", "after"}),
    Edit: frozenset({"expected", "source"}),
    RunCell: frozenset({"source"}),
    Trial: frozenset({"statement"}),
}
"""Fields that are a cell's text."""
_PLACES: dict[type, str] = {
    Situation: "the failing cell",
    Wish: "the request",
    CellSource: "an earlier cell",
    ExceptionInfo: "the error's message",
    Frame: "the traceback",
    Lookup: "the error's message",
    Fix: "an earlier fix",
    Verdict: "what came of an earlier fix",
}


class SecretRedactor:
    """Redacts texts, and puts back into an answer what it took out of the question.

    A value that was recognised as a secret in one text is taken out of all that come after; `learn` lets it look
    through all of them first.

    Parameters
    ----------
    home, user : str or None
        The user's home folder and name. None: those of this process.
    known : iterable of str
        Secrets that are known beforehand: what the environment and the user's variables hold under such names.
    paths_in_code : bool
        Whether the sources of cells keep the user's folders as they are.
    """

    def __init__(
        self,
        home: str | None = None,
        user: str | None = None,
        known: Iterable[str] = (),
        *,
        paths_in_code: bool = False,
    ) -> None:
        self._paths_in_code = paths_in_code
        self._folders = OwnFolders(home, user)
        self._known = KnownSecrets(known)
        self._placeholders: dict[str, str] = {}  # what was taken out -> what stands in its place
        self._withheld: dict[tuple[str, str, str], None] = {}  # place, kind, placeholder
        self._place = ""
        self._found: dict[tuple[str, bool], list[Secret]] = {}

    def learn(self, value: object) -> None:
        """Look for secrets in all the texts of a value, so that they are taken out wherever else they stand."""
        for text, code in _texts(value):
            self._secrets(text, code)

    def text(self, text: str, *, code: bool = False, place: str = "") -> str:
        """The text without secrets; a text that was redacted stays as it is.

        Parameters
        ----------
        text : str
        code : bool
            Whether it is the source of a cell.
        place : str
            What to call it in `withheld`.
        """
        before, self._place = self._place, place or self._place
        text = self._without(text, code)
        self._place = before
        return text

    def cause(self, cause: Cause) -> Cause:
        """What failed or is wanted, with all its texts redacted. Its sources no longer match those that are there."""
        self.learn(cause)
        return self._walk(cause)

    def repair(self, repair: Repair) -> Repair:
        """The repair with all its texts redacted, to be kept."""
        self.learn(repair)
        return self._walk(repair)

    def restore(self, text: str) -> str:
        """The text with what was redacted put back."""
        for secret, placeholder in reversed(self._placeholders.items()):
            text = re.sub(rf"{placeholder}(?!\d)", secret.replace("\\", r"\\"), text)
        return self._folders.restore(text)

    @property
    def secrets(self) -> tuple[str, ...]:
        """All that was taken out so far."""
        return tuple(self._placeholders)

    def withheld(self, text: str) -> list[Withheld]:
        """What was taken out of a text that was made of redacted ones: the kinds and the places, never the values."""
        there = set(re.findall(r"REDACTED_\d+", text))
        return [
            Withheld(placeholder, kind, place) for place, kind, placeholder in self._withheld if placeholder in there
        ]

    # ------------------------------------------------------------------------------- inside

    def _without(self, text: str, code: bool) -> str:
        for _ in range(_PASSES):
            secrets = apart([*self._secrets(text, code), *self._known.places(text)])
            text = self._replaced(text, secrets)
            if not (code and self._paths_in_code):
                text = self._folders.shorten(text)
            if not secrets:
                break
        return text

    def _secrets(self, text: str, code: bool) -> list[Secret]:
        if (text, code) not in self._found:
            self._found[text, code] = found = find(text, code=code)
            for secret in found:
                self._known.add(text[secret.start : secret.end], secret.kind)
        return self._found[text, code]

    def _replaced(self, text: str, secrets: list[Secret]) -> str:
        pieces, at = [], 0
        for secret in secrets:
            placeholder = self._placeholder(text[secret.start : secret.end], text)
            self._note(placeholder, secret.kind, text, secret.start)
            pieces += [text[at : secret.start], placeholder]
            at = secret.end
        return "".join([*pieces, text[at:]])

    def _placeholder(self, secret: str, text: str) -> str:
        if secret not in self._placeholders:
            number = len(self._placeholders) + 1
            while f"REDACTED_{number}" in text and f"REDACTED_{number}" not in self._placeholders.values():
                number += 1
            self._placeholders[secret] = f"REDACTED_{number}"
        return self._placeholders[secret]

    def _note(self, placeholder: str, kind: str, text: str, start: int) -> None:
        line = text.count("\n", 0, start) + 1
        place = self._place or "a text"
        self._withheld[f"{place}, line {line}" if "\n" in text else place, kind, placeholder] = None

    def _walk(self, value: T, code: bool = False) -> T:
        walk: Callable[..., Any] = self._walk
        if isinstance(value, str):
            return self._without(value, code)  # type: ignore[return-value]  # a plain string
        if isinstance(value, tuple):
            return tuple(walk(item, code) for item in value)  # type: ignore[return-value]  # tuples here are of one kind
        if isinstance(value, dict):
            return {key: walk(item, code) for key, item in value.items()}  # type: ignore[return-value]
        if not dataclasses.is_dataclass(value) or isinstance(value, type):
            return value
        before, self._place = self._place, _place(value) or self._place
        if isinstance(value, ValueSummary):
            named = in_summary(value.name, value.text, value.kind == "scalar")
            value = dataclasses.replace(value, text=self._replaced(value.text, named))
        if isinstance(value, NameChange) and value.after is not None and value.after.text:
            text = self._replaced(value.after.text, in_summary(value.name, value.after.text, True))
            value = dataclasses.replace(value, after=dataclasses.replace(value.after, text=text))
        sources = _CODE.get(type(value), frozenset())
        texts = [field.name for field in dataclasses.fields(value) if field.name not in _KEPT]
        changed = {name: walk(getattr(value, name), name in sources) for name in texts}
        self._place = before
        return dataclasses.replace(value, **changed)


def redact(text: str) -> str:
    """The text without keys, passwords, tokens and the user's home folder.

    Parameters
    ----------
    text : str
        Any text or code. Idempotent.
    """
    return SecretRedactor().text(text)


def _texts(value: object, code: bool = False) -> Iterator[tuple[str, bool]]:
    """All texts in a value, and whether each is a cell's source."""
    if isinstance(value, str):
        yield value, code
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _texts(item, code)
    elif isinstance(value, dict):
        yield from _texts(list(value.values()), code)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        sources = _CODE.get(type(value), frozenset())
        for field in dataclasses.fields(value):
            if field.name not in _KEPT:
                yield from _texts(getattr(value, field.name), field.name in sources)


def _place(value: object) -> str:
    """What to call the texts of a value."""
    if isinstance(value, ValueSummary):
        return f"the variable {value.name}"
    if isinstance(value, CellSource) and value.cell.execution_count is not None:
        return f"the earlier cell In [{value.cell.execution_count}]"
    if isinstance(value, FileSource):
        return f"your file {value.file.name}"
    return _PLACES.get(type(value), "")
