"""Values that stand behind a name that announces a secret, in whatever notation: code, JSON, YAML, INI, SQL, XML, a shell."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from reflex_ipython.capture.secrets.literals import literal, literals_in
from reflex_ipython.capture.secrets.plausible import is_bare_secret, is_secret
from reflex_ipython.capture.secrets.secret import Family, Secret
from reflex_ipython.capture.secrets.words import family

_FAR = 50_000
"""Characters inside of brackets that are looked at."""

_NAME = re.compile(r"(?:[^\W\d]\w*)(?:[-.]\w+)*")
_ANNOTATION = r"(?:[ \t]*:[ \t]*[A-Za-z_][\w.]*(?:\[[^\]\n]{0,60}\])?(?:[ \t]*\|[ \t]*\w+)?(?=[ \t]*=))?"
_SEPARATOR = re.compile(
    rf"(?P<key>\\{{0,3}}[\"'`])?\]?{_ANNOTATION}"
    r"(?:\s{0,20}(?P<sign>:=|=>|[!=]?={1,2}|:)[ \t]*(?:\n[ \t]{0,40}(?=[\"'\[(])|)"
    r"|[\"']?,?\s{1,40}(?:- )?[\"']?(?:value|default)[\"']?\s{0,3}:\s{0,3}"  # {name: DB_PASSWORD, value: x}
    r"|(?P<xml>>)(?=[^<>\n=]{3,200}</)"
    r"|(?P<list>,)\s{0,40}"
    r"|(?P<space>[ \t]+(?:is[ \t]+|by[ \t]+|of[ \t]+|to[ \t]+)?)(?=\\?[\"'`]|[^\s\"'`:=(\[{]))"
)
_TABLE = re.compile(r"[\w.]+(?:\[[^\]\n]{0,40}\])?; (?=[rb]?[\"'])|<?(?:pd\.|np\.|numpy\.)?(?:Series|array|Index)\(")
_BARE = re.compile(r"(?:[^\s\"'`\\]|\\(?![nrt\"'\\])){1,1000}")
_BRACED = re.compile(r"\{[^{}\n]*[^\w\s{}.][^{}\n]*\}")  # ODBC: PWD={p;w}
_FURTHER = re.compile(r"[;&,](?=[\w.% -]{1,40}=)|,(?=[\w-]{1,40}:)|;|&(?=\w+$)|[,;]$|</")
_SEVERAL_NAMES = re.compile(
    r"^[ \t]{0,40}\(?(?P<names>[A-Za-z_][\w.]{0,60}(?:[ \t]*,[ \t]*[A-Za-z_][\w.]{0,60}){1,8})\)?[ \t]*=(?!=)[ \t]*",
    re.M,
)
_OUTSIDE = re.compile(",")
_BETWEEN = re.compile(r"\s*(?:[)\]},;]|[+%] )")  # what stands between two strings, not in one
_ANOTHER = re.compile(r"([A-Za-z_][\w.-]{0,80})=")
_NUMBER = re.compile(r"\d{4,}\b(?![.\w])")
_OTHERWISE = re.compile(
    r"[^\n#\"']{0,200}?(?:[\"'][^\n\"']{0,80}[\"'][^\n#\"']{0,80})?\b(?:or|else)[ \t]+(?=[rbfu]?[\"'])"
)
_IS_OF_KEY = re.compile(r":\s{0,8}[rbu]?[\"']{1,3}$")
_SETS = re.compile(
    r"(?:\b(?:set\w*|put\w*|get|getenv|getattr|setattr|pop|add\w*|update|insert|header|field|Header|Field|option|store|"
    r"configure|config|login|connect)|(?<![\w\])]))\(\s*(?:[\w.'\" /-]{1,80},\s*){0,3}(?:[bru]?\\?[\"'])$"
)
_BEGINS_LINE = re.compile(r"(?:^|\n|\\n|;|[\"'`(\[{])[ \t]*(?:[-*#>]+[ \t]*|//[ \t]*|export[ \t]+|set[ \t]+|ENV[ \t]+|ARG[ \t]+)?[\w.-]*$", re.I)  # fmt: skip
_FOR_SHELL = re.compile(r"(?:--?|[?&;]|\b(?:export|set|setx|setenv|env|set_env|%env|-e)[ \t]+)[\w.-]{0,80}$", re.I)
_ENDS_LINE = re.compile(r"[ \t]*(?:$|\n|\\n|\\r|#|//|[\"'`])")


def named(text: str, *, code: bool = False) -> Iterator[Secret]:
    """The secrets that a name announces.

    Parameters
    ----------
    text : str
    code : bool
        Whether it is Python code, in which a value is a literal.
    """
    yield from _Reader(text, code).secrets()
    yield from _unpacked(text)


def _unpacked(text: str) -> Iterator[Secret]:
    """`user, password = "ann", "…"`: names and values in the same order."""
    for found in _SEVERAL_NAMES.finditer(text):
        names = [name.strip().rpartition(".")[2] for name in found["names"].split(",")]
        contents = _elements(text, found.end())
        for name, (start, end) in zip(names, contents) if len(names) == len(contents) else ():
            kind = family(name)
            if kind is not None:
                yield from _checked(text, start, end, name, kind)


def _elements(text: str, at: int) -> list[tuple[int, int]]:
    """Where the elements of the tuple stand that begins there: the contents of those that are literals."""
    bracketed = text[at : at + 1] in ("(", "[")
    contents, end = literals_in(text, at + bracketed, ")" if bracketed else "", 2_000)
    between = _OUTSIDE.split(_blank(text, at + bracketed, end, contents))
    if len(between) == len(contents) or any(sign in "".join(between) for sign in "([{"):
        return contents
    elements, start = [], at + bracketed
    for piece in between:
        inside = [span for span in contents if start <= span[0] <= start + len(piece)]
        elements.append(inside[0] if len(inside) == 1 else (start, start))
        start += len(piece) + 1
    return elements


def _blank(text: str, start: int, end: int, contents: list[tuple[int, int]]) -> str:
    """That part of a text with the contents of its literals blotted out."""
    part = list(text[start:end])
    for first, last in contents:
        part[first - start : last - start] = " " * (last - first)
    return "".join(part)


class _Reader:
    """Goes through a text once: what is inside of brackets that were looked into is not looked through again."""

    def __init__(self, text: str, code: bool) -> None:
        self._text = text
        self._code = code
        self._read_to = 0

    def secrets(self) -> Iterator[Secret]:
        text = self._text
        for found in _NAME.finditer(text):
            first = found.start()
            if first and text[first - 1] == "\\" and text[first] in "nrt" and found.end() - first > 1:
                first += 1  # `\npassword`, in a repr
            name = text[max(first, found.end() - 100) : found.end()]
            kind = family(name)
            if kind is not None:
                yield from self._values(first, found.end(), name, kind)

    def _values(self, first: int, at: int, name: str, kind: Family) -> Iterator[Secret]:
        text = self._text
        separator = _SEPARATOR.match(text, at)
        if separator is None:
            return
        value = separator.end()
        spaced = separator["space"] is not None
        if separator["list"] is not None and not _belongs(text, first, separator, value):
            return
        if spaced and (self._code or separator["key"]):
            return
        if (quoted := literal(text, value)) is not None:
            yield from _checked(text, quoted[0], quoted[1], name, kind)
        elif not spaced and text[value : value + 1] in ("[", "("):
            yield from self._items(value + 1, name, kind, closing=")")
        elif not spaced and kind == "password" and text[value : value + 1] == "{":
            yield from self._items(value + 1, name, kind, closing="}", of_keys=True)
        elif self._code and not spaced and (other := _OTHERWISE.match(text, value)) is not None:
            content = literal(text, other.end())
            yield from _checked(text, content[0], content[1], name, kind) if content else ()
        elif not spaced and (table := _TABLE.match(text, value)) is not None:
            yield from self._items(table.end(), name, kind, closing="" if text[table.end() - 1] == " " else ")")
        elif (number := _NUMBER.match(text, value)) is not None and kind == "password" and not spaced:
            yield Secret(number.start(), number.end(), _called(name, kind))
        elif not self._code and separator["list"] is None:
            yield from _bare(text, first, value, name, kind, separator)

    def _items(self, at: int, name: str, kind: Family, closing: str, of_keys: bool = False) -> Iterator[Secret]:
        text = self._text
        if at < self._read_to:
            return
        contents, self._read_to = literals_in(text, at, closing, _FAR)
        if of_keys:
            contents = [span for span in contents if _IS_OF_KEY.search(text, max(span[0] - 12, 0), span[0])]
        elif closing and len(contents) > 1 and _only_literals(text, contents):
            yield from _checked(text, contents[0][0], contents[-1][1], name, kind)
            return
        for start, end in contents:
            yield from _checked(text, start, end, name, kind)


def _belongs(text: str, first: int, separator: re.Match[str], value: int) -> bool:
    """Whether a name and the literal behind its comma are a pair: arguments of a setter, a tuple, a shell's words."""
    if text[first - 1 : first] == "-":
        return True
    if separator["key"] is None or (pair := literal(text, value, joined=False)) is None:
        return False
    before = _SETS.search(text[max(first - 200, 0) : first])
    if before is None:
        return False
    return not before[0].startswith("(") or text[pair[2] : pair[2] + 1] == ")"


