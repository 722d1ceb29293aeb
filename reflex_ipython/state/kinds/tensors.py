"""torch: the storage of tensors is copied within the budget and written back in place: views and optimizers stay true.

Modules and optimizers are ordinary objects that hold tensors.
"""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.kind import CannotRestore, Kind, ObjectWalk

BACKWARD = "backward"
"""The method that uses up the graph that autograd recorded."""

_GRAPH = Kind("graph that autograd recorded", "named", lambda o, walk: None, lambda o, saved: False, instance=False)


LIBRARIES = ("torch",)


def kinds() -> dict[type, Kind]:
    """The kinds of torch, where it is loaded."""
    torch = sys.modules.get("torch")
    if torch is None:
        return {}
    tensors = _Tensors(torch)
    return {
        torch.Tensor: Kind(
            "torch.Tensor",
            "partial",
            tensors.snapshot,
            tensors.same,
            tensors.restore,
            limit="contents, shape, gradient, requires_grad; a graph that backward() used up is named",
        ),
        torch.UntypedStorage: Kind(
            "torch storage", "exact", tensors.snapshot_storage, tensors.same_storage, tensors.restore_storage
        ),
        torch.Generator: Kind(
            "torch.Generator",
            "exact",
            lambda o, walk: o.get_state(),
            lambda o, saved: bool(torch.equal(o.get_state(), saved)),
            lambda o, saved: o.set_state(saved),
        ),
    }


def _leaves(graph: Any) -> list[Any]:
    """The tensors that get a gradient when the graph is run backwards."""
    seen, todo, found = {graph}, [graph], []
    while todo:
        node = todo.pop()
        if hasattr(node, "variable"):
            found.append(node.variable)
        new = [before for before, _ in node.next_functions if before is not None and before not in seen]
        seen.update(new)
        todo += new
    return found


class _Tensors:
    def __init__(self, torch: Any) -> None:
        self._torch = torch

    def snapshot(self, o: Any, walk: ObjectWalk) -> tuple[Any, ...]:
        saved = self._state(o)
        walk.follow((saved[0], saved[-1]))
        if o.grad_fn is not None and BACKWARD in walk.attributes:
            walk.snapshot(_GRAPH, o)
            walk.follow(_leaves(o.grad_fn))
        return saved

    def _state(self, o: Any) -> tuple[Any, ...]:
        with self._torch._C.DisableTorchFunctionSubclass():  # a subclass's own code
            gradient = o.grad if o.is_leaf or o.retains_grad else None
            form = (o.storage_offset(), tuple(o.size()), tuple(o.stride()))
            return (o.untyped_storage(), *form, o.requires_grad, o.grad_fn, gradient)

    def same(self, o: Any, saved: tuple[Any, ...]) -> bool:
        now = self._state(o)
        same_memory = now[0].data_ptr() == saved[0].data_ptr()
        return same_memory and now[1:-2] == saved[1:-2] and now[-2] is saved[-2] and now[-1] is saved[-1]

    def restore(self, o: Any, saved: tuple[Any, ...]) -> None:
        storage, offset, size, stride, requires_grad, graph, gradient = saved
        if o.grad_fn is not graph:
            raise CannotRestore("it is part of another autograd graph now")
        with self._torch.no_grad(), self._torch._C.DisableTorchFunctionSubclass():
            now = self._state(o)
            if now[0].data_ptr() != storage.data_ptr() or now[1:4] != (offset, size, stride):
                o.data = self._torch.empty(0, dtype=o.dtype, device=o.device).set_(storage, offset, size, stride)
            if o.is_leaf:
                o.requires_grad_(requires_grad)
                o.grad = gradient

    # -------------------------------------------------------------------------------------- storages

    def _bytes(self, storage: Any) -> Any:
        return self._torch.empty(0, dtype=self._torch.uint8, device=storage.device).set_(storage)

    def snapshot_storage(self, o: Any, walk: ObjectWalk) -> Any:
        earlier = walk.earlier(o)
        if type(earlier) is self._torch.Tensor and walk.copying(lambda: self.same_storage(o, earlier)):
            return earlier
        walk.hold(o.nbytes())
        return walk.keep(o, walk.copying(lambda: self._bytes(o).clone()))

    def same_storage(self, o: Any, saved: Any) -> bool:
        return o.nbytes() == saved.numel() and bool(self._torch.equal(self._bytes(o), saved))

    def restore_storage(self, o: Any, saved: Any) -> None:
        if o.nbytes() != saved.numel():
            o.resize_(saved.numel())
        self._bytes(o).copy_(saved)
