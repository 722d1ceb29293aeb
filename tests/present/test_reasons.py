"""Every error is explained in words of its own."""

from __future__ import annotations

import builtins
import re
import warnings
from typing import get_args, get_type_hints

import pytest

from reflex_ipython.models import CellRef, ExceptionInfo, Failure, Frame, Lookup, Situation, SyntaxProblem, ValueSummary
from reflex_ipython.present.reasons import reason, why_and_next
from reflex_ipython.present.reasons.classes import CLASSES
from reflex_ipython.present.reasons.messages import MESSAGES
from reflex_ipython.present.reasons.syntax import SYNTAX

CELL = CellRef("c", 3)


def failure(error: str, source: str = "x", lookup: Lookup | None = None, **values: tuple[str, str]) -> Failure:
    ename, _, evalue = error.partition(": ")
    variables = tuple(
        ValueSummary(name, kind, text, "array" if "ndarray" in kind else "object")
        for name, (kind, text) in values.items()
    )
    frame = Frame("<cell>", "<module>", 1, source, cell=CELL, variables=variables)
    return Failure("f", "", Situation(CELL, source), "run", (ExceptionInfo(ename, evalue, frames=(frame,)),), 1, lookup)


def broken(source: str) -> tuple[str, Failure]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<cell>", "exec")
            pytest.skip("this version of Python reads it")
        except SyntaxError as raised:
            message, error = str(raised.msg), ExceptionInfo(type(raised).__name__, str(raised.msg))
            problem = SyntaxProblem(message, raised.lineno, raised.offset)
    return message, Failure("f", "", Situation(CELL, source), "syntax", (error,), syntax=problem)


@pytest.mark.parametrize("pattern", [*MESSAGES, *SYNTAX], ids=lambda pattern: pattern.message[:40])
def test_every_sentence_has_the_groups_that_it_names(pattern) -> None:
    named = {int(number) for number in re.findall(r"(?<!\{)\{(\d+)\}", pattern.words + pattern.step)}
    assert max(named, default=-1) < re.compile(pattern.message).groups
    assert all(ename in CLASSES for ename in pattern.enames.split())


def every_class() -> list[str]:
    kinds = [one for one in vars(builtins).values() if isinstance(one, type) and issubclass(one, BaseException)]
    return sorted({kind.__name__ for kind in kinds})


@pytest.mark.parametrize("ename", every_class())
def test_every_class_of_python_is_explained(ename: str) -> None:
    found = reason(failure(f"{ename}: nobody has ever said this"))
    assert found.specific
    assert len(found.text) > 20


@pytest.mark.parametrize(
    ("said", "lookup", "words"),
    [
        ("5", Lookup("key", "5", "df", "pandas.DataFrame", others=("10", "20")), "`df` has no key 5. It has: 10, 20."),
        ("'1'", Lookup("key", "1", "d", "dict", others=("1",)), "`d` has no key '1'. It has: 1."),
        ("'a'", Lookup("key", "a", "d", "dict"), "`d` has no key 'a': it is empty."),
        ("'a'", Lookup("key", "a", "box", "shop.Box"), "`box` has no key 'a'."),
    ],
)
def test_a_key_that_is_not_there_is_told_with_those_that_are(said: str, lookup: Lookup, words: str) -> None:
    assert reason(failure(f"KeyError: {said}", lookup=lookup)).text.startswith(words)


def test_what_is_scored_without_a_score_is_not_taken_for_a_value_of_a_wrong_type() -> None:
    said = "TypeError: If no scoring is specified, the estimator passed should have a 'score' method. The estimator"
    assert "no method `score`" in reason(failure(said)).text


def test_the_facts_of_an_array_are_told_whole_or_not_at_all() -> None:
    facts = "array, shape (113, 4); dtype float64; from 0.1 to 7.9; first values 4.6, 3.1, 1.5, 0.2"
    text = reason(failure("ValueError: no", "x @ y", x=("numpy.ndarray", facts))).text
    assert text.endswith("`x` is an `ndarray`: array, shape (113, 4); dtype float64; from 0.1 to 7.9.")
    text = reason(failure("ValueError: no", "f(x)", x=("builtins.str", f"'{'a; ' * 40}'"))).text
    assert text.endswith("a; a…")


