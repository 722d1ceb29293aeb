"""The last calls of the notebook's own functions, where the setting `trace` asks for them."""

from __future__ import annotations

from collections.abc import Callable

from reflex_ipython.traces.hook import record
from reflex_ipython.traces.last_calls import recorder_of_last_calls


class CallRecording:
    """Records while cells run, so that nothing else of the kernel's is looked at."""

    def __init__(self) -> None:
        self._recorder = recorder_of_last_calls()
        self._undo: Callable[[], None] | None = None

    def start(self) -> None:
        """A cell is about to run on this thread."""
        self.stop()
        if self._recorder.thrift is not None:
            self._recorder.thrift.begin()
        self._undo = record(self._recorder)

    def stop(self, error: BaseException | None = None) -> None:
        """It has ended; with this error, if it failed."""
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()
            if error is not None:
                self._recorder.name(error, error.__traceback__)
