"""The settings: one plain object, each with its unit, its default and a sentence.

In IPython they are `%config Reflex.NAME = value` and `c.Reflex.NAME = value` in a configuration file.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reflex_ipython.errors import BadInput

OPENAI_API_KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key, unless the user names another."""

_SECRET = ("api_key", "history_url")
"""Settings that may hold a password: their values are not shown."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")


def _setting(
    default: Any,
    help: str,
    unit: str = "",
    *,
    choices: tuple[str, ...] = (),
    least: float | None = None,
    variable: bool = False,
) -> Any:
    metadata = {"help": help, "unit": unit, "choices": choices, "least": least, "variable": variable}
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """What a user can set. `describe()` lists all of it."""

    enabled: bool = _setting(True, "Look for a fix whenever a cell fails. `%reflex fix` works either way.")
    ask_model: str = _setting(
        "when no rule fits",
        "When the chosen model is asked automatically; the panel's button and `%reflex fix` ask it at any time.",
        choices=("when no rule fits", "always", "on request"),
    )
    model: str | None = _setting(
        None, "The name of the language model to ask, as its server knows it. None: no model is asked."
    )
    provider: str | None = _setting(
        None,
        "The kind of server: `openai`, `anthropic`, `qwen`, `gemini`, `mistral`, `groq`, `openrouter`, `azure`, "
        "`ollama`, `lm-studio`, `vllm`, `llama.cpp`; `local`: `model` is a GGUF file. None: any OpenAI-compatible one.",
    )
    base_url: str | None = _setting(
        None,
        "The server's address, `http://localhost:11434/v1`. None: the provider's own, else OPENAI_BASE_URL, else "
        "OpenAI's.",
    )
    api_key: str | None = _setting(
        None, "The key for that server. None: see `key_variable`. Never stored, shown or sent anywhere else."
    )
    key_variable: str = _setting(
        OPENAI_API_KEY,
        "The name of the environment variable that holds the key for that server, where `api_key` is None. As it is by "
        "default, the provider's own (`GROQ_API_KEY`).",
        variable=True,
    )
    keep_state: bool = _setting(
        True, "Record the state before each statement, so that an accepted fix can resume where the cell failed."
    )
    undo_nodes: int = _setting(10_000, "Maximum number of objects inspected per cell for undo.", "objects", least=0)
    undo_bytes: int = _setting(256_000_000, "Maximum size of the copies made per cell for undo.", "bytes", least=0)
    undo_time: float = _setting(0.05, "Maximum time spent inspecting objects per cell for undo.", "seconds", least=0.0)
    undo_share: float = _setting(
        0.03, "Maximum share of the cells' own running time that may be spent on undo.", "share", least=0.0
    )
    keep_cells: int = _setting(1, "How many of the last cells `%reflex back` can take back. 0: none.", "cells", least=0)
    back_bytes: int | None = _setting(
        None,
        "Maximum size of what is kept to take cells back. None: 64 MB, or 2 % of the free memory if that is less.",
        "bytes",
        least=0,
    )
    look_ahead: bool = _setting(
        True,
        "While a cell runs, say which of its later statements will surely fail; accepting then changes the cell as it "
        "runs. In JupyterLab and Notebook, where `keep_state` is on.",
    )
    trial: str = _setting(
        "automatic",
        "When a fix is tried in a copy of the kernel (Linux only).",
        choices=("automatic", "on click", "off"),
    )
    trial_timeout: float = _setting(10.0, "Maximum duration of a trial.", "seconds", least=0.1)
    trace: str = _setting(
        "off",
        "`last calls`: keep the last 20 calls of each of your own functions that a cell calls, up to 32 MB, to try a "
        "changed function with them. A call costs 5 to 30 µs more, until recording takes a twentieth of the time: then "
        "calls are passed over for 0.5 µs each, but for the first 20 of a cell and the one that fails. Before Python "
        "3.12, code in Python takes up to three times as long.",
        choices=("off", "last calls"),
    )
    search_candidates: int = _setting(
        24, "Maximum number of possible fixes that are tried where no rule is sure. 0: none.", "candidates", least=0
    )
    search_time: float = _setting(
        2.0, "Maximum time spent trying possible fixes where no rule is sure.", "seconds", least=0.0
    )
    attempts: int = _setting(
        5,
        "Maximum number of times a model is asked for one repair, as long as its fixes do not pass.",
        "questions",
        least=1,
    )
    review: bool = _setting(
        True,
        "Ask the model whether code that it wrote from your words, and that ran, does what you asked for. What it says "
        "is shown either way; a no counts as a failed attempt.",
    )
    similar_code: bool = _setting(
        True,
        "Tell the model the functions and cells that are most like the code in question: of the notebook, and of the "
        "Python files below the working folder.",
    )
    timeout: float = _setting(
        60.0, "Maximum time to wait while the model's server sends nothing.", "seconds", least=0.1
    )
    total_timeout: float = _setting(
        600.0, "Maximum total time for one answer from the model, however much its server sends.", "seconds", least=0.1
    )
    answers: str = _setting(
        "blocks",
        "How the model is to answer: in blocks of code, or structured, in JSON that its server holds to a schema. The "
        "latter where that is known to work with every model: `openai`, `anthropic`, `gemini`, `mistral`, `azure`, "
        "`ollama`, `lm-studio`, `vllm`, `llama.cpp`, `local`; elsewhere, or refused, in blocks.",
        choices=("blocks", "structured"),
    )
    temperature: float | None = _setting(None, "The model's sampling temperature. None: not sent.", least=0.0)
    max_tokens: int | None = _setting(
        None, "Maximum number of tokens the model may write. None: not sent.", "tokens", least=1
    )
    input_price: float | None = _setting(
        None, "What the model charges for input; used to show the cost.", "US dollars per million tokens", least=0.0
    )
    output_price: float | None = _setting(
        None, "What the model charges for output; used to show the cost.", "US dollars per million tokens", least=0.0
    )
    budget_tokens: int | None = _setting(
        None, "Maximum number of tokens for all questions of a session together. None: no maximum.", "tokens", least=0
    )
    budget_dollars: float | None = _setting(
        None,
        "Maximum cost of all questions of a session, where prices are known. None: no maximum.",
        "US dollars",
        least=0.0,
    )
    allowed_hosts: str | None = _setting(
        None,
        "The hosts, separated by commas, to which questions may go besides those that you have allowed; `*`: any.",
    )
    summary_time: float = _setting(0.05, "Maximum time to summarise one variable.", "seconds", least=0.001)
    summary_size: int = _setting(2_000, "Maximum length of the summary of one variable.", "characters", least=80)
    recall: bool = _setting(True, "Propose again what was accepted for the same mistake before, and ran.")
    history: bool = _setting(True, "Save repairs to a file. Off: they are kept until the kernel ends.")
    history_redacted: bool = _setting(
        True,
        "Replace passwords and keys in the history with `REDACTED_1`, as for a model. Off: they are saved as they "
        "appear in cells and values.",
    )
    history_file: str | None = _setting(
        None, "The file that repairs are saved to. None: `history.sqlite` in the user's data folder."
    )
    history_url: str | None = _setting(
        None,
        "The PostgreSQL server that repairs are saved to instead, `postgresql+psycopg://user@host/database`; a team "
        "may share it. What it does not take waits in a local file. Always redacted.",
    )
    history_names: bool = _setting(
        False, "Save with each repair on a server who worked in which notebook on which machine. Off: none of that."
    )
    history_days: int | None = _setting(
        None, "Forget repairs in the file that are older. None: they are kept.", "days", least=1
    )
    history_size: int | None = _setting(
        100_000, "Forget the oldest repairs once the file has more. None: they are kept.", "repairs", least=1
    )

    log_folder: str | None = _setting(
        None,
        "A folder where each session's log is written as it goes on, as `%reflex log` has it: one Markdown file each, "
        "redacted as the history. None: no log.",
    )

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            problem = _problem(field, getattr(self, field.name))
            if problem:
                raise ValueError(f"Reflex.{field.name}: {problem}")

    def __repr__(self) -> str:
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        shown = (f"{name}={'<set>' if name in _SECRET and value else repr(value)}" for name, value in values.items())
        return f"Settings({', '.join(shown)})"


def _problem(field: dataclasses.Field[Any], value: Any) -> str:
    choices, least = field.metadata["choices"], field.metadata["least"]
    if field.metadata["variable"] and not _VARIABLE.fullmatch(value):
        # It is not quoted: who mistakes it for the key's own place has put the key here.
        return "give the name of an environment variable (letters, digits and _), not the key itself"
    if choices and value not in choices:
        return f"{value!r} is not one of {', '.join(map(repr, choices))}"
    if least is not None and value is not None and value < least:
        return f"{value!r} is less than {least} {field.metadata['unit']}".rstrip()
    return ""


@dataclass(frozen=True)
class SettingDescription:
    """One row of the documented list."""

    name: str
    default: Any
    unit: str
    help: str
    choices: tuple[str, ...]
    type: str


def describe() -> list[SettingDescription]:
    """Every setting in order: the one source of `%config Reflex`, the README's table and `%reflex?`."""
    return [
        SettingDescription(
            field.name,
            field.default,
            field.metadata["unit"],
            field.metadata["help"],
            field.metadata["choices"],
            str(field.type),
        )
        for field in dataclasses.fields(Settings)
    ]


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings where there is no IPython: `REFLEX_` and the setting's name in capitals, `REFLEX_BASE_URL`.

    Parameters
    ----------
    environment : mapping of str to str or None
        None: the process's.

    Raises
    ------
    BadInput
        If one can't be that; the text names it.
    """
    environment = os.environ if environment is None else environment
    given = {}
    for setting in describe():
        text = environment.get(f"REFLEX_{setting.name.upper()}")
        if text is not None:
            given[setting.name] = _read(setting, text)
    try:
        return Settings(**given)
    except ValueError as error:
        raise BadInput(str(error)) from None


def _read(setting: SettingDescription, text: str) -> Any:
    kind, optional = setting.type.removesuffix(" | None"), setting.type.endswith(" | None")
    if optional and not text:
        return None
    try:
        return _READ[kind](text)
    except (KeyError, ValueError):
        name = f"REFLEX_{setting.name.upper()}"
        raise BadInput(f"{name} can't be read: it has to be of the type {setting.type}.") from None


_READ: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": lambda text: {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}[text.lower()],
}
