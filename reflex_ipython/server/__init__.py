"""An extension of the Jupyter server: requests in words over HTTP, and what is known of repairs.

Jupyter finds it by the file `reflex-ipython.json`, which is installed among its settings.
"""

from __future__ import annotations

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "reflex_ipython.server"}]


def _load_jupyter_server_extension(server: Any) -> None:
    """What the server calls once."""
    from reflex_ipython.server.service import load  # a process that only asks what there is need not have it

    load(server)
