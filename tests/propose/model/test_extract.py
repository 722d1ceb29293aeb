from __future__ import annotations

import json

import pytest

from reflex_ipython.models import CellRef, CellSource
from reflex_ipython.propose.extract import NO_REASON, Answer, Unusable, extract

FAILING = '%matplotlib inline\n# sales by region\nby = df.groupby("regoin").sum()\nby.plot()\n'
FIXED = FAILING.replace("regoin", "region")
BODY = FIXED.rstrip("\n")
CHANGED_LINE = 'by = df.groupby("region").sum()'


def only(failing: str) -> list[CellSource]:
    """The failing cell as the one that may need a change."""
    return [CellSource(CellRef("c", 7), failing)]


def indented(text: str, by: str) -> str:
    return "\n".join(by + line for line in text.split("\n"))


SHAPES = {
    "as it was asked for": f"Reason: misspelt.\n```python\n{BODY}\n```",
    "no language": f"misspelt.\n```\n{BODY}\n```",
    "another language": f"misspelt.\n```ipython3\n{BODY}\n```\n",
    "tildes": f"misspelt.\n~~~py\n{BODY}\n~~~",
    "four backticks": f"misspelt.\n````python\n{BODY}\n````",
    "Windows line ends": f"misspelt.\n```python\n{BODY}\n```\n".replace("\n", "\r\n"),
    "the reason after it": f"```python\n{BODY}\n```\n\nmisspelt.",
    "a lead-in after the reason": f"misspelt. Here is the corrected cell:\n\n```python\n{BODY}\n```",
    "a bold label": f"**Reason:** misspelt.\n\n```python\n{BODY}\n```",
    "a heading": f"### Answer\n\nmisspelt.\n\n```python\n{BODY}\n```",
    "a fence after words": f"misspelt.\n\nThe cell: ```python\n{BODY}\n```",
    "a list": f"1. misspelt.\n   ```python\n{indented(BODY, '   ')}\n   ```",
    "the whole block indented": f"misspelt.\n```python\n{indented(BODY, '    ')}\n```",
    "input prompts": "misspelt.\n```\nIn [3]: " + BODY.replace("\n", "\n   ...: ") + "\n```",
    "Python prompts": "misspelt.\n```\n>>> " + BODY.replace("\n", "\n... ") + "\n```",
    "several blocks": (
        f"misspelt.\n```python\nprint(df.columns)\n```\n```python\n{BODY}\n```\n```bash\npip install pandas\n```"
    ),
    "the old cell repeated first": f"misspelt.\n```python\n{FAILING}```\nNow:\n```python\n{BODY}\n```",
    "thoughts": f"<think>\nLet me see.\n```python\nbad = 1\n```\n</think>\nmisspelt.\n```python\n{BODY}\n```",
    "thoughts without a beginning": f"Let me see.\n</think>\n\nmisspelt.\n```python\n{BODY}\n```",
    "an unclosed fence": f"misspelt.\n```python\n{BODY}",
    "magics left out": "misspelt.\n```python\n" + BODY.replace("%matplotlib inline\n", "") + "\n```",
    "comments left out": "misspelt.\n```python\n" + BODY.replace("# sales by region\n", "") + "\n```",
    "the changed line alone": f"misspelt.\n```python\n{CHANGED_LINE}\n```",
    "the rest as a comment": f"misspelt.\n```python\n# ... existing code ...\n{CHANGED_LINE}\n# rest of the code\n```",
    "a diff": (
        "misspelt.\n```diff\n--- a/cell\n+++ b/cell\n@@ -2,3 +2,3 @@\n # sales by region\n"
        f'-by = df.groupby("regoin").sum()\n+{CHANGED_LINE}\n by.plot()\n```'
    ),
    "thoughts in other words": f"<thought>```python\nbad = 1\n```</thought>\nmisspelt.\n```python\n{BODY}\n```",
    "the marks of a chat": f"<|im_start|>assistant\nmisspelt.\n```python\n{BODY}\n```<|im_end|>",
    "a sentence in the midst of it": (
        "misspelt.\n```python\n" + BODY.replace("by =", "Here the name is corrected:\nby =") + "\n```"
    ),
    "line numbers": "misspelt.\n```\n"
    + "\n".join(f"{at} {one}" for at, one in enumerate(BODY.split("\n"), 1))
    + "\n```",
    "a word processor's quotes": "misspelt.\n```python\n" + BODY.replace('"', "\u201c") + "\n```",
    "blanks that do not break": "misspelt.\n```python\n" + BODY.replace(" = ", "\u00a0= ") + "\n```",
    "the fence behind the last line": f"misspelt.\n```python\n{BODY}```",
    "what is left out in its place": f"misspelt.\n```python\n# sales by region\n...\n{CHANGED_LINE}\n...\n```",
    "another process": f"misspelt.\n```python\n%%python3\n{BODY}\n```",
    "what to look for": (
        'misspelt.\n```\n<<<<<<< SEARCH\nby = df.groupby("regoin").sum()\n=======\n'
        f"{CHANGED_LINE}\n>>>>>>> REPLACE\n```"
    ),
    "JSON": f"misspelt.\n```json\n{json.dumps({'why': 'misspelt.', 'code': BODY})}\n```",
    "a notebook": (
        "misspelt.\n```json\n"
        + json.dumps({"cells": [{"cell_type": "code", "source": BODY.splitlines(keepends=True)}]})
        + "\n```"
    ),
}
UNFENCED = {
    "code and nothing else": BODY,
    "words around it": f"It is misspelt:\n\n{BODY}\n\nNow the name is right.",
    "an import more": FIXED.replace("\n#", "\nimport pandas\n#"),
    "elements": f"<pre><code class='python'>\n{BODY}</code></pre>",
    "a diff": f'--- cell\n+++ cell\n@@ -3 +3 @@\n-by = df.groupby("regoin").sum()\n+{CHANGED_LINE}\n',
    "a patch": (
        f'*** Begin Patch\n*** Update File: cell\n@@\n-by = df.groupby("regoin").sum()\n+{CHANGED_LINE}\n*** End Patch'
    ),
    "what to look for": f'<<<<<<< SEARCH\nby = df.groupby("regoin").sum()\n=======\n{CHANGED_LINE}\n>>>>>>> REPLACE',
    "JSON": json.dumps({"explanation": "misspelt.", "code": BODY}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_complete_new_cell_is_found_with_its_reason(shape):
    assert extract(SHAPES[shape], only(FAILING)) == Answer((FIXED,), "misspelt.")


@pytest.mark.parametrize(
    "reply", [BODY, f"```python\n{BODY}\n```", f"Here is the corrected cell:\n```python\n{BODY}\n```"]
)
def test_a_reply_without_a_reason_says_that_it_has_none(reply):
    assert extract(reply, only(FAILING)) == Answer((FIXED,), NO_REASON)


def test_a_long_reason_is_cut_at_a_word():
    answer = extract(f"{'so because ' * 100}\n```python\n{BODY}\n```", only(FAILING))
    assert len(answer.reason) <= 302
    assert answer.reason.endswith(("so …", "because …"))


NO_FIX = {
    "nothing": ("", "empty answer"),
    "thoughts alone": ("<think>hm, hm", "empty answer"),
    "prose": ("Sorry, I can't help with that.", "no code for this cell"),
    "one word that is Python": ("Sorry", "no code for this cell"),
    "other code without a fence": ("print(42)", "no code for this cell"),
    "an empty block": ("There:\n```python\n```", "no code for this cell"),
    "a web page": ("<!DOCTYPE html><html><body>Log in</body></html>", "web page"),
    "the same cell": (f"Fixed!\n```python\n{FAILING}```", "the same cell"),
    "the same cell but for comments": (f"Fixed!\n```python\n# right\n{FAILING}# done\n```", "the same cell"),
    "the same cell but for blanks": (
        f"Fixed!\n```python\n{FAILING.replace(chr(10), '   ' + chr(10))}\n\n```",
        "the same cell",
    ),
    "the same cell without its magic": (
        "Fixed!\n```python\n" + FAILING.replace("%matplotlib inline\n", "") + "```",
        "the same cell",
    ),
    "a diff of something else": ("```diff\n-import os\n+import sys\n```", "no code for this cell"),
}


@pytest.mark.parametrize("case", NO_FIX)
def test_a_reply_without_a_fix_says_why(case):
    reply, words = NO_FIX[case]
    unusable = extract(reply, only(FAILING))
    assert isinstance(unusable, Unusable)
    assert words in unusable.problem


@pytest.mark.parametrize("cut_at", range(1, len(BODY)))
def test_half_an_answer_is_never_a_fix(cut_at):
    unusable = extract(f"misspelt.\n```python\n{BODY[:cut_at]}", only(FAILING), complete=False)
    assert unusable == Unusable("The model's answer was cut off.")


def test_a_cut_answer_counts_if_its_block_was_closed():
    assert extract(f"misspelt.\n```python\n{BODY}\n```\nThis is", only(FAILING), complete=False) == Answer(
        (FIXED,), "misspelt."
    )


def test_a_cut_answer_without_a_fence_is_no_fix():
    assert isinstance(extract(BODY, only(FAILING), complete=False), Unusable)


# ------------------------------------------------------------------------------------------ a part of the cell

LONG = """\
rows = load()
clean = [row for row in rows if row]
names = [row.name for row in clean]
ages = [row.agee for row in clean]
mean = sum(ages) / len(ages)
print(mean)
"""


def source_of(code: str, failing: str) -> str:
    answer = extract(f"why\n```python\n{code}\n```", only(failing))
    assert isinstance(answer, Answer), answer
    return answer.sources[-1]


def test_an_excerpt_is_put_where_it_belongs():
    assert source_of("ages = [row.age for row in clean]", LONG) == LONG.replace("agee", "age")


def test_an_indented_excerpt_keeps_the_cells_indentation():
    failing = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x.vale\n    return total\n\nf(items)\n"
    assert source_of("total += x.value", failing) == failing.replace("vale", "value")


def test_an_excerpt_that_could_belong_in_two_places_is_no_fix():
    failing = "a = f(1)\na = f(2)\na = f(3)\na = f(4)\na = f(5)\n"
    unusable = extract("why\n```python\na = f(9)\n```", only(failing))
    assert unusable == Unusable("The model answered with only a part of the cell.")


def test_an_excerpt_that_is_like_nothing_in_the_cell_is_no_fix():
    unusable = extract("why\n```python\nimport warnings\n# rest of the code unchanged\n```", only(LONG))
    assert unusable == Unusable("The model answered with only a part of the cell.")


def test_a_shorter_cell_is_not_taken_for_an_excerpt():
    failing = "total = 0\nfor i in range(len(xs)):\n    total += xs[i + 1]\n    n += 1\nprint(total)\n"
    assert source_of("total = sum(xs)\nprint(total)", failing) == "total = sum(xs)\nprint(total)\n"


def test_an_ellipsis_that_the_cell_has_itself_is_code():
    failing = "def later(x):\n    ...\nlater()\n"
    assert source_of("def later(x):\n    ...\nlater(1)", failing) == "def later(x):\n    ...\nlater(1)\n"


def test_a_complete_cell_may_say_in_a_comment_that_the_rest_is_unchanged():
    code = LONG.replace("agee", "age").rstrip("\n") + "  # same as before"
    assert source_of(code, LONG) == code + "\n"


# ------------------------------------------------------------------------------------------ magics and comments


@pytest.mark.parametrize(
    ("failing", "code", "expected"),
    [
        ("%%time\nimport tme", "import time", "%%time\nimport time"),
        ("!pip instal numpy", "!pip install numpy", "!pip install numpy"),
        ("x = 1\n%timeit f(y)\nprint(y)", "x = 1\nprint(x)", "x = 1\n%timeit f(y)\nprint(x)"),
        ("files = !ls\nprint(flies)", "files = !ls\nprint(files)", "files = !ls\nprint(files)"),
        ("df.head?\nprint(dff)", "print(df)", "df.head?\nprint(df)"),
        ("%%bash\nehco hi", "%%bash\necho hi", "%%bash\necho hi"),
        ("!echo \\\n  two\nprint(xx)", "print(x)", "!echo \\\n  two\nprint(x)"),
        ("s = '''\n%a\n'''\n!ls\ns.uper()", "s = 1\ns.upper()", "!ls\ns = 1\ns.upper()"),
        ("if x:\n    %pwd\n    y()", "if x:\n    z()", "if x:\n    %pwd\n    z()"),
    ],
)
def test_magics_survive(failing, code, expected):
    assert source_of(code, failing) == expected


def test_what_looks_like_a_magic_inside_a_string_is_not_put_back():
    failing = 'print("""\n%d items\n!now\n""" % n)'
    assert source_of('print(f"""\n{n} items\n""")', failing) == 'print(f"""\n{n} items\n""")'


def test_a_comment_that_was_rewritten_does_not_come_twice():
    failing = "# the totl\nx = 1\nprint(y)"
    assert source_of("# the total\nx = 1\nprint(x)", failing) == "# the total\nx = 1\nprint(x)"


def test_a_comment_about_a_line_that_is_gone_goes_with_it():
    failing = "# open the file\nhandle = open(path)\n# add up\nvalues = [1, 2]\nprint(sum(valus))"
    assert source_of("values = [1, 2]\nprint(sum(values))", failing) == "# add up\nvalues = [1, 2]\nprint(sum(values))"


# ------------------------------------------------------------------------------------------ odds and ends


@pytest.mark.parametrize("ending", ["", "\n", "\n\n"])
def test_the_new_cell_ends_as_the_old_one_did(ending):
    assert source_of("print(1)", "print(l)" + ending) == "print(1)" + ending


def test_a_cell_with_fences_of_its_own_comes_whole():
    failing = 'text = """\n```python\na\n```\n"""\nprint(txt)'
    assert source_of(failing.replace("txt", "text"), failing) == failing.replace("txt", "text")


def test_the_block_that_parses_is_preferred_to_one_that_is_more_alike():
    failing = "for i in range(3)\n    print(i)"
    reply = f"why\n```python\n{failing} # here\n```\n```python\nfor i in range(3):\n    print(i)\n```"
    assert extract(reply, only(failing)).sources[0] == "for i in range(3):\n    print(i)"


def test_a_cell_on_one_line_is_found_in_a_fence_on_one_line():
    assert extract("why: ```python x = 1```", only("x = ,1")).sources[0] == "x = 1"


def test_a_diff_with_wrong_line_numbers_is_applied_all_the_same():
    diff = "@@ -40,2 +40,2 @@\n-ages = [row.agee for row in clean]\n+ages = [row.age for row in clean]"
    assert source_of(diff, LONG) == LONG.replace("agee", "age")


# ------------------------------------------------------------------------------------------ what stands around it


@pytest.mark.parametrize("name", ["# In [7]", "# In [7]:", "In [7]:"])
def test_the_name_of_the_cell_is_taken_off(name):
    assert source_of(f"{name}\n{BODY}", FAILING) == FIXED


def test_a_name_that_the_cell_has_itself_stays():
    assert source_of("# In [7]\nx = 2", "# In [7]\nx = 1") == "# In [7]\nx = 2"


def test_a_fence_inside_a_fence_is_looked_into():
    answer = extract("why\n```markdown\n```python\nx = 2\ny = x\n```\n```", only("x = 1\ny = x"))
    assert answer == Answer(("x = 2\ny = x",), "why")


def test_leading_blank_lines_stay():
    assert source_of("x = 2", "\n\nx = 1\n") == "\n\nx = 2\n"


@pytest.mark.parametrize("shape", UNFENCED)
def test_the_cell_is_found_without_fences(shape):
    expected = FIXED if shape != "an import more" else UNFENCED[shape]
    assert extract(UNFENCED[shape], only(FAILING)) == Answer((expected,), NO_REASON)


@pytest.mark.parametrize(
    "reply",
    [
        "The column is called `region`, as df.columns says.",
        'Replace the third line, by = df.groupby("regoin").sum(), with the right name.',
        "<<<<<<< SEARCH\nnot there\n=======\nby.plot()\n>>>>>>> REPLACE",
        '{"answer": "the column is called region"}',
        "[1, 2, 3",
    ],
)
def test_words_and_what_is_for_other_code_are_no_cell(reply):
    assert isinstance(extract(reply, only(FAILING)), Unusable)


def test_characters_that_the_cell_has_itself_are_no_slip_of_the_model():
    old = "print(\u201chello\u201d)"
    assert extract(f"```python\n{old}\nx = 1\n```", only(old)) == Answer((f"{old}\nx = 1",), NO_REASON)


def test_a_text_that_nobody_uses_is_no_change():
    bare = "x = 1\nprint(y)"
    found = extract(f'```python\n"""Repaired."""\n{bare}\n```', only(bare))
    assert isinstance(found, Unusable)
    assert found.repeats


def test_another_cells_text_in_front_of_the_answer_does_not_run_once_more():
    earlier = CellSource(CellRef("a", 3), "import pandas as pd\ndf = pd.read_csv('sales.csv')")
    old, new = "by = df.groupby('regoin').sum()\nby.plot()", "by = df.groupby('region').sum()\nby.plot()"
    reply = f"misspelt.\n```python\n{earlier.source}\n\n{new}\n```"
    assert extract(reply, only(old), shown=[earlier]) == Answer((earlier.source, new), "misspelt.")
