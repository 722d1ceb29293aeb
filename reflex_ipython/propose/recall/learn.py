"""What there is to be learnt of a repair: from the edit that was decided on to a lesson for other notebooks."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Sequence

from reflex_ipython.models import Edit, Failure, Lesson, Repair, Step
from reflex_ipython.propose.recall.difference import StatementChange, chain, change
from reflex_ipython.propose.recall.generalise import LessonPattern, fills_all, is_anchored, said, with_rest
from reflex_ipython.propose.recall.holes import is_hole
from reflex_ipython.propose.recall.mistake import mistake, shape
from reflex_ipython.propose.recall.place import failing_statements
from reflex_ipython.propose.rules.cell import read

_LONGEST = 600
"""Characters of a lesson: what is longer was written for one place."""
_SECRET = "REDACTED_"
_DEFINED = ("function", "type")
"""Types of what a notebook defines: that has the same name wherever it is copied to."""


def learnt(repair: Repair) -> Repair:
    """The repair with its lesson, if there is one and it was decided; it is to be redacted already."""
    if repair.worked is None or repair.failure is None:
        return repair
    fix = repair.decided_fix
    steps = repair.applied or (fix.steps if fix is not None else ())
    lesson = lesson_of(repair.failure, steps)
    if (
        fix is not None and fix.lesson is not None and steps == fix.steps
    ):  # what was recalled speaks for what it was recalled from
        lesson = dataclasses.replace(fix.lesson, shape=lesson.shape if lesson else fix.lesson.shape)
    return dataclasses.replace(repair, lesson=lesson)


def lesson_of(failure: Failure, steps: Sequence[Step]) -> Lesson | None:
    """The lesson of a failure that these steps mend; None if it is of no use elsewhere.

    One edit of the failing cell can be learnt from, in which one statement became another or got others in front.
    """
    [edit] = steps if len(steps) == 1 else [None]
    cell, failing = failing_statements(failure)
    if not isinstance(edit, Edit) or edit.target != failure.situation.place:
        return None
    tree, new = cell.tree, read(edit.source).tree
    if tree is None or new is None or edit.expected != failure.situation.source:
        return None
    changed = change(tree, new, failing[-1] if failing else None)
    return _lesson(failure, failing, changed) if changed is not None else None


def _lesson(failure: Failure, failing: Sequence[ast.stmt], changed: StatementChange) -> Lesson | None:
    situation = failure.situation
    meanings, own = situation.meanings, {name for name, of in situation.types.items() if of in _DEFINED}
    levels = _levels(failure, changed)
    pairs = [_generalised(before, after, changed.prelude, meanings, own) for before, after in levels]
    found = [pair for pair in pairs if pair is not None]
    # What says nothing in itself is looked for only where nothing else says more.
    best = next((pair for pair in found if is_anchored(pair[0])), found[0] if found else None)
    if best is None:
        return None
    before, *after = [ast.unparse(ast.fix_missing_locations(node)) for node in (best[0], *best[1])]
    if len(before) + sum(map(len, after)) > _LONGEST or _SECRET in " ".join([before, *after]):
        return None
    here = any(changed.statement is each for each in failing)
    known = shape(failing[-1], meanings) if failing and not hasattr(failing[-1], "body") else ""
    return Lesson(mistake(failure), before, "\n".join(after), here, known)


def _generalised(
    before: ast.AST, after: ast.AST, prelude: Sequence[ast.stmt], meanings: dict[str, str], own: set[str]
) -> tuple[ast.AST, list[ast.AST]] | None:
    """The pattern that is looked for, and what is put in; None if that can't be filled."""
    unchanged = before is after
    pattern = LessonPattern([after, *prelude], meanings, said([after, *prelude]) | own, whole=unchanged)
    looked_for = pattern.before(before)
    put_in = [*map(pattern.after, prelude), looked_for if unchanged else pattern.after(after)]
    if is_hole(looked_for) or not fills_all(put_in, looked_for):
        return None
    return looked_for, put_in


def _levels(failure: Failure, changed: StatementChange) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What may be looked for and what it becomes, the smallest first."""
    if changed.statement is changed.becomes:
        yield from ((node, node) for node in _around_the_failure(failure, changed.statement))
        return
    pairs = chain(changed.statement, changed.becomes)
    for before, after in reversed(pairs):
        if isinstance(before, ast.Call) and isinstance(after, ast.Call):
            reduced = with_rest(before, after)
            if reduced is not None:
                yield reduced
        both = [type(node) for node in (before, after)]
        if all(issubclass(each, ast.expr) for each in both) or all(issubclass(each, ast.stmt) for each in both):
            yield before, after


def _around_the_failure(failure: Failure, statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of an unchanged statement that failed, the innermost first, then the statement."""
    wanted = failure.lookup.wanted if failure.lookup is not None and failure.lookup.kind == "name" else ""
    yield from (node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == wanted)
    span = next((frame.span for frame in failure.error.frames if frame.cell == failure.situation.cell), None)
    for node in ast.walk(statement):
        if isinstance(node, ast.expr) and span == (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset):
            yield node
    if not hasattr(statement, "body"):
        value = getattr(statement, "value", None)
        if isinstance(value, ast.expr):
            yield value
        yield statement
