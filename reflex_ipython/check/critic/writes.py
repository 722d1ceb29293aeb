"""Files that a fix writes."""

from __future__ import annotations

import ast
import functools
import os
import re
from collections.abc import Callable, Iterator

from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.check.critic.added import Change, texts
from reflex_ipython.check.critic.dangers import LATE_WRITERS, WRITERS
from reflex_ipython.check.critic.magics import new_parts
from reflex_ipython.check.critic.qualified import Names, names_after
from reflex_ipython.check.critic.words import words
from reflex_ipython.check.parsed_cell import read
from reflex_ipython.models import Cause, Failure, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_ELSEWHERE = re.compile(r"[A-Za-z]:[\\/]|\\\\|%[A-Za-z_]\w{2,}%")
"""A drive or a variable of Windows, `%APPDATA%`; not a format of dates, `%Y%m%d`."""
_NO_SUCH_FILE = re.compile(r"No such file or directory: ('[^'\\\n]+'|\"[^\"\\\n]+\")$")
_MODE = re.compile(r"[rwxabtU+]{1,4}")
_UNTOLD = "?"
_LONGEST = 200  # characters of a path
_BY_NAME = ("path_or_buf", "path", "fname", "filename", "file", "excel_writer", "buf", "target", "dst", "mode_path")
_IF_TOLD = words(
    "to_json to_html to_xml to_latex to_markdown to_string tofile to_file save save_model save_pretrained save_weights"
    " imsave imwrite basicConfig ExcelWriter"
)
"""What writes if it is given a path, and gives a text else."""
_SAVING = re.compile(r"(?:write|save|dump|export|imwrite|imsave)[a-z]*(?:_\w+)?|to_\w+|tofile|HDFStore|[A-Z]\w*Writer")
"""Names of functions of any library that write the file whose path they are given."""
_GIVEN_TEXT = words("write_text write_bytes writelines writestr writerow writerows")
_FOLDERS = words("makedirs mkdir")
_MOVING = ("os.chdir", "contextlib.chdir")
_ADDING = words("open makedirs mkdir mkstemp touch symlink_to hardlink_to extractall savefig")
"""What does not replace the file that is there already, or is asked for with every run."""


