"""For the tests of anyone who extends this package: a scripted model server.

The server speaks over a real socket on loopback, so that a test covers the whole way to a model and back:

    with ScriptedServer(Say(["Misspelt.\\n", "```python\\ntotal = 1\\n```"])) as server:
        ask(Settings(model="scripted", base_url=server.base_url))
    assert server.requests[0].json["model"] == "scripted"

`ScriptedServer(..., dialect="groq")` speaks as that provider does, and refuses what that one refuses. `DIALECTS` lists
them all.
"""

from __future__ import annotations

from reflex_ipython.testing.dialects import DIALECTS, Dialect
from reflex_ipython.testing.replies import Raw, RecordedRequest, Refuse, Reply, Say, Silent
from reflex_ipython.testing.server import ScriptedServer

__all__ = ["DIALECTS", "Dialect", "Raw", "RecordedRequest", "Refuse", "Reply", "Say", "ScriptedServer", "Silent"]
