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
    same_requests, different_requests : int
        Recorded requests of a web application that these functions answer: with the same answer, with another one.
    failing_request : str
        What became of the last request, if it failed: "passes", what it gives now, or empty.
    """

    functions: tuple[str, ...] = ()
    same: int = 0
    different: int = 0
    failing: str = ""
    unsteady: int = 0
    difference: str = ""
    same_requests: int = 0
    different_requests: int = 0
    failing_request: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether something is another by now than it was, or fails still."""
        fails = {self.failing, self.failing_request} - {"", "passes"}
        return bool(self.different or self.different_requests or fails)

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
        requests = self.same_requests + self.different_requests
        get = "requests get" if requests > 1 else "request gets"
        if self.different_requests:
            return f"{self.different_requests} of {requests} recorded {get} another answer: {self.difference}"
        parts = [f"{self.same} of {self.calls} recorded {give} the same"] if self.calls else []
        parts += [f"{requests} of {requests} recorded {get} the same answer"] if requests else []
        if self.failing == "passes":
            parts.append("the failing one passes" if parts else "the recorded call that failed passes")
        elif self.failing:
            parts.append(f"the failing one raises {self.failing}")
        elif self.failing_request == "passes":
            parts.append("the request that failed is answered")
        elif self.failing_request:
            parts.append(f"the request that failed still gives {self.failing_request}")
        *others, last = parts or [""]
        return f"{', '.join(others)}, and {last}" if others else last
