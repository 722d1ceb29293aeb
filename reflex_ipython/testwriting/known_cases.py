"""The cases that a file of tests has already, so that none is written twice."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator

from reflex_ipython.base.parsing import parse
from reflex_ipython.testwriting.parametrised import ParametrisedTest


def without_known(test: ParametrisedTest, text: str) -> ParametrisedTest | None:
    """The test with those cases alone that no test of a file with the same body has; None: it has all of them."""
    there: dict[str, set[str]] = {}
    for key, cases in _parametrised(text):
        there.setdefault(key, set()).update(cases)
    key, own = next(_parametrised(test.text))
    left = tuple(case for case, dump in zip(test.cases, own) if dump not in there.get(key, ()))
    return dataclasses.replace(test, cases=left) if left else None


def _parametrised(text: str) -> Iterator[tuple[str, list[str]]]:
    """Of each test with parameters: its parameters and body, whatever its name and docstring; and its cases."""
    tree = parse(text)
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.FunctionDef) and len(node.decorator_list) == 1:
            call = node.decorator_list[0]
            if isinstance(call, ast.Call) and len(call.args) == 2 and isinstance(call.args[1], ast.List):
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                key = "\n".join(map(ast.dump, (call.func, call.args[0], node.args, *body)))
                yield key, [ast.dump(case) for case in call.args[1].elts]
