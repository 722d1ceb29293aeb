"""Parts for training and for testing that do not belong together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit, apply
from reflex_ipython.propose.rules.cell import Cell, read
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called

TRAIN = re.compile(r"(?<![a-z])(train|tr)(?![a-z])|(?<![a-z])(test|te|valid|val)(?![a-z])")


def _lengths(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`model.fit(X_train, y_test)`: the side that belongs to the other."""
    names = scene.failure.situation.names
    for call in scene.calls():
        given: list[ast.expr] = [*call.args, *(one.value for one in call.keywords)]
        plain = [
            node
            for one in given
            for node in ast.walk(one)
            if isinstance(node, ast.Name) and (isinstance(one, (ast.Name, ast.Call)))
        ]
        for node in plain:
            for word in _counterparts(node.id, names):
                if word != node.id and word not in {one.id for one in plain}:
                    agreeing = _agree(word, [_whence(scene, one.id) for one in plain if one is not node])
                    why = f"The lengths differ ({found['lengths']}); `{word}` belongs to the others."
                    # What is fitted is the part for training; what is measured, the other.
                    usual = "train" if called(call).startswith(("fit", "cross_val")) else "test"
                    prior = 0.36 if not agreeing else 0.8 if part_of(word) in ("", usual) else 0.38
                    yield scene.proposal([scene.put(node, word)], why, "counterpart", prior)
    yield from _split_order(scene)


def _whence(scene: Scene, name: str) -> str:
    """The name of the data that predictions were made from; a name that tells its part itself is its own."""
    if part_of(name):
        return name
    cells = [scene.cell, *(read(one.source) for one in reversed(scene.failure.situation.earlier))]
    for node in (one for cell in cells for one in reversed(cell.every(ast.Assign))):
        call, targets = node.value, [one.id for one in node.targets if isinstance(one, ast.Name)]
        if name in targets:
            predicted = isinstance(call, ast.Call) and called(call).startswith(("predict", "transform", "decision"))
            given = call.args[0] if isinstance(call, ast.Call) and predicted and call.args else None
            return given.id if isinstance(given, ast.Name) else name
    return name


def _counterparts(name: str, names: tuple[str, ...]) -> list[str]:
    """Names that differ just in `train` and `test`, or lack it."""
    family = TRAIN.sub("*", name)
    bare = re.sub(r"_?\*_?", "", family)
    return [
        one
        for one in names
        if one != name and (TRAIN.sub("*", one) == family or ("*" not in family and _bare(one) == name) or one == bare)
    ]


def _bare(name: str) -> str:
    return re.sub(r"_?\*_?", "", TRAIN.sub("*", name))


def _agree(word: str, others: list[str]) -> bool:
    found = TRAIN.search(word)
    kind = found.group() if found else ""
    kinds = [match.group() for one in others if (match := TRAIN.search(one))]
    return bool(kinds) and all(one == kind for one in kinds)


def _split_order(scene: Scene) -> Iterator[Proposal]:
    """`X_train, y_train, X_test, y_test = train_test_split(X, y)`, also in an earlier cell: the order that it gives."""
    earlier = [(read(one.source), one) for one in reversed(scene.failure.situation.earlier)]
    for cell, source in [(scene.cell, None), *earlier]:
        for edits in _in_order(cell):
            why = "`train_test_split` gives both parts of the first array, then both of the second."
            yield Proposal(apply(cell.source, edits), why, "order of the parts", 0.93, source)


def _in_order(cell: Cell) -> Iterator[list[SpanEdit]]:
    """The edits that bring the names of each split into its order."""
    for node in cell.every(ast.Assign):
        target = node.targets[0]
        if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(node.value, ast.Call):
            continue
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        if called(node.value) != "train_test_split" or len(names) != 4 or len(target.elts) != 4:
            continue
        if len({part_of(one) for one in names[:2]}) == 1 and part_of(names[0]):  # train, train, test, test
            order = [names[0], names[2], names[1], names[3]]
            yield [SpanEdit(*cell.span(one), word) for one, word in zip(target.elts, order)]


def part_of(name: str) -> str:
    found = TRAIN.search(name)
    return "" if found is None else "train" if found.group().startswith("tr") else "test"


def _unpacking(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`train, test = train_test_split(X, y)`: four parts."""
    statement = scene.statement()
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return
    target, call = statement.targets[0], statement.value
    if called(call) != "train_test_split" or not isinstance(target, ast.Tuple):
        return
    if len(target.elts) == 2 and len(call.args) == 2:
        names = [scene.text(one) for one in target.elts]
        prefix = scene.text(call.args[1])
        new = [names[0], names[1], *(re.sub(r"^[A-Za-z]+?(?=_|$)", prefix, one) for one in names)]
        whole = [scene.text(one) for one in call.args]
        if len(set(new)) < 4 and all(one.isidentifier() for one in whole):  # `train, test = train_test_split(X, y)`
            new = [f"{one}_{name}" for one in whole for name in names]
        if len(set(new)) == 4 and prefix.isidentifier():
            edit = scene.put(target, ", ".join(new))
            why = "`train_test_split` of two arrays gives four parts: both of the first, both of the second."
            yield scene.proposal([edit], why, "parts of the split", 0.85)
    if len(target.elts) == 4 and len(call.args) == 1:
        for word in [name for name in ("y", "Y", "target", "labels") if name in scene.failure.situation.names]:
            end = scene.cell.span(call.args[0])[1]
            why = f"One array gives two parts; with `{word}` there are four."
            yield scene.proposal([SpanEdit(end, end, f", {word}")], why, "both arrays", 0.75)


splits: Rule = answers(
    "splits",
    (r"inconsistent numbers of samples: \[?(?P<lengths>[\d, ]+)", _lengths),
    (r"(?:too many|not enough) values to unpack", _unpacking),
)  # fmt: skip

RULES = (splits,)
