"""Calls that ask the clock, draw random numbers or read files become tests that give them the same each time."""

from __future__ import annotations

import datetime
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import reflex_ipython
from reflex_ipython.testwriting.from_trace import write_tests
from reflex_ipython.testwriting.tests_told import WrittenTests

HAS_TIME_MACHINE = importlib.util.find_spec("time_machine") is not None
TICKETS = '''"""Tickets."""

import csv
import datetime as dt
import json
import os
import random
import socket
import time
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from time import time as clock

import numpy as np


def year():
    return date.today().year


def both():
    return dt.datetime.now().year, dt.date.today().year


def stamped(item):
    return {"item": item, "at": datetime.now(timezone.utc).isoformat()}


def due(days):
    return datetime.now() + timedelta(days=days)


def elapsed(since):
    return int(time.time() - since) // 60, int(clock() - since) // 60


def is_over(day):
    return isinstance(day, datetime) and day < datetime.now()


def dice(number):
    return [random.randint(1, 6) for _ in range(number)]


def noise(size):
    return np.random.normal(size=size)


def fresh(size):
    return np.random.default_rng().normal(size=size)


def seeded(number):
    random.seed(number)
    return random.random()


def loaded(path):
    with open(path) as file:
        return json.load(file)


def rows(path: Path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


def joined(folder, names):
    return "".join((Path(folder) / name).read_text() for name in names)


def settings():
    return Path("settings.json").read_text()


def rates():
    return (Path(__file__).parent / "rates.csv").read_text()


def missing(path):
    return open(path).read()


def listed(folder):
    return sorted(os.listdir(folder))


def secret():
    return Path(os.environ["TICKET_PLACE"]).read_text()


def picture(path):
    return Path(path).read_bytes()


def currency():
    return os.environ.get("TICKET_CURRENCY", "EUR")


def prices(numbers):
    return [f"{number} {currency()}" for number in numbers]


def office():
    return os.environ["TICKET_OFFICE"]


def has(name):
    return name in os.environ


def key():
    return len(os.getenv("TICKET_API_KEY"))


def imported():
    from .late.fees import FEE

    return FEE


def exported():
    return len(dict(os.environ))


def sold(value):
    os.environ["TICKET_SOLD"] = value
    return value


def here():
    return os.path.abspath("x")


def machine():
    return socket.gethostname()


def ticket(path, files):
    return f"{loaded(path)['name']}-{date.today():%Y}-{random.randint(1, 9)}-{files}"
'''


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@localhost", *arguments], cwd=folder, check=True)


