"""IPython's own syntax in a cell, told from Python: magics, shell commands, requests for help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from reflex_ipython.base.cell_magics import Content, content, is_cell_magic
from reflex_ipython.base.lines import beginnings, cleaned
from reflex_ipython.base.parsing import parse
from reflex_ipython.base.spans import LINE_END

_COMMAND = r"[%!?].*"
# `?` makes a request for help of whatever stands in front of it. What has brackets or quotes may be a broken statement.
_HELP = r"[^#'\"()\[\]{}\\]*[\w*](?:\[-?\d+\])?\?{1,2}\s*"
_LINE = re.compile(rf"^(?P<indent>\s*)(?P<magic>{_COMMAND}|{_HELP})$")
# `if x =! 3` is a comparison that somebody misspelt; and no other operator with a `=` in it assigns what a magic gives.
_VALUE = re.compile(
    r"^(?P<target>\s*(?!(?:if|elif|while|return|assert|not)\b|print\b(?!\s*=))(?:[^\W\d]|[*(\[])[^=#]*(?<![-!<>+*/%&|^:@])=\s*)"
    r"(?P<magic>%\s*[^\W\d].*|![^=].*)$"
)
_CALL = re.compile(r"^(?P<indent>\s*)(?P<sign>[,;/])(?P<function>[\w.]+)(?P<rest>.*)$")
# A line of a cell that has no other may be a magic without its sign.
_AUTOMATIC = re.compile(r"^(?P<indent>\s*)(?P<magic>[A-Za-z_]\w*(\s+[^=\s(\[.,].*)?)$")
_MAY_BE = re.compile(r"(?m)^\s*[%!?,;/]|\?\s*$|=\s*[%!]")

_RUN_PYTHON = frozenset(["time", "timeit", "prun", "memit", "mprun", "lprun"])
_NAMED = re.compile(r"%%?\s*(?P<name>[\w.-]+)(?P<rest>.*)")
_OPTION = re.compile(r"\s+-(?:-[\w-]+|(?P<letter>[a-zA-Z])(?P<attached>[\w.]*))(?=\s)")
_WORD = re.compile(r"\s+\S+")
_VALUED = {"time": "", "timeit": "nrpv", "prun": "lsTD", "memit": "rti", "mprun": "fT", "lprun": "fmsTDu"}
"""The options that take a value, by magic."""
_TAKES_NEXT = ("-n", "-r", "-s", "-l", "-T", "-D", "-f", "-m", "-t", "-c", "-i")


class Magic(NamedTuple):
    """A magic, a shell command or a request for help.

    Parameters
    ----------
    text : str
        As it is written, without indentation, with the lines that it goes on over. Of a cell magic that does not hold
        Python of this kernel, it is all of the cell.
    first, end : int
        Its first line in the cell and the line after its last, counted from 0. Where a cell magic holds something that
        can be read as Python, this is the first line alone.
    column : int
        The characters of the first line that stay: the indentation, or what is assigned to.
    stand_in : str
        Python that means nothing, to be put in its place.
    call : str
        The Python that IPython makes of `,f a b`; empty for all others.
    content : Content or None
        What it holds, if it is a cell magic.
    """

    text: str
    first: int
    end: int
    column: int
    stand_in: str = "pass"
    call: str = ""
    content: Content | None = None

    @property
    def assigns(self) -> bool:
        """Whether what it gives is assigned to something."""
        return self.stand_in == "None"


class MagicReading(NamedTuple):
    """A cell's lines, and the magics in them.

    Parameters
    ----------
    lines : sequence of str
        Without what ends them.
    magics : tuple of Magic
        In their order.
    foreign : bool
        Whether all or the rest of it is no Python that could be read.
    """

    lines: Sequence[str]
    magics: tuple[Magic, ...]
    foreign: bool

    def python(self, stand_in: Callable[[Magic], str] = lambda magic: magic.stand_in) -> str:
        """The cell with something else for each magic. The lines keep their numbers."""
        lines = list(self.lines)
        for magic in self.magics:
            lines[magic.first] = lines[magic.first][: magic.column] + stand_in(magic)
            lines[magic.first + 1 : magic.end] = [""] * (magic.end - magic.first - 1)
        return "\n".join(lines)


def as_ipython(source: str, *, automatic: bool = False) -> MagicReading:
    """A cell that does not parse as it is, as IPython reads it: without prompts and common indentation.

    Parameters
    ----------
    automatic : bool
        Whether a single line may be a magic without its sign.
    """
    return _reading(_tidy(source), automatic)


def in_place(source: str) -> MagicReading:
    """A cell as it stands, with every column where it was. What another process is to run is foreign there."""
    if _MAY_BE.search(source) is None:
        return MagicReading((), (), False)
    read = _reading(LINE_END.split(source), automatic=False)
    for number, magic in enumerate(read.magics):
        if magic.content == "elsewhere":
            whole = magic._replace(end=len(read.lines))
            return MagicReading(read.lines, (*read.magics[:number], whole), True)
    return read


def is_magic(line: str) -> bool:
    """Whether a line at which a statement may begin is a magic, a shell command or a request for help."""
    return _LINE.match(line) is not None


def python_in(magic: str) -> Iterator[str]:
    """The Python that a magic has as its argument: what it may be, as its options may take values; most likely last."""
    found = _NAMED.match(magic)
    if found is not None and found["name"] in _RUN_PYTHON:
        words = found["rest"].split()
        while words and words[0].startswith("-"):
            words = words[2 if words[0] in _TAKES_NEXT else 1 :]
            yield " ".join(words)
        yield " ".join(words)


def code_in(magic: Magic) -> int | None:
    """Where the Python begins that a line magic runs in the user's namespace, in characters of its text.

    Parameters
    ----------
    magic : Magic
        As `in_place` gave it.

    Returns
    -------
    int or None
        None for a magic that runs none, and for one whose value is assigned.
    """
    found = _NAMED.match(magic.text)
    if found is None or found["name"] not in _RUN_PYTHON or magic.content or magic.assigns:
        return None
    place, valued = found.start("rest"), _VALUED[found["name"]]
    while (option := _OPTION.match(magic.text, place)) is not None:
        if option["letter"] and found["name"] == "time":
            break  # it has no such option: this is a sign
        place = option.end()
        if option["letter"] and option["letter"] in valued and not option["attached"]:
            value = _WORD.match(magic.text, place)
            place = value.end() if value else place
    rest = magic.text[place:]
    return place + len(rest) - len(rest.lstrip()) if rest.strip() else None


def _tidy(source: str) -> list[str]:
    lines = cleaned(source)
    first = _first(lines)
    if is_cell_magic(lines[first]) and content(lines[first]) != "other" and first + 1 < len(lines):
        # The magic has IPython read what it holds, in the same way.
        lines[first + 1 :] = _tidy("\n".join(lines[first + 1 :]))
    return lines


def _first(lines: Sequence[str]) -> int:
    return next((number for number, line in enumerate(lines) if line.strip()), 0)


def _reading(lines: Sequence[str], automatic: bool) -> MagicReading:
    first = _first(lines)
    bare = lines[first].lstrip()
    if not is_cell_magic(bare):
        return MagicReading(lines, tuple(_commands(lines, automatic)), False)
    column, held = len(lines[first]) - len(bare), content(bare)
    whole = Magic("\n".join(lines[first:]).strip(), first, len(lines), column, content=held)
    if held == "other":
        return MagicReading(lines, (whole,), True)
    below = _below(lines, first, automatic and held == "python")
    if held == "python":
        return MagicReading(
            lines, (Magic(bare.rstrip(), first, first + 1, column, content=held), *below.magics), below.foreign
        )
    if below.foreign or parse(below.python()) is None:  # a language that we don't know
        return MagicReading(lines, (whole,), True)
    return MagicReading(lines, (whole._replace(end=first + 1), *below.magics), False)


def _below(lines: Sequence[str], first: int, automatic: bool) -> MagicReading:
    """What stands below a cell magic, with the numbers that its lines have in the cell."""
    body = [*[""] * (first + 1), *lines[first + 1 :]]
    if parse("\n".join(body)) is not None:
        return MagicReading(body, (), False)
    return _reading(body, automatic)


def _commands(lines: Sequence[str], automatic: bool) -> Iterator[Magic]:
    alone = automatic and sum(map(bool, map(str.strip, lines))) == 1
    for start, end in beginnings(lines):
        found = _command(lines[start], alone)
        if found is not None:
            yield found._replace(text="\n".join([found.text.strip(), *lines[start + 1 : end]]), first=start, end=end)


def _command(line: str, alone: bool) -> Magic | None:
    """The magic in a line; None if it has none."""
    if (match := _VALUE.match(line)) is not None and _closed(match["target"]):
        return Magic(match["magic"], 0, 0, len(match["target"]), "None")
    if (match := _LINE.match(line)) is not None:
        return Magic(match["magic"], 0, 0, len(match["indent"]))
    if (match := _CALL.match(line)) is not None:
        call = _called(match["sign"], match["function"], match["rest"].strip())
        return Magic(line, 0, 0, len(match["indent"]), call=call)
    if alone and (match := _AUTOMATIC.match(line)) is not None:
        return Magic(f"%{match['magic']}", 0, 0, len(match["indent"]))
    return None


def _closed(target: str) -> bool:
    """Whether no bracket is open behind what is assigned to, as in `f(x=!y`."""
    return sum(target.count(sign) for sign in "([{") == sum(target.count(sign) for sign in ")]}")


def _called(sign: str, function: str, rest: str) -> str:
    """The call that IPython makes of `,f a b`, `;f a b` and `/f a, b`."""
    if sign == "/":
        return f"{function}({rest})"
    return f"{function}({', '.join(map(repr, rest.split() if sign == ',' else [rest]))})"