SNIPPETS = r"""
(1
[1, 2
{1: 2
)
]
(]
'abc
"abc
'''abc
x = 'it's
x = 1 \ 2
x = 5<nbsp>+ 1
x = “a”
x = 1 – 2
2x = 3
0b12
0o89
0xZZ
007
'C:\Users'
'\N{no such name}'
b'é'
'a' b'b'
f'{}'
f'{a'
f'}'
f'{a!x}'
f'{a b}'
if x
    pass
for x range(3): pass
if x = 1: pass
while x = 1: pass
print 'a'
print x
exec 'a'
x = [1 2]
x = (a b)
f(a b)
x = "a" b
from a import b,
import
from a import
def f: pass
def f(: pass
if x:\npass
def f():\nreturn 1
for x in y:\npass
class A:\npass
while 1:\npass
try:\npass
with a:\npass
else:
x = 1\n  y = 2
if x:\n    a\n  b
if x:\n\ta\n        b
try:\n    pass\nx = 1
try:\n    pass\nexcept:\n    pass\nexcept A:\n    pass
try:\n    pass\nexcept A, B:\n    pass
break
continue
return 1
def f():\n    break
yield 1
await x
def f():\n    await x
def f():\n    async with a: pass
[await x for x in y]
f() = 1
f() == 1 = 2
None = 1
True = 1
1 = x
'a' = x
f'{a}' = 1
x + 1 = 2
a-b = 1
x == 1 = 2
lambda: 1 = 2
(a if b else c) = 1
a and b = 1
[x for x in y] = 1
{1: 2} = 1
{1, 2} = 1
... = 1
del f()
del 1
del a + b
f() += 1
(a, b) += 1
1 += 1
(a, b): int = 1
[a]: int
*a = 1
*a
a, *b, *c = d
print(*a for a in b)
x = *a
(x := 1) = 2
x := 1
a.b := 1
f(a=1, b)
f(**a, b)
f(**a, *b)
f(a=1, a=2)
f(a+1=2)
f(1=2)
f('a'=2)
f(True=1)
def f(a=1, b): pass
def f(a, a): pass
def f(*): pass
def f(**a, b): pass
def f(*a, *b): pass
def f(/, a): pass
def f(a, /, b, /): pass
def f((a, b)): pass
lambda (a, b): 1
def f(a, *, **b): pass
f(x for x in y, 1)
[a, b for a, b in c]
{**a for a in b}
{*a: 1}
{1: *a}
{1:}
{1: 2, 3}
@a\nx = 1
class A(x for x in y): pass
def f():\n    x = 1\n    global x
def f():\n    print(x)\n    global x
def f(x):\n    global x
def f(x):\n    nonlocal x
def f():\n    nonlocal y
nonlocal x
def f():\n    nonlocal x\n    global x
def f():\n    from a import *
x = 1\nfrom __future__ import annotations
from __future__ import braces
from __future__ import nothing
import a.b as c.d
a = b =
x = [1,, 2]
x = a ? b : c
x++
x === 1
x && y
!x
x <> 1
else if x:
elif x:
if x:\n    pass\nelse:\n    pass\nelif y:\n    pass
import pandas pd
def
class
for
x = yield = 1
assert (x, 'a') = 1
raise A, 'b'
except A:
with a as f(): pass
for f() in x: pass
for 1 in x: pass
for x in range(3) print(x)
class A\n    pass
def f()\n    pass
match x:\n    case a, a: pass
match x:\n    case a | b: pass
match x:\n    case {**a, 'b': 1}: pass
match x:\n    case A(a=1, b): pass
match x:\ncase 1: pass
lambda x=1, y: 1
async def f():\n    yield 1\n    return 2
async def f():\n    yield from x
def f():\n    [x async for x in y]
class A:\n    return 1
a b
a 1
f(a, b
x = {'a': 1 'b': 2}
x = [1, 2, 3)
1.2.3
1__0
x = 1_
5days
"a" + 'b
x = 'a' 'b
print(hello world)
print('a' x)
print "a" % b
if x == 1:
def f():
for i in range(3):
""".strip().splitlines()


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_every_message_of_the_compiler_is_explained(snippet: str) -> None:
    message, failed = broken(snippet.replace("\\n", "\n").replace("\\t", "\t").replace("<nbsp>", "\u00a0"))
    found = reason(failed)
    assert found.text != CLASSES[failed.error.ename], message
    assert SYNTAX[-1].words != found.text
    assert ("Python can't read on" in found.text) <= (message == "invalid syntax"), message


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("SELECT name FROM people WHERE age > 3", "SQL"),
        ("df %>% head()", "R's pipe"),
        ("x = a?.b", "no `?.`"),
        ("public int total = 3", "Java"),
        ("<p>Hello</p>", "HTML"),
        ("x = 3 y z w", "at `y` in line 1"),
    ],
)
def test_a_line_of_another_language_is_called_so(line: str, words: str) -> None:
    assert words in reason(broken(line)[1]).text


