"""How the blocks of a frame of pandas are noted without adding to what pandas counts as references to them.

A frame is a manager: axes, and blocks of columns, each a placement, an array and the list of those that share the
array (`refs`). pandas decides by that list, in which blocks stand by weak references, whether a write may go to the
array or to a copy. So a block of ours, or one that we keep alive, would change what a write does. Noted is what a block
consists of; blocks that are gone are made anew when it is put back, and join the list that they had stood in.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from reflex_ipython.state.kinds.containers import identical


class _Part(NamedTuple):
    """What a block consists of."""

    block: Any
    cls: Any
    values: Any
    locs: Any
    ndim: int
    refs: Any


class Structure:
    """Which arrays a manager has, where they stand, and its labels. Never what is in the arrays.

    Parameters
    ----------
    manager : BlockManager or SingleBlockManager
    """

    __slots__ = ("axes", "cls", "manager", "parts")

    def __init__(self, manager: Any) -> None:
        self.manager: Callable[[], Any] = weakref.ref(manager)
        self.cls = type(manager)
        self.axes = tuple(manager.axes)
        self.parts = tuple(
            [_Part(weakref.ref(b), type(b), b.values, b._mgr_locs, b.ndim, b.refs) for b in manager.blocks]
        )

    @property
    def arrays(self) -> list[Any]:
        """The arrays of its blocks, of numpy or of extension types. The snapshot keeps them alive."""
        return [part.values for part in self.parts]

    def same(self, manager: Any) -> bool:
        """Whether it is that manager, or stands for it because it is gone, made of the same."""
        return bool(
            (self.manager() is manager or self.manager() is None)
            and identical(manager.axes, self.axes, len(manager.axes))
            and len(manager.blocks) == len(self.parts)
            and all(
                block.values is part.values and block.refs is part.refs and _same_places(block._mgr_locs, part.locs)
                for block, part in zip(manager.blocks, self.parts)
            )
        )

    def put_back(self) -> Any:
        """The manager as it was: the very same one, which other frames may share, unless it is gone."""
        blocks = [_block(part) for part in self.parts]
        made = self.cls.from_blocks(blocks, list(self.axes))
        manager = self.manager()
        if manager is None:
            self.manager = weakref.ref(made)
            return made
        manager.blocks, manager.axes = made.blocks, made.axes
        for name in _DERIVED if len(self.axes) > 1 else ():
            if hasattr(made, name):
                setattr(manager, name, getattr(made, name))
        vars(manager).get("_cache", {}).clear()
        return manager


_DERIVED = (
    "_blknos",
    "_blklocs",
    "_known_consolidated",
    "_is_consolidated",
    "_interleaved_dtype",
    "_dtypes_cache",
)
"""Fields of a manager that follow from its blocks; one that was just made has them empty."""


def _same_places(some: Any, others: Any) -> bool:
    return some is others or list(some) == list(others)


def _block(part: _Part) -> Any:
    """The very same block where it is still there: a traceback may hold it, and it would count as a reference."""
    block = part.block()
    if block is None:
        return part.cls(part.values, placement=part.locs, ndim=part.ndim, refs=part.refs)
    block._mgr_locs = part.locs
    if block.values is not part.values or block.refs is not part.refs:
        others = block.refs.referenced_blocks
        others[:] = [reference for reference in others if reference() is not block]
        block.values, block.refs = part.values, part.refs
        vars(block).get("_cache", {}).clear()
    if not any(reference() is block for reference in part.refs.referenced_blocks):
        part.refs.add_reference(block)
    return block
