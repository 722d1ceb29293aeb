"""`heal`: a decorator that mends the function under it, and calls it again, when it raises."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import Callable
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)
from typing import Any, TypeVar

from reflex_ipython.base.classes import inherits
from reflex_ipython.errors import BadInput, told
from reflex_ipython.functions.answers import is_answer
from reflex_ipython.functions.asking import asked, can_ask, is_notebook
from reflex_ipython.functions.given_up import GivenUp
from reflex_ipython.functions.healed import POLICIES, Healed, Policy, Switch
from reflex_ipython.functions.source import CannotHeal
from reflex_ipython.functions.store import FunctionStore, as_store, keep, stored
from reflex_ipython.functions.wrapping import wrapped
from reflex_ipython.settings import Settings, from_environment
from reflex_ipython.state.followers import FOLLOWERS

F = TypeVar("F", bound=Callable[..., Any])
Pair = tuple[Callable[[str], Any], Callable[[str, str], Any]]

HEALED = "__reflex_healed__"
"""The attribute by which a function is known to heal already."""
_NOTED = "reflex: "
_DESCRIPTORS = classmethod, staticmethod, property, functools.cached_property
"""What stands around a method and can't be called."""


class HealingFunction:
    """A function that heals, with what decides about it.

    Parameters
    ----------
    healed : Healed
    policy : Policy
    store : FunctionStore
    settings : Settings or None
        None: those of the environment, read at the first failure.
    """

    def __init__(self, healed: Healed, policy: Policy, store: FunctionStore, settings: Settings | None) -> None:
        self.healed = healed
        self._policy = policy
        self._store = store
        self._settings = settings
        self._given_up = GivenUp()

    def recall(self) -> None:
        """Have the function run the text that was kept for it, if that was made from the same original."""
        try:
            text = stored(self._store, self.healed.id, self.healed.original.text)
            if text is not None:
                self.healed.put_in(text)
        except CannotHeal as reason:
            _say(f"the kept text of {self.healed.id} is not used: {reason}.")
        except Exception as error:  # noqa: BLE001 - the user's own store: the function itself still works
            _say(f"the kept text of {self.healed.id} can't be read: {told(error)}.")

    def follow(self) -> str:
        """Keep the text that a fix which was accepted on a panel has given the function (`state.followers`)."""
        healed = self.healed
        try:
            if not healed.follow() or self._policy == "never":
                return ""
        except CannotHeal:
            return ""
        return self._kept() or f"the new `{healed.function.__qualname__}` is kept by its id {healed.id!r}"

    def _kept(self) -> str:
        """Keep the present text; why it can't be kept, in words. The fix is in effect all the same."""
        healed = self.healed
        try:
            keep(self._store, healed.id, healed.original.text, healed.source.text)
        except Exception as error:  # noqa: BLE001 - the user's own store
            return f"the new `{healed.function.__qualname__}` could not be kept by its id {healed.id!r}: {told(error)}"
        return ""

    def mended(self, error: Exception, again: Callable[[], Any], code: CodeType, *, awaited: bool = False) -> bool:
        """Whether the function has another text by now than the one with which the call failed.

        Parameters
        ----------
        error : Exception
        again : callable
            Calls it as it was called.
        code : CodeType
            What the failed call ran.
        awaited : bool
            Whether `again` gives a coroutine.
        """
        healed = self.healed
        if not self._is_to_be_mended or is_answer(healed.function, error) or _is_noted(error):
            return False
        if isinstance(error, RecursionError) and _is_running(code):
            return False  # the outermost call is repeated: there is no room for anything here
        with contextlib.suppress(CannotHeal):
            healed.follow()  # a panel, or the undoing of a cell, has given it another code
        if not healed.has_failed(error, code):
            return False
        with healed.lock:
            if healed.function.__code__ is not code:
                return True  # mended on another thread meanwhile
            why_not = self._given_up.reason(code, error)
            if why_not is None:
                why_not = self._mend(error, again, awaited=awaited)
        if why_not:
            _note(error, f"{_NOTED}`{healed.function.__qualname__}` was not mended: {why_not}.")
        return not why_not

    @property
    def _is_to_be_mended(self) -> bool:
        """Whether anything is done here: a notebook has its panel, for what is written in a cell or in a file."""
        by_panel = self._policy == "ask" and is_notebook() and not self.healed.has_text_of_its_own
        return Switch.on and self._policy != "never" and not by_panel

    def _mend(self, error: Exception, again: Callable[[], Any], *, awaited: bool) -> str:
        """Mend it and keep the text; why not, if it can't be."""
        if self._policy == "ask" and not can_ask():
            return "nobody can be asked here"
        from reflex_ipython.functions.repairing import REJECTED, FailedCall  # all that works on repairs, at a failure

        healed, code = self.healed, self.healed.function.__code__
        try:
            call = FailedCall(healed, error, again, self._settings or from_environment(), awaited=awaited)
            why_not = call.mend(self._policy, asked)
        except Exception as trouble:  # noqa: BLE001 - ours: the user's own error counts
            return told(trouble)
        if why_not:
            if not call.may_pass:
                self._given_up.add(code, error, why_not, whatever_it_says=why_not == REJECTED)
        elif problem := self._kept():
            _say(f"{problem}.")
        return why_not


