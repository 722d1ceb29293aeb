"""`%reflex model local:PATH`: a model file is loaded while the cell waits, with a bar; Ctrl-C ends that."""

from __future__ import annotations

import threading

from reflex_ipython.present.model_words import loading
from reflex_ipython.propose.local.model_files import ModelFiles
from reflex_ipython.settings import Settings


def loaded(files: ModelFiles, settings: Settings) -> Settings:
    """The settings with which the file's model is asked.

    Raises
    ------
    ModelError
        If it can't be loaded.
    """

    def said(name: str, percent: int) -> None:
        print(f"\r{loading(name, percent)}", end="", flush=True)

    try:
        served = files.served(settings, said, threading.Event())
    except BaseException:
        files.close()  # whoever interrupts it does not want it
        print()
        raise
    print("\r" + " " * len(loading(str(settings.model), 100)), end="\r")
    assert served is not None
    return served
