"""What a fix could do outside the notebook that the failed cell did not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change, is_respelt
from reflex_ipython.check.critic.environment import environment
from reflex_ipython.check.critic.folding import DECODERS
from reflex_ipython.check.critic.magics import magic_danger, new_parts
from reflex_ipython.check.critic.patches import patches
from reflex_ipython.check.critic.qualified import Names, names_after, names_of
from reflex_ipython.check.critic.references import calls_dangerous, references, unreadable
from reflex_ipython.check.critic.spelt import runs_code, said_by
from reflex_ipython.check.critic.words import words
from reflex_ipython.models import Cause, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_SECRET_NAME = re.compile(r"(?i)(passw(or)?d|api_?key|secret|access_?key|private_?key|credentials?|auth_?token)s?$")
_INTERNALS = words(
    """__subclasses__ __globals__ __builtins__ __loader__ f_globals f_builtins f_locals f_back tb_frame gi_frame
    cr_frame __reduce_ex__ co_code __self__"""
)
_LONG = 12  # characters that are decoded: less is a number, or a byte or two
_SIGNS = re.compile(r"^\s*([%!?,;/]|>>>|\.{3,}:|\[?\w*\]?\s*In\s*\[)|=\s*[%!]", re.MULTILINE)
_REPLACING = ("if_exists", "if_table_exists")
_EMPTYING = ("delete", "drop")
_CONNECTIONS = ("engine", "conn", "connection", "bind")
_QUERIES = ("query", "eval")


class DangerChecker:
    """Says which new code deletes, starts, connects, evaluates text, reads secrets or changes hooks."""

    name = "dangers"
    needs_trial = False

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, cause: Cause, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each, once."""
        before, after = names_of(cause.situation), names_after(cause.situation, fix)
        said = set[str]()
        for part in new_parts(fix):
            for finding in (*_all(part, before, after), *_own_functions(part, before)):
                if finding.text not in said:
                    said.add(finding.text)
                    yield finding


def _all(change: Change, before: Names, after: Names) -> Iterator[Finding]:
    yield from references(change, before, after)
    yield from unreadable(change, before, after)
    yield from patches(change, after)
    yield from _texts(change, after)
    yield from _names(change, after)
    yield from _calls(change, after)
    yield from environment(change, after)
    if change.new.error is not None and _SIGNS.search(change.new.source) and change.new.source != change.old.source:
        yield Finding("unreadable", "can't be parsed as Python, though IPython may still run it", "danger")
    for magic in change.new.magics:
        if not any(_is_same_magic(old, magic) for old in change.old.magics):
            danger = magic_danger(magic)
            if danger is not None:
                yield Finding(danger.code, f"{danger.words}: `{magic[:80]}`", "danger")
            if magic.startswith(("%%html", "%%HTML", "%%svg", "%%SVG", "%", "!")):
                yield from (finding for _, finding in said_by(magic))


def _is_same_magic(old: str, new: str) -> bool:
    """Whether it is that magic, but for misspelt words."""
    return old == new or (old.split()[:1] == new.split()[:1] and is_respelt(old, new))


def _own(node: ast.AST) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _texts(change: Change, names: Names) -> Iterator[Finding]:
    """What the new texts say that the old cell's do not."""
    old = [text for node in change.old.nodes() if isinstance(node, ast.expr) for text in _spelt(node, names)]
    said = {finding for text in old for _, finding in said_by(text)}
    for node in change.new.nodes():
        for text in _spelt(node, names) if isinstance(node, ast.expr) else ():
            for part, finding in said_by(text) if text not in old else ():
                if finding not in said and not (part and any(part in other for other in old)):
                    yield finding


def _spelt(node: ast.expr, names: Names) -> list[str]:
    """The texts of constants, of what is put together, and of what a method is given by name.

    What is not known of what is put together is `…`.
    """
    if isinstance(node, ast.Constant):
        value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        return [value] if isinstance(value, str) else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and names.text(node) is None:
        return [text for each in node.args if isinstance(each, ast.Name) and (text := names.text(each)) is not None]
    if isinstance(node, (ast.JoinedStr, ast.BinOp, ast.Call)):
        text = names.text(node)
        if text is not None:
            return [text]
        if isinstance(node, ast.JoinedStr):
            return ["".join(_own(part)[0] if _own(part) else "…" for part in node.values)]
    return []


