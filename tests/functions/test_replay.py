"""A function that heals is tried with recorded calls as well, where a trace is on."""

from __future__ import annotations

import reflex_ipython
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Say, ScriptedServer
from tests.functions.conftest import LINUX, Texts

pytestmark = LINUX

WRONG = "def mean(numbers):\n    return sum(numbers) / max(len(numbers), 2)\n"
RIGHT = "def mean(numbers):\n    return sum(numbers) / len(numbers) if numbers else 0.0\n"


def test_a_fix_that_changes_what_recorded_calls_gave_is_not_taken(texts: Texts) -> None:
    def mean(numbers: list[float]) -> float:
        return sum(numbers) / len(numbers)

    with ScriptedServer(Say(f"```python\n{WRONG}```"), Say(f"```python\n{RIGHT}```")) as server:
        settings = Settings(model="scripted", base_url=server.base_url, api_key="x", history=False)
        healed = reflex_ipython.heal("mean", policy="proven", store=texts, settings=settings)(mean)
        with reflex_ipython.trace(values=True):
            assert healed([3]) == 3.0
            assert healed([]) == 0.0
        asked_again = server.requests[1].body.decode()
    assert "mean([3]) gave 3.0, gives 1.5" in asked_again
    assert healed([3]) == 3.0
