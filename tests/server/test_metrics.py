"""The service's figures."""

from __future__ import annotations

from reflex_ipython.models import Execution, ExecutionAttempt
from reflex_ipython.server.jobs import Jobs
from reflex_ipython.server.metrics import MOST_CLASSES, OTHER, Metrics


def test_code_can_not_make_any_number_of_figures() -> None:
    metrics = Metrics(Jobs(1, 1))
    for number in range(MOST_CLASSES + 20):
        attempt = ExecutionAttempt(1, f"raise E{number}", error=f"E{number}: no (line 1)")
        metrics.done(Execution("1", "do it", attempts=(attempt,)))
    told = metrics.as_json()["errors"]
    assert len(told) == MOST_CLASSES + 1
    assert told[OTHER] == 20
    assert metrics.as_text().count(b"reflex_attempt_errors_total{") == MOST_CLASSES + 1
