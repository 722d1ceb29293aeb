"""What is no Python at all: prose, shell commands, prompts, numbers of lines, HTML."""

from __future__ import annotations

import html
import itertools
import keyword
import re
from collections.abc import Iterator

from reflex_ipython.base.parsing import parse
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CODE = re.compile(r"[=\[\]{}<>\\`@%^~|]|\w\(|\(\)|\.\w+\(|\w\.[a-z]\w|:$|\"|^\s*[)}\]]")
_MARKDOWN = re.compile(r"\s*(?:[-*+•●▪◦→]\s|\d+[.)]\s|\*\*|__|#|>|={3,}|-{3,}|<\/?\w+[^>]*>|\|)")
_SHELL = re.compile(
    r"(?P<indent>\s*)(?P<prompt>(?:\([\w.-]+\)\s*)?\$\s+)?"
    r"(?P<command>pip3?|conda|mamba|apt|apt-get|git|wget|curl|cd|mkdir|ls|python3?|jupyter|npm|unzip|sudo|cp|mv|rm|cat|kaggle|brew|tar|head|tail|echo|export|chmod|touch|uv|poetry)"
    r"(?P<rest>\s+(?=[-\w./~$\"'])(?!=|in\b|is\b|and\b|or\b|if\b|for\b|import\b).*|\s*)$"
)
_MAGIC = frozenset({"pip", "pip3", "conda", "mamba", "cd"})
_PROMPT = re.compile(r"^[ \t]*(?:In\s*\[\s*\d*\s*\]:|\.\.\.:|>>>|\.\.\.)(?: |$)", re.MULTILINE)
_RESULT = re.compile(r"^[ \t]*Out\s*\[\s*\d*\s*\]:.*$", re.MULTILINE)
_NUMBERED = re.compile(r"[ \t]*(\d+)[.:|)]?([ \t]*)")
_BLOCK_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_QUERIES = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "WITH", "ALTER"})
_MOST_WORDS_SURE = 4


def prose(broken: Broken) -> Iterator[Candidate]:
    """`This cell loads the data.`: a comment."""
    rows = [row for row in range(1, len(broken.cell.starts) + 1) if _is_prose(broken, row)]
    rows = [row for row in rows if not broken.cell.line(row).lstrip().startswith("$ ")]
    if not rows:
        return
    if broken.problem.lineno not in rows and not any(_near(row, broken.problem.lineno) for row in rows):
        return
    words = min(len(_WORD.findall(broken.cell.line(row))) for row in rows)
    edits = []
    for row in rows:
        text = broken.cell.line(row)
        place = broken.cell.starts[row - 1] + len(text) - len(text.lstrip())
        edits.append(SpanEdit(place, place, "# "))
    first = broken.cell.line(rows[0]).strip()
    code = first.split()[0].lower() in keyword.kwlist or first.split()[0] in broken.known
    prior = 0.4 if code and words < _MOST_WORDS_SURE + 2 else 0.88 if words >= _MOST_WORDS_SURE else 0.6
    lines = f"Line {rows[0]} is" if len(rows) == 1 else f"Lines {', '.join(map(str, rows))} are"
    yield broken.guess(edits, prior, f"{lines} prose, not Python; `#` makes a comment of it.", "prose")


def shell(broken: Broken) -> Iterator[Candidate]:
    """`pip install x`: `%pip install x`; `$ ls`: `!ls`; `git clone ...`: `!git clone ...`."""
    edits, names = [], []
    for row in range(1, len(broken.cell.starts) + 1):
        text = broken.cell.line(row)
        match = _SHELL.match(text)
        if match is None or parse(text.strip()) is not None or broken.is_quoted(broken.cell.starts[row - 1]):
            continue
        if re.match(r"\s*(?:[=.,]|\()", match["rest"]):
            continue
        start = broken.cell.starts[row - 1] + len(match["indent"])
        sign = "%" if match["command"] in _MAGIC else "!"
        edits.append(SpanEdit(start, start + len(match["prompt"] or ""), sign))
        names.append((sign, match["command"]))
    if edits:
        sign, command = names[0]
        why = f"`{command}` is a command of the shell; in a cell, its line starts with `{sign}`."
        yield broken.guess(edits, 0.95, why, "shell command")


