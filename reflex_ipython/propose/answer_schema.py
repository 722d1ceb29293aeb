"""The JSON schema of an answer, as a server is to hold its model to it. Data alone.

It keeps to what the strictest of them takes: each property is required, and there are no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAME = "answer"
"""What the schema, or the tool that takes it, is called."""

_CELL = {
    "type": "object",
    "properties": {
        "cell": {"type": "integer", "description": "The number of the cell, as in In [7]; 0 if it has none."},
        "code": {"type": "string", "description": "The complete new text of that cell."},
    },
    "required": ["cell", "code"],
    "additionalProperties": False,
}

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {  # in this order: the model thinks before it writes
        "reason": {"type": "string", "description": "Why the code is as it is, in one sentence."},
        "cells": {"type": "array", "description": "The cells that change.", "items": _CELL},
        "needs": {"type": "string", "description": "What is needed, if code can't do it; else empty."},
    },
    "required": ["reason", "cells", "needs"],
    "additionalProperties": False,
}

RESPONSE_FORMAT: Mapping[str, Any] = {
    "type": "json_schema",
    "json_schema": {"name": NAME, "strict": True, "schema": SCHEMA},
}
"""As OpenAI's API wants it, and all that follow it."""

FORCED_TOOL: Mapping[str, Any] = {
    "tools": [{"name": NAME, "description": "Takes the answer.", "input_schema": SCHEMA}],
    "tool_choice": {"type": "tool", "name": NAME},
}
"""The same for Anthropic's: a tool that the model has to call. Nothing is run by it."""
