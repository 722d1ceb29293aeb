from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflex_ipython.capture.redactor import SecretRedactor, redact
from reflex_ipython.models import (
    CellRef,
    ExceptionInfo,
    Failure,
    Fix,
    Frame,
    NameChange,
    Repair,
    Situation,
    Trial,
    ValueFacts,
    ValueSummary,
    Verdict,
)
from tests.capture.conftest import Notebook
from tests.failures import situated

# Made up, and in pieces so that no scanner takes them for real ones.
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N"
KEYS = [
    "sk-" + "proj-abc123DEF456ghi789jkl",
    "sk-" + "ant-api03-abcdefgh1234567890",
    "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4",
    "github_pat_" + "11ABCDEFG0abcdefghijkl",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "xoxb-" + "123456789012-abcdefABCDEF",
    "hf_" + "abcdefghijklmnopqrstuvwxyz",
    "glpat-" + "abcdefghij0123456789",
    "sk_live_" + "abcdefghij0123456789",
    JWT,
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "around", ["client({!r})", "key={}", "The key {} is wrong.", "%env X={}", '"{}"', "x = {!r}  # mine"]
)
def test_keys_are_taken_out_wherever_they_stand(key: str, around: str) -> None:
    redacted = redact(around.format(key))

    assert key not in redacted
    assert "REDACTED_1" in redacted
    assert around.format("REDACTED_1") == redacted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("password = 'hunter2'", "password = 'REDACTED_1'"),
        ('connect(password="it\'s me")', 'connect(password="REDACTED_1")'),
        ("db_password: str = 'hunter2'", "db_password: str = 'REDACTED_1'"),
        ('{"password": "hunter2", "user": "ann"}', '{"password": "REDACTED_1", "user": "ann"}'),
        ("os.environ['OPENAI_API_KEY'] = 'abcdef'", "os.environ['OPENAI_API_KEY'] = 'REDACTED_1'"),
        ("client_secret=f'abc def'", "client_secret=f'REDACTED_1'"),
        ("if password == 'hunter2':", "if password == 'REDACTED_1':"),
        ("PASSWORD = '''hunter2'''", "PASSWORD = '''REDACTED_1'''"),
        ("token = 'a1b2c3d4e5f6'", "token = 'REDACTED_1'"),
        ("access_token='a1b2c3d4e5f6'", "access_token='REDACTED_1'"),
        ("https://api.example.org/v1?token=abc123&page=2", "https://api.example.org/v1?token=REDACTED_1&page=2"),
        ("!export API_TOKEN=abc123", "!export API_TOKEN=REDACTED_1"),
        ("%env MY_SECRET hunter2", "%env MY_SECRET REDACTED_1"),
        ("!mysql --password=hunter2 --user=ann", "!mysql --password=REDACTED_1 --user=ann"),
        ("!tool --api-key abc123", "!tool --api-key REDACTED_1"),
        ("postgresql://ann:hunter2@db.example.org/sales", "postgresql://ann:REDACTED_1@db.example.org/sales"),
        ("redis://:p@ss@localhost:6379/0", "redis://:REDACTED_1@localhost:6379/0"),
        ("Server=x;Pwd=hunter2;Database=y", "Server=x;Pwd=REDACTED_1;Database=y"),
        ("Authorization: Bearer abc123def456", "Authorization: Bearer REDACTED_1"),
        ("Authorization: Basic YW5uOmh1bnRlcjI=", "Authorization: Basic REDACTED_1"),
        ('{"Authorization": "Bearer abc123def456"}', '{"Authorization": "Bearer REDACTED_1"}'),
        ('headers["Authorization"] = "abcdefgh"', 'headers["Authorization"] = "REDACTED_1"'),
        (
            "k = '''-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAAA=\n-----END RSA PRIVATE KEY-----'''",
            "k = '''REDACTED_1'''",
        ),
        ("-----BEGIN PRIVATE KEY-----\nMIIB cut in the mid", "REDACTED_1"),
    ],
)
def test_what_is_named_a_secret_is_taken_out(text: str, expected: str) -> None:
    assert redact(text) == expected


