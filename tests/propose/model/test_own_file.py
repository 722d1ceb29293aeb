"""A model is shown the file in which it failed, and what it answers becomes an edit of that file."""

from __future__ import annotations

from reflex_ipython.models import (
    CellRef,
    Edit,
    ExceptionInfo,
    Failure,
    FileRef,
    FileSource,
    Frame,
    Situation,
)
from reflex_ipython.propose.answered import Proposed, answered
from reflex_ipython.propose.file_excerpt import WHOLE
from reflex_ipython.propose.prompt import build_messages

SHORT = "import math\n\n\ndef area(r):\n    return math.pie * r\n"
PADDING = "\n\n".join(f"def helper_{number}(x):\n    return x + {number}" for number in range(200))
LONG = f"import math\n\nPI = 3\n\n{PADDING}\n\n\ndef area(r):\n    return math.pie * r\n\n\n{PADDING}\n"
FILE = FileRef("/home/ann/shapes.py")


def failure(text: str) -> Failure:
    line = text.split("\n").index("    return math.pie * r") + 1
    frames = (Frame("<cell>", "<module>", 1, cell=CellRef("c", 7)), Frame(FILE.path, "area", line))
    situation = Situation(CellRef("c", 7), "area(2)", files=(FileSource(FILE, text, FILE.path, "shapes"),))
    error = ExceptionInfo("AttributeError", "module 'math' has no attribute 'pie'", frames=frames)
    return Failure("f1", "2026", situation, "run", (error,), lineno=1)


def question(text: str) -> str:
    return build_messages(failure(text))[-1]["content"]


def test_a_short_file_is_shown_whole_under_a_number_of_its_own() -> None:
    asked = question(SHORT)
    assert "The file shapes.py, which holds the code that failed; here it goes by In [8]" in asked
    assert SHORT.strip() in asked
    assert "/home/ann" not in asked


def test_of_a_long_file_the_definition_and_what_stands_above_it_are_shown() -> None:
    assert len(LONG) > WHOLE
    asked = question(LONG)
    assert "def area(r):" in asked
    assert "import math\nPI = 3" in asked
    assert "helper_7" not in asked


def test_the_answer_is_put_where_the_excerpt_was() -> None:
    for text in (SHORT, LONG):
        whole = text if text == SHORT else "def area(r):\n    return math.pie * r"
        reply = f"Reason: it is pi\n```python\n# In [8]\n{whole.replace('pie', 'pi').strip()}\n```"
        found = answered(failure(text), reply)
        assert isinstance(found, tuple)
        assert found == (Proposed((Edit(FILE, text, text.replace("pie", "pi")),), "it is pi"),)
