"""What a page says to the kernel, over the comm and over the widget.

`labextension/src/frompage.ts` is the other side; a test holds the two together.
Every message is a JSON object with a `type`; the classes below are its other fields.
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from reflex_ipython.ipython.from_kernel import PanelDocument, When

ApplyStatus = Literal[
    "applied", "source-changed", "cell-not-found", "read-only", "kernel-mismatch", "first-failed", "run-failed"
]
FixDocument = Annotated[dict[str, Any], "FixView"]
"""A part of the panel as JSON (`present.panel`)."""
CellDocument = Annotated[dict[str, Any], "NotebookCell"]
"""A `NotebookCell` as JSON."""


@dataclass(frozen=True)
class Hello:
    """A page is there, with the labextension in it. `client` is the id of its connection to this kernel."""

    type: ClassVar[str] = "hello"
    client: str
    version: str


@dataclass(frozen=True)
class Recall:
    """A saved panel is shown: does this kernel know its repair? `shown`: all that the panel says."""

    type: ClassVar[str] = "recall"
    request: str
    repair: str
    shown: PanelDocument


@dataclass(frozen=True)
class Accept:
    """The user accepted a fix.

    `shown`: the fix as the panel drew it. `sources`: the new texts of its cells, in its order, where the user has
    changed them; empty: as the kernel has them. `whole`: all of it is to run, even where it could be resumed. `read`:
    the user has ticked that it was read. `client`: the page that can rewrite the cells; empty where none can.
    `at_once`: that page has rewritten the failing cell already, which is all that the fix does, and runs it next.
    """

    type: ClassVar[str] = "accept"
    session: str
    repair: str
    request: str
    client: str
    shown: FixDocument
    sources: list[str]
    run: bool
    whole: bool
    read: bool
    at_once: bool = False


@dataclass(frozen=True)
class Edited:
    """The user has changed the text of a cell that failed: could a run of it go on where it failed?"""

    type: ClassVar[str] = "edited"
    session: str
    repair: str
    source: str


@dataclass(frozen=True)
class Resume:
    """The user wants the failed cell to go on with a text of their own.

    `source`: that text. `client`: the page that runs the cell; empty where none can, then the kernel runs it in place.
    """

    type: ClassVar[str] = "resume"
    session: str
    repair: str
    request: str
    client: str
    source: str


@dataclass(frozen=True)
class Reject:
    """The user rejected all fixes of a repair."""

    type: ClassVar[str] = "reject"
    session: str
    repair: str


@dataclass(frozen=True)
class Undo:
    """The user takes a decision back. `client`: the page that gives the cells their old texts back."""

    type: ClassVar[str] = "undo"
    session: str
    repair: str
    request: str
    client: str


@dataclass(frozen=True)
class Back:
    """The user takes back the run of the last cell. The answer is a `TookBack`."""

    type: ClassVar[str] = "back"
    request: str


@dataclass(frozen=True)
class Try:
    """Try a fix in a copy of the kernel."""

    type: ClassVar[str] = "try"
    session: str
    repair: str
    fix: str


@dataclass(frozen=True)
class TryAgain:
    """Try a fix once more, in a copy of the kernel as it is now. Until that has ended, it counts as not tried."""

    type: ClassVar[str] = "try-again"
    session: str
    repair: str
    request: str
    fix: str


@dataclass(frozen=True)
class TryText:
    """Try a fix as the user has changed it. `sources`: the new texts of its cells, in its order."""

    type: ClassVar[str] = "try-text"
    session: str
    repair: str
    request: str
    fix: str
    sources: list[str]


@dataclass(frozen=True)
class Choose:
    """The user says which of the names that the panel offers was meant."""

    type: ClassVar[str] = "choose"
    session: str
    repair: str
    name: str


@dataclass(frozen=True)
class Ask:
    """Ask the model, with the user's hint. `allow`: the host that the clicked button says may be sent to, if any."""

    type: ClassVar[str] = "ask"
    session: str
    repair: str
    hint: str
    allow: str = ""