def test_the_values_in_play_are_told() -> None:
    failed = failure(
        "TypeError: unsupported operand type(s) for -: 'str' and 'int'",
        "total - 1",
        total=("str", "'12'"),
        n=("int", "3"),
    )
    assert reason(failed).text == (
        "`-` can't work with a `str` on the left and an `int` on the right. Here `total` is a `str`: '12'."
    )


@pytest.mark.parametrize(
    ("message", "missing"), [("__enter__", "`__enter__`"), ("__exit__", "`__exit__`"), ("__aenter__", "`__aenter__`")]
)
def test_what_cant_be_entered_has_words_where_python_names_the_method_alone(message: str, missing: str) -> None:
    assert missing in reason(failure(f"AttributeError: {message}", "with lock:\n    pass")).text


def test_what_is_near_is_named_first() -> None:
    columns = ("order_id", "customer", "unit_price", "quantity")
    lookup = Lookup("column", "unit_prize", "orders", "pandas.DataFrame", columns)
    assert reason(failure("KeyError: 'unit_prize'", lookup=lookup)).text == (
        "`orders` has no column 'unit_prize'. Columns: `unit_price`, order_id, customer, quantity."
    )


def test_every_kind_of_look_up_has_words() -> None:
    for kind in get_args(get_type_hints(Lookup)["kind"]):
        lookup = Lookup(kind, "wanted", "owner", "builtins.Owner", ("wanted_too", "other"))
        assert "wanted" in reason(failure("LookupError: x", lookup=lookup)).text


def test_a_module_is_told_with_the_distribution_that_it_comes_in() -> None:
    lookup = Lookup("module", "sklearn.svm")
    words = why_and_next(failure("ModuleNotFoundError: No module named 'sklearn'", lookup=lookup))
    assert "`%pip install scikit-learn`" in words


def test_of_a_module_that_nobody_knows_no_distribution_is_told_to_have_it() -> None:
    lookup = Lookup("module", "sklern_nope")
    words = why_and_next(failure("ModuleNotFoundError: No module named 'sklern_nope'", lookup=lookup))
    assert "comes with" not in words
    assert "Next: correct the name; or, if it is published as `sklern-nope`: `%pip install sklern-nope`" in words


def test_an_exception_of_ones_own_is_told_with_its_place() -> None:
    found = reason(failure("Overdrawn: 3"))
    assert found.text.startswith("`Overdrawn` was raised by line 1 of this cell, in your own code.")


@pytest.mark.parametrize("text", ["a{0}b", "{x!r}", "}{", "%s"])
def test_braces_in_a_message_are_text(text: str) -> None:
    assert text in reason(failure(f"FileNotFoundError: [Errno 2] No such file or directory: '{text}'")).text


