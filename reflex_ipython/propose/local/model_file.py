"""A file that may hold a model, and whether it can be served here."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from reflex_ipython.errors import ModelError

MAGIC = b"GGUF"
NOT_INSTALLED = (
    "A model file is served by xllamacpp, which is not installed: `%pip install 'reflex-ipython[local]'`, then choose "
    "it again. Or start a server of your own: `%reflex model` finds Ollama, LM Studio, vLLM and llama.cpp."
)


def model_file(path: str) -> Path:
    """The file, if there is a model in it that can be served here.

    Raises
    ------
    ModelError
        In words, what to do instead.
    """
    file = Path(path).expanduser().absolute()
    try:
        with file.open("rb") as content:
            magic = content.read(len(MAGIC))
    except IsADirectoryError:
        raise ModelError(f"{file} is a folder: name the GGUF file in it.{_those_in(file)}", "no-such-model") from None
    except FileNotFoundError:
        raise ModelError(f"There is no file {file}.{_those_in(file.parent)}", "no-such-model") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{file} can't be read: {error}.", "no-such-model") from None
    if magic != MAGIC:
        raise ModelError(
            f"{file.name} is no GGUF file: it does not begin with GGUF. Models for llama.cpp are in that format.",
            "no-such-model",
        )
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(NOT_INSTALLED, "other")
    return file


def _those_in(folder: Path) -> str:
    try:
        names = sorted(file.name for file in folder.glob("*.gguf"))[:5]
    except OSError:
        names = []
    return f" Beside it: {', '.join(names)}." if names else ""
