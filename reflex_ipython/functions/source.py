"""The text of one function, apart from what stands around it, and the way back from a text to its code."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType

from reflex_ipython.base.parsing import parse

_KINDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_Function = ast.FunctionDef | ast.AsyncFunctionDef

MADE = "<string>"
"""The file name of code that a program makes: since Python 3.13, a program that was given by `-c` has it as well."""
KEPT, GIVEN = "<healed ", "<source of "
"""How the file name of code begins whose text stands in no cell and no file: it was kept by its id, or handed over."""


class CannotHeal(Exception):
    """A function has no text that could be mended, or a new text can't be put in. The text says why."""


@dataclass(frozen=True)
class FunctionSource:
    """A function as it is written.

    Parameters
    ----------
    text : str
        Without decorators, and with no indentation of its own.
    filename : str
        The name that its code has.
    first, last : int
        The lines of the file (1-based) on which the text begins and ends.
    indent : int
        Bytes of indentation that were taken off.
    """

    text: str
    filename: str
    first: int
    last: int
    indent: int

    def holds(self, filename: str, lineno: int) -> bool:
        """Whether a line of a file is one of it."""
        return filename == self.filename and self.first <= lineno <= self.last


def source_of(function: FunctionType) -> FunctionSource:
    """The text of a function.

    Raises
    ------
    CannotHeal
        If there is none, or it can't stand alone.
    """
    try:
        lines, start = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise CannotHeal("its source is not known") from None
    raw, flush = "".join(lines), "".join(_flush(lines))
    node = _function(flush, function.__name__)
    if node is None:
        made = function.__code__.co_filename == MADE
        raise CannotHeal("its source is not known" if made else "it is no `def` of its own")
    begin = node.lineno - 1
    text = "".join(_flush(lines[begin : node.end_lineno])).rstrip("\n") + "\n"
    indent = len(lines[begin]) - len(lines[begin].lstrip())
    if indent and _texts(raw, indented=True) != _texts(flush):
        raise CannotHeal("it holds texts of several lines, which moving it would change")
    last = start + (node.end_lineno or node.lineno) - 1
    return FunctionSource(text, function.__code__.co_filename, start + begin, last, indent)


def put_in(function: FunctionType, text: str, filename: str) -> None:
    """Have a living function run a text: all who hold the function have it then.

    Parameters
    ----------
    function : FunctionType
    text : str
        A `def` of its name and kind, perhaps with imports above it, which are executed.
    filename : str
        The name that the code gets; tracebacks find the text by it.

    Raises
    ------
    CannotHeal
        If it is another function than that. Nothing has changed then.
    """
    tree = parse(text)
    node = _function(text, function.__name__)
    imports = [one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom))] if tree is not None else []
    if tree is None or node is None or len(tree.body) != len(imports) + 1:
        raise CannotHeal("the new text is more than a function and its imports")
    code = _code(function, node, filename)
    if code.co_freevars != function.__code__.co_freevars:
        raise CannotHeal("the new text closes over different variables")
    if (code.co_flags ^ function.__code__.co_flags) & _KINDS:
        raise CannotHeal("the new text is a function of another kind")
    if _parameters(code) != _parameters(function.__code__):
        raise CannotHeal("the new text has other parameters")
    if imports:
        exec(compile(ast.Module(list(imports), []), filename, "exec", dont_inherit=True), function.__globals__)
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    function.__code__ = code


def _flush(lines: Sequence[str]) -> list[str]:
    """Lines without the indentation of the first; those of a text in them may have less."""
    indentation = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return [line.removeprefix(indentation) for line in lines]


def _function(text: str, name: str) -> _Function | None:
    """The only function that a text has at its top, if it is called so."""
    tree = parse(text)
    found = [node for node in tree.body if isinstance(node, _Function)] if tree is not None else []
    return found[0] if len(found) == 1 and found[0].name == name else None


def _code(function: FunctionType, node: _Function, filename: str) -> CodeType:
    """The code of a function, made where its free variables and its class's private names mean what they did."""
    node.decorator_list = []
    body: list[ast.stmt] = [node]
    *outer, _ = function.__qualname__.split(".")
    if outer and outer[-1] != "<locals>":
        body = [ast.ClassDef(outer[-1], [], [], body, [])]
    variables = [ast.arg(name) for name in function.__code__.co_freevars]
    around = ast.FunctionDef("around", ast.arguments([], variables, None, [], [], None, []), body, [])
    if hasattr(around, "type_params"):
        for made in (around, *body):
            if not isinstance(made, _Function) or made is around:
                made.type_params = []  # type: ignore[attr-defined]  # Python 3.12's
    module = ast.fix_missing_locations(ast.Module([around], []))
    found = _inside(compile(module, filename, "exec", _future(function), dont_inherit=True), function.__name__)
    name = getattr(function.__code__, "co_qualname", None)  # there since Python 3.11
    return found.replace(**{"co_qualname": name}) if name is not None else found


def _inside(code: CodeType, name: str) -> CodeType:
    waiting = [code]
    while waiting:
        found = waiting.pop(0)
        if found.co_name == name:
            return found
        waiting += [one for one in found.co_consts if type(one) is CodeType]
    raise CannotHeal("its code was not found in the new text")


def _future(function: FunctionType) -> int:
    """The `from __future__` imports that hold where it stands."""
    import __future__

    features = (getattr(__future__, name) for name in __future__.all_feature_names)
    return sum(one.compiler_flag for one in features if function.__code__.co_flags & one.compiler_flag)


def _parameters(code: CodeType) -> tuple[object, ...]:
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    stars = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    return code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, names, stars


def _texts(source: str, *, indented: bool = False) -> list[object]:
    """The texts in a source that its code may use: none that documents, of which only the indentation would change."""
    tree = parse(f"if True:\n{source}" if indented else source)
    nodes = list(ast.walk(tree)) if tree is not None else []
    documenting = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))
    return [node.value for node in texts if id(node) not in documenting]
