"""What a panel can offer beside its fixes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reflex_ipython.protocols import FixProvider, NeedsConsent


@dataclass(frozen=True)
class Offers:
    """What can be asked for at a click.

    Parameters
    ----------
    model : str
        Whom "Ask" would ask, by their labels; empty: nobody can be.
    model_terms : str
        Where they work and what that costs, in sentences.
    chooses_model : bool
        Whether nobody can be asked, so that a model may be chosen.
    triable : bool
        Whether a fix that was not tried can be.
    consent : str
        The host that has to be allowed before anything is sent; empty: none.
    names : tuple of str
        What is there and near to what was looked up in vain: one of these may be meant.
    """

    model: str = ""
    model_terms: str = ""
    chooses_model: bool = False
    triable: bool = False
    consent: str = ""
    names: tuple[str, ...] = ()


NOTHING = Offers()


def offers(askable: Sequence[FixProvider], *, triable: bool) -> Offers:
    """What can be asked for, where these providers can be asked."""
    return Offers(
        model=" and ".join(provider.label for provider in askable),
        model_terms=" ".join(_terms(provider, "It" if len(askable) == 1 else provider.label) for provider in askable),
        chooses_model=not askable,
        triable=triable,
        consent=next(filter(None, map(consent_for, askable)), ""),
    )


def consent_for(provider: FixProvider) -> str:
    """The host that the user has to allow before a provider sends anything; empty: none."""
    return provider.consent_for if isinstance(provider, NeedsConsent) else ""


def _terms(provider: FixProvider, name: str) -> str:
    place = "this machine" if provider.where == "local" else "another machine"
    return f"{name} runs on {place} and costs {provider.cost or 'nothing'}."
