"""Which of the paths that are there may be meant by one that is not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reflex_ipython.models import Lookup
from reflex_ipython.propose.rules.access.nearness import near

SEPARATORS = re.compile(r"[\\/]+")
"""What stands between the parts of a path, on any system."""
_OTHER_KIND = 0.5  # a file of another kind is read by another function


def near_paths(lookup: Lookup) -> Iterator[tuple[str, float]]:
    """The paths that may be meant: the same name elsewhere, another spelling, a near name in the same folder."""
    wanted = SEPARATORS.sub("/", lookup.wanted.encode("unicode_escape").decode()).removeprefix("./")
    folder = wanted.endswith("/")
    a_file = not folder and "." in wanted.rpartition("/")[2]
    known = {
        path.rstrip("/"): path
        for path in lookup.available
        if not (folder and not path.endswith("/")) and not (a_file and path.endswith("/"))
    }
    wanted = wanted.rstrip("/")
    if wanted != lookup.wanted and wanted in known:
        yield wanted, 0.93
        return
    same = {path.lower(): path for path in known}.get(wanted.lower())
    if same:
        yield same, 0.92
        return
    joined = [path for path in known if path.replace("/", "") == wanted.replace("/", "")]
    if len(joined) == 1:
        yield joined[0], 0.92
        return
    parent, _, name = wanted.rpartition("/")
    namesakes = [path for path in known if path.rpartition("/")[2].lower() == name.lower()]
    for path in namesakes[:4]:
        yield path, 0.88 if len(namesakes) == 1 else 0.9 / len(namesakes)
    if namesakes:
        return
    stem = name.rpartition(".")[0] or name
    siblings = {path.rpartition("/")[2]: path for path in known if path.rpartition("/")[0] == parent}
    anywhere = {path.rpartition("/")[2]: path for path in known}
    for names, factor in ((siblings, 1.0), (anywhere, 0.85)):
        stems = {one for one in names if (one.rpartition(".")[0] or one).lower() == stem.lower() and one != name}
        for one in sorted(stems)[:3]:
            alike = len(stems) == 1 and _same_kind(name, one)
            yield names[one], factor * (0.8 if alike else 0.45)
        found = [] if stems else list(_near_names(name, names))
        for one, prior in found:
            yield names[one], factor * prior
        if stems or found:
            return
    if parent:
        for close in near(wanted, [path for path in known if "/" in path and path.rpartition("/")[2] == name]):
            yield close.word, close.prior


def _near_names(name: str, names: Iterable[str]) -> Iterator[tuple[str, float]]:
    """The files that are called nearly so. What stands before the ending tells them apart: `.csv` is no likeness."""
    stems = dict[str, list[str]]()
    for one in names:
        stems.setdefault(_stem(one), []).append(one)
    for close in near(_stem(name), stems):
        alike = [one for one in stems[close.word] if _same_kind(name, one)]
        for one in alike[:2] or stems[close.word][:1]:
            yield one, close.prior / max(len(alike), 1) if alike else close.prior * _OTHER_KIND


def _stem(name: str) -> str:
    """A file's name without its ending, or without its endings: `sales.csv.gz`."""
    return re.sub(r"(?<=.)(?:\.[a-zA-Z]\w{0,8}){1,2}$", "", name)


def _same_kind(name: str, other: str) -> bool:
    """Whether two endings are spellings of one, or of one kind of file, or one is left out."""
    left, right = name.rpartition(".")[2].lower(), other.rpartition(".")[2].lower()
    kinds = ({"csv", "tsv", "txt", "xlsx", "xls", "parquet"}, {"jpg", "jpeg", "png", "gif"}, {"json", "jsonl"})
    spelt = sorted(left) == sorted(right) or left.startswith(right) or right.startswith(left)
    return "." not in name or "." not in other or spelt or any({left, right} <= kind for kind in kinds)


def near_folder(lookup: Lookup) -> Iterator[tuple[str, float]]:
    """The same name in a folder that is there and is called nearly so."""
    folder, _, name = SEPARATORS.sub("/", lookup.wanted).rpartition("/")
    parent = folder.rpartition("/")[0]
    folders = [path[:-1] for path in lookup.available if path.endswith("/") and path[:-1].rpartition("/")[0] == parent]
    there = lookup.available
    for close in near(folder, folders) if folder and f"{folder}/" not in there else ():
        if f"{close.word}/{name}" not in there:
            yield f"{close.word}/{name}", close.prior * 0.9


def changed_part(wanted: str, path: str) -> tuple[str, str] | None:
    """The one part in which two paths of the same length differ."""
    old, new = SEPARATORS.split(wanted), path.rstrip("/").split("/")
    if len(old) != len(new):
        return None
    differ = [(a, b) for a, b in zip(old, new) if a != b]
    return differ[0] if len(differ) == 1 else None


def is_in(path: str, folder: str) -> bool:
    return path.startswith(f"{SEPARATORS.sub('/', folder).rstrip('/')}/")
