"""What a fix could do outside the notebook that the failed cell did not."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator

from reflex_ipython.check.critic.added import Change, changes, texts
from reflex_ipython.check.critic.dangers import FUNCTIONS, METHODS, WRITERS, Danger, magic_danger
from reflex_ipython.check.critic.qualified import known_imports, qualified
from reflex_ipython.models import Failure, Finding, Fix, Trial
from reflex_ipython.protocols import Context

_ADDRESS = re.compile(r"^(https?|ftps?|s3|gs|wss?)://([^/\s]+)")
_SECRET_FILE = re.compile(r"(^|[/\\])(\.ssh|\.aws|\.netrc|\.pgpass|\.kube|\.gnupg|id_(rsa|ed25519)|\.env)([/\\]|$)")
_SECRET_NAME = re.compile(r"(?i)(passw(or)?d|api_?key|secret|access_?key|private_?key|credentials?|auth_token)s?$")
_INTERNALS = {"__subclasses__", "__globals__", "__builtins__", "__code__", "__closure__", "__bases__", "__mro__"}


class DangerChecker:
    """Says which new code deletes, writes, starts, installs, connects, evaluates text or reads secrets."""

    name = "dangers"

    def __init__(self, context: Context | None = None) -> None:
        """Needs nothing of the context."""

    def check(self, failure: Failure, fix: Fix, trial: Trial | None = None) -> Iterator[Finding]:
        """Yield a finding for each, once."""
        said = set[str]()
        for change in changes(fix):
            for finding in _all(change, known_imports(failure, change.new)):
                if finding.text not in said:
                    said.add(finding.text)
                    yield finding


def _all(change: Change, aliases: dict[str, str]) -> Iterator[Finding]:
    yield from _references(change, aliases)
    yield from _writes(change, aliases)
    yield from _strings(change)
    yield from _names(change)
    for magic in change.new.magics:
        if magic not in change.old.magics and (danger := magic_danger(magic)) is not None:
            yield Finding(danger.code, f"{danger.words}: `{magic[:80]}`", "danger")


def _references(change: Change, aliases: dict[str, str]) -> Iterator[Finding]:
    """Dangerous functions, called or only named; one that was there before is new if it gets a new text."""

    def key(node: ast.AST) -> str | None:
        name = qualified(node, aliases)
        return name if _danger(name) is not None else None

    for kind in (ast.Attribute, ast.Name):
        for node in change.added(kind, key):
            yield from _finding(qualified(node, aliases))
    for call in change.new.nodes():
        if isinstance(call, ast.Call):
            name = qualified(call, aliases).removesuffix("()")
            yield from _finding(name) if _has_news(call, name, change) else ()


def _has_news(call: ast.Call, name: str, change: Change) -> bool:
    if _danger(name) is None:
        return False
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(change.is_new_text(text) for argument in arguments for text in texts(argument))


def _danger(name: str) -> Danger | None:
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    module, _, member = name.rpartition(".")
    while module:
        if f"{module}.*" in FUNCTIONS:
            return FUNCTIONS[f"{module}.*"]
        module = module.rpartition(".")[0]
    return METHODS.get(member) if "." in name else None


def _finding(name: str) -> Iterator[Finding]:
    danger = _danger(name)
    if danger is not None:
        yield Finding(danger.code, f"{danger.words}: `{name.removeprefix('?.')}`", "danger")


def _writes(change: Change, aliases: dict[str, str]) -> Iterator[Finding]:
    for call in change.added(ast.Call, lambda node: _target(node, aliases)):
        target = _target(call, aliases) or ""
        place = f" to {target!r}" if target != "?" else ""
        outside = os.path.isabs(target) or target.startswith(("~", "..", "$"))
        if outside:
            yield Finding("writes-outside", f"writes a file outside this folder{place}", "danger")
        elif target == "?" or change.is_new_text(target):
            yield Finding("writes-file", f"writes a file{place}")


def _target(node: ast.Call, aliases: dict[str, str]) -> str | None:
    """What a call would write to: a literal path, "?" for any other; None if it writes nothing."""
    name = qualified(node.func, aliases)
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    if name in ("open", "io.open", "codecs.open") or name.endswith(".open"):
        modes = [text for value in values[1 if name == "open" else 0 :] for text in _literal(value)]
        if not any(re.fullmatch(r"[rwxabt+]{1,4}", mode) and re.search(r"[wxa+]", mode) for mode in modes):
            return None
    elif name.rpartition(".")[2] not in WRITERS or not values or "." not in name:
        return None
    if name.endswith((".write_text", ".write_bytes")):
        return next(iter(texts(node.func)), "?")
    return next(iter(_literal(values[0])), "?") if values else "?"


def _literal(node: ast.expr) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _strings(change: Change) -> Iterator[Finding]:
    """Addresses and files of secrets that the old cell does not mention."""
    for node in change.added(ast.Constant, lambda node: node.value if isinstance(node.value, str) else None):
        text = str(node.value)
        address = _ADDRESS.match(text)
        if address and change.is_new_text(text):
            yield Finding("network", f"connects to {address[2]}", "danger")
        if _SECRET_FILE.search(text) and change.is_new_text(text):
            yield Finding("credentials", f"mentions a place for secrets: {text[:80]!r}", "danger")


def _names(change: Change) -> Iterator[Finding]:
    for node in change.added(ast.Attribute, lambda node: node.attr if node.attr in _INTERNALS else None):
        yield Finding("internals", f"reaches into Python's internals: `{node.attr}`", "danger")
    for name in change.added(ast.Name, lambda node: node.id if _is_secret(node.id) else None):
        if isinstance(name.ctx, ast.Load):
            yield Finding("credentials", f"uses `{name.id}`, which looks like a secret", "danger")
    for text in change.added(ast.Constant, lambda node: node.value if _is_secret(node.value) else None):
        yield Finding("credentials", f"asks for {text.value!r}, which looks like a secret", "danger")
    for keyword in change.added(ast.keyword, ast.unparse):
        if keyword.arg == "verify" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False:
            yield Finding("unverified", "does not verify the server's certificate (`verify=False`)")
        if keyword.arg == "allow_pickle" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True:
            yield Finding("evaluates", "loads objects that may run code (`allow_pickle=True`)", "danger")


def _is_secret(text: object) -> bool:
    return isinstance(text, str) and len(text) < 60 and bool(_SECRET_NAME.search(text)) and " " not in text
