"""All the places where a text may begin or end, and what its quotes and backslashes may be meant as."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate, candidate

_BROKEN = re.compile(r"([rRbBuUfF]{0,2})(\"\"\"|'''|[\"'])([\s\S]*)")
_OTHER = {"'": '"', '"': "'"}
_DRIVE = re.compile(r"[\"']?(?:[A-Za-z]:\\|\\\\\w|\.{1,2}\\)")
# Where code may go on behind a text, and how likely it ends in front of that.
_ENDS: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"\s*[)\]}:,;\s]*$"), 0.6),
    (re.compile(r"\s*\.(?:format|join|split|strip|upper|lower|replace)\("), 0.85),
    (re.compile(r"\s*\+\s*\w[\w.(]*.*$"), 0.75),
    (re.compile(r"\s*%\s*[\w(]"), 0.6),
    (re.compile(r",\s*[A-Za-z_][\w.]*(?:=|\(|\[|\s*[),])"), 0.5),
    (re.compile(r"\s*:\s*[\w\"'\[{-]"), 0.45),
    (re.compile(r"\]"), 0.6),
    (re.compile(r",\s*[\"'\d]"), 0.6),
    (re.compile(r"\)\s*(?:[.+\]})]|$)"), 0.4),
    (re.compile(r"\s+(?:if|else|in|for|and|or)\s"), 0.3),
    (re.compile(r"\s*[!=]="), 0.35),
)
_MOST_PLACES = 12


def text_ends(broken: Broken) -> Iterator[Candidate]:
    """`print("Total: + str(x))`: `print("Total:" + str(x))`; every place where the text may end."""
    token = _first_broken(broken)
    match = _BROKEN.fullmatch(token.text) if token else None
    if token is None or match is None or len(match.group(2)) == 3:
        return
    quote, body, start = match.group(2), match.group(3), token.start + match.start(3)
    shown = body[:20].strip()
    if re.fullmatch(r"[)\]}:,;\s]*", body):
        yield from _begun(broken, token, quote)
        yield from _escaped(broken, token, body, quote)
        return
    comment = re.search(r"\s+#", body)
    why = f"The text that starts with {quote}{shown} has no end."
    found = 0
    for place in range(1, len(body) + 1):
        prior = max((prior for end, prior in _ENDS if end.match(body, place)), default=0.0)
        if comment and place == comment.start():
            prior = 0.6
        if body[place - 1 : place] in ("", " ", "(", "+") and place < len(body):
            # A text for input or in front of a value ends with a space; any other ends in front of it.
            asks = re.search(r"[:?=>]\s*$", body[:place]) and re.fullmatch(r"[)\]}]+[:;]?\s*", body[place:])
            prior = 0.85 if asks else 0.0
        if prior:
            yield broken.guess([SpanEdit(start + place, start + place, quote)], prior, why, "missing quote")
            found += 1
        if found == _MOST_PLACES:
            break
    other = _OTHER[quote]
    for hit in list(re.finditer(other, body))[:2]:
        why = f"The text starts with {quote} and ends with {other}."
        place = start + hit.start()
        yield broken.guess([SpanEdit(place, place + 1, quote)], 0.8, why, "mismatched quote")
        yield broken.guess([SpanEdit(token.start + match.start(2), start, other)], 0.7, why, "mismatched quote")
    yield from _escaped(broken, token, body, quote)


def _escaped(broken: Broken, token: Token, body: str, quote: str) -> Iterator[Candidate]:
    """A text that ends with a backslash, or before an apostrophe."""
    hit = re.search(rf"(?<!\\)\\{quote}", body)
    if hit:
        place = token.start + (len(token.text) - len(body)) + hit.start()
        why = f"A backslash in front of {quote} makes it a part of the text; two are one backslash."
        yield broken.guess([SpanEdit(place, place, "\\")], 0.85, why, "backslash")
    before = [t for t in broken.cell.tokens if t.end <= token.start]
    row = broken.cell.lineno(token.start)
    texts = [t for t in before if t.kind == "string" and broken.cell.lineno(t.start) == row and t.text[0] == quote]
    if texts and not re.search(r"[,+]", broken.source[texts[0].end : token.start]):
        first, other = texts[0], _OTHER[quote]
        why = f"The {quote} inside would end the text; with a backslash it is a part of it."
        yield broken.guess([SpanEdit(first.end - 1, first.end - 1, "\\")], 0.8, why, "apostrophe in a text")
        if other not in broken.source[first.start : token.start + 1]:
            edits = [SpanEdit(first.start, first.start + 1, other), SpanEdit(token.start, token.start + 1, other)]
            why = f"The {quote} inside would end the text; {other} around it lets it be a part of it."
            yield broken.guess(edits, 0.8, why, "apostrophe in a text")
    yield from _one_of_many(broken, row, quote)
    yield from _several_rows(broken, token, body, quote)
    if before and before[-1].kind == "string" and before[-1].end == token.start:
        yield broken.guess([SpanEdit(token.start, token.start + 1, "")], 0.6, f"One {quote} too many.", "extra quote")


def _one_of_many(broken: Broken, row: int, quote: str) -> Iterator[Candidate]:
    """`['a', b', 'c']`, `['a', 'b, 'c']`: the one text of a list that has a quote on one side only."""
    text, start = broken.cell.line(row), broken.cell.starts[row - 1]
    if text.count(quote) < 3:
        return
    begun = [hit.start(1) for hit in re.finditer(rf"(?<=[\[(,=:{{+])\s*([\w.-]+){quote}(?=\s*[,\])}}:+])", text)]
    ended = [hit.end(1) for hit in re.finditer(rf"(?<=[\[(,=:{{+])\s*({quote}[\w.-]+)(?=\s*[,\])}}:+])", text)]
    if len(begun) + len(ended) == 1:
        why = f"One of the texts has a {quote} on one side only."
        place = start + (begun or ended)[0]
        yield broken.guess([SpanEdit(place, place, quote)], 0.93, why, "missing quote")


def _several_rows(broken: Broken, token: Token, body: str, quote: str) -> Iterator[Candidate]:
    """A text in plain quotes that goes on in the next lines: three quotes."""
    if quote in body:
        return
    following = broken.source[token.end :]
    end = following.find(quote)
    if end < 0 or following[:end].count("\n") > 10 or _OTHER[quote] in following[:end]:
        return
    rest = following[end + 1 :].partition("\n")[0]
    if quote in rest:
        return
    first = token.end - len(body) - 1
    edits = [SpanEdit(first, first + 1, quote * 3), SpanEdit(token.end + end, token.end + end + 1, quote * 3)]
    yield broken.guess(edits, 0.85, "A text of several lines stands in three quotes.", "text of several lines")


def _begun(broken: Broken, token: Token, quote: str) -> Iterator[Candidate]:
    """`print(hello")`: `print("hello")`: it is the end of a text that has no start."""
    row = broken.cell.lineno(token.start)
    line = [t for t in broken.cell.tokens if t.end <= token.start and broken.cell.lineno(t.start) == row]
    for place in range(len(line) - 1, -1, -1):
        before = line[place - 1].text if place else ""
        if line[place].kind in ("string", "newline"):
            break
        if before in ("(", ",", "=", "[", "{", ":", "+", "==", "!=", "in", "return", "print") or not place:
            why = f"The text that ends with {line[-1].text[-20:]}{quote} has no start."
            prior = 0.9 if before in ("(", "=", "[", "+") else 0.7
            yield broken.guess(
                [SpanEdit(line[place].start, line[place].start, quote)], prior if place else 0.3, why, "missing quote"
            )
            if before != ",":
                break
    many = bool(line) and (line[-1].kind == "close" or line[-1].kind == "string")
    prior = 0.87 if many else 0.3
    yield broken.guess([SpanEdit(token.start, token.start + 1, "")], prior, f"One {quote} too many.", "extra quote")


def inner_quotes(broken: Broken) -> Iterator[Candidate]:
    """`"He said "hi" to me"`: `'He said "hi" to me'`; `""abc""`: `"abc"`."""
    line = [token for token in broken.cell.tokens if broken.cell.lineno(token.start) == broken.problem.lineno]
    strings = [i for i, token in enumerate(line) if token.kind in ("string", "broken") and "\n" not in token.text]
    if len(strings) < 2:
        return
    first, last = line[strings[0]], line[strings[-1]]
    touching = any(
        (a.kind == "string" and b.kind in ("name", "number", "other") and a.end == b.start)
        or (b.kind == "string" and a.kind in ("number", "other") and a.end == b.start)
        for a, b in itertools.pairwise(line[strings[0] : strings[-1] + 1])
    )
    quote = first.text[-1]
    if not touching or quote not in _OTHER or last.text[-1] != quote:
        return
    if first.text.strip("rfbuRFBU") == quote * 2 and last.text == quote * 2:
        edits = [SpanEdit(first.end - 1, first.end, ""), SpanEdit(last.start, last.start + 1, "")]
        yield broken.guess(edits, 0.9, "One quote on each side is enough.", "extra quotes")
    start = first.start + first.text.index(quote)
    inside = broken.source[start + 1 : last.end - 1]
    other = _OTHER[quote]
    why = f"The {quote} inside the text would end it."
    if other not in inside and "," not in re.sub(r"[\"'][^\"']*[\"']", "", inside)[:0]:
        edits = [SpanEdit(start, start + 1, other), SpanEdit(last.end - 1, last.end, other)]
        yield broken.guess(edits, 0.85, f"{why} The other quotes around it do not.", "quotes in a text")
    places = [start + 1 + hit.start() for hit in re.finditer(rf"(?<!\\){quote}", inside)]
    yield broken.guess(
        [SpanEdit(p, p, "\\") for p in places],
        0.6,
        f"{why} A backslash makes it a part of the text.",
        "quotes in a text",
    )


def triple_quotes(broken: Broken) -> Iterator[Candidate]:
    """`\"\"\"abc` that never ends, or ends with fewer quotes: every line where it may end."""
    token = _first_broken(broken)
    match = _BROKEN.fullmatch(token.text) if token else None
    if token is None or match is None or len(match.group(2)) != 3:
        return
    quotes, body, start = match.group(2), match.group(3), token.start + match.start(3)
    rows = body.split("\n")
    why = f"The text that starts with {quotes} on line {broken.cell.lineno(token.start)} never ends."
    place, blank = start, False
    for index, row in enumerate(rows[:40]):
        text = row.rstrip("\r")
        few = re.search(r"(?<!\\)([\"'])\1?[)\s]*$", text)
        if few and few.group(1) == quotes[0]:
            end = place + few.start()
            length = len(re.match(r"[\"']*", text[few.start() :])[0])  # type: ignore[index]  # it has at least one
            yield broken.guess(
                [SpanEdit(end, end + length, quotes)], 0.9, f"{why} It ends with {quotes}.", "missing quotes"
            )
        closers = re.search(r"[)\s]*$", text)
        end = place + (closers.start() if closers else len(text))
        following = rows[index + 1] if index + 1 < len(rows) else ""
        ends = not following.strip()
        if text.strip():
            prior = 0.55 if index == 0 else 0.5 if ends and not blank else 0.25
            yield broken.guess([SpanEdit(end, end, quotes)], prior * 0.95**index, why, "missing quotes")
        blank = blank or (ends and index > 0)
        place += len(row) + 1


def raw_paths(cell: Cell) -> Iterator[Candidate]:
    """`"C:\\Users\\me"`: `r"C:\\Users\\me"`."""
    assert cell.problem is not None
    if not cell.problem.message.startswith("(unicode error)"):
        return
    edits = []
    for token in cell.tokens:
        match = _BROKEN.fullmatch(token.text) if token.kind == "string" else None
        if match and "r" not in match.group(1).lower() and re.search(r"(?<!\\)(?:\\\\)*\\[UuxN]", match.group(3)):
            if not _DRIVE.match(match.group(3)):
                return
            edits.append(SpanEdit(token.start, token.start, "r"))
    why = "A backslash starts an escape, and `\\U` or `\\x` wants digits behind it; in a raw text, it is itself."
    if edits:
        yield candidate(cell, edits, why, "backslashes of a path", 0.95)


def raw_texts(broken: Broken) -> Iterator[Candidate]:
    """A text with a backslash that is no escape."""
    if not broken.message.startswith("(unicode error)"):
        return
    edits, doubles = [], []
    for token in broken.cell.tokens:
        match = _BROKEN.fullmatch(token.text) if token.kind == "string" else None
        if match and "r" not in match.group(1).lower() and re.search(r"(?<!\\)(?:\\\\)*\\[UuxN]", match.group(3)):
            edits.append(SpanEdit(token.start, token.start, "r"))
            doubles += [
                SpanEdit(token.start + match.start(3) + hit.start(), token.start + match.start(3) + hit.start(), "\\")
                for hit in re.finditer(r"(?<!\\)\\(?=[UuxN])", match.group(3))
            ]
    why = "`\\U`, `\\u`, `\\x` or `\\N` starts an escape, and what stands behind it is none."
    if edits:
        yield broken.guess(edits, 0.8, f"{why} In a raw text, a backslash is itself.", "backslash")
        yield broken.guess(doubles, 0.4, f"{why} Two backslashes are one.", "backslash")


def bytes_text(broken: Broken) -> Iterator[Candidate]:
    """`b"é"`: `"é".encode()`, or `"é"`."""
    if not broken.message.startswith("bytes can only contain ASCII"):
        return
    for token in broken.cell.tokens:
        if token.kind == "string" and token.text[0] in "bB" and not token.text.isascii():
            why = "Bytes are written with ASCII alone; other letters have to be encoded."
            yield broken.guess(
                [SpanEdit(token.start, token.start + 1, ""), SpanEdit(token.end, token.end, ".encode()")],
                0.65,
                why,
                "bytes",
            )
            yield broken.guess([SpanEdit(token.start, token.start + 1, "")], 0.4, why, "bytes")
            return


def prefixes(cell: Cell) -> Iterator[Candidate]:
    """`ur'a'`: `r'a'`; `10L`: `10`; backticks: `repr(x)`: of Python 2."""
    edits, whys = [], []
    for left, right in itertools.pairwise(cell.tokens):
        if left.text.lower() in ("ur", "ru") and right.kind == "string" and left.end == right.start:
            edits.append(SpanEdit(left.start, left.end, "r"))
            whys.append("Every text is Unicode in Python 3: the prefix is `r`.")
        if left.kind == "string" and left.text.lower().startswith(("ur", "ru")):
            edits.append(SpanEdit(left.start, left.start + 2, "r"))
            whys.append("Every text is Unicode in Python 3: the prefix is `r`.")
        if left.kind == "number" and right.text in ("L", "l") and left.end == right.start and "." not in left.text:
            edits.append(SpanEdit(right.start, right.end, ""))
            whys.append("Whole numbers have no `L` in Python 3.")
    last = cell.tokens[-1] if cell.tokens else None
    if last is not None and last.kind == "string" and last.text.lower().startswith(("ur", "ru")):
        edits.append(SpanEdit(last.start, last.start + 2, "r"))
        whys.append("Every text is Unicode in Python 3: the prefix is `r`.")
    ticks = [token for token in cell.tokens if token.text == "`"]
    pairs = list(zip(ticks[::2], ticks[1::2]))
    if (
        ticks
        and len(ticks) % 2 == 0
        and all(b.start - a.end > 0 and cell.lineno(a.start) == cell.lineno(b.start) for a, b in pairs)
    ):
        inside = [cell.source[a.end : b.start] for a, b in pairs]
        if all(re.fullmatch(r"[\w.\[\]()]+", text) for text in inside):
            for a, b in pairs:
                edits += [SpanEdit(a.start, a.end, "repr("), SpanEdit(b.start, b.end, ")")]
            whys.append("Backticks are `repr(...)` in Python 3.")
    if edits:
        yield candidate(cell, edits, " ".join(dict.fromkeys(whys)), "literal of Python 2", 0.93)


def _first_broken(broken: Broken) -> Token | None:
    if not broken.message.startswith(("unterminated", "EOL", "EOF", "f-string: unterminated")):
        return None
    return next((token for token in broken.cell.tokens if token.kind == "broken"), None)
