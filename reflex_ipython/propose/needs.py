"""A model that says what a repair would need, or that there is none here: `Needs: run In [3]`. Pure.

Its words are untrusted: they are one short line, and what they ask for is done only where what is known bears it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reflex_ipython.base.distributions import DISTRIBUTIONS
from reflex_ipython.models import Cause, Failure, Install, RunCell, Step
from reflex_ipython.models.requirement import is_plain, name_of
from reflex_ipython.propose.blocks import Block, blocks
from reflex_ipython.propose.extract import prose
from reflex_ipython.propose.plain import plain
from reflex_ipython.protocols import Attempt

WHY = "as the model says"
_LINE = re.compile(
    r"^[\s#*_>-]*needs?(?:\*\*|__)?\s*:(?:\*\*|__)?\s*(?P<words>\S.*(?:\n(?!\s*(?:\n|```|~~~)).*)*)", re.I | re.M
)
_NUMBER = re.compile(r"\bIn\s?\[\s*(?P<run>\d{1,6})\s*\]|\bcell\s+(?P<place>\d{1,6})\b", re.I)
_RUN = re.compile(r"\b(?:re-?)?(?:run|execut)(?:s|ning|e|ed|ing)?\b", re.I)
_INSTALL = re.compile(r"\b(?:pip|conda|%pip)\s+install\s+`?([\w.-]+)|\binstall(?:ing)?\s+`([\w.-]+)`", re.I)
_CHOICE = re.compile(r"\b(?:decide|decision|choose|choice|either|which of|or)\b", re.I)
_NOT_HERE = re.compile(
    r"\b(?:can(?:no|')t|can not|impossible|unable)\b.{0,40}\b(?:repair|fix|solv|correct)"
    r"|\b(?:repair|fix|solv|correct)\w*\b.{0,40}\b(?:not possible|impossible)"
    r"|\b(?:is|was|are) (?:not|never) (?:defined|set|created|imported|run|executed) (?:in|by) any"
    r"|\b(?:is|was|are) (?:defined|set|created|imported) (?:in|by) no\b"
    r"|\b(?:must|should|needs? to|ha(?:s|ve) to) (?:first )?(?:be )?(?:run|re-?run|execute|define|install)",
    re.I,
)
_NAMED = re.compile(r"`[^`\n]+`|\bIn\s?\[\s*\d+\s*\]")


@dataclass(frozen=True)
class Needs:
    """What a model says is needed.

    Parameters
    ----------
    words : str
        In one short line.
    is_choice : bool
        Whether somebody has to decide between things.
    """

    words: str
    is_choice: bool = False


def needs(reply: str) -> Needs | None:
    """What a reply says is needed: on a line of its own, or in clear words where it holds no code.

    Parameters
    ----------
    reply : str
        All that the model wrote.
    """
    text = plain(reply)
    fenced = blocks(text)
    line = _LINE.search(_outside(text, fenced))
    if line is not None:
        words = prose(line["words"])
        return Needs(words, _CHOICE.search(words) is not None) if words else None
    words = "" if fenced else prose(text)
    return Needs(words) if _NOT_HERE.search(words) and _NAMED.search(words) else None


def _outside(text: str, fenced: Sequence[Block]) -> str:
    """The text with empty lines in the place of its blocks."""
    lines = text.split("\n")
    for block in fenced:
        lines[block.start : block.end + 1] = [""] * len(lines[block.start : block.end + 1])
    return "\n".join(lines)


def implied(said: Needs, cause: Cause, attempts: Sequence[Attempt] = ()) -> tuple[Step, ...]:
    """The steps that the words ask for, as far as what is known of the cause bears them out.

    Cells that the question showed may run again; one that has not run yet, with what it needs, as that was found. Of
    packages only those are installed that are known by name, and that the error asks for: anybody may have published
    something under another one.

    Parameters
    ----------
    said : Needs
    cause : Failure or Wish
    attempts : sequence of Attempt
        What was proposed before: of that the question showed the cells that have not run.
    """
    return tuple(dict.fromkeys((*_installs(said.words, cause), *_runs(said.words, cause, attempts))))


def _runs(words: str, cause: Cause, attempts: Sequence[Attempt]) -> Iterator[RunCell]:
    """The runs of the cells that the words name: `In [5]` is a run, `cell 5` the place of one that has not run."""
    if not _RUN.search(words):
        return
    runs: set[int] = set()
    for found in _NUMBER.finditer(words):
        name = f"In [{int(found['run'])}]" if found["run"] else f"cell {int(found['place'])}"
        first = next((steps for steps in map(_only_runs, attempts) if name in (step.name for step in steps)), [])
        yield from first
        if not first:
            runs.add(int(found["run"] or found["place"]))
    for cell in cause.situation.earlier:
        if cell.cell.execution_count in runs and cell.cell != cause.situation.cell:
            yield RunCell(cell.cell, cell.source, None, WHY)


def _only_runs(attempt: Attempt) -> list[RunCell]:
    """The cells that an attempt lets run first, if it does nothing else."""
    runs = [step for step in attempt.fix.steps if isinstance(step, RunCell)]
    return runs if len(runs) == len(attempt.fix.steps) else []


def _installs(words: str, cause: Cause) -> Iterator[Install]:
    if not isinstance(cause, Failure):
        return
    told = " ".join(f"{error.evalue} {error.ename}" for error in cause.exceptions)
    known = {name_of(one) for one in DISTRIBUTIONS.values()}
    for found in _INSTALL.finditer(words):
        asked = (found[1] or found[2]).rstrip(".")
        if is_plain(asked) and name_of(asked) in known and _is_told(asked, told):
            yield Install(asked)


def _is_told(distribution: str, message: str) -> bool:
    """Whether an error's message names a distribution, or a module of it."""
    modules = [module for module, name in DISTRIBUTIONS.items() if name_of(name) == name_of(distribution)]
    return any(re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-])", message) for word in (distribution, *modules))
