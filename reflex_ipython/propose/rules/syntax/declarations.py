"""How other languages declare names, functions and modules."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.cell import Cell
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate, candidate
from reflex_ipython.propose.rules.well_known import WELL_KNOWN

WORDS = frozenset({"let", "var", "const", "auto", "final", "static", "public", "private", "val", "mut", "local", "my"})
TYPES = frozenset(
    {"int", "float", "double", "long", "short", "char", "string", "String", "str", "bool", "boolean", "Integer", "list"}
)
FUNCTIONS = frozenset({"function", "func", "fun", "fn", "define", "sub", "procedure", "Function", "Def", "DEF"})
_DISTRIBUTIONS = {
    "scikit-learn": "sklearn",
    "scikit-image": "skimage",
    "opencv-python": "cv2",
    "python-dateutil": "dateutil",
    "pytorch-lightning": "pytorch_lightning",
    "imbalanced-learn": "imblearn",
}


def declared(cell: Cell) -> Iterator[Candidate]:
    """`let x = 1;`, `int x = 5`: `x = 1;`, `x = 5`, in all of the cell."""
    edits, words = [], []
    for line in (part for whole in cell.logical_lines for part in _statements(whole)):
        count = _declaring(line)
        if count:
            edits.append(SpanEdit(line[0].start, line[count].start, ""))
            words.append(cell.source[line[0].start : line[count - 1].end])
    if edits:
        shown = " and ".join(f"`{word}`" for word in dict.fromkeys(words))
        why = f"Python has no {shown} in front of a name: giving it a value is enough."
        yield candidate(cell, edits, why, "declaration", 0.95)


def functions(cell: Cell) -> Iterator[Candidate]:
    """`function f(x):`: `def f(x):`."""
    edits, words = [], []
    for line in cell.logical_lines:
        if len(line) > 2 and line[0].text in FUNCTIONS and line[1].kind == "name" and line[2].text in ("(", ":"):
            edits.append(SpanEdit(line[0].start, line[0].end, "def"))
            words.append(line[0].text)
    if edits:
        yield candidate(cell, edits, f"Python defines a function with `def`, not `{words[0]}`.", "definition", 0.95)


def typed_parameters(broken: Broken) -> Iterator[Candidate]:
    """`def f(int x, int y):`: `def f(x: int, y: int):`."""
    line = broken.line
    if not line or line[0].text not in ("def", "async"):
        return
    edits = []
    for left, right, before in zip(line[3:], line[4:], line[2:]):
        if left.depth == 1 and left.kind == right.kind == "name" and before.text in ("(", ","):
            shown = {"string": "str", "String": "str", "double": "float", "boolean": "bool"}.get(left.text, left.text)
            edits.append(SpanEdit(left.start, right.end, f"{right.text}: {shown}" if shown in TYPES else right.text))
    if edits:
        why = "In Python, the type of an argument stands behind its name: `x: int`."
        yield broken.guess(edits, 0.9, why, "type of an argument")


def created(cell: Cell) -> Iterator[Candidate]:
    """`x = new Model()`: `x = Model()`."""
    edits = [
        SpanEdit(left.start, right.start, "")
        for line in cell.logical_lines
        for left, right in itertools.pairwise(line)
        if left.text == "new" and right.kind == "name" and left.end < right.start
    ]
    if edits:
        yield candidate(cell, edits, "Python makes an object by calling its class, without `new`.", "new", 0.95)


def arrow_assignment(broken: Broken) -> Iterator[Candidate]:
    """`5 -> x`: `x = 5`; `set x to 5`, `set x = 5`: `x = 5`."""
    statement = broken.statement
    texts = [token.text for token in statement]
    if (
        "->" in texts[1:-1]
        and texts[0] != "def"
        and len(texts) - texts.index("->") == 2
        and statement[-1].kind == "name"
    ):
        value = broken.text(statement[: texts.index("->")])
        why = "Python gives a value to a name with `=`, the name first."
        edit = SpanEdit(statement[0].start, statement[-1].end, f"{texts[-1]} = {value}")
        yield broken.guess([edit], 0.9, why, "assignment")
    if texts[:1] in (["set"], ["Set"], ["Let"], ["Dim"], ["LET"], ["SET"]) and texts[2:3] in (["="], ["to"], ["be"]):
        edit = SpanEdit(statement[0].start, statement[1].start, "")
        edits = [edit, SpanEdit(statement[2].start, statement[2].end, "=")]
        why = f"Python gives `{texts[1]}` a value with `=` alone."
        yield broken.guess(edits, 0.93, why, "assignment")


def imports(broken: Broken) -> Iterator[Candidate]:
    """`import pandas pd`, `from math sqrt`, `import pandas as`, `from x import`: what is missing."""
    line, texts = broken.statement, [token.text for token in broken.statement]
    if not texts or texts[0] not in ("import", "from", "include", "using", "require", "Import", "From"):
        return
    if texts[-1] == "," and len(line) > 2:
        why = "A comma at the end of an import has nothing behind it."
        yield broken.guess([SpanEdit(line[-1].start, line[-1].end, "")], 0.95, why, "comma of an import")
    if texts[0] in ("include", "using", "require") and len(line) > 1:
        why = f"Python brings a module in with `import`, not `{texts[0]}`."
        yield broken.guess([SpanEdit(line[0].start, line[0].end, "import")], 0.85, why, "import")
    elif texts[0].lower() == "import":
        yield from _import(broken, line, texts)
    elif texts[0].lower() == "from":
        yield from _from(broken, line, texts)


def _import(broken: Broken, line: list[Token], texts: list[str]) -> Iterator[Candidate]:
    module = _dotted(texts, 1)
    text = broken.text(line[1:])
    if len(line) == 2 and line[1].kind == "string":
        why = "The name of a module is written without quotes."
        yield broken.guess([SpanEdit(line[1].start, line[1].end, line[1].text.strip("'\""))], 0.93, why, "import")
    elif "-" in texts and re.fullmatch(r"[\w-]+(?: as \w+)?", text):
        name = text.split(" ")[0]
        new = _DISTRIBUTIONS.get(name, name.replace("-", "_"))
        why = f"A module's name has no hyphen: `{name}` is installed, `{new}` imported."
        yield broken.guess([SpanEdit(line[1].start, line[1].start + len(name), new)], 0.9, why, "import")
    elif len(line) == module + 1 and line[module].kind == "name" and texts[module] != "as":
        why = f"A module's other name stands behind `as`: `as {texts[module]}`."
        yield broken.guess([SpanEdit(line[module - 1].end, line[module].start, " as ")], 0.97, why, "import")
    elif len(line) == module + 2 and texts[module] not in (",", "as", "from", "import"):
        why = f"A module's other name stands behind `as`: `as {texts[-1]}`."
        yield broken.guess([SpanEdit(line[module].start, line[module].end, "as")], 0.95, why, "import")
    elif texts[-1] == "as" and (len(line) == module + 1 or "," in texts):
        last = len(texts) - 1 - texts[::-1].index(",") if "," in texts else 0
        name, module = ".".join(text for text in texts[last + 1 : -1] if text != "."), len(line) - 1
        alias = next(
            (
                alias
                for alias, known in WELL_KNOWN.items()
                for statement, _ in known
                if statement == f"import {name} as {alias}"
            ),
            None,
        )
        if alias:
            why = f"`as` is followed by the other name; for {name}, everybody takes `{alias}`."
            yield broken.guess([SpanEdit(line[-1].end, line[-1].end, f" {alias}")], 0.9, why, "import")
        why = "`as` is followed by another name of the module; without one it goes."
        yield broken.guess([SpanEdit(line[module - 1].end, line[-1].end, "")], 0.3 if alias else 0.8, why, "import")


def _from(broken: Broken, line: list[Token], texts: list[str]) -> Iterator[Candidate]:
    module = _dotted(texts, 1)
    name = "".join(texts[1:module])
    if texts[-1] == "as" and "import" in texts[module:-2]:
        why = "`as` is followed by another name for what is imported; without one it goes."
        yield broken.guess([SpanEdit(line[-2].end, line[-1].end, "")], 0.9, why, "import")
    if texts[module : module + 2] == ["import", "as"] and len(line) == module + 3:
        edits = [SpanEdit(line[0].start, line[0].end, "import"), SpanEdit(line[module - 1].end, line[module].end, "")]
        yield broken.guess(
            edits, 0.93, f"`import {name} as {texts[-1]}` gives the whole module another name.", "import"
        )
    if texts[-1] == "import" and len(line) == module + 1:
        why = f"`from {name} import` has to say what; the module itself is brought in by `import {name}`."
        yield broken.guess([SpanEdit(line[0].start, line[-1].end, f"import {name}")], 0.6, why, "import")
        why = f"`from {name} import` has to say what; `*` is everything."
        yield broken.guess([SpanEdit(line[-1].end, line[-1].end, " *")], 0.3, why, "import")
    elif "import" not in texts and len(line) > module and line[module].kind == "name":
        near = texts[module].startswith(("im", "Im", "IM")) and len(line) > module + 1
        edit = SpanEdit(
            line[module].start, line[module].end if near else line[module].start, "import" if near else "import "
        )
        yield broken.guess([edit], 0.95, f"`from {name}` is followed by `import`.", "import")
    elif texts[module : module + 1] == ["import"] and len(line) > module + 2:
        rest = line[module + 1 :]
        if all(token.kind == "name" or token.text == "." for token in rest) and texts[-2] == ".":
            inner = "".join(texts[module + 1 : -2])
            edit = SpanEdit(line[1].start, line[-1].end, f"{name}.{inner} import {texts[-1]}")
            yield broken.guess([edit], 0.9, "Dots belong into the module's name, in front of `import`.", "import")
        gaps = [
            (a, b)
            for a, b in itertools.pairwise(rest)
            if a.kind == b.kind == "name" and {a.text, b.text}.isdisjoint({"as"})
        ]
        if gaps:
            why = "Names that are imported are separated by commas."
            yield broken.guess([SpanEdit(a.end, a.end, ",") for a, _ in gaps], 0.75, why, "import")
            why = f"Another name stands behind `as`: `as {gaps[-1][1].text}`."
            yield broken.guess([SpanEdit(a.end, a.end, " as") for a, _ in gaps[-1:]], 0.4, why, "import")


def _statements(line: list[Token]) -> Iterator[list[Token]]:
    """The parts of a line between semicolons."""
    part: list[Token] = []
    for token in line:
        if token.text == ";" and not token.depth:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _declaring(line: list[Token]) -> int:
    """How many words of a declaration a statement starts with; 0 if it is none."""
    count = 0
    while count < len(line) - 1 and line[count].kind == "name" and line[count].text in WORDS | TYPES:
        count += 1
        if [token.text for token in line[count : count + 2]] == ["[", "]"]:
            count += 2
    if not count or count + 1 >= len(line) or line[count].kind != "name" or line[count + 1].text != "=":
        return 0
    return count


def _dotted(texts: list[str], place: int) -> int:
    """The place behind a dotted name."""
    while place < len(texts) and texts[place] == ".":
        place += 1
    place += 1
    while place + 1 < len(texts) and texts[place] == ".":
        place += 2
    return place
