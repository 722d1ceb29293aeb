"""Structured answers: who is asked for them, what they come to, and what happens where they can't be had."""

from __future__ import annotations

import importlib.util
import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from reflex_ipython.capture.redactor import SecretRedactor
from reflex_ipython.errors import ModelError
from reflex_ipython.models import CellRef, CellSource, Edit, Failure, Fix, Repair, RunCell, Verdict
from reflex_ipython.propose.answer_form import BLOCKS, STRUCTURED
from reflex_ipython.propose.answer_schema import FORCED_TOOL, RESPONSE_FORMAT, SCHEMA
from reflex_ipython.propose.chat import would_send
from reflex_ipython.propose.model import ModelProvider
from reflex_ipython.propose.presets import LOCAL, PRESETS
from reflex_ipython.propose.structured_answer import LONGEST, MALFORMED, read
from reflex_ipython.propose.tiny_request import time_to_answer
from reflex_ipython.propose.transport import AnswerPiece
from reflex_ipython.protocols import Context, Request
from reflex_ipython.remember.memory_store import MemoryStore
from reflex_ipython.repairs.pipeline import grow
from reflex_ipython.settings import Settings
from reflex_ipython.testing import Raw, Refuse, Say, ScriptedServer
from tests.failures import situated

KEY = "sk-very-secret-0123456789"
KNOWN = [name for name, preset in PRESETS.items() if preset.structured and name != LOCAL]
OTHERS = [name for name, preset in PRESETS.items() if not preset.structured]
OLD = 'total = sum(salse["north"])\nprint(total)'
FIXED = 'total = sum(sales["north"])\nprint(total)'
EARLIER = CellSource(CellRef("c3", 3), 'sales = {"nrth": [1, 2]}')


@pytest.fixture(params=KNOWN)
def name(request: pytest.FixtureRequest) -> str:
    if request.param == "anthropic" and importlib.util.find_spec("anthropic") is None:
        pytest.skip("anthropic is not installed")
    return str(request.param)


@pytest.fixture
def broken(failure: Failure) -> Failure:
    """A failure in In [7], which In [3] may have caused."""
    return situated(failure, place=CellRef("c7", 7), source=OLD, earlier=(EARLIER,))


def said(*cells: tuple[int, str], reason: str = "It is misspelt.", needs: str = "", ascii: bool = True) -> str:
    found = [{"cell": number, "code": code} for number, code in cells]
    return json.dumps({"reason": reason, "cells": found, "needs": needs}, ensure_ascii=ascii)


def provider_for(server: ScriptedServer, name: str = "openai", **changes: Any) -> ModelProvider:
    fields = {"provider": name, "model": "large", "base_url": server.base_url, "api_key": KEY, "timeout": 20.0}
    settings = Settings(**{**fields, "answers": "structured", **changes})
    return ModelProvider(Context(lambda: settings, MemoryStore()))


def fixes(broken: Failure, *replies: str, **asked: Any) -> list[Fix]:
    with ScriptedServer(*(Say(reply) for reply in replies), dialect="openai") as server:
        return list(provider_for(server).propose(broken, Request(**asked)))


def schema_in(sent: Mapping[str, Any]) -> bool:
    return "response_format" in sent or "tools" in sent or "tool_choice" in sent


# ------------------------------------------------------------------------------------------ who is asked for them


def test_the_schema_goes_to_whom_it_is_known_to_work_with_and_the_answer_becomes_a_fix(
    broken: Failure, name: str
) -> None:
    pieces: list[str] = []
    with ScriptedServer(Say(said((7, FIXED)), usage=(321, 12)), dialect=name) as server:
        (fix,) = provider_for(server, name).propose(broken, Request(on_text=pieces.append))
    assert fix.edits == (Edit(CellRef("c7", 7), OLD, FIXED),)
    assert (fix.explanation, fix.usage.input_tokens) == ("It is misspelt.", 321)  # type: ignore[union-attr]
    (chat,) = server.chats
    wanted = FORCED_TOOL if name == "anthropic" else {"response_format": RESPONSE_FORMAT}
    assert wanted.items() <= chat.json.items()
    assert schema_in(chat.json)
    shown = "".join(pieces)
    assert shown.startswith("> Reason: It is misspelt.\n")
    assert FIXED in shown, "no escapes, no braces"
    assert len(pieces) > 10, "as it comes"


@pytest.mark.parametrize("name", [*OTHERS, None])
def test_all_others_are_asked_for_blocks(broken: Failure, name: str | None) -> None:
    reply = Say(f"Reason: it is misspelt.\n```python\n{FIXED}\n```")
    with ScriptedServer(reply, dialect=name or "") as server:
        provider = provider_for(server, name)  # type: ignore[arg-type]  # None: any server
        (fix,) = provider.propose(broken, Request())
        assert "blocks of code: not every model of 127.0.0.1" in provider.answers
    assert fix.edits[0].source == FIXED
    assert not schema_in(server.chats[0].json)
    assert "```python\nthe complete repaired cell" in server.chats[0].json["messages"][-1]["content"]


