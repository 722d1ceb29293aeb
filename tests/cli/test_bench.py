"""`reflex-ipython bench` on tiny cases in real kernels."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython.cli import main
from reflex_ipython.headless.bench.kernel import BenchKernel, KernelTrouble, own_environment
from reflex_ipython.testing import Say, ScriptedServer
from tests.headless.processes import ends
from tests.kernel.zygote import all_copied

MISSPELT = {
    "id": "misspelt", "setup": ["total = [1, 2]"], "cell": "count = len(toatl)\nprint('of', count)",
    "ename": "NameError", "check": "count == 2 and OUT == 'of 2\\n'", "says": "closest is `total`",
}  # fmt: skip
LIKE_CORRECT = {
    "id": "like_correct", "setup": ["import math"], "cell": "root = math.sqtr(9)", "ename": "AttributeError",
    "correct": "root = math.sqrt(9)",
}  # fmt: skip
UNLIKE_CORRECT = {**LIKE_CORRECT, "id": "unlike_correct", "correct": "root = math.log(9)"}
ANOTHER_ERROR = {"id": "another_error", "cell": "1 / 0", "ename": "KeyError", "check": "True"}
NO_FIX = {"id": "no_fix", "cell": "1 / 0", "ename": "ZeroDivisionError", "check": "True"}
KILLED = {"id": "killed", "cell": "import os\nos._exit(1)", "ename": "SystemExit", "check": "True"}
CHOICE = """\
from reflex_ipython.propose.rules import RULES, Proposal
RULES[:] = [lambda failure: [Proposal(f"x = {n}", f"it is {n}", "a number", prior=0.3) for n in (1, 2, 3)]]
"""
NOT_RUN = {
    "id": "not_run", "setup": ["prices = [2, 3]"], "cell": "total = double(sum(prices))", "ename": "NameError",
    "notebook": ["prices = [2, 3]", "other = 1 / 0", "def double(n):\n    return 2 * n", "total = double(sum(prices))"],
    "check": "total == 10 and 'other' not in globals()",
}  # fmt: skip
ALL_TRIED = "%config Reflex.search_time = 60.0"
"""On a busy machine as well."""
CHOSEN = {"id": "chosen", "setup": [ALL_TRIED, CHOICE], "cell": "x = y", "ename": "NameError", "check": "x == 2"}


@pytest.fixture(autouse=True, scope="module")
def copied_kernels(common_environment: None) -> Iterator[None]:
    """Each case has a kernel of its own all the same; those of a bench that is interrupted are new processes."""
    with all_copied():
        yield


def written(path: Path, cases: Iterable[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return str(path)


def ran(path: Path) -> dict[str, dict[str, Any]]:
    outcomes = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {outcome["id"]: outcome for outcome in outcomes}


def test_each_case_fails_is_repaired_and_judged_in_a_kernel_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = (MISSPELT, LIKE_CORRECT, UNLIKE_CORRECT, ANOTHER_ERROR, NO_FIX, KILLED)
    cases, out, report = written(tmp_path / "cases.jsonl", given), tmp_path / "out.jsonl", tmp_path / "report.md"
    assert main(["bench", cases, "-o", str(out), "--report", str(report), "--jobs", "2"]) == 0
    found = ran(out)
    fix = found["misspelt"]["fixes"][0]
    assert fix["source"] == "count = len(total)\nprint('of', count)"
    assert (fix["passed"], fix["runs"], fix["right"], found["misspelt"]["explained"]) == (True, True, True, True)
    assert 0 < found["misspelt"]["seconds_to_offer"] <= found["misspelt"]["seconds_to_verdict"]
    assert found["like_correct"]["fixes"][0]["right"] is True
    assert found["unlike_correct"]["fixes"][0]["right"] is False
    assert found["another_error"]["raised"] == "ZeroDivisionError"
    assert (found["no_fix"]["fixes"], found["no_fix"]["explained"]) == ([], True)
    assert found["killed"]["trouble"] == "the kernel ended"
    shown = capsys.readouterr().out
    assert "killed: the kernel ended" in shown
    for name, count in {"cases": 6, "failed": 4, "fix": 3, "ran": 3, "right": 2, "wrong": 1, "said": 4}.items():
        assert f"| {name} | {count} |" in report.read_text(encoding="utf-8")
        assert [line for line in shown.splitlines() if line.split()[:2] == [name, str(count)]]
    assert "| unlike_correct | AttributeError | wrong, though shown as ran |" in report.read_text(encoding="utf-8")


def test_a_cell_of_the_notebook_that_did_not_run_is_run_first(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["bench", written(tmp_path / "cases.jsonl", [NOT_RUN]), "-o", str(out)]) == 0
    fix = ran(out)["not_run"]["fixes"][0]
    assert fix["origin"] == "rule: cells not run"
    assert fix["source"] == "\n\n".join(NOT_RUN["notebook"][2:])
    assert (fix["runs"], fix["right"], fix["trouble"]) == (True, True, "")


@pytest.mark.skipif(sys.platform != "linux", reason="a candidate is tried in a copy of the kernel, which needs Linux")
def test_each_alternative_of_a_choice_is_judged(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["bench", written(tmp_path / "cases.jsonl", [CHOSEN]), "-o", str(out)]) == 0
    chosen = ran(out)["chosen"]
    assert chosen["choice"] is True
    assert {fix["source"]: fix["right"] for fix in chosen["fixes"]} == {"x = 1": False, "x = 2": True, "x = 3": False}


def test_what_an_earlier_run_has_written_is_not_run_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = {
        "id": "misspelt", "family": "cases", "ename": "NameError", "raised": "NameError", "choice": False, "fixes": [],
        "words": "", "explained": False, "seconds_to_offer": None, "seconds_to_verdict": None, "seconds": 1.0,
        "trouble": "of the earlier run",
    }  # fmt: skip
    out.write_text(json.dumps(done) + "\n" + '{"id": "no_f', encoding="utf-8")
    assert main(["bench", written(tmp_path / "cases.jsonl", [MISSPELT, NO_FIX]), "-o", str(out)]) == 0
    assert {name: outcome["trouble"] for name, outcome in ran(out).items()} == {
        "misspelt": "of the earlier run",
        "no_fix": "",
    }


def test_a_model_is_asked_only_if_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a key of this process")
    cases, out = written(tmp_path / "cases.jsonl", [NO_FIX]), tmp_path / "out.jsonl"
    with ScriptedServer(Say("```python\n1 / 1\n```")) as server:
        asked = ["--model", "small", "--base-url", server.base_url]
        assert main(["bench", cases, "--provider", "rules", "--model", "small"]) == 0
        assert server.chats == []
        assert main(["bench", cases, "-o", str(out), *asked]) == 0
        assert len(server.chats) == 1
    assert ran(out)["no_fix"]["fixes"][0]["origin"] == "small"


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "asked to end"])
def test_an_interrupt_keeps_what_has_ended_and_leaves_no_kernel(ended_by: signal.Signals, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    setup = f"import os\nwith open({str(pid) + '.new'!r}, 'w') as f:\n    f.write(str(os.getpid()))\n"
    setup += f"os.rename({str(pid) + '.new'!r}, {str(pid)!r})"
    hangs = {"id": "hangs", "setup": [setup], "cell": "while True: pass", "ename": "KeyError", "check": "True"}
    cases, out = written(tmp_path / "cases.jsonl", [ANOTHER_ERROR, hangs, NO_FIX]), tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "reflex_ipython", "bench", cases, "-o", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as bench:
        while not pid.exists() and bench.poll() is None:
            time.sleep(0.05)
        bench.send_signal(ended_by)
        _, said = bench.communicate()
    assert bench.returncode == 130
    assert "Interrupted after 1 of 3 cases; the same command goes on with the other 2." in said
    assert list(ran(out)) == ["another_error"]
    assert ends(int(pid.read_text(encoding="utf-8")))


def test_a_cell_that_hangs_is_given_up(tmp_path: Path) -> None:
    environment = own_environment(tmp_path, tmp_path, network=False)
    words = r"the cell `while True: pass` did not come to an end in 1 s"

    async def hang() -> None:
        async with BenchKernel(tmp_path, environment, 1.0, threading.Event()) as kernel:
            await kernel.run("while True: pass")

    with pytest.raises(KernelTrouble, match=words):
        asyncio.run(hang())


def test_a_kernel_has_folders_of_its_own_and_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a key of this process")
    assert "OPENAI_API_KEY" not in own_environment(tmp_path, tmp_path, network=False)
    environment = own_environment(tmp_path, tmp_path, network=True)
    assert environment["OPENAI_API_KEY"] == "a key of this process"
    assert {environment["HOME"], str(Path(environment["IPYTHONDIR"]).parent)} == {str(tmp_path)}


def test_a_model_is_named_as_in_a_notebook(tmp_path, monkeypatch):
    from reflex_ipython.headless.arguments import model_settings

    monkeypatch.setattr("importlib.util.find_spec", lambda name: True)
    (tmp_path / "small.gguf").write_bytes(b"GGUF")
    monkeypatch.chdir(tmp_path)
    assert model_settings("groq:large", None) == [("provider", "groq"), ("model", "large")]
    assert model_settings("local:small.gguf", None) == [("provider", "local"), ("model", str(tmp_path / "small.gguf"))]
    assert model_settings("groq:large", "http://127.0.0.1:9/v1") == [
        ("model", "groq:large"),
        ("base_url", "http://127.0.0.1:9/v1"),
    ]