def heal(
    id: str | F | None = None,
    description: str | None = None,
    *,
    policy: Policy = "ask",
    store: FunctionStore | Pair | None = None,
    settings: Settings | None = None,
) -> Any:
    """Have a function heal: when it raises, a fix is found, tried in a copy with the same arguments, and put in.

    The call is then repeated once, all who hold the function run the new text, and that is kept by `id` for the next
    start. Where no fix is found or accepted, the exception is raised as it is, with one note. What the failed call had
    done until then is not undone. Without a failure a call costs a `try`.

    For functions, methods, properties and generators up to their first value, synchronous or `async`, on any thread.
    What has no source in Python runs plainly, which is said once. What Python's protocols have a method raise (the
    `StopIteration` of `__next__`, say) is no failure; one for which there was no fix is not worked on again.

    Parameters
    ----------
    id : str, optional
        Under which the text is kept. None: the module's and the function's name.
    description : str, optional
        What it is for; a model is told.
    policy : str
        "ask": in a notebook the panel below the cell, in a terminal a question; nobody to ask: nothing. "proven": a fix
        that ran in the copy, with nothing against it. "never": only what is kept is used.
    store : FunctionStore or pair of callables, optional
        Keeps the texts: an object with `get(id)` and `save(id, source)`, or these two; they may be coroutine
        functions. None: a file each in the user's data folder.
    settings : Settings, optional
        The model, and how it is asked. None: those of the environment.

    Returns
    -------
    callable
        The function that heals; without brackets, `@heal`, as well.

    Raises
    ------
    BadInput
        If the policy or the store is none.
    """
    if policy not in POLICIES:
        raise BadInput(f"policy is {policy!r}; it can be {', '.join(POLICIES)}.")
    kept_in = as_store(store)
    if callable(id) or isinstance(id, _DESCRIPTORS):
        return _decorated(id, None, "", policy, kept_in, settings)
    return lambda function: _decorated(function, id, description or "", policy, kept_in, settings)


def _decorated(
    function: Any, id: str | None, description: str, policy: Policy, store: FunctionStore, settings: Settings | None
) -> Any:
    if isinstance(function, (classmethod, staticmethod)):
        inner = _decorated(function.__func__, id, description, policy, store, settings)
        return type(function)(inner)
    if type(function) is property:
        parts = function.fget, function.fset, function.fdel
        get, put, remove = (part and _decorated(part, id, description, policy, store, settings) for part in parts)
        return property(get, put, remove, function.__doc__)
    if type(function) is functools.cached_property:
        return functools.cached_property(_decorated(function.func, id, description, policy, store, settings))
    if isinstance(function, MethodType):
        inner = _decorated(function.__func__, id, description, policy, store, settings)
        return MethodType(inner, function.__self__)
    if hasattr(function, HEALED):
        return function
    try:
        innermost = _innermost(function)
        name = id or f"{innermost.__module__}.{innermost.__qualname__}"
        healing = HealingFunction(Healed(innermost, name, description), policy, store, settings)
    except CannotHeal as reason:
        _say(f"{getattr(function, '__qualname__', function)!s} does not heal: {reason}.")
        return function
    healing.recall()
    FOLLOWERS.add(healing)
    made = wrapped(function, innermost, healing)
    setattr(made, HEALED, healing)
    return made


def _innermost(function: Any) -> FunctionType:
    """The function that the user wrote, below other decorators."""
    found = inspect.unwrap(function) if callable(function) else function
    if not isinstance(found, FunctionType):
        raise CannotHeal(_what_it_is(found))
    if found is function and _hides_another(found):
        raise CannotHeal("another decorator has changed it and left no `__wrapped__`")
    return found


def _what_it_is(found: object) -> str:
    if inherits(type(found), type):
        return "it is a class: its methods can heal, each by itself or by `heal_module`"
    if isinstance(found, (BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType)):
        return "it is not written in Python"
    return "it is an object that can be called" if callable(found) else "it is no function"


def _hides_another(function: FunctionType) -> bool:
    """Whether it is a decorator's inner function that holds the one that it was made of."""
    held = [cell.cell_contents for cell in function.__closure__ or () if not _is_empty(cell)]
    takes_all = function.__code__.co_flags & inspect.CO_VARARGS and function.__code__.co_flags & inspect.CO_VARKEYWORDS
    return bool(takes_all) and any(isinstance(one, FunctionType) for one in held)


def _is_empty(cell: Any) -> bool:
    try:
        return cell.cell_contents is cell
    except ValueError:
        return True


def _is_running(code: object) -> bool:
    """Whether this thread is in a call of that code."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


def _is_noted(error: Exception) -> bool:
    """Whether somebody has tried to mend what raised it: whoever called that hears of it as well."""
    notes = getattr(error, "__notes__", ())
    return isinstance(notes, (list, tuple)) and any(isinstance(note, str) and note.startswith(_NOTED) for note in notes)


def _note(error: Exception, text: str) -> None:
    """Add a note to an exception, whatever its class makes of that."""
    with contextlib.suppress(Exception):
        if hasattr(BaseException, "add_note"):
            BaseException.add_note(error, text)
        else:  # before Python 3.11 nothing shows them, but what reads them finds them
            vars(error)["__notes__"] = [*getattr(error, "__notes__", ()), text]


def _say(text: str) -> None:
    print(f"reflex: {text}", file=sys.stderr)
