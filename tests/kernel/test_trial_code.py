"""Which code of ours runs in a copy once the code of a cell has begun there: all of it is looked at afterwards."""

from __future__ import annotations

import sys

import pytest

from reflex_ipython.check.trial.integrity import BEFORE, ELSEWHERE
from tests.kernel.driver import Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a copy of the kernel needs Linux")

TOLD = "MODULE "
TRACED = f"""
import sys
from reflex_ipython.check.trial import candidate, events
def install(run=candidate._Candidate.run, events=events, sys=sys):
    def traced(self):
        seen = set()
        def profile(frame, event, argument):
            name = frame.f_globals.get("__name__", "")
            if type(name) is str and name.startswith("reflex_ipython.") and name not in seen:
                seen.add(name)
                events.tell("effect", {TOLD!r} + name)
        sys.setprofile(profile)
        run(self)
    candidate._Candidate.run = traced
install()
del install, candidate, events, sys
%load_ext reflex_ipython"""
SETUP = """
class Shop:
    def open(self): return 1
def doubled(x):
    return x + toatl
shop, total, rows, prices = Shop(), 3, [], {'apple': 1}"""
CELLS = {
    "one": "int(toatl)",
    "that is resumed": "rows.append(1)\nprint(toatl)",
    "with a new text of an earlier one": "doubled(1)",
    "that fails otherwise": "[1, 2][toatl + 5]",
    "that fails in a call": "int('3' + toatl)",
    "that writes": "import tempfile\nwith tempfile.TemporaryFile('w') as file:\n    file.write(str(toatl))",
    "with a thread": "import threading\nthread = threading.Thread(target=print, args=(toatl,))\nthread.start()",
    "with a magic": "%time print(toatl)",
    "with a key": "prices['aple']",
    "with an attribute": "shop.opne()",
    "that shows": "from IPython.display import HTML\nHTML(str(toatl))",
    "with a function": "def there():\n    return toatl\nthere()",
}


def test_no_code_runs_that_is_not_looked_at(bare_kernel: Kernel) -> None:
    kernel = bare_kernel
    for cell in (TRACED, SETUP):
        assert kernel.run(cell).status == "ok"
    ran: set[str] = set()
    for cell in CELLS.values():
        kernel.settled(kernel.run(cell))
        effects = kernel.value(
            "[effect.text for verdict in get_ipython().reflex_extension.assembly.session.repairs.latest()"
            ".verdicts.values() for effect in verdict.trial.effects]"
        )
        here = {text.removeprefix(TOLD) for text in effects if text.startswith(TOLD)}
        assert "reflex_ipython.check.trial.testimony" in here, cell
        ran |= here
    assert {"reflex_ipython.ipython.living_code", "reflex_ipython.capture.second_look"} <= ran
    assert not [name for name in ran if f"{name}.".startswith((*ELSEWHERE, *BEFORE))]
