"""Arrays that a statement may resize: numpy allows `a.resize(…)` only while nothing else refers to the array.

So the journal must let go of such an array before the statement runs, in this checkpoint and in the earlier ones, or
the user's code would fail because of the journal. An array that a name holds is remembered by its address and its
contents; it is found again through the name. What holds such an array deeper inside is left out, and named.
"""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reflex_ipython.base.classes import inherits
from reflex_ipython.state.bytecode_names import Reads
from reflex_ipython.state.checkpoint import Checkpoint
from reflex_ipython.state.weak import GONE, Weak

_REASON = "an array in it may be resized"


@dataclasses.dataclass(frozen=True)
class DetachedArray:
    """An array that is not held: what it was.

    Parameters
    ----------
    address : int
        Its `id`.
    contents : numpy.ndarray
        A copy.
    """

    address: int
    contents: Any


def resizable(o: object) -> bool:
    """Whether it is an array with memory of its own."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(o) is numpy.ndarray and bool(o.flags.owndata)  # type: ignore[attr-defined]  # an array


def about_to_resize(reads: Iterable[Reads], namespace: dict[str, Any], *, others: bool) -> tuple[list[Any], bool]:
    """The arrays that a name holds and the code may resize, and whether it may resize others as well.

    `others`: it surely may, for what it calls stands in a text.
    """
    arrays: list[Any] = []
    for root, whole in {item for found in reads for item in found.resized}:
        value = namespace.get(root)
        if root in namespace and (inherits(type(value), types.ModuleType) or inherits(type(value), type)):
            continue  # cv2.resize(image): a function of that name
        if whole and root in namespace:
            arrays += [value] if resizable(value) else []
        else:
            others = True
    if others:
        arrays = [value for value in list(namespace.values()) if resizable(value)]
    return arrays, others


def let_go(checkpoint: Checkpoint, arrays: Sequence[Any], others: bool) -> None:
    """Hold none of these arrays in the checkpoint of the statement that is about to run.

    Parameters
    ----------
    checkpoint : Checkpoint
    arrays : sequence of numpy.ndarray
        Those that a name holds; they are remembered as `DetachedArray`.
    others : bool
        Whether every other array that the statement can reach is to be let go of as well; what holds it is then left
        out.
    """
    for array in arrays:
        contents = checkpoint.snapshots.take(array)
        for name, value in checkpoint.bindings.items():
            if value is array:
                checkpoint.bindings[name] = GONE if contents is None else DetachedArray(id(array), contents)
    if others:
        reached = [o for _, o, _ in checkpoint.snapshots.entries if resizable(o)]
        checkpoint.snapshots.leave_out(reached, _REASON)


def let_go_in_earlier(checkpoints: Iterable[Checkpoint]) -> None:
    """Refer to no array in those of the statements before: they are over, and hold it weakly if at all."""
    for checkpoint in checkpoints:
        for place, (_, held, _) in enumerate(checkpoint.snapshots.entries):
            if type(held) is Weak and resizable(held.get()):
                checkpoint.snapshots.forget(place, checkpoint.snapshots.label(place), _REASON)
        for name, held in checkpoint.bindings.items():
            if type(held) is Weak and resizable(held.get()):
                checkpoint.bindings[name] = GONE


# ------------------------------------------------------------------------------------------ the way back


def put_back_detached(bindings: dict[str, Any], namespace: dict[str, Any]) -> Iterator[str]:
    """Replace detached arrays in `bindings` by arrays with the old contents: the same one wherever that is possible.

    Parameters
    ----------
    bindings : dict
        The bindings that are wanted.
    namespace : dict
        The namespace as it is now.

    Yields
    ------
    str
        Names, each with the reason why it is not as it was.
    """
    made: dict[int, Any] = {}
    for name, wanted in bindings.items():
        if type(wanted) is DetachedArray:
            if wanted.address not in made and not _restored(made, wanted, namespace):
                made[wanted.address] = wanted.contents.copy(order="K")
                yield f"{name} (it was resized, and something else refers to it)"
            bindings[name] = made[wanted.address]


def _restored(made: dict[int, Any], wanted: DetachedArray, namespace: dict[str, Any]) -> bool:
    numpy = sys.modules["numpy"]
    names = [name for name, o in namespace.items() if id(o) == wanted.address and resizable(o)]
    if not names:  # nobody can tell a new one from it
        made[wanted.address] = wanted.contents.copy(order="K")
        return True
    made[wanted.address] = namespace[names[0]]
    lonely = {0: numpy.empty(0)}
    same_holders = [lonely[0]] * len(names)
    alone = _references(made, wanted.address) == _references(lonely, 0)
    del same_holders
    array = made[wanted.address]
    if array.dtype != wanted.contents.dtype or (array.nbytes != wanted.contents.nbytes and not alone):
        return False  # to move its memory would leave somebody's view on nothing
    array.resize(wanted.contents.shape, refcheck=False)
    numpy.copyto(array, wanted.contents)
    return True


def _references(holder: dict[int, Any], key: int) -> int:
    return sys.getrefcount(holder[key])
