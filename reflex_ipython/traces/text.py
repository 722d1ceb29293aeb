"""A trace as text: a tree of lines, for terminals."""

from __future__ import annotations

import io

from reflex_ipython.traces.labels import folded, label, took
from reflex_ipython.traces.recorded import Trace
from reflex_ipython.traces.tree import Branch, Folded, tree


def as_text(trace: Trace, width: int = 120, *, colours: bool = False) -> str:
    """The calls as a tree, the failing branch marked.

    Parameters
    ----------
    trace : Trace
    width : int
        Columns, after which a line is cut.
    colours : bool
        Whether it is for a terminal that has some.
    """
    from rich.console import Console
    from rich.tree import Tree

    top = Tree(summary(trace), guide_style="dim")
    for branch in tree(trace):
        _add(top, branch)
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=colours, no_color=not colours, highlight=False)
    console.print(top, no_wrap=True, overflow="ellipsis", crop=True)
    for words in trace.limits:
        console.print(words, markup=False)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def summary(trace: Trace) -> str:
    """What was recorded, in a few words."""
    count, functions = len(trace.calls), len(trace.functions)
    if not count:
        return "No call of your own functions was recorded."
    calls = f"{count:,} call{'s' * (count != 1)} of {functions:,} function{'s' * (functions != 1)}"
    return f"{calls}, {took(trace.duration)}"


def _add(above: object, branch: Branch | Folded) -> None:
    from rich.text import Text
    from rich.tree import Tree

    assert isinstance(above, Tree)
    if isinstance(branch, Folded):
        above.add(Text(folded(branch), style="dim"))
        return
    words = label(branch)
    parts = [(words.called, "bold" if branch.is_failing else "")]
    parts += [(f" {words.came}", "red" if words.is_error else "")] if words.came else []
    parts += [(f"  {words.took}", "dim")] if words.took else []
    parts += [(f"  {words.place}", "dim")] if words.is_error else []
    made = above.add(Text.assemble(*parts))
    for below in branch.branches:
        _add(made, below)
