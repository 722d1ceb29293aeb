"""Values that a format does not take."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ('price="3.5"', 'print(f"{price:.2f}")', 'print(f"{float(price):.2f}")'),
        ('name="ann"', 'print(f"total {name:.2f} ok")', 'print(f"total {name} ok")'),
        ("x=None", 'print(f"{x:>10}")', 'print(f"{x!s:>10}")'),
        ("x=[1]", 'print(f"{x:>10}")', 'print(f"{x!s:>10}")'),
        ('r="0.25"', 'print(f"{r:.1%}")', 'print(f"{float(r):.1%}")'),
        ('n="1000"', 'print(f"{n:,}")', 'print(f"{int(n):,}")'),
        ('n="42"', 'print(f"{n:05d}")', 'print(f"{int(n):05d}")'),
        ("n=10.0", 'print(f"{n:x}")', 'print(f"{int(n):x}")'),
        ('x="1.5"', 'print("{:.2f}".format(x))', 'print("{:.2f}".format(float(x)))'),
        ('x="1.5"', 'print(format(x, ".2f"))', 'print(format(float(x), ".2f"))'),
        ('name="a"\nage=3', 'print("%s is %d" % name, age)', 'print("%s is %d" % (name, age))'),
        ('n="5"', 'print("%d items" % n)', 'print("%d items" % int(n))'),
        ('n="five"', 'print("%d items" % n)', 'print("%s items" % n)'),
        ('n="5"', "print(n % 2)", "print(int(n) % 2)"),
        ('num="4"', 'if num % 2 == 0:\n    print("even")', 'if int(num) % 2 == 0:\n    print("even")'),
        ("n=5", 'print("{} x" % n)', 'print("{} x".format(n))'),
        ('n="5"', 'print("%.2f" % n)', 'print("%.2f" % float(n))'),
        ("n=5", 'print("%d% done" % n)', 'print("%d%% done" % n)'),
        ('a="x"\nb="y"', 'print("Name: %s" % (a, b))', 'print("Name: %s %s" % (a, b))'),
        ('parts=["a","b"]', 'print("%s-%s" % parts)', 'print("%s-%s" % tuple(parts))'),
        ("pair=(1,2)", 'print("{} {}".format(pair))', 'print("{} {}".format(*pair))'),
        ('n="x"', 'print("{name}".format(n))', 'print("{name}".format(name=n))'),
        ("", 'print("{1} {2}".format("a","b"))', 'print("{0} {1}".format("a","b"))'),
        ('d={"a":1,"b":2}', 'print("{a} {b}".format(d))', 'print("{a} {b}".format(**d))'),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        ("x=3.7", 'print(f"{x:d}")', 'print(f"{x:.0f}")'),
        ("x=[1.0,2.0]", 'print(f"{x:.2f}")', "print(f\"{[f'{value:.2f}' for value in x]}\")"),
        ("", 'print("{} {} {}".format(1, 2))', 'print("{} {}".format(1, 2))'),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None
