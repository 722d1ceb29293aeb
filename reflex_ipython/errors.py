"""The errors of reflex_ipython.

ReflexError                 anything that this package raises on purpose
├── BadInput                the user asked for something impossible; the message says what is possible
│   └── StepRefused         a fix has a step that can't be done yet; the message says what to do instead
├── FileRefused             a file was not rewritten: changed since, read-only, not there any more
├── CellEditRefused         a cell was not rewritten: changed since, deleted, read-only, another kernel
├── ProviderError           a provider could not propose a fix
│   └── ModelError          a language model could not be asked, or did not answer
└── StoreError              the history could not be read or written
"""

from __future__ import annotations

from typing import Literal


class ReflexError(Exception):
    """Anything that this package raises on purpose. Its text is a sentence for the user."""


class BadInput(ReflexError):
    """The user asked for something impossible; the text says what is possible."""


class StepRefused(BadInput):
    """A fix has a step that nothing can do yet; the text says what to do instead."""


RefusalReason = Literal["source-changed", "cell-not-found", "read-only", "kernel-mismatch", "no-front-end"]


class CellEditRefused(ReflexError):
    """A cell was not rewritten.

    Parameters
    ----------
    message : str
        A sentence for the user.
    reason : str
        Why, as a code: one of `RefusalReason`.
    """

    def __init__(self, message: str, reason: RefusalReason) -> None:
        super().__init__(message, reason)  # both, so that the error pickles
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


class FileRefused(ReflexError):
    """A file was not rewritten; the text says why, and fits behind "Not applied: "."""


class ProviderError(ReflexError):
    """A provider could not propose a fix."""


ModelErrorCode = Literal[
    "no-key",
    "bad-key",
    "no-such-model",
    "no-consent",
    "budget",
    "rate-limit",
    "too-long",
    "no-schema",
    "timeout",
    "no-connection",
    "bad-reply",
    "needs-more",
    "other",
]


class ModelError(ProviderError):
    """A language model could not be asked, or did not answer.

    Parameters
    ----------
    message : str
        A sentence for the user that says what to do.
    code : str
        What went wrong, as a code: one of `ModelErrorCode`.
    retry_after : float or None
        Seconds to wait before asking again, where the server said so.
    """

    def __init__(self, message: str, code: ModelErrorCode, retry_after: float | None = None) -> None:
        super().__init__(message, code, retry_after)
        self.code = code
        self.retry_after = retry_after

    def __str__(self) -> str:
        return str(self.args[0])


class StoreError(ReflexError):
    """The history could not be read or written."""


def told(error: BaseException) -> str:
    """What to say about an unforeseen error, whatever its own text may be."""
    try:
        text = " ".join(str(error).split())[:300].rstrip(".")
    except Exception:  # noqa: BLE001 - foreign code
        text = "no text"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
