"""What is known of what a call gives, and what it does."""

from __future__ import annotations

import ast
import sys
import types
from typing import Any

from reflex_ipython.base.library_files import is_library
from reflex_ipython.state.analysis import library_calls, methods
from reflex_ipython.state.analysis.analysis import CALL, EXPRESSIONS, Analysis
from reflex_ipython.state.analysis.attributes import member
from reflex_ipython.state.analysis.builtin_calls import call_builtin, look_at
from reflex_ipython.state.analysis.class_calls import call_class
from reflex_ipython.state.analysis.forms import live
from reflex_ipython.state.analysis.items import element
from reflex_ipython.state.analysis.own import Keywords, call_lambda, call_own, make
from reflex_ipython.state.analysis.settings import SETTERS, changes_setting, is_documented
from reflex_ipython.state.analysis.values import (
    ATOM,
    BOUND,
    BUILTIN,
    CLASS,
    FUNCTION,
    LAMBDA,
    LIBRARY,
    METHOD,
    NONE,
    RANDOM,
    Unknown,
    Value,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.user_code import owned_class


def _call(a: Analysis, node: ast.Call) -> Value:
    func = node.func
    function = member(a, a.value(func.value), func.attr) if type(func) is ast.Attribute else a.value(func)
    spread = False
    args = []
    for each in node.args:
        if type(each) is ast.Starred:
            value = a.value(each.value)
            a.use(value)
            args.append(element(a, value))
            spread = True
        else:
            args.append(a.value(each))
    keywords: Keywords = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise Unknown("** in a call")
        keywords[keyword.arg] = a.value(keyword.value)
    if spread and not _takes_any_number(function):
        raise Unknown("* in a call")
    return call(a, function, args, keywords)


def _takes_any_number(function: Value) -> bool:
    """Whether it does the same with each thing that it is given."""
    if function.form == METHOD:
        return function.inner[0].form in (ATOM, RANDOM)
    return function.form == BUILTIN or (function.form == CLASS and function.o in (zip, set, list, tuple, dict))


def call(a: Analysis, function: Value, args: list[Value], keywords: Keywords) -> Value:
    """What a value gives when it is called."""
    a.step()
    form = function.form
    if form == METHOD:
        return methods.call_method(a, function.inner[0], function.inner[1], args, keywords)
    o = function.o
    if form == FUNCTION:
        if is_library(o.__code__.co_filename):
            if o.__name__ in SETTERS and changes_setting(a, o, args, keywords):
                return NONE
            return library_calls.call_function(a, o, args, keywords)
        return call_own(a, o, args, keywords)
    if form == BUILTIN:
        return _call_builtin(a, o, args, keywords)
    if form == LIBRARY:
        if o is not MISSING and getattr(o, "__name__", None) in SETTERS and changes_setting(a, o, args, keywords):
            return NONE
        return library_calls.call_numpy_object(a, o, args, keywords)
    if form == CLASS:
        return _call_class(a, o, args, keywords)
    if form == BOUND:
        return call_own(a, function.inner[1], [function.inner[0], *args], keywords)
    if form == LAMBDA:
        return call_lambda(a, function, args, keywords)
    if o is not MISSING:
        return _call_known(a, o, args, keywords)
    raise Unknown(f"a call of form {form}")


def _call_builtin(a: Analysis, o: Any, args: list[Value], keywords: Keywords) -> Value:
    owner = o.__self__
    if type(o) is types.MethodType:
        function = o.__func__
        receiver = live(owner)
        if type(function) is types.FunctionType and not is_library(function.__code__.co_filename):
            return call_own(a, function, [receiver, *args], keywords)
        if receiver.form == RANDOM and getattr(type(owner), function.__name__, None) is function:
            return methods.call_method(a, receiver, function.__name__, args, keywords)
        raise Unknown("a bound method")
    if owner is None or type(owner) is types.ModuleType:
        return call_builtin(a, o, args, keywords)
    return methods.call_method(a, live(owner), o.__name__, args, keywords)


def _call_class(a: Analysis, o: Any, args: list[Value], keywords: Keywords) -> Value:
    return make(a, o, args, keywords) if owned_class(o) else call_class(a, o, args, keywords)


def _call_known(a: Analysis, o: Any, args: list[Value], keywords: Keywords) -> Value:
    """Functions that Cython made have no type of their own that tells them from others; nor have some of pandas."""
    if is_documented(o) and changes_setting(a, o, args, keywords):
        return NONE
    random = sys.modules.get("numpy.random")
    name = next((name for name in ("default_rng", "seed") if o is getattr(random, name, None)), None)
    if name is None:
        raise Unknown("a call of some object")
    look_at(a, args, keywords)
    if name == "default_rng":
        return Value(RANDOM, fresh=True)
    a.draws = True
    return NONE


CALL.append(call)
EXPRESSIONS[ast.Call] = _call