def _only_literals(text: str, contents: list[tuple[int, int]]) -> bool:
    """Whether they are the pieces of one string that is written on several lines."""
    between = (text[end:start] for (_, end), (start, _) in itertools.pairwise(contents))
    return all("," not in gap and ":" not in gap for gap in between)


def _checked(text: str, start: int, end: int, name: str, kind: Family) -> Iterator[Secret]:
    if is_secret(kind, text[start:end], name=name) and not _BETWEEN.match(text, start):
        yield Secret(start, end, _called(name, kind))


def _bare(text: str, first: int, value: int, name: str, kind: Family, separator: re.Match[str]) -> Iterator[Secret]:
    braced = _BRACED.match(text, value)
    found = braced or _BARE.match(text, value)
    if found is None:
        return
    bare = found[0] if braced else _without_the_rest(found[0])
    if (another := _ANOTHER.match(bare)) is not None and family(another[1]):
        return  # it is looked at by its own name
    end = found.start() + len(bare)
    before = text[max(first - 120, 0) : first]
    for_shell = _FOR_SHELL.search(before) is not None
    line = _BEGINS_LINE.search(before) is not None and _ENDS_LINE.match(text, end) is not None
    if separator["space"] is not None and not for_shell and not _is_told(name, bare, kind):
        return
    assigned = (bool(separator["sign"]) and "=" in (separator["sign"] or "")) or separator["xml"] is not None
    free = not (line or assigned or for_shell or (separator["sign"] is None and separator["space"] is None))
    strict: Family = "password" if (for_shell or line) and kind == "key" else kind
    if kind == "token" and for_shell and not bare.isdigit():
        strict = "password"
    if is_bare_secret(strict, bare, name=name, free=free):
        yield Secret(found.start(), end, _called(name, kind))


def _is_told(name: str, value: str, kind: Family) -> bool:
    """Whether a value behind a space is one: "the password hunter2"; a type that ends in password is followed by words."""
    digits = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return kind == "password" and digits and len(value.strip(".,;:!?()")) >= 6 and "=" not in value


def _without_the_rest(value: str) -> str:
    """Without what belongs to what comes next: another parameter, the end of a sentence, a closing bracket."""
    further = _FURTHER.search(value)
    value = value[: further.start()] if further else value
    value = value.rstrip(".,;:!?" if value.count("!") else ".,;:?")
    while (
        value
        and value[-1] in ")]}>"
        and value.count(value[-1]) > value.count({")": "(", "]": "[", "}": "{", ">": "<"}[value[-1]])
    ):
        value = value[:-1]
    return value


def _called(name: str, kind: Family) -> str:
    if kind in ("key", "maybe key", "other key"):
        return "key"
    if kind == "token":
        return "cookie" if "cookie" in name.lower() else "token"
    return "secret" if "secret" in name.lower() else "password"