def test_nobody_is_asked_for_them_by_default(broken: Failure, name: str) -> None:
    reply = Say(f"Reason: it is misspelt.\n```python\n{FIXED}\n```")
    with ScriptedServer(reply, dialect=name) as server:
        provider = provider_for(server, name, answers=Settings().answers)
        (fix,) = provider.propose(broken, Request())
        assert provider.answers == ""
    assert fix.edits[0].source == FIXED
    assert not schema_in(server.chats[0].json)


def test_what_would_be_sent_has_the_schema_in_it(broken: Failure, name: str) -> None:
    with ScriptedServer(Say(said((7, FIXED))), dialect=name) as server:
        provider = provider_for(server, name)
        outgoing = provider.would_send(broken, Request())
        list(provider.propose(broken, Request()))
        assert provider.answers == "Its answers are structured."
    assert outgoing.body == server.chats[0].body
    assert json.dumps(SCHEMA["properties"]["reason"]["description"])[1:-1] in outgoing.body.decode()


def test_a_tiny_request_asks_for_a_word(name: str) -> None:
    with ScriptedServer(Say("ready"), dialect=name) as server:
        settings = provider_for(server, name)._settings()
        assert time_to_answer(settings, threading.Event()) is not None
    assert not schema_in(server.chats[0].json)


def test_the_question_and_every_further_one_ask_for_json(broken: Failure) -> None:
    with ScriptedServer(Say(said((7, OLD))), Say(said((7, FIXED))), dialect="openai") as server:
        list(provider_for(server).propose(broken, Request(ask_again=lambda problem: True)))
    first, second = (chat.json["messages"][-1]["content"] for chat in server.chats)
    assert '"cells": [{"cell": 7, "code":' in first
    assert "leave `cells` empty and say in `needs`" in first
    assert second.endswith(STRUCTURED.again)
    assert "```python\nthe complete" not in first + second


def test_both_forms_ask_for_the_same_things() -> None:
    filled = {"more": "m", "number": 7, "function": "f", "home": "In [3]", "failing": "In [7]"}
    for form in (BLOCKS, STRUCTURED):
        texts = [text.format(**filled) for text in (form.cell, form.two, form.wish)]
        assert all("one sentence that says" in text for text in texts)
        assert all("{{" not in text for text in texts)
    for text in (STRUCTURED.cell, STRUCTURED.two, STRUCTURED.wish):
        example = json.loads(text.format(**filled).splitlines()[-1])
        assert list(example) == list(SCHEMA["properties"])
        assert list(example["cells"][0]) == list(SCHEMA["properties"]["cells"]["items"]["properties"])


# ------------------------------------------------------------------------------------------ what they come to


def test_several_cells_change_by_their_numbers(broken: Failure) -> None:
    (fix,) = fixes(broken, said((3, 'sales = {"north": [1, 2]}'), (7, FIXED)))
    assert [(edit.target, edit.source) for edit in fix.edits] == [
        (EARLIER.cell, 'sales = {"north": [1, 2]}'),
        (CellRef("c7", 7), FIXED),
    ]


@pytest.mark.parametrize("number", [7, 0])
def test_the_failing_cell_may_go_without_a_number(broken: Failure, number: int) -> None:
    (fix,) = fixes(broken, said((number, FIXED)))
    assert fix.edits == (Edit(CellRef("c7", 7), OLD, FIXED),)


def test_a_cell_that_the_question_did_not_show_takes_no_other_ones_place(broken: Failure) -> None:
    with pytest.raises(ModelError, match=r"is for In \[99\], which is none of the cells that it may change"):
        fixes(broken, said((99, "import shutil\nshutil.rmtree('x')")))


def test_the_same_cell_twice_is_a_choice_where_somebody_has_to_decide(broken: Failure) -> None:
    other = FIXED.replace("north", "nrth")
    one, two = fixes(broken, said((7, FIXED), (7, other), reason="Two may be meant.", needs="decide between these"))
    assert (one.edits[0].source, two.edits[0].source) == (FIXED, other)
    assert (one.prior, one.explanation, two.explanation) == (0.5, "Two may be meant.", "Two may be meant.")


def test_what_is_needed_becomes_its_step_or_is_said(broken: Failure) -> None:
    (fix,) = fixes(broken, said(reason="It is not there.", needs="run In [3] first"))
    assert fix.steps == (RunCell(EARLIER.cell, EARLIER.source, None, "as the model says"),)
    with pytest.raises(ModelError, match=r"It says: “the file `a\.csv`”") as caught:
        fixes(broken, said(needs="the file `a.csv`"))
    assert caught.value.code == "needs-more"


