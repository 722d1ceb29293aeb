"""What came of recorded calls that were made again with the fixed functions."""

from __future__ import annotations

import dataclasses

REPLAYED = "replayed"
"""The code of the finding that says that recorded calls give what they gave."""


@dataclasses.dataclass(frozen=True)
class Replay:
    """Recorded calls of the functions that a fix changes, made again in a copy of the kernel.

    A call counts if the old function gave again what was recorded, so that a difference is the fix's.

    Parameters
    ----------
    functions : tuple of str
        The names of the changed functions.
    same : int
        Calls that give what they gave.
    different : int
        Calls that give something else, or raise.
    failing : str
        What became of the call that failed: "passes", what it raises now, or empty where it was not recorded.
    unsteady : int
        Calls that do not count: the old function gives something else by now, or they can't be made again.
    difference : str
        The first difference, in words: "total([1, 2]) gave 3, gives 6".
    """

    functions: tuple[str, ...] = ()
    same: int = 0
    different: int = 0
    failing: str = ""
    unsteady: int = 0
    difference: str = ""

    @property
    def calls(self) -> int:
        """How many calls count, besides the one that failed."""
        return self.same + self.different

    @property
    def words(self) -> str:
        """In words that follow what the trial says; empty if nothing counts."""
        give = "calls give" if self.calls > 1 else "call gives"
        if self.different:
            return f"{self.different} of {self.calls} recorded {give} something else: {self.difference}"
        parts = [f"{self.same} of {self.calls} recorded {give} the same"] if self.calls else []
        if self.failing == "passes":
            parts.append("the failing one passes" if parts else "the recorded call that failed passes")
        elif self.failing:
            parts.append(f"the failing one raises {self.failing}")
        return ", and ".join(parts)
