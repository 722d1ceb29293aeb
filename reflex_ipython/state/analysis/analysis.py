"""The analysis of one statement: what it knows so far, and the tables of who understands which node."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any

from reflex_ipython.state.analysis.forms import live
from reflex_ipython.state.analysis.joins import join
from reflex_ipython.state.analysis.plain import plain, plain_box
from reflex_ipython.state.analysis.sources import Functions
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOX,
    BUILTIN,
    CLASS,
    DATA,
    ESTIMATOR,
    FIGURE,
    FUNCTION,
    ITERATOR,
    LIBRARY,
    MODULE,
    SOME_ATOM,
    SOMETHING,
    Unknown,
    Value,
    clock,
    same_knowledge,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.snapshots import Snapshot

Names = dict[str, Value]
_BUILTINS = vars(builtins)
PASSES = 4
"""How often a loop is looked at until nothing new is known after it."""
LATER = 1 << 62
_MOST_STEPS = 400
"""Statements and calls that are looked at, those of loops and functions each time anew."""


class Scope:
    """The names of the statement itself, a function, a lambda or a comprehension.

    Parameters
    ----------
    names : dict
        What is known of those that have been bound.
    parent : Scope or None
        Where else names are looked up; None for the statement itself, whose others are in the namespace.
    local : frozenset of str or None
        Names that are surely not looked up elsewhere.
    """

    __slots__ = ("local", "names", "parent")

    def __init__(self, names: Names, parent: Scope | None, local: frozenset[str] | None = None) -> None:
        self.names = names
        self.parent = parent
        self.local = local


class Analysis:
    """What is known of one statement so far.

    Parameters
    ----------
    namespace : dict
    functions : Functions
    """

    draws = False
    warns = False
    raises = False
    """Whether an exception of the user's may be raised."""
    has_lambdas = False
    steps = 0
    oldest = LATER
    """When the oldest of the objects was made of which something new was learnt since the innermost loop began."""
    running: tuple[Any, ...] = ()
    """The code of the functions that are being looked at, one inside the other."""
    returned: Value | None = None
    exits: list[Names] | None = None
    """What is known where the innermost loop is left or begun again early."""
    trail: list[tuple[str, Value]] | None = None
    """What was bound since the outermost `try` began."""

    def __init__(self, namespace: dict[str, Any], functions: Functions) -> None:
        self.namespace = namespace
        self.functions = functions
        self.top = self.frame = self.scope = Scope({}, None)
        self.binds: dict[str, None] = {}
        self.entries: dict[int, dict[Any, Snapshot]] = {}
        self.written: dict[Any, Value] = {}
        self.looked_at: dict[int, bool] = {}
        self.tied: list[Value] = []
        """Values that may have come to refer to themselves."""

    def end(self) -> None:
        """It is over: leave no cycles to the collector, which tells the user how much it has found."""
        for value in self.tied:
            value.inner = value.parts = None

    # -------------------------------------------------------------------------------------- nodes

    def value(self, node: ast.expr) -> Value:
        """What is known of the value of an expression."""
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            raise Unknown(type(node).__name__)
        return handler(self, node)

    def run(self, body: list[ast.stmt]) -> None:
        """The statements run one after the other."""
        for node in body:
            self.step()
            handler = STATEMENTS.get(type(node))
            if handler is None:
                raise Unknown(type(node).__name__)
            handler(self, node)

    def step(self) -> None:
        """One step more, or `Unknown`."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Unknown("too long")

    def call(self, function: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
        """What a value gives when it is called."""
        return CALL[0](self, function, args, keywords)

    # -------------------------------------------------------------------------------------- names

    def name(self, name: str) -> Value:
        """What is known of what a name stands for here."""
        scope: Scope | None = self.scope
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            if scope.local is not None and name in scope.local:
                raise Unknown("a local name that may be unbound")
            scope = scope.parent
        return self.outside(name) or SOME_ATOM  # a NameError: nothing is done with what is not there

    def outside(self, name: str) -> Value | None:
        """What the name stands for where the statement has not bound it: in the namespace, or built in."""
        o = self.namespace.get(name, MISSING)
        if o is MISSING:
            o = self._builtins().get(name, MISSING)
            if o is MISSING:
                return None
        return live(o)

    def _builtins(self) -> dict[str, Any]:
        found = self.namespace.get("__builtins__", _BUILTINS)
        if found is not _BUILTINS and found is not builtins:
            raise Unknown("builtins of its own")
        return _BUILTINS

    def bind(self, name: str, value: Value) -> None:
        """The name is bound here."""
        if value.form == ITERATOR:
            value = SOMETHING  # read later, by whomever
        scope = self.scope
        if scope is not self.frame:  # of a comprehension
            scope.names[name] = value
            return
        if self.trail is not None:
            self.trail.append((name, value))
        if scope is self.top:
            self.binds[name] = None
        elif scope.local is not None and name not in scope.local:
            self.bind_global(name, value)
            return
        scope.names[name] = value

    def bind_global(self, name: str, value: Value) -> None:
        """The name may be bound in the namespace, by a function or in passing."""
        self.binds[name] = None
        old = self.top.names.get(name) or self.outside(name)
        self.top.names[name] = self.learnt(old, value)

    def joined(self, some: Names, other: Names) -> Names:
        """What is known where two ways come together."""
        if some == other:  # by identity: values have no `__eq__`
            return some
        names: Names = {}
        for name in {**some, **other}:
            one, two = some.get(name), other.get(name)
            if self.frame is self.top:
                one, two = one or self.outside(name), two or self.outside(name)
            names[name] = join(one, two) if one is not None and two is not None else (one or two or SOMETHING)
        return names

    def learnt(self, old: Value | None, value: Value, born: int = 0) -> Value:
        """What is known of what is in an object, of which this is one more value that it may be."""
        new = value if old is None else join(old, value)
        if old is None or not same_knowledge(old, new):
            self.oldest = min(self.oldest, born)
        return new

    def again(self, run: Callable[[], Value]) -> Value:
        """What something gives that runs any number of times: looked at until nothing new is learnt."""
        for _ in range(PASSES):
            outer, self.oldest, begun = self.oldest, LATER, next(clock)
            value = run()
            settled = self.oldest > begun
            self.oldest = min(self.oldest, outer)
            if settled:
                return value
        raise Unknown("a loop that is not understood")

    # -------------------------------------------------------------------------------------- uses

    def use(self, value: Value) -> None:
        """An operator, a loop, `print` … looks at the value: `Unknown` if the user's code may run."""
        if value.form > DATA:
            if not self.plain(value) and not _is_shown_quietly(value):
                raise Unknown(f"use of form {value.form}")
        elif value.form == DATA:
            self.warns = True
            if value.o is not MISSING and not self.plain_data(value.o):
                raise Unknown("data with objects in it")

    def plain(self, value: Value) -> bool:
        """Whether the value is plain."""
        form = value.form
        if form <= DATA:
            return form == ATOM or value.o is MISSING or self.plain_data(value.o)
        if form == BOX:
            if value.o is not MISSING:
                stored = self.written.get(identity(value.o))
                return plain_box(value.o) and (stored is None or self.plain(stored))
            if value.parts is not None:
                return all(map(self.plain, value.parts))
            return value.inner is None or (value.fresh and self.plain(value.inner))
        return form == ITERATOR and (value.inner is None or self.plain(value.inner))

    def plain_data(self, o: Any) -> bool:
        """Whether an array, a frame … that exists is plain; looked at once."""
        key = identity(o)
        found = self.looked_at.get(key)
        if found is None:
            found = self.looked_at[key] = plain(o)
        return found

    def snapshot(self, o: Any, part: Any, snapshot: Snapshot | None) -> None:
        """An object that exists is written to.

        Parameters
        ----------
        o : object
        part : hashable
            Which part of it; None for all of it.
        snapshot : Snapshot or None
            None: nobody can tell how to undo it.
        """
        if snapshot is None:
            raise Unknown("a write that is too large to note")
        entries = self.entries.get(identity(o))
        if entries is None:
            self.entries[identity(o)] = {part: snapshot}
        elif part is None:
            entries.clear()
            entries[None] = snapshot
        elif None not in entries:
            entries.setdefault(part, snapshot)

    def snapshots(self, o: Any, part: Any) -> bool:
        """Whether that part of the object is noted already."""
        entries = self.entries.get(identity(o))
        return entries is not None and (part in entries or None in entries)


_QUIET = frozenset([FIGURE, FUNCTION, BUILTIN, LIBRARY, MODULE])


def _is_shown_quietly(value: Value) -> bool:
    """Whether an object that is not plain is shown, and compared, without anything of the user's."""
    if value.form == ESTIMATOR:
        fields = value.o.__dict__ if value.o is not MISSING else {}
        return all(plain(each) for name, each in fields.items() if not name.endswith("_"))
    return value.form in _QUIET or (value.form == CLASS and type(value.o) is type)


Expression = Callable[[Analysis, Any], Value]
Statement = Callable[[Analysis, Any], None]
CALL: list[Callable[[Analysis, Value, list[Value], dict[str, Value]], Value]] = []
"""Who understands calls: `calls` puts it there."""
EXPRESSIONS: dict[type, Expression] = {}
"""Who understands which expression; `expressions` and `calls` fill it."""
STATEMENTS: dict[type, Statement] = {}
"""Who understands which statement; `statements` and `definitions` fill it."""
