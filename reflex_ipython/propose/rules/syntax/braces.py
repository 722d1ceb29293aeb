"""Blocks in curly brackets: a cell, or a part of one, in the manner of C, Java or JavaScript."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reflex_ipython.propose.rules.lexing import Token, lex
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.candidate import Candidate
from reflex_ipython.propose.rules.syntax.declarations import FUNCTIONS, TYPES, WORDS
from reflex_ipython.propose.rules.syntax.loops import python_loop

_HEADER = re.compile(
    r"(?:\}\s*)?(?:if|else|elif|elseif|for|foreach|while|def|class|try|catch|except|finally|switch|with|do|async|struct|"
    + "|".join(sorted(FUNCTIONS | TYPES | WORDS | {"void"}))
    + r")\b"
)
_WORDS = {
    "true": "True",
    "false": "False",
    "null": "None",
    "nil": "None",
    "NULL": "None",
    "undefined": "None",
    "this": "self",
    "&&": "and",
    "||": "or",
    "===": "==",
    "!==": "!=",
}
_PRINTS = re.compile(r"\b(?:console\.log|System\.out\.println|System\.out\.print|fmt\.Println|echo|printf)(?=\s*\()")
_METHOD = re.compile(rf"(?:(?:{'|'.join(sorted(WORDS | TYPES | {'void'}))})\s+)+(\w+)\s*\(([^()]*)\)\s*$")
_ONE_LINE = re.compile(r"(?P<header>.+?\))\s*\{\s*(?P<body>[^{}]+?)\s*\}\s*$")


@dataclass
class _Line:
    """A line of the new cell: how many blocks are around it, its text, whether a block starts behind it."""

    depth: int
    indent: str
    text: str
    header: bool


def curly_blocks(broken: Broken) -> Iterator[Candidate]:
    """`if (x > 3) {` … `}`: colons and indentation."""
    if not any(_opens(line) for line in broken.source.split("\n")):
        return
    lines = _translated(broken.source)
    if lines is None:
        return
    source = "\n".join(_laid_out(lines))
    why = "Python's blocks start with a colon and are indented; it has no curly brackets around them."
    yield Candidate(source, 2 * len(lines), why, "curly brackets", 0.9)


def _opens(line: str) -> bool:
    code = line.split("//")[0].strip()
    return bool(_HEADER.match(code) and re.search(r"\{(?:[^{}]*\})?$", code)) or code == "{"


def _translated(source: str) -> list[_Line] | None:
    """The lines without the brackets of blocks; None where those don't fit together."""
    found: list[_Line] = []
    kinds: list[str] = []  # of the brackets that are open: block, or value
    for raw in source.split("\n"):
        text = raw.strip()
        indent = raw[: len(raw) - len(raw.lstrip())]
        comment = ""
        match = re.search(r"(?:(?<=[\s;{}])|^)//(.*)$", text)
        if match and text[: match.start()].count('"') % 2 == 0:
            comment, text = f"# {match.group(1).strip()}", text[: match.start()].rstrip()
        while text.startswith("}") and kinds and kinds[-1] != "value":
            kinds.pop()
            text = text[1:].strip()
        if text in (";", "") and raw.strip() not in ("", ";") and not comment:
            continue
        if text == "{" and found and "value" not in kinds:
            found[-1] = _Line(found[-1].depth, found[-1].indent, _header(found[-1].text), header=True)
            kinds.append("block")
            continue
        depth = sum(kind != "value" for kind in kinds)
        value = "value" in kinds
        header = bool(_HEADER.match(text)) and text.endswith("{") and not value
        if header:
            kinds.append("switch" if text.startswith("switch") else "block")
            text = _header(text[:-1].rstrip())
        elif text:
            opened = sum(token.text == "{" for token in lex(text)) - sum(token.text == "}" for token in lex(text))
            one = _ONE_LINE.match(text) if _HEADER.match(text) else None
            text = f"{_header(one['header'])} {_body(one['body'])}" if one else text if value else _body(text)
            kinds += ["value"] * max(0, opened)
            for _ in range(max(0, -opened)):
                if not kinds:
                    return None
                kinds.pop()
        if not text and comment:
            text, comment = comment, ""
        found.append(_Line(depth, indent, f"{text}  {comment}" if comment else text, header))
    return found if not kinds else None