@dataclass(frozen=True)
class WantContext:
    """What would be sent, if a model were asked about this repair now?"""

    type: ClassVar[str] = "want-context"
    session: str
    repair: str


@dataclass(frozen=True)
class WantModels:
    """The user wants to choose a model: what is there to choose from?

    Like all that follows up to `UseModel`, it may come from no panel: then `repair` is empty.
    """

    type: ClassVar[str] = "want-models"
    session: str
    repair: str


@dataclass(frozen=True)
class WantKeyState:
    """Where would a question go, and with which key, at this address and with this environment variable?"""

    type: ClassVar[str] = "want-key-state"
    session: str
    repair: str
    base_url: str
    key_variable: str


@dataclass(frozen=True)
class CheckModel:
    """Ask a model one short question, with nothing of the notebook in it, to see whether it answers."""

    type: ClassVar[str] = "check-model"
    session: str
    repair: str
    request: str
    model: str
    base_url: str
    key_variable: str


@dataclass(frozen=True)
class EndCheck:
    """Nobody waits for the answer to a `CheckModel` any more."""

    type: ClassVar[str] = "end-check"
    session: str
    repair: str
    request: str


@dataclass(frozen=True)
class UseModel:
    """The user has chosen a model."""

    type: ClassVar[str] = "use-model"
    session: str
    repair: str
    request: str
    model: str
    base_url: str
    key_variable: str


@dataclass(frozen=True)
class NoModel:
    """No model is to be asked any more."""

    type: ClassVar[str] = "no-model"


@dataclass(frozen=True)
class Cancel:
    """Stop looking for a fix."""

    type: ClassVar[str] = "cancel"
    session: str
    repair: str


@dataclass(frozen=True)
class Enable:
    """Switch the extension on or off."""

    type: ClassVar[str] = "enable"
    enabled: bool


@dataclass(frozen=True)
class SetTrial:
    """When fixes are to be tried."""

    type: ClassVar[str] = "set-trial"
    trial: When


@dataclass(frozen=True)
class Applied:
    """How an `Apply` went."""

    type: ClassVar[str] = "applied"
    request: str
    status: ApplyStatus


@dataclass(frozen=True)
class NotebookCell:
    """A code cell of the notebook. `number`: its place among all cells, from 1."""

    id: str
    source: str
    number: int


@dataclass(frozen=True)
class Cells:
    """The answer to `WantCells`: the notebook's code cells, in its order."""

    type: ClassVar[str] = "cells"
    request: str
    cells: list[CellDocument]


FromPage = (
    Hello
    | Recall
    | Accept
    | Edited
    | Resume
    | Reject
    | Undo
    | Back
    | Try
    | TryAgain
    | TryText
    | Choose
    | Ask
    | WantContext
    | WantModels
    | WantKeyState
    | CheckModel
    | EndCheck
    | UseModel
    | NoModel
    | Cancel
    | Enable
    | SetTrial
    | Applied
    | Cells
)

_KINDS: dict[str, Any] = {kind.type: kind for kind in get_args(FromPage)}
_hints = functools.cache(get_type_hints)
"""They are texts that are compiled, which a click need not wait for each time."""


def _default(field: dataclasses.Field[Any]) -> Any:
    """What a field is that an older page does not send."""
    return None if field.default is dataclasses.MISSING else field.default


def parse(data: Any) -> FromPage:
    """A message of the page.

    Raises
    ------
    ValueError
        If it is none that we know, or its fields are not what they should be.
    """
    name = data.get("type") if isinstance(data, dict) else None
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"unknown message: {str(data)[:100]}")
    fields = {field.name: data.get(field.name, _default(field)) for field in dataclasses.fields(kind)}
    hints = _hints(kind)
    wrong = [name for name, value in fields.items() if not _fits(value, hints[name])]
    if wrong:
        raise ValueError(f"{name}: {', '.join(wrong)} missing or of the wrong kind")
    message: FromPage = kind(**fields)
    return message


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a field's type: a string, a flag, an object, a list of strings, one of some words."""
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is list:
        return isinstance(value, list) and all(_fits(element, get_args(hint)[0]) for element in value)
    return isinstance(value, get_origin(hint) or hint)
