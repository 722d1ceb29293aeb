"""Assignments to what takes none, and words that can't be names."""

from __future__ import annotations

import builtins
import itertools
import keyword
import re
from collections.abc import Iterator, Sequence

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.lexing import Token
from reflex_ipython.propose.rules.syntax.broken import Broken, closing, opening
from reflex_ipython.propose.rules.syntax.candidate import CONDITIONS, Candidate

_CONSTANTS = frozenset({"True", "False", "None"})
_AUGMENTED = frozenset({"+=", "-=", "*=", "/="})
_NAME_PLACES = frozenset({"=", "(", ",", "[", "{", ":", "+", "-", "*", "/", "==", "<", ">", "%", "return", "def"})
_BEHIND_NAMES = _AUGMENTED | {"=", ")", ",", "]", ".", "[", "*", "/", "+", "-", "==", "<", ">", "}", "(", ":"}


def swapped(broken: Broken) -> Iterator[Candidate]:
    """`5 = x`, `x + 1 = y`, `f(1) = 2`: the sides changed places, a comparison, square brackets."""
    if not broken.message.startswith(("cannot assign to", "cannot delete")):
        return
    parts = _sides(broken)
    if parts is None:
        return
    left, right = parts
    old, new = broken.text(left), broken.text(right)
    whole = left[0].start, right[-1].end
    literal = all(token.kind in ("string", "number") or token.text in _CONSTANTS for token in left)
    called = left[-1].text == ")" and left[0].kind == "name"
    if left[0].kind == "string" and len(left) == 1 and old[1:-1].isidentifier():
        why = f"A value is given to a name, and {old} is a text: without quotes it is a name."
        yield broken.guess([SpanEdit(left[0].start, left[0].end, old[1:-1])], 0.6, why, "text as a name")
    elif _is_target(right) and not called:
        why = f"The name that gets the value stands on the left of `=`: `{new} = {old}`."
        yield broken.guess([SpanEdit(*whole, f"{new} = {old}")], 0.85 if literal else 0.7, why, "sides of =")
    if called and len(right) == 1 and right[0].kind == "name" and right[0].text not in broken.namespace:
        why = f"The name that gets the value stands on the left of `=`: `{new} = {old}`."
        known = any(line[0].text == new and len(line) > 1 and line[1].text == "=" for line in broken.cell.logical_lines)
        yield broken.guess([SpanEdit(*whole, f"{new} = {old}")], 0.4 if known else 0.85, why, "sides of =")
    if called:
        yield from _called(broken, left, right)
    equals = next(token for token in broken.statement if token.start >= left[-1].end)
    why = f"`=` can't give a value to `{old}`; `==` compares the two."
    yield broken.guess([SpanEdit(equals.start, equals.end, "==")], 0.35, why, "comparison")


def deleted_call(broken: Broken) -> Iterator[Candidate]:
    """`del f('a')`: `del f['a']`."""
    if not broken.message.startswith("cannot delete function call") or broken.texts[:1] != ["del"]:
        return
    line = broken.line
    last = line[-1]
    first = opening(line, len(line) - 1)
    if last.text == ")" and first is not None:
        if first + 1 < len(line) - 1:
            why = "`del` takes an element out with square brackets; round ones call a function."
            edits = [SpanEdit(line[first].start, line[first].end, "["), SpanEdit(last.start, last.end, "]")]
            yield broken.guess(edits, 0.7, why, "brackets of del")
        why = "`del` deletes a name, not what a call gives."
        yield broken.guess([SpanEdit(line[first].start, last.end, "")], 0.4, why, "del of a call")


