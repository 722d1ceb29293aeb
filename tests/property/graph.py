"""What a namespace holds, as a graph that two processes can be compared by: objects by numbers, never by addresses."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Child = int | str
MEMBER = "member"
"""The label of all that has no order: such are compared last, when it is known which object is which."""
"""The number of an object, or the text of a value that has no identity worth comparing."""


@dataclasses.dataclass
class Node:
    """One object.

    Parameters
    ----------
    kind : str
        The name of its type.
    payload : object
        Plain data that must be equal: a shape, bytes, a position.
    edges : list of (str, Child)
        What it refers to, in an order that means something, each under a label.
    """

    kind: str
    payload: Any = None
    edges: list[tuple[str, Child]] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Graph:
    """A picture of a namespace: the roots by their names, and all that hangs on them. Plain data: it can be pickled."""

    roots: dict[str, Child]
    nodes: list[Node]

    def reach(self, name: str) -> set[int]:
        """The numbers of all that hangs on a root."""
        found: set[int] = set()
        todo: list[Child] = [self.roots[name]] if name in self.roots else []
        while todo:
            child = todo.pop()
            if isinstance(child, int) and child not in found:
                found.add(child)
                todo += [other for _, other in self.nodes[child].edges]
        return found

    def of_kind(self, kind: str) -> set[str]:
        """The roots of one type."""
        return {name for name, at in self.roots.items() if isinstance(at, int) and self.nodes[at].kind == kind}


@dataclasses.dataclass(frozen=True)
class Difference:
    """Something that is not the same in two graphs.

    Parameters
    ----------
    path : str
        Where: the name of a root and the way from there.
    what : str
        "value", "contents", "identity", "labels", "kind", or "missing".
    kind : str
        The type of the object.
    some, other : str
        What it is here and there.
    nodes : tuple
        The object's numbers here and there; None for a plain value.
    """

    path: str
    what: str
    kind: str
    some: str
    other: str
    nodes: tuple[int | None, int | None] = (None, None)

    @property
    def root(self) -> str:
        """The name that it was found under."""
        return self.path.partition("→")[0]


Pair = tuple[Child, Child, str, tuple[int | None, int | None]]
"""What is compared with what, where that is, and what it hangs on."""


def differences(some: Graph, other: Graph) -> Iterator[Difference]:
    """What is not the same, nearest to the roots first."""
    todo: deque[Pair] = deque()
    for name in sorted(some.roots.keys() | other.roots.keys()):
        if name in some.roots and name in other.roots:
            todo.append((some.roots[name], other.roots[name], name, (None, None)))
        else:
            yield Difference(name, "missing", "name", *("there" if name in g.roots else "" for g in (some, other)))
    comparison = _Comparison(some, other, todo)
    while todo or comparison.later:
        if todo:
            yield from comparison.pair(*todo.popleft())
        else:
            todo += comparison.members(*comparison.later.popleft())


class _Comparison:
    """Which object here is which there, as far as that is known."""

    def __init__(self, some: Graph, other: Graph, todo: deque[Pair]) -> None:
        self._some, self._other = some, other
        self._there: dict[int, int] = {}
        self._back: dict[int, int] = {}
        self._todo = todo
        self.later: deque[tuple[int, int, str]] = deque()
        """What has members without an order."""

    def pair(self, one: Child, two: Child, path: str, parents: tuple[int | None, int | None]) -> Iterator[Difference]:
        """Compare two of them; what they refer to comes later."""
        some, other = self._some, self._other
        if not isinstance(one, int) or not isinstance(two, int):
            if one != two:
                yield Difference(path, "value", _kind(some, one), _text(some, one), _text(other, two), parents)
        elif self._there.get(one, two) != two or self._back.get(two, one) != one:
            yield Difference(path, "identity", some.nodes[one].kind, _text(some, one), _text(other, two), (one, two))
        elif one not in self._there:
            yield from _node_differences(some.nodes[one], other.nodes[two], path, (one, two))
            if some.nodes[one].kind == other.nodes[two].kind:
                self._there[one], self._back[two] = two, one
                self._go_on(one, two, path)

    def _go_on(self, one: int, two: int, path: str) -> None:
        others = dict(self._other.nodes[two].edges)
        for label, child in self._some.nodes[one].edges:
            if label in others and label != MEMBER:
                self._todo.append((child, others[label], f"{path}→{label}", (one, two)))
        if MEMBER in others:
            self.later.append((one, two, path))

    def members(self, one: int, two: int, path: str) -> Iterator[Pair]:
        """Which member is which: those that are known already, then those that look alike, then the rest."""
        here = [child for label, child in self._some.nodes[one].edges if label == MEMBER]
        there = [child for label, child in self._other.nodes[two].edges if label == MEMBER]
        for same in (self._known, self._alike, lambda some, other: True):
            for child in list(here):
                found = next((other for other in there if same(child, other)), None)
                if found is not None:
                    here.remove(child)
                    there.remove(found)
                    yield child, found, f"{path}→{MEMBER}", (one, two)

    def _known(self, one: Child, two: Child) -> bool:
        return isinstance(one, int) and self._there.get(one) == two

    def _alike(self, one: Child, two: Child) -> bool:
        known = one in self._there or two in self._back
        return not known and _looks(self._some, one) == _looks(self._other, two)


def _looks(graph: Graph, child: Child, depth: int = 2) -> Any:
    if isinstance(child, str):
        return child
    node = graph.nodes[child]
    edges = [(label, _looks(graph, other, depth - 1)) for label, other in node.edges] if depth else ()
    return node.kind, repr(node.payload), len(node.edges), edges


def _node_differences(some: Node, other: Node, path: str, nodes: tuple[int, int]) -> Iterator[Difference]:
    if some.kind != other.kind:
        yield Difference(path, "kind", some.kind, some.kind, other.kind, nodes)
        return
    if some.payload != other.payload:
        yield Difference(path, "contents", some.kind, repr(some.payload)[:300], repr(other.payload)[:300], nodes)
    labels, others = ([label for label, _ in node.edges] for node in (some, other))
    if labels != others:
        what = "order" if sorted(labels) == sorted(others) else "labels"
        yield Difference(path, what, some.kind, str(labels)[:300], str(others)[:300], nodes)


def _kind(graph: Graph, child: Child) -> str:
    return graph.nodes[child].kind if isinstance(child, int) else child.partition(":")[0]


def _text(graph: Graph, child: Child) -> str:
    if isinstance(child, str):
        return child[:300]
    node = graph.nodes[child]
    return f"{node.kind} {node.payload!r}"[:300] if node.payload is not None else f"{node.kind} with {len(node.edges)}"


Describe = Callable[[Any], tuple[Any, Iterable[tuple[str, Any]]]]
"""Gives an object's payload, and its children under labels."""


