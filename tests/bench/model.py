"""`make bench-model`: how often a model puts a cell right, and what its question, the loop and the rules are worth.

    python -m tests.bench.model --base-url URL --model NAME [--stage STAGE ...] [--folder FOLDER]
    python -m tests.bench.model --base-url URL --model NAME --provider llama.cpp --answers structured --stage "+ loop"
    python -m tests.bench.model ... --family own_project --stage "+ context" "context without similar code"

Each stage runs the cases of `tests/cases/for_a_model.txt`: the model with the bare cell and error; with what is told of
the kernel; asked again with what came of it; after the rules and their search. Another has to be asked for by its name:
what is told of the kernel, without similar code; that is where a project's own code shows the way, as in the cases of
`own_project`. It goes on where it was interrupted, if FOLDER is the same. With
`--answers structured`, all but the bare prompt ask for JSON that keeps to a schema, of a `--provider` that is known to
do so.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflex_ipython.headless.bench.cases import Case, read_cases
from reflex_ipython.headless.bench.many import caches, run_cases
from reflex_ipython.headless.bench.one import Conditions
from reflex_ipython.headless.bench.outcome import Outcome, read_outcomes
from reflex_ipython.propose.presets import PRESETS

CASES = Path(__file__).parent.parent / "cases"
CHOICE = CASES / "for_a_model.txt"
TIMEOUT = 600.0
"""Seconds for each cell and each repair: a model on a processor of its own takes its time."""

WITHOUT_RULES = ("tests.bench.stages.without_rules",)


@dataclass(frozen=True)
class Stage:
    """A way to ask: how often at most, what is taken away from the kernel, and whether similar code is told."""

    attempts: int
    extensions: tuple[str, ...] = ()
    similar_code: bool = True


BARE = "bare prompt"

STAGES = {
    BARE: Stage(1, ("tests.bench.stages.bare_prompt",)),
    "+ context": Stage(1, WITHOUT_RULES),
    "+ loop": Stage(5, WITHOUT_RULES),
    "+ rules and search": Stage(5),
}
WITHOUT_SIMILAR = "context without similar code"
ALL_STAGES = {**STAGES, WITHOUT_SIMILAR: Stage(1, WITHOUT_RULES, similar_code=False)}


def chosen_cases() -> list[Case]:
    """The cases that the list names, in its order."""
    known = {f"{case.family}/{case.id}": case for case in _all_cases()}
    return [known[line.strip()] for line in CHOICE.read_text(encoding="utf-8").splitlines() if line.strip()]


def _all_cases() -> list[Case]:
    return read_cases(sorted(CASES.glob("*.jsonl")))


def conditions(
    stage: Stage, model: str, base_url: str, *, provider: str | None = None, answers: str = "blocks"
) -> Conditions:
    """How the cases of a stage run: greedy, so that two runs of one stage are alike."""
    answers = "blocks" if stage is STAGES[BARE] else answers  # that one asks in words of its own
    config: list[tuple[str, Any]] = [
        ("history", False), ("model", model), ("base_url", base_url), ("temperature", 0.0),
        ("max_tokens", 1_000), ("timeout", TIMEOUT), ("attempts", stage.attempts), ("answers", answers),
        ("similar_code", stage.similar_code),
        *([("provider", provider)] if provider else []),
    ]  # fmt: skip
    return Conditions(Path(), TIMEOUT, tuple(config), network=True, extensions=stage.extensions)


def measured(cases: Sequence[Case], how: Conditions, file: Path) -> list[Outcome]:
    """The outcomes of the cases; those that the file has already are not run again."""
    outcomes = read_outcomes(file)
    had = {outcome.id for outcome in outcomes}
    with caches(how) as conditions, file.open("a", encoding="utf-8") as output:
        for outcome in run_cases([case for case in cases if case.id not in had], conditions, 1):
            output.write(outcome.line())
            output.flush()
            outcomes.append(outcome)
            print(f"  {'right' if is_right(outcome) else '–':<6}{outcome.seconds:6.0f} s  {outcome.id}", flush=True)
    return outcomes


def is_right(outcome: Outcome) -> bool:
    """Whether the first fix is right, or one of a choice."""
    return outcome.right_first or outcome.right_in_choice


def table(found: Mapping[str, Sequence[Outcome]]) -> str:
    """Markdown: for each stage and family how many cases were put right."""
    families: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for stage, outcomes in found.items():
        for outcome in outcomes:
            families[outcome.family][stage].append(is_right(outcome))
            families["**all**"][stage].append(is_right(outcome))
    lines = [f"| | cases | {' | '.join(found)} |", f"| --- | ---: |{' ---: |' * len(found)}"]
    for family in sorted(families):
        by_stage = families[family]
        cases = max(map(len, by_stage.values()))
        lines.append(f"| {family} | {cases} | {' | '.join(str(sum(by_stage[stage])) for stage in found)} |")
    return "\n".join(lines)


def below_bare(found: Mapping[str, Sequence[Outcome]]) -> str:
    """A sentence on the families in which a stage put fewer cases right than the bare prompt, of those both ran."""
    bare = {outcome.id: outcome for outcome in found.get(BARE, ())}
    worse = []
    for stage, outcomes in found.items():
        shared: dict[str, list[Outcome]] = defaultdict(list)
        for outcome in outcomes:
            if outcome.id in bare:
                shared[outcome.family].append(outcome)
        for family, those in sorted(shared.items()):
            right, of_bare = (sum(map(is_right, each)) for each in (those, [bare[one.id] for one in those]))
            if right < of_bare:
                worse.append(f"{stage}: {family} {right} of {len(those)}, {of_bare} with the bare prompt")
    if not bare or len(found) == 1:
        return "Whether anything is below the bare prompt needs that stage and another one."
    return "Below the bare prompt: " + "; ".join(worse) + "." if worse else "In no family below the bare prompt."


def importable_here() -> str:
    """The `PYTHONPATH` with which a kernel that starts elsewhere finds the extensions of the stages."""
    here = str(Path(__file__).parents[2])
    return os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--provider", help="what kind of server that is, as the setting names it")
    parser.add_argument("--answers", choices=("blocks", "structured"), default="blocks")
    parser.add_argument("--stage", nargs="+", choices=ALL_STAGES, default=list(STAGES))
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--family", help="all cases of one file of tests/cases, instead of those of the list")
    parser.add_argument("--only", nargs="+", default=[], help="ids of cases")
    given = parser.parse_args(arguments)
    kind = {"provider": given.provider, "answers": given.answers}
    if given.answers == "structured" and not (given.provider in PRESETS and PRESETS[given.provider].structured):
        parser.error("name a --provider that is known to keep to a schema, or all answers come in blocks")
    os.environ["PYTHONPATH"] = importable_here()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="reflex-bench-model-"))
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [case for case in _all_cases() if case.family == given.family] if given.family else chosen_cases()
    cases = [case for case in chosen if not given.only or case.id in given.only]
    found = {}
    for name in given.stage:
        print(name, flush=True)
        form = "" if given.answers == "blocks" else f"-{given.answers}"
        file = folder / f"{name.strip('+ ').replace(' ', '-')}{form}.jsonl"
        found[name] = measured(cases, conditions(ALL_STAGES[name], given.model, given.base_url, **kind), file)
    print(f"\n{table(found)}\n\n{below_bare(found)}\n\nAll outcomes: {folder}")


if __name__ == "__main__":
    main()
