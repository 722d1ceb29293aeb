"""JSON that keeps to the schema of an answer, read as it comes: it becomes the text that is written without a schema.

So whatever is made of an answer behind this is the same for both, and what is shown meanwhile can be read. A model that
does not keep to the schema and writes such text itself is passed on as it is.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import Any

from reflex_ipython.propose.transport import AnswerPiece

MALFORMED = "malformed"
"""The finish reason of an answer that is no JSON, or not all of it, though its server said nothing of a limit."""

LONGEST = 300_000
"""Characters of JSON after which no more is read: what it says is bounded elsewhere, and escaped it is longer."""

FENCE = "`" * 8
"""Around code. Code in which one as long stands alone on a line can't be told, and is refused."""

_BLANKS = 500
"""So many at the end of it are the work of a model that can't find the end."""
_OFTEN = 50
"""It is looked at again once it has grown by this part: so all looks together take as long as a few at the whole."""
_START = re.compile(r"\s*(?:```(?:json)?\s*)?\{")
_MAY_START = re.compile(r"\s*(?:`{0,2}|```(?:j|js|jso|json)?\s*)")
_ENDS_BLOCK = re.compile(rf"(?:^|[\r\n])[^\S\r\n]*{FENCE}`*[^\S\r\n]*(?:[\r\n]|$)")
_RUN = re.compile(r"`{3,}|~{3,}")
_NOTHING = {"", "none", "nothing", "null", "no", "n/a"}


def read(pieces: Iterator[AnswerPiece]) -> Iterator[AnswerPiece]:
    """The pieces of an answer, with its text in blocks instead of its JSON.

    Parameters
    ----------
    pieces : iterator of AnswerPiece
        With the JSON in pieces of any size.
    """
    answer, reason = _Growing(), ""
    for piece in pieces:
        reason = piece.finish_reason or reason
        yield dataclasses.replace(piece, text=answer.add(piece.text))
        if answer.is_malformed:
            break
    rest = answer.rest()
    cut = reason in ("", "length")
    yield AnswerPiece(rest, finish_reason=MALFORMED if answer.is_malformed or not (cut or answer.is_whole) else "")


class _Growing:
    """An answer that is not all there yet."""

    def __init__(self) -> None:
        self._json = ""
        self._looked = 0  # at so many characters of it
        self._given = ""
        self._is_json: bool | None = None  # not known yet
        self.is_malformed = False
        """Whether it can't become what was asked for, whatever comes."""

    def add(self, text: str) -> str:
        """Take in some more, and give what can be told by now."""
        self._json += text
        if self._is_json is None and _START.match(self._json):
            self._is_json = True
        elif self._is_json is None and not _MAY_START.fullmatch(self._json):
            self._is_json = False
        if self._is_json is None or (self._is_json and len(self._json) - self._looked < len(self._json) // _OFTEN):
            return ""
        return self._look()

    def rest(self) -> str:
        """What is left when nothing more comes."""
        self._is_json = bool(self._is_json)
        return self._look(ended=True)

    @property
    def is_whole(self) -> bool:
        """Whether it is there to its end; what is no JSON says nothing of that."""
        if not self._is_json:
            return True
        found = _parsed(self._object.rstrip("` \t\r\n"), "off")
        return found is not None and isinstance(found.get("cells"), list)

    @property
    def _object(self) -> str:
        return self._json[self._json.index("{") :]

    def _look(self, *, ended: bool = False) -> str:
        """What is new since the last look."""
        if self.is_malformed:
            return ""
        self._looked = len(self._json)
        written = self._json if not self._is_json else None if self._is_endless else _written(self._object, ended=ended)
        if written is None or not written.startswith(self._given):
            self.is_malformed = True
            return ""
        new, self._given = written[len(self._given) :], written
        return new

    @property
    def _is_endless(self) -> bool:
        return len(self._json) > LONGEST or (len(self._json) > _BLANKS and self._json[-_BLANKS:].isspace())


def _parsed(json: str, partial: Any) -> dict[str, Any] | None:
    """The object; None if it is none, nor the beginning of one."""
    import jiter  # not at load: who asks a model has it by then, with the SDK

    try:
        found = jiter.from_json(json.encode(), partial_mode=partial, catch_duplicate_keys=True)
    except ValueError:  # of the text's encoding as well
        return None
    return found if isinstance(found, dict) else None


def _written(json: str, *, ended: bool) -> str | None:
    """The text for as much of the answer as is there; None if it can't be one. It only grows with the JSON."""
    growing, whole = _parsed(json, "trailing-strings"), _parsed(json, "on")
    if growing is None or whole is None:
        return None
    parts: list[str] = []
    for name, value in growing.items():
        if name == "reason" and isinstance(value, str):
            parts.append(_reason(value, whole=name in whole))
        elif name == "cells" and isinstance(value, list):
            cells = [cell for cell in value if isinstance(cell, dict)]
            if any(_ENDS_BLOCK.search(str(cell.get("code"))) for cell in cells):
                return None
            parts += _blocks(cells, whole.get(name), growing.get("reason"), ended=ended)
        elif name == "needs" and isinstance(value, str) and name in whole and not _says_nothing(value):
            parts.append(f"\nNeeds: {_line(value)}\n")
    return "".join(parts)


def _reason(text: str, *, whole: bool) -> str:
    """As a quotation: `Reason: 'x'` alone could be taken for Python."""
    return f"> Reason: {_line(text)}\n" if whole else f"> Reason: {_line(text).rstrip('`~')}"


def _blocks(cells: Sequence[dict[str, Any]], whole: Any, reason: Any, *, ended: bool) -> Iterator[str]:
    """A block a cell. One that comes again is an alternative, of which the reason is said again."""
    over = [cell for cell in whole if isinstance(cell, dict)] if isinstance(whole, list) else []
    seen = set[str]()
    for number, cell in enumerate(cells):
        code, name = cell.get("code"), _name(cell.get("cell"))
        if not isinstance(code, str) or (next(iter(cell)) != "cell" and not ended):
            return  # its number may come yet
        if name in seen and isinstance(reason, str):
            yield _reason(reason, whole=True)
        seen.add(name)
        yield f"{FENCE}python\n{name}{code}"
        if number < len(over) and "code" in over[number]:
            yield f"\n{FENCE}\n"


def _name(number: Any) -> str:
    """The line that names a cell; empty where there is no such number."""
    if isinstance(number, str) and number.isascii() and number.isdigit():
        number = int(number[:9])
    return f"# In [{number}]\n" if type(number) is int and number > 0 else ""


def _line(text: str) -> str:
    """Words in one line, in which no block can begin."""
    return _RUN.sub("'", text.replace("\r", " ").replace("\n", " "))


def _says_nothing(words: str) -> bool:
    return words.strip().rstrip(".").casefold() in _NOTHING
