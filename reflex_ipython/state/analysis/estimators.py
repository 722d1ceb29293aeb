"""Calls of methods of scikit-learn's estimators: what learns writes to the estimator, and may draw random numbers."""

from __future__ import annotations

import types
from typing import Any

from reflex_ipython.base.classes import module_name
from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.analysis.analysis import Analysis
from reflex_ipython.state.analysis.ends import ends_quietly
from reflex_ipython.state.analysis.forms import form_of
from reflex_ipython.state.analysis.library_calls import positions
from reflex_ipython.state.analysis.plain import plain
from reflex_ipython.state.analysis.tables import DANGEROUS, DANGEROUS_IF_FALSE, ESTIMATOR_FITS, ESTIMATOR_READS
from reflex_ipython.state.analysis.values import (
    ESTIMATOR,
    SOME_DATA,
    SOMETHING,
    Unknown,
    Value,
)
from reflex_ipython.state.kinds import operations
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.layout import identity

_DANGEROUS = DANGEROUS | DANGEROUS_IF_FALSE


def call_estimator(a: Analysis, receiver: Value, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """What a method of an estimator gives."""
    for value in (*args, *keywords.values()):
        if not a.plain(value):
            raise Unknown("objects, given to an estimator")
    a.draws = a.warns = True
    if name not in ESTIMATOR_READS and name not in ESTIMATOR_FITS:
        raise Unknown(f"method {name} of an estimator")
    _check_arguments(_check(receiver, name), args, keywords)
    if name in ESTIMATOR_READS:
        return SOME_DATA
    if not receiver.fresh:
        if receiver.o is MISSING:
            raise Unknown("some estimator")
        _note_fields(a, receiver.o)
        a.written[identity(receiver.o)] = SOMETHING
    return receiver if name == "fit" else SOME_DATA


def _check_arguments(method: Any, args: list[Value], keywords: dict[str, Value]) -> None:
    """`Unknown` if the call says that it may write to what it is given: `transform(X, copy=False)`."""
    given = [(key in DANGEROUS_IF_FALSE, value) for key, value in keywords.items() if key in _DANGEROUS]
    if len(args) > 1:
        known = ((place - 1, if_false) for place, if_false in positions(method))  # it has `self` in front
        given += [(if_false, args[place]) for place, if_false in known if 0 <= place < len(args)]
    for if_false, value in given:
        if value.o is not None and value.o is not if_false:
            raise Unknown("an argument to write to")


def _check(receiver: Value, name: str) -> Any:
    """The method. `Unknown` if the estimator may write to what it is given, or runs what it was given."""
    if receiver.o is not MISSING and name in receiver.o.__dict__:
        raise Unknown("a method that somebody put there")
    found = getattr(type(receiver.o) if receiver.o is not MISSING else receiver.cls, name, None)
    if type(found) is types.FunctionType and not is_library(found.__code__.co_filename):
        raise Unknown("a method that somebody put there")
    if receiver.form != ESTIMATOR or receiver.o is MISSING:
        return found
    for parameter, value in receiver.o.__dict__.items():
        if parameter in DANGEROUS_IF_FALSE and value is False:
            raise Unknown(f"{parameter}=False")
        if parameter == "warm_start" and value:
            raise Unknown("warm_start")
        if parameter == "n_jobs" and value not in (None, 1):
            raise Unknown("n_jobs")
        if not parameter.endswith("_") and not parameter.startswith("_"):
            _check_parameter(value)
        elif module_name(type(value)).startswith("numpy.random"):  # what was fitted goes on with it: `random_state_`
            raise Unknown("an estimator that draws")
    return found


def _check_parameter(value: Any) -> None:
    if not plain(value):
        raise Unknown("an estimator with such a parameter")


def _note_fields(a: Analysis, o: Any) -> None:
    fields = o.__dict__
    if form_of(type(o)) != ESTIMATOR:
        raise Unknown("an estimator of some kind")
    if not ends_quietly(o):
        raise Unknown("what goes may have the last word")
    a.snapshot(fields, None, operations.contents(fields))
