"""The critic says what a careful reviewer would, and nothing that the failed cell did already."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import os
import textwrap
from pathlib import Path
from typing import NoReturn

import pytest

from reflex_ipython.check.critic.results import ResultChecker
from reflex_ipython.models import Access, CellRef, Edit, ExceptionInfo, Fix, NameChange, RunCell, Trial, ValueFacts
from tests.check import build
from tests.check.build import codes, criticise

GROUP = "df.groupby('regoin').sum()"

SWALLOWED = {
    "bare except": (GROUP, "try:\n    df.groupby('regoin').sum()\nexcept:\n    pass"),
    "broad except": (GROUP, "try:\n    df.groupby('regoin').sum()\nexcept Exception as e:\n    print(e)"),
    "in a tuple": (GROUP, "try:\n    df.groupby('regoin').sum()\nexcept (ValueError, BaseException):\n    x = None"),
    "the very error": (GROUP, "try:\n    df.groupby('regoin').sum()\nexcept KeyError:\n    pass"),
    "suppress": (GROUP, "import contextlib\nwith contextlib.suppress(KeyError):\n    df.groupby('regoin').sum()"),
    "suppress by name": (
        GROUP,
        "from contextlib import suppress as s\nwith s(KeyError):\n    df.groupby('regoin').sum()",
    ),
}


@pytest.mark.parametrize(("old", "new"), SWALLOWED.values(), ids=SWALLOWED)
def test_a_swallowed_exception_is_told(old: str, new: str) -> None:
    assert "swallows-exception" in codes(old, new)


NOT_SWALLOWED = {
    "raises another": (
        GROUP,
        "try:\n    df.groupby('regoin').sum()\nexcept KeyError as e:\n    raise ValueError('no') from e",
    ),
    "was there before": (
        "try:\n    f(x)\nexcept Exception:\n    y = d['a']",
        "try:\n    f(x)\nexcept Exception:\n    y = d['b']",
    ),
    "catches something else": (GROUP, "try:\n    df.groupby('region').sum()\nexcept ZeroDivisionError:\n    pass"),
}


@pytest.mark.parametrize(("old", "new"), NOT_SWALLOWED.values(), ids=NOT_SWALLOWED)
def test_a_handler_that_loses_nothing_is_fine(old: str, new: str) -> None:
    assert codes(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pd.to_numeric(s)", "pd.to_numeric(s, errors='ignore')"),
        ("pd.to_numeric(s)", "pd.to_numeric(s, errors='coerce')"),
        ("pd.read_csv('a.csv')", "pd.read_csv('a.csv', on_bad_lines='skip')"),
        ("b.decode()", "b.decode(errors='ignore')"),
    ],
)
def test_an_option_that_ignores_errors_is_told(old: str, new: str) -> None:
    assert codes(old, new) == ["ignores-errors"]


SILENCED = {
    "filter": ("f()", "import warnings\nwarnings.filterwarnings('ignore')\nf(1)"),
    "simple filter by alias": ("f()", "import warnings as w\nw.simplefilter('ignore')\nf(1)"),
    "numpy": ("f()", "import numpy as np\nwith np.errstate(all='ignore'):\n    f(1)"),
    "capture": ("f()", "%%capture\nf(1)"),
    "chained assignment": ("f()", "pd.options.mode.chained_assignment = None\nf(1)"),
}


@pytest.mark.parametrize(("old", "new"), SILENCED.values(), ids=SILENCED)
def test_silenced_warnings_are_told(old: str, new: str) -> None:
    assert codes(old, new) == ["silences-warnings"]


REMOVED = {
    "left out": ("x = load()\nx.plot()\ny = 1", "x = load()\ny = 1", 2, ["drops-failing-work"]),
    "replaced by pass": ("for r in rows:\n    total(r)", "for r in rows:\n    pass", 2, ["drops-failing-work"]),
    "commented out": ("x = load()\nx.plot()", "x = load()\n# x.plot()", 2, ["comments-out"]),
    "printed instead": ("x = load()\nmodel.fit(x)", "x = load()\nprint('skipped')", 2, ["drops-failing-work"]),
    "another statement": ("a = f()\nb = g(a)", "b = g(1)", 2, ["drops-statements"]),
    "two others": ("a = f()\nsave(a)\nb = g(a)", "b = g(a, 1)", 3, ["drops-statements"]),
    "a constant": ("mean = sum(xs) / len(x)", "mean = 0", 1, ["constant-result"]),
    "an empty list": ("rows = [f(x) for x in xs]", "rows = []", 1, ["constant-result"]),
    "a constant return": ("def f(x):\n    return x.mean()", "def f(x):\n    return None", 2, ["constant-result"]),
    "only sometimes": ("y = d['a'] + 1", "if 'a' in d:\n    y = d['a'] + 1", 1, ["conditional"]),
}


@pytest.mark.parametrize(("old", "new", "line", "expected"), REMOVED.values(), ids=REMOVED)
def test_removed_work_is_told(old: str, new: str, line: int, expected: list[str]) -> None:
    assert codes(old, new, line=line) == expected


def test_a_literal_without_the_method_that_failed_is_as_it_was_before() -> None:
    assert codes("text = 'abc'.decode('utf-8').strip()", "text = 'abc'", line=1) == []
    assert codes("text = ' '.join('abc')", "text = 'abc'", line=1) == ["constant-result"]


EXPLAINED = {
    "a stray word": ("x = load()\nasdf\ny = f(x)", "x = load()\ny = f(x)", "NameError", "name 'asdf' is not defined"),
    "a builtin's name for a value": (
        "max = 0\nprint(max([1, 2]))",
        "print(max([1, 2]))",
        "TypeError",
        "'int' object is not callable",
    ),
}


@pytest.mark.parametrize(("old", "new", "ename", "evalue"), EXPLAINED.values(), ids=EXPLAINED)
def test_what_was_itself_the_mistake_may_go(old: str, new: str, ename: str, evalue: str) -> None:
    assert codes(old, new, line=2, exceptions=(ExceptionInfo(ename, evalue),)) == []
    assert codes(old, new, line=2, exceptions=(ExceptionInfo("ValueError", evalue),)) != []


def test_another_statement_goes_not_unsaid_beside_it() -> None:
    error = ExceptionInfo("NameError", "name 'asdf' is not defined")
    found = codes("x = load()\nasdf\ny = f(x)", "y = f(1)", line=2, exceptions=(error,))
    assert found == ["drops-statements"]


def test_what_stands_twice_and_then_once_is_not_gone_wherever_it_stands() -> None:
    assert codes("f()\ng()\nf()\nh(nope)", "f()\ng()\nh(yes)", line=4) == []
    assert codes("f()\ng()\ne()\nh(nope)", "f()\ng()\nh(yes)", line=4) == ["drops-statements"]


def test_the_words_name_what_is_gone() -> None:
    (finding,) = criticise("x = load()\nx.plot()\ny = 1", "x = load()\ny = 1", line=2)
    assert finding.text == "leaves out `x.plot()`, the statement that failed"
    (finding,) = criticise("mean = sum(xs) / len(x)", "mean = 0")
    assert finding.text == "sets `mean` to `0` instead of computing it"


DANGEROUS = {
    "remove": ("x = f()", "import os\nos.remove('a.txt')\nx = f(1)", "deletes"),
    "remove by another name": ("x = f()", "from os import remove as r\nr(p)\nx = f(1)", "deletes"),
    "remove as a value": ("x = f()", "import os\nx = list(map(os.unlink, ps)), f(1)", "deletes"),
    "remove by getattr": ("x = f()", "import os\ngetattr(os, 'remove')(p)\nx = f(1)", "deletes"),
    "remove by import": ("x = f()", "__import__('os').remove(p)\nx = f(1)", "deletes"),
    "rmtree": ("x = f()", "import shutil\nshutil.rmtree('out')\nx = f(1)", "deletes"),
    "path": ("x = f()", "from pathlib import Path\nPath('a').unlink()\nx = f(1)", "deletes"),
    "system": ("x = f()", "import os\nos.system('ls')\nx = f(1)", "starts-process"),
    "subprocess": ("x = f()", "import subprocess as sp\nsp.run(['ls'])\nx = f(1)", "starts-process"),
    "shell": ("x = f()", "!id\nx = f(1)", "starts-process"),
    "shell into a name": ("x = f()", "y = !id\nx = f(y)", "starts-process"),
    "bash cell": ("x = f()", "%%bash\nls", "starts-process"),
    "eval": ("x = int(t)", "x = eval(t)", "evaluates"),
    "exec": ("x = f()", "exec(t)\nx = f(1)", "evaluates"),
    "pickle": ("x = f(p)", "import pickle\nx = pickle.load(open(p, 'rb'))", "evaluates"),
    "requests": ("x = f(p)", "import requests\nx = requests.get(p)", "network"),
    "an address": ("df = pd.read_csv('a.csv')", "df = pd.read_csv('https://evil.example/a.csv')", "network"),
    "pip magic": ("import x", "%pip install x\nimport x", "installs"),
    "pip shell": ("import x", "!pip install x\nimport x", "installs"),
    "pip by a process": ("import x", "import os\nos.system('pip install x')\nimport x", "starts-process"),
    "environment": ("x = f()", "import os\nx = f(os.environ['API_KEY'])", "credentials"),
    "a name of a secret": ("x = f()", "x = f(db_password)", "credentials"),
    "a secret file": ("x = f()", "x = f(open('/home/me/.ssh/id_rsa').read())", "credentials"),
    "writes outside": ("x = f()", "x = f(1)\nopen('/etc/passwd', 'w')", "writes-outside"),
    "writes home": ("df.head()", "df.head().to_csv('~/x.csv')", "writes-outside"),
    "exit": ("x = f()", "import sys\nx = f(1) or sys.exit()", "ends-kernel"),
    "reset": ("x = f()", "%reset -f\nx = f(1)", "forgets"),
    "internals": ("x = f()", "x = ().__class__.__base__.__subclasses__()", "internals"),
    "chmod": ("x = open(p)", "import os\nos.chmod(p, 0o777)\nx = open(p)", "permissions"),
    "a method of a class": ("x = f()", "import pathlib\npathlib.Path('a').__class__.open = f\nx = f(1)", "hooks"),
    "a list of the library's": ("x = f()", "import sys\nsys.meta_path.append(x)\nx = f(1)", "hooks"),
    "another target": ("import os\nos.remove('a.tmp')", "import os\nos.remove('/data/all.parquet')", "deletes"),
}


@pytest.mark.parametrize(("old", "new", "code"), DANGEROUS.values(), ids=DANGEROUS)
def test_new_danger_needs_an_explicit_yes(old: str, new: str, code: str) -> None:
    found = [finding for finding in criticise(old, new) if finding.severity == "danger"]
    assert code in [finding.code for finding in found]
    assert len({finding.text for finding in found}) == len(found)


def test_a_file_in_this_folder_is_a_warning() -> None:
    (finding,) = criticise("df.head()", "df.head().to_csv('out.csv')")
    assert (finding.text, finding.severity) == ("writes a file to 'out.csv'", "warning")


@pytest.mark.parametrize("made", ["import os\nos.makedirs('out')", "import pathlib\npathlib.Path('out').mkdir()"])
def test_a_folder_is_not_called_a_file(made: str) -> None:
    (finding,) = criticise("df.head()", f"{made}\ndf.head()")
    assert (finding.text, finding.severity) == ("makes the folder 'out'", "warning")


READS = "with open('report.txt', 'r') as f:\n    f.write('x')"


def test_a_file_that_the_cell_failed_to_find_is_not_replaced() -> None:
    error = ExceptionInfo("FileNotFoundError", "[Errno 2] No such file or directory: 'report.txt'")
    writes = READS.replace("'r'", "'w'")
    assert criticise(READS, writes, exceptions=(error,)) == []
    (finding,) = criticise(READS, writes, exceptions=(ExceptionInfo("UnsupportedOperation", "not writable"),))
    assert (finding.text, finding.severity) == ("replaces the file 'report.txt'", "danger")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_whether_a_file_is_there_is_looked_up_each_time(folder: Path) -> None:
    assert codes("df.head()", "df.head().to_csv('out.csv')") == ["writes-file"]
    (folder / "out.csv").touch()
    assert codes("df.head()", "df.head().to_csv('out.csv')") == ["overwrites"]


WRITES = ("df.head()", "df.head().to_csv('out.csv')", "writes-file")


@pytest.mark.parametrize(("old", "new", "code"), [*DANGEROUS.values(), WRITES], ids=[*DANGEROUS, "writes"])
def test_who_is_asked_once_looks_at_texts_alone(old: str, new: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_disk(*arguments: object, **more: object) -> NoReturn:
        raise AssertionError(f"looked at the disk: {arguments}")

    once = [each for each in (*build.CRITIC, *build.STATIC) if not getattr(each, "needs_trial", True)]
    assert once
    for name in ("stat", "lstat", "access", "listdir", "scandir", "open", "readlink"):
        monkeypatch.setattr(os, name, no_disk)
    monkeypatch.setattr("builtins.open", no_disk)
    found = [finding for each in once for finding in each.check(build.failure(old), build.fix(old, new))]
    monkeypatch.undo()
    assert code in [finding.code for finding in found] or "writes" in code or code == "overwrites"


HARMLESS = {
    "misspelt column": (GROUP, GROUP.replace("regoin", "region")),
    "missing import": ("np.zeros(3)", "import numpy as np\nnp.zeros(3)"),
    "misspelt name": ("print(lenght)", "print(length)"),
    "another call": ("df.append(row)", "pd.concat([df, row.to_frame().T])"),
    "list.remove": ("xs.removed(1)", "xs.remove(1)"),
    "str.replace": ("s.replce('a', 'b')", "s.replace('a', 'b')"),
    "rename": ("df.renam(columns={'a': 'b'})", "df.rename(columns={'a': 'b'})"),
    "reading": ("x = open('a.txt').raed()", "x = open('a.txt').read()"),
    "reading in binary": ("x = open('a.txt').read()", "x = open('a.txt', 'rb').read()"),
    "the danger was there": ("import os\nos.remove(pth)", "import os\nos.remove(path)"),
    "the shell was there": ("!pip install x\nimport y", "!pip install x\nimport x"),
    "a misspelt address": ("requests.get('htps://a.example/x')", "requests.get('https://a.example/x')"),
    "a misspelt package": (
        "import subprocess\nsubprocess.run(['gti', 'log'])",
        "import subprocess\nsubprocess.run(['git', 'log'])",
    ),
    "the file was written before": ("df.to_csv('out.csv', idx=False)", "df.to_csv('out.csv', index=False)"),
    "tokens": ("x = tokenize(txt)", "tokens = tokenize(text)\nx = tokens"),
    "re.compile": ("p = re.compil('a')", "p = re.compile('a')"),
    "model.eval": ("model.evall()", "model.eval()"),
    "df.eval": ("df.evl('a + b')", "df.eval('a + b')"),
    "open the same": ("with open(p, 'w') as f: f.wirte('x')", "with open(p, 'w') as f: f.write('x')"),
    "what was read is the reader's own": (
        "import json\nrows = json.loads(text)\nrows.add(1)",
        "import json\nrows = json.loads(text)\nrows.append(1)",
    ),
    "a part of what was read": (
        "import json\njson.load(f)['tags'].upadte({})",
        "import json\njson.load(f)['tags'].update({})",
    ),
    "an answer's own list": (
        "import requests\nrows = requests.get(url).json()\nrows.add(1)",
        "import requests\nrows = requests.get(url).json()\nrows.append(1)",
    ),
    "a list of names": (
        "import os\nnames = os.listdir('.')\nnames.add('x')",
        "import os\nnames = os.listdir('.')\nnames.append('x')",
    ),
    "wrapped in a function": ("y = f(x, 1)", "y = f(x)"),
    "split in two": ("y = f(g(x))", "z = g(x)\ny = f(z)"),
    "a conversion": ("total = '3' + 4", "total = int('3') + 4"),
    "a constant for a constant": ("n = '3'\nm = n + 4", "n = 3\nm = n + 4"),
    "to a constant path": ("df = pd.read_csv('dta/x.csv')", "df = pd.read_csv('data/x.csv')"),
    "timing": ("%timeit f(", "%timeit f()"),
    "print with brackets": ("print 'x'", "print('x')"),
    "help": ("f?\nlenn(x)", "f?\nlen(x)"),
}


@pytest.mark.parametrize(("old", "new"), HARMLESS.values(), ids=HARMLESS)
def test_a_plain_fix_raises_no_alarm(old: str, new: str) -> None:
    assert criticise(old, new) == []


@pytest.mark.parametrize(
    "table", [SWALLOWED, SILENCED, DANGEROUS, REMOVED], ids=["swallow", "silence", "danger", "remove"]
)
def test_what_the_failed_cell_did_already_raises_no_alarm(table: dict[str, tuple[str, ...]]) -> None:
    for _, new, *_ in table.values():
        assert criticise(new, new) == []
        if not new.startswith("%%bash"):
            assert criticise(new, f"{new}\nlen(ys)") == []


@pytest.mark.parametrize("magic", ["%%mine", "%%px", "%%python3", "%%time\n%%mine", "%%debug"])
def test_what_a_cell_magic_holds_is_looked_at_even_if_nobody_knows_the_magic(magic: str) -> None:
    found = criticise(f"{magic}\nx = f()", f"{magic}\nimport os\nos.remove('a.txt')\nx = f(1)")
    assert "deletes" in {each.code for each in found}
    assert criticise(f"{magic}\nx = f(vlaues)", f"{magic}\nx = f(values)") == []


def test_what_a_cell_magic_holds_that_nobody_can_read_is_a_magic_that_may_do_anything() -> None:
    assert "magic" in {each.code for each in criticise("%%mine\nfor x in", "%%mine\nfor x in y then drop it")}


def test_a_fix_that_changes_nothing_has_no_finding_whatever_it_is() -> None:
    for module in (ast, inspect, textwrap):
        source = inspect.getsource(module)
        assert criticise(source, source) == []


def test_a_cell_that_does_not_parse_is_no_trouble() -> None:
    assert criticise("for x in", "for x in xs:\n    f(x)") == []
    assert codes("x = (", "\0") == ["hidden-text"]


# ------------------------------------------------------------------ with a trial


def passed(*changes: NameChange, accesses: tuple[Access, ...] = ()) -> Trial:
    return Trial("passed", changes=changes, accesses=accesses, seconds=0.2)


def table(rows: int, columns: int = 4) -> ValueFacts:
    return ValueFacts("pandas.DataFrame", (rows, columns), "", rows)


def test_dropped_rows_are_counted() -> None:
    trial = passed(NameChange("df", "rebound", table(100), table(97)))
    (finding,) = criticise("model.fit(df)", "df = df.dropna()\nmodel.fit(df)", trial)
    assert (finding.code, finding.text) == ("drops-rows", "drops 3 of 100 rows of `df`")


def test_rows_dropped_in_place_are_counted_too() -> None:
    trial = passed(NameChange("df", "changed", table(100), table(97)))
    assert codes("model.fit(df)", "df.dropna(inplace=True)\nmodel.fit(df)", trial) == ["drops-rows"]


def test_rows_that_the_failed_cell_meant_to_drop_are_no_news() -> None:
    trial = passed(NameChange("df", "rebound", table(100), table(60)))
    assert codes("df = df[df.aeg > 18]", "df = df[df.age > 18]", trial) == []


def test_more_rows_dropped_than_meant_is_news() -> None:
    trial = passed(NameChange("df", "rebound", table(100), table(60)))
    assert codes("df = df[df.age > 18]", "df = df.dropna()[df.age > 18]", trial) == ["drops-rows"]


def test_a_rule_that_says_that_missing_values_are_left_out_is_not_doubted_for_it() -> None:
    trial = passed(NameChange("df", "rebound", table(100), table(97)))
    made = build.fix("model.fit(df)", "df = df.dropna()\nmodel.fit(df)")
    told = dataclasses.replace(made, prior=0.4, explanation="Rows of `df` with missing values are left out.")
    for tried in (trial, None):
        for each, severity in ((told, "note"), (made, "warning")):
            (finding,) = ResultChecker().check(build.failure("model.fit(df)"), each, tried)
            assert (finding.code, finding.severity) == ("drops-rows", severity)


def test_without_a_trial_dropped_rows_are_guessed() -> None:
    assert codes("model.fit(df)", "model.fit(df.dropna())") == ["drops-rows"]


def test_an_earlier_result_that_becomes_something_else_is_told() -> None:
    trial = passed(NameChange("df", "rebound", table(3), ValueFacts("numpy.ndarray", (3, 4), "float64", 3)))
    (finding,) = criticise("f(df)", "df = df.values\nf(df)", trial)
    assert finding.text == "turns `df` from DataFrame into ndarray"


def test_another_shape_is_told() -> None:
    before, after = ValueFacts("numpy.ndarray", (6,), "int64", 6), ValueFacts("numpy.ndarray", (2, 3), "int64", 2)
    (finding,) = criticise("f(a)", "a = a.reshape(2, 3)\nf(a)", passed(NameChange("a", "rebound", before, after)))
    assert finding.text == "changes the shape of `a` from (6,) to (2, 3)"


def test_what_the_cell_itself_makes_is_its_own_affair() -> None:
    trial = passed(
        NameChange("n", "rebound", ValueFacts("int"), ValueFacts("str")), NameChange("new", "added", None, table(3))
    )
    assert codes("n = str(lenght)", "n = str(length)\nnew = df", trial) == []


def test_a_deleted_name_is_told() -> None:
    assert codes("f(a)", "del a\nf(1)", passed(NameChange("a", "removed", ValueFacts("int"), None))) == ["removes-name"]


def test_what_a_passed_trial_wanted_outside_is_told() -> None:
    trial = passed(accesses=(Access("file", "write to out/new.csv"),))
    (finding,) = criticise("f(a)", "f(b)", trial)
    assert finding.text == "wanted to write to out/new.csv, which a trial does not allow"
    assert codes("f(a, 'new.csv')", "f(b, 'new.csv')", trial) == []


def test_every_checker_comes_by_the_plugins_door() -> None:
    for checker in (*build.CRITIC, *build.STATIC):
        assert checker.name
        assert type(checker)(None) is not None


def test_what_a_rewritten_cell_does_that_runs_again_is_told_once() -> None:
    source = "import os\nos.remove('a.tmp')\nx = 1"
    edit = Edit(CellRef("e0"), source.replace("1", "'1'"), source)
    found = [
        one.code
        for checker in build.CRITIC
        for one in checker.check(
            build.failure("x + 1", earlier=(edit.expected,)), Fix("x", (RunCell(edit.cell, source), edit), "", "model")
        )
    ]
    assert found.count("deletes") == 1
