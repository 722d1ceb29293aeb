"""The service of the Jupyter server, over real HTTP: who gets in, what is answered, what it bounds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from prometheus_client.parser import text_string_to_metric_families

from reflex_ipython.testing import ScriptedServer
from tests.server.conftest import CONCURRENCY, TOKEN, WAITING, Answer, Service


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def described(service: Service, method: str, path: str, answer: Answer) -> None:
    """The answer is as the service's own description says."""
    operation = service.get("openapi.json").json["paths"][f"/reflex/api/{path}"][method]
    assert str(answer.status) in operation["responses"]
    content = operation["responses"][str(answer.status)]["content"]
    kind = answer.headers["Content-Type"].partition(";")[0]
    assert kind in content
    if kind == "application/json":
        jsonschema.validate(answer.json, content[kind]["schema"], jsonschema.Draft202012Validator)


def test_a_request_is_answered_with_each_attempt(service: Service) -> None:
    answer = service.post({"request": "first 1 / 0 then print('hi')\n6 * 7", "max_retries": 3, "timeout": 20})
    assert answer.status == 200
    described(service, "post", "execute", answer)
    told = answer.json
    assert told["success"]
    assert told["final_code"] == "print('hi')\n6 * 7"
    assert told["final_result"] == "hi\n42"
    assert [one["error"] for one in told["results"]] == ["ZeroDivisionError: division by zero (line 1)", None]
    assert [(one["attempt"], one["total_attempts"]) for one in told["results"]] == [(1, 3), (2, 3)]
    assert told["total_time"] >= max(one["execution_time"] for one in told["results"])


def test_what_does_not_work_is_an_answer_too(service: Service) -> None:
    answer = service.post({"request": "say {}['x']", "max_retries": 1})
    described(service, "post", "execute", answer)
    assert not answer.json["success"]
    assert answer.json["final_code"] is None
    assert "KeyError" in answer.json["reason"]


def test_the_code_is_shut_in_and_bounded(service: Service, tmp_path: Any) -> None:
    target = tmp_path / "x.txt"
    wrote = service.post({"request": f"say open({str(target)!r}, 'w')", "max_retries": 1}).json
    assert "wants to write to" in wrote["reason"]
    assert not target.exists()
    started = time.monotonic()
    slow = service.post({"request": "say while True: pass", "max_retries": 1, "timeout": 1}).json
    assert not slow["success"]
    assert time.monotonic() - started < 60
    large = service.post({"request": "say x = bytearray(3_000_000_000)", "max_retries": 1}).json
    assert "memory" in large["reason"]


def test_it_streams_what_happens_if_that_is_wanted(service: Service) -> None:
    answer = service.post({"request": "first 1 / 0 then 5"}, Accept="text/event-stream")
    described(service, "post", "execute", answer)
    events = re.findall(r"event: (\w+)\ndata: (.*)\n\n", answer.body.decode())
    kinds = [kind for kind, _ in events]
    assert kinds.count("attempt") == 2
    assert {"working", "text"} <= set(kinds)
    assert kinds[-1] == "result"
    assert json.loads(events[-1][1])["final_result"] == "5"


def test_who_follows_the_log_sees_all_requests(service: Service) -> None:
    connection = service.connection()
    connection.request("GET", "/reflex/api/log", headers={"Authorization": f"token {TOKEN}"})
    response = connection.getresponse()
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.readline() == b": you follow\n"
    service.post({"request": "say 1"})
    seen = []
    while "ended" not in seen:
        line = response.readline().decode()
        if line.startswith("event: "):
            seen.append(line.removeprefix("event: ").strip())
    assert seen[0] == "began"
    assert "attempt" in seen
    connection.close()


def test_who_follows_no_more_is_forgotten(model: ScriptedServer, tmp_path: Path) -> None:
    service = Service(tmp_path, model.base_url, "--ReflexService.max_followers=1")
    try:
        for _ in range(2):
            connections = []

            def follows(connections: list[Any] = connections) -> bool:
                connections.append(service.connection())
                connections[-1].request("GET", "/reflex/api/log", headers={"Authorization": f"token {TOKEN}"})
                return bool(connections[-1].getresponse().status == 200)

            until(follows)
            assert service.get("log").status == 429
            for connection in connections:
                connection.close()
    finally:
        service.close()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "execute"),
        *(("GET", path) for path in ("log", "health", "metrics", "metrics/prometheus", "repairs", "repairs/1a")),
        *(("GET", path) for path in ("openapi.json", "history", "history/statistics", "repairs/1a/log")),
    ],
)
def test_without_a_login_nothing_is_answered(service: Service, method: str, path: str) -> None:
    answer = service.ask(method, path, b'{"request": "say 1"}' if method == "POST" else None)
    assert answer.status == 403
    assert service.ask(method, path, b"{}" if method == "POST" else None, Authorization="token wrong").status == 403