class Project:
    """A repository with a package, and a trace of a program that used it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("")
        self.file = folder / name / "tickets.py"
        self.file.write_text(TICKETS, encoding="utf-8")
        (folder / name / "rates.csv").write_text("EUR,1\n")
        (folder / name / "late").mkdir()
        (folder / name / "late" / "fees.py").write_text("FEE = 3\n")
        data = folder / "data"
        data.mkdir()
        (data / "a.txt").write_text("A")
        (data / "b.txt").write_text("B")
        (data / "one.json").write_text('{"name": "one"}')
        (data / "table.csv").write_bytes(b"a,b\r\n1,2\r\n")
        (data / "picture.png").write_bytes(b"\x89PNG\xff")
        (folder / "secret.txt").write_text("x")
        (folder / "settings.json").write_text("{}")
        self.tests = folder / "tests"

    def written(self, monkeypatch: pytest.MonkeyPatch) -> WrittenTests:
        monkeypatch.chdir(self.folder)
        monkeypatch.syspath_prepend(str(self.folder))
        monkeypatch.setenv("TICKET_PLACE", str(self.folder.parent / "secret.txt"))
        monkeypatch.setenv("TICKET_CURRENCY", "CHF")
        monkeypatch.delenv("TICKET_OFFICE", raising=False)
        monkeypatch.setenv("TICKET_API_KEY", "ak-7Hd93kfLq02mZx81")
        (self.folder.parent / "secret.txt").write_text("x")
        tickets, data = importlib.import_module(f"{self.name}.tickets"), self.folder / "data"
        with reflex_ipython.trace(values=True) as trace:
            tickets.year(), tickets.both(), tickets.stamped("x"), tickets.due(3), tickets.elapsed(time.time() - 100)
            tickets.is_over(datetime.datetime(2000, 1, 1))
            tickets.dice(3), tickets.noise(2), tickets.fresh(2), tickets.seeded(3)
            tickets.loaded(str(data / "one.json")), tickets.rows(data / "table.csv")
            tickets.joined(str(data), ["a.txt", "b.txt"])
            tickets.settings(), tickets.rates(), tickets.listed(str(data)), tickets.secret()
            tickets.picture(str(data / "picture.png"))
            with pytest.raises(OSError, match="no such"):
                tickets.missing(str(data / "no such"))
            tickets.ticket("data/one.json", 1)
            tickets.exported(), tickets.sold("1"), tickets.here(), tickets.machine(), tickets.key(), tickets.imported()
            tickets.prices([1, 2]), tickets.has("TICKET_CURRENCY"), tickets.has("TICKET_OFFICE")
            with pytest.raises(KeyError):
                tickets.office()
        monkeypatch.delenv("TICKET_CURRENCY")  # the trace has what it was
        monkeypatch.setenv("TICKET_OFFICE", "Graz")
        return write_tests(trace.trace, self.tests)

    def clone(self, folder: Path) -> subprocess.CompletedProcess[str]:
        """The tests in a clone of what belongs to the project: on another day, in another time zone."""
        git(self.folder, "init", "-q")
        git(self.folder, "add", self.name, "tests")
        git(self.folder, "commit", "-qm", "Tests")
        git(folder, "clone", "-q", str(self.folder), "clone")
        return self.pytest(folder / "clone")

    def pytest(self, folder: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
        env = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", "TZ": "Asia/Tokyo"}
        return subprocess.run(
            command, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, check=False
        )


class Written:
    """What was written, once for all tests."""

    def __init__(self, folder: Path) -> None:
        self.project = Project(folder / "project", f"tickets_{id(self)}")
        with pytest.MonkeyPatch.context() as monkeypatch:
            self.found = self.project.written(monkeypatch)
        self.clone = folder / "clone"
        self.done = self.project.clone(folder)
        self.text = (self.project.tests / "test_tickets.py").read_text(encoding="utf-8")

    def test_of(self, name: str) -> str:
        """The text of a function's test."""
        found = re.search(rf"@pytest[^@]*\ndef test_{name}\(.*?(?=\n\n\n|\Z)", self.text, re.DOTALL)
        assert found, f"{name}\n{self.found}"
        return " ".join(found[0].split())

    def why_not(self, name: str) -> list[str]:
        return [one.why for one in self.found.left_out if one.function.endswith(f".{name}")]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    if HAS_TIME_MACHINE:
        pytest.skip("time-machine stops the clock here")
    return Written(tmp_path_factory.mktemp("surroundings"))


def test_all_that_is_written_passes_in_a_clone_without_the_files_that_were_read(written: Written) -> None:
    assert not (written.clone / "data").exists()
    assert (written.done.returncode, written.done.stdout.split()[-4:-2]) == (0, ["23", "passed"]), written.done.stdout


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("year", "return date.today().year", "return date.today().year + 1"),
        ("dice", "randint(1, 6)", "randint(2, 6)"),
        ("loaded", "return json.load(file)", "return [json.load(file)]"),
    ],
)
def test_a_change_of_the_function_is_found(written: Written, name: str, before: str, after: str) -> None:
    file = written.clone / written.project.name / "tickets.py"
    file.write_text(TICKETS.replace(before, after), encoding="utf-8")
    done = written.project.pytest(written.clone)
    file.write_text(TICKETS, encoding="utf-8")
    assert f"::test_{name}[" in done.stdout


def test_the_clock_stands_for_those_names_that_ask_it(written: Written) -> None:
    name = written.project.name
    assert f'with patch("{name}.tickets.date", wraps=datetime.date) as clock:' in written.test_of("year")
    assert "clock.today.return_value = today assert year() == expected" in written.test_of("year")
    assert "clock.datetime.now.return_value = now clock.date.today.return_value = today" in written.test_of("both")
    assert "tzinfo=datetime.timezone.utc" in written.test_of("stamped")
    elapsed = written.test_of("elapsed")
    assert 'patch("time.time", return_value=seconds)' in elapsed
    assert f'patch("{name}.tickets.clock", return_value=seconds)' in elapsed
    assert "; the clock stands." in elapsed


