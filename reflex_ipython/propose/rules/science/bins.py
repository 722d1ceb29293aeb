"""Bins of `pd.cut` and `pd.qcut`: their edges, and as many labels as there are bins."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.literals import literal_of
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


def _labels(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Other than one label a bin: an edge that the labels name, open ends, or labels that fit."""
    np, imports = scene.module("numpy")
    for call in scene.calls("cut", "qcut"):
        given = keyword(call, "bins", "q")
        edges = given.value if given else call.args[1] if len(call.args) > 1 else None
        named = keyword(call, "labels")
        if edges is None or named is None:
            continue
        edges, labels = literal_of(scene, edges), literal_of(scene, named.value)
        names = labels.elts if isinstance(labels, (ast.List, ast.Tuple)) else None
        if isinstance(edges, ast.Constant) and isinstance(edges.value, int) and names is not None:
            why = f"There are {len(names)} labels for {edges.value} bins; with as many bins they fit."
            yield scene.proposal([scene.put(edges, str(len(names)))], why, "as many bins", 0.66)
        if not isinstance(edges, (ast.List, ast.Tuple)) or names is None or not edges.elts:
            continue
        bins, more = len(edges.elts) - 1, len(names) - len(edges.elts) + 1
        why = f"{len(edges.elts)} edges make {bins} bins, and there are {len(names)} labels; "
        if more > 0:
            yield from _edge_of_labels(scene, edges, names, more, why)
        start, end = scene.cell.span(edges.elts[0])[0], scene.cell.span(edges.elts[-1])[1]
        quantiles = called(call) == "qcut"
        low, high = ("0", "1") if quantiles else (f"-{np}.inf", f"{np}.inf")
        below, above = SpanEdit(start, start, f"{low}, "), SpanEdit(end, end, f", {high}")
        added = [] if quantiles else imports
        if more == 1:
            said = scene.text(names[-1]).strip("'\"")
            open_end = bool(re.search(r"^(?:>|over|above|more)|\+$", said, re.IGNORECASE))
            what = f"{why}the last bin goes on to {high}."
            yield scene.proposal([above, *added], what, "open end", 0.48 if open_end else 0.42)
            yield scene.proposal([below, *added], f"{why}the first bin begins at {low}.", "open start", 0.4)
        elif more == 2:
            what = f"{why}the first begins at {low}, the last goes on to {high}."
            yield scene.proposal([below, above, *added], what, "open ends", 0.8)
        if more > 0 and bins > 0:
            cut = SpanEdit(scene.cell.span(names[bins - 1])[1], scene.cell.span(names[-1])[1], "")
            yield scene.proposal([cut], f"{why}the first {bins} are used.", "labels that fit", 0.42)
        elif more < 0 and names:
            fewer = SpanEdit(scene.cell.span(edges.elts[len(names)])[1], scene.cell.span(edges.elts[-1])[1], "")
            yield scene.proposal([fewer], f"{why}the first {len(names) + 1} edges are used.", "edges that fit", 0.36)
        if more < 0:
            yield scene.proposal([scene.without(call, named)], f"{why}the bins name themselves.", "no labels", 0.4)


def _edge_of_labels(
    scene: Scene, edges: ast.List | ast.Tuple, names: list[ast.expr], more: int, why: str
) -> Iterator[Proposal]:
    """`bins=[0, 40, 100], labels=["<40", "40-60", ">60"]`: the labels speak of an edge that is not there."""
    known = [one.value for one in edges.elts if isinstance(one, ast.Constant) and isinstance(one.value, (int, float))]
    said = {float(number): number for one in names for number in _NUMBER.findall(scene.text(one))}
    missing = sorted(value for value in said if value not in known)
    if len(known) != len(edges.elts) or len(missing) != more:
        return
    edits = []
    for value in missing:
        place = sum(one < value for one in known)
        if place < len(known):
            at = scene.cell.span(edges.elts[place])[0]
            edits.append(SpanEdit(at, at, f"{said[value]}, "))
        else:
            at = scene.cell.span(edges.elts[-1])[1]
            edits.append(SpanEdit(at, at, f", {said[value]}"))
    text = ", ".join(said[value] for value in missing)
    yield scene.proposal(edits, f"{why}the labels speak of {text}, which is no edge.", "edge of the labels", 0.6)


def _twice(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Edges that are there twice are used once."""
    for call in scene.calls("cut", "qcut"):
        if keyword(call, "duplicates") is None:
            why = 'Some edges of the bins are the same; `duplicates="drop"` uses each once.'
            yield scene.proposal([scene.argument(call, 'duplicates="drop"')], why, "each edge once", 0.85)


def _order(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Edges that do not grow are sorted."""
    for call in scene.calls("cut", "histogram", "hist", "digitize"):
        given = keyword(call, "bins")
        edges = given.value if given else call.args[1] if len(call.args) > 1 else None
        if isinstance(edges, (ast.List, ast.Tuple, ast.Name)):
            why = "The edges of bins must grow; sorted they do."
            yield scene.proposal([scene.put(edges, f"sorted({scene.text(edges)})")], why, "edges in order", 0.88)


bins: Rule = answers(
    "bins",
    (r"Bin labels must be one fewer than the number of bin edges", _labels),
    (r"Bin edges must be unique", _twice),
    (r"bins must increase monotonically|`bins` must increase monotonically|bins must be monotonically", _order),
)  # fmt: skip

RULES = (bins,)
