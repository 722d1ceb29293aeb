"""`execute` and `aexecute`: a real model server's answers run in real sandboxed children."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reflex_ipython import Execution, Settings, aexecute, execute
from reflex_ipython.errors import BadInput, ReflexError
from reflex_ipython.execution.process_trials import ExecutionBounds
from reflex_ipython.execution.worker_process import ExecutionJob, WorkerProcess
from reflex_ipython.models import from_json, to_json
from reflex_ipython.settings import from_environment
from reflex_ipython.testing import Reply, Say, ScriptedServer, Silent

Start = Callable[..., tuple[Settings, ScriptedServer]]


def code(text: str) -> Say:
    return Say([f"Reason: so it is.\n```python\n{text}\n```"])


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a scripted model; gives settings that choose it, and it."""
    servers: list[ScriptedServer] = []

    def begin(*script: Reply, review: bool = False) -> tuple[Settings, ScriptedServer]:
        server = ScriptedServer(*script)
        servers.append(server.__enter__())
        return Settings(model="scripted", base_url=server.base_url, history=False, review=review), server

    yield begin
    for server in servers:
        server.close()


def test_what_fails_goes_back_and_what_runs_is_the_result(start: Start) -> None:
    settings, server = start(
        code("total = sum(valeus)"),
        code("values.append(4)\nprint('adding')\nsum(values)"),
        Say(["yes: ok"]),
        review=True,
    )
    values = [1, 2, 3]
    done = execute("add up the values and four", namespace={"values": values}, settings=settings)
    assert done.success
    assert done.output == "adding\n10"
    assert done.final == "values.append(4)\nprint('adding')\nsum(values)"
    assert [one.error for one in done.attempts] == ["NameError: name 'valeus' is not defined (line 1)", ""]
    assert values == [1, 2, 3], "nothing ran here"
    assert "values: list = list of 3: [1, 2, 3]" in server.chats[0].json["messages"][1]["content"]
    assert done.seconds > 0
    assert (done.input_tokens, done.output_tokens) == (300, 60)


def test_names_that_nobody_could_pickle_are_there_on_the_main_thread(start: Start) -> None:
    settings, _ = start(code("double(21)"))
    assert execute("call it", namespace={"double": lambda x: 2 * x}, settings=settings).output == "42"


def test_what_takes_too_long_or_too_much_is_ended(start: Start) -> None:
    settings, _ = start(*[code("while True:\n    pass")] * 2)
    done = execute("wait", settings=settings, timeout=1.0, attempts=1)
    assert not done.success
    assert re.search(r"1\.0 s|1 s", done.reason), done.reason
    settings, _ = start(code("data = bytearray(900_000_000)"))
    done = execute("allocate", settings=settings, memory=200 << 20, attempts=1)
    assert "memory" in done.reason


def test_files_are_changed_only_where_that_is_allowed(start: Start, tmp_path: Path) -> None:
    allowed, other = tmp_path / "out", tmp_path / "other"
    allowed.mkdir()
    other.mkdir()
    write = f"open({str(allowed / 'a.txt')!r}, 'w').write('done')"
    settings, _ = start(code(write))
    done = execute("write", settings=settings, attempts=1)
    assert not done.success
    assert "wants to write to" in done.attempts[0].error
    settings, _ = start(code(write))
    assert execute("write", settings=settings, allow_files=[allowed]).success
    assert (allowed / "a.txt").read_text() == "done"
    settings, _ = start(code(f"open({str(other / 'a.txt')!r}, 'w').write('done')"))
    assert not execute("write", settings=settings, attempts=1, allow_files=[allowed]).success
    assert not list(other.iterdir())


