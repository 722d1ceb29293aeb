"""What a name says of its value: `DB_PASSWORD2` is a password, `apiKey` a key, `max_tokens` and `sort_key` nothing."""

from __future__ import annotations

import functools
import itertools
import re

from reflex_ipython.capture.secrets.secret import Family

_LONGEST = 100
"""Characters of a name; of a longer one its end counts."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-ÿ]+|[A-Z]")
_HINT = re.compile(r"pass|pw|psw|pin|pat|otp|key|cred|secret|token|auth|sig|cookie|jwt|sas|sid|session|csrf|xsrf|bearer"
                   r"|contras|wachtw|parola|haslo|heslo|senha|kennwort|mdp|motdepasse|salt|totp|webhook|dsn|licen|nonce|tok|api|appid|pwd", re.I)  # fmt: skip

_PASSWORDS = frozenset(
    "password passwords passwd passwds passwort kennwort passphrase passphrases passcode passcodes pwd pwds pw pws psw"
    " pswd pass passw userpass dbpass contraseña contrasena senha motdepasse passe mdp wachtwoord parola haslo heslo secret secrets clientsecret appsecret"
    " secretstring".split()
)
_TOKENS = frozenset(
    "token tokens auth authorization authentication credential credentials creds cred signature sig bearer jwt cookie"
    " cookies csrf xsrf csrftoken authtoken accesstoken refreshtoken sessionid sessid phpsessid jsessionid sid pat pats"
    " tok toks sas otp totp session pin pincode salt webhook nonce".split()
)
_CREDENTIALS = frozenset("auth authentication credential credentials creds sshpass".split())
_KEYS = frozenset("apikey apikeys secretkey accesskey accountkey subscriptionkey apitoken apisecret authkey".split())
_KEY_OF = frozenset(
    "api secret account subscription auth shared sharedaccess encryption signing jwt hmac aes fernet".split()
)
_MAYBE_KEY_OF = frozenset(
    "access private service storage license licence client consumer webhook admin deploy app application integration"
    " master stream ingest write session instrumentation project server ssh rsa crypto cipher decryption".split()
)
_KEY_OF_DATA = frozenset(
    "sort primary foreign partition cache public pub hash inchi object dedup idempotency row join group index merge dict"
    " map lookup shard route routing translation message metadata json column col table tuple file s3 block chunk"
    " content dataset parent child item record state unique natural surrogate composite candidate business order"
    " customer user product session color legend musical minor major answer feature target label no is has any each"
    " this that current last first next previous new old by per on of for the a wrong missing invalid unknown".split()
)
"""Whose keys open nothing: they find a row, a file or a group."""
_SERVICES = frozenset("api appid".split())
# What may stand behind the word that counts, and changes nothing.
_TAILS = frozenset(
    "value val str string text txt plain plaintext clear raw old new current prod production dev test staging live env"
    " var input confirm confirmation again repeat base encoded bytes default main primary backup local remote".split()
)
_LONG_ENDS = ("password", "passwd", "passphrase", "passwort", "kennwort", "apikey", "secretkey", "secret")


@functools.lru_cache(maxsize=4096)
def family(name: str) -> Family | None:
    """What kind of secret a name announces; None for an ordinary name.

    Parameters
    ----------
    name : str
        As it is written in code, in a configuration file, as a header or as an environment variable.
    """
    name = name[-_LONGEST:]
    if not _HINT.search(name):
        return None
    words = [word.lower() for word in _WORD.findall(name)]
    while len(words) > 1 and words[-1] in _TAILS and words[-2] not in ("no", "is", "has"):
        words.pop()
    if not words:
        return None
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last in ("key", "keys"):
        if before in _KEY_OF or before in _MAYBE_KEY_OF:
            return "key" if before in _KEY_OF else "maybe key"
        return "other key" if before and before not in _KEY_OF_DATA else None
    if last in _SERVICES:
        return "other key"
    if last in _KEYS:
        return "key"
    if last in _PASSWORDS:
        return "password"
    if last in _TOKENS:
        return "token"
    return _by_ending(last)


def _by_ending(word: str) -> Family | None:
    """Of words that are written in one: PGPASSWORD, pgpassfile."""
    ending = next((ending for ending in _LONG_ENDS if word.endswith(ending)), "")
    if not ending:
        return "token" if len(word) > 5 and word.endswith("token") else None
    return "key" if ending.endswith("key") else "password"


def says_secret(text: str) -> bool:
    """Whether any word of a text is one that announces secrets, as in `old_password` or "Enter your password"."""
    if not _HINT.search(text):
        return False
    words = [word.lower() for word in _WORD.findall(text)]
    known = _PASSWORDS | _TOKENS | _KEYS
    keys = (before for before, word in itertools.pairwise(words) if word == "key")
    return any(word in known or word.endswith(_LONG_ENDS) for word in words) or any(
        before not in _KEY_OF_DATA for before in keys
    )


def says_password(text: str) -> bool:
    """Whether any word of a text is one that announces passwords or credentials, and no key or token."""
    if not _HINT.search(text):
        return False
    words = {word.lower() for word in _WORD.findall(text)}
    return not words.isdisjoint(_PASSWORDS | _CREDENTIALS) or any(word.endswith(_LONG_ENDS) for word in words)


def announces(word: str) -> bool:
    """Whether a single word is one that announces a secret."""
    return word.lower() in _PASSWORDS | _TOKENS | _KEYS | {"key", "keys"}