def _header(text: str) -> str:
    """The header of a block as Python writes it, with its colon."""
    loop = python_loop(text)
    if loop:
        return loop[0]
    text = re.sub(r"^(?:else\s+if|elseif|elsif)\b", "elif", text)
    if text.startswith("catch"):
        names = re.findall(r"\w+", text)[1:]
        caught = names[0] if len(names) == 2 else "Exception"
        return f"except {caught} as {names[-1]}:" if names else "except Exception:"
    text = re.sub(rf"^(?:{'|'.join(sorted(FUNCTIONS))})\s+(?=\w+\s*\()", "def ", text)
    match = _METHOD.match(text)
    if match:
        arguments = [argument.split()[-1] for argument in match.group(2).split(",") if argument.strip()]
        return f"def {match.group(1)}({', '.join(arguments)}):"
    text = re.sub(r"^switch\b", "match", text)
    outer = re.match(r"(if|elif|while|match)\s*\((.*)\)$", text)
    if outer and _balanced(outer.group(2)):
        text = f"{outer.group(1)} {outer.group(2)}"
    return f"{_words(text).rstrip(': ')}:"


def _body(text: str) -> str:
    """A statement as Python writes it."""
    text = re.sub(r";\s*$", "", text)
    text = re.sub(rf"^(?:(?:{'|'.join(sorted(WORDS | TYPES))})\s+)+(?=\w+\s*=[^=])", "", text)
    text = re.sub(r"^(\w+)(\+\+|--)$", lambda match: f"{match.group(1)} {match.group(2)[0]}= 1", text)
    text = re.sub(r"^(?:\+\+|--)(\w+)$", r"\1 += 1", text)
    text = re.sub(r"^throw\s+(?:new\s+)?Error\b", "raise Exception", text)
    text = re.sub(r"^throw\b", "raise", text)
    text = re.sub(r"\bnew\s+(?=[A-Z])", "", text)
    text = _PRINTS.sub("print", re.sub(r"\$(?=[A-Za-z_])", "", text))
    text = re.sub(r"^echo\s+(.+)$", r"print(\1)", text)
    case = re.match(r"(?:(case)\s+(.+?)|default)\s*:\s*(.*)$", text)
    if case:
        rest = re.sub(r";?\s*break\s*;?\s*$", "", case.group(3))
        return f"case {case.group(2) if case.group(1) else '_'}:{f' {_body(rest)}' if rest else ''}"
    return _words(text)


def _words(text: str) -> str:
    """The words and signs of other languages in a text, outside of its strings."""
    tokens: Sequence[Token] = lex(text)
    pieces, place, skip = [], 0, 0
    for index, token in enumerate(tokens):
        if index < skip:
            continue
        for length in (3, 2, 1):
            group = tokens[index : index + length]
            both = text[group[0].start : group[-1].end]
            new = _WORDS.get(both)
            if new and token.kind not in ("string", "broken") and not (index and tokens[index - 1].text == "."):
                pieces += [text[place : token.start], new]
                place, skip = group[-1].end, index + length
                break
        else:
            after = tokens[index + 1].text if index + 1 < len(tokens) else "="
            if token.text == "!" and after not in ("=", "=="):
                pieces += [text[place : token.start], "not "]
                place = token.end
    return "".join([*pieces, text[place:]])


def _laid_out(lines: list[_Line]) -> Iterator[str]:
    """The lines, indented as they were where that shows the blocks, or anew."""
    base = next((line.indent for line in lines if line.text), "")
    switch = any(line.text.startswith("case ") for line in lines)
    deeper = [(before, line) for before, line in itertools.pairwise(lines) if line.text and line.depth > before.depth]
    if switch:
        deeper += [(a, b) for a, b in itertools.pairwise(lines) if a.text.startswith("case ") and a.text.endswith(":")]
    levels = {(line.depth, line.indent) for line in lines if line.text}
    keeps = all(len(line.indent) > len(before.indent) for before, line in deeper)
    keeps = keeps and (switch or len(levels) == len({depth for depth, _ in levels}))
    cases = 0
    for place, line in enumerate(lines):
        depth = line.depth
        if line.text.startswith("case ") and not keeps:
            cases = depth
        elif cases and depth == cases and not keeps:
            depth += 1
        elif depth < cases:
            cases = 0
        if line.text == "break" and any(other.text.startswith("case ") for other in lines):
            continue
        indent = line.indent if keeps else base + "    " * depth
        yield f"{indent}{line.text}" if line.text else ""
        rest = [other for other in lines[place + 1 :] if other.text and not other.text.startswith("#")]
        if line.header and (not rest or rest[0].depth <= line.depth):
            yield f"{line.indent if keeps else base + '    ' * depth}    pass"


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth < 0:
            return False
    return depth == 0
