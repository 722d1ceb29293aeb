"""JSON that is none, and values that JSON has no word for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.article import a
from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.base.syntax_trees import literal_value
from reflex_ipython.models import Failure
from reflex_ipython.propose.rules.proposal import Proposal
from reflex_ipython.propose.rules.values.reading import UNKNOWN, Reading, reading, short

_NO_JSON = re.compile(r"Object of type (\w+) is not JSON serializable")
_KEYS = re.compile(r"keys must be str, int, float, bool or None, not (\w+)")
_NOT_TEXT = re.compile(r"the JSON object must be str, bytes or bytearray, not ([\w.]+)")
_NO_FILE = re.compile(r"'(str|bytes)' object has no attribute 'read'")
# What makes something of a value that JSON knows, by the value's type, and how likely it is meant.
_DEFAULTS: dict[str, tuple[str, str, float]] = {
    "ndarray": ("lambda o: o.tolist()", "`tolist` makes a list of it", 0.85),
    "Series": ("lambda o: o.tolist()", "`tolist` makes a list of it", 0.7),
    "DataFrame": ('lambda o: o.to_dict("records")', "`to_dict` makes a list of dicts of it", 0.7),
    "set": ("list", "`list` makes a list of it", 0.85),
    "frozenset": ("list", "`list` makes a list of it", 0.85),
    "dict_keys": ("list", "`list` makes a list of it", 0.9),
    "dict_values": ("list", "`list` makes a list of it", 0.9),
    "dict_items": ("list", "`list` makes a list of it", 0.9),
    "map": ("list", "`list` makes a list of it", 0.9),
    "filter": ("list", "`list` makes a list of it", 0.9),
    "zip": ("list", "`list` makes a list of it", 0.9),
    "generator": ("list", "`list` makes a list of it", 0.9),
    "range": ("list", "`list` makes a list of it", 0.9),
    "deque": ("list", "`list` makes a list of it", 0.9),
    "datetime": ("str", "`str` gives its text", 0.75),
    "date": ("str", "`str` gives its text", 0.85),
    "time": ("str", "`str` gives its text", 0.85),
    "timedelta": ("str", "`str` gives its text", 0.75),
    "Timestamp": ("str", "`str` gives its text", 0.8),
    "Decimal": ("float", "`float` makes a number of it", 0.6),
    "Fraction": ("float", "`float` makes a number of it", 0.7),
    "bytes": ("lambda o: o.decode()", "`decode` makes text of it", 0.8),
    "PosixPath": ("str", "`str` gives its text", 0.9),
    "WindowsPath": ("str", "`str` gives its text", 0.9),
    "UUID": ("str", "`str` gives its text", 0.9),
    "complex": ("str", "`str` gives its text", 0.7),
    **{
        f"{sign}int{bits}": ("int", "`int` makes a plain number of it", 0.9)
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
    **{f"float{bits}": ("float", "`float` makes a plain number of it", 0.9) for bits in (16, 32, 64)},
    "bool_": ("bool", "`bool` makes a plain one of it", 0.9),
    "bool": ("bool", "`bool` makes a plain one of it", 0.8),
}


def not_serializable(failure: Failure) -> Iterator[Proposal]:
    """`json.dumps({"n": np.int64(1)})`: `default=` says what is written instead."""
    match, keys = _NO_JSON.match(failure.error.evalue), _KEYS.match(failure.error.evalue)
    read = reading(failure) if (match or keys) and failure.error.ename == "TypeError" else None
    if read is None:
        return
    for call in _calls(read, "dumps", "dump"):
        end = read.cell.span(call)[1] - 1
        comma = "" if read.cell.source[:end].rstrip().endswith(",") else ", "
        given = call.args[0] if call.args else None
        if keys and given is not None:
            name = "key" if read.free("key") else read.fresh()
            made = f"{{str({name}): value for {name}, value in {read.atom(given)}.items()}}"
            why = (
                f"JSON has texts for keys, and `{short(read.text(given))}` has {a(keys[1])}; `str` makes text of each."
            )
            yield from read.propose(read.replace(given, made), why, "texts as keys", 0.8)
            why = (
                f"JSON has texts for keys, and `{short(read.text(given))}` has {a(keys[1])}; such entries are left out."
            )
            yield from read.propose([SpanEdit(end, end, f"{comma}skipkeys=True")], why, "without such keys", 0.2)
        if match is None or any(one.arg in ("default", "cls") for one in call.keywords):
            continue
        known = _DEFAULTS.get(match[1])
        if known is not None:
            function, said, prior = known
            why = f"JSON has no word for {a(match[1])}; {said}."
            yield from read.propose(
                [SpanEdit(end, end, f"{comma}default={function}")], why, f"default for {match[1]}", prior
            )
            if function in ("int", "float", "bool") and match[1] not in ("Decimal", "Fraction"):
                name = read.fresh()
                why = f"JSON has no word for {a(match[1])}; `tolist` makes plain numbers of all that numpy has."
                edits = [SpanEdit(end, end, f"{comma}default=lambda {name}: {name}.tolist()")]
                yield from read.propose(edits, why, "default for numpy", 0.85)
            if function != "str":
                why = f"JSON has no word for {a(match[1])}; `str` gives its text."
                yield from read.propose([SpanEdit(end, end, f"{comma}default=str")], why, "default: text", 0.2)
        else:
            why = f"JSON has no word for {a(f'`{match[1]}`')}; `vars` gives its attributes as a dict."
            yield from read.propose([SpanEdit(end, end, f"{comma}default=vars")], why, "default: attributes", 0.7)
            why = f"JSON has no word for {a(f'`{match[1]}`')}; `str` gives its text."
            yield from read.propose([SpanEdit(end, end, f"{comma}default=str")], why, "default: text", 0.3)


def _calls(read: Reading, *names: str) -> list[ast.Call]:
    """The calls of functions of `json` in the failing statement."""
    found = []
    for call in read.nodes(ast.Call):
        name = read.called(call)
        if name in names:
            found.append(call)
    return found


def json_of_python(failure: Failure) -> Iterator[Proposal]:
    """`json.loads("{'a': 1}")`: Python's notation, several documents, none at all."""
    read = reading(failure) if failure.error.ename == "JSONDecodeError" else None
    if read is None:
        return
    for call in _calls(read, "loads"):
        if not call.args:
            continue
        given, text = call.args[0], short(read.text(call.args[0]))
        value = read.value(given)
        if "double quotes" in read.message or (value is not UNKNOWN and _is_python(value)):
            known = read.module("ast.literal_eval")
            name = known or f"{read.module('ast') or 'ast'}.literal_eval"
            imports = () if known or read.module("ast") else ("import ast",)
            why = f"`{text}` has Python's single quotes, and JSON has double ones; `ast.literal_eval` reads Python's."
            made = f"{name}({read.text(given)})"
            yield from read.propose(read.replace(call, made), why, "Python's notation", 0.85, imports=imports)
            why = f"`{text}` has single quotes, and JSON has double ones; this puts double ones."
            edits = read.replace(given, f"{read.atom(given)}.replace(\"'\", '\"')")
            yield from read.propose(edits, why, "double quotes", 0.35)
        if "Extra data" in read.message and len(call.args) == 1:
            name = read.fresh()
            function = read.text(call.func)
            made = f"[{function}({name}) for {name} in {read.atom(given)}.splitlines() if {name}.strip()]"
            why = f"`{text}` holds more than one JSON document; this reads each line."
            yield from read.propose(read.replace(call, made), why, "JSON by lines", 0.88)
        if type(value) is str and re.fullmatch(r"[\w./\\~-]+\.\w{1,8}", value.strip()):
            why = f"`{text}` is the name of a file ({value!r}); `json.load` reads from an open one."
            function = read.text(call.func).removesuffix("loads") + "load"
            made = f"{function}(open({read.text(given)}))"
            yield from read.propose(read.replace(call, made), why, "JSON of a file", 0.85)
    for call in _calls(read, "load"):
        if "Extra data" in read.message and len(call.args) == 1:
            name, function = read.fresh(), read.text(call.func) + "s"
            file = read.text(call.args[0])
            made = f"[{function}({name}) for {name} in {file} if {name}.strip()]"
            why = f"`{short(file)}` holds more than one JSON document; this reads each line."
            yield from read.propose(read.replace(call, made), why, "JSON by lines", 0.88)


