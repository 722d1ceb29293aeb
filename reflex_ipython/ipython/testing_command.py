"""`%reflex test`: the test of a repair as a text to be copied, or in a file, with what was seen of it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from reflex_ipython.models import CellSource, Repair
from reflex_ipython.testwriting.formatting import formatted
from reflex_ipython.testwriting.module_text import WrittenTest
from reflex_ipython.testwriting.saving import save
from reflex_ipython.testwriting.writing import written

HOLDS_SECRETS = "It holds what looks like a secret ({}): look at it before anybody else does."
NAMES_HOME = "It names your home folder, {}: elsewhere there is none of that name."
_LOOKED_AT = 1_000_000  # bytes of a file beside it
FILES = "It reads {}, which `-o FILE` writes beside it."


def test_of(repair: Repair, others: Sequence[CellSource], file: str, secrets: Callable[[str], list[str]]) -> str:
    """Write the test of an accepted repair, and say what was seen of it.

    Parameters
    ----------
    repair : Repair
    others : sequence of CellSource
        The cells that ran in this kernel.
    file : str
        Where it is to be written; empty: it is part of what is said.
    secrets : callable
        The kinds of secrets that a text holds.

    Raises
    ------
    BadInput
        If none can be made, in words.
    """
    evidence = written(repair, others)
    test = evidence.test
    said = [evidence.words, *evidence.notes]
    found = sorted({kind for text in _texts(test) for kind in secrets(text)})
    if found:
        said.append(HOLDS_SECRETS.format(", ".join(found)))
    home = str(Path.home())
    if len(home) > 1 and any(home in text for text in _texts(test)):
        said.append(NAMES_HOME.format(home))
    if not file:
        if test.files:
            said.append(FILES.format(", ".join(sorted(test.files))))
        return "\n".join([formatted(test.text), *(f"# {line}" for line in said)])
    paths = save(test, Path(file).expanduser())
    more = f", with {', '.join(path.name for path in paths[1:])} beside it" if paths[1:] else ""
    return "\n".join([f"Wrote `{test.name}` into {paths[0]}{more}.", *said])


def _texts(test: WrittenTest) -> Iterator[str]:
    """All that others would get: the test, and what it reads."""
    yield test.text
    for data in test.files.values():
        yield base64.b64decode(data)[:_LOOKED_AT].decode("latin-1")