class Builder:
    """Makes a graph.

    Parameters
    ----------
    plain : callable
        Gives the text of a value without an identity; None for an object that is to be a node.
    describe : callable
    """

    def __init__(self, plain: Callable[[Any], str | None], describe: Describe) -> None:
        self._plain = plain
        self._describe = describe
        self.objects: list[Any] = []
        """By their numbers; kept, so that no address is used twice."""
        self._numbers: dict[Any, int] = {}
        self._nodes: list[Node] = []
        self._todo: deque[int] = deque()

    def graph(self, roots: dict[str, Any]) -> Graph:
        """The graph of what hangs on the roots."""
        made = {name: self._child(roots[name]) for name in sorted(roots)}
        while self._todo:
            number = self._todo.popleft()
            node, o = self._nodes[number], self.objects[number]
            node.payload, children = (o.payload, ()) if type(o) is Place else self._describe(o)
            node.edges = [(label, self._child(child)) for label, child in children]
        return Graph(made, self._nodes)

    def _child(self, o: Any) -> Child:
        text = self._plain(o)
        if text is not None:
            return text
        key = o.key if type(o) is Place else id(o)
        if key not in self._numbers:
            self._numbers[key] = len(self._nodes)
            self._nodes.append(Node(o.kind if type(o) is Place else type_text(type(o))))
            self.objects.append(o)
            self._todo.append(self._numbers[key])
        return self._numbers[key]


@dataclasses.dataclass(frozen=True)
class Place:
    """Something that has an identity and is no object: memory that arrays share, figures of pyplot."""

    kind: str
    key: Any
    payload: Any = None


def type_text(cls: type) -> str:
    """The full name of a type."""
    name = type.__getattribute__(cls, "__qualname__")
    return f"{cls.__module__}.{name}" if cls.__module__ != "builtins" else str(name)
