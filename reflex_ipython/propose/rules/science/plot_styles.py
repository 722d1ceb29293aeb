"""Names of colours, markers, line styles and style sheets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.scene import Scene, answers

_COLOURS = (
    "red", "green", "blue", "black", "white", "yellow", "orange", "purple", "pink", "brown", "gray", "grey", "cyan",
    "magenta", "lime", "navy", "teal", "olive", "maroon", "gold", "silver", "coral", "salmon", "skyblue", "lightblue",
    "darkblue", "lightgreen", "darkgreen", "darkred", "crimson", "indigo", "violet", "turquoise", "tomato", "orchid",
    "steelblue", "royalblue", "dodgerblue", "slateblue", "firebrick", "chocolate", "khaki", "plum", "lavender", "beige",
    "darkorange", "lightgray", "darkgray", "lightgrey", "darkgrey", "seagreen", "forestgreen", "limegreen", "hotpink",
    "deeppink", "deepskyblue", "cornflowerblue", "lightcoral", "lightpink", "lightyellow", "aqua", "fuchsia", "tan",
)  # fmt: skip

_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "star": "*", "cross": "x", "diamond": "D", "plus": "+",
            "point": ".", "dot": ".", "pentagon": "p", "hexagon": "h", "O": "o", "S": "s", "*-": "*", "line": "_",
            "circles": "o", "round": "o", "o-": "o", "X-": "X", "triangle_up": "^", "triangle_down": "v"}  # fmt: skip


def _colour(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A colour that is none: the closest that is one."""
    for node in scene.every(ast.Constant):
        wrong = node.value
        if not isinstance(wrong, str) or wrong in _COLOURS or not re.fullmatch(r"[a-zA-Z ]{3,20}", wrong):
            continue
        named = found.groupdict().get("wrong")
        if named and named != wrong:
            continue
        joined = wrong.lower().replace(" ", "")
        near = [joined] if joined in _COLOURS else _near_colours(joined)
        parents = [one for call in scene.calls() for one in call.keywords if one.value is node]
        if not named and not any(one.arg in ("color", "c", "facecolor", "edgecolor", "fc", "ec") for one in parents):
            continue
        for place, colour in enumerate(near):
            text = scene.text(node)
            edit = scene.put(node, f"{text[-1]}{colour}{text[-1]}")
            why = (
                f"There is no colour {wrong!r}; {'the closest is' if not place else 'another near one is'} {colour!r}."
            )
            yield scene.proposal([edit], why, "closest colour", 0.3 if place else 0.9 if len(near) == 1 else 0.7)


def _near_colours(wrong: str) -> list[str]:
    """The colours that a misspelt one may be, the likeliest first: a letter is rather left out than another one."""
    clear = closest(wrong, _COLOURS, fixed=True)
    if clear:
        return [clear]
    from rapidfuzz import process  # only who misspells pays for the import
    from rapidfuzz.distance import OSA

    hits = process.extract(wrong, _COLOURS, scorer=OSA.distance, score_cutoff=1 if len(wrong) < 6 else 2, limit=9)
    ranked = sorted(hits, key=lambda hit: (hit[1], len(hit[0]) == len(wrong)))
    return [word for word, _, _ in ranked if word[0] == wrong[0]][:2]


def _marker(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for node in scene.every(ast.Constant):
        if node.value == found["wrong"] and (new := _MARKERS.get(found["wrong"])):
            text = scene.text(node)
            edit = scene.put(node, f"{text[-1]}{new}{text[-1]}")
            yield scene.proposal([edit], f"Markers go by signs: that of {node.value!r} is {new!r}.", "marker", 0.93)


def _format(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`"red-"`: a colour by its name can't be part of a format."""
    wrong = found["wrong"]
    colour = next((one for one in sorted(_COLOURS, key=len, reverse=True) if wrong.startswith(one)), None)
    short = re.match(r"([bgrcmykw]?)([.,ov^<>12348spP*hH+xXDd|_]?)(--|-\.|:|-)?", wrong)
    for call in scene.calls():
        for argument in call.args:
            if isinstance(argument, ast.Constant) and argument.value == wrong:
                text = scene.text(argument)
                if colour:
                    rest = wrong[len(colour) :]
                    end = scene.cell.span(call)[1] - 1
                    edits = [SpanEdit(end, end, f', color="{colour}"')]
                    edits.append(
                        scene.put(argument, f"{text[-1]}{rest}{text[-1]}") if rest else scene.without(call, argument)
                    )
                    why = "A format has one letter for a colour; by its name a colour is given as `color`."
                    yield scene.proposal(edits, why, "colour of the format", 0.9)
                elif short and short.group():
                    why = f"A format is one colour, one marker and one line; of {wrong!r} that is {short.group()!r}."
                    edit = scene.put(argument, f"{text[-1]}{short.group()}{text[-1]}")
                    yield scene.proposal([edit], why, "format", 0.55)


def _style(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`"seaborn"`: `"seaborn-v0_8"`, as matplotlib calls them since 3.6."""
    wrong = found["wrong"]
    offered = ("ggplot", "fivethirtyeight", "bmh", "classic", "dark_background", "grayscale", "tableau-colorblind10",
               "fast", "Solarize_Light2", "seaborn-v0_8", "default")  # fmt: skip
    for node in scene.every(ast.Constant):
        if node.value != wrong:
            continue
        text = scene.text(node)
        if wrong.startswith("seaborn"):
            new = wrong.replace("seaborn", "seaborn-v0_8", 1)
            why = "matplotlib 3.6 renamed its seaborn styles: they carry `v0_8` now."
            prior = 0.96
        else:
            new, prior = closest(wrong, offered, fixed=True) or "", 0.9
            new = new or next((one for one in offered if wrong.lower().startswith(one.lower())), "")
            why = f"There is no style {wrong!r}; the closest is {new!r}."
        if new:
            yield scene.proposal([scene.put(node, f"{text[-1]}{new}{text[-1]}")], why, "renamed style", prior)


plot_styles: Rule = answers(
    "plot_styles",
    (r"'(?P<wrong>[^']*)' is not a valid value for (?:\w*color|c)\b|Invalid RGBA argument: '(?P<w2>[^']*)'"
     r"|argument must be a (?:valid )?color|kwarg must be a color|is not a valid color"
     r"|Invalid color (?P<w3>\w+)", _colour),
    (r"Unrecognized marker style '(?P<wrong>[^']*)'", _marker),
    (r"'(?P<wrong>[^']*)' is not a valid format string", _format),
    (r"OSError: '(?P<wrong>[^']*)' (?:is not a valid package style|not found in the style library)", _style),
)  # fmt: skip

RULES = (plot_styles,)
