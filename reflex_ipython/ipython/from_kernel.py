"""What the kernel says to a page, over the comm and over the widget.

`labextension/src/fromkernel.ts` is the other side; a test holds the two together.
Every message is a JSON object with a `type`; the classes below are its other fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from reflex_ipython.models import to_json
from reflex_ipython.present.notice import Notice

PanelDocument = Annotated[dict[str, Any], "PanelState"]
"""The panel as JSON (`present.panel`)."""
When = Literal["automatic", "on click", "off"]
"""When fixes are tried: the setting `trial`."""


@dataclass(frozen=True)
class Welcome:
    """The answer to `Hello`, and sent whenever one of these changes.

    `trial`: when fixes are tried. `model`: the chosen one; empty: none is. `server`: where it is, without what may be
    secret in its address; empty: at the usual one.
    """

    type: ClassVar[str] = "welcome"
    session: str
    version: str
    enabled: bool
    trial: When
    model: str
    server: str


@dataclass(frozen=True)
class State:
    """A panel's new state. A page believes it of the kernel that sends it, and nobody else."""

    type: ClassVar[str] = "state"
    state: PanelDocument


@dataclass(frozen=True)
class ModelText:
    """A piece of what the model writes for a repair. `start`: it is the first piece of a new answer."""

    type: ClassVar[str] = "text"
    repair: str
    text: str
    start: bool


@dataclass(frozen=True)
class UnknownRepair:
    """The answer to a `Recall` where the kernel does not know that repair, or not with that content."""

    type: ClassVar[str] = "unknown"
    request: str
    repair: str


@dataclass(frozen=True)
class Declined:
    """An `Accept` comes to nothing, for a reason in words."""

    type: ClassVar[str] = "declined"
    request: str
    repair: str
    reason: str


@dataclass(frozen=True)
class Resumable:
    """The answer to an `Edited` with that source.

    `label` says where a run would go on; empty: it can't. `words`: what running it would repeat, or why it can't.
    """

    type: ClassVar[str] = "resumable"
    repair: str
    source: str
    label: str
    words: str


@dataclass(frozen=True)
class TextTried:
    """The answer to a `TryText`; it comes twice: when the text begins to be tried (`trying`), and with what came of it.

    `verdict`: null where it is not tried; where it could not be tried, it says why.
    """

    type: ClassVar[str] = "text-tried"
    repair: str
    request: str
    trying: bool
    verdict: Notice | None


@dataclass(frozen=True)
class ModelServer:
    """A model server that runs on the kernel's machine."""

    name: str
    base_url: str
    models: tuple[str, ...]


@dataclass(frozen=True)
class ProviderWithKey:
    """A provider whose key is in the kernel's environment."""

    label: str
    base_url: str
    key_variable: str


@dataclass(frozen=True)
class Models:
    """The answer to a `WantModels`: what is set now, the servers that were found, the providers whose key is there.

    It comes twice: at once, `searching`, and when the search for servers has ended.
    """

    type: ClassVar[str] = "models"
    repair: str
    searching: bool
    servers: tuple[ModelServer, ...]
    providers: tuple[ProviderWithKey, ...]
    model: str
    base_url: str
    key_variable: str


@dataclass(frozen=True)
class KeyState:
    """The answer to a `WantKeyState`, in words. `missing`: a key may be needed, and there is none."""

    type: ClassVar[str] = "key-state"
    repair: str
    base_url: str
    key_variable: str
    missing: bool
    words: str


@dataclass(frozen=True)
class ModelAnswer:
    """What came of a `CheckModel` or a `UseModel`, in words. `chosen`: the model is asked from now on."""

    type: ClassVar[str] = "model-answer"
    repair: str
    request: str
    good: bool
    chosen: bool
    words: str


@dataclass(frozen=True)
class OutgoingContext:
    """The answer to a `WantContext`: every byte that would be sent and what was withheld, or why there is none."""

    type: ClassVar[str] = "context"
    repair: str
    text: str


@dataclass(frozen=True)
class SourceEdit:
    """A cell's new source, and the one that it must still have."""

    cell: str
    expected: str
    source: str


@dataclass(frozen=True)
class RunFirst:
    """A cell that runs as it is, and the source that it must still have."""

    cell: str
    expected: str


@dataclass(frozen=True)
class WantCells:
    """A cell lacked what another one may give: the page named `client` is asked for the cells of its notebook."""

    type: ClassVar[str] = "want-cells"
    client: str
    request: str


@dataclass(frozen=True)
class Apply:
    """Rewrite cells, all or none: the answer to an `Accept`, or to a command.

    Then those of `first` run, in that order, until one fails; then the one with the id `run`; empty: none does.
    Only the page named `client` does it; the others ignore it.
    """

    type: ClassVar[str] = "apply"
    client: str
    request: str
    edits: tuple[SourceEdit, ...]
    first: tuple[RunFirst, ...]
    run: str


@dataclass(frozen=True)
class TookBack:
    """The run of a cell was taken back, or could not be. `words` say which, and what came of it.

    `request`: that of a `Back`; empty: a command did it. `cell`: which, whose outputs are of a state that is no more.
    `stale`: those that have used what it had made, taken back before it, in the order in which they ran.
    """

    type: ClassVar[str] = "took-back"
    request: str
    cell: str
    good: bool
    words: str
    stale: tuple[str, ...]


FromKernel = (
    Welcome
    | State
    | ModelText
    | UnknownRepair
    | Declined
    | Resumable
    | TextTried
    | Models
    | KeyState
    | ModelAnswer
    | OutgoingContext
    | WantCells
    | Apply
    | TookBack
)


def dump(message: FromKernel) -> dict[str, Any]:
    """A message to the page, as a JSON object."""
    return {"type": message.type, **to_json(message)}
