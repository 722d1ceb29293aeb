"""Random cells: some objects of several kinds, statements that change and link them, one that fails half-way."""

from __future__ import annotations

import ast
import dataclasses
import random
import textwrap

from tests.property.kind import Kind, bound
from tests.property.kinds import EVERY
from tests.property.routes import ROUTES

LINKS = (
    "box = [{a}, {b}]",
    "box = {{'k': {a}, 'l': [{b}]}}",
    "twin = {a}",
    "pair = ({a}, {b}); same = {a} is {b}",
    "link_f = lambda: ({a}, {b})",
    "def link_g(v={a}): return v, {b}",
    "class Link:\n    held = {a}\n    def __init__(self): self.other = {b}\nlink = Link()",
    "globals()['late'] = {a}",
    "exec('late = [{a}]')",
    "held = [held, {a}] if 'held' in globals() else [{a}]",
    "import types as ty_; carrier = ty_.SimpleNamespace(x={a}, y={b})",
    "carrier_d = dict(a={a}); carrier_d['b'] = {b}",
)
"""Statements that make one object refer to others."""
LAST = ("del {a}", "{a} = None", "{a}, {b} = {b}, {a}", "{a} = {b}", "globals().pop('{a}')", "{a} = [{a}]")
"""Statements after which the names mean something else: nothing may need them any more."""
WRAPPED = (
    "for _turn in range(2):\n{s}",
    "if True:\n{s}",
    "try:\n{s}\nfinally:\n    pass",
    "with __import__('contextlib').nullcontext():\n{s}",
    "for _turn in 'ab':\n{s}\nelse:\n    turned = _turn",
    "while True:\n{s}\n    break",
    "match 1:\n    case _:\n{s2}",
)
IN_FUNCTION = (
    "def go():\n{s}\ngo()",
    "class Body:\n    done = 1\n    def go(self):\n{s2}\nBody().go()",
    "def go_g():\n{s}\n    yield 1\nlist(go_g())",
)
OF_EXPRESSION = (
    "got_e = {s}",
    "got_e = [{s} for _turn in range(2)]",
    "got_e = (lambda: {s})()",
    "print({s}, end='')",
    "got_e = eval({r})",
    "got_e = ({s}, 1)",
    "got_e = {{'k': {s}}}",
    "(got_w := {s})",
    "got_e = list(map(lambda _: {s}, [0]))",
    "assert [{s}, True]",
    "got_e = [1, {s}][0]",
    "got_e = sorted([2, 1], key=lambda v: ({s}, v)[1])",
)
HALF_DONE = (
    ("for _half in range(2):\n{s}\n    if _half: {x}", "for _half in range(2):\n{s}\n    if _half: pass"),
    ("try:\n{s}\nfinally:\n    {x}", "try:\n{s}\nfinally:\n    pass"),
    ("if True:\n{s}\n    {x}", "if True:\n{s}\n    'fixed'"),
    ("with __import__('contextlib').nullcontext():\n{s}\n    {x}", "with __import__('contextlib').nullcontext():\n{s}"),
    ("{x}", "'fixed'"),
    ("{x}\n", "fixed = 1"),
)
HALF_DONE_FUNCTION = (("def half():\n{s}\n    {x}\nhalf()", "def half():\n{s}\n    return 1\nhalf()"),)
HALF_DONE_EXPRESSION = (
    ("half_e = [{s}, {x}]", "half_e = [{s}, 1]"),
    ("half_e = {s}; {x}", "half_e = {s}"),
    ("print({s}, {x})", "print({s})"),
    ("half_e = [({s}, {{0: 1}}[_k]) for _k in range(2)]", "half_e = [({s}, {{0: 1}}.get(_k)) for _k in range(2)]"),
)
FAILURES = ("missing_name", "1 / 0", "{}['missing']", "None.attribute", "int('x')", "missing_call(1)", "[][3]")


@dataclasses.dataclass(frozen=True)
class Case:
    """One random cell and how its fix is accepted.

    Parameters
    ----------
    seed, index : int
        What it was made from.
    route : str
        How it is accepted, one of `ROUTES`.
    kinds : tuple of str
        What it is about.
    setup : tuple of str
        The statements of an earlier cell.
    before, after : tuple of str
        The statements around the one that fails.
    bad, good : str
        That one, and as it is right.
    other : str
        A further statement, for the routes that need one.
    wide : bool
        Whether the bounds are out of the way.
    """

    seed: int
    index: int
    route: str
    kinds: tuple[str, ...]
    setup: tuple[str, ...]
    before: tuple[str, ...]
    bad: str
    good: str
    after: tuple[str, ...]
    other: str = ""
    wide: bool = True