def test_one_file_can_be_allowed(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("one\n")
    settings, _ = start(code(f"with open({str(log)!r}, 'a') as file:\n    file.write('two\\n')"))
    assert execute("log it", settings=settings, allow_files=[log]).success
    assert log.read_text() == "one\ntwo\n"


def test_connections_are_opened_only_where_that_is_allowed(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        connect = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 5).close()"
        settings, _ = start(code(connect))
        done = execute("connect", settings=settings, attempts=1)
        assert f"wants to connect to 127.0.0.1:{port}" in done.attempts[0].error
        settings, _ = start(code(connect))
        done = execute("connect", settings=settings, attempts=1, allow_network=True)
        assert done.success, done.reason


def test_with_a_network_there_are_still_no_processes_and_no_local_sockets(start: Start, tmp_path: Path) -> None:
    for text in (
        "import subprocess\nsubprocess.run(['true'])",
        f"import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind({str(tmp_path / 's')!r})",
    ):
        settings, _ = start(code(text))
        assert not execute("do it", settings=settings, attempts=1, allow_network=True).success, text


def test_it_works_on_another_thread(start: Start) -> None:
    settings, _ = start(code("sum(values)"))
    done: list[Execution] = []
    thread = threading.Thread(
        target=lambda: done.append(execute("add", namespace={"values": [1, 2]}, settings=settings))
    )
    thread.start()
    thread.join()
    assert done[0].output == "3"


def test_what_can_not_be_pickled_for_another_process_is_named() -> None:
    job = ExecutionJob("add", {"values": [1, 2], "double": lambda x: x}, Settings(), ExecutionBounds())
    with pytest.warns(RuntimeWarning, match=r"pickled: `double`$"):
        line = job.line()
    assert ExecutionJob.of(line).namespace == {"values": [1, 2]}


class Unmade:
    """Its values can be pickled, and made nowhere else."""

    def __reduce__(self) -> Any:
        return os.stat, ("/not/there/at/all",)


def test_a_value_that_can_not_be_made_in_another_process_is_named(start: Start) -> None:
    settings, _ = start()
    with WorkerProcess() as worker:
        with pytest.raises(BadInput, match="`thing` can't be given to another process"):
            worker.run(ExecutionJob("add", {"thing": Unmade()}, settings, ExecutionBounds()))
        assert worker.alive


def test_the_event_loop_goes_on_and_cancelling_hangs_up(start: Start) -> None:
    settings, server = start(Silent())

    async def run() -> int:
        task = asyncio.create_task(aexecute("wait", settings=settings))
        turns = 0
        while not server.asked.is_set():
            await asyncio.sleep(0.01)
            turns += 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return turns

    assert asyncio.run(run()) > 0
    assert server.hung_up.wait(30)


def test_what_happens_is_told(start: Start) -> None:
    settings, _ = start(code("1 / 0"), code("1 + 1"))
    events: list[Any] = []
    execute("add", settings=settings, listen=events.append)
    kinds = [event.kind for event in events]
    assert kinds.count("attempt") == 2
    assert "".join(event.data["text"] for event in events if event.kind == "text").count("```python") == 2
    assert {event.data["kind"] for event in events if event.kind == "working"} >= {"asking", "trying"}
    json.dumps([event.data for event in events])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"request": "  "}, "Say in words"),
        ({"attempts": 0}, "attempts is 0"),
        ({"timeout": 0}, "timeout is 0"),
        ({"memory": 0}, "memory is 0"),
        ({"request": b"add"}, "The request is a text"),
        ({"request": "x" * 8_001}, "longer than 8,000 characters"),
        ({"attempts": 2.5}, "attempts is 2.5"),
        ({"timeout": "3"}, "timeout is '3'"),
        ({"timeout": float("inf")}, "timeout is inf"),
        ({"timeout": float("nan")}, "timeout is nan"),
        ({"memory": 1e9}, "memory is 1000000000.0"),
        ({"namespace": {1: 2}}, "namespace gives values by their names"),
        ({"allow_files": [3]}, "a list of paths"),
        ({"allow_files": None}, "a list of paths"),
        ({"allow_files": ["/not/there"]}, "/not/there is not there"),
        ({"allow_files": "/tmp"}, "a list of paths"),
        ({"settings": Settings()}, "No model is chosen"),
    ],
)
def test_bad_input_is_refused_in_words(start: Start, arguments: dict[str, Any], words: str) -> None:
    settings, server = start()
    with pytest.raises(BadInput, match=re.escape(words)):
        execute(**{"request": "add", "settings": settings, **arguments})
    assert not server.chats


def test_a_worker_that_ends_says_so_and_does_not_hang(start: Start) -> None:
    settings, server = start(Silent())
    worker = WorkerProcess()
    job = ExecutionJob("wait", {}, settings, ExecutionBounds())
    ender = threading.Thread(target=lambda: (server.asked.wait(60), worker._process.kill()))
    ender.start()
    with pytest.raises(ReflexError, match="has ended"):
        worker.run(job)
    ender.join()
    worker.close()
    assert not worker.alive


def test_settings_come_from_the_environment() -> None:
    told = {"REFLEX_MODEL": "m", "REFLEX_ATTEMPTS": "3", "REFLEX_REVIEW": "off", "REFLEX_TEMPERATURE": "", "X": "1"}
    assert from_environment(told) == Settings(model="m", attempts=3, review=False)
    for name, text in (("REFLEX_ATTEMPTS", "many"), ("REFLEX_REVIEW", "perhaps"), ("REFLEX_TRIAL", "never")):
        with pytest.raises(BadInput, match=r"REFLEX_|Reflex"):
            from_environment({name: text})


def test_the_json_form_round_trips_and_is_as_documented(start: Start) -> None:
    settings, _ = start(code("1 + 1"))
    done = execute("add", settings=settings)
    told = json.loads(json.dumps(to_json(done)))
    assert from_json(Execution, told) == done
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"<!-- an Execution -->\n```json\n(.*?)```", readme, re.DOTALL)
    documented = json.loads(shown)
    assert list(documented) == list(told)
    assert list(documented["attempts"][0]) == list(told["attempts"][0])
    assert from_json(Execution, documented)
