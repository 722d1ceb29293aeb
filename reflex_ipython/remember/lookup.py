"""Finding one repair by the first characters of its id."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.errors import BadInput


class NoSuchRepair(BadInput):
    """No repair's id starts like that."""


def choose(prefix: str, ids: Sequence[str]) -> str:
    """The one id that starts with `prefix`; an id that is equal to it comes first.

    Raises
    ------
    BadInput
        If `prefix` is empty, or if no id or several ids start with it.
    """
    if not prefix:
        raise BadInput("Which repair? `%reflex history` lists the IDs.")
    if prefix in ids:
        return prefix
    found = [name for name in ids if name.startswith(prefix)]
    if not found:
        raise NoSuchRepair(f"There is no repair {prefix!r}: `%reflex history` lists the IDs.")
    if len(found) > 1:
        more = ", …" if len(found) > 5 else ""
        raise BadInput(
            f"{len(found)} repairs start with {prefix!r}: {', '.join(found[:5])}{more}. Type more of the ID."
        )
    return found[0]
