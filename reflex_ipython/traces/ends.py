"""How a frame is left, as its last instruction tells: Python's older hooks say "return" for all of it."""

from __future__ import annotations

import dis
from types import CodeType, FrameType
from typing import Literal

_RETURNS = {dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap}
_PAUSES = {dis.opmap[name] for name in ("YIELD_VALUE", "YIELD_FROM") if name in dis.opmap}
_FROM = dis.opmap.get("YIELD_FROM")  # until Python 3.10: it stands behind the last instruction, to run again


class Ends:
    """Knows the instructions of codes. A code's own are made anew whenever they are asked for: so they are kept."""

    def __init__(self) -> None:
        self._instructions: dict[int, tuple[CodeType, bytes]] = {}

    def of(self, frame: FrameType) -> Literal["return", "pause", "exception"]:
        """How this frame is left right now."""
        code, at = frame.f_code, frame.f_lasti
        known = self._instructions.get(id(code))
        if known is None:
            known = self._instructions[id(code)] = code, code.co_code
        instructions = known[1]
        if instructions[at] in _RETURNS:
            return "return"
        after = instructions[at + 2] if at + 2 < len(instructions) else None
        paused = instructions[at] in _PAUSES or (_FROM is not None and after == _FROM)
        return "pause" if paused else "exception"
