"""Exceptions by which a function answers whoever called it: they are no mistakes."""

from __future__ import annotations

from types import FunctionType

_ENDS = (StopIteration, StopAsyncIteration)
"""What there is no more of, is said by these, whoever raises them."""
_BY_METHOD: dict[str, tuple[type[Exception], ...]] = {
    "__getattr__": (AttributeError,),
    "__getattribute__": (AttributeError,),
    "__getitem__": (LookupError,),  # the end of a loop over a sequence; `in`, and `get`, of a mapping
    "__missing__": (KeyError,),
    "__delitem__": (KeyError,),
}


def is_answer(function: FunctionType, error: BaseException) -> bool:
    """Whether Python's own protocols have a function raise this: an attribute or item is not there, or no more is.

    Parameters
    ----------
    function : FunctionType
    error : BaseException
        What it raised.
    """
    return isinstance(error, (*_ENDS, *_BY_METHOD.get(function.__name__, ())))
