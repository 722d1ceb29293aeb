"""Cases with silent differences, made as small as they get."""

from __future__ import annotations

from typing import Any

from tests.property.grammar import Case, smaller
from tests.property.judging import Judgement, judge
from tests.property.report import family_of

ATTEMPTS = 600
"""How often cases are played for that, all together."""


class Shrinking:
    """Leaves statements out for as long as the same kind of thing differs.

    Parameters
    ----------
    shell : InteractiveShell
    attempts : int
        How often it may play a case.
    """

    def __init__(self, shell: Any, attempts: int) -> None:
        self._shell = shell
        self._left = attempts

    def smallest(self, judgement: Judgement) -> Judgement:
        """The smallest that was found."""
        while (found := self._smaller(judgement)) is not None:
            judgement = found
        return judgement

    def _smaller(self, judgement: Judgement) -> Judgement | None:
        family = family_of(judgement.silent[0])
        for case in smaller(judgement.case):
            found = self._judged(case)
            if found is not None and family in map(family_of, found.silent):
                found.silent.sort(key=lambda difference: family_of(difference) != family)
                return found
        return None

    def _judged(self, case: Case) -> Judgement | None:
        if self._left <= 0:
            return None
        self._left -= 1
        try:
            return judge(self._shell, case)
        except SyntaxError:  # a case that can't even be built is no smaller one
            return None
