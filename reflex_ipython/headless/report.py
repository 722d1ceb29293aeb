"""The report over all notebooks of a run: what failed, what healed, by class, with links."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from reflex_ipython.errors import BadInput
from reflex_ipython.headless.healed import CellRepair
from reflex_ipython.headless.results import Result
from reflex_ipython.headless.tables import TextTable, html_table, markdown_table
from reflex_ipython.present.blocks import Block, Diff, Heading, Paragraph
from reflex_ipython.present.diff import hunks
from reflex_ipython.present.page import as_html
from reflex_ipython.present.text import as_text

TITLE = "Notebooks, healed"
_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
:root {{ color-scheme: light dark }}
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }}
table {{ border-collapse: collapse; margin: 1em 0 }}
th, td {{ text-align: left; padding: 2px 14px 2px 0; vertical-align: top }}
h2 {{ margin-top: 2em; overflow-wrap: anywhere }} pre {{ font-size: 13px }}
</style></head><body>
{body}
</body></html>
"""


def check_suffix(path: Path) -> None:
    """Refuse a name that says no format that is known.

    Raises
    ------
    BadInput
    """
    if path.suffix not in _FORMATS:
        raise BadInput(f"A report is written as .html, .md or .json, and {path} ends with none of them.")


def write_report(path: Path, results: Sequence[Result]) -> None:
    """Write the report.

    Parameters
    ----------
    path : Path
        Its suffix says how: `.html`, `.md` or `.json`.
    results : sequence of Result
    """
    path.write_text(_FORMATS[path.suffix](results, path.resolve().parent), encoding="utf-8")


def tables(results: Sequence[Result]) -> Iterator[TextTable]:
    """How the notebooks ended, and what failed by the exception's class."""
    ended: Counter[str] = Counter(result.healed.status for result in results)
    yield TextTable(("Notebooks", "", ""), tuple(_shares(ended, len(results))), range(1, 3))
    repairs = [repair for result in results for repair in result.healed.repairs]
    if repairs:
        failed = Counter(repair.error_class for repair in repairs)
        accepted = Counter(repair.error_class for repair in repairs if repair.accepted)
        rows = ((name, str(count), str(accepted[name])) for name, count in failed.most_common())
        yield TextTable(("Exception", "failed", "fix accepted"), tuple(rows), range(1, 3))


def repair_blocks(repair: CellRepair) -> Iterator[Block]:
    """What failed in a cell, and what became of it."""
    yield Heading(f"Cell {repair.number}: {repair.error}", repair.origin)
    if repair.explanation:
        yield Paragraph(repair.explanation)
    if repair.verdict:
        yield Paragraph(repair.verdict, quiet=True)
    if repair.outcome:
        yield Paragraph(repair.outcome, "good" if repair.succeeded else "warning")
    for change in repair.changes:
        label = f"cell {change.number}" if change.number != repair.number else ""
        yield Diff(hunks(change.before, change.after), label)


def _shares(counted: Counter[str], total: int) -> Iterator[tuple[str, str, str]]:
    yield "all", str(total), ""
    for name, count in counted.most_common():
        yield name.replace("-", " "), str(count), f"{count / total:.0%}"


def _html(results: Sequence[Result], folder: Path) -> str:
    parts = [f"<h1>{TITLE}</h1>", *(html_table(table) for table in tables(results))]
    for result in results:
        name = escape(result.notebook)
        parts.append(
            f'<h2><a href="{escape(_link(result, folder))}">{name}</a></h2><p>{escape(result.healed.words)}</p>'
        )
        parts += [as_html(tuple(repair_blocks(repair))) for repair in result.healed.repairs]
        parts += [f"<pre>{escape(text)}</pre>" for text in _differences(result)]
    return _PAGE.format(title=TITLE, body="\n".join(parts))


def _markdown(results: Sequence[Result], folder: Path) -> str:
    lines = [f"# {TITLE}", ""]
    for table in tables(results):
        lines += [*markdown_table(table), ""]
    for result in results:
        name = result.notebook.replace("[", "\\[").replace("]", "\\]")
        lines += [f"## [{name}](<{_link(result, folder)}>)", "", " ".join(result.healed.words.split()), ""]
        texts = [as_text(tuple(repair_blocks(repair))) for repair in result.healed.repairs]
        for text in (*texts, *_differences(result)):
            fence = "`" * (3 + max((len(run) for run in text.split() if set(run) == {"`"}), default=0))
            lines += [fence, text, fence, ""]
    return "\n".join(lines)


def _json(results: Sequence[Result], folder: Path) -> str:
    return json.dumps([result.document() for result in results], indent=1) + "\n"


def _differences(result: Result) -> Iterator[str]:
    verification = result.healed.verification
    for one in verification.differences if verification is not None else ():
        yield "\n".join((f"Cell {one.number} shows something else in a run from the top:", *one.lines))


def _link(result: Result, folder: Path) -> str:
    target = Path(result.output or result.notebook).resolve()
    return quote(os.path.relpath(target, folder).replace(os.sep, "/"))


_FORMATS = {".html": _html, ".md": _markdown, ".json": _json}
