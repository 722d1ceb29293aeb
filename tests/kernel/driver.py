"""A real kernel in a process of its own, driven as a front end does."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import os
import queue
import time
from typing import Any

from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.ports import free_ports
from tests.kernel.zygote import Zygote

MIME = "application/vnd.reflex-ipython.repair+json"
BROUGHT = "reflex"
"""Where a display brings what the pages are told (`reflex_ipython/ipython/publish.py`)."""
PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")
PATIENCE = 60.0
"""Seconds: for a busy machine, not a figure of merit."""
NAPS = "[time.sleep(0.05) for _ in range(1200)]"
"""A minute that an interrupt ends, whenever it comes: Python loses one that comes just as a sleep begins."""


@dataclasses.dataclass
class Ran:
    """What a front end sees of one execution."""

    reply: dict[str, Any]
    messages: list[dict[str, Any]]

    @property
    def status(self) -> str:
        return str(self.reply["status"])

    def contents(self, *kinds: str) -> list[dict[str, Any]]:
        return [message["content"] for message in self.messages if message["msg_type"] in kinds]

    @property
    def text(self) -> str:
        return "".join(content["text"] for content in self.contents("stream"))

    @property
    def kinds(self) -> list[str]:
        """What is shown, in order; a stream in one piece, as where it is cut is a matter of time."""
        shown = ("stream", "display_data", "execute_result", "error")
        kinds = [message["msg_type"] for message in self.messages if message["msg_type"] in shown]
        return [kind for kind, before in zip(kinds, ["", *kinds]) if kind != "stream" or before != "stream"]

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The panels that this cell displayed, as the front end draws them: with what the kernel has told of them.

        `panels` has the changes of earlier ones that came meanwhile as well.
        """
        return [content["data"][MIME] for content in self.contents("display_data") if MIME in content["data"]]

    @property
    def panels(self) -> list[dict[str, Any]]:
        return [c["data"][MIME] for c in self.contents("display_data", "update_display_data") if MIME in c["data"]]


class KernelEnded(Exception):
    """It is not there any more. One that starts finds now and then that another process has taken its port."""


