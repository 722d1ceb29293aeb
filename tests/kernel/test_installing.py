"""A package that is not installed is installed at a click, inside the run of the accepted cell. No network is used."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.conftest import LOAD
from tests.kernel.driver import NAPS, Kernel

CELL = "counter += 1\nprint('before')\nimport haversine\nprint(haversine.NAME)"


def wheel(folder: Path, name: str) -> None:
    """A wheel of one module that says its name."""
    folder.mkdir(exist_ok=True)
    files = {
        f"{name}.py": f"NAME = 'the {name} of a wheel'\n",
        f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{name}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = []
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as made:
        for path, text in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            rows.append(f"{path},sha256={digest},{len(text.encode())}")
            made.writestr(path, text)
        record = f"{name}-1.0.dist-info/RECORD"
        made.writestr(record, "\n".join([*rows, f"{record},,"]) + "\n")


@pytest.fixture
def offline(new_kernel: Callable[..., Kernel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """A kernel whose pip knows a folder of wheels and nothing else, and installs into a folder of the test's."""
    work, target = tmp_path / "work", tmp_path / "target"
    for made in (work, target, tmp_path / "wheels"):
        made.mkdir()
    monkeypatch.chdir(work)
    kernel = new_kernel(
        PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path / "wheels"), PIP_TARGET=str(target), PIP_CONFIG_FILE="/dev/null",
        PIP_DISABLE_PIP_VERSION_CHECK="1",
    )  # fmt: skip
    assert kernel.run(f"{LOAD}\nimport sys; sys.path.append({str(target)!r}); counter = 0").status == "ok"
    return kernel


def accepted(kernel: Kernel, panel: dict[str, Any], cell: str = CELL) -> Any:
    comm = kernel.hello()
    answer = kernel.accept(comm, panel)
    assert answer["edits"] == [{"cell": "a", "expected": cell, "source": cell}], "its text stays as it is"
    return kernel.run(cell, "a")


def test_what_is_missing_is_installed_before_the_accepted_cell_goes_on(offline: Kernel, tmp_path: Path) -> None:
    wheel(tmp_path / "wheels", "haversine")
    panel = offline.settled(offline.run(CELL, "a"))
    [fix] = panel["fixes"]
    assert fix["installs"] == ["haversine"]
    assert fix["explanation"] == "`haversine` is a package that is not installed here."
    assert fix["verdict"]["text"].startswith("not tried: installing can't be tried on a copy")
    assert [finding["text"] for finding in fix["findings"]] == ["It would install haversine."]
    assert not fix["triable"]
    assert not list((tmp_path / "target").iterdir()), "nothing is installed before it is accepted"
    ran = accepted(offline, panel)
    assert ran.status == "ok", ran.text
    assert "Successfully installed haversine-1.0" in ran.text
    assert ran.text.endswith("the haversine of a wheel\n")
    assert offline.value("counter") == 1, "what had run does not run again"
    assert offline.value("'_exit_code' in globals()") is False


def test_where_pip_fails_the_cell_fails_in_plain_words_and_nothing_of_it_runs(offline: Kernel) -> None:
    panel = offline.settled(offline.run(CELL, "a"))
    ran = accepted(offline, panel)
    assert ran.status == "error"
    assert ran.reply["evalue"] == ("haversine could not be installed: what pip said is above. The cell did not run on.")
    assert "No matching distribution found for haversine" in ran.text
    assert ran.contents("error")[0]["traceback"] == [f"Reflex: {ran.reply['evalue']}"]
    assert not ran.shown, "no second panel for what pip says itself"
    assert offline.value("counter") == 1
    assert offline.value("get_ipython().ast_transformers") == []
    latest = "get_ipython().reflex_extension.assembly.session.repairs.latest()"
    assert offline.value(f"({latest}.rerun.succeeded, {latest}.rerun.ename)") == (False, "InstallFailed")
    again = offline.settled(offline.run(CELL, "a"))
    assert again["fixes"][0]["installs"] == ["haversine"], "it can be tried once more"


def test_the_command_accept_installs_as_well(offline: Kernel, tmp_path: Path) -> None:
    wheel(tmp_path / "wheels", "haversine")
    offline.run(CELL, "a")
    ran = offline.run("%reflex accept")
    assert ran.status == "ok", ran.text
    assert ran.text.endswith("the haversine of a wheel\n")
    assert offline.value("counter") == 1


def test_running_the_cell_without_accepting_installs_nothing(offline: Kernel, tmp_path: Path) -> None:
    wheel(tmp_path / "wheels", "haversine")
    offline.settled(offline.run(CELL, "a"))
    assert offline.run(CELL, "a").status == "error"
    assert not list((tmp_path / "target").iterdir())


def test_a_package_that_nobody_knows_is_named_and_not_offered(offline: Kernel, tmp_path: Path) -> None:
    wheel(tmp_path / "wheels", "pnadaz")
    panel = offline.settled(offline.run("import pnadaz", "a"))
    assert [fix for fix in panel["fixes"] if fix["installs"]] == []
    assert "pnadaz" in panel["notice"]["text"]


def test_a_package_that_the_requirements_beside_the_notebook_list_is_offered(offline: Kernel, tmp_path: Path) -> None:
    wheel(tmp_path / "wheels", "pnadaz")
    (tmp_path / "work" / "requirements.txt").write_text("# ours\npnadaz==1.0  # of our own\n")
    panel = offline.settled(offline.run("import pnadaz\nprint(pnadaz.NAME)", "a"))
    [fix] = panel["fixes"]
    assert fix["installs"] == ["pnadaz==1.0"]
    ran = accepted(offline, panel, "import pnadaz\nprint(pnadaz.NAME)")
    assert ran.text.endswith("the pnadaz of a wheel\n")


def test_a_hostile_requirement_of_another_provider_is_refused_in_words(offline: Kernel) -> None:
    hostile = "haversine --index-url http://127.0.0.1:1/"
    provider = f"""
from reflex_ipython.models import Fix, Install, new_id

class Installs:
    name, where, cost, label = "installs", "instant", "", ""

    def propose(self, cause, request):
        yield Fix(new_id(), (Install({hostile!r}),), "It is missing.", self.name)

get_ipython().reflex_extension.assembly.session.plugins.loaded = ([Installs()], [])"""
    offline.run(provider)
    panel = offline.settled(offline.run("import haversine", "a"))
    assert "is more than that" in panel["fixes"][0]["refused"]
    assert panel["fixes"][0]["installs"] == []
    assert "more than that" in offline.accept(offline.hello(), panel)["reason"]


def test_an_interrupt_ends_the_installation_and_nothing_of_the_cell_runs(offline: Kernel) -> None:
    # `%pip` that waits for the interrupt, as pip does for a network that does not answer
    waits = f"import time\ndef pip(line):\n    print('waiting', flush=True)\n    {NAPS}\n"
    offline.run(f"{waits}get_ipython().register_magic_function(pip)")
    panel = offline.settled(offline.run(CELL, "a"))
    offline.accept(offline.hello(), panel)
    request = offline.send(CELL, "a")
    while "waiting" not in str(offline.client.get_iopub_msg(timeout=60)["content"].get("text")):
        pass
    offline.manager.interrupt_kernel()
    ran = offline.finish(request)
    assert ran.reply["ename"] == "KeyboardInterrupt"
    assert offline.value("counter") == 1
    assert offline.run("1 + 1").status == "ok"
    assert offline.value("get_ipython().ast_transformers") == []
