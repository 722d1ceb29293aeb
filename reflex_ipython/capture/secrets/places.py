"""Values whose place makes them secrets: in a URL, a header, a cookie, behind a program's option, in a call."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from reflex_ipython.capture.secrets.plausible import is_no_value, is_secret, looks_random
from reflex_ipython.capture.secrets.secret import Secret

_LITERAL = r"[rRbBfFuU]{0,2}\\?[\"'](?P<secret>[^\"'\\\n]{3,500})\\?[\"']"
_ANY = r"(?:[^()\n,]{0,200}|[rRbBfFuU]{0,2}\\?[\"'][^\"'\n]{0,200}[\"'])"
_PLACES: tuple[tuple[str, str], ...] = (
    # URLs
    ("password", r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@'\"]{0,200}:(?P<secret>[^\s/'\"<>]{1,500})@"),
    ("token", r"\b[a-z][a-z0-9+.-]{1,30}://(?P<random>[^\s:/@'\"]{8,200})@"),
    ("signature", r"[?&](?:amp;)?(?:sig|sv_sig|signature|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|hmac|sign)=(?P<secret>[^\s&\"'<>\\;]{8,2000})"),
    ("key", r"[?&](?:amp;)?(?:key|k|code|apikey|appid|app_id|api|h|access|t|s)=(?P<random>[^\s&\"'<>\\;]{16,2000})"),
    # headers
    ("token", r"\bBearer[ \t]+(?P<secret>(?=[\w.~+/=-]{0,500}\d)[\w.~+/=-]{8,4000})"),
    ("password", r"\b(?:proxy-)?authorization\\?[\"']?\]?\s{0,3}[:=,]\s{0,3}[bf]?\\?[\"']?\s{0,3}(?:basic|token|apikey|api-key|key|ssws|negotiate|digest|bot|bearer|aws4-hmac-sha256|[\w-]{2,30})[ \t]+(?P<secret>[^\s\"'\\,]{8,4000})"),
    ("password", r"\b(?:proxy-)?authorization\\?[\"']?\]?\s{0,3}[:=]\s{0,3}[bf]?\\?[\"'](?P<secret>[^\s\"'\\{]{8,4000})\\?[\"']"),
    ("password", r"\bBasic[ \t]+(?P<secret>(?=[A-Za-z0-9+/]{0,200}(?:[0-9]|=))[A-Za-z0-9+/]{8,500}={0,2})(?![A-Za-z])"),
    # calls and tuples
    ("password", rf"(?:\b|_)auth\s{{0,3}}=\s{{0,3}}\(\s{{0,40}}{_ANY},\s{{0,40}}{_LITERAL}\s{{0,40}},?\s{{0,40}}\)"),
    ("password", rf"\b(?:HTTP(?:Basic|Digest|Proxy)Auth|BasicAuth|DigestAuth|NTLMAuth|HttpNtlmAuth|BasicAuthentication|UserPass\w*|SimpleCredential\w*)\(\s{{0,40}}{_ANY},\s{{0,40}}{_LITERAL}"),
    ("password", rf"\.login\(\s{{0,40}}{_ANY},\s{{0,40}}{_LITERAL}"),
    ("password", rf"\bset_password\(\s{{0,40}}{_ANY},\s{{0,40}}{_ANY},\s{{0,40}}{_LITERAL}"),
    ("password", rf"\badd_password\((?:\s{{0,40}}{_ANY},){{3}}\s{{0,40}}{_LITERAL}"),
    ("password", rf"\bsimple_bind(?:_s)?\(\s{{0,40}}{_ANY},\s{{0,40}}{_LITERAL}"),
    ("password", rf"\b(?:hashpw|checkpw|check_password|verify_password)\(\s{{0,40}}{_LITERAL}"),
    ("password", rf"\bpassw[^\n]{{0,80}}\.(?:send_keys|fill|type|setText)\(\s{{0,40}}{_LITERAL}"),
    ("password", rf"\.(?:fill|type|press_sequentially)\(\s{{0,40}}[\"'][^\"'\n]{{0,60}}passw[^\"'\n]{{0,60}}[\"'],\s{{0,40}}{_LITERAL}"),
    ("password", rf"\b(?:password|passwd|pwd|passphrase|secret|token)(?:[ ]is|[ ]was|[ ]?[:=])[ ]?(?:%[sr])?[\"'],\s{{0,40}}{_LITERAL}"),
    ("password", rf"\b(?:FTP|FTP_TLS)\(\s{{0,40}}{_ANY},\s{{0,40}}{_ANY},\s{{0,40}}{_LITERAL}"),
    ("key", rf"\bFernet\(\s{{0,40}}{_LITERAL}"),
    ("key", rf"\bhmac\.(?:new|digest)\(\s{{0,40}}{_LITERAL}"),
    ("key", rf"\bjwt\.(?:encode|decode)\(\s{{0,40}}{_ANY},\s{{0,40}}(?:key\s{{0,3}}=\s{{0,3}})?{_LITERAL}"),
    ("key", r"\b\w{0,40}(?:Client|Handler|Credentials?|Auth|A[Pp][Ii])\([^()\n]{0,200}?[bru]?[\"'](?P<random>[A-Za-z0-9_+/-]{30,300}={0,2})[\"']"),
    ("password", rf"\w{{0,40}}(?:Credentials?|set_?pass(?:word)?|\.decrypt|\.unlock)\((?:\s{{0,40}}{_ANY},)?\s{{0,40}}{_LITERAL}\s{{0,40}},?\s{{0,40}}\)"),
    ("password", rf"\bconnect\(\s{{0,40}}{_ANY},\s{{0,40}}(?:\d{{1,5}},\s{{0,40}})?[bru]?[\"'][^\"'\n]{{1,60}}[\"'],\s{{0,40}}{_LITERAL}"),
    ("password", r"\bconnect\(\s{0,40}[\"'][\w.-]{1,60}/(?P<secret>[^\s\"'@/]{3,200})@"),
    ("password", rf"\bset_secret\(\s{{0,40}}{_ANY},\s{{0,40}}{_LITERAL}"),
    ("password", r"\b(?:login|Login)\(\s{0,40}[\"'](?P<random>[^\"'\\\n]{8,500})[\"']\s{0,40}\)"),
    ("key", r"\b(?:login|init|Client|connect|authenticate|configure|setup)\([^()\n]{0,200}?\bkey\s{0,3}=\s{0,3}[\"'](?P<random>[^\"'\\\n]{16,500})[\"']"),
    ("password", rf"[\"']-{{0,2}}[\w-]{{0,40}}(?:passw(?:or)?d|passwd|pwd|passphrase|token|secret|api[-_]?key)[\"'][^()\n]{{0,200}}?\bdefault\s{{0,3}}=\s{{0,3}}{_LITERAL}"),
    ("password", rf"\b(?:cx_?)?oracle(?:db)?\.(?:connect|create_pool)\(\s{{0,40}}[\"'][^\"'\n/]{{1,60}}[\"'],\s{{0,40}}{_LITERAL}"),
    ("key", r"\b(?:login|init|authenticate|configure|set_?(?:api_?|access_?|auth_?)?(?:token|key))\(\s{0,40}[\"'](?P<random>[^\"'\\\n\s]{20,500})[\"']"),
    ("key", r"(?-i:\b(?!\w{0,40}(?:[Ii][Dd]|Hash|Digest|Commit|S[Hh][Aa]\d*|Run|Seq|Bytes|Image|Node|Block|Tx|Transaction|Checksum|Artifact|Dataset|Model|File|Path|Revision|Version|Experiment|Address|Key|Name|Error|Exception|Str|String|Text|Tag|Ref)\()[A-Z]\w{2,40}\(\s{0,40}[\"'](?P<random>[A-Za-z0-9_-]{30,80})[\"'])"),
    ("password", r"\b(?:mnemonic|(?:seed|recovery)[_ ]?(?:phrase|words?))\w{0,20}\\?[\"']?\s{0,3}(?:is|[:=])\s{0,3}\\?[\"']?(?P<secret>(?-i:[a-z]{3,8}(?: [a-z]{3,8}){11,23}))"),
    # sentences
    ("password", r"\b(?:password|passwd|pwd|passphrase|pw)[ ](?:for|of|to|on|at)[ ][\w .'-]{1,40}?[ ](?:is|was)[ ][\"'`]?(?P<random>[^\s\"'`,;]{8,200})"),
    ("password", r"\b(?:otp|pin|(?:one[- ]time|verification|security|login)[ ](?:password|passcode|code|pin))(?:[ ]code)?[ ]?(?:is|was|[:=])[ ]{0,2}[\"'`]?(?P<secret>\d{4,8})(?![\w.])"),
    ("key", r"\b(?:api|access|secret|account|auth|private|encryption|licen[cs]e|service|subscription)[ \t]keys?[ \t]{0,3}(?:is[ \t]|was[ \t]|[:=]|[ \t])[ \t]{0,3}[\"'`]?(?P<random>[^\s\"'`,;]{8,500})"),
    ("key", r"\bkey[ \t](?:is[ \t]|was[ \t]|[:=])[ \t]{0,3}[\"'`]?(?P<random>[A-Za-z0-9_+/-]{24,500}={0,2})"),
    ("password", r"\bcredentials?[ \t]{1,3}[\"'`]?[^\s:\"'=]{1,60}:(?P<secret>[^\s\"'`,;:=]{4,200})"),
    ("password", r"\b(?:login|user|account)[ \t:]{1,3}[\w.@-]{1,60}[ \t]{0,2}/[ \t]{0,2}(?P<random>[^\s\"'`,;/]{6,200})"),
    ("token", r"\b(?:token|credentials?|cookie)[ \t](?:is[ \t]|was[ \t])?[\"'`]?(?P<random>[^\s\"'`,;]{12,500})"),
    # programs
    ("token", r"(?<![\w-])[\w-]{2,30}[ \t]+(?:[\w-]{2,20}[ \t]+)?(?:login|authtoken|add-authtoken|set-token|auth)[ \t]+(?:--?[\w-]{1,30}[ \t]+){0,2}[\"']?(?P<random>[A-Za-z0-9_.-]{20,300})"),
    ("password", r"(?<![\w-])(?:curl|http|https|wget)\b[^\n]{0,300}?\s(?:-u|--user|-a|--auth)[ =]?[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"'\\]{3,200})"),
    ("password", r"(?<![\w-])(?:mysql|mysqldump|mysqladmin|mariadb|mongo|mongosh|mongodump)\b[^\n]{0,200}?\s-p(?P<secret>[^\s\"'\\=-][^\s\"'\\]{2,200})"),
    ("password", r"(?<![\w-])(?:sshpass|docker login|podman login|mongo|mongosh|sqlcmd|bcp|zip|unzip|7z|az login|ldapsearch|smbclient|twine upload|expect|useradd|usermod|net user)\b[^\n]{0,200}?\s-(?:p|P|w)[ \t]*[\"']?(?P<secret>[^\s\"'\\-][^\s\"'\\]{2,200})"),
    ("password", r"(?<![\w-])redis-cli\b[^\n]{0,200}?\s(?:-a|--pass)[ \t]+[\"']?(?P<secret>[^\s\"'\\]{3,200})"),
    ("password", r"-pass(?:in|out)?[ \t]+pass:(?P<secret>[^\s\"'\\]{3,200})"),
    ("password", r"\becho[ \t]+[\"']?(?P<secret>[^\s\"'\\$|]{3,200})[\"']?[ \t]*\|[^\n|]{0,80}(?:--password-stdin|passwd|sudo -S)"),
    ("password", r"\bmachine\s{1,4}\S{1,200}\s{1,20}login\s{1,4}\S{1,200}\s{1,20}password\s{1,4}(?P<secret>[^\s\"'\\]{3,200})"),
    ("password", r"(?:^|[\n\"'#] ?)(?:[\w*.-]{1,100}):(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:(?P<secret>[^\s:\"'\\]{3,200})(?=\s|$|[\"'\\])"),  # .pgpass
    ("token", r":_(?:authToken|auth|password)\s{0,3}=\s{0,3}[\"']?(?P<secret>[^\s\"'\\$]{6,500})"),  # .npmrc
    ("password", r"(?<![\w-])openssl\b[^\n]{0,200}?\s-(?:k|pass)[ \t]+(?:pass:)?[\"']?(?P<secret>[^\s\"'\\-][^\s\"'\\]{2,200})"),
    # SQL
    ("password", r"\bIDENTIFIED\s{1,4}(?:WITH\s{1,4}\w{1,40}\s{1,4})?(?:BY|AS)\s{1,4}(?:PASSWORD\s{1,4})?\\?[\"'](?P<secret>[^\"'\\\n]{3,200})\\?[\"']"),
    ("password", r"\bPASSWORD\s{1,4}(?:FOR\s{1,4}\S{1,80}\s{0,4}=\s{0,4})?\(?\\?[\"'](?P<secret>[^\"'\\\n]{3,200})\\?[\"']"),
    # Kaggle's file, a JSON web key
    ("key", r"\\?[\"']username\\?[\"']\s{0,4}:\s{0,4}\\?[\"'][^\"'\n]{1,80}[\"']\s{0,4},\s{0,20}\\?[\"']key\\?[\"']\s{0,4}:\s{0,4}\\?[\"'](?P<secret>[0-9a-f]{32})"),
    ("private key", r"\\?[\"']d\\?[\"']\s{0,4}:\s{0,4}\\?[\"'](?P<secret>[\w-]{40,900})\\?[\"']"),
    # messages
    ("password", r"(?:^|\n)[\w.]{0,60}(?:password|passwd|secret|token|api_key|apikey|passphrase|pwd)\n[^\n]{0,300}input_value='(?P<secret>[^'\n]{1,500})'"),  # pydantic
)  # fmt: skip

_COOKIES = re.compile(r"\b(?:set-)?cookie\\?[\"']?\]?\s{0,3}[:=]\s{0,3}[bf]?\\?[\"']?(?P<all>[^\n\"'\\]{3,4000})", re.I)
_COOKIE = re.compile(r"(?P<name>[^\s=;,]{1,100})=(?P<value>[^\s;,]{1,3000})")
_NO_COOKIES = frozenset("path domain expires max-age samesite version theme lang locale consent".split())
_SESSION = re.compile(r"sess|sid|auth|token|csrf|xsrf|jwt|login|remember|user|account|key|secret|ticket|identity", re.I)


def placed(text: str) -> Iterator[Secret]:
    """The secrets that are known by their place."""
    for kind, pattern in _patterns():
        random = "random" in pattern.groupindex
        for found in pattern.finditer(text):
            start, end = found.span("random" if random else "secret")
            value = text[start:end]
            if not (is_no_value(value) or "{" in value or (random and not looks_random(value))):
                yield Secret(start, end, kind)
    for header in _COOKIES.finditer(text):
        yield from _cookies(text, *header.span("all"))


@functools.lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Compiled at the first use: that takes longer than a failed cell should wait."""
    return tuple((kind, re.compile(pattern, re.I)) for kind, pattern in _PLACES)


def _cookies(text: str, start: int, end: int) -> Iterator[Secret]:
    for found in _COOKIE.finditer(text, start, end):
        name, value = found["name"].lower(), found["value"]
        if name in _NO_COOKIES or is_no_value(value) or "{" in value:
            continue
        if looks_random(value) or (_SESSION.search(name) and is_secret("password", value, name=name)):
            yield Secret(*found.span("value"), "cookie")
