"""A place in a text that holds a secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Secret:
    """Where a secret stands in a text.

    Parameters
    ----------
    start, end : int
        `text[start:end]` is the secret alone, without its quotes.
    kind : str
        What it is, in a word or two for the user: "password", "token", "GitHub token".
    """

    start: int
    end: int
    kind: str


Family = Literal["password", "key", "maybe key", "other key", "token"]
"""What a name says of its value. A password may be any text, a key is no plain name, a token must look random.

Of an "other key" the name says only that it is some key, `alpha_vantage_key`: that must be long as well."""
