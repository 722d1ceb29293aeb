"""The true reason of an error, in plain words with the real values."""

from reflex_ipython.present.reasons.reason import Reason, reason, why_and_next

__all__ = ["Reason", "reason", "why_and_next"]
