"""What a model is told of a failure, or of the place where code is wanted: sections of Markdown. Pure.

All that comes from the notebook or from a value stands inside of fences: a column's name may hold anything.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence

from reflex_ipython.base.article import a
from reflex_ipython.models import Cause, CellRef, CellSource, Failure, Frame, SimilarCode, Situation, ValueSummary
from reflex_ipython.propose.assign import name
from reflex_ipython.propose.compact_traceback import is_library, traceback_text
from reflex_ipython.propose.fences import fenced, section
from reflex_ipython.propose.file_excerpt import Excerpt
from reflex_ipython.propose.home import earlier_shown, file_in_question, sources_in_question
from reflex_ipython.propose.limits import PromptLimits
from reflex_ipython.propose.looked_up import looked_up
from reflex_ipython.propose.shorten import one_line, shorten

_BUILTINS = frozenset(dir(builtins))
_ITERATORS = ("map", "filter", "zip", "enumerate", "reversed", "generator", "csv.reader", "_csv.reader")
_LOOKED_AT = 8
_ABOVE = 1_500
"""Characters of what stands above the lines of a file."""
_LIBRARY_OBJECT = 400
"""Characters of an object of a library's class: what it holds inside is the library's affair."""
_CALLED = ("table", "mapping")
"""Values whose labels a fix may need."""


def title(cell: CellRef) -> str:
    """The name of a cell in a heading: `In [7]`."""
    return name(cell).removeprefix("# ")


def versions(situation: Situation) -> str:
    """The libraries in play and their versions, in a line."""
    libraries = [f"{library} {version}" for library, version in sorted(situation.versions.items())]
    known = ", ".join([*([f"Python {situation.python}"] if situation.python else []), *libraries])
    return section("Versions", fenced(shorten(one_line(known), 400)))


def imports(situation: Situation) -> str:
    """What is imported already, by its names."""
    told = [f"{name} is {meaning}" for name, meaning in situation.meanings.items()]
    return section("Imported already", fenced(shorten("\n".join(map(one_line, told)), 1_000)))


def earlier_cells(cause: Cause, limits: PromptLimits) -> str:
    """The latest of the earlier cells that define what this one reads, in the order in which they ran."""
    told = (_earlier(cell, limits.earlier_size) for cell in earlier_shown(cause, limits))
    return section("Earlier cells, in the order in which they ran", *told)


def _earlier(cell: CellSource, size: int) -> str:
    return f"{_named(cell)}{_disorder(cell)}:\n{fenced(shorten(cell.source.strip(), size), 'python')}"


def similar_code(situation: Situation, limits: PromptLimits) -> str:
    """Functions and cells that are like the one in question, the likest first: how the same is done elsewhere."""
    told = [
        f"{_place(one)}:\n{fenced(shorten(one.source.strip(), limits.similar_size), 'python')}"
        for one in situation.similar[: limits.similar]
    ]
    return section("Code elsewhere in the notebook and the project that is most like it", *told)


def _place(one: SimilarCode) -> str:
    place = one_line(one.place)
    return f"{one_line(one.name)} in {place}" if one.name else place


def _named(cell: CellSource) -> str:
    return title(cell.cell) if cell.cell.execution_count else "A cell"


def _disorder(cell: CellSource) -> str:
    """What is out of order with a cell that ran, in words that follow its name."""
    said = []
    if cell.error:
        said.append("failed")
    if cell.runs:
        said.append(f"ran before as {_numbers(cell.runs)}")
    if cell.edited:
        said.append("has another text by now")
    return f" ({', '.join(said)})" if said else ""


def _numbers(runs: Sequence[int]) -> str:
    return ", ".join(f"In [{number}]" for number in runs)


def values(cause: Cause, limits: PromptLimits) -> str:
    """The values of the user's names, nearest to the failure first; names and types where nothing else is known."""
    known = _values(cause)[: limits.values]
    if known:
        return section("Values", fenced("\n".join(_value(value, limits) for value in known)))
    lookup = cause.lookup if isinstance(cause, Failure) else None
    types = list(cause.situation.types.items())[-limits.names :] if lookup is None else []
    return section("Names that exist", fenced("\n".join(f"{name}: {kind}" for name, kind in types)))


