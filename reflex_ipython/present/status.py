"""How things stand, in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from reflex_ipython.models import Repair
from reflex_ipython.present.printable import printable
from reflex_ipython.settings import OPENAI_API_KEY, Settings
from reflex_ipython.version import __version__


class Server(Protocol):
    """A model server that runs on this machine."""

    @property
    def name(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def models(self) -> Sequence[str]: ...


class Provider(Protocol):
    """A provider whose key is there."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def key_variable(self) -> str: ...


def status(
    settings: Settings,
    latest: Repair | None,
    open_repair: Repair | None,
    copies: int = 0,
    memory: int = 0,
    undo: int = 0,
    spent: str = "",
    not_kept: str = "",
) -> str:
    """What `%reflex` says.

    Parameters
    ----------
    settings : Settings
    latest, open_repair : Repair or None
        The latest of all, and the latest that is undecided.
    copies : int
        How many copies of the kernel there are for trials.
    memory : int
        Bytes that they take together.
    undo : int
        Bytes that are held to put the state back.
    spent : str
        What the questions of this session have cost, in words.
    not_kept : str
        Why the last cell can't be taken back, as a sentence.
    """
    lines = [
        f"Reflex {__version__} is {'on' if settings.enabled else 'off: `%reflex on` switches it on'}.",
        chosen_model(settings)
        if settings.model
        else "No model is chosen; the rules work offline. `%reflex model` shows how to choose one.",
    ]
    if latest is None:
        lines.append("No cell has failed so far.")
    elif open_repair is None:
        lines.append(f"The last error, {latest.cause.title}, has been dealt with.")
    else:
        lines.append(f"Open: {open_repair.id}, {open_repair.cause.title}. {_what_to_do(open_repair)}")
    if spent:
        lines.append(f"In this session: {spent}.")
    if copies:
        kept = "A copy of the kernel is" if copies == 1 else f"{copies} copies of the kernel are"
        lines.append(f"{kept} kept for trials until you decide ({memory / 1e6:.0f} MB).")
    if undo:
        lines.append(f"{undo / 1e6:,.1f} MB are kept for undo until another cell runs.")
    if not_kept:
        lines.append(not_kept)
    if settings.trace != "off":
        lines.append("The last calls of your own functions are recorded, which takes up to a twentieth of the time.")
    lines.append("Commands: `%reflex -h`. Settings: `%config Reflex`.")
    return "\n".join(printable(line) for line in lines)


def _what_to_do(repair: Repair) -> str:
    if repair.is_choice:
        ways = " or ".join(f"`%reflex accept {number}`" for number, _ in enumerate(repair.fixes, 1))
        return f"Say which fix is meant: {ways}."
    if repair.fixes:
        return f"`%reflex accept` applies its fix ({repair.fixes[0].origin})."
    return "No fix was found yet; `%reflex fix` looks again."


def chosen_model(settings: Settings, answers: str = "") -> str:
    """Which model is asked, where, and when; `answers`: in which form it answers, as a sentence."""
    answers = f" {answers}".rstrip()
    if not settings.model:
        return "No model is chosen any more."
    named = settings.key_variable != OPENAI_API_KEY
    if settings.provider == "local":
        keep = f"c.Reflex.provider = 'local'; c.Reflex.model = {settings.model!r}"
        return (
            f"In this kernel, the model in {settings.model} is asked {settings.ask_model}, on this machine. "
            f"It ends with the kernel.{answers}\nTo keep this, add to ipython_config.py: {keep}"
        )
    kept = {"provider": settings.provider, "model": settings.model, "base_url": settings.base_url}
    kept["key_variable"] = settings.key_variable if named else None
    keep = "; ".join(f"c.Reflex.{name} = {value!r}" for name, value in kept.items() if value)
    key = f" Its key is read from {settings.key_variable}." if named else ""
    return (
        f"In this kernel, {settings.model} at {_place(settings)} is asked {settings.ask_model}.{key}{answers}\n"
        f"To keep this, add to ipython_config.py: {keep}"
    )


def _place(settings: Settings) -> str:
    return settings.base_url or settings.provider or "the server of OPENAI_BASE_URL, or OpenAI's"


def models(settings: Settings, servers: Sequence[Server], providers: Sequence[Provider] = (), answers: str = "") -> str:
    """What `%reflex model` says: what is chosen, in which form it answers, and what could be."""
    lines = [chosen_model(settings, answers) if settings.model else "No model is chosen, so nothing is sent to one."]
    for server in servers:
        lines.append(f"{server.name} is running at {server.base_url}:")
        lines += [f"  %reflex model {name} --base-url {server.base_url}" for name in server.models]
    if not servers:
        lines.append("No Ollama, LM Studio, vLLM or llama.cpp server is running on this machine.")
    for provider in providers:
        lines.append(f"{provider.key_variable} is set: `%reflex model {provider.name}:NAME` asks {provider.label}.")
    if not providers:
        lines.append("For a provider, set its key in the kernel's environment: OPENAI_API_KEY, ANTHROPIC_API_KEY, …")
    lines.append(
        f"For any other compatible server: set {settings.key_variable} in the kernel's environment, then "
        "`%reflex model NAME --base-url URL [--key-variable VARIABLE]`."
    )
    lines.append("`%reflex model --test` asks the chosen one a short question.")
    return "\n".join(printable(line) for line in lines)
