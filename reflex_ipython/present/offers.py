"""What a panel can offer beside its fixes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Offers:
    """What can be asked for at a click.

    Parameters
    ----------
    model : str
        The model that "Ask" would ask; empty: none was chosen.
    model_hint : str
        How to choose one, where none was.
    triable : bool
        Whether a fix that was not tried can be.
    """

    model: str = ""
    model_hint: str = ""
    triable: bool = False


NOTHING = Offers()