def keyword_argument(broken: Broken) -> Iterator[Candidate]:
    """`f('a'=3)`: `f(a=3)`; `f(x.y = 3)`: `f(x.y == 3)`; `f(max-iter=3)`: `f(max_iter=3)`."""
    if not broken.message.startswith("expression cannot contain assignment"):
        return
    first = broken.stop
    place = next((i for i in range(first, len(broken.line)) if broken.texts[i] == "="), None)
    if place is None or place == first:
        return
    left, equals = broken.line[first:place], broken.line[place]
    text = broken.text(left)
    whole = left[0].start, left[-1].end
    if len(left) == 1 and left[0].kind == "string" and text[1:-1].isidentifier():
        why = f"The name of an argument is written without quotes: `{text[1:-1]}=`."
        yield broken.guess([SpanEdit(*whole, text[1:-1])], 0.93, why, "quoted argument")
        return
    if re.fullmatch(r"[^\W\d]\w*(?:-[^\W\d]\w*)+", text):
        why = f"`{text}` would be a difference; a name has underscores instead of hyphens."
        yield broken.guess([SpanEdit(*whole, text.replace("-", "_"))], 0.9, why, "hyphen in a name")
        return
    why = f"`=` in a call gives a value to an argument, and `{text}` is no argument's name; `==` compares."
    yield broken.guess([SpanEdit(equals.start, equals.end, "==")], 0.6, why, "comparison")
    if [token.kind for token in left] == ["name", "operator", "name"] and left[1].text == ".":
        why = f"An argument's name has no dot: `{left[2].text}=`."
        yield broken.guess([SpanEdit(left[0].start, left[2].start, "")], 0.45, why, "dot in an argument's name")


def assigned_inside(broken: Broken) -> Iterator[Candidate]:
    """`while line = f.readline():`, `return x = 5`, `{a = 1}`: where `=` can't stand."""
    line = broken.line
    header = line and line[0].text in CONDITIONS
    if not header and "Maybe you meant '==' or ':='" not in broken.message:
        return
    for place in range(1, len(line) - 1):
        token = line[place]
        around = opening(line, place)
        if token.text != "=" or (not header and token.start < broken.problem.position):
            continue
        if around is not None and line[around].text == "(" and _is_call(line, around):
            continue
        edit = (token.start, token.end)
        if around is not None and line[around].text == "{":
            yield from _braces(broken, around)
            return
        name = broken.text(line[place - 1 : place])
        calls = any(a.kind == "name" and b.text == "(" for a, b in zip(line[place:], line[place + 1 :]))
        bindable = line[place - 1].kind == "name" and (place < 2 or line[place - 2].text != ".")
        loops = line[0].text == "while" and calls
        why = "`=` gives a value to a name, and can't stand inside an expression; `==` compares."
        yield broken.guess([SpanEdit(*edit, "==")], 0.3 if loops else 0.7, why, "comparison")
        if bindable and line[0].text != "return":
            why = f"Inside a condition, `:=` gives `{name}` its value."
            yield broken.guess([SpanEdit(*edit, ":=")], 0.75 if loops else 0.25, why, "value in a condition")
        return


def comparison_twice(broken: Broken) -> Iterator[Candidate]:
    """`x = = 5`, `a > = b`, `x ! = y`: two halves of an operator."""
    line = broken.line
    for left, right in itertools.pairwise(line):
        both = left.text + right.text
        if left.end < right.start and both in ("==", ">=", "<=", "!=", "+=", "-=", "*=", "/=", "**", "//", "->", ":="):
            if both == "->" and line[0].text not in ("def", "async"):
                continue
            why = f"The two characters of `{both}` stand together."
            header = line[0].text in CONDITIONS or left.depth > 0
            yield broken.guess(
                [SpanEdit(left.start, right.end, both)], 0.9 if both != "==" or header else 0.45, why, "operator"
            )
            if both == "==" and not header:
                why = "One `=` gives a value to a name."
                yield broken.guess([SpanEdit(left.end, right.end, "")], 0.6, why, "operator")


def walrus_statement(broken: Broken) -> Iterator[Candidate]:
    """`x := 5`: `x = 5`."""
    texts = [token.text for token in broken.statement]
    if ":=" in texts and broken.statement[texts.index(":=")].depth == 0 and texts[0] not in CONDITIONS:
        token = broken.statement[texts.index(":=")]
        why = "`:=` belongs inside an expression; a statement gives a name its value with `=`."
        yield broken.guess([SpanEdit(token.start, token.end, "=")], 0.95, why, "assignment")


