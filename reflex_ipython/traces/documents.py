"""Traces as JSON: one document, or a line each of JSON; and the schema that describes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reflex_ipython.errors import BadInput
from reflex_ipython.models import from_json, to_json
from reflex_ipython.traces.recorded import FORMAT, Trace

LINES = (".jsonl", ".ndjson")
"""The ends of names of files that hold a line each: the trace without its parts, then each part."""

_PARTS = {
    "functions": "function",
    "calls": "call",
    "exchanges": "exchange",
    "network": "network",
    "environment": "environment",
}
_ID = "urn:reflex-ipython:trace:1"


def to_text(trace: Trace) -> str:
    """The trace as one JSON document."""
    return json.dumps(to_json(trace), ensure_ascii=False, indent=1) + "\n"


def to_lines(trace: Trace) -> Iterator[str]:
    """The same as lines of JSON: `{"trace": …}` first, then each part, `{"function": …}`, `{"call": …}`,
    `{"exchange": …}`, `{"network": …}` or `{"environment": …}`."""
    whole = to_json(trace)
    parts = {name: whole.pop(name) for name in _PARTS}
    yield json.dumps({"trace": whole}, ensure_ascii=False) + "\n"
    for name, word in _PARTS.items():
        for part in parts[name]:
            yield json.dumps({word: part}, ensure_ascii=False) + "\n"


def from_text(text: str) -> Trace:
    """The trace that a document or lines hold.

    Raises
    ------
    BadInput
        If it is none, or of a newer format; in words.
    """
    from pydantic import ValidationError  # 0.1 s to import: only who reads JSON pays

    try:
        found: Any = _gathered(text)
        if isinstance(found, dict) and isinstance(found.get("format"), int) and found["format"] > FORMAT:
            raise BadInput(f"The trace has format {found['format']}; this version reads up to {FORMAT}.")
        return from_json(Trace, found)
    except json.JSONDecodeError as error:
        raise BadInput(f"This is no trace: {error.msg} in line {error.lineno}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadInput(f"This is no trace: {place or 'the document'}: {first['msg']}.") from None


def read(path: str | Path) -> Trace:
    """The trace in a file.

    Raises
    ------
    BadInput
        If the file can't be read, or holds none.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} can't be read: {getattr(error, 'strerror', None) or error}.") from None
    return from_text(text)


def write(trace: Trace, path: str | Path) -> None:
    """Write it: lines of JSON where the name ends as in `LINES`, else one document.

    Raises
    ------
    BadInput
        If it can't be written there.
    """
    path = Path(path)
    text = "".join(to_lines(trace)) if path.suffix in LINES else to_text(trace)
    try:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)  # it holds code and values
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} can't be written: {getattr(error, 'strerror', None) or error}.") from None


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the document that `to_text` gives."""
    import pydantic

    found = pydantic.TypeAdapter(Trace).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": _ID, **found}


def _gathered(text: str) -> Any:
    """The document, put together again if it stands there in lines."""
    first, _, rest = text.lstrip().partition("\n")
    if not first.startswith('{"trace":'):
        return json.loads(text)
    whole = json.loads(first)["trace"]
    lists: dict[str, list[Any]] = {word: whole.setdefault(name, []) for name, word in _PARTS.items()}
    for number, line in enumerate(rest.splitlines(), 2):
        if line.strip():
            part = json.loads(line)
            word = next(iter(part), "") if isinstance(part, dict) else ""
            if word not in lists:
                raise BadInput(f"This is no trace: line {number} is none of {', '.join(lists)}.")
            lists[word].append(part[word])
    return whole
