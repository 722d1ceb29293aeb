"""Cells that do not parse."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import broken, fixed, fixes

COLON = [
    ("for i in range(3)\n    print(i)", "for i in range(3):\n    print(i)"),
    ("if x == 3  # three\n    y\nelse\n    z", "if x == 3:  # three\n    y\nelse:\n    z"),
    ("if x == 3 print(x)", "if x == 3: print(x)"),
    ("class A\n    pass", "class A:\n    pass"),
    ("def f:\n    pass", "def f():\n    pass"),
    ("if x;\n    y", "if x:\n    y"),
]
BRACKETS = [
    ("print(foo(x)", "print(foo(x))"),
    ("print(len(x", "print(len(x))"),
    ("a.mean(axis=1\na.sum()\n", "a.mean(axis=1)\na.sum()\n"),
    ("x = [1,\n 2,\n 3\ny = 5", "x = [1,\n 2,\n 3]\ny = 5"),
    ("d = {'a': 1, 'b': 2  # two\nprint(d)", "d = {'a': 1, 'b': 2}  # two\nprint(d)"),
    ("plt.plot(x, y * 2\nplt.show()", "plt.plot(x, y * 2)\nplt.show()"),
    ("print('a' + str(n)", "print('a' + str(n))"),
    ("for i in range(len(x):\n    pass", "for i in range(len(x)):\n    pass"),
    ("plt.show(", "plt.show()"),
    ("foo(a[0)", "foo(a[0])"),
    ("x = [1, 2)", "x = [1, 2]"),
    ("print(int(x)))", "print(int(x))"),
    ("len x)", "len(x)"),
]
QUOTES = [
    ('print("hello)', 'print("hello")'),
    ("print('hello", "print('hello')"),
    ("df['col].sum() == 5", "df['col'].sum() == 5"),
    ("print(\"hello')", 'print("hello")'),
    ("print('I don't know')", "print('I don\\'t know')"),
    ("x = 'I'm sure it's fine'", "x = 'I\\'m sure it\\'s fine'"),
]
OPERATORS = [
    ("print(a =! b)", "print(a != b)"),
    ("if a => 3:\n    b", "if a >= 3:\n    b"),
    ("df[df.a =< 3]", "df[df.a <= 3]"),
    ("if a <> b:\n    c", "if a != b:\n    c"),
    ("if a && !b || c:\n    d", "if a and not b or c:\n    d"),
    ("if a === b:\n    c", "if a == b:\n    c"),
    ("i++", "i += 1"),
    ("if x = 3 and y = 4:\n    z", "if x == 3 and y == 4:\n    z"),
    ("[x for x in y if x = 3]", "[x for x in y if x == 3]"),
    ("df[df.a = 3]", "df[df.a == 3]"),
]
KEYWORDS = [
    ("improt numpy as np", "import numpy as np"),
    ("Whlie True:\n    x", "while True:\n    x"),
    ("If x:\n    y", "if x:\n    y"),
    ("if a AND b:\n    c", "if a and b:\n    c"),
    ("if x:\n    y\nelse if z:\n    y", "if x:\n    y\nelif z:\n    y"),
    ("if x:\n    y\nesle:\n    z", "if x:\n    y\nelse:\n    z"),
    ("import sqrt from math", "from math import sqrt"),
]
PYTHON_2 = [
    ("print 'a' % x, y  # c", "print('a' % x, y)  # c"),
    ("for i in x:\n    print i; j = 1", "for i in x:\n    print(i); j = 1"),
    ("print x,\nprint", 'print(x, end=" ")\nprint'),
    ("exec 'x = 1'", "exec('x = 1')"),
    ("try:\n    x\nexcept ValueError, e:\n    y", "try:\n    x\nexcept ValueError as e:\n    y"),
    ("raise ValueError, 'no'", "raise ValueError('no')"),
]
COMMAS = [
    ("x = [1, 2 3]", "x = [1, 2, 3]"),
    ("f(x, a=1 b=2)", "f(x, a=1, b=2)"),
    ("{'a': 1 'b': 2}", "{'a': 1, 'b': 2}"),
    ("Model(*, size=3)", "Model(size=3)"),
]
INDENTATION = [
    ("x = 1\n    y = 2", "x = 1\ny = 2"),
    ("if x:\n    a\n   b\nc", "if x:\n    a\n    b\nc"),
    ("for i in x:\nprint(i)", "for i in x:\n    print(i)"),
    ("for i in x:\nprint(i,\n      j)\n\nprint(2)", "for i in x:\n    print(i,\n          j)\n\nprint(2)"),
    ("if x:\n    a\n\tb\n", "if x:\n    a\n    b\n"),
]
CHARACTERS = [
    ("print(“hello”)", 'print("hello")'),
    ("x = ‘a’", "x = 'a'"),
    ("x = “it's”", 'x = "it\'s"'),
    ("x = 3\u00a0− 2", "x = 3 - 2"),
    ("x = 'a\u00a0–'\u00a0+ “–”  # –", "x = 'a\u00a0–' + \"–\"  # –"),
    (">>> x = 3\n>>> x\n3", "x = 3\nx\n# 3"),
    (">>> x = '3'\n>>> x\n'\\d'", "x = '3'\nx\n# '\\d'"),  # of which Python warns: nobody asked
    ("```python\nx = 3\n```", "x = 3\n"),
]
ZEROS = [
    ("date(2024, 03, 09)", "date(2024, 3, 9)"),
    ("os.chmod(path, 0644)", "os.chmod(path, 0o644)"),
]
TOGETHER = [
    ("if x == 3\n    print 'a'\nelse\n    print('b'", "if x == 3:\n    print('a')\nelse:\n    print('b')"),
    ("if x = 3\n    y", "if x == 3:\n    y"),
]


@pytest.mark.parametrize(
    ("source", "expected"),
    COLON + BRACKETS + QUOTES + OPERATORS + KEYWORDS + PYTHON_2 + COMMAS + INDENTATION + CHARACTERS + ZEROS + TOGETHER,
)
def test_one_certain_edit_makes_the_cell_parse_and_nothing_else_changes(source: str, expected: str) -> None:
    assert fixed(broken(source)) == expected


@pytest.mark.parametrize(
    "source",
    [
        # Where the bracket should be closed is not certain.
        "if len(x > 3:\n    y",
        "int(input('x') + 1",
        "x = (a + b * c",
        "np.sqrt(np.sum(x**2) / n",
        "foo(a, bar(b, c",
        "foo(a[0 + b)",
        "x = ('a'\n'b'\n",
        "int(len(data * ratio)",
        "np.round(np.random.randn(4, 6, 1)",
        "np.sign(data.head()",
        "df.groupby('key'.mean()",
        "df['food'.str.lower()",
        "pair = (4, 5, 6, (7, 8)",
        "f( + 4",
        "foo(a[0, b)",
        "df.iloc[2:, 1 = x",
        # A bracket too many, or one that was never opened.
        "np.ones(3, 3))",
        "pd.Series(2, 4, 6])",
        "data.fillna(data.mean))",
        "(lendata))\nx = data",
        "isinstancea, (int, float))",
        "x = a + b) * c",
        "y = 2 * a + foo(b))",
        # What is text and what is code.
        'print("Total: + str(x))',
        'print("a, b)',
        'x = "hello # or not',
        'x = """abc',
        "{'New York: 19651127,\n 'x': 3}",
        "'guido in val",
        'printf"{x}")',
        # To assign may be meant; `&` may be meant; another language's arrow.
        "while line = f.readline():\n    x",
        "foo(a.b = 3)",
        "mask = a && b",
        "x => 3",
        # A comma, an operator, or a space too many.
        "print(df.isn ull())",
        "print(2 x)",
        "print('a' + x 'b')",
        "x = [a b]",
        # Which lines belong to the block.
        "for i in x:\nprint(i)\nprint(2)",
        "for i in x:\n    a\n  b",
        "def f():\n    return 1\n   x = 2",
        "for i in x:\n    # nothing yet",
        "    class A:\n    x = 1",
        "if x:\n    y = 1\nz = 2\n    w = 3",
        # Octal, or decimal.
        "x = 0755",
        "print(z[02])",
        # Unfinished, or no Python at all.
        "height = ",
        "plt.",
        "x = 5 if y",
        "return 5",
        "x = [1,,2]",
        "2 x 1 = 2",
        "df.loc[(:, 1), (:, 'a')]",
        "https://example.org/a.csv",
        "this is not python",
        "SELECT * FROM x",
        "%%bash\nfor x",
    ],
)
def test_nothing_is_sure_where_two_edits_would_do_or_none(source: str) -> None:
    assert all(fix.prior < 1 for fix in fixes(broken(source)))


