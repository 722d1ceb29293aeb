"""Keys that are known by their shape, wherever they stand: those of the well-known services, and private keys.

The shapes of `detect-secrets` are used as well. Where it has none, or one whose time is not bounded, ours stands here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from reflex_ipython.capture.secrets.importing import import_module
from reflex_ipython.capture.secrets.plausible import PLACEHOLDER, is_words
from reflex_ipython.capture.secrets.secret import Secret

# What it is, a text without which it is not there, and its pattern: with a group named `secret` if not all of it is one.
_SHAPES: tuple[tuple[str, str, str], ...] = (
    ("private key", "PRIVATE KEY", r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)"),
    ("private key", "SSH2", r"---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----(?s:.*?)(?:---- END SSH2 [A-Z ]{0,20}PRIVATE KEY ----|\Z)"),
    ("private key", "Private-Lines", r"Private-Lines: \d+\s+(?P<secret>(?:[A-Za-z0-9+/=]{20,80}\s+)+)"),
    ("private key", "AGE-SECRET", r"\bAGE-SECRET-KEY-1[0-9A-Z]{20,80}"),
    ("API key", "sk-", r"\bsk-(?=[\w-]{0,200}\d)[\w-]{16,300}"),
    ("API key", "", r"\b[a-z][a-z0-9]{1,11}[-_](?=[A-Za-z]{0,60}\d)(?=[A-Z0-9]{0,60}[a-z])(?=[a-z0-9]{0,60}[A-Z])[A-Za-z0-9]{32,100}\b"),
    ("API key", "", r"\b(?:gsk_|r8_|pplx-|xai-|nvapi-|fw_|tgp_v1_|csk-|jina_|voyage-|pa-|e2b_|lin_api_|ntn_|PMAK-|NRAK-|NRJS-|NRII-|glsa_|glc_|rubygems_|cio|dckr_pat_|dckr_oat_|sbp_|sntrys_|sntryu_|nfp_|tfp_|fo1_|figd_|phc_|phx_|ops_|pul-|CFPAT-|dp\.(?:pt|st|ct|sa)\.|tskey-(?:auth|api)-|shp(?:at|ca|pa|ss)_|sq0[a-z]{3}-|whsec_|wandb_v1_|apify_api_|key-|ATATT3x|ATCTT3x|v1\.0-|lsv2_(?:pt|sk)_|pcsk_|esecret_|SSWS |EAAA|duffel_(?:live|test)_|shippo_(?:live|test)_|rnd_|rpa_|re_|secret_|patp?)[\w.=+/-]{20,400}"),
    ("GitHub token", "_", r"\b(?:gh[pousr]_|github_pat_)[\w-]{16,260}"),
    ("GitLab token", "gl", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|ffct|oas)-[\w.-]{16,300}"),
    ("npm token", "npm_", r"\bnpm_[\w-]{16,80}"),
    ("PyPI token", "pypi-", r"\bpypi-[\w-]{16,400}"),
    ("Hugging Face token", "_", r"\b(?:hf|api_org)_[A-Za-z0-9_-]{16,80}"),
    ("Stripe key", "k_", r"\b[srp]k_(?:live|test|prod)_\w{10,200}"),
    ("AWS key", "A", r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[0-9A-Z]{16}\b"),
    ("AWS key", "IA", r"(?:AKIA|ASIA)[0-9A-Z]{16}(?s:.){1,300}?(?<![A-Za-z0-9/+=])(?P<secret>(?=[A-Za-z0-9/+]{0,39}\d)(?=[A-Za-z0-9/+]{0,39}[a-z])(?=[A-Za-z0-9/+]{0,39}[A-Z])[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
    ("AWS key", "IA", r"(?<![A-Za-z0-9/+=])(?P<secret>(?=[A-Za-z0-9/+]{0,39}\d)(?=[A-Za-z0-9/+]{0,39}[a-z])(?=[A-Za-z0-9/+]{0,39}[A-Z])[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])(?s:.){1,120}?(?:AKIA|ASIA)[0-9A-Z]{16}"),
    ("AWS key", "", r"\b(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{20,400}"),
    ("Google key", "AIza", r"\bAIza[\w-]{30,60}"),
    ("Google key", "GOCSPX", r"\bGOCSPX-[\w-]{16,60}"),
    ("Google token", "ya29.", r"\bya29\.[\w-]{16,1000}"),
    ("Google token", "1//0", r"\b1//0[\w-]{20,200}"),
    ("Slack token", "xox", r"\bxox[abceoprs]-[\w.-]{10,300}"),
    ("Slack token", "xapp-", r"\bxapp-\d-[\w-]{10,300}"),
    ("webhook", "slack", r"https://hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<secret>[\w/-]{16,200})"),
    ("webhook", "discord", r"https://(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(?P<secret>\d+/[\w-]{20,200})"),
    ("webhook", "webhookb2", r"https://[\w.-]{1,100}\.webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{30,300})"),
    ("webhook", "chat.googleapis", r"https://chat\.googleapis\.com/v1/spaces/(?P<secret>[^\s\"'<>]{20,300})"),
    ("webhook", "outlook.office", r"https://outlook\.office(?:365)?\.com/webhook/(?P<secret>[\w@/-]{30,300})"),
    ("webhook", "hook", r"https?://(?:[\w-]{1,60}\.){0,5}[\w.-]{0,60}(?:hooks?\.|/[\w-]{0,20}hooks?/)(?:[\w.@-]{1,60}/){0,6}(?P<secret>(?=[A-Za-z_-]{0,60}\d)[\w-]{20,200})"),
    ("key", "/with/key/", r"/with/key/(?P<secret>[\w-]{16,80})"),
    ("API key", "://", r"https?://[\w.-]{0,60}(?:infura\.io|alchemy\.com|alchemyapi\.io|quiknode\.pro|getblock\.io|ankr\.com|blastapi\.io|drpc\.org|moralis-nodes\.com|chainstack\.com)/(?:\w{1,20}/){0,3}(?P<secret>[\w-]{20,100})"),
    ("Telegram token", ":", r"(?:\b|(?<=/bot))(?P<secret>\d{8,10}:[A-Za-z0-9_-]{32,38})\b"),
    ("Discord token", "", r"\b[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}"),
    ("JSON web token", "eyJ", r"(?<![\w-])eyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]{0,2000}"),
    ("JSON web token", "eyJ", r"(?<![\w-])eyJ[\w-]{8,2000}\.\.[\w-]{4,2000}\.[\w-]{4,2000}\.[\w-]{4,2000}"),
    ("Mapbox token", "k.eyJ", r"\b[sp]k\.eyJ[\w-]{16,400}\.[\w-]{16,100}"),
    ("SendGrid key", "SG.", r"\bSG\.[\w-]{16,40}\.[\w-]{16,80}"),
    ("Twilio key", "", r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    ("Mailgun key", "key-", r"\bkey-[0-9a-f]{32}\b"),
    ("Mailchimp key", "-us", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    ("Vault token", "hv", r"\bhv[sbr]\.[\w-]{20,400}"),
    ("Vault token", ".", r"\b[sb]\.(?=[A-Za-z]{0,23}\d)(?=\w{0,23}[A-Z])[A-Za-z0-9]{24}\b"),
    ("Terraform token", "atlasv1", r"\b\w{14}\.atlasv1\.[\w-]{50,80}"),
    ("Databricks token", "dapi", r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    ("Databricks token", "dose", r"\bdose[0-9a-f]{32}\b"),
    ("DigitalOcean token", "_v1_", r"\bdo[opr]_v1_[0-9a-f]{40,80}"),
    ("PlanetScale key", "pscale_", r"\bpscale_(?:tkn|pw|oauth)_[\w.-]{20,80}"),
    ("Azure key", "==", r"(?<![A-Za-z0-9+/=])(?=[A-Za-z0-9+/]{0,85}\d)[A-Za-z0-9+/]{86}==(?![A-Za-z0-9+/=])"),
    ("Azure secret", "Q~", r"(?<![\w~.-])[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}(?![\w~-])"),
    ("Alibaba key", "LTAI", r"\bLTAI[A-Za-z0-9]{12,24}\b"),
    ("Facebook token", "EAA", r"\bEAA[A-Za-z0-9]{30,300}\b"),
    ("Twitter token", "AAAA", r"\bA{20,24}[A-Za-z0-9%]{40,120}"),
    ("Dropbox token", "sl.", r"\bsl\.(?:u\.)?[\w-]{100,1500}"),
    ("password hash", "$", r"\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|[156]\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22,86}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|argon2(?:id|i|d)\$[^\s\"']{20,300})"),
    ("password hash", "pbkdf2", r"\bpbkdf2_sha\d+\$\d+\$[^\s\"'$]{1,80}\$[A-Za-z0-9+/=]{20,120}"),
)  # fmt: skip
# Without one of these signs of theirs there is nothing in a line for detect-secrets, whose import brings 110 modules.
_SIGNS = re.compile(
    r"AKC\w{10}|(?:A3T|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]|(?i:aws.{0,80}[0-9a-z/+]{40}|artif|jfrog|buildkit|cloudant|softlayer)"
    r"|gh[opusr]_|(?i:npm.{0,60}[a-z0-9-]{36}|xox|hooks\.slack)|SG\.|sq0csp|k_live_|-us\d|(?:AC|SK)[a-z0-9]{32}"
    r"|[MNO][\w-]{23,25}\.[\w-]{6}\.|[\w-]{44}"
)

# Of detect-secrets; the others would take what is none (IP addresses, all that looks random), or time without a bound.
_PLUGINS = (
    "artifactory.ArtifactoryDetector",
    "aws.AWSKeyDetector",
    "cloudant.CloudantDetector",
    "discord.DiscordBotTokenDetector",
    "github_token.GitHubTokenDetector",
    "ibm_cloud_iam.IbmCloudIamDetector",
    "ibm_cos_hmac.IbmCosHmacDetector",
    "mailchimp.MailchimpDetector",
    "npm.NpmDetector",
    "sendgrid.SendGridDetector",
    "slack.SlackDetector",
    "softlayer.SoftlayerDetector",
    "square_oauth.SquareOAuthDetector",
    "stripe.StripeDetector",
    "twilio.TwilioKeyDetector",
)
_PIECE, _OVERLAP = 2_000, 400
"""Characters of a line that detect-secrets gets at once: its patterns are made for the lines of source files."""


def shaped(text: str) -> Iterator[Secret]:
    """The keys that are known by their shape."""
    for kind, sign, pattern in _patterns():
        if sign not in text:
            continue
        group = "secret" if "secret" in pattern.groupindex else 0
        for found in pattern.finditer(text):
            start, end = found.span(group)
            if kind == "private key" or _is_key(text[start:end]):
                yield Secret(start, end, kind)
    yield from _detected(text)


@functools.lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Compiled at the first use: that takes longer than a failed cell should wait."""
    return tuple((kind, sign, re.compile(pattern)) for kind, sign, pattern in _SHAPES)


