"""A repair, or a session of them, as Markdown that a colleague can read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from reflex_ipython.models import Fix, Repair, Trial
from reflex_ipython.present.amounts import duration
from reflex_ipython.present.blocks import SIGNS, Block, Code, Diff, Facts, Fold, Heading, Paragraph, Title
from reflex_ipython.present.clock import local_time
from reflex_ipython.present.printable import one_line, printable
from reflex_ipython.present.report import report

_LONGEST = 20_000
"""Characters of what a trial printed."""
_LONG_AGO = timedelta(days=4_000)


def session_log(repairs: Sequence[Repair], now: datetime | None = None) -> str:
    """All repairs of a session, the first one first. Times are as of `now` (`clock.local_time`)."""
    ordered = sorted(repairs, key=lambda repair: repair.cause.at)
    first = ordered[0] if ordered else None
    head = session_head(first, now) if first is not None else "# Reflex: no repairs\n"
    return "\n".join([head, *(repair_log(repair, now) for repair in ordered)])


def session_head(repair: Repair, now: datetime | None = None) -> str:
    """What stands above a session's repairs."""
    where = f" in {_plain(repair.notebook)}" if repair.notebook else ""
    return f"# Reflex: session {repair.session}{where}\n\nBegun {local_time(repair.cause.at, now)}.\n"


def repair_log(repair: Repair, now: datetime | None = None) -> str:
    """One repair: context, every attempt with its trial, what models were asked and answered, decision and re-run."""
    return "\n".join(_parts(repair, now))


def on_another_day() -> datetime:
    """As of when the times in a text have their dates, that is read on other days as well."""
    return datetime.now().astimezone() - _LONG_AGO


def log_sections(repair: Repair, now: datetime | None = None) -> list[str]:
    """The same in sections, each with its heading: what has changed since is a section that was not there before."""
    sections = list[list[str]]()
    for part in _parts(repair, now):
        if part.startswith("#") or not sections:
            sections.append([])
        sections[-1].append(part)
    return ["\n".join(section) for section in sections]


def _parts(repair: Repair, now: datetime | None) -> list[str]:
    parts = [_markdown(block) for block in report(repair, now)]
    for fix in repair.fixes:
        parts += _exchange(fix)
        trial = repair.verdict(fix).trial
        parts += _trial(fix, trial) if trial is not None else []
    parts += [_markdown(Heading("Earlier cells"))] if repair.situation.earlier else []
    parts += [_fenced(cell.source, "python") for cell in repair.situation.earlier]
    values = [(value.name, f"{value.type}: {value.text}") for value in repair.situation.values]
    parts += [_markdown(Heading("Values")), _markdown(Facts(tuple(values)))] if values else []
    return parts


def _exchange(fix: Fix) -> Iterator[str]:
    if fix.exchange is None:
        return
    yield _markdown(Heading(f"What {fix.provider} was asked for fix {fix.id}"))
    yield _fenced(fix.exchange.question)
    if fix.exchange.reasoning:
        yield _markdown(Heading("What it thought"))
        yield _fenced(fix.exchange.reasoning)
    yield _markdown(Heading("What it answered"))
    yield _fenced(fix.exchange.answer)
    if fix.usage is not None:
        known = {"in": fix.usage.input_tokens, "out": fix.usage.output_tokens}
        tokens = ", ".join(f"{count} tokens {way}" for way, count in known.items() if count is not None)
        yield f"{fix.usage.model}, {duration(fix.usage.seconds)}{', ' * bool(tokens)}{tokens}\n"


def _trial(fix: Fix, trial: Trial) -> list[str]:
    told = [("outcome", trial.outcome.replace("_", " ")), ("reason", trial.reason), ("time", duration(trial.seconds))]
    told += [("raised", f"{trial.ename}: {trial.evalue}")] if trial.ename else []
    told += [("result", trial.result)] if trial.result else []
    parts = [_markdown(Heading(f"Trial of {fix.id} ({fix.origin})")), _markdown(Facts(tuple(told)))]
    return [*parts, _fenced(trial.stdout[:_LONGEST])] if trial.stdout else parts


def _markdown(block: Block) -> str:
    if isinstance(block, Title):
        return f"## {_plain(one_line(block.text))}\n\n{_plain(block.note)}\n"
    if isinstance(block, Heading):
        return f"### {_plain(one_line(block.text))}\n" + (f"\n{_plain(block.note)}\n" if block.note else "")
    if isinstance(block, Paragraph):
        return f"{SIGNS[block.tone]}{_plain(block.text)}\n"
    if isinstance(block, Facts):
        rows = (f"- {_plain(name)}: {_plain(' '.join(value.split()))}" for name, value in block.rows if value)
        return "\n".join(rows) + "\n"
    if isinstance(block, Diff):
        lines = "\n".join(f"{sign}{''.join(span.text for span in line)}" for sign, line in block.lines())
        return (f"{_plain(block.label)}:\n\n" if block.label else "") + _fenced(lines, "diff")
    if isinstance(block, Code):
        return _fenced(block.source, "python")
    assert isinstance(block, Fold)
    return "\n".join([f"{_plain(block.summary)}\n", *map(_markdown, block.blocks)])


def _fenced(text: str, language: str = "") -> str:
    """A block of code that nothing in it ends."""
    longest = max((len(found) for found in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{printable(text)}\n{fence}\n"


def _plain(text: str) -> str:
    """Words that others wrote, which Markdown and HTML are to show and not to act on."""
    escaped = re.sub(r"([\\*_\[\]<>#|])", r"\\\1", printable(text))
    return escaped.replace("\n", " ")
