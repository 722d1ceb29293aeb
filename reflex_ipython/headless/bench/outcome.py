"""What came of a case."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflex_ipython.errors import BadInput


@dataclass(frozen=True)
class FixOutcome:
    """What came of one fix.

    Parameters
    ----------
    origin : str
        Who proposed it, `rule: closest column`.
    explanation : str
        Why it fixes the error, as the panel says it.
    source : str
        The texts of its cells: of those that run first, and of those that it rewrites.
    verdict : str
        What the panel says about its trial.
    passed : bool
        Whether the panel says that it ran, and nothing speaks against it.
    runs : bool or None
        Whether the cell ran without an error once it was accepted; None if it was not accepted.
    right : bool or None
        Whether the result is right; None if that was not judged.
    trouble : str
        Why it was not accepted or judged, in words.
    """

    origin: str
    explanation: str
    source: str
    verdict: str
    passed: bool
    runs: bool | None = None
    right: bool | None = None
    trouble: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of a case.

    Parameters
    ----------
    id, family, ename : str
        Of the case.
    raised : str
        The class of the exception that its cell raised; empty if none, or if it was not reached.
    choice : bool
        Whether the fixes are shown as a choice between what may be meant.
    fixes : tuple of FixOutcome
        Best first.
    words : str
        What is said about the error besides its name.
    explained : bool
        Whether the words are about this very error.
    seconds_to_offer, seconds_to_verdict : float or None
        From the error until the first fix was shown, and until nobody was at work any more, by the kernel's clock.
    seconds : float
        All that the case took.
    trouble : str
        What went wrong, in words: a kernel that hangs, a setup that fails.
    """

    id: str
    family: str
    ename: str
    raised: str = ""
    choice: bool = False
    fixes: tuple[FixOutcome, ...] = ()
    words: str = ""
    explained: bool = False
    seconds_to_offer: float | None = None
    seconds_to_verdict: float | None = None
    seconds: float = 0.0
    trouble: str = ""

    @property
    def reproduced(self) -> bool:
        """Whether it failed as it should."""
        return self.raised == self.ename

    @property
    def judged(self) -> bool:
        """Whether it is known what would be right."""
        return any(fix.right is not None for fix in self.fixes)

    @property
    def offered(self) -> bool:
        """Whether there is a fix."""
        return bool(self.fixes)

    @property
    def rule(self) -> str:
        """Who proposed the first fix; empty if there is none."""
        return self.fixes[0].origin if self.fixes else ""

    @property
    def shown_as_ran(self) -> bool:
        """Whether the first fix is shown as the answer, which has run."""
        return self.offered and not self.choice and self.fixes[0].passed

    @property
    def runs(self) -> bool:
        """Whether the first fix ran once it was accepted."""
        return self.offered and bool(self.fixes[0].runs)

    @property
    def right_first(self) -> bool:
        """Whether the first fix is shown as the answer, and is right."""
        return self.offered and not self.choice and bool(self.fixes[0].right)

    @property
    def right_in_choice(self) -> bool:
        """Whether a choice is shown, and one of its fixes is right."""
        return self.choice and any(fix.right for fix in self.fixes)

    @property
    def wrong_as_ran(self) -> bool:
        """Whether the first fix is shown as an answer which has run, and is wrong."""
        return self.shown_as_ran and self.fixes[0].right is False

    def line(self) -> str:
        """The outcome as a line of JSON."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False) + "\n"


def read_outcomes(path: Path) -> list[Outcome]:
    """The outcomes that an earlier run has written; a line that it could not end is taken off the file.

    Raises
    ------
    BadInput
        If the file can't be read, or holds something else.
    """
    if not path.exists():
        return []
    try:
        text = path.read_text(encoding="utf-8")
        whole, _, unfinished = text.rpartition("\n")
        if unfinished:
            path.write_text(whole + "\n" if whole else "", encoding="utf-8")
        return [_outcome(json.loads(line)) for line in whole.split("\n") if line.strip()]
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadInput(f"{path} holds something else than the outcomes of cases; name another file.") from None


def _outcome(found: dict[str, Any]) -> Outcome:
    return Outcome(**{**found, "fixes": tuple(FixOutcome(**fix) for fix in found["fixes"])})