def _is_key(value: str) -> bool:
    """Not a name made of words with a key's beginning, `hf_heart_failure_risk_score_2020`; not one withheld before."""
    return not is_words(value) and PLACEHOLDER.search(value) is None and "EXAMPLE_" not in value


@functools.lru_cache(maxsize=1)
def _detectors() -> tuple[Any, ...]:
    found = []  # to import detect-secrets takes 0.25 s: only who has something to withhold pays
    for name in _PLUGINS:
        module, _, detector = name.rpartition(".")
        found.append(getattr(import_module(f"detect_secrets.plugins.{module}"), detector)())
    return tuple(found)


def _detected(text: str) -> Iterator[Secret]:
    for at, piece in _pieces(text):
        if _SIGNS.search(piece) is None:
            continue
        for detector in _detectors():
            for value in detector.analyze_string(piece):
                start = text.find(value, at) if isinstance(value, str) and len(value) >= 8 else -1
                if start >= 0 and _is_key(value):
                    stripped = value.strip("\"' \t=:")
                    start += value.find(stripped)
                    yield Secret(start, start + len(stripped), str(detector.secret_type))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        for start in range(0, max(len(line), 1), _PIECE - _OVERLAP):
            yield at + start, line[start : start + _PIECE]
        at += len(line) + 1
