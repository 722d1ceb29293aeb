"""Expressions with names of their own: lambdas, comprehensions, `:=`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from reflex_ipython.state.analysis.analysis import EXPRESSIONS, Analysis, Names, Scope
from reflex_ipython.state.analysis.expressions import bind_target, later
from reflex_ipython.state.analysis.items import element
from reflex_ipython.state.analysis.values import BOX, LAMBDA, Unknown, Value, box, iterator
from reflex_ipython.state.analysis.writes import put


def _walrus(a: Analysis, node: ast.NamedExpr) -> Value:
    value = a.value(node.value)
    name = node.target.id
    if a.frame is a.top:
        a.bind_global(name, value)
    else:
        a.frame.names[name] = a.learnt(a.frame.names.get(name), value)
    return value


def _lambda(a: Analysis, node: ast.Lambda) -> Value:
    return made_here(a, node)


def made_here(a: Analysis, node: ast.Lambda | ast.FunctionDef) -> Value:
    """A function that the statement makes."""
    for each in filter(None, node.args.kw_defaults):
        a.value(each)
    defaults = [later(a.value(default)) for default in node.args.defaults]
    a.has_lambdas = True
    made = Value(LAMBDA, fresh=True, inner=(node, a.scope, a.frame, defaults))
    a.tied.append(made)
    return made


def _comprehension(cls: type | None) -> Callable[[Analysis, Any], Value]:
    def handler(a: Analysis, node: Any) -> Value:
        return a.again(lambda: once(a, node))

    def once(a: Analysis, node: Any) -> Value:
        names: Names = {}
        first = a.value(node.generators[0].iter)
        outer = a.scope
        a.scope = Scope(names, outer)
        try:
            for place, generator in enumerate(node.generators):
                if generator.is_async:
                    raise Unknown("async")
                items = first if place == 0 else a.value(generator.iter)
                a.use(items)
                bind_target(a, generator.target, element(a, items))
                for condition in generator.ifs:
                    a.use(a.value(condition))
            if cls is dict:
                key = a.value(node.key)
                a.use(key)
                made = box(dict, a.value(node.value))
                put(a, made, key)
                return made
            value = later(a.value(node.elt))
        finally:
            a.scope = outer
        if cls is None:
            return iterator(value)
        if cls is set:
            a.use(value)
        if value.form == BOX and value.fresh:
            value.shared = True  # many of them
        return box(cls, value)

    return handler


EXPRESSIONS.update(
    {
        ast.NamedExpr: _walrus,
        ast.Lambda: _lambda,
        ast.ListComp: _comprehension(list),
        ast.SetComp: _comprehension(set),
        ast.DictComp: _comprehension(dict),
        ast.GeneratorExp: _comprehension(None),
    }
)
