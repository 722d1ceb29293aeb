"""Kernels that run the same cells, one of them with the extension."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from tests.health.outcomes import Outcome, outcome
from tests.kernel.driver import Kernel

PREPARE = "import os, warnings\nos.chdir({folder!r})"
FREEZE = "import gc, {}\ngc.collect()\ngc.freeze()"
GIVE_BACK = """
import ctypes as _c, gc as _g
_g.collect()
getattr(_c.CDLL(None), "malloc_trim", int)(0)  # what earlier cells left free is nobody's
open("/proc/self/clear_refs", "w").write("5");
"""
FORGET = r"""
import re
_oh.clear()
get_ipython().displayhook._ = get_ipython().displayhook.__ = get_ipython().displayhook.___ = _ = __ = ___ = ""
for _name in [n for n in globals() if re.match("[^_]|_[0-9]", n) and n not in get_ipython().user_ns_hidden]:
    del globals()[_name]
"""
SETTLE = """
import gc, warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # an interrupted cell's coroutine that was never awaited says so
    gc.collect()
"""
CREDIT = {
    "none": "own.__class__, own.left = credit.Unlimited, -1e9; credit.ADVANCE = -1e9",
    "once": """class Once(credit.Unlimited):
        def advance(self): self.left = 1
        def begin(self): self.left = 1
        def spend(self, seconds): self.left = 0
    own.__class__ = Once""",
    "unlimited": "own.__class__, own.left = credit.Unlimited, float('inf')",
}
"""How much may be noted: nothing, of each cell the first statement that takes long to note, or all."""
NO_LOOK = """
def _hold():
    from reflex_ipython.ipython import look_ahead
    look_ahead.FIRST = 1e6
_hold()
del _hold
"""
_SET = """
def _set():
    from reflex_ipython.state import credit
    own = get_ipython().reflex_extension.watch._journals._credit
    {}
_set()
del _set
"""
SAME = {
    "PYTHONHASHSEED": "0",  # sets in the same order
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    # No network: whoever asks for a page is refused at once.
    **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"),
    "NO_PROXY": "",
}


class Subject:
    """A kernel in a folder of its own.

    Parameters
    ----------
    folder : Path
        It is made.
    loaded : bool
        Whether the extension is loaded. The other kind loads one that does nothing for cells.
    libraries : str
        What is imported first. No collection goes through it, nor through anything else that is there before the
        extension: it would take the most of a short row's time.
    """

    def __init__(self, folder: Path, *, loaded: bool, libraries: str = "") -> None:
        folder.mkdir(parents=True)
        self.folder = str(folder)
        self.kernel = Kernel(**SAME, PYTHONPATH=str(Path(__file__).parents[2]))
        extension = "reflex_ipython" if loaded else "storemagic"
        if libraries:
            assert self.kernel.run(FREEZE.format(libraries), silent=True).status == "ok"
            self.forget_names()
        for source in (f"%load_ext {extension}", PREPARE.format(folder=self.folder)):
            assert self.kernel.run(source, "prepare").status == "ok"
        if loaded:
            self.kernel.hello()  # as a page does: then what a cell will fail at is looked for while it runs

    def set_credit(self, credit: str) -> None:
        """Have the extension note all that it can, or as little: else that depends on how busy the machine is.

        Parameters
        ----------
        credit : str
            One of `CREDIT`.
        """
        assert self.kernel.run(_SET.format(CREDIT[credit]), silent=True).status == "ok"

    def be_quick(self) -> None:
        """Have no cell be looked at while it runs: that is for those that take long, and on a busy machine all may."""
        assert self.kernel.run(NO_LOOK, silent=True).status == "ok"

    def run(self, source: str) -> Outcome:
        """Run a cell; gives its outcome."""
        return outcome(self.kernel.run(source), self.folder)

    def forget_names(self) -> None:
        """Take away what cells have bound, and their results; in silence, so that no extension sees it as a cell."""
        self.kernel.run(FORGET, silent=True)

    def settle(self) -> None:
        """What earlier cells have left in cycles and in files goes now: it is none of the next ones' output."""
        self.kernel.run(SETTLE, silent=True)
        for entry in list(os.scandir(self.folder)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry)
            else:
                os.remove(entry)

    def worked(self) -> float:
        """Seconds of a processor that the process has had: a busy machine adds nothing to it."""
        stat = Path(f"/proc/{self.kernel.manager.provisioner.pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def peak(self) -> int:
        """Bytes of memory that the process has held at most, since the peak was last forgotten."""
        return int(self.kernel.value("int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) * 1024"))

    def forget_peak(self) -> int:
        """From now on the peak is that of what follows; gives the bytes that are held now."""
        self.kernel.run(GIVE_BACK, silent=True)
        return self.peak()

    def close(self) -> None:
        self.kernel.close()


def run_each(subjects: Sequence[Subject], source: str) -> list[Outcome]:
    """Run a cell in several kernels at the same time; gives its outcomes."""
    requests = [subject.kernel.send(source) for subject in subjects]
    return [outcome(subject.kernel.finish(request), subject.folder) for subject, request in zip(subjects, requests)]


def run_notebook(subjects: Sequence[Subject], cells: Sequence[str]) -> list[list[Outcome]]:
    """Run cells in several kernels, then take away every name that they have bound.

    Returns
    -------
    list of list of Outcome
        For each cell the outcomes, one a kernel.
    """
    found = [run_each(subjects, cell) for cell in cells]
    for subject in subjects:
        subject.forget_names()
    return found
