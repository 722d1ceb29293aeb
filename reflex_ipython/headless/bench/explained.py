"""What is said about an error, and whether it is about this very error."""

from __future__ import annotations

import re
from typing import Any

GENERIC = re.compile(r"No rule has a fix|Nothing was proposed|No fix|`\w+` was raised(?: inside a library|\.)")
"""How words begin that would do for any error."""


def words_about(panel: dict[str, Any]) -> str:
    """What a panel says about the error besides its name: the reason, what its fixes say, its notice.

    Parameters
    ----------
    panel : dict
        A `PanelState` as JSON.

    Returns
    -------
    str
        Lines; empty if it has just words that would do for any error.
    """
    said = [_text(panel.get(name)) for name in ("explanation", "reason", "notice")]
    said += [fix["explanation"] for fix in panel["fixes"]]
    return "\n".join(line for line in said if line.strip() and not GENERIC.match(line))


def is_explained(words: str, says: str) -> bool:
    """Whether words are about this very error.

    Parameters
    ----------
    words : str
    says : str
        A regular expression that they have to match; empty: any words do.
    """
    return bool(re.search(says, words, re.IGNORECASE)) if says else bool(words)


def _text(part: Any) -> str:
    """The text of a part of the panel, whatever its shape: words, a notice, several of them."""
    if isinstance(part, dict):
        return "\n".join(filter(None, map(_text, part.values()))) if "text" not in part else str(part["text"])
    if isinstance(part, list | tuple):
        return "\n".join(filter(None, map(_text, part)))
    return part if isinstance(part, str) else ""