def test_random_numbers_are_seeded_where_the_function_does_not_do_so_itself(written: Written) -> None:
    assert "; random numbers are seeded." in written.test_of("dice")
    assert "random.seed(1) assert dice(number) == expected" in written.test_of("dice")
    assert "np.random.seed(1) np.testing" in written.test_of("noise_array")
    assert 'patch("numpy.random.default_rng", return_value=np.random.default_rng(1))' in written.test_of("fresh_array")
    assert ".seed(1)" not in written.test_of("seeded")


def test_files_are_written_where_the_test_runs(written: Written) -> None:
    assert """("one.json", {"one.json": '{"name": "one"}'}, {"name": "one"}),""" in written.test_of("loaded")
    assert r"""(Path("table.csv"), {"table.csv": "a,b\r\n1,2\r\n"}""" in written.test_of("rows")
    joined = written.test_of("joined")
    assert '{"data/a.txt": "A", "data/b.txt": "B"}' in joined
    assert "parent.mkdir(parents=True, exist_ok=True)" in joined
    assert '{"settings.json": "{}"}' in written.test_of("settings")
    assert "tmp_path" not in written.test_of("rates"), "a file of the project's own, which the clone has"
    assert '("no such", {}, FileNotFoundError)' in written.test_of("missing_raises")


def test_a_folder_in_which_python_looks_for_a_module_is_none_that_the_call_looks_into(written: Written) -> None:
    assert "assert imported() == expected" in written.test_of("imported")
    assert not written.why_not("imported")


def test_environment_variables_are_set_as_they_were(written: Written) -> None:
    assert 'monkeypatch.setenv("TICKET_CURRENCY", "CHF")' in written.test_of("currency")
    assert "; environment variables are set." in written.test_of("currency")
    assert '([1, 2], ["1 CHF", "2 CHF"])' in written.test_of("prices"), "what it calls reads it"
    assert 'monkeypatch.delenv("TICKET_OFFICE", raising=False)' in written.test_of("office_raises")
    assert 'monkeypatch.delenv("TICKET_OFFICE", raising=False) assert has(name_) is expected' in written.test_of(
        "has_2"
    )
    assert "ak-7Hd93" not in written.text


def test_all_of_it_at_once_and_an_argument_of_a_fixtures_name(written: Written) -> None:
    ticket = written.test_of("ticket")
    assert "def test_ticket(path, files_, files, today, expected, tmp_path, monkeypatch):" in ticket
    assert "; random numbers are seeded, the clock stands." in ticket


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("is_over", "raises TypeError"),
        ("listed", "looks into a folder"),
        ("secret", "opens a file that it is not passed"),
        ("picture", "opens a file that is no text"),
        ("key", "reads the environment variable TICKET_API_KEY, which holds a secret"),
        ("exported", "goes through all environment variables"),
        ("sold", "sets an environment variable (TICKET_SOLD)"),
        ("here", "gives another result in another process or folder"),
        ("machine", "asks for this machine's name"),
    ],
)
def test_what_a_test_can_not_give_is_named(written: Written, name: str, words: str) -> None:
    assert [why for why in written.why_not(name) if words in why], written.found


@pytest.mark.skipif(not HAS_TIME_MACHINE, reason="time-machine is not installed")
def test_time_machine_stops_the_clock_for_all_who_ask_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(tmp_path / "project", "tickets_of_time_machine")
    monkeypatch.setenv("TZ", "Europe/Vienna")
    time.tzset()
    try:
        found = project.written(monkeypatch)
    finally:
        monkeypatch.undo()
        time.tzset()
    text = (project.tests / "test_tickets.py").read_text(encoding="utf-8")
    assert text.count("with time_machine.travel(now, tick=False):") == 7, found
    assert 'ZoneInfo("Europe/Vienna")' in text
    assert "def test_is_over(" in text
    done = project.clone(tmp_path)
    assert (done.returncode, "24 passed" in done.stdout) == (0, True), done.stdout