def prompts_inside(broken: Broken) -> Iterator[Candidate]:
    """`In [3]:`, `...:`, `>>>` in front of lines; `Out[3]:` becomes a comment."""
    hits = [hit for hit in _PROMPT.finditer(broken.source) if not broken.is_quoted(hit.start())]
    if not hits:
        return
    edits = [SpanEdit(hit.start(), hit.end(), "") for hit in hits]
    edits += [SpanEdit(hit.start(), hit.start(), "# ") for hit in _RESULT.finditer(broken.source)]
    shown = hits[0].group().strip()
    why = f"The prompt `{shown}` is not part of the code."
    yield broken.guess(edits, 0.93, why, "pasted prompts")


def line_numbers(broken: Broken) -> Iterator[Candidate]:
    """`1 import os`, `2 x = 3`: the numbers go."""
    rows = [row for row in range(1, len(broken.cell.starts) + 1) if broken.cell.line(row).strip()]
    matches = [(row, _NUMBERED.match(broken.cell.line(row))) for row in rows]
    found = [(row, match) for row, match in matches if match]
    numbers = [int(match.group(1)) for _, match in found]
    if len(found) < 2 or len(found) < len(rows) or any(b <= a for a, b in itertools.pairwise(numbers)):
        return
    if numbers[-1] - numbers[0] > 3 * len(numbers):
        return
    code = [len(match.group(2)) for row, match in found if broken.cell.line(row)[match.end() :].strip()]
    width = min(code, default=0)
    edits = []
    for row, match in found:
        start = broken.cell.starts[row - 1]
        edits.append(SpanEdit(start, start + match.end(2) - max(0, len(match.group(2)) - width), ""))
    why = f"The numbers {numbers[0]} to {numbers[-1]} in front of the lines are not part of the code."
    yield broken.guess(edits, 0.95, why, "pasted line numbers")


def entities(broken: Broken) -> Iterator[Candidate]:
    """`if x &lt; 3:`: `if x < 3:`."""
    new = re.sub(
        r"&(?:lt|gt|amp|quot|apos|nbsp|#39|#34|#x27);",
        lambda hit: html.unescape(hit.group()).replace("\xa0", " "),
        broken.source,
    )
    if new != broken.source:
        why = "`&lt;` and the like are how a web page writes `<`; they are no Python."
        yield Candidate(new, len(broken.source) - len(new), why, "signs of a web page", 0.95)
    new = re.sub(r"</?(?:br|p|div|span|code|pre|b|i|strong|em)\b[^>\n]*>", "", broken.source)
    if new != broken.source:
        yield Candidate(
            new, len(broken.source) - len(new), "Tags of a web page are no Python.", "signs of a web page", 0.6
        )


def foreign_comments(broken: Broken) -> Iterator[Candidate]:
    """`// text`, `/* text */`, `-- text`, `<!-- text -->`: `# text`."""
    source = broken.source
    edits = []
    for hit in _BLOCK_COMMENT.finditer(source):
        if broken.is_quoted(hit.start()):
            continue
        rows = hit.group().split("\n")
        indent = broken.indent([token for token in broken.cell.tokens if token.start >= hit.start()][:1])
        cleaned = [re.sub(r"^\s*(?:/\*+|\*(?!/))?\s?", "# ", re.sub(r"\s*\*+/\s*$", "", row)) for row in rows]
        cleaned = [row for row in cleaned if row.strip(" #") or len(rows) == 1]
        edits.append(SpanEdit(hit.start(), hit.end(), f"\n{indent}".join(row.rstrip() for row in cleaned) or "#"))
    for row in range(1, len(broken.cell.starts) + 1):
        text, start = broken.cell.line(row), broken.cell.starts[row - 1]
        match = re.match(r"\s*(//+|--|<!--|REM\b|'(?=\s))\s?(.*?)(?:\s*-->)?$", text)
        behind = re.search(r"\s(//+)\s*[^\W\d].*$", text)
        if match and not any(edit.start <= start < edit.end for edit in edits):
            edits.append(SpanEdit(start + match.start(1), start + len(text), f"# {match.group(2)}"))
        elif (
            behind and not broken.is_quoted(start + behind.start(1)) and parse(text.strip()) is None and "#" not in text
        ):
            edits.append(SpanEdit(start + behind.start(1), start + behind.end(1), " #"))
    edits = [edit for edit in edits if not broken.is_quoted(edit.start)]
    if edits:
        why = "A comment starts with `#` in Python."
        yield broken.guess(edits, 0.93, why, "comment")


