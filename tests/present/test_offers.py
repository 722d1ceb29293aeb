"""What can be asked for is what the providers say of themselves."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from reflex_ipython.present.context import context
from reflex_ipython.present.offers import Offers, offers
from reflex_ipython.protocols import Outgoing, Where
from reflex_ipython.stages import Question, Withheld


@dataclass
class Provider:
    label: str
    where: Where = "local"
    cost: str = ""
    name: str = "provider"

    def propose(self, failure, request):
        return []


@pytest.mark.parametrize(
    ("askable", "model", "terms"),
    [
        ([Provider("tiny")], "tiny", "It runs on this machine and costs nothing."),
        ([Provider("big", "remote", "a cent")], "big", "It runs on another machine and costs a cent."),
        (
            [Provider("tiny"), Provider("big", "remote", "a cent")],
            "tiny and big",
            "tiny runs on this machine and costs nothing. big runs on another machine and costs a cent.",
        ),
    ],
)
def test_those_who_can_be_asked_are_named_with_their_terms(askable, model, terms):
    assert offers(askable, triable=True) == Offers(model, terms, triable=True)


def test_where_nobody_can_be_asked_a_model_can_be_chosen():
    assert offers([], triable=False) == Offers(chooses_model=True)


def test_what_each_would_send_is_shown_and_who_does_not_show_it_is_named():
    outgoing = Outgoing("http://there/", b"the question")
    text = context([Question("big", outgoing, (Withheld("R_1", "password", "the cell"),)), Question("a \x1b[2J")])
    assert text.startswith("This would be sent to http://there/ (12 bytes):\n\nthe question\n\nWithheld (1)")
    assert text.endswith("would be asked, but it does not show in advance what it sends.")
    assert "\x1b" not in text


def test_what_a_provider_would_send_that_can_not_be_asked_is_said_not_to_be_sent():
    assert context([Question("", Outgoing("http://there/", b""))]).startswith("No model is chosen, so nothing is sent.")