def make_case(seed: int, index: int) -> Case:
    """The case of a number."""
    return _Making(random.Random(f"{seed}/{index}"), seed, index).case()


class _Making:
    def __init__(self, dice: random.Random, seed: int, index: int) -> None:
        self._dice = dice
        self._seed, self._index = seed, index
        # each kind comes up equally often
        first = EVERY[index % len(EVERY)]
        more = dice.sample(EVERY, dice.choice((0, 1, 1, 2)))
        self._kinds = list(dict.fromkeys([first, *more]))
        self._made: list[Kind] = []

    def case(self) -> Case:
        dice = self._dice
        route = dice.choice(ROUTES)
        inside = [kind for kind in self._kinds if dice.random() < 0.2]
        setup = self._setup([kind for kind in self._kinds if kind not in inside])
        before: list[str] = []
        for kind in inside:
            before += kind.make
            self._made.append(kind)
        before += [self._statement() for _ in range(dice.randint(0 if before else 1, 4))]
        bad, good = self._half_done("missing_call(1)" if "inserted" in route and dice.random() < 0.7 else "")
        after = [self._statement() for _ in range(dice.randint(1, 3))]
        if dice.random() < 0.15 and any(kind.names for kind in self._made):
            after.append(self._link(LAST))
        other = self._simple()
        about, wide = tuple(kind.name for kind in self._kinds), dice.random() < 0.7
        texts = (tuple(setup), tuple(before), bad, good, tuple(after), other)
        return Case(self._seed, self._index, route, about, *texts, wide=wide)

    def _setup(self, kinds: list[Kind]) -> list[str]:
        needs = dict.fromkeys(need for kind in self._kinds for need in kind.needs)
        made = []
        for kind in kinds:
            made += kind.make
            self._made.append(kind)
        if self._dice.random() < 0.3 and self._made:
            made.append(self._link(LINKS))
        return [*needs, *made]

    def _simple(self) -> str:
        return self._dice.choice(self._dice.choice(self._made).changes)

    def _statement(self) -> str:
        dice = self._dice
        roll = dice.random()
        if roll < 0.15:
            kind = dice.choice(self._made)
            if kind.reads:
                return dice.choice(("{}", "look = {}", "print({}, end='')", "if {}: pass")).format(
                    dice.choice(kind.reads)
                )
        if roll < 0.3:
            return self._link(LINKS)
        source = self._simple()
        if roll < 0.65:
            return source
        if is_expression(source) and dice.random() < 0.6:
            return dice.choice(OF_EXPRESSION).format(s=source, r=repr(source)) if "await" not in source else source
        return self._wrap(source, dice.choice(self._wrappings(source)))

    def _wrappings(self, source: str) -> tuple[str, ...]:
        """A function may not bind what belongs to the notebook."""
        return WRAPPED if _is_notebooks(source) else (*WRAPPED, *IN_FUNCTION)

    def _wrap(self, source: str, form: str, failure: str = "") -> str:
        lines = textwrap.indent(source, "    ")
        return form.format(s=lines, s2=textwrap.indent(source, "        "), x=failure)

    def _half_done(self, failure: str) -> tuple[str, str]:
        dice, source = self._dice, self._simple()
        failure = failure or dice.choice(FAILURES)
        forms: list[tuple[str, str]] = list(HALF_DONE)
        if not _is_notebooks(source):
            forms += HALF_DONE_FUNCTION * 3
        if is_expression(source) and "await" not in source and dice.random() < 0.5:
            bad, good = dice.choice(HALF_DONE_EXPRESSION)
            return bad.format(s=source, x=failure), good.format(s=source)
        bad, good = dice.choice(forms)
        return self._wrap(source, bad, failure).strip("\n"), self._wrap(source, good).strip("\n")

    def _link(self, forms: tuple[str, ...]) -> str:
        names = [name for kind in self._made for name in kind.names] or ["None"]
        names = [name for name in names if name.isidentifier()]
        return self._dice.choice(forms).format(a=self._dice.choice(names), b=self._dice.choice(names))


def _is_notebooks(source: str) -> bool:
    """Whether a statement can stand at a notebook's top level alone: it binds what belongs there, or awaits."""
    return bool(bound(source)) or any(word in source for word in ("await", "async ", "yield", "import"))


def is_expression(source: str) -> bool:
    """Whether a statement is one expression."""
    body = ast.parse(source).body
    return len(body) == 1 and isinstance(body[0], ast.Expr)


def smaller(case: Case) -> list[Case]:
    """The same case with one statement less, in each way."""
    found = []
    for field in ("after", "before", "setup"):
        statements = getattr(case, field)
        for place in range(len(statements)):
            fewer = (*statements[:place], *statements[place + 1 :])
            found.append(dataclasses.replace(case, **{field: fewer}))
    return found
