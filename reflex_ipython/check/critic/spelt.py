"""What texts in code say: statements of SQL, scripts for a page, addresses, places of secrets."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from reflex_ipython.models import Finding

_ADDRESS = re.compile(
    r"^(?:https?|ftps?|sftp|ssh|s3[an]?|gs|gcs|abfss?|wss?|tcp|udp|ldaps?|smb|hdfs|redis|amqps?|mongodb(?:\+srv)?"
    r"|postgres(?:ql)?(?:\+\w+)?|mysql(?:\+\w+)?|mssql(?:\+\w+)?|oracle(?:\+\w+)?)://(?P<host>[^/\s?#]*)",
    re.IGNORECASE,
)
_SECRET_FILE = re.compile(
    r"(^|[/\\~\s'\"=])(\.ssh|\.aws|\.netrc|\.pgpass|\.kube|\.gnupg|\.docker|\.azure|\.npmrc|\.pypirc|\.git-credentials"
    r"|\.huggingface|\.kaggle|\.jupyter|\.ipython|\.bash_history|\.python_history|\.mozilla|id_(rsa|dsa|ecdsa|ed25519)|\.env"
    r"|gcloud|etc/(passwd|shadow|sudoers)"
    r"|environ|token|credentials(\.json)?|kernel-[\w-]+\.json|Login Data|\.bashrc|\.profile|\.zshrc)"
    r"([/\\\s'\"]|$)"
)
_BARE_WORDS = re.compile(r"^(gcloud|shadow|environ|token|credentials)$")
_PAGE = re.compile(
    r"<\s*(script|iframe|object|embed|base|form|link|meta\s+http-equiv|svg[^>]*\son)|\bon[a-z]{3,20}\s*=\s*['\"\\\w(]"
    r"|javascript:|srcdoc\s*=|data:text/html|application/javascript|<\s*(img|video|audio|source|image)\b[^>]*"
    r"(src|href)\s*=\s*['\"\\]*(https?:)?//|!\[[^\]\n]*\]\(\s*<?(https?:)?//|@import|url\(\s*['\"]?https?:",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<\s*[a-z!/]|javascript|!\[", re.IGNORECASE)
_SQL_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)
_THING = r"(TABLE|DATABASE|SCHEMA|VIEW|MATERIALIZED\s+VIEW|INDEX|COLUMN|TRIGGER|USER|ROLE|SEQUENCE|FUNCTION|KEYSPACE)"
_NAMED = r"[\w\"'`\[\].{}…%:?-]+"
_OF_A_STATEMENT = r"(?=\s*(;|$|[)\"']|(AS\s+)?(\w+\s+)?(WHERE|USING|RETURNING|LIMIT|ORDER)\b))"
_SQL = (
    (re.compile(rf"\bDROP\s+{_THING}\s+(IF\s+EXISTS\s+)?{_NAMED}", re.I), "drops part of a database"),
    (re.compile(rf"\bTRUNCATE\s+TABLE\s+{_NAMED}", re.I), "empties a database table"),
    (
        re.compile(rf"(^|;)\s*TRUNCATE\s+(ONLY\s+)?{_NAMED}\s*(;|$|CASCADE|RESTART)", re.I),
        "empties a database table",
    ),
    (
        re.compile(rf"\bDELETE\s+FROM\s+{_NAMED}{_OF_A_STATEMENT}(?!.*\bWHERE\b)", re.I | re.S),
        "deletes all rows of a table",
    ),
    (re.compile(rf"\bDELETE\s+FROM\s+{_NAMED}{_OF_A_STATEMENT}", re.I), "deletes rows from a database"),
    (re.compile(rf"\bALTER\s+{_THING}\s+{_NAMED}", re.I), "changes a database table"),
    (re.compile(rf"\bUPDATE\s+{_NAMED}\s+SET\b(?!.*\bWHERE\b)", re.I | re.S), "changes all rows of a table"),
    (re.compile(rf"\b(REPLACE|INSERT\s+OVERWRITE)\s+(TABLE|INTO)\s+{_NAMED}", re.I), "replaces rows in a database"),
    (re.compile(rf"\bMERGE\s+INTO\s+{_NAMED}.*\bTHEN\s+(DELETE|UPDATE)\b", re.I | re.S), "changes rows in a database"),
    (re.compile(rf"\bCREATE\s+OR\s+REPLACE\s+{_THING}", re.I), "replaces part of a database"),
    (re.compile(rf"\b(GRANT|REVOKE)\s+[\w, ]+\s+(ON|TO|FROM)\s+{_NAMED}", re.I), "changes permissions in a database"),
    (
        re.compile(
            r"\b(COPY\s[^;]{1,400}?\sTO\s+['\"]|EXPORT\s+DATABASE|LOAD\s+DATA\s|LO_EXPORT\s*\(|ATTACH\s+DATABASE|LOAD_EXTENSION\s*\(|TO\s+PROGRAM|FROM\s+PROGRAM|XP_CMDSHELL|VACUUM\s+INTO|INTO\s+OUTFILE)",
            re.I,
        ),
        "makes a database run programs or code, or open or write files",
    ),
)
_ALWAYS_TRUE = re.compile(r"\bWHERE\s+(1\s*=\s*1|TRUE|1|'(\w*)'\s*=\s*'\2')\s*;?\s*$", re.IGNORECASE)
_FORMAT_INTERNALS = re.compile(r"\{[^{}]*\.__\w+__|\{[^{}]*\[__\w+__")
_QUERY = re.compile(r"@[\w.\s]*\(|__\w+__")


def said_by(text: str) -> Iterator[tuple[str, Finding]]:
    """What a text says, each with the part of it that says so; "" where the whole of it does."""
    address = _ADDRESS.match(text.strip())
    if address is not None:
        yield (
            address["host"] or address[0],
            Finding("network", f"connects to {address['host'] or 'another computer'}", "danger"),
        )
    secret = _SECRET_FILE.search(text)
    if secret is not None and not _BARE_WORDS.match(text.strip()):
        yield secret[0], Finding("credentials", f"mentions a place where secrets are kept: {text[:80]!r}", "danger")
    if _MARKUP.search(text) and (found := _PAGE.search(text) or _PAGE.search(html.unescape(text))) is not None:
        yield (
            found[0],
            Finding("page", f"runs code in the notebook page, or loads something into it: {found[0][:60]!r}", "danger"),
        )
    yield from _statements(text)
    if _FORMAT_INTERNALS.search(text):
        yield text, Finding("internals", f"reaches into Python's internals: {text[:60]!r}", "danger")


def _statements(text: str) -> Iterator[tuple[str, Finding]]:
    plain = _SQL_COMMENT.sub(" ", text)
    for pattern, words in _SQL:
        found = pattern.search(plain)
        if found is not None:
            yield "", Finding("database", f"{words}: `{' '.join(found[0].split())[:80]}`", "danger")
    if re.search(r"\bUPDATE\s+\S+\s+SET\b", plain, re.I) and _ALWAYS_TRUE.search(plain.strip()):
        yield "", Finding("database", f"changes all rows of a table: `{' '.join(plain.split())[:80]}`", "danger")


def runs_code(query: str) -> bool:
    """Whether a text for `DataFrame.query` or `eval` calls something, or reaches into Python's internals."""
    return _QUERY.search(query) is not None
