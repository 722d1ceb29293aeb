"""How long it takes a kernel to note how a failed cell has left 3,000 dicts, each with a list, and to put them back.

In processor time, and held against the wish without what the bare copying takes, which nobody can save.
"""

from __future__ import annotations

import os

from tests.bench.figures import heading, row
from tests.kernel.driver import Kernel

PREPARE = """
import time
from reflex_ipython.state.journal import Journal
total, dicts, took = 3, [{'a': n, 'b': [n]} for n in range(3_000)], {'note_end': [], 'rollback': []}
def timed(name):
    original = getattr(Journal, name)
    def method(*arguments):
        start = time.thread_time()
        try:
            return original(*arguments)
        finally:
            took[name].append(time.thread_time() - start)
    setattr(Journal, name, method)
timed('note_end'); timed('rollback')
def copying():
    start = time.thread_time()
    copies = [(d, d.copy(), d['b'].copy()) for d in dicts]
    for d, entries, items in copies:
        d.clear()
        d.update(entries)
    return time.thread_time() - start
"""
CREDIT = "get_ipython().reflex_extension.watch._journals._credit.left = 0.25"
"""As much as can be saved up: else what there is no time for is not noted."""
FAILS = "if True:\n    for d in dicts: d['x'] = 1\n    print(toatl)"


def main(rounds: int = 15) -> None:
    """Print the figures."""
    kernel = Kernel()
    kernel.run("%load_ext reflex_ipython")
    kernel.run(f"exec({PREPARE!r}, globals())")
    left, rollback, copying = [], [], []
    for _ in range(rounds + 1):
        kernel.run("for d in dicts: d.pop('x', None)")
        kernel.run(CREDIT)
        kernel.run(FAILS)
        kernel.run("%reflex accept")
        left.append(float(kernel.value("took['note_end'][-2]")))  # the accepted run has one of its own
        rollback.append(float(kernel.value("took['rollback'][-1]")))
        copying.append(float(kernel.value("copying()")))
    words = kernel.value("get_ipython().reflex_extension.assembly.session.repairs.latest().rerun.state")
    kernel.close()
    heading(f"3,000 dicts that a failed statement has changed: {words} (load {os.getloadavg()[0]:.1f})")
    row("noting how the cell has left them", left[1:])
    row("putting them back", rollback[1:])
    row("copying them all and writing the dicts, with nothing else", copying[1:])
    beyond = [some + others - bare for some, others, bare in zip(left, rollback, copying)]
    row("both, beyond the copying", beyond[1:], "≤ 20 ms")
