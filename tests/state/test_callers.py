"""Objects of C that call functions of the user's: what those do in a failed statement is undone."""

from __future__ import annotations

import pytest

from tests.state.halves.half import Half, check, check_read, halves

COUNTING = """
def made():
    calls = []
    def count(o=1, *more):
        calls.append(o)
        return 1
    return count, lambda: len(calls)
count, tell = made()
"""
PYDANTIC = """
from typing import Annotated
from pydantic import AfterValidator, Field, PlainSerializer, TypeAdapter, create_model
Counted = Annotated[int, AfterValidator(count)]
Model = create_model("Model", a=(Counted, ...), b=(int, Field(default_factory=lambda count=count: count())))
Holder = create_model("Holder", model=(Model, ...))
"""


@halves(
    Half(
        "a scanner",
        f"import json\n{COUNTING}\nscan = json.JSONDecoder(object_hook=count).scan_once\ndel count, made",
        "scan('{}', 0)",
        "tell()",
    ),
    Half(
        "an encoder",
        f"from json import encoder\n{COUNTING}\nencode = encoder.c_make_encoder(\n"
        "    None, count, encoder.encode_basestring, None, ':', ',', False, False, True)\ndel count, made",
        "encode(set(), 0)",
        "tell()",
    ),
)
def test_what_a_hook_of_json_did_is_undone(half: Half) -> None:
    check(half)


def of(says: str, make: str, change: str) -> Half:
    gone = "del count, made, Counted, Model, Holder"
    return Half(says, f"{COUNTING}\n{PYDANTIC}\n{make}\n{gone}", change, "tell()")


@halves(
    of("a validator", "o = TypeAdapter(Counted).validator", "o.validate_python(1)"),
    of("a serializer", "o = TypeAdapter(Annotated[int, PlainSerializer(count)]).serializer", "o.to_python(1)"),
    of("that of a model", "o = Model.__pydantic_validator__", "o.validate_python({'a': 1})"),
    of("that of one in it", "o = Holder.__pydantic_validator__", "o.validate_python({'model': {'a': 1}})"),
    of("a factory", "o = TypeAdapter(Model).validator", "o.validate_python({'a': 1})"),
    of("a list of them", "o = TypeAdapter(list[Counted]).validator", "o.validate_python([1, 2])"),
)
def test_what_a_validator_of_pydantic_called_is_undone(half: Half) -> None:
    pytest.importorskip("pydantic")
    check(half)


def test_one_that_is_only_used_is_not_named() -> None:
    check_read("import json; scan = json.JSONDecoder().scan_once", "scan('[1]', 0)")
