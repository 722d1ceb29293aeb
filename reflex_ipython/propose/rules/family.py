"""Rules that are imported once a failure happens that could concern them."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Iterable, Sequence

from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Rule


@dataclasses.dataclass(frozen=True)
class Family:
    """Rules of one package that stand in the list in place of themselves.

    Parameters
    ----------
    package : str
        Where they are, among the rules. Its module `rules` lists them: to import another one of it, as who shares a
        look at the same code does, brings no more than that one.
    concerned : callable
        Says whether one of them could know something about a failure; without that the package is not imported: what
        the very first failure waits for is mostly imports.
    rules : str
        Their name in that module.
    of_given_values : str
        The name of those among them that are not asked about a function of an earlier cell; empty: all are.
    """

    package: str
    concerned: Callable[[Failure], bool]
    rules: str = "RULES"
    of_given_values: str = ""

    def members(self, *, here: bool = True) -> Sequence[Rule]:
        """The rules themselves; imports them. `here`: they are asked about the failing cell itself."""
        package = importlib.import_module(f"reflex_ipython.propose.rules.{self.package}.rules")
        members: Sequence[Rule] = getattr(package, self.rules)
        left_out = () if here or not self.of_given_values else getattr(package, self.of_given_values)
        return [rule for rule in members if rule not in left_out]


def asked(rules: Iterable[Rule | Family], failure: Failure, *, here: bool) -> Iterable[Rule]:
    """The rules that are to be asked about a failure, in their order. `here`: it is the failing cell's own."""
    for rule in tuple(rules):
        if not isinstance(rule, Family):
            yield rule
        elif rule.concerned(failure):
            yield from rule.members(here=here)


def is_of_grammar(failure: Failure) -> bool:
    """Whether the code has a mistake in its grammar, or what a magic runs or the code reads has one."""
    return failure.stage == "syntax" or failure.error.ename in _OF_GRAMMAR


def is_of_values(failure: Failure) -> bool:
    """Whether what values are can matter: not where nothing has run, and not where a name or module is missing."""
    has_run = failure.stage != "syntax" and (failure.lookup is None or failure.lookup.kind not in ("module", "import"))
    return has_run and is_of_more_than_names(failure)


def is_of_more_than_names(failure: Failure) -> bool:
    """Whether it is another error than that of a variable which is not there."""
    return failure.error.ename not in _OF_NAMES


_OF_GRAMMAR = ("SyntaxError", "IndentationError", "TabError")
_OF_NAMES = ("NameError", "UnboundLocalError")
