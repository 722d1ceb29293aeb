"""Files that are read: their encoding, what separates their values, lines and columns that they do not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_ipython.base.spans import SpanEdit
from reflex_ipython.propose.rules.closeness import closest
from reflex_ipython.propose.rules.proposal import Proposal, Rule
from reflex_ipython.propose.rules.science.cleaning import is_number
from reflex_ipython.propose.rules.science.scene import Scene, answers, called, keyword

_READERS = ("read_csv", "read_table", "read_fwf")
_OPENERS = ("open", "read_text", *_READERS, "read_json", "genfromtxt", "loadtxt")


def _encoding(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A file in another encoding than UTF-8: the ones that decode it, by the byte that does not fit."""
    byte, place = int(found["byte"], 16), int(found["place"])
    if found["codec"].lower() in ("ascii", "charmap", "cp1252", "cp1250", "latin-1"):
        ways = [("utf-8", 0.85), ("utf-8-sig", 0.3), ("latin-1", 0.4)]
    elif byte in (0xFF, 0xFE) and place == 0:
        ways = [("utf-16", 0.95)]
    elif byte == 0x00:
        ways = [("utf-16", 0.8)]
    else:
        # Between 0x80 and 0x9f cp1252 has signs where latin-1 has control characters.
        ways = [("cp1252", 0.8), ("latin-1", 0.38)] if 0x80 <= byte <= 0x9F else [("latin-1", 0.8), ("cp1252", 0.7)]
    for call in _reading(scene):
        given = keyword(call, "encoding")
        for name, prior in ways:
            text = f'encoding="{name}"'
            edit = SpanEdit(*scene.cell.span(given), text) if given else scene.argument(call, text)
            why = f"Byte 0x{byte:02x} at place {place} is no {found['codec']}; the file decodes as {name}."
            yield scene.proposal([edit], why, "encoding of the file", prior)


def _reading(scene: Scene) -> list[ast.Call]:
    """The call that reads the file: in the failing statement, else where the file was opened."""
    here = [call for call in scene.calls() if called(call) in _OPENERS and not _binary(call)]
    return (
        here[:1] or [call for call in scene.cell.every(ast.Call) if called(call) in _OPENERS and not _binary(call)][:1]
    )


def _binary(call: ast.Call) -> bool:
    given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")]
    return called(call) == "open" and any(isinstance(one, ast.Constant) and "b" in str(one.value) for one in given)


