"""`reflex-ipython run`: a script is mended in its file where it fails, and goes on from there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a fix is proven in a fork, which is of Linux alone")
SCRIPT = """import sys

print("begins", sys.argv[1:], __name__)
with open("ran", "a") as file:
    file.write("once\\n")
total = 40
print(toatl + 2)
5
print({"name": 3}["nmae"])
"""
ONE_MISTAKE = SCRIPT.replace("nmae", "name")
FIXED = ONE_MISTAKE.replace("toatl", "total")


def run(folder: Path, *options: str, script: str = "script.py") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "reflex_ipython", "run", *options, script, "one", "--two"],
        cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600,
    )  # fmt: skip


def test_a_mistake_is_mended_in_the_file_and_the_script_goes_on(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(ONE_MISTAKE)
    script.chmod(0o755)
    ran = run(tmp_path, "--accept", "proven")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert script.read_text() == FIXED
    assert script.stat().st_mode & 0o777 == 0o755
    assert ran.stdout.count("begins ['one', '--two'] __main__") == 1, "what has run does not run again"
    assert (tmp_path / "ran").read_text() == "once\n"
    assert "42\n" in ran.stdout
    assert "\n3\n" in ran.stdout
    assert "script.py:7" in ran.stdout, "the traceback names the file"
    assert "Out[" not in ran.stdout
    assert "ran in a copy of this program" in ran.stderr


@pytest.mark.parametrize("options", [(), ("--accept", "never")], ids=["nobody to ask", "never"])
def test_where_nobody_accepts_the_file_stays_and_the_exit_code_says_it(tmp_path: Path, options: tuple[str]) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    ran = run(tmp_path, *options)
    assert ran.returncode == 1
    assert "NameError" in ran.stdout
    assert (tmp_path / "script.py").read_text() == SCRIPT


def test_a_script_that_exits_has_its_own_exit_code(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import sys\nsys.exit(3)\n")
    ran = run(tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (3, "", "")


def test_what_is_no_script_is_refused(tmp_path: Path) -> None:
    ran = run(tmp_path, script="absent.py")
    assert ran.returncode == 2
    assert ran.stderr == "reflex-ipython: absent.py can't be read as a Python script.\n"


def test_ctrl_c_instead_of_an_answer_ends_it_and_writes_nothing(tmp_path: Path) -> None:
    import pexpect

    (tmp_path / "script.py").write_text(SCRIPT)
    command = ["-m", "reflex_ipython", "run", "script.py"]
    child = pexpect.spawn(sys.executable, command, cwd=tmp_path, timeout=600, encoding="utf-8", env={**os.environ})
    child.expect(r"\[y/N\] ")
    child.sendintr()
    while child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=20):  # Python overlooks one just before it reads
        child.sendintr()
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before
    assert (tmp_path / "script.py").read_text() == SCRIPT


def test_a_fix_that_would_do_twice_what_can_not_be_undone_is_not_written(tmp_path: Path) -> None:
    text = "import atexit\natexit.register(print, 'the end')\ndef size(x):\n    return lne(x)\nif True:\n"
    text += "    atexit.register(print)\n    print(size([1]))\n"
    (tmp_path / "script.py").write_text(text)
    ran = run(tmp_path, "--accept", "proven")
    assert ran.returncode == 1
    assert (tmp_path / "script.py").read_text() == text
    assert ran.stdout.count("the end") == 1


def test_a_terminal_is_asked(tmp_path: Path) -> None:
    import pexpect

    (tmp_path / "script.py").write_text(SCRIPT)
    command = ["-m", "reflex_ipython", "run", "script.py"]
    child = pexpect.spawn(sys.executable, command, cwd=tmp_path, timeout=600, encoding="utf-8", env={**os.environ})
    child.expect(r"Write this into script.py and go on\? \[y/N\] ")
    child.sendline("y")
    child.expect("42")
    child.expect(r"\[y/N\] ")
    child.sendline("n")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
    assert (tmp_path / "script.py").read_text() == SCRIPT.replace("toatl", "total")