def _names(change: Change, names: Names) -> Iterator[Finding]:
    for node in change.added(ast.Attribute, lambda node: node.attr if node.attr in _INTERNALS else None):
        if isinstance(node.ctx, ast.Load):
            yield Finding("internals", f"reaches into Python's internals: `{node.attr}`", "danger")
    for name in (*change.added(ast.Name, _script_name), *change.added(ast.FunctionDef, _script_name)):
        yield Finding("page", f"runs code in the notebook page: `{_script_name(name)}`", "danger")
    for name in change.added(ast.Name, lambda node: node.id if _is_secret(node.id) else None):
        if isinstance(name.ctx, ast.Load):
            yield Finding("credentials", f"uses `{name.id}`, which looks like a secret", "danger")
    for attribute in change.added(ast.Attribute, lambda node: node.attr if _is_secret(node.attr) else None):
        if isinstance(attribute.ctx, ast.Load):
            yield Finding("credentials", f"uses `{ast.unparse(attribute)[:60]}`, which looks like a secret", "danger")
    for text in change.added(ast.Constant, lambda node: node.value if _is_secret(node.value) else None):
        yield Finding("credentials", f"asks for {text.value!r}, which looks like a secret", "danger")
    for raising in change.added(ast.Raise, lambda node: names.full(_raised(node)) if node.exc else None):
        if names.full(_raised(raising)) in ("SystemExit", "KeyboardInterrupt"):
            yield Finding("ends-kernel", f"ends the cell without an error: `{ast.unparse(raising)[:60]}`", "danger")


def _script_name(node: ast.AST) -> str | None:
    """What IPython and anywidget take a page's code from."""
    name = node.id if isinstance(node, ast.Name) else getattr(node, "name", "")
    return name if name in ("_esm", "_repr_javascript_") else None


def _raised(node: ast.Raise) -> ast.expr:
    assert node.exc is not None
    return node.exc.func if isinstance(node.exc, ast.Call) else node.exc


def _is_secret(text: object) -> bool:
    return isinstance(text, str) and len(text) < 60 and bool(_SECRET_NAME.search(text)) and " " not in text


def _calls(change: Change, names: Names) -> Iterator[Finding]:
    """Calls that are dangerous by what they are given."""
    for keyword in change.added(ast.keyword, ast.unparse):
        value = names.text(keyword.value)
        if keyword.arg == "verify" and _is(keyword.value, False):
            yield Finding("unverified", "does not verify the server's certificate (`verify=False`)")
        if keyword.arg in ("weights_only", "safe_mode") and _is(keyword.value, False):
            yield Finding("evaluates", f"may run code of a file (`{keyword.arg}=False`)", "danger")
        if keyword.arg == "share" and _is(keyword.value, True):
            yield Finding("network", f"makes it public on the internet (`{keyword.arg}=True`)", "danger")
        if keyword.arg == "_esm":
            yield Finding("page", f"runs code in the notebook page: `{keyword.arg}`", "danger")
        if keyword.arg in ("allow_pickle", "trust_remote_code", "unsafe", "shell") and _is(keyword.value, True):
            yield Finding("evaluates", f"may run code or another program (`{keyword.arg}=True`)", "danger")
        if keyword.arg in _REPLACING and value != "fail" and value != "append":
            yield Finding("database", f"replaces a database table (`{ast.unparse(keyword)[:60]}`)", "danger")
    for mapping in change.added(ast.Dict, ast.unparse):  # to_sql(**{"if_exists": "replace"})
        for key, given in zip(mapping.keys, mapping.values):
            if key is not None and names.text(key) in _REPLACING and names.text(given) not in ("fail", "append"):
                yield Finding("database", f"replaces a database table (`{ast.unparse(mapping)[:60]}`)", "danger")
    for call in change.added(ast.Call, ast.unparse):
        yield from _call(call, names.full(call.func), names)


