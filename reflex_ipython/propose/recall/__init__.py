"""Recall: what helped before is proposed again, with the names and values of the present situation."""

from reflex_ipython.propose.recall.learn import learnt
from reflex_ipython.propose.recall.provider import RecallProvider

__all__ = ["RecallProvider", "learnt"]