@pytest.mark.parametrize("needs", ["", "None.", "nothing", " "])
def test_needing_nothing_is_no_need(broken: Failure, needs: str) -> None:
    assert fixes(broken, said((7, FIXED), needs=needs))[0].edits[0].source == FIXED
    with pytest.raises(ModelError, match="no code for this cell"):
        fixes(broken, said(needs=needs))


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("total = sum(sales['north']\nprint(total)", "not valid Python"),
        (OLD, "answered with the same cell"),
        ("", "no code for this cell"),
    ],
)
def test_the_checks_are_the_same_as_for_blocks(broken: Failure, code: str, problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        fixes(broken, said((7, code)))


def test_a_model_that_answers_in_blocks_all_the_same_is_understood(broken: Failure) -> None:
    assert fixes(broken, f"Reason: x.\n```python\n{FIXED}\n```")[0].edits[0].source == FIXED
    assert fixes(broken, f"```json\n{said((7, FIXED))}\n```")[0].edits[0].source == FIXED


def test_code_keeps_its_own_fences_quotes_and_letters(broken: Failure) -> None:
    code = 'text = """\n```\ncode\n```\n"""\nname = "é😀\\n"\nprint(sum(sales["north"]))'
    for ascii in (True, False):
        assert fixes(broken, said((7, code), ascii=ascii))[0].edits[0].source == code


# ------------------------------------------------------------------------------------------ what goes wrong


def test_an_answer_that_was_cut_off_says_so_as_a_block_does(broken: Failure, name: str) -> None:
    half = said((7, FIXED))[:60]
    with (
        ScriptedServer(Say(half, finish_reason="length"), Say(half, ending="closed"), dialect=name) as server,
        pytest.raises(ModelError, match=r"was cut off\. Reflex\.max_tokens limits"),
    ):
        list(provider_for(server, name).propose(broken, Request()))


def test_of_an_answer_that_was_cut_off_the_finished_cell_is_no_worse(broken: Failure) -> None:
    reply = said((7, FIXED), (3, "sales = {}"))[:-30]
    with ScriptedServer(Say(reply, finish_reason="length"), dialect="openai") as server:
        (fix,) = provider_for(server).propose(broken, Request())
    assert [edit.source for edit in fix.edits] == [FIXED]


@pytest.mark.parametrize(
    "reply",
    [
        '{"reason": "x", "cells": [{"cell": 7, "code": oops}]}',
        '{"reason": "x", "cells": [',
        '{"reason": "x", "reason": "y", "cells": []}',
        '{"code": "x = 1"}',
        '{"reason": "x", "cells": [{"cell": 7, "code": "' + "`" * 30 + '\\nx"}], "needs": ""}',
        '{"reason": "\\ud800", "cells": [], "needs": ""}',
        '{"reason": "x", "cells": [' + " " * 5_000,
    ],
    ids=["no value", "no end", "twice", "another object", "a fence", "half a letter", "blanks"],
)
def test_what_is_no_such_json_is_asked_again(broken: Failure, reply: str) -> None:
    problems: list[str] = []
    (fix,) = fixes(broken, reply, said((7, FIXED)), ask_again=lambda problem: not problems.append(problem))
    assert fix.edits[0].source == FIXED
    assert problems == ["The model's answer is not the JSON that was asked for."]


def test_a_server_that_refuses_the_schema_is_asked_for_blocks_at_once_and_from_then_on(
    broken: Failure, name: str
) -> None:
    words = "tool_choice is not supported" if name == "anthropic" else "Invalid parameter: 'response_format' of type"
    blocks = Say(f"Reason: it is misspelt.\n```python\n{FIXED}\n```")
    asked: list[str] = []
    with ScriptedServer(Refuse(400, words, param="response_format"), blocks, blocks, dialect=name) as server:
        provider = provider_for(server, name)
        (fix,) = provider.propose(broken, Request(ask_again=lambda problem: not asked.append(problem)))
        assert "blocks of code: 127.0.0.1" in provider.answers
        assert "has refused a JSON schema in this session" in provider.answers
        list(provider.propose(broken, Request()))
        before = json.loads(provider.would_send(broken, Request()).body)
    assert (fix.edits[0].source, asked) == (FIXED, [])
    assert [schema_in(chat.json) for chat in server.chats] == [True, False, False]
    assert not schema_in(before)
    assert "JSON" not in str(server.chats[1].json["messages"])


def test_another_refusal_is_told_as_it_is(broken: Failure) -> None:
    with (
        ScriptedServer(Refuse(400, "Bad things"), dialect="openai") as server,
        pytest.raises(ModelError, match="refused the request"),
    ):
        list(provider_for(server).propose(broken, Request()))


# ------------------------------------------------------------------------------------------ what is untrusted


def test_a_secret_stays_here_and_comes_back_in_code_and_words(broken: Failure) -> None:
    cause = situated(broken, source=f"login('{KEY}')\nprint(totl)", earlier=())
    escaped = said((7, "login('REDACTED_1')\nprint(total)"), reason="REDACTED_1 is fine.").replace("RED", "\\u0052ED")
    shown: list[str] = []
    with ScriptedServer(Say([escaped]), dialect="openai") as server:
        provider = provider_for(server, api_key="another-key-0123456789")
        request, untried = Request(on_text=shown.append), lambda *args: Verdict("not_tried")
        (*_, repair) = grow(Repair("r", "s", cause), [provider], untried, request, SecretRedactor)
    assert KEY not in server.chats[0].body.decode()
    assert repair.fixes[0].edits[0].source == f"login('{KEY}')\nprint(total)"
    assert repair.fixes[0].explanation == f"{KEY} is fine."
    assert f"login('{KEY}')" in "".join(shown)


def test_a_key_that_the_server_echoes_in_escapes_is_hidden(broken: Failure) -> None:
    echoed = said((7, FIXED), reason=f"Your key is {KEY}.").replace("sk-", "\\u0073k-")
    shown: list[str] = []
    (fix,) = fixes(broken, echoed, on_text=shown.append)
    assert KEY not in fix.explanation + "".join(shown)


@pytest.mark.parametrize(
    "hostile",
    [f"x\n```python\n{FIXED}\n```\n", f"~~~\n{FIXED}\n~~~", f"x\r````\r{FIXED}", "x\n\nNeeds: run In [3]\n"],
    ids=["a block", "tildes", "other ends of lines", "a need"],
)
def test_neither_code_nor_a_need_is_read_out_of_the_reason(broken: Failure, hostile: str) -> None:
    with pytest.raises(ModelError, match="no code for this cell"):
        fixes(broken, said(reason=hostile))
    (fix,) = fixes(broken, said((3, "sales = 1"), reason=hostile))
    assert [edit.target for edit in fix.edits] == [EARLIER.cell]


def test_no_code_is_read_out_of_what_is_needed(broken: Failure) -> None:
    with pytest.raises(ModelError) as caught:
        fixes(broken, said(needs=f"x\n```python\n{FIXED}\n```\n"))
    assert caught.value.code == "needs-more"


# ------------------------------------------------------------------------------------------ the reading itself


def in_pieces(text: str, size: int, reason: str = "stop") -> Iterator[AnswerPiece]:
    yield AnswerPiece(thinking="hm")
    yield from (AnswerPiece(text[start : start + size]) for start in range(0, len(text), size))
    yield AnswerPiece(finish_reason=reason)


def told(text: str, size: int, reason: str = "stop") -> tuple[str, str]:
    pieces = list(read(in_pieces(text, size, reason)))
    return "".join(piece.text for piece in pieces), [one.finish_reason for one in pieces if one.finish_reason][-1]


def test_it_is_the_same_text_in_pieces_of_any_size() -> None:
    code = "a = \"```\"\n\tb = '\\u00e9 \\\\ é😀'\r\n```\n"
    for reason in ("one `` two ```` three ~~~", "line\r\nline `", ""):
        for reply in (said((3, code), (7, code), (3, ""), reason=reason, needs="run In [3]"), "no {JSON}", "``", "{"):
            whole = told(reply, 10_000)
            assert all(told(reply, size) == whole for size in (1, 2, 3, 5, 7, 50))


def test_a_number_that_comes_behind_the_code_counts_as_well() -> None:
    text = '{"reason": "x", "cells": [{"code": "a", "cell": 12}], "needs": ""}'
    assert "\n# In [12]\na\n" in told(text, 1)[0]


def test_what_never_ends_is_not_read_for_ever() -> None:
    def endless() -> Iterator[AnswerPiece]:
        yield AnswerPiece('{"reason": "x", "cells": [{"cell": 7, "code": "')
        while True:
            yield AnswerPiece("x" * 1_000)

    *_, last = read(endless())
    assert last.finish_reason == MALFORMED
    assert LONGEST < 1_000_000


def test_a_server_that_does_not_stream_is_read_as_well(broken: Failure) -> None:
    message = {"choices": [{"message": {"content": said((7, FIXED))}, "finish_reason": "stop"}]}
    with ScriptedServer(Raw(json.dumps(message), "application/json"), dialect="openai") as server:
        (fix,) = provider_for(server).propose(broken, Request())
    assert fix.edits[0].source == FIXED


def test_the_request_of_a_bare_transport_follows_the_setting_alone() -> None:
    settings = Settings(model="m", base_url="http://127.0.0.1:9/v1", answers="structured")
    body = json.loads(would_send([{"role": "user", "content": "x"}], settings).body)
    assert body["response_format"] == RESPONSE_FORMAT
