"""What was learnt of a repair: a mistake and how it was mended, with holes where another notebook has other names."""

from __future__ import annotations

import dataclasses
import hashlib


@dataclasses.dataclass(frozen=True)
class Lesson:
    """A mistake and its mending.

    Parameters
    ----------
    mistake : str
        The fingerprint of the failure: error, look-up and libraries, without values. 16 hexadecimal digits.
    before, after : str
        Python, before and after. A name that begins with `__` and a kind is a hole: `__name1`, `__text2`, `__rest`.
    here : bool
        Whether it was the failing statement that was changed, not another one of the cell.
    shape : str
        Of the whole failing statement: its tree without values. 8 hexadecimal digits.
    """

    mistake: str
    before: str
    after: str
    here: bool = True
    shape: str = dataclasses.field(default="", compare=False)

    @property
    def id(self) -> str:
        """The same for the same lesson, wherever it was learnt: 6 hexadecimal digits."""
        text = "\x1f".join((self.mistake, self.before, self.after, str(self.here)))
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:6]


@dataclasses.dataclass(frozen=True)
class Precedent:
    """That a lesson was applied, or refused, once.

    Parameters
    ----------
    lesson : Lesson
    worked : bool
        Whether the fix was accepted and its run succeeded. False: rejected, undone, or its run failed.
    at : str
        When, ISO 8601 in UTC.
    notebook : str
        Where; empty where that is not known.
    session : str
        The id of the session.
    """

    lesson: Lesson
    worked: bool
    at: str
    notebook: str = ""
    session: str = ""

    @property
    def place(self) -> str:
        """What tells one notebook from another; where none is known, one session from another."""
        return self.notebook or self.session
