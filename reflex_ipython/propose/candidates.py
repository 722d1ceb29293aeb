"""What may be the new text of a cell, out of the blocks that are meant for it, in any shape. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reflex_ipython.models import CellSource
from reflex_ipython.propose.blocks import Block, bare_code, blocks
from reflex_ipython.propose.definitions import put_in_place
from reflex_ipython.propose.diff_reply import apply_diff, looks_like_diff
from reflex_ipython.propose.json_reply import texts_in
from reflex_ipython.propose.magics import parses
from reflex_ipython.propose.replacements import has_replacements, replaced
from reflex_ipython.propose.typed import as_typed
from reflex_ipython.propose.unfenced import within_words, without_words

_RESEMBLES = 50.0
"""Per cent of likeness from which text without a fence, or in JSON, may be the cell."""


def candidates(own: Sequence[Block], old: str, text: str, *, fenced: bool, earlier: bool) -> Iterator[str]:
    """What may be the new text of a cell, out of the blocks that are meant for it."""
    for block in own:
        if has_replacements(block.text) or block.language in ("diff", "patch") or looks_like_diff(block.text):
            edited = replaced(block.text, old) if has_replacements(block.text) else apply_diff(block.text, old)
            yield from [edited] if edited is not None else []
            continue
        texts = [bare_code(one) for one in texts_in(block.text) if likeness(one, old) >= _RESEMBLES]
        if texts:
            yield from texts
            continue
        code = bare_code(block.text)
        if fenced:
            code = without_words(as_typed(code, old), old)
            yield put_in_place(code, old) if earlier else code
            yield from (bare_code(inner.text) for inner in blocks(block.text) if inner.text.strip())
        elif parses(code) and likeness(code, old) >= _RESEMBLES:  # the whole answer: prose, as a rule
            yield code
        elif (part := within_words(block.text, old)) is not None and likeness(part, old) >= _RESEMBLES:
            yield bare_code(part)
    if "```" in old and own and text:
        yield _between_outermost_fences(text, own[0].start)


def _between_outermost_fences(text: str, start: int) -> str:
    """The answer's block where the cell has fences of its own, in a string perhaps."""
    lines = text.split("\n")
    end = next((number for number in range(len(lines) - 1, start, -1) if lines[number].strip() == "```"), len(lines))
    return "\n".join(lines[start + 1 : end])


def own_part(code: str, cell: CellSource, every: Sequence[CellSource]) -> str:
    """The code without other cells' whole texts in front of it: they would run once more in this one."""
    for other in every:
        text = other.source.strip("\n")
        rest = code.removeprefix(f"{text}\n").lstrip("\n")
        if other is not cell and "\n" in text and rest.strip() and not cell.source.strip().startswith(text):
            code = rest if len(rest) < len(code.lstrip("\n")) else code
    return code


def likeness(one: str, other: str) -> float:
    """How alike two texts are, in per cent."""
    from rapidfuzz.fuzz import ratio  # imported at the first answer, not at load

    return float(ratio(one, other))