def keywords_as_names(broken: Broken) -> Iterator[Candidate]:
    """`class = 3`, `f(lambda=0.1)`, `df.class`: words that Python keeps to itself."""
    line = broken.line
    for place in range(max(0, broken.stop - 1), min(broken.stop + 2, len(line))):
        token = line[place]
        if token.kind != "name" or not keyword.iskeyword(token.text) or token.text in _CONSTANTS:
            continue
        before, after = broken.texts[place - 1] if place else "", "".join(broken.texts[place + 1 : place + 2])
        word = token.text
        if before == ".":
            owner = line[place - 2] if place > 1 else token
            if after != "(":
                why = f"`{word}` is a keyword, which can't stand behind a dot; brackets ask for what has that name."
                yield broken.guess(
                    [SpanEdit(line[place - 1].start, token.end, f"['{word}']")], 0.85, why, "keyword as a name"
                )
            why = f"`{word}` is a keyword of Python; `{owner.text}` may have `{word}_` instead."
            yield broken.guess(
                [SpanEdit(token.end, token.end, "_")], 0.5 if after == "(" else 0.15, why, "keyword as a name"
            )
            return
        if after in _BEHIND_NAMES and (not before or before in _NAME_PLACES or before in ("as", "for", "class")):
            why = f"`{word}` is a keyword of Python and can't be a name; `{word}_` can."
            in_call = token.depth > 0 and after == "="
            edits = (
                [SpanEdit(other.end, other.end, "_") for other in _uses_as_name(broken, word)] if not in_call else []
            )
            edits = [*edits, *_fields_with(broken, word)] or [SpanEdit(token.end, token.end, "_")]
            yield broken.guess(edits, 0.6 if in_call else 0.9, why, "keyword as a name")
            if in_call:
                yield from _in_dict(broken, place)
            return


def names_with_gaps(broken: Broken) -> Iterator[Candidate]:
    """`my-var = 5`, `my var = 5`, `2nd = 5`, `$x = 5`: what no name can have."""
    texts = [token.text for token in broken.statement]
    if broken.statement and texts[0] in ("def", "class"):
        end = next((i for i, text in enumerate(texts) if text in ("(", ":")), 0)
        parts = broken.statement[1:end]
    elif "=" in texts:
        parts = broken.statement[: texts.index("=")]
    else:
        return
    if len(parts) < 2 or any(token.kind == "keyword" or keyword.iskeyword(token.text) for token in parts):
        return
    if any(token.kind not in ("name", "number") and token.text not in ("-", "$", "'") for token in parts):
        return
    if any(a.kind == "number" and b.text in ("x", "X") for a, b in itertools.pairwise(parts)):
        return  # `2 x 3 = 6` is a product
    text = broken.text(parts)
    name = re.sub(r"\W+", "_", text.replace("$", "")).strip("_")
    name = f"_{name}" if name[0].isdigit() else name
    known = all(token.text in broken.namespace for token in parts if token.kind == "name")
    if not name.isidentifier() or ("-" in text and known) or (parts[0].text in ("let", "var", "int")):
        return
    places = [match.start() for match in re.finditer(rf"(?<![\w\"'.]){re.escape(text)}(?!\w)", broken.source)]
    edits = [SpanEdit(place, place + len(text), name) for place in places if not broken.is_quoted(place)]
    what = "start with a digit" if text[0].isdigit() else "have a hyphen" if "-" in text else "have a space in it"
    why = f"A name can't {what}: `{text}` is `{name}` here." if "$" not in text else "A name has no `$` in Python."
    yield broken.guess(edits, 0.85, why, "name")


def _sides(broken: Broken) -> tuple[list[Token], list[Token]] | None:
    """The tokens on the left and on the right of the only `=` of the statement."""
    statement = broken.statement
    places = [i for i, token in enumerate(statement) if token.depth == statement[0].depth and token.text == "="]
    if len(places) != 1 or not 0 < places[0] < len(statement) - 1 or statement[0].text in CONDITIONS | {"for", "with"}:
        return None
    return statement[: places[0]], statement[places[0] + 1 :]


