"""What was looked up and is not there, and what is."""

from __future__ import annotations

import os
import sys

from reflex_ipython.base.article import a
from reflex_ipython.base.distributions import distribution, known_distribution
from reflex_ipython.models import CellSource, Failure, Lookup
from reflex_ipython.present.reasons.found_nothing import search_in_vain
from reflex_ipython.present.reasons.removals import removal

_SHOWN = 8
_NEAR = 3


def of_lookup(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    """What happened and what to do, in words; both empty if nothing specific can be said."""
    if lookup.hiding:
        name = os.path.splitext(os.path.basename(lookup.hiding))[0]
        return (
            f"`{name}` is the file {lookup.hiding} here, and not the library of that name: the file hides it.",
            "give that file another name, then restart the kernel",
        )
    gone = removed(lookup)
    if gone[0]:
        return gone
    words = _BY_KIND[lookup.kind](failure, lookup)
    return words if isinstance(words, tuple) else (words, "")


def removed(lookup: Lookup) -> tuple[str, str]:
    """Since when something is gone and what to take instead; both empty if it is not known to be."""
    if lookup.kind == "module":
        return removal(lookup.wanted)
    of_module = lookup.kind == "import" or (lookup.kind == "attribute" and lookup.owner_type == "module")
    found = removal(lookup.owner, lookup.wanted) if of_module else ("", "")
    return found if found[0].startswith(f"`{lookup.owner}.{lookup.wanted}`") else ("", "")


def near(wanted: str, available: tuple[str, ...]) -> list[str]:
    """The labels that are spelt like it, the nearest first."""
    from rapidfuzz import fuzz, process  # only a panel without a fix pays for the import

    found = process.extract(wanted, available, scorer=fuzz.WRatio, processor=str.lower, limit=_NEAR, score_cutoff=70)
    return [word for word, _, _ in found]


def there(available: tuple[str, ...], wanted: str) -> str:
    """What is there, the nearest first and marked as code."""
    close = near(wanted, available)
    rest = [word for word in available if word not in close]
    shown = [f"`{word}`" for word in close] + rest[: _SHOWN - len(close)]
    more = len(available) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _name(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    wanted, names = lookup.wanted, failure.situation.names
    words = f"No cell that ran in this session has set `{wanted}`."
    if failure.error.ename == "UnboundLocalError":
        words = (
            f"`{wanted}` is assigned somewhere in this function, so it is the function's own name; "
            "it has no value yet where it is used."
        )
        return words, f"give `{wanted}` a value before, or say `global {wanted}` to use the notebook's"
    if lookup.setters:
        return " ".join(_failed(setter, wanted) for setter in lookup.setters), "mend that cell and run it again first"
    close = near(wanted, names)
    if close:
        words += f" Similar names: {', '.join(f'`{name}`' for name in close)}."
    return words, f"run the cell that sets `{wanted}`, or correct the name"


def _failed(setter: CellSource, wanted: str) -> str:
    count = setter.cell.execution_count
    cell = "An earlier cell" if count is None else f"In [{count}]"
    line = f" on line {setter.error_line}" if setter.error_line else ""
    return f"{cell} sets `{wanted}`, but failed{line}: {setter.error}."


def _attribute(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    kind = lookup.owner_type.rpartition(".")[2]
    if kind == "NoneType":
        looked = search_in_vain(failure, lookup.owner)
        if looked:
            return (
                f"`{lookup.owner}` is None, so it has no `.{lookup.wanted}`: `{looked}` found nothing, and then gives None.",
                "look at what it was to find and where, or ask whether it is None first",
            )
        return (
            f"`{lookup.owner or 'the value'}` is None, so it has no `.{lookup.wanted}`. A function without `return`, or a "
            "method that changes its object in place, gives None.",
            f"look where `{lookup.owner or 'it'}` gets its value",
        )
    owner = f"`{lookup.owner}`" if lookup.owner else "The value"
    what = "is a module and" if kind == "module" else f"is {a(f'`{kind}`')} and"
    close = near(lookup.wanted, lookup.available)
    like = f" It has: {', '.join(f'`{word}`' for word in close)}." if close else ""
    return f"{owner} {what} has no `{lookup.wanted}`.{like}", ""


_OF_PYTHON = ("dict", "collections.OrderedDict", "collections.Counter", "collections.defaultdict")
"""Types of which all keys are looked at: where none is told, there is none."""


def _key(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    owner, said = f"`{lookup.owner}`" if lookup.owner else "The mapping", failure.error.evalue
    key = said if said == repr(lookup.wanted) else _quoted(lookup.wanted)  # the text '1' is not the number 1
    if lookup.available:
        return f"{owner} has no key {key}. It has: {there(lookup.available, lookup.wanted)}.", ""
    if lookup.others:
        some, more = lookup.others[:_SHOWN], len(lookup.others) > _SHOWN
        return f"{owner} has no key {key}. It has: {', '.join(some)}{' and more' if more else ''}.", ""
    return f"{owner} has no key {key}{': it is empty' if lookup.owner_type in _OF_PYTHON else ''}.", ""


def _column(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    owner = f"`{lookup.owner}`" if lookup.owner else "The table"
    return f"{owner} has no column {_quoted(lookup.wanted)}. Columns: {there(lookup.available, lookup.wanted)}.", ""


def _module(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    wanted = lookup.wanted
    if wanted.partition(".")[0] in sys.stdlib_module_names:
        return f"Python's `{wanted.partition('.')[0]}` has no module `{wanted}`.", ""
    if lookup.owner:
        return f"`{lookup.owner}` is installed, but has no module `{wanted}` in this version.", ""
    files = [path for path, kind in lookup.holders.items() if kind == "file"]
    if files:
        folder = files[0].rstrip("/").rpartition("/")[0]
        return (
            f"Python finds no module `{wanted}`: {files[0]} is there, but `{folder}` is no folder that it looks in.",
            f'add the folder: `import sys; sys.path.append("{folder}")`',
        )
    if not lookup.requirement and not known_distribution(wanted):  # anybody may have published that name
        own = [f"`{name}`" for name, kind in lookup.holders.items() if kind == "alike"]
        if own:
            what = f"{own[0]} is" if len(own) == 1 else f"{', '.join(own)} are"
            return f"Python finds no module `{wanted}`; {what} there, of your own.", "correct the name"
        defining = next((path for path, kind in lookup.holders.items() if kind == "defines"), "")
        if defining:
            return (
                f"Python finds no module `{wanted}`; {defining} has the name that you import.",
                "import it from there",
            )
    # What is much shorter is found in nearly everything: `xml` in `mlhelpers`.
    close = near(wanted, tuple(name for name in lookup.available if 2 * len(name) > len(wanted)))
    like = f" Installed and similar: {', '.join(f'`{word}`' for word in close)}." if close else ""
    name, known = distribution(wanted), known_distribution(wanted)
    comes = f" It comes with the distribution `{known}`." if known and known != wanted else ""
    install = f"`%pip install {name}`, then run the cell again"
    return (
        f"No module `{wanted}` is installed in this kernel's environment.{comes}{like}",
        f"install it: {install}"
        if known or lookup.requirement
        else f"correct the name; or, if it is published as `{name}`: {install}",
    )


def _import(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    close = near(lookup.wanted, lookup.available)
    like = f" It has: {', '.join(f'`{word}`' for word in close)}." if close else ""
    if "partially initialized" in failure.error.evalue:
        return (
            f"`{lookup.owner}` is still being imported when `{lookup.wanted}` is wanted from it: two modules import each "
            "other, or a file of yours has the name of a library.",
            f"look whether a file called `{lookup.owner.partition('.')[0]}.py` is beside the notebook",
        )
    return f"`{lookup.owner}` has no `{lookup.wanted}` in this version.{like}", ""


def _argument(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    owner = f"`{lookup.owner}`" if lookup.owner else "The function"
    takes = f" It takes: {there(lookup.available, lookup.wanted)}." if lookup.available else ""
    return f"{owner} takes no argument `{lookup.wanted}`.{takes}", ""


def _path(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    folder = "the kernel's working folder" if lookup.owner in ("", ".") else f"`{lookup.owner}`"
    beside = f" Near it: {there(lookup.available, lookup.wanted)}." if lookup.available else ""
    return f"There is no `{lookup.wanted}` in {folder}.{beside}", "look at what is there: `%ls`"


def _magic(failure: Failure, lookup: Lookup) -> tuple[str, str]:
    sign = "%%" if lookup.wanted.startswith("%%") else "%"
    same = (name for name in lookup.available if name.count("%") == len(sign))
    close = near(lookup.wanted, tuple(name for name in same if 2 * len(name) > len(lookup.wanted)))
    like = f" Similar: {', '.join(f'`{word}`' for word in close)}." if close else ""
    words = f"IPython has no {'cell' if sign == '%%' else 'line'} magic `{lookup.wanted}` here.{like}"
    other = f"{'%' if sign == '%%' else '%%'}{lookup.wanted.lstrip('%')}"
    if other in lookup.available:
        what = "for one line" if other[1:2] != "%" else "for a whole cell, on its first line"
        return f"{words} There is `{other}`, {what}.", ""
    return (
        words,
        "" if close else "if an extension brings it, load that first: `%load_ext NAME`; all there are: `%lsmagic`",
    )


def _quoted(wanted: str) -> str:
    return wanted if wanted[:1] in "'\"([{0123456789-" else repr(wanted)


_BY_KIND = {
    "name": _name,
    "attribute": _attribute,
    "key": _key,
    "column": _column,
    "module": _module,
    "import": _import,
    "argument": _argument,
    "path": _path,
    "magic": _magic,
}
