"""What the command line says: to who asks for help, and to who asks for what can't be done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reflex_ipython.cli import main

CASE = '{"id": "a", "cell": "1 / 0", "ename": "ZeroDivisionError"}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cases.jsonl can't be read: No such file or directory."),
        (b"\xff", "cases.jsonl can't be read: it is not UTF-8 text."),
        ("", "There is no case in these files."),
        ("{", "cases.jsonl, line 1: this is not JSON ("),
        (f"{CASE}\n\n[1]", "cases.jsonl, line 3: a case is a JSON object."),
        ('{"id": "a", "ename": "KeyError"}', "cases.jsonl, line 1: `cell` is missing."),
        ('{"id": 1, "cell": "x", "ename": "KeyError"}', "cases.jsonl, line 1: `id` has to be a text."),
        (CASE[:-1] + ', "setup": "x = 1"}', "cases.jsonl, line 1: `setup` has to be a list of texts."),
        (CASE[:-1] + ', "notebook": ["other"]}', "cases.jsonl, line 1: `notebook` has to have `cell` in it."),
        (CASE[:-1] + ', "files": {"a": 1}}', "cases.jsonl, line 1: `files` has to be an object of texts."),
        (CASE[:-1] + ', "files": {"../a": ""}}', "the file '../a' is outside the folder of the case."),
        (f"{CASE}\n{CASE}", "cases.jsonl, line 2: there is another case with the id 'a'."),
    ],
)
def test_a_file_that_holds_no_cases_is_refused_in_a_sentence(
    text: str | bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.jsonl"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert main(["bench", str(path)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only", "b"], "There is no case 'b'."),
        (["--provider", "model"], "Name the model to ask: --model NAME."),
        (["--base-url", "http://127.0.0.1:1"], "--base-url is where a model is asked: name it with --model NAME."),
        (["--provider", "rules", "--base-url", "http://127.0.0.1:1", "--model", "m"], "--base-url is where"),
        (["-o", "no/such/folder/out.jsonl"], "out.jsonl can't be written: No such file or directory."),
        (["--report", "no/such/folder/out.md"], "out.md can't be written: No such file or directory."),
        (["-o", "cases.jsonl"], "cases.jsonl holds something else than the outcomes of cases; name another file."),
    ],
)
def test_what_can_not_be_done_is_said_before_anything_runs(
    options: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cases.jsonl").write_text(CASE + "\n", encoding="utf-8")
    assert main(["bench", "cases.jsonl", *options]) == 2
    assert said in capsys.readouterr().err
    assert Path("cases.jsonl").read_text(encoding="utf-8") == CASE + "\n"


@pytest.mark.parametrize("options", [["--jobs", "0"], ["--timeout", "-1"], ["--timeout", "nan"], ["--provider", "x"]])
def test_an_option_that_is_no_number_or_choice_is_refused(options: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bench", "cases.jsonl", *options])
    assert ended.value.code == 2


def test_help_names_the_commands_and_what_a_case_is(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in ((["--help"], "bench"), (["bench", "--help"], "`check` (an expression over")):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
        assert words in capsys.readouterr().out


def test_the_package_runs_as_a_module() -> None:
    ran = subprocess.run([sys.executable, "-m", "reflex_ipython", "--version"], capture_output=True, text=True)
    assert ran.stdout.startswith("reflex_ipython ")