def _called(broken: Broken, left: Sequence[Token], right: Sequence[Token]) -> Iterator[Candidate]:
    first = opening(left, len(left) - 1)
    if first is None or first + 1 == len(left) - 1:
        return
    inside = left[first + 1 : -1]
    arguments = [token for token in inside if token.text != ","]
    name = left[0].text
    if first == 1 and all(token.kind == "name" for token in arguments):
        used = any(token.text in {other.text for other in arguments} for token in right)
        known = name in broken.namespace
        why = f"A function is defined with `def`; `=` can't give a value to the call `{broken.text(left)}`."
        edits = [SpanEdit(left[0].start, left[0].start, "def "), SpanEdit(left[-1].end, right[0].start, ": return ")]
        if used and not known:
            yield broken.guess(edits, 0.85, why, "definition of a function")
            return
    if first == 1 and hasattr(builtins, name) and name not in broken.namespace:
        return  # `len(x) = 3`: a function of Python's has no elements
    why = f"Square brackets take an element of `{broken.text(left[:first])}`; round ones would call it."
    edits = [SpanEdit(left[first].start, left[first].end, "["), SpanEdit(left[-1].start, left[-1].end, "]")]
    yield broken.guess(edits, 0.75, why, "brackets of an element")


def _is_target(tokens: Sequence[Token]) -> bool:
    """Whether a value can be given to it: a name, with attributes and elements."""
    if not tokens or tokens[0].kind != "name" or tokens[0].text in _CONSTANTS or keyword.iskeyword(tokens[0].text):
        return False
    depth = tokens[0].depth
    outer = [token for token in tokens if token.depth == depth]
    return all(token.kind == "name" or token.text in (".", "[", ",") for token in outer)


def _is_call(line: Sequence[Token], place: int) -> bool:
    return place > 0 and (line[place - 1].kind == "name" and not keyword.iskeyword(line[place - 1].text))


def _braces(broken: Broken, place: int) -> Iterator[Candidate]:
    """`{a = 1}`: `{'a': 1}`; `{'a' = 1}`: `{'a': 1}`."""
    end = closing(broken.line, place) or len(broken.line)
    depth = broken.line[place].depth + 1
    edits = []
    for index in range(place + 1, end):
        token = broken.line[index]
        if token.text == "=" and token.depth == depth:
            key = broken.line[index - 1]
            if key.kind == "name":
                edits += [SpanEdit(key.start, key.start, '"'), SpanEdit(key.end, token.end, '":')]
            else:
                edits.append(SpanEdit(key.end, token.end, ":"))
    yield broken.guess(edits, 0.85, "In a dict, a colon stands between a key and its value.", "colon of a dict")


def _uses_as_name(broken: Broken, word: str) -> Iterator[Token]:
    """The places in the cell where a keyword can only be meant as a name."""
    for line in broken.cell.logical_lines:
        for place, token in enumerate(line):
            before = line[place - 1].text if place else ""
            after = line[place + 1].text if place + 1 < len(line) else ""
            first = not before and after in ("=", ".", "[", "+=", "-=", ",")
            inside = before in _NAME_PLACES and after in (*_BEHIND_NAMES, "", ";")
            rightful = (word == "lambda" and after == ":") or (word in ("from", "import") and after == ".")
            if token.text == word and (first or inside) and not rightful:
                yield token


def _fields_with(broken: Broken, word: str) -> Iterator[SpanEdit]:
    """The places in fields of f-strings where nothing but that word stands, or its member."""
    for token in broken.cell.tokens:
        if token.kind == "string" and re.match(r"[rR]?[fF]", token.text):
            for field in re.finditer(rf"(?<!\{{)\{{\s*{word}(?=\s*[.\[:!}}])", token.text):
                yield SpanEdit(token.start + field.end(), token.start + field.end(), "_")


def _in_dict(broken: Broken, place: int) -> Iterator[Candidate]:
    """`f(class=3)`: `f(**{'class': 3})`."""
    line, end = broken.line, place + 2
    around = opening(line, place)
    while end < len(line) and not (line[end].depth == line[place].depth and line[end].text == ","):
        if line[end].kind == "close" and opening(line, end) == around:
            break
        end += 1
    if place + 2 < end:
        word, value = line[place].text, broken.text(line[place + 2 : end])
        edit = SpanEdit(line[place].start, line[end - 1].end, f"**{{'{word}': {value}}}")
        why = f"`{word}` is a keyword of Python; an argument of that name can be handed over in a dict."
        yield broken.guess([edit], 0.5, why, "keyword as an argument")