class WriteChecker:
    """Says which files new code writes. It looks at the disk, so it is asked again once a fix was tried."""

    name = "writes"

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each, once."""
        names = names_after(cause.situation, fix)
        read_before = functools.cache(functools.partial(_read_before, cause))
        said = set[str]()
        for part in new_parts(fix):
            for finding in _writes(part, names, read_before):
                if finding.text not in said:
                    said.add(finding.text)
                    yield finding


def _read_before(cause: Cause) -> set[str]:
    """The texts of the cells so far: a file that they name is an input."""
    sources = [cause.situation.source, *(cell.source for cell in cause.situation.earlier)]
    trees = (tree for source in sources if (tree := read(source).tree) is not None)
    return {text for tree in trees for text in texts(tree)} - _not_there(cause)


def _not_there(cause: Cause) -> set[str]:
    """The file that the cell failed to find: nothing replaces it, though the cell names it."""
    errors = cause.exceptions if isinstance(cause, Failure) else ()
    found = (_NO_SUCH_FILE.search(error.evalue) for error in errors if error.ename == "FileNotFoundError")
    return {literal_value(one[1]) for one in found if one}


def _writes(change: Change, names: Names, read_before: Callable[[], set[str]]) -> Iterator[Finding]:
    """New writes: outside this folder, over a file that is there, or just new ones.

    Parameters
    ----------
    change : Change
    names : Names
    read_before : callable
        Gives the files that are an input.
    """
    moved = any(_is_outside(path) for node in change.new.nodes() for path in _moves_to(node, names))
    for call in change.added(ast.Call, lambda node: ", ".join(_targets(node, names)) or None):
        for target in _targets(call, names):
            place = f" to {target!r}" if target != _UNTOLD else ""
            if _is_outside(target) or (moved and target != _UNTOLD):
                yield Finding("writes-outside", f"writes a file outside this folder{place}", "danger")
            elif _is_hidden(target):
                yield Finding("writes-hidden", f"writes a hidden file{place}", "danger")
            elif target == _UNTOLD:
                yield Finding("writes-file", "writes a file")
            elif change.is_new_text(target) or not _wrote(change, target):
                if _replaces(call, names) and (target in read_before() or os.path.isfile(target)):
                    yield Finding("overwrites", f"replaces the file {target!r}", "danger")
                elif change.is_new_text(target):
                    folder = names.full(call.func).rpartition(".")[2] in _FOLDERS
                    yield Finding("writes-file", f"makes the folder {target!r}" if folder else f"writes a file{place}")


def _wrote(change: Change, target: str) -> bool:
    """Whether the old cell has written that file itself, or something that reads so."""
    return any(
        isinstance(node, ast.Call)
        and target in texts(node)
        and isinstance(node.func, (ast.Attribute, ast.Name))
        and (_last(node.func) in WRITERS or any(re.fullmatch(r"[wax]b?\+?", text) for text in texts(node)))
        for node in change.old.nodes()
    )


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_outside(target: str) -> bool:
    elsewhere = _ELSEWHERE.match(target) is not None
    return os.path.isabs(target) or elsewhere or target.startswith(("~", "..", "$")) or "/../" in target


def _is_hidden(target: str) -> bool:
    return any(part.startswith(".") and part not in (".", "..") for part in re.split(r"[/\\]", target))


def _replaces(call: ast.Call, names: Names) -> bool:
    last = names.full(call.func).rpartition(".")[2]
    return last not in _ADDING or any("w" in mode for mode in _modes(call, names))


def _moves_to(node: ast.AST, names: Names) -> list[str]:
    """The folders that become the working folder: a path that is relative from then on is one in there."""
    if not isinstance(node, ast.Call) or not node.args or names.full(node.func) not in _MOVING:
        return []
    return names.texts(node.args[0])


def _targets(node: ast.Call, names: Names) -> list[str]:
    """What a call would write to, and whatever else outside this folder a function is given that writes by its name."""
    found = _known_targets(node, names)
    last = names.full(node.func).rpartition(".")[2]
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if _SAVING.fullmatch(last) and last not in _GIVEN_TEXT and len(given) > (last == "write"):
        told = (text for each in given for text in names.texts(each) if "\n" not in text and len(text) < _LONGEST)
        found += [text for text in told if _is_outside(text) and text not in found]
    return found


def _known_targets(node: ast.Call, names: Names) -> list[str]:
    """What a call would write to: the paths that it may be given, "?" for any other; none if it writes nothing."""
    name = names.full(node.func)
    last = name.rpartition(".")[2]
    options = {keyword.arg: keyword.value for keyword in node.keywords}
    given = [*node.args[:1], *(options[key] for key in _BY_NAME if key in options), *options.values()]
    if name == "os.open":
        flags = ", ".join(map(ast.unparse, [*node.args[1:], *options.values()]))
        return names.texts(given[0]) or [_UNTOLD] if re.search(r"O_(WRONLY|RDWR|TRUNC|CREAT|APPEND)", flags) else []
    if last == "open" or name.endswith(("h5py.File", "zipfile.ZipFile", "tarfile.TarFile", "GzipFile", "memmap")):
        return _opened(node, name, given, names)
    if name in LATE_WRITERS:
        given = [*node.args[1:2], *given[1:]] if name != "numpy.save" else given
        return names.texts(given[0]) if given else []
    if last in _IF_TOLD and "." in name:
        return names.texts(given[0]) if given else []
    if last not in WRITERS or "." not in name:
        return []
    if last in ("write_text", "write_bytes", "touch"):
        return _owner(node, names)
    return (names.texts(given[0]) or [_UNTOLD]) if given else _owner(node, names) if last == "mkdir" else []


def _opened(node: ast.Call, name: str, given: list[ast.expr], names: Names) -> list[str]:
    if not any(re.search(r"[wxa+]", mode) for mode in _modes(node, names)):
        return []
    if name.endswith("Path().open") or (name.startswith("?") and node.args and _is_mode(node.args[0], names)):
        return _owner(node, names)
    return (names.texts(given[0]) if given else []) or [_UNTOLD]


def _modes(node: ast.Call, names: Names) -> list[str]:
    values = [part for argument in node.args for part in _spread(argument)]
    values = [*values, *(keyword.value for keyword in node.keywords if keyword.arg in ("mode", None))]
    if names.full(node.func) == "open":
        values = values[1:] if node.args else values
    return [text for value in values for text in names.texts(value) if _MODE.fullmatch(text)]


def _spread(argument: ast.expr) -> list[ast.expr]:
    """The arguments that `*["w"]` stands for."""
    inner = argument.value if isinstance(argument, ast.Starred) else None
    return inner.elts if isinstance(inner, (ast.List, ast.Tuple)) else [argument]


def _is_mode(node: ast.expr, names: Names) -> bool:
    text = names.text(node)
    return text is not None and _MODE.fullmatch(text) is not None


def _owner(node: ast.Call, names: Names) -> list[str]:
    """The path of `path.write_text(…)`."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if owner is None:
        return [_UNTOLD]
    return names.texts(owner) or texts(owner)[:1] or [_UNTOLD]
