"""The two sides of the wire, Python's dataclasses and TypeScript's interfaces, name the same things."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest

from reflex_ipython import __version__
from reflex_ipython.ipython import from_kernel, from_page
from reflex_ipython.ipython.page_comm import COMM_TARGET
from reflex_ipython.models import CellRef
from reflex_ipython.present import diff, next_steps, notice, panel, preview, run_options

FRONT_END = Path(__file__).parents[1] / "labextension"
FROM_PAGE = (FRONT_END / "src" / "frompage.ts").read_text(encoding="utf-8")
FROM_KERNEL = (FRONT_END / "src" / "fromkernel.ts").read_text(encoding="utf-8")
LINK = (FRONT_END / "src" / "lab" / "link.ts").read_text(encoding="utf-8")
OTHER_SIDE = {from_page.__name__: FROM_PAGE, from_kernel.__name__: FROM_KERNEL}
STATE = (FRONT_END / "src" / "state.ts").read_text(encoding="utf-8")
VALID = (FRONT_END / "src" / "valid.ts").read_text(encoding="utf-8")

DIRECTIONS = {"FromPage": get_args(from_page.FromPage), "FromKernel": get_args(from_kernel.FromKernel)}
KINDS = (*DIRECTIONS["FromPage"], *DIRECTIONS["FromKernel"])
WITHIN = (
    from_kernel.SourceEdit,
    from_kernel.RunFirst,
    from_page.NotebookCell,
    from_kernel.ModelServer,
    from_kernel.ProviderWithKey,
)
PARTS = (
    panel.PanelState,
    panel.AcceptedView,
    panel.FixView,
    panel.RunFirstView,
    run_options.RunOptionView,
    preview.Preview,
    next_steps.StepView,
    panel.EditView,
    notice.Notice,
    diff.Hunk,
    diff.Span,
    CellRef,
)


def interfaces(source: str) -> dict[str, dict[str, str]]:
    """The interfaces of a TypeScript file: for each, its fields and their types as they are written."""
    blocks = re.findall(r"^export interface (\w+) \{\n(.*?)^\}", source, re.MULTILINE | re.DOTALL)
    return {name: dict(re.findall(r"^  (\w+): (.+);$", body, re.MULTILINE)) for name, body in blocks}


def choices(source: str, name: str) -> set[str]:
    """The strings, or the type names, of a TypeScript union."""
    declared = re.search(rf"^export type {name} =(.*?);", source, re.MULTILINE | re.DOTALL)
    assert declared, f"no type {name}"
    return {choice.strip().strip("'") for choice in declared[1].split("|") if choice.strip()}


def written_in_typescript(hint: Any) -> str:
    """A Python type as the TypeScript side writes it."""
    plain = {str: "string", bool: "boolean", int: "number", type(None): "null"}
    if hint in plain:
        return plain[hint]
    if hint == diff.Line:
        return "Line"
    for name, choice in (("Tone", notice.Tone), ("Phase", panel.Phase)):
        if hint == choice:
            return name
    if hint == from_page.ApplyStatus:
        return "ApplyStatus"
    if get_origin(hint) is Annotated:  # a part of the panel, as JSON
        return str(hint.__metadata__[0])
    if getattr(hint, "__origin__", None) in (tuple, list):
        return f"{written_in_typescript(get_args(hint)[0])}[]"
    if dataclasses.is_dataclass(hint):
        return hint.__name__
    if get_args(hint) and all(isinstance(choice, str) for choice in get_args(hint)):
        return " | ".join(f"'{choice}'" for choice in get_args(hint))
    return " | ".join(written_in_typescript(option) for option in get_args(hint))


def fields(kind: type) -> dict[str, str]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: written_in_typescript(hints[field.name]) for field in dataclasses.fields(kind)}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_message_has_the_same_type_and_fields_on_both_sides(kind: Any) -> None:
    assert interfaces(OTHER_SIDE[kind.__module__])[kind.__name__] == {"type": f"'{kind.type}'", **fields(kind)}


@pytest.mark.parametrize("kind", WITHIN, ids=lambda kind: kind.__name__)
def test_a_part_of_a_message_has_the_same_fields_on_both_sides(kind: type) -> None:
    assert interfaces(OTHER_SIDE[kind.__module__])[kind.__name__] == fields(kind)


@pytest.mark.parametrize("kind", PARTS, ids=lambda kind: kind.__name__)
def test_a_part_of_the_panel_has_the_same_fields_on_both_sides(kind: type) -> None:
    assert interfaces(STATE)[kind.__name__] == fields(kind)


@pytest.mark.parametrize(
    ("source", "there", "module"),
    [
        (FROM_PAGE, KINDS + WITHIN, from_page),
        (FROM_KERNEL, KINDS + WITHIN, from_kernel),
        (STATE, PARTS, panel),
    ],
    ids=["from the page", "from the kernel", "state"],
)
def test_neither_side_has_a_type_that_the_other_lacks(source: str, there: tuple[type, ...], module: ModuleType) -> None:
    known = {kind.__name__ for kind in there if source is STATE or kind.__module__ == module.__name__}
    assert interfaces(source).keys() == known
    own = [kind for _, kind in inspect.getmembers(module, dataclasses.is_dataclass)]
    assert {kind for kind in own if kind.__module__ == module.__name__} <= set(there)


@pytest.mark.parametrize(("direction", "source"), [("FromPage", FROM_PAGE), ("FromKernel", FROM_KERNEL)])
def test_each_direction_carries_the_same_messages(direction: str, source: str) -> None:
    assert choices(source, direction) == {kind.__name__ for kind in DIRECTIONS[direction]}


@pytest.mark.parametrize(
    ("source", "name", "there"),
    [(FROM_PAGE, "ApplyStatus", from_page.ApplyStatus), (STATE, "Phase", panel.Phase), (STATE, "Tone", notice.Tone)],
)
def test_a_choice_has_the_same_values_on_both_sides(source: str, name: str, there: Any) -> None:
    assert choices(source, name) == set(get_args(there))


@pytest.mark.parametrize("there", [panel.Phase, notice.Tone], ids=["Phase", "Tone"])
def test_the_check_of_what_comes_into_the_page_knows_all_values(there: Any) -> None:
    """That it knows all fields is the compiler's business."""
    allowed = [set(re.findall(r"'(\w+)'", choice)) for choice in re.findall(r"oneOf\(([^)]*)\)", VALID)]
    assert set(get_args(there)) in allowed


def test_both_sides_use_the_same_mime_type_and_comm() -> None:
    assert f"MIME = '{panel.MIME}'" in STATE
    assert f"COMM_TARGET = '{COMM_TARGET}'" in LINK


def test_the_front_end_has_the_version_of_the_package() -> None:
    assert json.loads((FRONT_END / "package.json").read_text(encoding="utf-8"))["version"] == __version__
    assert f"VERSION = '{__version__}'" in (FRONT_END / "src" / "version.ts").read_text(encoding="utf-8")
