"""What a call is given of the world while it is made again, and how a test says the same.

A clock that stands, random numbers from the same start, files of its own in a folder, environment variables, the
answers of the network.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from reflex_ipython.base.classes import is_exactly
from reflex_ipython.testwriting.given_environment import GivenEnvironment
from reflex_ipython.testwriting.literals import CannotWrite, literal
from reflex_ipython.testwriting.outside import GENERATOR
from reflex_ipython.testwriting.played_network import PlayedNetwork
from reflex_ipython.testwriting.staging import Staging
from reflex_ipython.testwriting.stopped_clock import clock_of

LARGEST = 100_000
"""Bytes of all files together that a test writes."""
SEED = 1
SEEDED = "random numbers are seeded"
NO_TEXT = "opens a file that is no text ({})"
TOO_LARGE = f"opens files of more than {LARGEST // 1000} kB"
OTHER_FILE = "opens a file that it is not passed ({})"


class Surroundings:
    """What one call is given.

    Parameters
    ----------
    around : dict
        `clock`, `files`, `chance`, `environment` as `outside.Outside` has them, `network` as
        `played_network.PlayedNetwork.used` has it; what is not there is not given.
    moment : float
        The time at which the clock stands, in seconds since 1970.
    folder : str
        Where the files are put.
    root : str
        The project's folder: what it finds there by itself is there for a test as well.
    label : str
        Names the files of what is too long to be written out.
    recorded : dict
        `network`, the exchanges that were recorded, and `environment`, the variables that were read.

    Raises
    ------
    CannotWrite
        If a test can't give it that.
    """

    def __init__(
        self,
        around: dict[str, Any],
        moment: float,
        folder: str,
        root: str,
        label: str,
        recorded: dict[str, list[dict[str, Any]]],
    ) -> None:
        self._around = around
        self._moment = moment
        self._folder = folder
        self._root = os.path.join(os.path.realpath(root), "")
        self._label = label
        self._names: dict[str, str] = {}
        self._places: list[int] = around.get("network", [])
        self._network = PlayedNetwork([recorded["network"][place] for place in self._places])
        self._environment = GivenEnvironment(around.get("environment", []), recorded["environment"])
        self.staging = Staging()

    def passed(self, values: list[Any]) -> list[Any]:
        """The arguments, with the files' own names in place of those that they had; the files are written."""
        if "files" not in self._around:
            return values
        texts: dict[str, str] = {}
        for path in self._around["files"]:
            named = self._named(path, values)
            if named:
                texts.update(_text(path, named))
        if sum(map(len, texts.values())) > LARGEST:
            raise CannotWrite(TOO_LARGE)
        for name, text in texts.items():
            file = Path(self._folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        if texts or self._names:
            self._stage_files(texts)
        return [_renamed(value, self._names) for value in values]

    @contextlib.contextmanager
    def given(self, *, elsewhere: bool = False) -> Iterator[None]:
        """While the call is made. `elsewhere`: in another working folder, as whoever runs the test may be."""
        with contextlib.ExitStack() as stack:
            if elsewhere or "tmp_path" in self.staging.fixtures:
                before = os.getcwd()
                os.chdir(self._folder)
                stack.callback(os.chdir, before)
            stack.enter_context(self._environment.set())
            self._environment.stage(self.staging)
            if self._around.get("clock"):
                clock = clock_of(self._moment)
                stack.enter_context(clock.stopped(self._around["clock"]))
                stack.callback(lambda: clock.stage(self.staging))
            for one in self._around.get("chance", ()):
                self._seed(stack, one)
            if self._places:
                stack.enter_context(self._network.playing())
            yield
        if self._places and self.asked == self._places:
            self._network.stage(self.staging, self._label)

    @property
    def asked(self) -> list[int]:
        """Which of the recorded exchanges the call asked for. Raises `CannotWrite` as `PlayedNetwork.used`."""
        return [self._places[place] for place in self._network.used]

    # ------------------------------------------------------------------------------- files

    def _named(self, path: str, values: list[Any]) -> str:
        """The name that a file has in a test's folder; empty: it is the project's own, and stays where it is."""
        if not os.path.isabs(path):
            name = os.path.normpath(path)
            if not name.startswith(".."):
                return name
        for text in _texts(values):
            if text and (path == text or path.startswith(os.path.join(text, ""))):
                self._names[text] = os.path.basename(os.path.normpath(text))
                return self._names[text] + path[len(text) :].rstrip(os.sep)
        if os.path.realpath(path).startswith(self._root) and os.path.exists(path):
            return ""
        raise CannotWrite(OTHER_FILE.format(path))

    def _stage_files(self, texts: dict[str, str]) -> None:
        staging = self.staging
        staging.fixtures += ["tmp_path", "monkeypatch"]
        staging.given.append(("files", literal(texts, f"{self._label}_files")))
        lines = ["for name, text in files.items():"]
        if any(os.sep in name for name in texts):
            lines.append("    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)")
        lines.append("    (tmp_path / name).write_bytes(text.encode())")
        staging.setup += ["\n".join(lines), "monkeypatch.chdir(tmp_path)"]

    # ------------------------------------------------------------------------------- chance

    def _seed(self, stack: contextlib.ExitStack, one: str) -> None:
        numpy, staging = sys.modules.get("numpy"), self.staging
        if one == "random":
            random.seed(SEED)
            staging.setup.append(f"random.seed({SEED})")
            staging.words.append(SEEDED)
            staging.imports.append("import random")
        elif one == "numpy.random" and numpy is not None:
            numpy.random.seed(SEED)
            staging.setup.append(f"np.random.seed({SEED})")
            staging.words.append(SEEDED)
            staging.imports.append("import numpy as np")
        elif numpy is not None:
            stack.enter_context(patch(GENERATOR, return_value=numpy.random.default_rng(SEED)))
            staging.contexts.append(f'patch("{GENERATOR}", return_value=np.random.default_rng({SEED}))')
            staging.imports += ["import numpy as np", "from unittest.mock import patch"]
            staging.words.append(SEEDED)


def _zone(call: Any) -> Any:
    return call.args[0] if call.args else call.kwargs.get("tz")


def _text(path: str, name: str) -> Iterator[tuple[str, str]]:
    """The file's name and text, if it is there."""
    try:
        if os.path.getsize(path) > LARGEST:
            raise CannotWrite(TOO_LARGE)
        yield name, Path(path).read_bytes().decode("utf-8")
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError):
        raise CannotWrite(NO_TEXT.format(path)) from None


def _texts(value: Any) -> Iterator[str]:
    """The texts and paths in a value."""
    if isinstance(value, (str, os.PathLike)):
        yield os.fspath(value) if isinstance(value, os.PathLike) else value
    elif is_exactly(value, (list, tuple, set)):
        for one in value:
            yield from _texts(one)
    elif type(value) is dict:
        yield from _texts([*value.values()])


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if type(value) is str:
        return names.get(value, value)
    if isinstance(value, Path):
        return type(value)(names.get(str(value), value))
    if is_exactly(value, (list, tuple, set)):
        return type(value)(_renamed(one, names) for one in value)
    return {key: _renamed(one, names) for key, one in value.items()} if type(value) is dict else value