class Kernel:
    """A kernel and its client.

    Parameters
    ----------
    arguments : str
        Of its command line.
    wait : bool
        Whether to wait until it is ready; else `until_ready` does so later, and it starts meanwhile.
    zygote : Zygote, optional
        Whose copy it is; without one it is a new process.
    environment : str
        Variables that it has besides those of this process.
    """

    def __init__(self, *arguments: str, wait: bool = True, zygote: Zygote | None = None, **environment: str) -> None:
        self._arguments = list(arguments)
        self._zygote = zygote
        self._environment = {**os.environ, **environment}
        self._numbers = itertools.count(1)
        self._drawn: dict[str, dict[str, Any]] = {}
        self.told: dict[str, dict[str, Any]] = {}
        """The panels' newest states, by their repairs, as the kernel has told them."""
        self.saved: dict[str, dict[str, Any]] = {}
        """The bundles that a notebook's file would keep."""
        self.brings: dict[str, Any] = {}
        """What goes with the next cell, in its metadata."""
        self.answers = True
        """Whether it answers as a page that has no other cells, when it is asked for those of the notebook."""
        self.start()
        if wait:
            try:
                self.until_ready()
            except KernelEnded:
                self.close()
                self.start()
                self.until_ready()

    def start(self) -> None:
        """Start it, for the first time or once more."""
        ports = dict(zip(PORTS, free_ports(len(PORTS))))
        new = functools.partial(KernelManager, kernel_name="python3") if self._zygote is None else self._zygote.manager
        self.manager = new(cache_ports=False, **ports)
        self.manager.start_kernel(extra_arguments=self._arguments, env=self._environment)
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()

    def until_ready(self) -> None:
        """Wait until it answers and its messages to all arrive here; those that came so far are dropped."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.manager.is_alive():
            request = self.client.kernel_info()
            self.reply(request, starting=True)
            with contextlib.suppress(queue.Empty):  # nobody had subscribed yet when the kernel sent it
                while not _is_idle(self.client.get_iopub_msg(timeout=0.2), request):
                    pass
                return
        raise TimeoutError("the kernel did not get ready") if self.manager.is_alive() else KernelEnded

    def send(self, source: str, cell: str | None = None, *, tags: tuple[str, ...] = (), **content: Any) -> str:
        """Send a cell without waiting for it; its tags, and what is brought, go along as JupyterLab sends them."""
        request = {
            "code": source, "silent": False, "store_history": True, "user_expressions": {},
            "allow_stdin": False, "stop_on_error": False, **content,
        }  # fmt: skip
        metadata: dict[str, Any] = {"cellId": cell or f"cell-{next(self._numbers)}"} if cell != "" else {}
        metadata |= {"tags": list(tags)} if tags else {}
        metadata |= self.brings
        self.brings = {}
        message = self.client.session.msg("execute_request", request, metadata=metadata)
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def run(self, source: str, cell: str | None = None, **content: Any) -> Ran:
        """Run a cell to its end. `cell`: its id; "" for none, as nbclient sends none."""
        return self.finish(self.send(source, cell, **content))

    def answer(self, source: str, *answers: str, cell: str | None = None) -> tuple[Ran, list[str]]:
        """Run a cell that asks for input, and answer; gives what it asked as well."""
        request = self.send(source, cell, allow_stdin=True)
        prompts = []
        for text in answers:
            prompts.append(str(self.client.get_stdin_msg(timeout=PATIENCE)["content"]["prompt"]))
            self.client.input(text)
        return self.finish(request), prompts

    def until_begun(self, request: str) -> None:
        """Wait until the kernel has taken up an execution."""
        while self._next()["parent_header"].get("msg_id") != request:
            pass

    def until_printed(self, text: str) -> None:
        """Wait until a cell has printed that."""
        while text not in str(self._next()["content"].get("text", "")):
            pass

    def finish(self, request: str) -> Ran:
        """Wait for an execution's reply and its idle message."""
        messages = []
        while True:
            message = self._next()
            if message["parent_header"].get("msg_id") == request:
                messages.append(message)
                if _is_idle(message, request):
                    return Ran(self.reply(request), messages)

    def reply(self, request: str, *, starting: bool = False) -> dict[str, Any]:
        """Wait for the reply to a request; gives its content.

        `starting`: it was sent before the kernel was ready. An old kernel (ipykernel 6) may leave lying what came while
        its loop began, until the next request comes.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                reply = self.client.get_shell_msg(timeout=1)
            except queue.Empty:
                if not self.manager.is_alive():
                    raise KernelEnded from None
                if starting:
                    self.client.kernel_info()
                continue
            if reply["parent_header"].get("msg_id") == request:
                return dict(reply["content"])
        raise TimeoutError("the kernel did not reply")

    def value(self, expression: str) -> Any:
        """What `repr` gives for an expression in the kernel, as a value."""
        import ast

        ran = self.run(f"print(repr({expression}))", "")
        assert ran.status == "ok", ran.reply
        return ast.literal_eval(ran.text.strip())

    def comm(self) -> str:
        """The id of the extension's comm, as a page asks for it."""
        (comm,) = self.reply(self.client.comm_info("reflex_ipython"))["comms"]
        return str(comm)

    def tell(self, comm: str, **message: Any) -> None:
        """Send a message as a page does."""
        content = {"comm_id": comm, "data": message}
        self.client.shell_channel.send(self.client.session.msg("comm_msg", content))

    def urge(self, **message: Any) -> None:
        """Send a message as a page does while a cell runs in a kernel without subshells, and wait until it is read."""
        request = self.client.session.msg("reflex_request", message)
        self.client.control_channel.send(request)
        while self.client.get_control_msg(timeout=PATIENCE)["parent_header"]["msg_id"] != request["header"]["msg_id"]:
            pass

    def until_told(self, kind: str | tuple[str, ...], condition: Any = lambda data: True) -> dict[str, Any]:
        """Wait for a message to the pages, of a kind or of one of several."""
        kinds = (kind,) if isinstance(kind, str) else kind
        end = time.monotonic() + PATIENCE
        told: dict[str, Any] = {}
        while time.monotonic() < end:
            try:
                message = self._next()
            except queue.Empty:
                break
            data = said_to_pages(message)
            if data.get("type") in kinds:
                if condition(data):
                    return dict(data)
                told = data
        raise TimeoutError(f"what came last: {told}" if told else "nothing of that kind came")

    def hello(self) -> str:
        """Say hello as a page that runs the cells; gives the comm."""
        comm = self.comm()
        self.tell(comm, type="hello", client=self.client.session.session, version="0")
        self.until_told("welcome")
        return comm

    def state(self, comm: str, repair: str) -> dict[str, Any]:
        """A panel's state as the kernel tells it now."""
        self.tell(comm, type="hello", client=self.client.session.session, version="0")
        return dict(self.until_told("state", lambda data: data["state"]["repair"] == repair)["state"])

    def bring(self, **message: Any) -> None:
        """Have a message go with the cell that is sent next, as a page does that runs it for a click."""
        self.brings = {"reflex_request": message}

    def in_turn(self, **message: Any) -> None:
        """Send a message as a page does that sends a cell next."""
        self.client.shell_channel.send(self.client.session.msg("reflex_request", message))

    def accept(self, comm: str, panel: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Accept a panel's first fix as a page does that draws the newest state; gives the kernel's answer."""
        while True:
            state = self.state(comm, panel["repair"])
            if not state["fixes"] and state["working"]:  # on a busy machine a cell's end does not wait for the rules
                continue
            request = f"request-{next(self._numbers)}"
            message = {
                "session": state["session"], "repair": state["repair"], "request": request,
                "client": self.client.session.session, "shown": state["fixes"][0], "sources": [],
                "run": True, "whole": False, "read": False, **more,
            }  # fmt: skip
            self.tell(comm, type="accept", **message)
            answer = self.until_told(("apply", "declined"), lambda data, request=request: data["request"] == request)
            if "Look at the fix again" not in answer.get("reason", ""):  # a trial has found something meanwhile
                return answer

    def until_panel(self, panel: dict[str, Any], condition: Any, seconds: float = PATIENCE) -> dict[str, Any]:
        """Wait until a panel's newest state on iopub satisfies the condition; it may have come already."""
        end = time.monotonic() + seconds
        while not condition(state := self._drawn[panel["repair"]]):
            self._next(end - time.monotonic())
        return state

    def settled(self, ran: Ran) -> dict[str, Any]:
        """The panel of a cell that failed, when nobody is at work on it any more, and that is saved as well."""
        state = self.until_panel(ran.shown[-1], lambda state: not state["working"])
        while self.saved[state["repair"]][MIME].get("working"):  # pages are told first
            self._next()
        return state

    def _next(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message on iopub; the panel that it draws is noted, whoever waits for what."""
        message: dict[str, Any] = self.client.get_iopub_msg(timeout=max(seconds, 0.0))
        data = message["content"].get("data") or {}
        told = _told(said_to_pages(message) or data)
        if told:
            self.told[told["repair"]] = told
            if told["repair"] in self._drawn:  # a widget is told once its output has been changed
                self._drawn[told["repair"]] = told
        panel = data.get(MIME)
        if panel:
            self.saved[panel["repair"]] = dict(data)
            if panel["fixes"] or "accepted" not in panel:  # else it is a line on what became of it
                panel = data[MIME] = self.told.get(panel["repair"], panel)
            self._drawn[panel["repair"]] = panel
        if self.answers and message["msg_type"] == "comm_msg" and data.get("type") == "want-cells":
            self.tell(message["content"]["comm_id"], type="cells", request=data["request"], cells=[])
        return message

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.manager.cleanup_resources()
        self.client.context.destroy(linger=0)


def _is_idle(message: dict[str, Any], request: str) -> bool:
    """Whether a message says that the kernel is done with a request."""
    ours = message["parent_header"].get("msg_id") == request and message["msg_type"] == "status"
    return ours and message["content"]["execution_state"] == "idle"


def said_to_pages(message: dict[str, Any]) -> dict[str, Any]:
    """What a message tells the pages, or a widget: over a comm, or brought by a display. Empty: nothing."""
    content = message["content"]
    if message["msg_type"] == "comm_msg":
        return dict(content.get("data") or {})
    return dict((content.get("transient") or {}).get(BROUGHT) or {})


def _told(data: dict[str, Any]) -> dict[str, Any]:
    """The panel's state that a comm's message tells: to the pages, or to a widget. Empty: none."""
    inner = data.get("state")
    state = inner.get("state", inner) if isinstance(inner, dict) else None
    return state if isinstance(state, dict) and "fixes" in state else {}
