"""Bytes that are no text in the encoding that was taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading
from reflex_ipython.propose.rules.values.texts import opened

_DECODE = re.compile(r"'([\w-]+)' codec can't decode bytes? (?:0x([0-9a-f]{2}) )?in position (\d+)")
_ENCODE = re.compile(r"'([\w-]+)' codec can't encode character")
_READING = frozenset({"open", "read_csv", "read_table", "read_text", "genfromtxt", "loadtxt", "decode", "read_json"})


def undecodable(failure: Failure) -> Iterator[Proposal]:
    """The encodings that take every byte, the likeliest first."""
    match = _DECODE.match(failure.error.evalue) if failure.error.ename == "UnicodeDecodeError" else None
    read = reading(failure) if match else None
    if read is None or match is None:
        return
    for call in _reading_calls(read):
        for encoding, prior in _fitting(match):
            why = f"The bytes are no {match[1]} (0x{match[2] or '??'} at {match[3]}); `{encoding}` takes them."
            yield from _with(read, call, encoding, why, prior)


def unencodable(failure: Failure) -> Iterator[Proposal]:
    """A text with characters that the encoding has not."""
    match = _ENCODE.match(failure.error.evalue) if failure.error.ename == "UnicodeEncodeError" else None
    read = reading(failure) if match else None
    if read is None or match is None:
        return
    for call in [*_reading_calls(read), *_named(read, "encode", "write_text")]:
        why = f"{match[1]} has not all the characters of the text; `utf-8` has."
        yield from _with(read, call, "utf-8", why, 0.9)


def _fitting(match: re.Match[str]) -> list[tuple[str, float]]:
    taken, byte, place = match[1].lower(), match[2] or "", int(match[3])
    if byte in ("ff", "fe") and place == 0:
        return [("utf-16", 0.85), ("cp1252", 0.3)]
    if taken in ("ascii", "charmap"):
        return [("utf-8", 0.85), ("cp1252", 0.4)]
    return [("cp1252", 0.65), ("latin-1", 0.25)]


def _reading_calls(read: Reading) -> list[ast.Call]:
    """The calls that read or open what could not be read: in the failing statement, or where its file was opened."""
    found = _named(read, *_READING)
    if found:
        return found
    names = {node.id for node in read.here if isinstance(node, ast.Name)}
    files = [opened(read, node) for node in read.here if isinstance(node, ast.Name) and node.id in names]
    calls = [call for call in files if call is not None and getattr(call.func, "id", "") == "open"]
    return calls[:1]


def _named(read: Reading, *names: str) -> list[ast.Call]:
    calls = [node for node in read.here if isinstance(node, ast.Call)]
    return [call for call in calls if read.called(call) in names]


def _with(read: Reading, call: ast.Call, encoding: str, why: str, prior: float) -> Iterator[Proposal]:
    name = read.called(call)
    positional = name in ("decode", "encode")
    there = [one.value for one in call.keywords if one.arg == "encoding"] + (call.args[:1] if positional else [])
    modes = [read.value(one) for one in call.args[1:2]] if name == "open" else []
    if any(type(mode) is str and "b" in mode for mode in modes) or any(mode is UNKNOWN for mode in modes):
        return
    if there:
        edits = read.replace(there[0], f'"{encoding}"')
    else:
        end = read.cell.span(call)[1] - 1
        comma = ", " if (call.args or call.keywords) and not read.cell.source[:end].rstrip().endswith(",") else ""
        written = f'"{encoding}"' if positional else f'encoding="{encoding}"'
        edits = [SpanEdit(end, end, f"{comma}{written}")]
    yield from read.propose(edits, why, "encoding", prior)
