"""The rules: fixes in milliseconds, offline, and silence where they are not sure."""

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.provider import RULES, RuleProvider

__all__ = ["RULES", "Proposal", "Rule", "RuleProvider"]