def backslashes(broken: Broken) -> Iterator[Candidate]:
    """`my\\_name`, `print(\\"a\\")`, `x = 1 \\ # why`, `a \\ b`, `x\\ny`: a backslash that means nothing there."""
    if "after line continuation character" not in broken.message:
        return
    places = [token.start for token in broken.cell.tokens if token.text == "\\" and token.kind == "other"] or [
        hit.start() for hit in re.finditer(r"\\", broken.source)
    ]
    places = [place for place in places if not broken.is_quoted(place)]
    if not places:
        return
    source = broken.source
    after = [source[place + 1 : place + 2] for place in places]
    if all(re.match(r"\\[ \t]+(?=\r?\n|$)", source[place:]) for place in places):
        edits = []
        for place in places:
            hit = re.match(r"\\([ \t]+)", source[place:])
            edits.append(SpanEdit(place + 1, place + 1 + len(hit.group(1) if hit else ""), ""))
        yield broken.guess(
            edits, 0.97, "Behind the `\\` that continues a line stands nothing, not even a space.", "backslash"
        )
        return
    escapes = [
        place
        for place, sign in zip(places, after)
        if sign in ("_", "*", "[", "]", "#", '"', "'", "(", ")", "{", "}", "<", ">", "=", "-", "+", ".")
    ]
    if escapes:
        why = "The backslash protects a sign from Markdown or JSON; Python wants the sign alone."
        everywhere = [hit.start() for hit in re.finditer(r"\\(?=[_*\[\]#\"'])", source)]
        quoted = any(source[place + 1] in "\"'" for place in escapes)
        yield broken.guess(
            [SpanEdit(place, place + 1, "") for place in (everywhere if quoted else escapes)], 0.93, why, "backslash"
        )
    if all(sign == "n" for sign in after):
        yield broken.guess(
            [SpanEdit(place, place + 2, broken.cell.newline) for place in places],
            0.9,
            "`\\n` is a line end inside a text only.",
            "backslash",
        )
    if all(re.match(r"\\[ \t]*#", source[place:]) for place in places):
        yield broken.guess(
            [SpanEdit(place, place + 1, "") for place in places],
            0.8,
            "Behind the `\\` that continues a line stands no comment.",
            "backslash",
        )
    if len(places) == 1:
        place = places[0]
        yield broken.guess([SpanEdit(place, place + 1, "/")], 0.6, "Python divides with `/`.", "backslash")
        yield broken.guess(
            [SpanEdit(place, place + 1, "")], 0.35, "A `\\` continues a line, and stands at its end.", "backslash"
        )


def _is_prose(broken: Broken, row: int) -> bool:
    """Whether a line is words that are no code: it doesn't parse, and has none of code's signs."""
    text = broken.cell.line(row)
    stripped = text.strip()
    if (
        len(stripped) < 3
        or stripped.startswith("#")
        or broken.is_quoted(broken.cell.starts[row - 1] + len(text) - len(text.lstrip()))
    ):
        return False
    words = _WORD.findall(stripped)
    marked = _MARKDOWN.match(stripped)
    if not words or parse(stripped) is not None or parse(f"{stripped} pass") is not None:
        return False
    if len(words) < 2 and not (marked and len(words) == 1):
        return False
    first = words[0] if stripped.startswith(words[0]) else ""
    if first in _QUERIES or (first in ("import", "from") and {"as", "import"} & set(words[1:])):
        return False
    if keyword.iskeyword(first) and (len(words) < _MOST_WORDS_SURE or stripped.endswith(":")):
        return False
    if stripped.endswith(":") and row < len(broken.cell.starts) and broken.cell.line(row + 1).startswith((" ", "\t")):
        return False  # the header of a block
    body = re.sub(
        r"(?<!\w)\([\w ,.'-]*\)|\"[^\"]*\"|https?://\S+|`[^`]*`", "", stripped[marked.end() :] if marked else stripped
    )
    if _CODE.search(re.sub(r":$", "", body)):
        return False
    if body.count("(") != body.count(")") or (len(words) < _MOST_WORDS_SURE and "(" in body):
        return False
    letters = sum(char.isalpha() or char.isspace() or char in ".,;:!?'’-()&/–—" or char.isdigit() for char in body)
    emoji = sum(ord(char) > 0x2000 for char in body)
    return letters + emoji >= len(body) - 1


def _near(row: int, line: int) -> bool:
    return abs(row - line) <= 1
