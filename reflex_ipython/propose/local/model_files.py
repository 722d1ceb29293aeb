"""The model file that is served for one session: one at a time, loaded when it is first needed."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reflex_ipython.propose.local.model_file import model_file
from reflex_ipython.propose.presets import LOCAL
from reflex_ipython.settings import Settings

if TYPE_CHECKING:
    from reflex_ipython.propose.local.process import ModelProcess

POLL = 0.1
"""Seconds between two looks at how far it is."""


def shown_name(settings: Settings) -> str:
    """What to call the model: of a file, its name alone."""
    name = settings.model or ""
    return Path(name).stem if settings.provider == LOCAL else name


class ModelFiles:
    """Serves what the settings name."""

    def __init__(self) -> None:
        self._process: ModelProcess | None = None
        self._lock = threading.Lock()

    def served(
        self, settings: Settings, said: Callable[[str, int], None], cancelled: threading.Event
    ) -> Settings | None:
        """The settings with which the model is asked: of a file, those of its server, once it is loaded.

        Parameters
        ----------
        settings : Settings
        said : callable
            Is told the file's name and how many per cent of it were read, while it loads.
        cancelled : threading.Event
            Ends the wait. The loading goes on: it will be needed again.

        Returns
        -------
        Settings or None
            None: cancelled.

        Raises
        ------
        ModelError
            If there is no such file, it is none, or it can't be served.
        """
        if settings.provider != LOCAL:
            self.close()
            return settings
        process, told = self._started(model_file(settings.model or "")), -1
        while not process.settled.is_set():
            if told != process.percent:
                told = process.percent
                said(process.file.name, told)
            if cancelled.wait(POLL):
                return None
        return self._asked(process, settings)

    def now(self, settings: Settings) -> Settings:
        """The same as far as it is served by now; nothing is started."""
        process = self._process
        ready = process is not None and process.alive and bool(process.base_url)
        return self._asked(process, settings) if settings.provider == LOCAL and ready and process else settings

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.close()

    def _started(self, file: Path) -> ModelProcess:
        from reflex_ipython.propose.local.process import ModelProcess

        with self._lock:
            if self._process is not None and (self._process.file != file or not self._process.alive):
                self._process.close()
                self._process = None
            if self._process is None:
                self._process = ModelProcess(file)
            return self._process

    def _asked(self, process: ModelProcess, settings: Settings) -> Settings:
        return dataclasses.replace(
            settings,
            provider="llama.cpp",
            model=process.file.stem,
            base_url=process.served(),
            api_key=process.key,
        )