def _fields(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Lines with more fields than the first: another separator, lines before the table, or bad lines."""
    expected, line = int(found["expected"]), int(found["line"])
    for call in scene.calls(*_READERS):
        separator = keyword(call, "sep", "delimiter")

        def with_(text: str, separator: ast.keyword | None = separator, call: ast.Call = call) -> SpanEdit:
            return SpanEdit(*scene.cell.span(separator), text) if separator else scene.argument(call, text)

        told = f"Line {line} has {found['saw']} fields where {expected} were expected"
        if expected == 1 or separator is not None:
            # Three fields and more: it is the commas that separate, from that line on.
            titled = separator is None and int(found["saw"]) > 2 and line > 2
            if titled:
                why = f"{told}; the {line - 1} lines above the table are left out."
                yield scene.proposal([scene.argument(call, f"skiprows={line - 1}")], why, "lines above the table", 0.86)
            signs = ((";", "semicolons", 0.84), ("\\t", "tabs", 0.8), ("|", "bars", 0.78))
            for sign, name, prior in signs:
                prior = prior / 2 if titled else prior
                why = f"{told}; separated at {name} every line has as many."
                yield scene.proposal([with_(f'sep="{sign}"')], why, "separator of the file", prior)
            why = f"{told}; at semicolons, with decimal commas, every line has as many."
            yield scene.proposal([with_('sep=";", decimal=","')], why, "separator of the file", 0.42)
        if expected > 1 and separator is None and int(found["saw"]) == expected + 1:
            why = f"{told}; at semicolons, with decimal commas, every line has as many."
            yield scene.proposal([with_('sep=";", decimal=","')], why, "separator of the file", 0.45)
        if not keyword(call, "skiprows", "header") and expected <= 2 and line > 1:
            why = f"{told}; the table begins there, and what stands above is left out."
            prior = 0.66 if expected == 1 else 0.3
            yield scene.proposal([scene.argument(call, f"skiprows={line - 1}")], why, "lines above the table", prior)
        why = f"{told}; such lines are left out."
        yield scene.proposal(
            [scene.argument(call, 'on_bad_lines="skip"')], why, "lines left out", 0.46 if expected > 1 else 0.2
        )


def _unquoted(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    for call in scene.calls(*_READERS):
        why = "A quotation mark is opened and never closed; quotation marks are read as any other sign."
        yield scene.proposal([scene.argument(call, "quoting=3")], why, "quotation marks", 0.8)
        why = "A quotation mark is opened and never closed; Python's own reader bears with it."
        yield scene.proposal(
            [scene.argument(call, 'engine="python", on_bad_lines="skip"')], why, "quotation marks", 0.35
        )


def _columns(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Columns that the file calls otherwise: by case, by spaces around them."""
    lookup = scene.failure.lookup
    available = lookup.available if lookup is not None and lookup.kind == "column" else ()
    wanted = re.findall(r"'([^']+)'", found["wanted"]) or [found["wanted"]]
    edits = []
    words: list[str] = []
    for node in scene.every(ast.Constant):
        if isinstance(node.value, str) and node.value in wanted:
            same = [one for one in available if one.strip().lower() == node.value.strip().lower()]
            same = same or [one for one in available if _singular(one) == _singular(node.value)]
            near = same[0] if same else closest(node.value, available, fixed=True)
            if near:
                text = scene.text(node)
                words.append(near)
                edits.append(scene.put(node, f"{text[-1]}{near}{text[-1]}"))
    if edits:
        why = f"The file calls it `{words[0]}`, not `{wanted[0]}`."
        yield scene.proposal(edits, why, "column of the file", 0.93)
    for call in scene.calls(*_READERS):
        if any(one != one.strip() for one in available) or not available:
            why = "The names of the columns have spaces in front of them; `skipinitialspace` leaves those out."
            edit = scene.argument(call, "skipinitialspace=True")
            yield scene.proposal([edit], why, "spaces around names", 0.85 if available else 0.5)


def _singular(name: str) -> str:
    return name.strip().lower().removesuffix("s")


def _index_column(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`index_col="ID"` of a file with `id`: the same in small letters, or its first column."""
    wrong = found["wrong"]
    for call in scene.calls(*_READERS):
        given = keyword(call, "index_col")
        if given is None:
            continue
        for word in dict.fromkeys([wrong.lower(), wrong.upper(), wrong.capitalize(), wrong.strip()]):
            if word != wrong:
                edit = scene.put(given.value, f'"{word}"')
                yield scene.proposal([edit], f"The file has `{word}`, not `{wrong}`.", "column of the file", 0.85)
        why = f"The file has no column `{wrong}`; its first is 0."
        yield scene.proposal([scene.put(given.value, "0")], why, "first column", 0.42)


def _typed(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`dtype={"a": int}` with missing values, or with thousands."""
    for call in scene.calls(*_READERS):
        given = keyword(call, "dtype")
        if given is None:
            continue
        if "NA values" in found.string:
            whole = [node for node in ast.walk(given.value) if _is_whole(node)]
            for node in whole:
                if isinstance(node, ast.expr):
                    edits = [scene.put(node, '"Int64"')]
                    why = "The column has missing values; `Int64` is a type of whole numbers that knows them."
                    yield scene.proposal(edits, why, "missing whole numbers", 0.8)
                    why = "The column has missing values; floats know them."
                    yield scene.proposal([scene.put(node, "float")], why, "missing whole numbers", 0.44)
        else:
            for text, prior in (('thousands=","', 0.88), ('decimal=","', 0.6)):
                why = "Numbers in the file have commas in them; this says what for."
                yield scene.proposal([scene.argument(call, text)], why, "commas in numbers", prior)
            yield scene.proposal([scene.without(call, given)], "The types are found out.", "types found out", 0.35)


def _is_whole(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id == "int") or (
        isinstance(node, ast.Constant) and node.value in ("int", "int64", "int32")
    )


def _other_format(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`read_excel("data.csv")`: the reader of that kind of file."""
    for call in scene.calls("read_excel", "ExcelFile", "read_json"):
        path = call.args[0] if call.args else None
        if (
            not isinstance(path, ast.Constant)
            or not isinstance(path.value, str)
            or not isinstance(call.func, ast.Attribute)
        ):
            continue
        readers = {
            "csv": "read_csv",
            "tsv": "read_csv",
            "txt": "read_csv",
            "json": "read_json",
            "parquet": "read_parquet",
        }
        reader = readers.get(path.value.rpartition(".")[2].lower())
        if reader:
            why = f"{path.value!r} is no file of Excel; `{reader}` reads it."
            edit = scene.put(call.func, f"{scene.text(call.func.value)}.{reader}")
            yield scene.proposal([edit], why, "reader of the file", 0.93)


def _json_lines(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A JSON object on each line."""
    for call in scene.calls("read_json"):
        why = "The file has a JSON document on each line; `lines=True` reads them all."
        yield scene.proposal([scene.argument(call, "lines=True")], why, "a document a line", 0.93)
    for call in scene.calls("load"):
        if call.args and scene.text(call.func) == "json.load":
            text = f"[json.loads(line) for line in {scene.operand(call.args[0])} if line.strip()]"
            why = "The file has a JSON document on each line; each is read by itself."
            yield scene.proposal([scene.put(call, text)], why, "a document a line", 0.9)
    for call in scene.calls("loads"):
        if call.args and scene.text(call.func) == "json.loads":
            text = f"[json.loads(line) for line in {scene.operand(call.args[0])}.splitlines() if line.strip()]"
            why = "The text has a JSON document on each line; each is read by itself."
            yield scene.proposal([scene.put(call, text)], why, "a document a line", 0.88)


def _scalars(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """Single values as a table: of one row."""
    for call in scene.calls("read_json"):
        why = "The file holds single values by name; as a Series each has its name."
        yield scene.proposal([scene.argument(call, 'typ="series"')], why, "values by name", 0.6)
        yield scene.proposal([scene.argument(call, "lines=True")], "The file is one row of values.",
                             "one row", 0.62)  # fmt: skip
    for call in scene.calls("DataFrame"):
        if not call.args:
            continue
        data, more = call.args[0], "" if len(call.args) == 1 else ", …"
        del more
        text = f"[{scene.text(data)}]"
        why = "All values are single ones; in a list they are one row of the table."
        yield scene.proposal([scene.put(data, text)], why, "one row", 0.88)
        pd, imports = scene.module("pandas")
        edits = [scene.put(call, f"{pd}.Series({scene.text(data)})"), *imports]
        yield scene.proposal(edits, "All values are single ones; in a Series each has its name.", "values by name", 0.3)


def _text_as_path(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`pd.read_json(text)`: pandas 3 takes a file only."""
    if found["path"].lstrip()[:1] not in ("{", "[", "<") and "\\n" not in found["path"]:
        return
    from reflex_ipython.propose.rules.placement import import_edit

    for call in scene.calls("read_json", "read_csv", "read_html", "read_xml"):
        if call.args:
            known = "io.StringIO" if "io" in scene.failure.situation.meanings.values() else "StringIO"
            edits = [scene.put(call.args[0], f"{known}({scene.text(call.args[0])})")]
            if known == "StringIO" and "StringIO" not in scene.failure.situation.names:
                edits.append(import_edit(scene.cell, ["from io import StringIO"]))
            why = "What is given is the text itself, and a path is wanted; `StringIO` makes a file of the text."
            yield scene.proposal(edits, why, "text as a file", 0.95)


def _delimited(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """`np.loadtxt` of a file with commas, or with a header."""
    value = found["value"]
    for call in scene.calls("loadtxt", "genfromtxt"):
        for sign in (",", ";", "\\t"):
            if sign in value and not keyword(call, "delimiter"):
                why = f"The values are separated by {sign!r}, as in {value!r}."
                edit = scene.argument(call, f'delimiter="{sign}"')
                yield scene.proposal([edit], why, "separator of the file", 0.9)
                if all(map(is_number, value.split(sign.replace("\\t", "\t")))):
                    continue
                edit = scene.argument(call, f'delimiter="{sign}", skiprows=1')
                yield scene.proposal([edit], f"{why} The first line has names.", "separator of the file", 0.5)
        if not keyword(call, "skiprows") and found["row"] == "0":
            why = f"The first line has {value!r}, which is no number: it is the header."
            yield scene.proposal([scene.argument(call, "skiprows=1")], why, "header left out", 0.92)


def _missing_key(scene: Scene, found: re.Match[str]) -> Iterator[Proposal]:
    """A column of a table that was read with the wrong separator, or without its header."""
    lookup = scene.failure.lookup
    if lookup is None or lookup.kind != "column":
        return
    readers = [call for call in scene.cell.every(ast.Call) if called(call) in _READERS]
    single = lookup.available[0] if len(lookup.available) == 1 else ""
    for call in readers:
        for sign in (";", "\t", "|") if not lookup.owner.isidentifier() else ():  # else the table's name tells where
            if sign in single and lookup.wanted in [one.strip() for one in single.split(sign)]:
                text = sign.replace("\t", "\\t")
                why = f"The file has one column {single!r}: its values are separated by {text!r}."
                yield scene.proposal([scene.argument(call, f'sep="{text}"')], why, "separator of the file", 0.95)
        if lookup.wanted in [one.strip() for one in lookup.available]:
            why = "The file has spaces around its names; `skipinitialspace` leaves them out."
            yield scene.proposal([scene.argument(call, "skipinitialspace=True")], why, "spaces around names", 0.9)
        header = keyword(call, "header")
        if header is not None and isinstance(header.value, ast.Constant) and header.value.value is None:
            why = "The file was read without its header; with it the columns have names."
            yield scene.proposal([scene.without(call, header)], why, "header of the file", 0.85)
    if not readers and lookup.owner.isidentifier() and (statement := scene.statement()) is not None:
        owner = lookup.owner
        if lookup.wanted in [one.strip() for one in lookup.available]:
            above = scene.line_above(statement, f"{owner}.columns = {owner}.columns.str.strip()")
            why = f"The columns of `{owner}` have spaces around their names; without them `{lookup.wanted}` is there."
            yield scene.proposal([above], why, "spaces around names", 0.93)


files: Rule = answers(
    "files",
    (r"'(?P<codec>[\w-]+)' codec can't decode bytes? (?:0x)?(?P<byte>[0-9a-f]{2})?.*in position (?P<place>\d+)",
     _encoding),
    (r"Expected (?P<expected>\d+) fields in line (?P<line>\d+), saw (?P<saw>\d+)", _fields),
    (r"EOF inside string", _unquoted),
    (r"(?:columns expected but not found: |Missing columns? provided to 'parse_dates': )(?P<wanted>.*)$", _columns),
    (r"ValueError: Index (?P<wrong>.+) invalid", _index_column),
    (r"Integer column has NA values|could not convert string to float|invalid literal for int", _typed),
    (r"Excel file format cannot be determined|File is not a zip file|not a supported file type", _other_format),
    (r"Trailing data|Extra data: line 2", _json_lines),
    (r"If using all scalar values, you must pass an index", _scalars),
    (r"No such file or directory: '(?P<path>.+)'", _text_as_path),
    (r"could not convert string '(?P<value>[^']*)' to \w+ at row (?P<row>\d+)", _delimited),
    (r"KeyError: ", _missing_key),
)  # fmt: skip

RULES = (files,)