def _values(cause: Cause) -> list[ValueSummary]:
    """The values in the user's frames, the innermost first, and the situation's, each once."""
    frames = cause.error.frames if isinstance(cause, Failure) else ()
    own = [frame for frame in frames if frame.cell is not None or not is_library(frame)]
    found: dict[tuple[str, str], ValueSummary] = {}
    for known in (*(frame.variables for frame in reversed(own)), cause.situation.values):
        for value in known:
            if value.kind != "module":
                found.setdefault((value.name, value.text), value)
    return list(found.values())


def _value(value: ValueSummary, limits: PromptLimits) -> str:
    of_library = value.kind == "object" and "." in value.type
    size = min(limits.value_size, _LIBRARY_OBJECT) if of_library else limits.value_size
    text = shorten(value.text.strip(), size)
    separator = "\n" if "\n" in text else " "
    known = f"{value.name}: {value.type}" + (f" ={separator}{text}" if text else "")
    labels = value.labels[: limits.names] if value.kind in _CALLED else ()
    missing = [one_line(label) for label in labels if label not in text]
    return f"{known}\n  has: {', '.join(missing)}" if missing else known


def error(failure: Failure, limits: PromptLimits) -> str:
    """What was raised and where, and what is known of that."""
    said = traceback_text(failure, limits.exceptions, limits.library_frames, limits.message_size)
    known = [
        *(_unbound(failure, limits) or looked_up(failure.lookup, failure.situation, limits.names)),
        *_hidden_builtins(failure),
        *_one_pass(failure),
        *map(one_line, failure.remarks),
    ]
    runs = failure.situation.runs
    again = f"This very cell has run before, as {_numbers(runs)}." if runs else ""
    return section("The error", fenced("\n".join([said, *known])), again)


def _unbound(failure: Failure, limits: PromptLimits) -> list[str]:
    """What an `UnboundLocalError` means: where the name exists globally, and where a like one may be meant."""
    if failure.error.ename != "UnboundLocalError" or failure.lookup is None:
        return []
    wanted, function = failure.lookup.wanted, _function(failure.error.frames)
    if wanted in failure.situation.names:
        return [
            f"The function{function} assigns to {wanted}, so {wanted} is local in all of it; the global {wanted} is "
            f"not seen there without `global {wanted}`."
        ]
    _, *there = looked_up(failure.lookup, failure.situation, limits.names)  # there is such a name
    return [f"{wanted} had no value yet in the function{function} when it was read.", *there]


def _hidden_builtins(failure: Failure) -> Iterator[str]:
    """That what was called is no longer Python's own, where a cell has bound its name to something else."""
    if "not callable" not in failure.error.evalue:
        return
    known = {value.name: value.type for value in _values(failure)}
    for called in known.keys() & _BUILTINS:
        yield f"{called} is {a(known[called])} here, not Python's own {called}: `del {called}` brings that back."


def _one_pass(failure: Failure) -> Iterator[str]:
    """That what may be empty by now was an iterator."""
    for value in _values(failure)[:_LOOKED_AT]:
        if value.type in _ITERATORS:
            yield f"{value.name} is {a(value.type)}: it can be gone through only once."


def _function(frames: Sequence[Frame]) -> str:
    return f" {frames[-1].function}" if frames and frames[-1].function != "<module>" else ""


def _holding(cell: CellSource, shown: Excerpt | None) -> str:
    """The heading of what holds the code that failed."""
    if shown is None:
        return f"{title(cell.cell)}, which holds the function that failed"
    part = "" if shown.is_whole else f", lines {shown.first + 1} to {shown.last} of it"
    return (
        f"The file {shown.file.file.name}{part}, which holds the code that failed; here it goes by {title(cell.cell)}"
    )


def _above(shown: Excerpt | None) -> str:
    """What there is above the lines of a file that are shown."""
    known = "" if shown is None or shown.is_whole else shown.above
    return f"Above it there is, and stays:\n{fenced(shorten(known, _ABOVE), 'python')}" if known else ""


def cells_in_question(failure: Failure) -> str:
    """The cell that fails, whole; before it the earlier one whose function failed."""
    *elsewhere, failing = sources_in_question(failure)
    shown = file_in_question(failure)
    told = [section(_holding(cell, shown), _above(shown), fenced(cell.source, "python")) for cell in elsewhere]
    number = f": {title(failing.cell)}" if failing.cell.execution_count else ""
    return "\n\n".join([*told, section(f"The cell that fails{number}", fenced(failing.source, "python"))])
