"""Magics that are misspelt, are of the other kind, or come with an extension that is not loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_ipython.base.magics import Magic, in_place
from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.models import Failure, Lookup
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.lookups.near import near
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.statements import failing_line

_NAME = re.compile(r"(?P<sign>%{1,2})\s*(?P<name>[\w.!-]+)")
_BACKEND = re.compile(
    r"(?:RuntimeError|ValueError): (?:'(?P<word>[^']*)' is not a recogni[sz]ed GUI loop or backend name"
    r"|Invalid GUI request '(?P<gui>[^']*)')"
    r"|KeyError: '(?P<key>[^']*)'$"  # of IPython before 8.24
)
_MATPLOTLIB = re.compile(r"%\s*matplotlib\s+(?:-\w+\s+)*(?P<word>[^\s#]+)")
_LOADS = re.compile(r"%\s*(?:load_ext|reload_ext)\s+(?P<word>[\w.]+)")
_BACKENDS = (
    "inline", "notebook", "widget", "ipympl", "agg", "qt", "qt5", "qt6", "tk", "gtk", "gtk3", "gtk4", "osx", "wx",
)  # fmt: skip
_PROMPT = re.compile(r"(?m)^(?P<indent>[ \t]*)\$[ \t]+(?=(?P<installs>(?:pip|conda)\b)|[a-z./~])")
_SHIPPED = ("autoreload", "storemagic")
"""The extensions that IPython brings."""
_EXTENSIONS = {
    **dict.fromkeys(("autoreload", "aimport"), "autoreload"),
    "lprun": "line_profiler",
    **dict.fromkeys(("memit", "mprun"), "memory_profiler"),
    "sql": "sql",
    "tensorboard": "tensorboard",
    "R": "rpy2.ipython",
    "watermark": "watermark",
}
"""Which extension brings a line magic."""


def misspelt_magic(failure: Failure) -> Iterator[Proposal]:
    """`%matplotlb inline`: `%matplotlib inline`; `%%matplotlib inline`: with one sign."""
    lookup = failure.lookup
    if lookup is None or lookup.kind != "magic":
        return
    cell = read(failure.situation.source)
    sign, name = ("%%", lookup.wanted[2:]) if lookup.wanted.startswith("%%") else ("%", lookup.wanted[1:])
    same = [one[len(sign) :] for one in lookup.available if one.startswith(sign) and one[len(sign)] != "%"]
    other = f"{'%' if sign == '%%' else '%%'}{name}"
    if other in lookup.available:
        why = f"`{name}` is a magic of {'one line' if sign == '%%' else 'a whole cell'}: it is written `{other}`."
        alone = sign == "%%" or _is_first(failure)
        yield from _changed(failure, cell, lookup, other, why, 1.0 if sign == "%%" else 0.7 if alone else 0.0)
        return
    brings = _EXTENSIONS.get(name) if sign == "%" else None
    if brings:
        yield from _loaded(failure, cell, name, brings)
        return
    meant = closest(name, same, fixed=True)
    words = {meant: 1.0} if meant else dict(near(name, same, fixed=True)[:3])
    for word, prior in words.items():
        why = f"There is no magic `{lookup.wanted}`; the closest is `{sign}{word}`."
        yield from _changed(failure, cell, lookup, f"{sign}{word}", why, prior)


def misspelt_backend(failure: Failure) -> Iterator[Proposal]:
    """`%matplotlib inlin`: `%matplotlib inline`."""
    found = _BACKEND.match(f"{failure.error.ename}: {failure.error.evalue}")
    magic = _magic(failure) if found is not None else None
    if found is None or magic is None:
        return
    wanted = found["word"] or found["gui"] or found["key"] or ""
    yield from _other_word(failure, magic, _MATPLOTLIB, wanted, _BACKENDS, "matplotlib has no backend")


def misspelt_extension(failure: Failure) -> Iterator[Proposal]:
    """`%load_ext autorelod`: `%load_ext autoreload`."""
    lookup = failure.lookup
    magic = _magic(failure) if lookup is not None and lookup.kind == "module" else None
    if lookup is None or magic is None:
        return
    words = [*_SHIPPED, *(name for name in lookup.available if "." not in name)]
    yield from _other_word(failure, magic, _LOADS, lookup.wanted, words, "There is no extension")


def shell_prompt(failure: Failure) -> Iterator[Proposal]:
    """`$ ls data`, as a terminal shows it: `!ls data`."""
    source = failure.situation.source
    if failure.stage != "syntax" or "$" not in source or _PROMPT.search(source) is None:
        return
    made = _PROMPT.sub(lambda found: f"{found['indent']}{'%' if found['installs'] else '!'}", source)
    if read(made).tree is not None:
        why = "A line that begins with `$` is one for a terminal; here the sign for those is `!`, or `%`."
        yield Proposal(made, why, "command of the shell")


def magic_edits(failure: Failure, cell: Cell, lookup: Lookup, name: str) -> list[SpanEdit]:
    """The edit that writes another magic, with its signs, in the place of the one that was not found."""
    magic = _magic(failure, lookup.wanted)
    if magic is None:
        return []
    found = _NAME.match(magic.text)
    start = cell.starts[magic.first] + magic.column
    if found is None or f"{found['sign']}{found['name']}" != lookup.wanted:
        return []
    return [SpanEdit(start + found.start(), start + found.end(), name)]


def _changed(failure: Failure, cell: Cell, lookup: Lookup, name: str, why: str, prior: float) -> Iterator[Proposal]:
    edits = magic_edits(failure, cell, lookup, name) if prior else []
    if edits:
        yield Proposal(apply(cell.source, edits), why, "closest magic", prior)


def _loaded(failure: Failure, cell: Cell, name: str, extension: str) -> Iterator[Proposal]:
    """The extension is loaded in a line above."""
    magic = _magic(failure)
    if magic is None:
        return
    start = cell.starts[magic.first]
    indent = cell.source[start : start + magic.column]
    if indent.strip():  # what the magic gives is assigned
        indent = indent[: len(indent) - len(indent.lstrip())]
    text = apply(cell.source, [SpanEdit(start, start, f"{indent}%load_ext {extension}{cell.newline}")])
    why = f"`%{name}` comes with the extension `{extension}`, which is not loaded in this kernel."
    yield Proposal(text, why, "extension to load", 1.0 if extension in _SHIPPED else 0.9)


def _other_word(
    failure: Failure, magic: Magic, pattern: re.Pattern[str], wanted: str, words: tuple[str, ...] | list[str], why: str
) -> Iterator[Proposal]:
    """The magic with another word behind it."""
    found = pattern.match(magic.text)
    if found is None or found["word"].strip("'\"").lower() != wanted.lower():
        return
    cell = read(failure.situation.source)
    start = cell.starts[magic.first] + magic.column
    meant = closest(wanted.lower(), words, fixed=True) or (wanted.lower() if wanted.lower() in words else None)
    choices = {meant: 1.0} if meant else dict(near(wanted, words, fixed=True)[:3])
    for word, prior in choices.items():
        edit = SpanEdit(start + found.start("word"), start + found.end("word"), word)
        yield Proposal(
            apply(cell.source, [edit]), f"{why} `{wanted}`; the closest is `{word}`.", "closest magic", prior
        )


def _magic(failure: Failure, wanted: str = "") -> Magic | None:
    """The magic on the failing line; a cell magic is on its cell's first."""
    reading, lineno = in_place(failure.situation.source), failing_line(failure)
    if wanted.startswith("%%"):
        return next((one for one in reading.magics if one.content is not None), None)
    return next((one for one in reading.magics if one.first + 1 == lineno), None)


def _is_first(failure: Failure) -> bool:
    """Whether nothing stands above the magic: only there it may be one of the whole cell."""
    magic = _magic(failure)
    lines = failure.situation.source.split("\n")
    return magic is not None and not any(line.strip() for line in lines[: magic.first])


RULES = (misspelt_magic, misspelt_backend, misspelt_extension, shell_prompt)
