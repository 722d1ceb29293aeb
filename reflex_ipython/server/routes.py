"""The addresses of the service, below `/reflex/api/` of the server's own."""

from __future__ import annotations

from jupyter_server.base.handlers import APIHandler

from reflex_ipython.server.execute_handler import ExecuteHandler
from reflex_ipython.server.history_handlers import (
    HistoryLinesHandler,
    RepairHandler,
    RepairLogHandler,
    RepairsHandler,
    StatisticsHandler,
)
from reflex_ipython.server.log_handler import LogHandler
from reflex_ipython.server.state_handlers import (
    DocumentHandler,
    HealthHandler,
    MetricsHandler,
    PrometheusHandler,
)

ROUTES: tuple[tuple[str, type[APIHandler]], ...] = (
    ("execute", ExecuteHandler),
    ("log", LogHandler),
    ("health", HealthHandler),
    ("metrics", MetricsHandler),
    ("metrics/prometheus", PrometheusHandler),
    ("repairs", RepairsHandler),
    ("repairs/([0-9a-f]+)", RepairHandler),
    ("repairs/([0-9a-f]+)/log", RepairLogHandler),
    ("history", HistoryLinesHandler),
    ("history/statistics", StatisticsHandler),
    ("openapi.json", DocumentHandler),
)