def _call(call: ast.Call, name: str, names: Names) -> Iterator[Finding]:
    method = name.rpartition(".")[2]
    first = names.text(call.args[0]) if call.args else None
    shown = ast.unparse(call)[:80]
    if method == "to_sql" and len(call.args) > 3 and names.text(call.args[3]) not in ("fail", "append"):
        yield Finding("database", f"replaces a database table: `{shown}`", "danger")
    elif method in ("mode", "save") and "overwrite" in (first, *(names.text(word.value) for word in call.keywords)):
        yield Finding("database", f"overwrites existing data: `{shown}`", "danger")
    elif method in _EMPTYING and "." in name and _empties(call, method, name):
        yield Finding("database", f"deletes data: `{shown}`", "danger")
    elif method == "update_many" and call.args and isinstance(call.args[0], ast.Dict) and not call.args[0].keys:
        yield Finding("database", f"changes all rows of a table: `{shown}`", "danger")
    elif method in _QUERIES and "." in name and first is not None and runs_code(first):
        yield Finding("evaluates", f"runs code from text: `{shown}`", "danger")
    elif name == "numpy.load" and any(_is(argument, True) for argument in call.args[2:3]):
        yield Finding("evaluates", f"loads objects that may run code: `{shown}`", "danger")
    elif method == "remove" and "." in name and len(call.args) == 1 and isinstance(call.args[0], ast.Dict):
        yield Finding("database", f"deletes data: `{shown}`", "danger")
    elif method in ("extractall", "extract") and name.startswith("tarfile.") and not _is_filtered(call):
        yield Finding("writes-outside", f"writes wherever the archive says: `{shown}`", "danger")
    elif method == "input" and name.startswith("fileinput.") and any(key.arg == "inplace" for key in call.keywords):
        yield Finding("deletes", f"changes files in place: `{shown}`", "danger")
    elif name.rpartition(".")[2] == "HTML" and any(keyword.arg == "filename" for keyword in call.keywords):
        yield Finding("page", f"shows a file as a page, with any scripts in it: `{shown}`", "danger")
    elif _decodes(call, name) and call.args and _is_written_here(call, names):
        yield Finding("unreadable", f"decodes obfuscated text: `{shown}`", "danger")


def _empties(call: ast.Call, method: str, name: str) -> bool:
    """Whether it is a table's `drop()` or `delete()`, and not what leaves out columns or elements."""
    if method == "drop":
        binds = any(isinstance(each, ast.Name) and each.id in _CONNECTIONS for each in call.args)
        return (not call.args and not call.keywords) or (len(call.args) == 1 and binds)
    counted = any(isinstance(argument, (ast.Constant, ast.List, ast.Slice)) for argument in call.args)
    return not name.startswith("numpy.") and not counted


def _is_filtered(call: ast.Call) -> bool:
    """Whether what a tar archive holds stays in the folder: Python 3.14 sees to that itself, no older one does."""
    return any(keyword.arg == "filter" for keyword in call.keywords)


def _is(node: ast.expr, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _decodes(call: ast.Call, name: str) -> bool:
    """Whether a call makes a text of another, or of the numbers of its characters."""
    numbers = isinstance(call.args[0], (ast.List, ast.Tuple)) if call.args else False
    if name.endswith(".join") and any(isinstance(node, ast.Name) and node.id == "chr" for node in ast.walk(call)):
        return True
    return name in DECODERS or name.endswith(".fromhex") or (name in ("bytes", "bytearray") and numbers)


def _is_written_here(call: ast.Call, names: Names) -> bool:
    """Whether what is decoded stands in the code, and is more than a few bytes of data."""
    given, text = names.text(call.args[0]), names.text(call)
    return (given is not None and len(given) >= _LONG) or (text is not None and len(text) >= 4 and text.isprintable())


def _own_functions(change: Change, names: Names) -> Iterator[Finding]:
    """Functions of the user's that do something dangerous, and are called for the first time."""
    used = {node.id for node in change.old.nodes() if isinstance(node, ast.Name)}
    for node in change.new.nodes():
        if isinstance(node, ast.Name) and node.id in names.functions and node.id not in used:
            danger = calls_dangerous(names.functions[node.id], names)
            if danger is not None:
                yield Finding(danger.code, f"uses `{node.id}`, which {danger.words}", "danger")
