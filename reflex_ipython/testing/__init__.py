"""For the tests of anyone who extends this package: a scripted model server, and what a history store promises.

The server speaks over a real socket on loopback, so that a test covers the whole way to a model and back:

    with ScriptedServer(Say(["Misspelt.\\n", "```python\\ntotal = 1\\n```"])) as server:
        ask(Settings(model="scripted", base_url=server.base_url))
    assert server.requests[0].json["model"] == "scripted"

`ScriptedServer(..., dialect="groq")` speaks as that provider does, and refuses what that one refuses. `DIALECTS` lists
them all.

`StoreSuite` and `IndexedStoreSuite` are tests for a store of your own, `full_repair()` is a repair to save in it.
"""

from __future__ import annotations

from reflex_ipython.testing.dialects import DIALECTS, ServerDialect
from reflex_ipython.testing.repairs import full_repair
from reflex_ipython.testing.replies import Raw, RecordedRequest, Refuse, Reply, Say, Silent
from reflex_ipython.testing.server import ScriptedServer
from reflex_ipython.testing.stores import IndexedStoreSuite, StoreSuite

__all__ = [
    "DIALECTS",
    "IndexedStoreSuite",
    "Raw",
    "RecordedRequest",
    "Refuse",
    "Reply",
    "Say",
    "ScriptedServer",
    "ServerDialect",
    "Silent",
    "StoreSuite",
    "full_repair",
]