def test_a_request_from_another_site_is_refused(service: Service) -> None:
    """With the cookie that a login in a browser leaves, and without the proof that the page is the server's own."""
    connection = service.connection()
    connection.request("GET", f"/api/status?token={TOKEN}")
    response = connection.getresponse()
    response.read()
    cookie = "; ".join(one.partition(";")[0] for one in response.headers.get_all("Set-Cookie") or [])
    connection.close()
    assert cookie
    assert service.ask("GET", "health", Cookie=cookie).status in (200, 403)
    body = b'{"request": "say 1"}'
    for headers in ({}, {"Origin": "http://evil.example"}):
        assert service.ask("POST", "execute", body, Cookie=cookie, **headers).status in (403, 404), headers


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "has to be JSON"),
        (b"[" * 15_000, "has to be JSON"),
        (b'{"request": "\xff"}', "has to be JSON"),
        ([], "a JSON object"),
        ({}, "`request` has to say"),
        ({"request": " "}, "`request` has to say"),
        ({"request": "x" * 9_000}, "longer than 8,000"),
        ({"request": "x", "max_retries": 0}, "`max_retries` has to be"),
        ({"request": "x", "max_retries": True}, "`max_retries` has to be"),
        ({"request": "x", "timeout": 1e9}, "`timeout` has to be"),
        ({"request": "x", "timeout": "1"}, "`timeout` has to be"),
        ({"request": "x", "model": "y"}, "no field 'model'"),
    ],
)
def test_what_can_not_be_understood_is_refused_in_words(service: Service, body: Any, words: str) -> None:
    answer = service.post(body)
    assert answer.status == 400
    described(service, "post", "execute", answer)
    assert words in answer.json["message"]


def test_a_body_that_is_too_large_is_not_read(service: Service) -> None:
    answer = service.post({"request": "x" * 30_000})
    assert answer.status == 413
    described(service, "post", "execute", answer)


def test_too_many_are_turned_away_and_who_goes_away_makes_room(service: Service, model: ScriptedServer) -> None:
    def waits() -> Any:
        connection = service.connection()
        body = json.dumps({"request": "silence"})
        connection.request("POST", "/reflex/api/execute", body, {"Authorization": f"token {TOKEN}"})
        return connection

    def asked() -> int:
        return sum("silence" in str(chat.json["messages"]) for chat in model.chats)

    model.hung_up.clear()
    connections = [waits() for _ in range(CONCURRENCY + WAITING)]
    until(lambda: (told := service.get("health").json)["running"] + told["waiting"] == CONCURRENCY + WAITING)
    until(lambda: asked() == CONCURRENCY)
    turned_away = service.post({"request": "say 1"})
    assert turned_away.status == 429
    assert turned_away.headers["Retry-After"]
    described(service, "post", "execute", turned_away)
    for connection in connections:
        connection.close()
    until(lambda: (told := service.get("health").json)["running"] + told["waiting"] == 0)
    assert model.hung_up.wait(30), "the model is not kept busy for nobody"
    assert service.post({"request": "say 1"}).json["success"]


def test_the_figures_say_what_was_done(service: Service) -> None:
    before = service.get("metrics").json
    service.post({"request": "first [][1] then 5"})
    after = service.get("metrics")
    described(service, "get", "metrics", after)
    assert after.json["total"] == before["total"] + 1
    assert after.json["errors"]["IndexError"] == before["errors"].get("IndexError", 0) + 1
    text = service.get("metrics/prometheus")
    described(service, "get", "metrics/prometheus", text)
    found = {
        sample.name: sample.value
        for family in text_string_to_metric_families(text.body.decode())
        for sample in family.samples
        if sample.labels.get("success", "true") == "true" and sample.labels.get("error", "IndexError") == "IndexError"
    }
    assert found["reflex_executions_total"] > 0
    assert found["reflex_attempt_errors_total"] == after.json["errors"]["IndexError"]
    assert found["reflex_execution_seconds_count"] == after.json["total"]


