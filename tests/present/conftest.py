"""Repairs to look at."""

from __future__ import annotations

import dataclasses

import pytest

from reflex_ipython.models import (
    CellRef,
    Decision,
    Edit,
    ExceptionInfo,
    Failure,
    Finding,
    Fix,
    NameChange,
    Repair,
    Rerun,
    RunOption,
    Situation,
    Trial,
    Usage,
    ValueFacts,
    Verdict,
)

AT = "2026-11-21T10:04:05.678+00:00"
CELL = CellRef("cell-7", 7)
LONG = "\n".join(
    [
        "import pandas as pd",
        "",
        *(f"step_{number} = load({number!r}, 'part')" for number in range(12)),
        'df = pd.concat([step_0, step_1], axis="rows")',
        "",
        "def totals(frame, by):",
        '    """Sums."""',
        "    grouped = frame.groupby(by)",
        "    return grouped.slaes.sum()",
        "",
        *(f"print(step_{number}.shape)" for number in range(6)),
        'totals(df, "region")',
    ]
)


def simple() -> Repair:
    """A rule's fix of one line, undecided."""
    source = 'df.groupby("regoin").sales.sum().plot()'
    failure = Failure(
        "f1", AT, Situation(CELL, source, python="3.11.9"), "run", (ExceptionInfo("KeyError", "'regoin'"),), lineno=1
    )
    fix = Fix(
        "x1",
        (Edit(CELL, source, source.replace("regoin", "region")),),
        "`df` has no column 'regoin'; the closest is 'region'.",
        "rule",
        "closest column",
    )
    return Repair("1a2b3c4d", "5e55104e", failure, (fix,), {"x1": Verdict("passed")})


def rich_one() -> Repair:
    """Two proposals of two cells, with findings, usage and a chain of exceptions."""
    earlier = CellRef("cell-2", 2)
    failure = Failure(
        "f2",
        AT,
        Situation(CELL, LONG, versions={"pandas": "3.0.1", "numpy": "2.4.0"}, python="3.11.9"),
        "run",
        (
            ExceptionInfo(
                "AttributeError", "'DataFrameGroupBy' object has no attribute 'slaes'", notes=("see the data",)
            ),
            ExceptionInfo("KeyError", "'slaes'", "context"),
        ),
        lineno=20,
    )
    rule = Fix(
        "x2",
        (Edit(CELL, LONG, LONG.replace("slaes", "sales")),),
        "`grouped` has no 'slaes'; the closest is 'sales'.",
        "rule",
        "closest attribute",
    )
    guarded = LONG.replace(
        "    return grouped.slaes.sum()",
        "    try:\n        return grouped.sales.sum()\n    except Exception:\n        return None",
    )
    model = Fix(
        "x3",
        (
            Edit(earlier, "def load(n, part):\n    return read(n)", "def load(n, part):\n    return read(n, part)"),
            Edit(CELL, LONG, guarded),
        ),
        "The column is called `sales`.\nAnything else that goes wrong is ignored.",
        "qwen2.5-coder:7b",
        usage=Usage("qwen2.5-coder:7b", 1834, 212, 3.4, 0.0012),
    )
    verdicts = {
        "x2": Verdict("other_error", "raises ValueError on line 27 instead"),
        "x3": Verdict(
            "blocked",
            "it would delete data.csv",
            (
                Finding("removes", "adds os.remove('data.csv')", "danger"),
                Finding("swallows", "the fix swallows the exception", "warning"),
                Finding("type", "the result may be None", "note"),
            ),
        ),
    }
    return Repair("9f8e7d6c", "5e55104e", failure, (rule, model), verdicts)


def edited() -> Repair:
    """The second proposal, changed by the user, accepted and run."""
    repair = rich_one()
    *earlier, own = repair.fixes[1].edits
    applied = (*earlier, dataclasses.replace(own, source=own.source.replace("return None", "raise")))
    decision = Decision("accepted", "2026-11-21T10:05:00.000+00:00", "x3", applied)
    rerun = Rerun(False, "2026-11-21T10:05:01.000+00:00", "ValueError", "no such part", 1.25)
    return dataclasses.replace(repair, decision=decision, rerun=rerun)


def unknown() -> Repair:
    """An error that nobody could fix."""
    failure = Failure(
        "f4",
        AT,
        Situation(CellRef(), "1 / 0"),
        "run",
        (ExceptionInfo("ZeroDivisionError", "division by zero"),),
        lineno=1,
    )
    return Repair("00aa11bb", "5e55104e", failure)


def tried() -> Repair:
    """A fix of an earlier cell that ran in a copy: what it printed, showed and changed."""
    earlier, source = CellRef("cell-2", 2), "report = monthly(sales)\nreport"
    failure = Failure(
        "f3", AT, Situation(CELL, source, python="3.11.9"), "run", (ExceptionInfo("KeyError", "'mounth'"),), lineno=1
    )
    wrong = 'def monthly(frame):\n    print("summing up")\n    return frame.groupby("mounth").sum()'
    fix = Fix(
        "x4",
        (Edit(earlier, wrong, wrong.replace("mounth", "month")), Edit(CELL, source, source)),
        "`frame` has no column 'mounth'; the closest is 'month'.",
        "rule",
        "closest column",
    )
    trial = Trial(
        "passed",
        stdout="summing up\n",
        result="       revenue\nmonth\n1          120\n2          130",
        mime_types=("text/plain", "image/png"),
        figures=1,
        image="iVBORw0KGgo=",
        changes=(
            NameChange("report", "added", None, ValueFacts("pandas.DataFrame", (2, 1))),
            NameChange(
                "sales", "changed", ValueFacts("pandas.DataFrame", (9, 3)), ValueFacts("pandas.DataFrame", (9, 4))
            ),
        ),
        seconds=0.214,
    )
    run_options = (
        RunOption(2, ("wrote sums.csv",)),
        RunOption(None, ("wrote sums.csv", "connected to example.org:443")),
    )
    return Repair(
        "4d3c2b1a", "5e55104e", failure, (fix,), {"x4": Verdict("passed", run_options=run_options, trial=trial)}
    )


