"""What the extension costs a kernel, and how soon a fix is there."""

from __future__ import annotations

import time

from tests.bench.figures import heading, ratio, row, seconds
from tests.bench.trial import SCIENTIFIC
from tests.kernel.driver import MIME, PATIENCE, Kernel

LOAD = """
import sys, time
before, start = set(sys.modules), time.perf_counter()
_, took = get_ipython().run_line_magic("load_ext", "reflex_ipython"), time.perf_counter() - start
"""
FOLLOWED = f"{LOAD}\nx = 1"
HEAVY = """
heavy = [name for name in ("openai", "pydantic", "ipywidgets", "anywidget", "rapidfuzz", "rich", "pandas")
         if name in sys.modules and name not in before]
"""
READY = """
import time
shell = get_ipython()
session = shell.reflex_extension.assembly.session
took = []
def failed(failure, **more):
    start = time.perf_counter()
    repair = type(session).failed(session, failure, patience=30)
    took.append((time.perf_counter() - start, len(repair.fixes)))
    return repair
session.failed = failed
capture = []
from reflex_ipython.ipython import causes
original = causes.capture_failure
def timed(*a, **k):
    start = time.perf_counter()
    failure = original(*a, **k)
    capture.append(time.perf_counter() - start)
    return failure
causes.capture_failure = timed
total = 3
"""


def _loads(count: int, cell: str) -> list[tuple[float, list[str]]]:
    """Seconds and heavy modules of loading in fresh kernels, the modules being compiled by then, as pip leaves them."""
    loads = []
    for _ in range(count + 1):
        kernel = Kernel()
        kernel.run("x = 1")
        kernel.run(cell)
        kernel.run(HEAVY)
        loads.append((kernel.value("took"), kernel.value("heavy")))
        kernel.close()
    return loads[1:]


def failures(name: str, setup: str, rounds: int = 30, cell: str = "toatl") -> None:
    """Print how long the reply to a failing cell takes, in three kernels by turns, and when the verdict is there."""
    kernels = {"without": Kernel(), "with, trials off": Kernel(), "with": Kernel()}
    for label, kernel in kernels.items():
        if label != "without":
            kernel.run("%load_ext reflex_ipython")
        if label == "with, trials off":
            kernel.run("%config Reflex.trial = 'off'")
        assert kernel.run(f"{setup}\ntotal = 3").status == "ok"
    first = {label: failure(kernel, cell, tried=label == "with")[0] for label, kernel in kernels.items()}
    replies: dict[str, list[float]] = {label: [] for label in kernels}
    verdicts = []
    for _ in range(rounds):
        for label, kernel in kernels.items():
            reply, verdict = failure(kernel, cell, tried=label == "with")
            replies[label].append(reply)
            if label == "with":
                verdicts.append(verdict)
    heading(f"A cell that fails in {name}, until its reply (three kernels, by turns)")
    for label, samples in replies.items():
        row(label, samples, "≤ 20 ms more than with trials off" if label == "with" else "")
        row(f"{label}, the very first", [first[label]])
    row("until the fix was tried", verdicts)
    for kernel in kernels.values():
        kernel.close()


def failure(kernel: Kernel, cell: str = "toatl", *, tried: bool) -> tuple[float, float]:
    """Seconds until the reply, and until nobody is at work on a fix any more. `tried`: somebody will be."""
    start = time.perf_counter()
    request = kernel.send(cell)
    while kernel.client.get_shell_msg(timeout=PATIENCE)["parent_header"].get("msg_id") != request:
        pass
    reply = time.perf_counter() - start
    idle, done = False, not tried
    while not (idle and done):
        message = kernel.client.get_iopub_msg(timeout=PATIENCE)
        content = message["content"]
        idle = idle or content.get("execution_state") == "idle"
        done = done or not content.get("data", {}).get(MIME, {"working": True})["working"]
    return reply, time.perf_counter() - start


def main(rounds: int = 200) -> None:
    """Print the figures of a kernel."""
    heading("Loading (a fresh kernel each)")
    loads, followed = (_loads(9, cell) for cell in (LOAD, FOLLOWED))
    row("%load_ext reflex_ipython", [took for took, _ in loads], "≤ 30 ms")
    row("the same with more below it in its cell, which is noted", [took for took, _ in followed])
    print(f"  heavy modules that it imported: {', '.join(loads[0][1]) or 'none'}")

    plain, loaded = Kernel(), Kernel()
    loaded.run("%load_ext reflex_ipython")
    heading("A cell that does nothing, there and back (a kernel without and one with the extension, by turns)")
    without, with_it = [], []
    for _ in range(rounds):
        without.append(seconds(lambda: plain.run("pass")))
        with_it.append(seconds(lambda: loaded.run("pass")))
    row("without", without)
    row("with", with_it)
    ratio("with / without", with_it, without, "≤ 1.05")

    plain.close()
    loaded.close()
    failures("an empty kernel", "")
    failures("a scientific kernel", SCIENTIFIC)
    failures("an empty kernel, with 300 statements above", "a = []", rounds=10, cell="a.append(1)\n" * 300 + "toatl")

    heading("From the exception until the panel with the rules' proposal is sent, in the kernel")
    row("the first of a kernel", [sum(proposals(1)[0]) for _ in range(7)], "≤ 150 ms")
    warm = proposals(41)[1:]
    row("warm", [sum(times) for times in warm], "≤ 15 ms")
    row("  of it the capture", [capture for capture, _ in warm])


def proposals(count: int) -> list[tuple[float, float]]:
    """Seconds of the capture, and from then until the panel is sent, of the first failures of a fresh kernel."""
    kernel = Kernel()
    kernel.run("%load_ext reflex_ipython")
    kernel.hello()  # as JupyterLab does, where the labextension draws the panels
    kernel.run(READY)
    for _ in range(count):  # one after the other: the trial of the one before is not to be measured
        failure(kernel, tried=True)
    captures, searches = kernel.value("capture"), kernel.value("took")
    kernel.close()
    assert all(fixes for _, fixes in searches), "a search found nothing: the figure would mean nothing"
    return [(capture, search) for capture, (search, _) in zip(captures, searches)]
