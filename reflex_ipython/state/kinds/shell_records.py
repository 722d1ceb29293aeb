"""What the shell records of each cell, where code gets at it: `In`, `Out`, the folders in `_dh`.

The shell goes on recording meanwhile. What it has added itself is told from the rest by its count of the cells.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from reflex_ipython.state.bytecode_names import EVERYTHING, SHELL_EVERYTHING
from reflex_ipython.state.kinds.containers import DICT, identical
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import CannotRestore, Kind, ObjectWalk
from reflex_ipython.state.kinds.registries import NAME
from reflex_ipython.state.shells import current_shell

NAMES = frozenset({"In", "Out", "_dh", "_ih", "_oh"})
WORDS = NAMES | EVERYTHING | SHELL_EVERYTHING | {"xdel"}
"""What code uses that gets at them."""
LABEL = "In and Out"
_CHANGING = "append clear extend insert pop popitem remove reset setdefault update xdel"
CHANGING = frozenset(_CHANGING.split())
"""Of code that nobody had the time to look at: what else uses them reads them, most likely."""


class _Nowhere:
    """A walk that does not look at what is in them: results that the code gets at are noted by themselves."""

    def follow(self, children: Any) -> bool:
        return False

    def expect(self, children: Any, count: int) -> None:
        """Any number will do."""

    def hold(self, size: int) -> None:
        """Any size will do."""


@dataclasses.dataclass(frozen=True)
class _Records:
    count: int
    """Of the cell that ran."""
    stored: int
    """How many inputs the shell had stored by then."""
    bound: dict[str, Any]
    results: Any
    """As a dict is noted."""
    numbers: frozenset[int]
    """Of those."""
    lists: tuple[list[Any], list[Any]]
    """The inputs and the folders."""


def _found(shell: Any) -> tuple[dict[Any, Any], list[Any], list[Any]] | None:
    """Its own results, inputs and folders; None where it has others in their place."""
    names = shell.user_ns
    found = names.get("_oh"), shell.history_manager.input_hist_parsed, shell.history_manager.dir_hist
    return found if tuple(map(type, found)) == (dict, list, list) else None


def _stored(shell: Any) -> int:
    """How many inputs the shell has stored. Its count goes on before a cell runs or behind it, by its version."""
    count, names = int(shell.execution_count), shell.user_ns
    return count + (f"_i{count}" in names) - (count > 1 and not {f"_i{count}", f"_i{count - 1}"} & names.keys())


def _snapshot(o: Any, walk: ObjectWalk) -> _Records | None:
    shell = current_shell()
    found = None if shell is None else _found(shell)
    if found is None:
        return None
    results, inputs, folders = found
    bound = {name: shell.user_ns.get(name, MISSING) for name in NAMES}
    noted = DICT.snapshot(results, _Nowhere())  # type: ignore[arg-type]  # it asks for no more
    numbers = frozenset(number for number in results if type(number) is int)
    return _Records(shell.execution_count, _stored(shell), bound, noted, numbers, ([*inputs], [*folders]))


def _own(shell: Any, saved: _Records) -> tuple[dict[Any, Any], list[Any]]:
    """The results and the inputs that the shell itself has added since."""
    results, inputs = saved.bound["_oh"], saved.bound["_ih"]
    cells = range(saved.stored - 1, shell.execution_count + 1)  # the one that ran, and those behind it
    numbers = [number for number in results if type(number) is int and number in cells and number not in saved.numbers]
    new = {number: results[number] for number in numbers}
    more = _stored(shell) - saved.stored
    return new, inputs[len(inputs) - more :] if more > 0 else []


def _same_inputs(saved: _Records, more: list[Any]) -> bool:
    inputs = saved.bound["_ih"]
    return identical(inputs, [*saved.lists[0], *more], len(inputs))


def _same(o: Any, saved: _Records | None) -> bool:
    shell = current_shell()
    if saved is None or shell is None:
        return True
    if shell.execution_count < saved.count or any(shell.user_ns.get(name) is not saved.bound[name] for name in NAMES):
        return False
    new, more = _own(shell, saved)
    results, folders = saved.bound["_oh"], saved.bound["_dh"]
    then = {number: result for number, result in results.items() if number not in new}
    return (
        DICT.same(then, saved.results)
        and _same_inputs(saved, more)
        and identical(folders, saved.lists[1], len(folders))
    )


def _restore(o: Any, saved: _Records) -> None:
    shell = current_shell()
    if shell.execution_count < saved.count:
        raise CannotRestore("the shell was reset")
    new, more = _own(shell, saved)
    for name, value in saved.bound.items():
        if value is MISSING:
            shell.user_ns.pop(name, None)
        else:
            shell.user_ns[name] = value
    saved.bound["_ih"][:] = [*saved.lists[0], *more]
    saved.bound["_dh"][:] = saved.lists[1]
    try:
        DICT.restore(saved.bound["_oh"], saved.results)  # type: ignore[misc]  # it can be put back
    finally:
        saved.bound["_oh"].update(new)


def _loosely(saved: _Records | None, within: Mapping[int, Any]) -> _Records | None:
    return saved and dataclasses.replace(saved, results=DICT.loosely(saved.results, within))


RECORDS = Kind(NAME, "exact", _snapshot, _same, _restore, holds=lambda saved: saved and saved.results, loosely=_loosely)
