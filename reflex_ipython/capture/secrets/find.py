"""All ways of finding secrets, put together."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from reflex_ipython.capture.secrets.beside import beside
from reflex_ipython.capture.secrets.columns import in_columns
from reflex_ipython.capture.secrets.named import named
from reflex_ipython.capture.secrets.places import placed
from reflex_ipython.capture.secrets.regions import not_code
from reflex_ipython.capture.secrets.secret import Secret
from reflex_ipython.capture.secrets.shapes import shaped

_REMEMBERED = 20_000
"""Characters of a text up to which its secrets are remembered: the same texts come again as a repair goes on."""
_PLAIN = re.compile(r"[a-z0-9_]{1,17}|[A-Za-z_]{1,10}")
"""Names that are too short and too plain for any way to find a secret in: of a notebook's names nearly all are."""


def find(text: str, *, code: bool = False) -> list[Secret]:
    """The secrets in a text, in their order and apart from each other.

    Parameters
    ----------
    text : str
        What was withheld from it before, `REDACTED_1`, is none.
    code : bool
        Whether it is the source of a cell or function, where most of what looks like `password: x` is a type.
    """
    if _PLAIN.fullmatch(text) is not None:
        return []
    return (_remembered if len(text) <= _REMEMBERED else _find)(text, code)


def _find(text: str, code: bool) -> list[Secret]:
    by_name = _in_code(text) if code else (*named(text), *in_columns(text), *beside(text, [(0, len(text))]))
    found = [*shaped(text), *placed(text), *by_name]
    return apart(secret for secret in found if secret.end > secret.start)


_remembered = functools.lru_cache(maxsize=256)(_find)


def apart(secrets: Iterable[Secret]) -> list[Secret]:
    """Those that overlap become one, named as the longest of them."""
    kept: list[Secret] = []
    for secret in sorted(secrets, key=lambda one: (one.start, -one.end)):
        if kept and secret.start < kept[-1].end:
            last = kept[-1]
            kind = last.kind if last.end - last.start >= secret.end - secret.start else secret.kind
            kept[-1] = Secret(last.start, max(last.end, secret.end), kind)
        else:
            kept.append(secret)
    return kept


def _in_code(text: str) -> Iterator[Secret]:
    yield from named(text, code=True)
    spans = list(not_code(text))
    yield from beside(text, spans)
    for start, end in spans:
        if end - start > 5:
            inside = text[start:end]
            yield from (
                Secret(start + one.start, start + one.end, one.kind) for one in (*named(inside), *in_columns(inside))
            )
