"""The form in which a model is asked to answer: fenced blocks of code, or JSON that keeps to a schema. Data alone."""

from __future__ import annotations

from dataclasses import dataclass

from reflex_ipython.settings import Settings


@dataclass(frozen=True)
class AnswerForm:
    """The end of a question. In braces: what is filled in.

    Parameters
    ----------
    cell : str
        Where one cell is to be repaired. `number` is the one that failed, 0 if it has none.
    two : str
        Where the mistake may be in either of two.
    wish : str
        Where code is wanted and nothing failed.
    again : str
        After an answer that was none.
    elsewhere, needs : str
        How to name another cell; how to say that code can't repair it.
    """

    cell: str
    two: str
    wish: str
    again: str
    elsewhere: str
    needs: str


_TWO = """\
The error comes from {{function}} in {{home}}, which {{failing}} calls. Repair the cell that holds the mistake, and \
leave the other as it is. If both must change, {both}. Answer """

_WHAT = "the cell that must run first (`run In [3]`), the package (`pip install NAME`), or what is missing."

BLOCKS = AnswerForm(
    cell="""\
Repair the cell. {more}

Answer in this form:

Reason: one sentence that says why the cell fails
```python
the complete repaired cell
```""",
    two=_TWO.format(both="write two blocks")
    + """\
in this form:

Reason: one sentence that says why the cell fails
```python
# {home} or # {failing}
the complete repaired cell
```""",
    wish="""\
Answer in this form:

Reason: one sentence that says what the code does
```python
the complete code
```""",
    again="""\
Answer again in this form:

Reason: one sentence that says what was wrong with that
```python
the complete new code
```""",
    elsewhere="""\
If the mistake is in a cell above, write that whole cell instead, with its name as the block's first line, \
`# In [3]`.""",
    needs=f"If code can't repair it, write no code but one line `Needs: …`: {_WHAT}",
)

STRUCTURED = AnswerForm(
    cell="""\
Repair the cell. {more}

Answer with JSON in this form:

{{"reason": "one sentence that says why the cell fails", "cells": [{{"cell": {number}, "code": "the complete repaired \
cell"}}], "needs": ""}}""",
    two=_TWO.format(both="give both")
    + """\
with JSON in this form, with the number of the cell that you repair:

{{"reason": "one sentence that says why the cell fails", "cells": [{{"cell": {number}, "code": "the complete repaired \
cell"}}], "needs": ""}}""",
    wish="""\
Answer with JSON in this form:

{{"reason": "one sentence that says what the code does", "cells": [{{"cell": {number}, "code": "the complete code"}}], \
"needs": ""}}""",
    again="Answer again with JSON in the same form. Its reason says in one sentence what was wrong with that.",
    elsewhere="If the mistake is in a cell above, give that whole cell instead, with its own number.",
    needs=f"If code can't repair it, leave `cells` empty and say in `needs`: {_WHAT}",
)


def form_of(settings: Settings) -> AnswerForm:
    """The form that the settings name."""
    return STRUCTURED if settings.answers == "structured" else BLOCKS