@pytest.mark.parametrize(
    "code",
    [
        "token = tokenizer(text)",
        "tokens = text.split(' ')",
        "token = 'the'",
        "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
        "pad_token = '[PAD]'; eos_token='<|end2end|>'; cls_token='[CLS]'",
        "password = getpass('Password: ') + 'x'",
        "password = os.environ['DB_PASSWORD']",
        "password = input(\"Password: \")\nprint('done')",
        "url = f'postgresql://{user}:{password}@{host}/db'",
        "headers = {'Authorization': f'Bearer {token}'}",
        "connect(password=password, token=token)",
        "secret = None\nkey = 'name'\nsecret_santa = ['ann', 'bob']",
        "from sk_learn import x  # sk-learn-contrib-and-others",
        "def authenticate(author='Ann Example 1999'): ...",
        "df['author'] = 'x1y2z3w4v5'; keyboard = 'qwertz12345'",
        "requests.get('http://example.org:8080/a@b')",
        "x = a // b; y = path.split('/')[-1]",
        "compass = 'north by 45'",
        "bypass = 'hunter22'",
        "the bearer of this letter",
        "basic = 'Basic understanding of things'",
    ],
)
def test_ordinary_code_is_left_as_it_is(code: str) -> None:
    assert redact(code) == code


@pytest.mark.parametrize("piece", ["_", "-", "x-", "sk-", "password=", "http:", "a.", "/home/ann/", "bearer ", "eyJ-"])
def test_a_long_text_is_gone_through_once(piece: str) -> None:
    text = piece * (50_000 // len(piece))  # would take hours, if each place were looked at from each other

    assert SecretRedactor(home="/home/eve", user="eve").text(text) == text


def test_the_home_folder_and_the_users_name_become_a_tilde() -> None:
    redactor = SecretRedactor(home="/home/ann", user="ann")

    assert redactor.text("open('/home/ann/data/x.csv')") == "open('~/data/x.csv')"
    assert redactor.text("cd /home/ann") == "cd ~"
    assert redactor.text("/home/annabel/x /mnt/home/ann/x") == "/home/annabel/x /mnt/home/~/x"
    assert redactor.text("/Users/ann/x.csv, /scratch/ann/y") == "~/x.csv, /scratch/~/y"
    assert redactor.text(r"open('C:\\Users\\ann\\x.csv') C:\Users\ann\y") == r"open('~\\x.csv') ~\y"
    assert redactor.text("ann = 'ann'; plan/annual") == "ann = 'ann'; plan/annual"


def test_a_home_that_everybody_has_is_no_secret() -> None:
    redactor = SecretRedactor(home="/", user="root")

    assert redactor.text("/etc/passwd /data/root/x") == "/etc/passwd /data/root/x"


SECRETS = st.sampled_from(
    [*KEYS, "password='hunter2'", 'token="a1b2c3d4e5"', "http://a:b@c/", "Bearer abc12345", "/home/ann/x"]
)
PIECES = st.lists(
    SECRETS | st.text(max_size=20) | st.sampled_from(["'", '"', "=", " ", "\n", "REDACTED_1", "@", "://"])
)


@given(PIECES)
def test_redacting_twice_changes_nothing(pieces: list[str]) -> None:
    redactor = SecretRedactor(home="/home/ann", user="ann")
    once = redactor.text("".join(pieces))

    assert redactor.text(once) == once
    assert SecretRedactor(home="/home/ann", user="ann").text(once) == once


@given(st.lists(SECRETS | st.sampled_from(["\n", " x = 1\n", "df['a']"])))
def test_restoring_gives_the_text_back(pieces: list[str]) -> None:
    redactor = SecretRedactor(home="/home/ann", user="ann")
    text = "\n".join(pieces)

    assert redactor.restore(redactor.text(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "abc123xyz9--token=abc123xyz9[secret:--token=",
        "Bearer  --token=/data",
        "token='?token=token='",
        '--token=",abc123[&":',
    ],
)
def test_what_looks_like_a_secret_only_after_another_was_taken_out_is_taken_out_too(text: str) -> None:
    redactor = SecretRedactor()
    redacted = redactor.text(text)
    assert redactor.text(redacted) == redacted
    assert redactor.restore(redacted) == text


@pytest.mark.parametrize("first", ["/home/ann/data", "/Users/ann/data/old"])
def test_a_folder_below_another_one_is_restored_as_it_was(first: str) -> None:
    redactor = SecretRedactor("/home/ann", "ann")
    redactor.text(first)
    text = "open('/home/ann/data'); open('/Users/ann/data/old')"
    assert redactor.text(text) == "open('~/data'); open('~/data/old')"
    assert redactor.restore("open('~/data'); open('~/data/old')") == text


def test_one_secret_has_one_name_in_all_texts() -> None:
    redactor = SecretRedactor()

    assert redactor.text("password='hunter2'") == "password='REDACTED_1'"
    assert redactor.text("password='other'") == "password='REDACTED_2'"
    assert redactor.text("{'password': 'hunter2'}") == "{'password': 'REDACTED_1'}"
    assert redactor.restore("f('REDACTED_1', 'REDACTED_2', 'REDACTED_12')") == "f('hunter2', 'other', 'REDACTED_12')"


def test_a_failure_is_redacted_in_all_its_texts(notebook: Notebook) -> None:
    key = KEYS[0]
    notebook.run(f"config = {{'password': 'hunter2'}}\nkey = {key!r}\nmy_token = 'plain words'")

    failure = notebook.fail(f"send(config, key, my_token, {key!r})  # {key}\n")
    redacted = SecretRedactor().cause(failure)

    assert key in str(failure)
    assert key not in str(redacted)
    assert "hunter2" not in str(redacted)
    assert "plain words" not in str(redacted.exceptions)
    assert (redacted.id, redacted.at, redacted.situation.cell, redacted.lookup) == (
        failure.id,
        failure.at,
        failure.situation.cell,
        failure.lookup,
    )


def test_what_a_model_answers_gets_the_secrets_back(notebook: Notebook) -> None:
    key = KEYS[0]

    redactor = SecretRedactor()

    shown = redactor.cause(notebook.fail(f"client({key!r})"))

    assert shown.situation.source == "client('REDACTED_1')"
    assert redactor.restore("connect('REDACTED_1')") == f"connect({key!r})"


def test_every_text_of_a_failure_is_looked_at() -> None:
    key = KEYS[0]
    frame = Frame(key, key, 1, source=key, variables=(ValueSummary(key, key, key, labels=(key,)),))
    error = ExceptionInfo(key, key, notes=(key,), frames=(frame,))
    failure = Failure("id", "at", Situation(CellRef("x", 1), key, names=(key,), versions={"a": "1"}), "run", (error,))

    redacted = SecretRedactor().cause(failure)

    assert key not in str(redacted)
    assert situated(dataclasses.replace(redacted, exceptions=(error,)), source=key, names=(key,)) == failure


def test_what_a_trial_gave_a_secret_name_is_taken_out_and_its_digest_is_kept() -> None:
    after = ValueFacts("str", length=12, text="'hunter2hunter'")
    trial = Trial("passed", changes=(NameChange("password", "added", None, after),), digest="0123456789abcdef")
    fix = Fix("x", (), "", "rule")
    cause = Failure("f", "", Situation(CellRef(), "x"), "run", (ExceptionInfo("KeyError", ""),))
    redacted = SecretRedactor().repair(Repair("r", "s", cause, (fix,), {"x": Verdict("passed", trial=trial)}))
    assert "hunter2" not in repr(redacted)
    assert redacted.verdict(fix).trial is not None
    assert redacted.verdict(fix).trial.digest == "0123456789abcdef"
