"""What is raised and is no exception: a text, `NotImplemented`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import Reading, reading, short


def raised_text(failure: Failure) -> Iterator[Proposal]:
    """`raise "too small"`: `raise ValueError("too small")`, of the class that the cell catches."""
    if failure.error.ename != "TypeError" or "exceptions must derive from BaseException" not in failure.error.evalue:
        return
    read = reading(failure)
    for node in [one for one in read.here if isinstance(one, ast.Raise)] if read is not None else []:
        assert read is not None
        raised = node.exc
        if isinstance(raised, ast.Name) and raised.id == "NotImplemented":
            why = "`NotImplemented` is a value that operators return; the exception is `NotImplementedError`."
            yield from read.propose(read.replace(raised, "NotImplementedError"), why, "exception", 0.97)
        elif raised is not None and (isinstance(raised, ast.JoinedStr) or read.type(raised) == "str"):
            caught = _caught(read)
            for name in caught[:3] or ["ValueError"]:
                why = f"{short(read.text(raised))} is text; what is raised is an exception: `{name}` with that text."
                prior = 0.9 if len(caught) == 1 else 0.6 if name == (caught or [name])[0] else 0.4
                yield from read.propose(read.wrap(raised, f"{name}("), why, "exception of a text", prior)


def _caught(read: Reading) -> list[str]:
    """The classes of exceptions that the cell catches."""
    found: list[str] = []
    for handler in read.cell.every(ast.ExceptHandler):
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        found += [ast.unparse(kind) for kind in kinds if isinstance(kind, (ast.Name, ast.Attribute))]
    return list(dict.fromkeys(found))