@pytest.mark.parametrize(
    ("lookup", "version", "instead"),
    [
        (Lookup("import", "load_boston", "sklearn.datasets", "module"), "scikit-learn 1.2", "load_diabetes"),
        (Lookup("import", "imresize", "scipy.misc", "module"), "SciPy 1.3", "resize"),
        (Lookup("module", "sklearn.grid_search", "sklearn"), "scikit-learn 0.20", "sklearn.model_selection"),
        (Lookup("module", "sklearn.externals.joblib", "sklearn.externals"), "scikit-learn 0.23", "import joblib"),
        (Lookup("module", "distutils.util"), "Python 3.12", "setuptools"),
        (Lookup("attribute", "clock", "time", "module"), "Python 3.8", "perf_counter"),
    ],
)
def test_what_was_removed_is_told_with_the_version_and_what_to_take(lookup: Lookup, version: str, instead: str) -> None:
    found = reason(failure("ImportError: no", lookup=lookup))
    text, step = found.text, found.step
    assert version in text
    assert instead in step


def test_what_was_not_removed_is_not_said_to_be() -> None:
    lookup = Lookup("import", "load_irs", "sklearn.datasets", "module")
    assert "removed" not in reason(failure("ImportError: no", lookup=lookup)).text


def test_a_module_of_ones_own_is_not_to_be_installed() -> None:
    lookup = Lookup("module", "cleaning", available=("numpy",), holders={"../src/cleaning.py": "file"})
    found = reason(failure("ModuleNotFoundError: No module named 'cleaning'", lookup=lookup))
    assert "../src/cleaning.py" in found.text
    assert "sys.path.append" in found.step
    assert "install" not in found.step


def test_an_unknown_magic_is_told_with_those_that_are_like_it() -> None:
    lookup = Lookup("magic", "%tiemit", available=("%time", "%timeit", "%%timeit", "%lf"))
    assert "`%timeit`" in reason(failure("UsageError: Line magic function `%tiemit` not found.", lookup=lookup)).text
    lookup = Lookup("magic", "%foobar", available=("%time", "%lf"))
    found = reason(failure("UsageError: Line magic function `%foobar` not found.", lookup=lookup))
    assert "%lf" not in found.text
    assert "%lsmagic" in found.step


def test_no_distribution_is_guessed_where_a_module_of_ones_own_has_a_name_like_it() -> None:
    lookup = Lookup("module", "mlhelpers", available=("xml",), holders={"mlhelp": "alike"})
    words = why_and_next(failure("ModuleNotFoundError: No module named 'mlhelpers'", lookup=lookup))
    assert words == "Python finds no module `mlhelpers`; `mlhelp` is there, of your own. Next: correct the name."


def test_no_distribution_is_guessed_where_a_file_of_ones_own_has_what_was_to_be_imported() -> None:
    lookup = Lookup("module", "mlhelpers", holders={"lib/tools.py": "defines"})
    words = why_and_next(failure("ModuleNotFoundError: No module named 'mlhelpers'", lookup=lookup))
    assert "lib/tools.py has the name that you import" in words
    assert "%pip" not in words


def test_a_much_shorter_module_is_not_called_similar() -> None:
    lookup = Lookup("module", "mlhelpers", available=("xml",))
    assert "similar" not in why_and_next(failure("ModuleNotFoundError: No module named 'mlhelpers'", lookup=lookup))


@pytest.mark.parametrize(
    ("source", "owner", "looked"),
    [
        ("m = re.match(p, s); m.group(1)", "m", "re.match"),
        ("if (m := DIGITS.search(s)) or m.group(1): pass", "m", "DIGITS.search"),
        ("page.find('a').text", "page.find('a')", "page.find"),
        ("m = read(re.match(p, s)); m.group(1)", "m", ""),
        ("m = found(); m.group(1)", "m", ""),
    ],
)
def test_a_search_that_found_nothing_is_named(source: str, owner: str, looked: str) -> None:
    lookup = Lookup("attribute", "group", owner, "NoneType")
    words = reason(failure("AttributeError: 'NoneType' object has no attribute 'group'", source, lookup)).text
    assert (f"`{looked}` found nothing" in words) is bool(looked)
    assert ("without `return`" in words) is not bool(looked)
