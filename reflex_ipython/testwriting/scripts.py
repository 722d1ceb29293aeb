"""What a test runs: the call of a function with what it was called with, or a cell with what it had."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from reflex_ipython.base.parsing import parse
from reflex_ipython.capture.dataflow import names
from reflex_ipython.errors import BadInput
from reflex_ipython.testwriting.attempts import Version
from reflex_ipython.testwriting.literals import Literal
from reflex_ipython.testwriting.module_text import Given, Script
from reflex_ipython.testwriting.recorder import literal_of
from reflex_ipython.testwriting.slices import data_names, needed, statements
from reflex_ipython.testwriting.subject import MendedText, Subject, functions

AWAITS = "No test can be made: {} awaits at its top level, which no test does."


class Scripts:
    """Those of one subject.

    Parameters
    ----------
    about : Subject
    """

    def __init__(self, about: Subject) -> None:
        self._about = about

    def asked(self) -> list[str]:
        """The names whose values are wanted: data that the code reads."""
        about = self._about
        found: set[str] = set()
        for version in ("old", "new"):
            available = statements(one.of(version) for one in self._cells())
            if about.function is None:
                wanted = set(names(about.failing.of(version)).reads)
            else:
                wanted = {about.function.qualname.partition(".")[0]} if not about.function.text.module else set()
            found |= set(data_names(wanted, available))
        return sorted(found)

    def of(self, version: Version, recorded: dict[str, Any]) -> Script:
        """What runs with the old or the new source.

        Parameters
        ----------
        version : str
        recorded : dict
            What was there when it failed, as the recorder told it.

        Raises
        ------
        BadInput
            If something can't be written.
        """
        values = {name: found for name, told in recorded.get("values", {}).items() if (found := literal_of(told))}
        if self._about.function is not None:
            return self._call_script(version, values, recorded)
        return self._cell_script(version, values)

    def _cells(self) -> tuple[MendedText, ...]:
        """The cells whose statements may be needed: a function may stand in the failing one."""
        about = self._about
        return about.cells if about.function is None else (*about.cells, about.failing)

    def _call_script(self, version: Version, values: Mapping[str, Literal], recorded: dict[str, Any]) -> Script:
        function = self._about.function
        assert function is not None
        top, _, method = function.qualname.partition(".")
        given: dict[str, Literal] = {}
        parts: list[str] = []
        for by_name, pairs in ((False, recorded["positional"]), (True, recorded["named"])):
            for name, told in pairs:
                found = literal_of(told)
                if found is None:
                    raise BadInput(f"The argument `{name}` {told['refused']}.")
                name = _own_name(top) if method and not parts else name
                given[name] = found
                parts.append(f"{name}={name}" if by_name else name)
        call = f"{top}({', '.join(parts)})"
        if method:
            call = f"{parts[0]}.{method}({', '.join(parts[1:])})"
        node = functions(function.text.of(version)).get(function.qualname)
        if isinstance(node, ast.AsyncFunctionDef):
            call = f"asyncio.run({call})"
        elif node is not None and _yields(node):
            call = f"list({call})"
        own = {name for one in given.values() for name in one.names}
        wanted = own if function.text.module else {top} | own
        imports = [f"from {function.text.module} import {top}"] if function.text.module and not method else []
        imports += ["import asyncio"] if call.startswith("asyncio.") else []
        return self._with_definitions(version, wanted, values, given, imports, (), call)

    def _cell_script(self, version: Version, values: Mapping[str, Literal]) -> Script:
        text = self._about.failing.of(version)
        if _awaits(text):
            raise BadInput(AWAITS.format(self._about.failing.name))
        own = statements([text])
        imports = [one.text for one in own if one.kind == "import"]
        body = [one.text for one in own if one.kind != "import"]
        if body and _is_expression(body[-1]):
            body[-1] = f"result = {body[-1]}"
        reads = set(names(text).reads)
        given = {name: values[name] for name in sorted(reads) if name in values}
        shared = {name: value for name, value in values.items() if name not in given}
        wanted = (reads - set(given)) | {name for one in given.values() for name in one.names}
        return self._with_definitions(version, wanted, shared, given, imports, tuple(body))

    def _with_definitions(
        self,
        version: Version,
        wanted: set[str],
        values: Mapping[str, Literal],
        given: Mapping[str, Literal],
        imports: list[str],
        body: tuple[str, ...],
        call: str = "",
    ) -> Script:
        """The script with the statements that names need."""
        available = statements(one.of(version) for one in self._cells())
        chosen = needed(wanted, available, values.__contains__)
        read = {name for one in chosen for name in one.names.reads} | wanted
        more = {name for name in read if name in values for name in values[name].names}
        chosen = needed(wanted | more, available, values.__contains__)
        shared = tuple(Given(name, value) for name, value in values.items() if name in read)
        definitions = tuple(one for one in chosen if one.kind != "import")
        all_imports = (*imports, *(one.text for one in chosen if one.kind == "import"))
        own = tuple(Given(name, value) for name, value in given.items())
        return self._apart(Script(tuple(dict.fromkeys(all_imports)), definitions, shared, own, body, call))

    def _apart(self, script: Script) -> Script:
        """The values without the names that the old source lacks: else it would not fail any more."""
        failure = self._about.repair.failure
        wanted = failure.lookup.wanted if failure is not None and failure.lookup is not None else ""
        whole = {"pd": "pandas", "np": "numpy"}.get(wanted)
        if whole is None:
            return script

        def apart(one: Given) -> Given:
            imports = tuple(
                f"import {whole}" if text.endswith(f" as {wanted}") else text for text in one.literal.imports
            )
            text = re.sub(rf"\b{wanted}\.", f"{whole}.", one.literal.text)
            return Given(one.name, dataclasses.replace(one.literal, text=text, imports=imports))

        return dataclasses.replace(
            script, shared=tuple(map(apart, script.shared)), given=tuple(map(apart, script.given))
        )


def _own_name(kind: str) -> str:
    """What an object of a class is called: `ring` of `Ring`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()


def _is_expression(text: str) -> bool:
    tree = parse(text)
    return tree is not None and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr)


def _awaits(text: str) -> bool:
    try:
        compile(text, "<cell>", "exec", dont_inherit=True)
    except SyntaxError:
        return parse(text) is not None
    return False


def _yields(node: ast.AST) -> bool:
    """Whether a function is a generator."""
    todo = list(ast.iter_child_nodes(node))
    while todo:
        one = todo.pop()
        if isinstance(one, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            todo += ast.iter_child_nodes(one)
    return False
