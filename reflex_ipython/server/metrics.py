"""What the service has done since it was started: as JSON, and as Prometheus takes it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from reflex_ipython.models import Execution
from reflex_ipython.server.jobs import Jobs

_CLASS = re.compile(r"([A-Z]\w*)(?::| \(line|$)")
_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
ATTEMPTS = (1, 2, 3, 4, 5, 7, 10)
OTHER = "other"
"""The class of what is no exception: a time limit, the sandbox, an answer without code."""
MOST_CLASSES = 100
"""Classes that are counted by themselves: code can make any number of them, and each is kept for good."""


class Metrics:
    """Counts executions.

    Parameters
    ----------
    jobs : Jobs
        Knows how many are worked on.
    """

    def __init__(self, jobs: Jobs) -> None:
        registry = self._registry = CollectorRegistry()
        self._started = time.time()
        self._total, self._succeeded, self._attempts = 0, 0, 0
        self._errors: dict[str, int] = {}
        self._counted = Counter(
            "reflex_executions_total", "Requests that were worked on", ["success"], registry=registry
        )
        self._turned_away = Counter(
            "reflex_refused_total", "Requests that were not worked on", ["status"], registry=registry
        )
        self._by_class = Counter(
            "reflex_attempt_errors_total",
            "Attempts that failed, by the class of the error",
            ["error"],
            registry=registry,
        )
        self._tried = Histogram("reflex_attempts", "Attempts for one request", registry=registry, buckets=ATTEMPTS)
        self._took = Histogram(
            "reflex_execution_seconds", "Seconds for one request", registry=registry, buckets=_SECONDS
        )
        Gauge("reflex_running", "Requests that are worked on", registry=registry).set_function(lambda: jobs.running)
        Gauge("reflex_waiting", "Requests that wait", registry=registry).set_function(lambda: jobs.waiting)
        Gauge("reflex_uptime_seconds", "Seconds since the start", registry=registry).set_function(self._uptime)

    def done(self, execution: Execution) -> None:
        """A request was worked on."""
        self._total += 1
        self._succeeded += execution.success
        self._attempts += len(execution.attempts)
        self._counted.labels(str(execution.success).lower()).inc()
        self._tried.observe(len(execution.attempts))
        self._took.observe(execution.seconds)
        for attempt in execution.attempts:
            if attempt.error:
                name = error_class(attempt.error)
                if name not in self._errors and len(self._errors) >= MOST_CLASSES:
                    name = OTHER
                self._errors[name] = self._errors.get(name, 0) + 1
                self._by_class.labels(name).inc()

    def refused(self, status: int) -> None:
        """One was not."""
        self._turned_away.labels(str(status)).inc()

    def as_json(self) -> Mapping[str, Any]:
        """All of it."""
        return {
            "total": self._total,
            "success_rate": self._succeeded / self._total if self._total else None,
            "mean_attempts": self._attempts / self._total if self._total else None,
            "uptime": round(self._uptime(), 3),
            "errors": dict(sorted(self._errors.items())),
        }

    def as_text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self._registry)

    def _uptime(self) -> float:
        return time.time() - self._started


def error_class(error: str) -> str:
    """The class of an attempt's error: `KeyError` of `KeyError: 'x' (line 2)`."""
    found = _CLASS.match(error)
    return found[1] if found is not None else OTHER
