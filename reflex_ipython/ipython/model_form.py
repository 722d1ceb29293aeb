"""What the panel's form for choosing a model asks the kernel for. Nothing of it makes a cell wait."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import TypeVar

from reflex_ipython.base.own_threads import OwnThread
from reflex_ipython.errors import BadInput, ReflexError, told
from reflex_ipython.ipython.config import Reflex
from reflex_ipython.ipython.from_kernel import FromKernel, KeyState, ModelAnswer, Models, ModelServer, ProviderWithKey
from reflex_ipython.ipython.from_page import CheckModel, EndCheck, UseModel, WantKeyState, WantModels
from reflex_ipython.ipython.model_choice import ModelChoice, at_address, choose_model, with_model
from reflex_ipython.present.model_words import answered, chosen, key_used, where_sent
from reflex_ipython.propose.address import Address, address, default_address
from reflex_ipython.propose.presets import COMPATIBLE, PRESETS, with_a_key
from reflex_ipython.propose.servers import find_local_servers
from reflex_ipython.propose.tiny_request import time_to_answer
from reflex_ipython.repairs.session import Session
from reflex_ipython.settings import OPENAI_API_KEY, Settings

_MODELS = 200
"""Of each server; a form that lists more helps nobody."""
_GRACE = 2.0
"""Seconds that a thread may take to end when the extension is unloaded."""
_ANY = "any"
"""In the place of a model's name while only its address is looked at."""

_Filled = TypeVar("_Filled", CheckModel, UseModel)


class ModelForm:
    """Answers the forms of all panels; one search and one check at a time.

    Parameters
    ----------
    session : Session
    config : Reflex
        What a choice is set in.
    tell : callable
        Sends a message to whatever shows a repair, from any thread.
    """

    def __init__(self, session: Session, config: Reflex, tell: Callable[[str, FromKernel], None]) -> None:
        self._session = session
        self._config = config
        self._tell = tell
        self._lock = threading.Lock()
        self._waiting: set[str] = set()
        """The repairs whose forms wait for the search."""
        self._checked = ""
        """The name of the request that is being checked."""
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []

    def want(self, message: WantModels) -> None:
        """Say what is set, and look for servers."""
        self._known(message.repair)
        self._tell(message.repair, self._models(message.repair, None))
        with self._lock:
            begun = bool(self._waiting)
            self._waiting.add(message.repair)
        if not begun:
            self._start(self._search)

    def key_state(self, message: WantKeyState) -> None:
        """Say which key would be sent, and where."""
        self._known(message.repair)
        try:
            settings = self._filled(_ANY, message.base_url, message.key_variable)
            missing, words = _key_words(settings)
        except BadInput as error:
            missing, words = True, str(error)
        self._tell(message.repair, KeyState(message.repair, message.base_url, message.key_variable, missing, words))

    def check(self, message: CheckModel) -> None:
        """See whether a model answers; what was checked before is not waited for any more."""
        self._known(message.repair)
        settings = self._settings_of(message)
        if settings is None:
            return
        with self._lock:
            self._ended.set()
            self._ended, self._checked = threading.Event(), message.request
            ended = self._ended
        self._start(lambda: self._check(message, settings, ended))

    def end_check(self, message: EndCheck) -> None:
        """Hang up."""
        with self._lock:
            if message.request == self._checked:
                self._ended.set()

    def use(self, message: UseModel) -> None:
        """Set what was chosen; what can't be changes nothing."""
        self._known(message.repair)
        settings = self._settings_of(message)
        if settings is None:
            return
        choose_model(self._config, self._choice(message.model, message.base_url, message.key_variable))
        where = address(settings)
        self._answer(message, chosen(settings, where.shown, _sent(where)), chosen=True)

    def close(self) -> None:
        """End what is under way."""
        with self._lock:
            self._ended.set()
            threads = self._threads
        for thread in threads:
            thread.join(_GRACE)

    # ------------------------------------------------------------------------------- on threads of their own

    def _search(self) -> None:
        servers = []
        try:
            servers = [
                ModelServer(server.name, server.base_url, server.models[:_MODELS]) for server in find_local_servers()
            ]
        finally:
            with self._lock:
                waiting, self._waiting = self._waiting, set()
            for repair_id in waiting:
                self._tell(repair_id, self._models(repair_id, tuple(servers)))

    def _check(self, message: CheckModel, settings: Settings, ended: threading.Event) -> None:
        try:
            seconds = time_to_answer(settings, ended)
            if seconds is not None:
                self._answer(message, answered(message.model, address(settings).shown, seconds))
        except ReflexError as error:
            self._answer(message, str(error), good=False)
        except Exception as error:  # noqa: BLE001 - a thread's end is seen by nobody, and the form waits
            self._answer(message, told(error), good=False)

    def _start(self, work: Callable[[], None]) -> None:
        # The copied context carries the cell that a message belongs to.
        run = contextvars.copy_context().run
        thread = OwnThread(target=run, args=(work,), name="reflex-model-form")
        with self._lock:
            self._threads = [*(one for one in self._threads if one.is_alive()), thread]
            thread.start()

    # ------------------------------------------------------------------------------- inside

    def _known(self, repair_id: str) -> None:
        """Raise if this session has no such repair: then the message is of a panel that is only a picture.

        The page's own form, which is below no cell, names none.
        """
        if repair_id:
            self._session.repairs.find(repair_id)

    def _models(self, repair_id: str, servers: tuple[ModelServer, ...] | None) -> Models:
        settings = self._session.settings
        preset = PRESETS.get(settings.provider or "", COMPATIBLE)
        base_url = settings.base_url or default_address(preset=preset)
        named = settings.key_variable != OPENAI_API_KEY
        key_variable = settings.key_variable if named else preset.key_variable or OPENAI_API_KEY
        keyed = tuple(
            ProviderWithKey(preset.label, default_address(preset=preset), preset.key_variable)
            for preset in with_a_key()
        )
        return Models(repair_id, servers is None, servers or (), keyed, settings.model or "", base_url, key_variable)

    def _filled(self, model: str, base_url: str, key_variable: str) -> Settings:
        """The settings as the form has them."""
        return with_model(self._session.settings, self._choice(model, base_url, key_variable))

    def _choice(self, model: str, base_url: str, key_variable: str) -> ModelChoice:
        return at_address(model, base_url, key_variable, default_address())

    def _settings_of(self, message: _Filled) -> Settings | None:
        """The same; None if they can't be, which is then said."""
        try:
            return self._filled(message.model, message.base_url, message.key_variable)
        except BadInput as error:
            self._answer(message, str(error), good=False)
            return None

    def _answer(self, message: _Filled, words: str, *, good: bool = True, chosen: bool = False) -> None:
        self._tell(message.repair, ModelAnswer(message.repair, message.request, good, chosen, words))


def _key_words(settings: Settings) -> tuple[bool, str]:
    where = address(settings)
    missing, words = key_used(settings, where.key_variable, sent=bool(where.secret), local=where.local)
    return missing, f"{words} {_sent(where)}".rstrip()


def _sent(where: Address) -> str:
    return where_sent(where.host, local=where.local, encrypted=where.base_url.startswith("https:"))
