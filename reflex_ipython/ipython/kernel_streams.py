"""The streams on which a kernel's cells print: what is written is sent a moment later, by another thread.

Which statement has printed what is known without waiting for that thread: as a statement begins, what waits to be sent
was printed before it. How long that is tells where to cut the message, once it is sent. A statement that prints costs
some microseconds by that, and 1 ms if it waits; and the front end gets the messages that it would get without us.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.ipython.interrupts import held


class KernelStreams:
    """Those of ipykernel that are, or were, `sys.stdout` and `sys.stderr` as a cell begins.

    What a cell puts in their place is the user's: a `Tee` is neither asked nor flushed, but the kernel's own stream to
    which it writes. In a terminal there is none.
    """

    def __init__(self) -> None:
        self._class: Any = getattr(sys.modules.get("ipykernel.iostream"), "OutStream", None)
        self._known: list[_Collecting] = []

    @property
    def are_any(self) -> bool:
        """Whether this is a kernel, whose streams are known."""
        return bool(self._known)

    def note(self, begun: int) -> None:
        """A statement is about to begin: what was printed so far is that of the `begun` ones before it."""
        for known in self._known:
            known.note(begun)

    def send(self) -> None:
        """Have what was printed so far sent; waits for the other thread, where there is something."""
        for known in self._known:
            if known.has_text:
                known.send()

    def parts(self, content: dict[str, Any], begun: int) -> Iterator[tuple[dict[str, Any], int]]:
        """A message that is sent, cut where a statement has begun; asked on the thread that sends.

        Parameters
        ----------
        content : dict
            Its content.
        begun : int
            How many statements have begun by now.

        Yields
        ------
        tuple of (dict, int)
            The content of each part, and how many statements had begun as it was printed.
        """
        text, start = str(content.get("text")), 0
        of_that_name = (known for known in self._known if known.stream.name == content.get("name"))
        for end, before in next(filter(None, (known.noted(len(text)) for known in of_that_name)), ()):
            yield {**content, "text": text[start:end]}, before
            start = end
        if start < len(text):
            yield {**content, "text": text[start:]} if start else content, begun

    def belong_to(self, parent: Any) -> None:
        """What is printed on them from now on belongs to that request: ipykernel tells it to `sys.stdout` alone.

        Where a cell has put another one in its place, which the rest of it takes away again, the kernel's own would
        still print below the run that failed.
        """
        for known in self._known:
            self._class.set_parent(known.stream, parent)

    def look(self) -> None:
        """Get to know those that are there now: a cell begins, which may put others in their place."""
        for stream in (sys.stdout, sys.stderr):
            is_known = any(known.stream is stream for known in self._known)
            if not is_known and self._class is not None and inherits(type(stream), self._class):
                self._known = [*self._known, _Collecting(stream, self._class)]  # the other thread may go through them
        for known in self._known:
            known.all_is_sent()  # of the cell before


class _Collecting:
    """A stream, and what is known of the text that it has collected since all was sent.

    Parameters
    ----------
    stream : ipykernel.iostream.OutStream
    usual : type
        That class: what a class of the user's makes of it is not asked.
    """

    def __init__(self, stream: Any, usual: Any) -> None:
        self.stream = stream
        self._usual = usual
        self._notes: list[tuple[int, int]] = []
        """How many characters there were, and statements that had begun, whenever another one did."""
        self._text: Any = stream._buffers
        """What it collects them in, by the cells that have printed: it takes another one whenever it begins to send."""

    def note(self, begun: int) -> None:
        """A statement is about to begin, behind so many."""
        stream = self.stream
        if stream._buffers is self._text:
            if not self._text:
                return
            with stream._buffer_lock:  # else the other thread may take it just now
                if stream._buffers is self._text and len(self._text) == 1:
                    (text,) = self._text.values()
                    length = text.tell()
                    if length > (self._notes[-1][0] if self._notes else 0):
                        self._notes.append((length, begun))
                    return
        self.send()  # some may be on its way just now, or be of a thread of another cell's

    @property
    def has_text(self) -> bool:
        """Whether there may be some that has not been sent: it says that nothing is as it begins to send that."""
        return self.stream._flush_pending or self.stream._buffers or self.stream._buffers is not self._text

    def send(self) -> None:
        """Have it sent, and wait for that.

        No interrupt may strike meanwhile: before Python 3.13 a thread that is asked just then whether it is alive
        counts as dead from then on, and two threads send at the same time.
        """
        with held():
            self._usual.flush(self.stream)
        self.all_is_sent()

    def all_is_sent(self) -> None:
        """Nothing is left of what it has collected."""
        self._notes, self._text = [], self.stream._buffers

    def noted(self, length: int) -> list[tuple[int, int]]:
        """The notes about the message of that length that is sent now; no other is about these."""
        if self.stream._buffers is self._text:  # it is one from before
            return []
        notes, self._notes = self._notes, []
        return notes if notes and notes[-1][0] <= length else []  # a hook of the user's may have taken that one
