"""A real JupyterLab or Notebook server with settings of its own, on a free port of the loopback."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.kernel import zygote

COPIES = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("kernel_copies", {str(Path(zygote.__file__))!r})
copies = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # the tests are no package of the server's
spec.loader.exec_module(copies)
copies.copy_all()
"""
"""Kernels are copies of a process that has imported what they import: each anew is a third of a test's work."""


class Server:
    """A Jupyter server with settings of its own, on a free port of the loopback.

    Parameters
    ----------
    home : Path
        Where all that it writes goes.
    app : str
        "jupyterlab", "notebook", or "jupyter_server": a server alone, which has no pages.
    theme : str
    labextension : bool
        Whether our labextension is enabled.
    static : sequence of Path
        Folders whose files it serves under `/static/`: pages of ours.
    environment : dict
        More variables for the server and its kernels.
    """

    def __init__(
        self,
        home: Path,
        app: str,
        theme: str = "JupyterLab Light",
        labextension: bool = True,
        static: Sequence[Path] = (),
        **environment: str,
    ) -> None:
        self.root = home / "notebooks"
        self.root.mkdir(parents=True)
        self.app = app
        settings = home / "settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True)
        (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme}))
        quiet = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
        (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
        if not labextension:
            config = home / "config" / "labconfig"
            config.mkdir(parents=True)
            (config / "page_config.json").write_text(json.dumps({"disabledExtensions": {"reflex-ipython": True}}))
        profile = home / "ipython" / "profile_default"
        profile.mkdir(parents=True)
        # All tests share its history: what one accepts would be proposed again in the next. And what fails on a busy
        # machine only a while after its cell has begun would be told twice; nor would all be tried, or noted, there.
        (profile / "ipython_config.py").write_text(
            "c.Reflex.recall = c.Reflex.look_ahead = False\nc.Reflex.search_time = 60.0\n"
            "c.Reflex.undo_time = 60.0\nc.Reflex.undo_share = 1000.0\n"
        )
        if hasattr(os, "pidfd_open"):
            (home / "config").mkdir(exist_ok=True)
            (home / "config" / "jupyter_server_config.py").write_text(COPIES)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self._log = (home / "log").open("w")
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", app, "--no-browser", "--allow-root"),
                *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1"),
                *("--IdentityProvider.token=", f"--ServerApp.root_dir={self.root}"),
                *(f"--ServerApp.extra_static_paths={folder}" for folder in static),
                f"--ServerApp.disable_check_xsrf={bool(static)}",  # such pages are not given the cookie
                *("--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True"),
            ],
            env={
                **os.environ,
                **environment,
                "HOME": str(home),
                "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
                "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
                "JUPYTER_CONFIG_DIR": str(home / "config"),
                "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
                "JUPYTER_DATA_DIR": str(home / "data"),
                "XDG_DATA_HOME": str(home / "data"),
                "IPYTHONDIR": str(home / "ipython"),
                "REFLEX_SEARCH_TIME": "60.0",  # of functions, which no profile concerns
            },
            cwd=home,
            stdout=self._log,
            stderr=self._log,
        )
        self._await(home)

    def _await(self, home: Path) -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/api", timeout=1).close()
                return
            except OSError:
                time.sleep(0.2)
        self.close()
        pytest.fail(f"the server did not start:\n{(home / 'log').read_text()}")

    def close(self) -> None:
        """End the server, and its kernels with it."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()
