"""Members of an `Enum`, asked by their name where their value is wanted, or by a value that is written otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import reading, short

_NOT_VALID = re.compile(r"(?P<value>.+) is not a valid (?P<name>[\w.]+)", re.DOTALL)


def member_of_an_enumeration(failure: Failure) -> Iterator[Proposal]:
    """`Level("HIGH")`: `Level["HIGH"]`, the member of that name; or the value as its members write it."""
    match = _NOT_VALID.fullmatch(failure.error.evalue) if failure.error.ename == "ValueError" else None
    read = reading(failure) if match else None
    if read is None or match is None:
        return
    name = match["name"].rpartition(".")[2]
    for call in read.nodes(ast.Call):
        if read.called(call) != name or len(call.args) != 1 or call.keywords:
            continue
        owner, given, atom = read.text(call.func), read.text(call.args[0]), read.atom(call.args[0])
        why = f"`{owner}` has no member with the value {short(match['value'])}"
        ways: tuple[tuple[str, float, str], ...]
        if match["value"][:1] in "'\"":
            ways = (
                (f"{owner}[{given}]", 0.92, "square brackets ask for the member of that name."),
                (f"{owner}[{atom}.upper()]", 0.85, "it has a member of that name in capitals."),
                (f"{owner}({atom}.lower())", 0.85, "it has that one in small letters."),
                (f"{owner}({atom}.upper())", 0.85, "it has that one in capitals."),
                (f"{owner}({atom}.title())", 0.84, "it has that one with a capital."),
                (f"{owner}({atom}.strip())", 0.9, "it has that one without the spaces around it."),
                (f"{owner}(int({given}))", 0.9, "it has the number that this text is."),
            )
        else:
            ways = ((f"{owner}(str({given}))", 0.85, "it has that one as a text."),)
        for made, prior, end in ways:
            yield from read.propose(read.replace(call, made), f"{why}; {end}", "member of an enumeration", prior)
