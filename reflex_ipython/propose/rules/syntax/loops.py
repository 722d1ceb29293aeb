"""Loops and headers of blocks as other languages write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.syntax.broken import Broken, closing
from reflex_ipython.propose.rules.syntax.candidate import Candidate, ends_operand, starts_operand

_DECLARED = r"(?:(?:int|let|var|auto|const|long|size_t|my|String|str|double|float)\s+)?"
_C_LOOP = re.compile(
    rf"for\s*\(?\s*{_DECLARED}(?P<name>\w+)\s*=\s*(?P<first>[^;]+?)\s*;\s*(?P=name)\s*(?P<op><=?|>=?|!=)\s*(?P<last>[^;]+?)"
    r"\s*;\s*(?:(?P=name)\s*(?:(?P<inc>\+\+|--)|(?P<sign>[+-])=\s*(?P<step>\w+)|=\s*(?P=name)\s*(?P<sign2>[+-])\s*(?P<step2>\w+))"
    r"|(?P<pre>\+\+|--)\s*(?P=name))\s*\)?\s*[:{]?\s*$"
)
_COUNTED = re.compile(
    r"for\s+(?P<name>\w+)\s*=\s*(?P<first>[^:,]+?)\s*(?P<sep>\bto\b|:|,|\.\.+)\s*(?P<last>[^:,]+?)\s*(?:do\b)?\s*:?\s*$"
)
_BETWEEN = re.compile(
    r"for\s+(?P<name>\w+)\s+in\s+(?P<first>\w+)\s*(?P<sep>\.\.+|:|to\b)\s*(?P<last>[\w.()]+?)\s*:?\s*$"
)
_EACH = re.compile(
    rf"(?:for\s*each|foreach|for|For\s*Each|FOR)\s*\(?\s*{_DECLARED}(?P<name>\w+(?:\s*,\s*\w+)*)\s*(?P<sep>\bin\b|\bof\b|:)\s*(?P<all>[^:{{]+?)\s*[:{{]?\s*$"
)
_BRACKETED = re.compile(rf"for\s*\(\s*{_DECLARED}\w+\s+in\b")
_AS = re.compile(r"foreach\s*\(\s*\$?(?P<all>[\w.]+)\s+as\s+\$?(?P<name>\w+)\s*\)\s*[:{]?\s*$")
_ENDS = frozenset({"end", "endif", "endfor", "endwhile", "fi", "done", "End", "END"})


def python_loop(line: str) -> tuple[str, float] | None:
    """The header of a loop of another language, as Python writes it, and how likely that is; None if it is none."""
    match = _C_LOOP.match(line)
    if match:
        return _counted_up(match)
    match = _AS.match(line)
    if match:
        return f"for {match['name']} in {match['all']}:", 0.93
    match = _EACH.match(line)
    if match and (match["sep"] != "in" or not line.startswith("for ") or "each" in line[:9] or _BRACKETED.match(line)):
        everything = match["all"]
        if everything.endswith(")") and everything.count(")") > everything.count("("):
            everything = everything[:-1].rstrip()
        if match["sep"] != ":" or "(" in line[:9]:
            return f"for {match['name']} in {everything}:", 0.93
    match = _COUNTED.match(line) or _BETWEEN.match(line)
    if match:
        last = _plus_one(match["last"]) if match["sep"] != "," else match["last"]
        return f"for {match['name']} in range({match['first']}, {last}):", 0.8
    return None


def foreign_loops(broken: Broken) -> Iterator[Candidate]:
    """`for (int i = 0; i < n; i++)`, `foreach x in y`, `for i = 1 to 10`."""
    row = broken.cell.lineno(broken.line[0].start) if broken.line else 0
    if not row or broken.texts[0].lower() not in ("for", "foreach"):
        return
    text = broken.cell.line(row)
    code = text.strip()
    end = next(
        (
            token.start
            for token in broken.cell.tokens
            if token.kind == "comment" and broken.cell.lineno(token.start) == row
        ),
        None,
    )
    start = broken.cell.starts[row - 1] + len(text) - len(text.lstrip())
    if end is not None:
        code = broken.source[start:end].rstrip()
    found = python_loop(code)
    if found is not None and not code.endswith("{"):
        header, prior = found
        why = f"Python loops over what it is given: `{header}`"
        yield broken.guess([SpanEdit(start, start + len(code), header)], prior, why, "loop")
        exact = re.sub(r"(\d+|\w+) ?\+ 1\):$", r"\1):", header)
        counted = _COUNTED.match(code) or _BETWEEN.match(code)
        if counted and counted["sep"] != ",":
            shown = f"for {counted['name']} in range({counted['first']}, {counted['last']}):"
            why = f"`range({counted['first']}, {counted['last']})` ends before {counted['last']}."
            if shown != header and exact:
                yield broken.guess([SpanEdit(start, start + len(code), shown)], 0.4, why, "loop")


def missing_in(broken: Broken) -> Iterator[Candidate]:
    """`for x list:`, `for i range(3):`: `for x in list:`; `for range(3):`, `for i = range(3):`."""
    line, texts = broken.line, broken.texts
    starts = [place for place, text in enumerate(texts) if text == "for"]
    for place in starts:
        depth = line[place].depth
        rest = [i for i in range(place + 1, len(line)) if line[i].depth >= depth]
        if any(texts[i] == "in" and line[i].depth == depth for i in rest) or len(rest) < 2:
            continue
        last = place + 1
        while last + 2 < len(line) and line[last].kind == "name" and texts[last + 1] == ",":
            last += 2
        nothing = texts[place + 1 : place + 3] == ["range", "("]
        if nothing:
            free = [
                token.text
                for token in broken.cell.tokens
                if token.kind == "name" and token.text in ("i", "j", "k", "n", "x")
            ]
            name = next((text for text in free if text not in broken.namespace), "_")
            why = f"A loop needs a name for each number: `for {name} in range(...)`."
            yield broken.guess([SpanEdit(line[place].end, line[place + 1].start, f" {name} in ")], 0.85, why, "loop")
        elif (
            line[last].kind == "name"
            and last + 1 < len(line)
            and texts[last + 1]
            in ("=", "of", "at", "on", "from", "ni", "im", "is", ":=", "within", "im", "i", "inn", "un")
        ):
            why = "A loop takes its values from what stands behind `in`."
            yield broken.guess([SpanEdit(line[last + 1].start, line[last + 1].end, "in")], 0.9, why, "loop")
        elif (
            line[last].kind == "name"
            and last + 1 < len(line)
            and (starts_operand(line[last + 1]) or texts[last + 1] in ("[", "(", "{"))
        ):
            why = "A loop takes its values from what stands behind `in`."
            yield broken.guess([SpanEdit(line[last].end, line[last].end, " in")], 0.95, why, "loop")


def header_words(broken: Broken) -> Iterator[Candidate]:
    """`if x then`, `while x do`, `unless x:`, `elif:`, `else x > 3:`, `catch E as e:`, `switch x:`."""
    line, texts = broken.line, broken.texts
    if not texts:
        return
    first, last = line[0], line[-1]
    if texts[-1] in ("then", "do", "Then", "begin") and len(line) > 2:
        why = f"A block starts with a colon in Python, not with `{texts[-1]}`."
        yield broken.guess([SpanEdit(line[-2].end, last.end, ":")], 0.95, why, "colon")
    for word, place in ((text, i) for i, text in enumerate(texts) if text in ("then", "do") and 1 < i < len(texts) - 1):
        end = line[place + 1].end if texts[place + 1] == ":" else line[place].end
        why = f"A block starts with a colon in Python, not with `{word}`."
        yield broken.guess([SpanEdit(line[place - 1].end, end, ":")], 0.93, why, "colon")
    if texts[0] in ("unless", "until") and texts[-1] == ":":
        new = "if not" if texts[0] == "unless" else "while not"
        compound = len(line) > 3
        edits = [SpanEdit(first.start, first.end, f"{new} (" if compound else new)]
        if compound:
            edits = [SpanEdit(first.start, line[1].start, f"{new} ("), SpanEdit(line[-2].end, line[-2].end, ")")]
        yield broken.guess(edits, 0.9, f"Python writes `{new}` for `{texts[0]}`.", "keyword")
    if texts[0] == "switch" and len(line) > 2 and texts[-1] == ":":
        yield broken.guess(
            [SpanEdit(first.start, first.end, "match")], 0.95, "Python writes `match` for `switch`.", "keyword"
        )
    if texts[0] == "elif" and len(line) > 1 and texts[1] == ":":
        yield broken.guess(
            [SpanEdit(first.start, first.end, "else")],
            0.9,
            "`elif` needs a condition; without one it is `else`.",
            "keyword",
        )
    if texts[0] in ("otherwise", "default", "Else", "ELSE") and texts[-1] in (":", texts[0]):
        sign = "" if texts[-1] == ":" else ":"
        yield broken.guess(
            [SpanEdit(first.start, first.end, f"else{sign}")],
            0.85,
            f"Python writes `else:` for `{texts[0]}`.",
            "keyword",
        )
    if texts[0] == "else" and len(line) > 1 and texts[1] not in (":", "if"):
        end = line[1].start if texts[1] in ("when", "where") else first.end
        colon = [] if texts[-1] == ":" else [SpanEdit(last.end, last.end, ":")]
        if ":" not in texts[:-1]:
            why = "`else` has no condition; with one it is `elif`."
            yield broken.guess([SpanEdit(first.start, end, "elif"), *colon], 0.9, why, "keyword")
    yield from _caught(broken)
    yield from _with(broken)


def except_names(broken: Broken) -> Iterator[Candidate]:
    """`except ValueError e:`: `as e`; `except A, B:`: `except (A, B):`; `except as e:`."""
    line, texts = broken.line, broken.texts
    if texts[:1] != ["except"] or ":" not in texts:
        return
    colon = len(texts) - 1 - texts[::-1].index(":")
    inside = line[1:colon]
    if texts[1:2] == ["as"]:
        why = "What is caught is named in front of `as`; `Exception` is nearly everything."
        yield broken.guess([SpanEdit(line[0].end, line[0].end, " Exception")], 0.93, why, "except")
    elif len(inside) > 1 and inside[-1].kind == "name" and ends_operand(inside[-2]) and "as" not in texts:
        why = "Python names a caught exception with `as`."
        yield broken.guess([SpanEdit(inside[-2].end, inside[-1].start, " as ")], 0.95, why, "except")
    elif any(token.text == "," and token.depth == 0 for token in inside):
        named = next((token for token in inside if token.text == "as"), None)
        listed = inside[: inside.index(named)] if named else inside
        why = "Several exceptions that are caught together stand in round brackets."
        edits = [SpanEdit(listed[0].start, listed[0].start, "("), SpanEdit(listed[-1].end, listed[-1].end, ")")]
        yield broken.guess(edits, 0.93 if listed[-1].text[0].isupper() else 0.4, why, "except")


def end_words(broken: Broken) -> Iterator[Candidate]:
    """The lines `end` go, and the headers get their colons."""
    lines = broken.cell.logical_lines
    ends = [
        line
        for line in lines
        if line[0].text in _ENDS and len(line) <= 2 and (len(line) == 1 or line[1].kind == "name")
    ]
    headers = [
        line
        for line in lines
        if line[0].text in ("if", "for", "while", "else", "elif", "elsif", "def", "function", "class", "try")
    ]
    if not ends or not headers:
        return
    edits = []
    for line in ends:
        row = broken.cell.lineno(line[0].start)
        start = broken.cell.starts[row - 1]
        after = broken.cell.starts[row] if row < len(broken.cell.starts) else len(broken.source)
        if after == len(broken.source) and start and not broken.source.endswith("\n"):
            start -= 1
        edits.append(SpanEdit(start, after, ""))
    for line in headers:
        if line[-1].text in ("then", "do"):
            edits.append(SpanEdit(line[-2].end, line[-1].end, ":"))
        elif line[-1].text != ":":
            edits.append(SpanEdit(line[-1].end, line[-1].end, ":"))
        if line[0].text in ("function", "elsif"):
            edits.append(SpanEdit(line[0].start, line[0].end, "def" if line[0].text == "function" else "elif"))
    yield broken.guess(
        edits,
        0.93,
        "In Python, a block starts with a colon and ends where the indentation does, without `end`.",
        "end of a block",
    )


def _caught(broken: Broken) -> Iterator[Candidate]:
    line, texts = broken.line, broken.texts
    if texts[0] not in ("catch", "rescue", "Catch") or texts[-1] == "{":
        return
    inside = [token for token in line[1:] if token.text not in ("(", ")", ":")]
    names = [token.text for token in inside if token.text != "as"]
    what = f" {names[0]} as {names[1]}" if len(names) == 2 else f" Exception as {names[0]}" if names else ""
    if len(names) == 1 and names[0][0].isupper():
        what = f" {names[0]}"
    if len(names) < 3:
        edit = SpanEdit(line[0].start, line[-1].end, f"except{what}:")
        yield broken.guess([edit], 0.93, f"Python writes `except` for `{texts[0]}`.", "keyword")


def _with(broken: Broken) -> Iterator[Candidate]:
    """`with open(f) file:`: `as file`; `with f = open(x):`: `with open(x) as f:`."""
    line, texts = broken.line, broken.texts
    if texts[0] != "with" or len(line) < 4:
        return
    if texts[2] == "=" and line[1].kind == "name":
        end = line[-2] if texts[-1] == ":" else line[-1]
        edit = SpanEdit(line[1].start, end.end, f"{broken.source[line[3].start : end.end]} as {texts[1]}")
        yield broken.guess([edit], 0.95, "`with` names what it opens behind `as`.", "with")
    for place in range(2, len(line) - 1):
        opener = (
            next((i for i in range(place) if closing(line, i) == place - 1), None)
            if line[place - 1].text == ")"
            else None
        )
        if (
            opener is not None
            and line[place].kind == "name"
            and line[place].depth == 0
            and texts[place] not in ("as", "if", "else", "and", "or", "in", "is", "for")
        ):
            edit = SpanEdit(line[place - 1].end, line[place].start, " as ")
            yield broken.guess([edit], 0.95, "`with` names what it opens behind `as`.", "with")
            return


def _counted_up(match: re.Match[str]) -> tuple[str, float]:
    first, last, name = match["first"], match["last"], match["name"]
    step = match["step"] or match["step2"] or "1"
    down = "-" in (match["inc"] or match["pre"] or match["sign"] or match["sign2"] or "+")
    if match["op"] == "<=":
        last = _plus_one(last)
    elif match["op"] == ">=":
        last = str(int(last) - 1) if last.isdigit() else f"{last} - 1"
    if down:
        return f"for {name} in range({first}, {last}, -{step}):", 0.93
    if step != "1":
        return f"for {name} in range({first}, {last}, {step}):", 0.93
    return (f"for {name} in range({last}):" if first == "0" else f"for {name} in range({first}, {last}):"), 0.93


def _plus_one(text: str) -> str:
    return str(int(text) + 1) if text.isdigit() else f"{text} + 1"
