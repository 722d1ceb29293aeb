"""The service as the Jupyter server configures it, and what its handlers share."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from jupyter_server.utils import url_path_join
from traitlets import Dict, Float, Int
from traitlets.config import Configurable

from reflex_ipython.errors import BadInput
from reflex_ipython.server.jobs import Jobs
from reflex_ipython.server.live_log import LiveLog
from reflex_ipython.server.metrics import Metrics
from reflex_ipython.settings import Settings, from_environment

KEY = "reflex_ipython_service"
"""Its name among the web application's settings."""


class ReflexService(Configurable):
    """The HTTP API of reflex_ipython: `c.ReflexService.concurrency = 4` in jupyter_server_config.py."""

    settings = Dict(
        help="Settings of reflex_ipython by their names, on top of those of the environment (REFLEX_MODEL, …)."
    ).tag(config=True)
    concurrency = Int(
        max(2, min(8, os.cpu_count() or 2)), min=1, help="Requests that are worked on at once; each has a process."
    ).tag(config=True)
    waiting = Int(16, min=0, help="Requests that may wait for that; beyond, the answer is 429.").tag(config=True)
    max_body = Int(64_000, min=100, help="Bytes of a request's body; beyond, the answer is 413.").tag(config=True)
    max_attempts = Int(10, min=1, help="The largest `max_retries` that is accepted.").tag(config=True)
    max_timeout = Float(120.0, min=0.1, help="The largest `timeout` of a run that is accepted, in seconds.").tag(
        config=True
    )
    max_total = Float(900.0, min=1.0, help="Seconds after which a request is given up; the answer is 504.").tag(
        config=True
    )
    memory = Int(1 << 30, min=1 << 20, help="Bytes that a run may take.").tag(config=True)
    max_followers = Int(32, min=1, help="Clients that may follow the live log at once.").tag(config=True)

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.jobs = Jobs(self.concurrency, self.waiting)
        self.log_stream = LiveLog(self.max_followers)
        self.metrics = Metrics(self.jobs)
        self.started = time.time()

    def now(self) -> Settings:
        """The settings as they are now.

        Raises
        ------
        BadInput
            If one can't be that.
        """
        try:
            return dataclasses.replace(from_environment(), **dict(self.settings))
        except (TypeError, ValueError) as error:
            raise BadInput(f"c.ReflexService.settings: {error}") from None

    def health(self) -> Mapping[str, Any]:
        """Whether requests can be worked on, and why not."""
        problems = []
        try:
            model = self.now().model
        except BadInput as error:
            model, problems = None, [str(error)]
        if not model and not problems:
            problems.append("No model is chosen: set REFLEX_MODEL or c.ReflexService.settings.")
        problems += [why] if (why := no_sandbox()) else []
        return {
            "status": "degraded" if problems else "ok",
            "problems": problems,
            "model": model or "",
            "running": self.jobs.running,
            "waiting": self.jobs.waiting,
            "uptime": round(time.time() - self.started, 3),
        }


def no_sandbox() -> str:
    """Why no code can be run here, in words; empty if it can."""
    if not sys.platform.startswith("linux"):
        return f"Code is only run in a sandbox, which needs Linux; this is {sys.platform}."
    from reflex_ipython.check.trial import sandbox  # of Linux alone

    why_not = sandbox.offered().why_not
    return f"No code can be run: {why_not}." if why_not else ""


def load(server: Any) -> None:
    """Add the service to a Jupyter server."""
    from reflex_ipython.server.routes import ROUTES

    service = ReflexService(parent=server)
    app = server.web_app
    app.settings[KEY] = service
    base = app.settings["base_url"]
    app.add_handlers(".*$", [(url_path_join(base, "reflex", "api", path), handler) for path, handler in ROUTES])
    _close_with(server, service.jobs)
    server.log.info("reflex_ipython: requests are taken at %s", url_path_join(base, "reflex", "api", "execute"))


def _close_with(server: Any, jobs: Jobs) -> None:
    """No process of ours is left behind: each also ends by itself once this one is gone."""
    import atexit

    atexit.register(jobs.close)
