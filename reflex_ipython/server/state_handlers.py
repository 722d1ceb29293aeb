"""What can be read of the service: its health, figures, and its own description."""

from __future__ import annotations

from jupyter_server.auth.decorator import authorized
from prometheus_client import CONTENT_TYPE_LATEST
from tornado.web import authenticated

from reflex_ipython.server.base_handler import ServiceHandler
from reflex_ipython.server.openapi import document
from reflex_ipython.version import __version__


class HealthHandler(ServiceHandler):
    """`GET health`."""

    @authenticated
    @authorized("read")
    def get(self) -> None:
        """Whether requests can be worked on."""
        self.answer({**self.service.health(), "version": __version__})


class MetricsHandler(ServiceHandler):
    """`GET metrics`."""

    @authenticated
    @authorized("read")
    def get(self) -> None:
        """The figures as JSON."""
        self.answer(self.service.metrics.as_json())


class PrometheusHandler(ServiceHandler):
    """`GET metrics/prometheus`."""

    @authenticated
    @authorized("read")
    def get(self) -> None:
        """The figures as Prometheus takes them."""
        self.write(self.service.metrics.as_text())
        self.finish(set_content_type=CONTENT_TYPE_LATEST)


class DocumentHandler(ServiceHandler):
    """`GET openapi.json`."""

    @authenticated
    @authorized("read")
    def get(self) -> None:
        """The description of all these."""
        self.answer(document(self.service.max_attempts, self.service.max_timeout))
