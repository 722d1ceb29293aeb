"""A fix as the user has changed it is tried in a copy of a real kernel, and gets a verdict of its own."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.kernel.driver import Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

CELL = "seen.append(1)\nprint(toatl)"


def fail(kernel: Kernel) -> dict[str, Any]:
    kernel.run("total, seen = 3, []", "before")
    return kernel.settled(kernel.run(CELL, "a"))


def wants(kernel: Kernel, comm: str, panel: dict[str, Any], source: str) -> None:
    """The panel asks for a trial; the request is named after the text."""
    kernel.tell(
        comm, type="try-text", session=panel["session"], repair=panel["repair"], request=source,
        fix=panel["fixes"][0]["id"], sources=[source],
    )  # fmt: skip


def verdict(kernel: Kernel, source: str) -> dict[str, Any] | None:
    told = kernel.until_told("text-tried", lambda data: data["request"] == source and not data["trying"])
    return told["verdict"]


def test_the_text_is_tried_and_nothing_of_it_reaches_the_kernel(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    text = "seen.append(1)\nseen.append(2)\nprint(total / 0)"
    wants(kernel, comm, panel, text)
    assert kernel.until_told("text-tried", lambda data: data["request"] == text)["trying"]
    assert verdict(kernel, text) == {"text": "raises ZeroDivisionError on line 3 instead", "tone": "bad"}
    good = "seen.append(1)\nprint(total + 1)"
    wants(kernel, comm, panel, good)
    said = verdict(kernel, good)
    assert said is not None
    assert said["tone"] == "good"
    assert said["text"].startswith("ran in a copy of your kernel")
    assert said["text"].endswith("resumes at line 2")
    assert kernel.value("(total, seen)") == (3, [1])


def test_a_newer_text_ends_the_trial_of_the_older(kernel: Kernel) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    endless, good = "import time; time.sleep(60)", "seen.append(1)\nprint(total + 1)"
    wants(kernel, comm, panel, endless)
    assert kernel.until_told("text-tried", lambda data: data["request"] == endless)["trying"]
    wants(kernel, comm, panel, good)
    told = kernel.until_told("text-tried", lambda data: not data["trying"])
    assert told["request"] == good
    assert told["verdict"]["tone"] == "good"


def test_what_the_sandbox_does_not_allow_is_said_and_not_done(kernel: Kernel, tmp_path: Any) -> None:
    comm = kernel.hello()
    panel = fail(kernel)
    target = tmp_path / "kept.txt"
    text = f"open({str(target)!r}, 'w')"
    wants(kernel, comm, panel, text)
    said = verdict(kernel, text)
    assert said == {"text": f"blocked by the sandbox: wants to write to {target}", "tone": "warning"}
    assert not target.exists()


@pytest.mark.parametrize("trial", ["off", "on click"])
def test_where_nothing_is_tried_by_itself_it_is_not_tried(kernel: Kernel, trial: str) -> None:
    comm = kernel.hello()
    kernel.run(f"%config Reflex.trial = {trial!r}")
    panel = fail(kernel)
    wants(kernel, comm, panel, "total")
    told = kernel.until_told("text-tried", lambda data: data["request"] == "total")
    assert (told["trying"], told["verdict"]) == (False, None)
