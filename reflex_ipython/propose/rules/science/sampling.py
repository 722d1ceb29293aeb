"""Random numbers: seeds, samples, probabilities."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword


def _seed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("seed", "RandomState"):
        value = call.args[0] if call.args else None
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            edit = scene.put(value, scene.text(value.operand))
            yield scene.proposal([edit], "A seed is not negative.", "seed", 0.75)
        elif value is not None:
            text = f"abs(hash({scene.text(value)})) % 2**32" if not isinstance(value, ast.Constant) else "0"
            yield scene.proposal(
                [scene.put(value, text)], "A seed is a whole number from 0 to 2**32 - 1.", "seed", 0.45
            )


def _sampling(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """More is drawn than there is: with replacement, or all there is."""
    for call in scene.calls("choice", "sample"):
        given = keyword(call, "replace")
        why = "More is drawn than there is; with replacement the same may come twice."
        edit = scene.put(given.value, "True") if given else scene.argument(call, "replace=True")
        yield scene.proposal([edit], why, "with replacement", 0.66)
        sizes = [one.value for one in call.keywords if one.arg in ("size", "n")] + call.args[1:2]
        owner = (
            scene.text(call.args[0])
            if called(call) == "choice" and call.args
            else scene.text(call.func).rpartition(".")[0]
        )
        if called(call) == "sample":
            sizes = [one.value for one in call.keywords if one.arg == "n"] + call.args[:1]
        for size in sizes[:1]:
            text = f"len({owner})" if not owner.isdigit() else owner
            why = "More is drawn than there is; without replacement there are no more than that."
            yield scene.proposal([scene.put(size, text)], why, "all there is", 0.3)


def _probabilities(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    np, imports = scene.module("numpy")
    for call in scene.calls("choice"):
        given = keyword(call, "p")
        if given is not None:
            text = scene.text(given.value)
            new = f"{np}.array({text}) / {np}.sum({text})"
            why = "Probabilities add up to 1; divided by their sum they do."
            yield scene.proposal([scene.put(given.value, new), *imports], why, "sum of one", 0.85)


def _one_axis_to_choose(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls("choice"):
        if call.args:
            new = f"{scene.operand(call.args[0])}.ravel()"
            why = "`choice` draws from one dimension; `ravel` lays all values out in one."
            yield scene.proposal([scene.put(call.args[0], new)], why, "one dimension", 0.6)
            rows = f"{scene.operand(call.args[0])}[{scene.text(call.func)}(len({scene.text(call.args[0])}))]"
            yield scene.proposal([scene.put(call, rows)], "One of the rows is drawn.", "one row", 0.45)


sampling: Rule = answers(
    "sampling",
    (r"Seed must be between|Cannot cast scalar from dtype.*according to the rule 'safe'", _seed),
    (r"Cannot take a larger sample than population", _sampling),
    (r"[Pp]robabilities do not sum to 1", _probabilities),
    (r"ValueError: a must be 1-dimensional", _one_axis_to_choose),
)  # fmt: skip

RULES = (sampling,)