@pytest.mark.parametrize(
    "source", ["plt.", "this is not python", "SELECT * FROM x", "%%bash\nfor x", "df.loc[(:, 1), (:, 'a')]"]
)
def test_nothing_is_proposed_where_nothing_can_be_meant(source: str) -> None:
    assert fixed(broken(source)) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("%matplotlib inline\nprint 'x'\n!ls \\\n  -l\ndf?", "%matplotlib inline\nprint('x')\n!ls \\\n  -l\ndf?"),
        ("%%time\nfor i in x\n    y", "%%time\nfor i in x:\n    y"),
        ("files = !ls\nprint 'a'", "files = !ls\nprint('a')"),
        ("(a, b) = !ls\nprint 'a'", "(a, b) = !ls\nprint('a')"),
        ("x: list = !ls\nprint 'a'", "x: list = !ls\nprint('a')"),
        ("x = (a\n% b)\nawait f(x", "x = (a\n% b)\nawait f(x)"),
        ("  x = 1\n  print 'a'", "  x = 1\n  print('a')"),
        ("x = 1\r\nprint 'é'\r\ny = 2\r\n", "x = 1\r\nprint('é')\r\ny = 2\r\n"),
        ("x = '''\n  ‘ print y\n'''\nprint x", "x = '''\n  ‘ print y\n'''\nprint(x)"),
    ],
)
def test_magics_line_ends_and_strings_stay_as_they_are(source: str, expected: str) -> None:
    assert fixed(broken(source)) == expected


def test_quotes_inside_an_f_string_are_exchanged_where_python_needs_it() -> None:
    source = "print(f'{d['a']} and {d['b']}')"
    try:
        compile(source, "<cell>", "exec")
    except SyntaxError:
        assert fixed(broken(source)) == 'print(f\'{d["a"]} and {d["b"]}\')'
    else:
        assert fixed(broken(source)) is None


def test_the_explanation_tells_every_step_once() -> None:
    [fix] = fixes(broken("if x\n    y\nif z\n    y"))
    assert fix.explanation == "`if` needs a colon before its block."
    assert fix.origin == "rule: missing colon"


def test_a_cell_that_parses_is_left_alone_whatever_was_said_of_it() -> None:
    assert fixed(broken("x = 1")) is None