def choice() -> Repair:
    """Two readings of one line: both run, with different results."""
    source = "total = 0\nfor digit in number:\n    total += int(digit)\ntotal"
    failure = Failure(
        "f8",
        AT,
        Situation(CELL, source, python="3.11.9"),
        "run",
        (ExceptionInfo("TypeError", "'int' object is not iterable"),),
        lineno=2,
    )
    fixes = tuple(
        Fix(
            fix_id,
            (Edit(CELL, source, source.replace("in number", f"in {function}(number)")),),
            f"`number` is a number, which can't be looped over; `{function}(number)` {does}.",
            "rule",
            rule,
            prior=0.45,
        )
        for fix_id, function, does, rule in (
            ("x8", "str", "gives its digits, one after the other", "digits of a number"),
            ("x9", "range", "counts from 0 up to it", "range of a number"),
        )
    )
    verdicts = {
        fix_id: Verdict(
            "passed",
            trial=Trial(
                "passed",
                result=str(total),
                changes=(
                    NameChange("total", "rebound", ValueFacts("int", text="0"), ValueFacts("int", text=str(total))),
                ),
                seconds=0.012,
                digest=f"d{total}",
            ),
        )
        for fix_id, total in (("x8", 3), ("x9", 66))
    }
    return Repair("c401ce00", "5e55104e", failure, fixes, verdicts)


def unsure() -> Repair:
    """One reading that runs, and nothing else that speaks for it."""
    repair = choice()
    return dataclasses.replace(repair, fixes=repair.fixes[1:])


def chosen() -> Repair:
    """The second reading was accepted, and ran."""
    repair = choice()
    decision = Decision("accepted", "2026-11-21T10:05:00.000+00:00", "x9", repair.fixes[1].steps)
    return dataclasses.replace(
        repair, decision=decision, rerun=Rerun(True, "2026-11-21T10:05:01.000+00:00", seconds=0.02)
    )


HOSTILE = (
    "</pre></div><script>alert(1)</script> [red]markup[/red] \x1b[31m\x1b]0;title\x07 \u202e \x9b2J"
    " & \"quoted\" 'too' \r\b"
)


def hostile() -> Repair:
    """Every text that others write tries to get out."""
    source, new = f"x = 1\n# {HOSTILE}", f"x = 2\n# {HOSTILE} {HOSTILE}"
    cell = CellRef(HOSTILE, 3)
    failure = Failure(
        HOSTILE,
        HOSTILE,
        Situation(cell, source, versions={HOSTILE: HOSTILE}, python=HOSTILE),
        "run",
        (ExceptionInfo(HOSTILE, HOSTILE, notes=(HOSTILE,)), ExceptionInfo(HOSTILE, HOSTILE, "cause")),
        lineno=2,
    )
    edits = (Edit(CellRef("other", 1), "a", HOSTILE), Edit(cell, source, new))
    fix = Fix("x5", edits, f"{HOSTILE} `{HOSTILE}`", HOSTILE, HOSTILE, Usage(HOSTILE))
    second = dataclasses.replace(fix, id="x6")
    facts = ValueFacts(HOSTILE, (1,), HOSTILE)
    changes = (NameChange(HOSTILE, "changed", facts, dataclasses.replace(facts, shape=())),)
    trial = Trial(
        "other_error", HOSTILE, HOSTILE, HOSTILE, 2, HOSTILE, HOSTILE, HOSTILE, image=HOSTILE, changes=changes
    )
    run_options = (RunOption(2, (HOSTILE,)),)
    verdict = Verdict("other_error", HOSTILE, (Finding(HOSTILE, HOSTILE, "danger"),), run_options, trial)
    return Repair(HOSTILE, HOSTILE, failure, (fix, second), {"x5": verdict, "x6": verdict}, trouble=HOSTILE)


def hostile_decided() -> Repair:
    """The same after a decision."""
    repair = hostile()
    earlier, own = repair.fixes[0].edits
    steps = (earlier, dataclasses.replace(own, source=f"{HOSTILE}\n{HOSTILE}"))
    decision = Decision("accepted", HOSTILE, "x5", steps, reason=HOSTILE)
    return dataclasses.replace(repair, decision=decision, rerun=Rerun(False, HOSTILE, HOSTILE, HOSTILE))


def wide() -> Repair:
    """Wide characters, combining ones, tabs and a very long line."""
    source = (
        'δ = "日本語のとても長い文字列" * 3\n\tif a:\n' + "x = " + " + ".join(f"term_{n}" for n in range(40)) + "\né🐍"
    )
    failure = Failure(
        "f6", AT, Situation(CELL, source), "syntax", (ExceptionInfo("SyntaxError", "日本語 " * 30),), lineno=2
    )
    fix = Fix("x7", (Edit(CELL, source, source.replace("term_39", "term_40").replace("語", "誤")),), "🐍 " * 30, "rule")
    return Repair("77cc88dd", "5e55104e", failure, (fix,))


@pytest.fixture(scope="session")
def repairs() -> dict[str, Repair]:
    return {
        "simple": simple(),
        "two proposals": rich_one(),
        "edited": edited(),
        "unknown": unknown(),
        "hostile": hostile(),
        "hostile decided": hostile_decided(),
        "wide": wide(),
        "tried": tried(),
        "choice": choice(),
        "unsure": unsure(),
        "chosen": chosen(),
    }
