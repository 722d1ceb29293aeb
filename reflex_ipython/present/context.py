"""What would be sent to a model, as text: every byte of it, and what was withheld."""

from __future__ import annotations

from collections.abc import Sequence

from reflex_ipython.present.printable import printable
from reflex_ipython.stages import Question, Withheld


def context(questions: Sequence[Question]) -> str:
    """Each request's address and body, and where which kinds of secrets were taken out."""
    return "\n\n".join(_shown(question) for question in questions)


def _shown(question: Question) -> str:
    outgoing = question.outgoing
    if outgoing is None:
        return printable(f"{question.provider} would be asked, but it does not show in advance what it sends.")
    size = f"{len(outgoing.body):,} bytes"
    if question.provider:
        head = f"This would be sent to {outgoing.url} ({size}):"
    else:
        head = f"No model is chosen, so nothing is sent. If one were chosen, this would go to {outgoing.url} ({size}):"
    body = outgoing.body.decode("utf-8", "replace")
    return "\n".join([head, "", body, "", *_withheld(question.withheld)])


def _withheld(withheld: tuple[Withheld, ...]) -> list[str]:
    if not withheld:
        return ["Withheld: nothing, because no secret was recognised. The key goes in a separate header."]
    places: dict[tuple[str, str], list[str]] = {}
    for one in withheld:
        places.setdefault((one.placeholder, one.kind), []).append(one.place)
    lines = [f"  {name}: {kind}, in {', '.join(found)}" for (name, kind), found in places.items()]
    return [f"Withheld ({len({name for name, _ in places})}), and put back into the answer:", *lines]
