"""What came of a rollback, in exactly one of three forms."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

_SHOWN = 6
"""Things listed in words; the rest is counted."""


@dataclasses.dataclass(frozen=True)
class Restoration:
    """What came of a rollback.

    Parameters
    ----------
    except_names : tuple of str
        Names whose objects are not, or not surely, as they were, each with the reason in brackets.
    not_undone : tuple of str
        What happened outside the namespace, or in objects that can't be put back.
    """

    except_names: tuple[str, ...] = ()
    not_undone: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether everything is as it was."""
        return not self.except_names and not self.not_undone

    @property
    def words(self) -> str:
        """Exactly one of: exact; all but some names; not undone, with the list."""
        if self.exact:
            return "state restored exactly"
        if not self.not_undone:
            return f"restored except: {listed(self.except_names)}"
        return f"not undone: {listed((*self.not_undone, *self.except_names))}"


def listed(items: Iterable[str]) -> str:
    """Some items in words, the rest counted."""
    items = list(items)
    more = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f", and {more} more" if more > 0 else "")
