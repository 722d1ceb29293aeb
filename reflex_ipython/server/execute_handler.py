"""`POST /reflex/api/execute`: a request in words is worked on, and its end is the answer, or the end of a stream."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from jupyter_server.auth.decorator import authorized
from tornado.web import authenticated, stream_request_body

from reflex_ipython.errors import BadInput, ReflexError
from reflex_ipython.execution.events import ExecutionEvent
from reflex_ipython.execution.process_trials import ExecutionBounds
from reflex_ipython.execution.worker_process import ExecutionJob
from reflex_ipython.execution.workshop import with_attempts
from reflex_ipython.models import Execution, new_id
from reflex_ipython.server.answers import ExecuteBody, asked, executed
from reflex_ipython.server.base_handler import ServiceHandler
from reflex_ipython.server.jobs import Busy
from reflex_ipython.server.live_log import sse

TOO_LARGE = "The body is larger than {:,} bytes."
TOO_MANY = "As many requests are worked on as may be: come again later."
TOO_LONG = "It took longer than {:g} s, so it was given up."
GONE = 499
"""What the log says where the client went away."""


@stream_request_body
class ExecuteHandler(ServiceHandler):
    """One request. Its body is bounded while it comes; if the client goes away, the work ends."""

    async def prepare(self) -> None:
        """Let in who is logged in; turn away what is too large before it has come."""
        self._body = b""
        self._task: asyncio.Task[Execution] | None = None
        await super().prepare()
        length = self.request.headers.get("Content-Length", "0")
        if length.isdecimal() and int(length) > self.service.max_body:
            self.refuse(413, TOO_LARGE.format(self.service.max_body))

    def data_received(self, chunk: bytes) -> None:
        """Another piece of the body."""
        self._body += chunk
        if len(self._body) > self.service.max_body:
            self.refuse(413, TOO_LARGE.format(self.service.max_body))

    @authenticated
    @authorized("execute")
    async def post(self) -> None:
        """Work on it."""
        started, wanted, job = time.monotonic(), *self._job()
        streams = "text/event-stream" in self.request.headers.get("Accept", "")
        execution_id = new_id()
        self._task = asyncio.create_task(self._work(job, execution_id, streams=streams))
        status, told = 200, {"execution": execution_id}
        try:
            done = await asyncio.wait_for(self._task, self.service.max_total)
            told["repair"] = done.id
            self.service.metrics.done(done)
            self._finish(executed(done, wanted.max_retries), streams=streams)
        except asyncio.CancelledError:  # nobody is there any more
            status = GONE
        except Busy:
            status = 429
            self._turn_away(status, TOO_MANY, streams=streams)
        except asyncio.TimeoutError:
            status = 504
            self._turn_away(status, TOO_LONG.format(self.service.max_total), streams=streams)
        except BadInput as error:
            status = 503
            self._turn_away(status, str(error), streams=streams)
        except ReflexError as error:
            status = 500
            self._turn_away(status, str(error), streams=streams)
        finally:
            ended = {**told, "status": status, "seconds": round(time.monotonic() - started, 3)}
            self.service.log_stream.publish("ended", ended)
            self.note("execute", **ended)

    def on_connection_close(self) -> None:
        """The client went away."""
        if self._task is not None:
            self._task.cancel()
        super().on_connection_close()

    def _job(self) -> tuple[ExecuteBody, ExecutionJob]:
        service = self.service
        try:
            body = json.loads(self._body)
        except (ValueError, RecursionError):  # the latter of what is nested too deep
            self.refuse(400, "The body has to be JSON.")
        try:
            wanted = asked(body, max_attempts=service.max_attempts, max_timeout=service.max_timeout)
        except BadInput as error:
            self.refuse(400, str(error))
        try:
            settings = with_attempts(service.now(), wanted.max_retries)
        except BadInput as error:
            self.refuse(503, str(error))
        return wanted, ExecutionJob(wanted.request, {}, settings, ExecutionBounds(wanted.timeout, service.memory))

    async def _work(self, job: ExecutionJob, execution_id: str, *, streams: bool) -> Execution:
        loop = asyncio.get_running_loop()

        def happened(event: ExecutionEvent) -> None:
            loop.call_soon_threadsafe(self._tell, execution_id, event, streams)

        self.service.log_stream.publish("began", {"execution": execution_id, "user": self.current_user.username})
        return await self.service.jobs.run(job, happened)

    def _tell(self, execution_id: str, event: ExecutionEvent, streams: bool) -> None:
        self.service.log_stream.publish(event.kind, {"execution": execution_id, **event.data})
        if streams and not self._finished:
            if not self._headers_written:
                self.set_header("Content-Type", "text/event-stream")
                self.set_header("Cache-Control", "no-cache")
            self.write(sse(event.kind, event.data))
            self.flush().add_done_callback(_seen)  # if nobody is there, `on_connection_close` ends the work

    def _finish(self, content: Any, *, streams: bool) -> None:
        if not streams:
            self.answer(content)
            return
        self.write(sse("result", content))
        self.finish(set_content_type="text/event-stream")

    def _turn_away(self, status: int, words: str, *, streams: bool) -> None:
        """By the status; in a stream that has begun, by its last event."""
        if not (streams and self._headers_written):
            self.refuse(status, words)
        self.service.metrics.refused(status)
        self.write(sse("error", {"message": words, "status": status}))
        self.finish(set_content_type="text/event-stream")


def _seen(flushed: asyncio.Future[None]) -> None:
    """Nobody else asks what became of it."""
    if not flushed.cancelled():
        flushed.exception()
