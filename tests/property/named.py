"""Which differences the words have named."""

from __future__ import annotations

import re

from tests.property.graph import Difference, Graph

BLANKET = ("what the failed run did, since another cell ran in between", "not undone: what the cell did")
"""Words that name all that the failed run has done."""
_NO_NAMES = re.compile(r"said: (?=not run)|`[^`]*`(?:, `[^`]*`)* (?:runs? (?:its|their) new code|ha(?:s|ve) (?:its|their) old code again)|resumed at line \d+")
_WORD = re.compile(r"[\w.']+")


class Named:
    """What the words of one case say.

    Parameters
    ----------
    words : list of str
    some, other : Graph
        The pictures that are compared.
    """

    def __init__(self, words: list[str], some: Graph, other: Graph) -> None:
        self.text = " ; ".join(_NO_NAMES.sub("", text) for text in words)
        self._all = any(blanket in self.text for blanket in BLANKET)
        tokens = {word.strip(".'") for word in _WORD.findall(self.text)} | {word.partition(".")[0] for word in _WORD.findall(self.text)}
        self.names = {name for name in some.roots.keys() | other.roots.keys() if name in tokens or (" " in name and name in self.text)}
        if "." in self.text:
            self.names |= {name for name in some.roots.keys() | other.roots.keys() if "." in name and name in self.text}
        self._reached = [set().union(*(graph.reach(name) for name in self.names)) if self.names else set() for graph in (some, other)]

    def by(self, difference: Difference) -> str:
        """What names it; empty if nothing does."""
        if self._all:
            return "all that the failed run did"
        if difference.root in self.names:
            return difference.root
        if difference.root == "files" and (found := [part for part in re.findall(r"\['([^']+)'\]|'([^']+)'", difference.path + difference.some + difference.other) for part in part if part and part in self.text]):
            return found[0]
        for place, number in enumerate(difference.nodes):
            if number is not None and number in self._reached[place]:
                return "something that it hangs on"
        return ""