def test_a_request_that_is_half_a_character_short_is_worked_on(service: Service) -> None:
    assert service.post({"request": "say 'caf\udce9'"}).json["final_result"] == "'caf?'"


def test_a_server_that_is_stopped_does_not_wait_for_what_it_works_on(model: ScriptedServer, tmp_path: Path) -> None:
    service = Service(tmp_path, model.base_url)
    try:
        connection = service.connection()
        before = len(model.chats)
        body = json.dumps({"request": "silence"})
        connection.request("POST", "/reflex/api/execute", body, {"Authorization": f"token {TOKEN}"})
        until(lambda: len(model.chats) > before)
        model.hung_up.clear()
        service.process.terminate()
        service.process.wait(60)
        assert model.hung_up.wait(30), "and no process goes on"
        connection.close()
    finally:
        service.close()


def test_the_repairs_can_be_read_and_filtered(service: Service) -> None:
    done = service.post({"request": "say 'kept'"}).json
    listed = service.get("repairs?kind=request&limit=500")
    described(service, "get", "repairs", listed)
    assert done["id"] in [row["id"] for row in listed.json["repairs"]]
    assert service.get("repairs?kind=failure").json == {"repairs": []}
    assert service.get("repairs?since=2999").json == {"repairs": []}
    assert len(service.get("repairs?limit=1").json["repairs"]) == 1
    one = service.get(f"repairs/{done['id']}")
    described(service, "get", "repairs/{id}", one)
    assert one.json["cause"]["words"] == "say 'kept'"
    for query in ("limit=0", "kind=other", "nothing=1", "decision=perhaps"):
        refused = service.get(f"repairs?{query}")
        assert refused.status == 400
        described(service, "get", "repairs", refused)
    missing = service.get("repairs/ffffffffffff")
    assert missing.status == 404
    assert missing.json["message"] == "There is no repair 'ffffffffffff': `%reflex history` lists the IDs."


def test_the_history_is_listed_filtered_and_summed_up(service: Service) -> None:
    ids = [service.post({"request": f"say '{word}'"}).json["id"] for word in ("pears", "plums")]
    answer = service.get("history?limit=1")
    described(service, "get", "history", answer)
    assert [line["id"] for line in answer.json["repairs"]] == ids[1:]
    assert answer.json["more"]
    found = service.get("history?text=pears&since=2020&limit=500").json
    assert ([line["id"] for line in found["repairs"]], found["more"]) == (ids[:1], False)
    assert service.get("history?ename=KeyError").json == {"repairs": [], "more": False}
    for query in ("limit=no", "nothing=1", f"limit={'9' * 5_000}"):
        refused = service.get(f"history?{query}")
        assert refused.status == 400
        described(service, "get", "history", refused)
    log = service.get(f"repairs/{ids[0]}/log")
    described(service, "get", "repairs/{id}/log", log)
    assert "say 'pears'" in log.json["markdown"]
    assert service.get("repairs/ffffffffffff/log").status == 404
    sums = service.get("history/statistics")
    described(service, "get", "history/statistics", sums)
    assert sums.json["repairs"] >= 2
    assert sums.json["values"]["provider"] == ["scripted"]
    assert sums.json["charts"]


def test_health_says_that_all_is_well(service: Service) -> None:
    answer = service.get("health")
    described(service, "get", "health", answer)
    assert answer.json["status"] == "ok"
    assert answer.json["model"] == "scripted"


def test_what_was_done_is_in_the_log_as_json_without_anybodys_words(service: Service) -> None:
    service.post({"request": "say 'a very private thing'"})
    lines = re.findall(r'\{"event": "reflex\.execute".*\}', service.log.read_text())
    told = json.loads(lines[-1])
    assert told["status"] == 200
    assert told["repair"] in [row["id"] for row in service.get("repairs").json["repairs"]]
    assert told["seconds"] >= 0
    assert "private thing" not in service.log.read_text()


def test_several_at_once_all_get_their_own_answer(service: Service) -> None:
    answers: dict[int, Any] = {}

    def ask(number: int) -> None:
        answers[number] = service.post({"request": f"say {number} * 2"}).json["final_result"]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(CONCURRENCY + WAITING)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: str(number * 2) for number in range(CONCURRENCY + WAITING)}


def test_jupyter_lists_the_extension() -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "jupyter_server.extension.serverextension", "list"], capture_output=True, text=True
    )
    assert "reflex_ipython.server" in listed.stdout + listed.stderr
