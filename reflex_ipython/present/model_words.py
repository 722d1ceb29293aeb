"""What the form for choosing a model says."""

from __future__ import annotations

from reflex_ipython.settings import OPENAI_API_KEY, Settings


def where_sent(host: str, *, local: bool, encrypted: bool) -> str:
    """Where a question would go, in a sentence; empty if it stays on this machine.

    Parameters
    ----------
    host : str
        The server's host and port.
    local : bool
        Whether that is this machine.
    encrypted : bool
        Whether the connection is.
    """
    return "" if local else f"What is asked is sent to {host}{'' if encrypted else ', not encrypted'}."


def key_used(settings: Settings, variable: str, *, sent: bool, local: bool) -> tuple[bool, str]:
    """Whether a key may be needed that is not there, and what to say of the key.

    Parameters
    ----------
    settings : Settings
        For whether the key itself is set.
    variable : str
        The environment variable that holds it, or would; empty: none is needed.
    sent : bool
        Whether a key of the user's would be sent.
    local : bool
        Whether the server is on this machine, where most need none.
    """
    if settings.api_key:
        return False, "The key that Reflex.api_key was set to is used."
    if not variable:
        return False, "No key is needed."
    if sent:
        return False, f"{variable} is set in the kernel's environment."
    if local and variable == OPENAI_API_KEY:
        return False, f"{variable} is not sent to a server on this machine."
    return not local, f"{variable} is not set in the kernel's environment."


def answered(model: str, shown: str, seconds: float) -> str:
    """That a model has answered."""
    return f"{model} at {shown} answered in {max(seconds, 0.1):.1f} s."


def chosen(settings: Settings, shown: str, sent: str) -> str:
    """That a model was chosen, when it is asked, and where the questions go."""
    when = {"on request": "when you ask for it"}.get(settings.ask_model, settings.ask_model)
    keep = "%reflex model shows how to keep this."
    return " ".join(filter(None, (f"In this kernel, {settings.model} at {shown} is asked {when}.", sent, keep)))


def to_be_allowed(host: str) -> str:
    """What has to be done before anything is sent."""
    return (
        f"Nothing is sent to {host} before you allow it: `%reflex model --allow`, or the button in a panel. "
        "`%reflex context` shows what a question holds."
    )


def allowed(host: str) -> str:
    """That it was done."""
    return f"Questions may be sent to {host} from now on, in other sessions as well."


_CELLS = 20
"""Characters of the bar."""


def loading(name: str, percent: int) -> str:
    """How far a model file is read, as a bar."""
    done = percent * _CELLS // 100
    rest = f"{percent} %" if percent < 100 else "read, starting it"
    return f"Loading {name} {'█' * done}{'░' * (_CELLS - done)} {rest}"