def _is_python(text: object) -> bool:
    try:
        return isinstance(literal_value(str(text)), (dict, list))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False


def json_of_values(failure: Failure) -> Iterator[Proposal]:
    """`json.loads(d)` of a dict, `json.load("text")`, `json.loads(file)`."""
    if failure.error.ename not in ("TypeError", "AttributeError"):
        return
    match, unread = _NOT_TEXT.match(failure.error.evalue), _NO_FILE.match(failure.error.evalue)
    missing = "dump() missing 1 required positional argument: 'fp'" in failure.error.evalue
    read = reading(failure) if match or unread or missing else None
    if read is None:
        return
    for call in _calls(read, "loads", "load", "dump"):
        name = read.text(call.func)
        if missing and name.endswith("dump"):
            why = "`dump` writes to a file; `dumps` gives the text."
            yield from read.propose(read.replace(call.func, f"{name}s"), why, "JSON text", 0.85)
        if not call.args:
            continue
        given, text = call.args[0], short(read.text(call.args[0]))
        if match and match[1] in ("TextIOWrapper", "_io.TextIOWrapper", "BufferedReader", "HTTPResponse", "StringIO"):
            why = f"`{text}` is an open file; `load` reads from one, `loads` from text."
            edits = read.replace(call.func, name.removesuffix("s"))
            yield from read.propose(edits, why, "JSON of a file", 0.95)
        elif match and match[1] in ("dict", "list"):
            why = f"`{text}` is {a(match[1])} already, not JSON text."
            yield from read.propose(read.replace(call, read.text(given)), why, "no JSON", 0.85)
        elif match and match[1] == "Response":
            why = f"`{text}` is a response; its `text` is what was sent."
            yield from read.propose(read.replace(given, f"{read.atom(given)}.text"), why, "text of a response", 0.85)
        elif unread and name.endswith("load"):
            value = read.value(given)
            json = type(value) is str and value.lstrip()[:1] in ("{", "[", '"')
            why = f"`{text}` is text: `loads` reads from text, `load` from an open file."
            if json or value is UNKNOWN:
                yield from read.propose(read.replace(call.func, f"{name}s"), why, "JSON text", 0.9 if json else 0.5)
            if not json:
                why = f"`{text}` is the name of a file; `open` opens it."
                yield from read.propose(read.wrap(given, "open("), why, "opened file", 0.85)
