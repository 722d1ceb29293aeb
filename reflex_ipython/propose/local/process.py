"""The process that serves a model file. It ends with the kernel, however that ends."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
import threading
from pathlib import Path

from reflex_ipython.errors import ModelError

SCRIPT = Path(__file__).with_name("serve.py")
_GRACE = 5.0
"""Seconds that it may take to end; then it is left to itself."""


class ModelProcess:
    """A model file that is being loaded, and then served.

    Parameters
    ----------
    file : Path
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.key = secrets.token_urlsafe(24)
        self.percent = 0
        """How much of the file was read."""
        self.base_url = ""
        """Where it is served; empty until it is."""
        self.trouble = ""
        """Why it is not."""
        self.settled = threading.Event()
        """Set once it is known which of the two."""
        self._closed = False
        # Without these two its threads spin while they have nothing to do.
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}
        self._process = subprocess.Popen(
            [sys.executable, str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=environment,
            start_new_session=True,  # Ctrl-C is for the kernel
        )
        assert self._process.stdin is not None
        asked = {"path": str(file), "key": self.key, "parent": os.getpid()}  # no other process sees this line
        with contextlib.suppress(OSError):  # it has ended already: the reader says so
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
        self._reader = threading.Thread(target=self._listen, name="reflex-model-file", daemon=True)
        self._reader.start()

    @property
    def alive(self) -> bool:
        """Whether it loads or serves."""
        return not self._closed and not self.trouble and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def served(self) -> str:
        """The address.

        Raises
        ------
        ModelError
            If it could not be loaded.
        """
        if self.trouble:
            raise ModelError(self.trouble, "other")
        return self.base_url

    def close(self) -> None:
        """End it, and wait for that."""
        self._closed = True
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._reader.join(_GRACE)
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]  # both were asked for

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed
            for line in self._process.stdout:
                self._hear(json.loads(line) if line.startswith("{") else {})
        code = self._process.wait()
        if not self.trouble:
            memory = ": perhaps there was not enough memory" if code in (-9, -6, -11) else ""
            self.trouble = f"The process that served {self.file.name} has ended (code {code}){memory}."
        self.settled.set()

    def _hear(self, told: dict[str, object]) -> None:
        self.percent = int(str(told.get("percent", self.percent)))
        if told.get("trouble"):
            self.trouble = f"{self.file.name} could not be loaded: {told['trouble']}."
        if told.get("address"):
            self.base_url = f"{told['address']}/v1"
            self.settled.set()
