"""`heal`: a decorator that mends the function under it, and calls it again, when it raises."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from types import FunctionType
from typing import Any, TypeVar

from reflex_ipython.errors import BadInput
from reflex_ipython.functions.asking import asked, can_ask, is_notebook
from reflex_ipython.functions.begun import Begun, first_of
from reflex_ipython.functions.healed import POLICIES, Healed, Policy, Switch
from reflex_ipython.functions.source import CannotHeal
from reflex_ipython.functions.store import FunctionStore, as_store, keep, stored
from reflex_ipython.settings import Settings, from_environment
from reflex_ipython.state.followers import FOLLOWERS

F = TypeVar("F", bound=Callable[..., Any])
Pair = tuple[Callable[[str], Any], Callable[[str, str], Any]]

HEALED = "__reflex_healed__"
"""The attribute by which a function is known to heal already."""
_NOTED = "reflex: "


class Healing:
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

    def recall(self) -> None:
        """Have the function run the text that was kept for it, if that was made from the same original."""
        try:
            text = stored(self._store, self.healed.id, self.healed.original.text)
            if text is not None:
                self.healed.put_in(text)
        except CannotHeal as reason:
            _say(f"the kept text of {self.healed.id} is not used: {reason}.")
        except Exception as error:  # noqa: BLE001 - the user's own store: the function itself still works
            _say(f"the kept text of {self.healed.id} can't be read: {type(error).__name__}: {error}")

    def follow(self) -> str:
        """Keep the text that a fix which was accepted on a panel has given the function (`state.followers`)."""
        healed = self.healed
        name = healed.function.__qualname__
        try:
            if not healed.follow() or self._policy == "never":
                return ""
            keep(self._store, healed.id, healed.original.text, healed.source.text)
        except Exception as error:  # noqa: BLE001 - the user's own store: the fix is in effect all the same
            return f"the new `{name}` could not be kept by its id {healed.id!r}: {type(error).__name__}: {error}"
        return f"the new `{name}` is kept by its id {healed.id!r}"

    def mended(self, error: Exception, again: Callable[[], Any], code: object, *, awaited: bool = False) -> bool:
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
        if not self._is_to_be_mended:
            return False
        with contextlib.suppress(CannotHeal):
            healed.follow()  # a panel, or the undoing of a cell, has given it another code
        if not healed.has_failed(error):
            return False
        with healed.lock:
            if healed.function.__code__ is not code:
                return True  # mended on another thread meanwhile
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
        from reflex_ipython.functions.repairing import FailedCall  # all that works on repairs, at a failure

        healed = self.healed
        try:
            call = FailedCall(healed, error, again, self._settings or from_environment(), awaited=awaited)
            why_not = call.mend(self._policy, asked)
            if not why_not:
                keep(self._store, healed.id, healed.original.text, healed.source.text)
        except Exception as trouble:  # noqa: BLE001 - ours: the user's own error counts
            return f"{type(trouble).__name__}: {trouble}"
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

    For functions, methods and generators up to their first value, synchronous or `async`, on any thread. What has no
    source in Python runs plainly, which is said once.

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
    if callable(id) or isinstance(id, (classmethod, staticmethod)):
        return _decorated(id, None, "", policy, kept_in, settings)
    return lambda function: _decorated(function, id, description or "", policy, kept_in, settings)


def _decorated(
    function: Any, id: str | None, description: str, policy: Policy, store: FunctionStore, settings: Settings | None
) -> Any:
    if isinstance(function, (classmethod, staticmethod)):
        inner = _decorated(function.__func__, id, description, policy, store, settings)
        return type(function)(inner)
    if hasattr(function, HEALED):
        return function
    try:
        innermost = _innermost(function)
        name = id or f"{innermost.__module__}.{innermost.__qualname__}"
        healing = Healing(Healed(innermost, name, description), policy, store, settings)
    except CannotHeal as reason:
        _say(f"{getattr(function, '__qualname__', function)!s} does not heal: {reason}.")
        return function
    healing.recall()
    FOLLOWERS.add(healing)
    wrapped = _wrapped(function, innermost, healing)
    setattr(wrapped, HEALED, healing)
    return wrapped


def _innermost(function: Any) -> FunctionType:
    """The function that the user wrote, below other decorators."""
    found = inspect.unwrap(function) if callable(function) else function
    if not isinstance(found, FunctionType):
        raise CannotHeal("it is not written in Python" if callable(found) else "it is no function")
    if found is function and _hides_another(found):
        raise CannotHeal("another decorator has changed it and left no `__wrapped__`")
    return found


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


def _wrapped(function: Any, innermost: FunctionType, healing: Healing) -> Any:
    """The function that tries: as cheap as it can be, since most calls do not fail."""
    if inspect.iscoroutinefunction(innermost):

        @functools.wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            code = innermost.__code__
            try:
                return await function(*args, **kwargs)
            except Exception as error:
                if not healing.mended(error, lambda: function(*args, **kwargs), code, awaited=True):
                    raise
            return await function(*args, **kwargs)

        return coroutine
    if inspect.isasyncgenfunction(innermost):
        return _wrapped_async_generator(function, innermost, healing)
    if inspect.isgeneratorfunction(innermost):

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            code = innermost.__code__
            begun = Begun(function(*args, **kwargs))
            try:
                begun.begin()
            except Exception as error:
                if not healing.mended(error, lambda: next(function(*args, **kwargs), None), code):
                    raise
                begun = Begun(function(*args, **kwargs))
            return (yield from begun)

        return generator

    @functools.wraps(function)
    def plain(*args: Any, **kwargs: Any) -> Any:
        code = innermost.__code__
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if not healing.mended(error, lambda: function(*args, **kwargs), code):
                raise
        return function(*args, **kwargs)

    return plain


def _wrapped_async_generator(function: Any, innermost: FunctionType, healing: Healing) -> Any:
    """After its first value all is the generator's own: what it is sent, what is thrown into it, and its end."""

    @functools.wraps(function)
    async def async_generator(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        code = innermost.__code__
        inner = function(*args, **kwargs)
        try:
            try:
                value = await inner.__anext__()
            except StopAsyncIteration:
                return
            except Exception as error:
                if not healing.mended(error, lambda: first_of(function(*args, **kwargs)), code, awaited=True):
                    raise
                inner = function(*args, **kwargs)
                value = await inner.__anext__()
            while True:
                try:
                    sent = yield value
                except GeneratorExit:
                    raise
                except BaseException as thrown:  # noqa: BLE001 - the inner one may catch it
                    value = await inner.athrow(thrown)
                else:
                    value = await inner.asend(sent)
        except StopAsyncIteration:
            return
        finally:
            await inner.aclose()

    return async_generator


def _note(error: Exception, text: str) -> None:
    """Add a note to an exception, once."""
    notes = getattr(error, "__notes__", [])
    if not any(isinstance(note, str) and note.startswith(_NOTED) for note in notes):
        if hasattr(error, "add_note"):
            error.add_note(text)
        else:  # before Python 3.11 nothing shows them, but what reads them finds them
            vars(error)["__notes__"] = [*notes, text]


def _say(text: str) -> None:
    print(f"reflex: {text}", file=sys.stderr)
