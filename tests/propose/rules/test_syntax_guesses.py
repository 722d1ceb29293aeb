"""Cells that do not parse, and what may be meant by them."""

from __future__ import annotations

import dataclasses
import sys

import pytest
from hypothesis import given, settings

from reflex_ipython.models import CellRef, Situation
from reflex_ipython.propose.rules.cell import read
from reflex_ipython.propose.rules.syntax.broken import Broken
from reflex_ipython.propose.rules.syntax.search import GUESSES
from reflex_ipython.propose.rules.syntax.window import window
from tests.propose.rules.build import best, broken, fixed, fixes
from tests.propose.rules.test_properties import CELLS

OTHER_LANGUAGES = [
    ("let x = 1;", "x = 1;"),
    ("var total = 0\nconst rate = 3", "total = 0\nrate = 3"),
    ("int x = 5;\nprint(x)", "x = 5;\nprint(x)"),
    ("const f = (a, b) => a + b", "f = lambda a, b: a + b"),
    ("x := 5", "x = 5"),
    ("5 -> x", "x = 5"),
    ("set x to 5", "x = 5"),
    ("s = new Model(3)", "s = Model(3)"),
    ("function f(x):\n    return x", "def f(x):\n    return x"),
    ("func add(a, b):\n    return a + b", "def add(a, b):\n    return a + b"),
    ("def f(int x, float y):\n    return x", "def f(x: int, y: float):\n    return x"),
    ("function f(x) {\n  return x * 2;\n}", "def f(x):\n  return x * 2"),
    ("def f(x) {\n    return x\n}\nprint(f(3))", "def f(x):\n    return x\nprint(f(3))"),
    (
        "if (x > 3) {\nprint(x);\n} else if (x == 2) {\nx++;\n} else {\nx = 0;\n}",
        "if x > 3:\n    print(x)\nelif x == 2:\n    x += 1\nelse:\n    x = 0",
    ),
    ("for (int i = 0; i < 10; i++) {\n    print(i);\n}", "for i in range(10):\n    print(i)"),
    ("try {\n  f();\n} catch (Exception e) {\n  print(e);\n}", "try:\n  f()\nexcept Exception as e:\n  print(e)"),
    (
        "switch (x) {\n  case 1:\n    y = 2;\n    break;\n  default:\n    y = 3;\n}",
        "match x:\n  case 1:\n    y = 2\n  case _:\n    y = 3",
    ),
    ("while (x < 5) {\n  x += 1;\n}", "while x < 5:\n  x += 1"),
    ("x = a > b ? a : b", "x = a if a > b else b"),
    ("print(n > 1 ? 'many' : 'one')", "print('many' if n > 1 else 'one')"),
    ("y = list(map(x => x + 1, xs))", "y = list(map(lambda x: x + 1, xs))"),
    ("// load the data\nx = 1", "# load the data\nx = 1"),
    ("/* the first\n   step */\nx = 1", "# the first\n# step\nx = 1"),
    ("x = 5 // the number of rows", "x = 5  # the number of rows"),
    ("x = 1\ni++;", "x = 1\ni += 1;"),
    ("for i in x: n++", "for i in x: n += 1"),
    ("foreach item in items:\n    print(item)", "for item in items:\n    print(item)"),
    ("for each item in items:\n    print(item)", "for item in items:\n    print(item)"),
    ("for (item of items):\n    print(item)", "for item in items:\n    print(item)"),
    ("for i = 0; i < n; i++:\n    print(i)", "for i in range(n):\n    print(i)"),
    ("for i = 1 to 10:\n    print(i)", "for i in range(1, 11):\n    print(i)"),
    ("for i = range(3):\n    print(i)", "for i in range(3):\n    print(i)"),
    ("if x > 3 then:\n    y = 1", "if x > 3:\n    y = 1"),
    ("if x > 3 then\n    y = 1", "if x > 3:\n    y = 1"),
    ("while x do\n    y = 1", "while x:\n    y = 1"),
    ("if x > 3\n    y = 1\nend", "if x > 3:\n    y = 1"),
    ("unless x:\n    y = 1", "if not x:\n    y = 1"),
    ("try:\n    f()\ncatch ValueError as e:\n    y = 1", "try:\n    f()\nexcept ValueError as e:\n    y = 1"),
    ("x = `y`", "x = repr(y)"),
    ("s = ur'a\\d'", "s = r'a\\d'"),
    ("n = 10L", "n = 10"),
    ("def f(a, (b, c)):\n    return b", "def f(a, b_c):\n    b, c = b_c\n    return b"),
    ("f = lambda (k, v): v", "f = lambda pair: pair[1]"),
    ("exec code in ns", "exec(code, ns)"),
    ("var x = 5; let y = 6;", "x = 5; y = 6;"),
    ("foreach ($items as $item) {\n  echo $item;\n}", "for item in items:\n  print(item)"),
    ("for (word in words) {\n  f(word)\n}", "for word in words:\n  f(word)"),
    ('x = name ?? "none"', 'x = name if name is not None else "none"'),
    (
        "def f(k):\n    switch k:\n        case 1:\n            return 2",
        "def f(k):\n    match k:\n        case 1:\n            return 2",
    ),
    ("def f(from, to):\n    return f'{from} {to}'", "def f(from_, to):\n    return f'{from_} {to}'"),
    ("from a import b as c, d as", "from a import b as c, d"),
    ("import numpy as np, pandas as", "import numpy as np, pandas as pd"),
    ("x =+= 1", "x += 1"),
    ("x += = 1", "x += 1"),
]
OPERATORS = [
    ("x not is None and y", "x is not None and y"),
    ("if x not is None:\n    y = 1", "if x is not None:\n    y = 1"),
    ("if x in not y:\n    z = 1", "if x not in y:\n    z = 1"),
    ("if x is in y:\n    z = 1", "if x in y:\n    z = 1"),
    ("if x is not in y:\n    z = 1", "if x not in y:\n    z = 1"),
    ("if x is equal to 3:\n    z = 1", "if x == 3:\n    z = 1"),
    ("if s contains 'a':\n    z = 1", "if 'a' in s:\n    z = 1"),
    ("if x > 5 and < 10:\n    z = 1", "if x > 5 and x < 10:\n    z = 1"),
    ("if x.a == 1 or == 2:\n    z = 1", "if x.a == 1 or x.a == 2:\n    z = 1"),
    ("df[df.a > 3 && df.b < 5]", "df[(df.a > 3) & (df.b < 5)]"),
    ("f(!done)", "f(not done)"),
    ("df[!df.a.isna()]", "df[~df.a.isna()]"),
    ("if a > = 3:\n    b = 1", "if a >= 3:\n    b = 1"),
    ("x + = 1", "x += 1"),
    ("if a ! = b:\n    c = 1", "if a != b:\n    c = 1"),
    ("while line = f.readline():\n    print(line)", "while line := f.readline():\n    print(line)"),
    ("d = {'a' = 1, 'b' = 2}", "d = {'a': 1, 'b': 2}"),
    ("d = {a = 1, b = 2}", 'd = {"a": 1, "b": 2}'),
    ("d = {'a' => 1, 'b' => 2}", "d = {'a': 1, 'b': 2}"),
    ("5 = x", "x = 5"),
    ("x + 1 = y", "y = x + 1"),
    ("f(x) = x**2", "def f(x): return x**2"),
    ("data(0) = 3", "data[0] = 3"),
    ("df('a') = 3", "df['a'] = 3"),
    ("del d('a')", "del d['a']"),
    ("max-iter = 5\nprint(max-iter)", "max_iter = 5\nprint(max_iter)"),
    ("my var = 5\nprint(my var)", "my_var = 5\nprint(my_var)"),
    ("2nd = 5\nprint(2nd)", "_2nd = 5\nprint(_2nd)"),
    ("$x = 5", "x = 5"),
    ("class = 3\nprint(class)", "class_ = 3\nprint(class_)"),
    ("lambda = 0.1\ny = lambda * 2", "lambda_ = 0.1\ny = lambda_ * 2"),
    ("df.class.unique()", "df['class'].unique()"),
    ("x = df.lambda", "x = df['lambda']"),
    ("f('a'=3)", "f(a=3)"),
    ("model(max-iter=5)", "model(max_iter=5)"),
    ("y = 2x + 1", "y = 2*x + 1"),
    ("import pandas pd", "import pandas as pd"),
    ("import pandas an pd", "import pandas as pd"),
    ("import numpy as", "import numpy as np"),
    ("from math sqrt", "from math import sqrt"),
    ("from math import sqrt,", "from math import sqrt"),
    ("import scikit-learn", "import sklearn"),
    ("import 'pandas'", "import pandas"),
    ("from os import path.join", "from os.path import join"),
    ("import os import sys", "import os\nimport sys"),
    ("x = 1 y = 2", "x = 1\ny = 2"),
    ("for x items:\n    print(x)", "for x in items:\n    print(x)"),
    ("for i range(3):\n    print(i)", "for i in range(3):\n    print(i)"),
    ("[x for x items]", "[x for x in items]"),
    ("for range(3):\n    print(1)", "for _ in range(3):\n    print(1)"),
    ("with open('a') f:\n    f.read()", "with open('a') as f:\n    f.read()"),
    ("with f = open('a'):\n    f.read()", "with open('a') as f:\n    f.read()"),
    ("try:\n    x\nexcept ValueError e:\n    y", "try:\n    x\nexcept ValueError as e:\n    y"),
    ("try:\n    x\nexcept ValueError, TypeError:\n    y", "try:\n    x\nexcept (ValueError, TypeError):\n    y"),
    ("f = lambda x: return x", "f = lambda x: x"),
    ("f = lambda x, return x", "f = lambda x: x"),
    ("f = lambda x x + 1", "f = lambda x: x + 1"),
    ("[x if x > 3 for x in y]", "[x for x in y if x > 3]"),
    ("[x for x in y if x > 3 else 0]", "[x if x > 3 else 0 for x in y]"),
    ("[a, b for a, b in z]", "[(a, b) for a, b in z]"),
    ("{k, v for k, v in z}", "{k: v for k, v in z}"),
    ("sum(x for x in y, 0)", "sum((x for x in y), 0)"),
    ("if x:\n    a = 1\nelse y > 3:\n    a = 2", "if x:\n    a = 1\nelif y > 3:\n    a = 2"),
    ("if x:\n    a = 1\nelif:\n    a = 2", "if x:\n    a = 1\nelse:\n    a = 2"),
    ("x = y[1..3]", "x = y[1:3]"),
    ("x = [1..3]", "x = list(range(1, 4))"),
    ("for i in 1..3:\n    print(i)", "for i in range(1, 4):\n    print(i)"),
    ("from pandas import as pd", "import pandas as pd"),
    ("a, b = 1 2", "a, b = 1, 2"),
    ("a b = 1, 2", "a, b = 1, 2"),
    ("assert x == 3 'message'", "assert x == 3, 'message'"),
    ("global x = 5", "x = 5"),
    ("y = x if x > 0, else 0", "y = x if x > 0 else 0"),
    ("if x > 5, y = 3", "if x > 5: y = 3"),
    ("x == 3:\n    print(x)", "if x == 3:\n    print(x)"),
    ("i in range(3):\n    print(i)", "for i in range(3):\n    print(i)"),
    ("area(r):\n    return r * r", "def area(r):\n    return r * r"),
]
BRACKETS = [
    ("if len(x > 3:\n    y = 1", "if len(x) > 3:\n    y = 1"),
    ("df['food'.str.lower()", "df['food'].str.lower()"),
    ("df.groupby('key'.mean()", "df.groupby('key').mean()"),
    ("int(input('x') + 1", "int(input('x')) + 1"),
    ("pd.Series(2, 4, 6])", "pd.Series([2, 4, 6])"),
    ("data.fillna(data.mean))", "data.fillna(data.mean())"),
    ("x = a + b) * c", "x = (a + b) * c"),
    ("a = 3\nisinstancea, (int, float))", "a = 3\nisinstance(a, (int, float))"),
    ("n = len data\nprint(n)", "n = len(data)\nprint(n)"),
    ("for i in range 10:\n    print(i)", "for i in range(10):\n    print(i)"),
    ("raise ValueError 'no'", "raise ValueError('no')"),
    ("plt.title 'x'", "plt.title('x')"),
    ("def f x, y:\n    return x", "def f(x, y):\n    return x"),
    ("class A(object\n    x = 1", "class A(object):\n    x = 1"),
    ("def f(x\n    return x", "def f(x):\n    return x"),
    ("def (x):\n    return x\nprint(double(3))", "def double(x):\n    return x\nprint(double(3))"),
    ("df['a', 'b']]", "df[['a', 'b']]"),
    ("x = (1, 2]", "x = (1, 2)"),
    ("def f(x, y:\n    return x + y\nprint(f(1, 2))", "def f(x, y):\n    return x + y\nprint(f(1, 2))"),
    ("result = foo(bar(1, 2), [3, 4)\nprint(result)", "result = foo(bar(1, 2), [3, 4])\nprint(result)"),
    ("df[['a', 'b'].mean()", "df[['a', 'b']].mean()"),
    ("x = np.array([1, 2], [3, 4]])", "x = np.array([[1, 2], [3, 4]])"),
    ("x = np.array([[1, 2], [3, 4])", "x = np.array([[1, 2], [3, 4]])"),
    ("df.loc[df.a > 3, 'b' = 5", "df.loc[df.a > 3, 'b'] = 5"),
    ("d = {'a': [1, 2, 'b': 3}", "d = {'a': [1, 2], 'b': 3}"),
    ("y = sorted(xs, key=lambda x: x[1]", "y = sorted(xs, key=lambda x: x[1])"),
]
SEPARATORS = [
    ("df.sum(axis 1)", "df.sum(axis=1)"),
    ("print('a', end '')", "print('a', end='')"),
    ("{'a' 1, 'b': 2}", "{'a': 1, 'b': 2}"),
    ("x = [1; 2; 3]", "x = [1, 2, 3]"),
    ("x = [1,,2]", "x = [1,2]"),
    ("print('a' + x 'b')", "print('a' + x + 'b')"),
    ("a = b = 1\nx = [a b]", "a = b = 1\nx = [a, b]"),
    ("a = b = 1\nf(a b)", "a = b = 1\nf(a, b)"),
    ("{'a': 1; 'b': 2}", "{'a': 1, 'b': 2}"),
    ("if x::\n    y = 1", "if x:\n    y = 1"),
    ("x = df..shape", "x = df.shape"),
    ("range(1:10)", "range(1, 10)"),
    ("assert x,", "assert x"),
    ("d = {'a': 1 'b': 2, 'c' 3}", "d = {'a': 1, 'b': 2, 'c': 3}"),
    ("rate 0.5\nprint(rate)", "rate = 0.5\nprint(rate)"),
    ("{'a': 1, 'b' 'c'}", "{'a': 1, 'b': 'c'}"),
    ("x = {a: 1, b = 2}", "x = {a: 1, b: 2}"),
    ('t = "n: " str(n) " kg"', 't = "n: " + str(n) + " kg"'),
    ("x = [\n  (1, 2)\n  (3, 4),\n  7 8]", "x = [\n  (1, 2),\n  (3, 4),\n  7, 8]"),
    ('df[df.a > 3 & (df.b == "x"]', 'df[(df.a > 3) & (df.b == "x")]'),
    ("df[df.a > 2 & df.b < 8", "df[(df.a > 2) & (df.b < 8)]"),
]
TEXTS = [
    ('x = "C:\\Users\\me\\a.csv"', 'x = r"C:\\Users\\me\\a.csv"'),
    ("pd.read_csv('C:\\Users\\x.csv')", "pd.read_csv(r'C:\\Users\\x.csv')"),
    ('print("Total: + str(x))', 'print("Total:" + str(x))'),
    ('x = "He said "hi" to me"', "x = 'He said \"hi\" to me'"),
    ('print(hello")', 'print("hello")'),
    ("x = ''hello''", "x = 'hello'"),
    ('print("x is {}.format(3))', 'print("x is {}".format(3))'),
    ("x = 'C:\\data\\'", "x = 'C:\\data\\\\'"),
    ('def f():\n    """Adds.\n    return 3', 'def f():\n    """Adds."""\n    return 3'),
    ('x = """abc""\nprint(x)', 'x = """abc"""\nprint(x)'),
    ("x = 'the dogs' bone'", "x = 'the dogs\\' bone'"),
    ("print(Hello World)", "print('Hello World')"),
    ("city = New York", "city = 'New York'"),
    ("x = ['a', New York, Boston]", "x = ['a', 'New York', 'Boston']"),
    ("pd.read_csv(https://x.org/a.csv)", 'pd.read_csv("https://x.org/a.csv")'),
    ("open(C:\\data\\a.txt)", 'open(r"C:\\data\\a.txt")'),
    ("open(/home/me/a.txt)", 'open("/home/me/a.txt")'),
    ("pd.read_csv(my data.csv)", 'pd.read_csv("my data.csv")'),
    ("x = 1.2.3", "x = '1.2.3'"),
    ("d = 2024-01-05", "d = '2024-01-05'"),
    ("t = 09:30", "t = '09:30'"),
    ("ip = 192.168.0.1", "ip = '192.168.0.1'"),
    ("b = b'é'", "b = 'é'.encode()"),
    ('f"{x"', 'f"{x}"'),
    ('print(f"{x is here")', 'print(f"{x} is here")'),
    ('x = 3\nprint(f"x}")', 'x = 3\nprint(f"{x}")'),
    ('f"{} and {}".format(1, 2)', '"{} and {}".format(1, 2)'),
    ('print(f"{} is", x)', 'print(f"{x} is")'),
    ('print(f"{x:.2f")', 'print(f"{x:.2f}")'),
    ('f"{x:.2f"}', 'f"{x:.2f}"'),
    ('f"{x:>{w}.2f"', 'f"{x:>{w}.2f}"'),
    ('f"{x.2f} kg"', 'f"{x:.2f} kg"'),
    ('f"{x;.2f} kg"', 'f"{x:.2f} kg"'),
    ('f"{round(x, 2} kg"', 'f"{round(x, 2)} kg"'),
    ("x = ['a', b', 'c']", "x = ['a', 'b', 'c']"),
    ("x = ['a', 'b, 'c']", "x = ['a', 'b', 'c']"),
    ("s = 'abc\ndef'", "s = '''abc\ndef'''"),
    ('a = input("Enter: )', 'a = input("Enter: ")'),
    ('print("Sum: " + a + b)"', 'print("Sum: " + a + b)'),
    ("print(Hello, World!)", "print('Hello, World!')"),
]
NUMBERS = [
    ("x = 1,050", "x = 1050"),
    ("x = 1,000,045", "x = 1000045"),
    ("x = 10%", "x = 0.1"),
    ("x = 5 000", "x = 5000"),
    ("price = $5", "price = 5"),
    ("x = 1.5f", "x = 1.5"),
    ("x = 1__000", "x = 1_000"),
    ("zip_code = 02139", "zip_code = '02139'"),
    ("x = str(007)", "x = str('007')"),
    ("codes = ['001', 002]", "codes = ['001', '002']"),
]
LAYOUT = [
    ("df\n  .groupby('a')\n  .mean()", "(df\n  .groupby('a')\n  .mean())"),
    ("x = df\n    .groupby('a')\n    .mean()", "x = (df\n    .groupby('a')\n    .mean())"),
    ("x = a +\n    b", "x = (a +\n    b)"),
    ("if a and\n    b:\n    c = 1", "if (a and\n    b):\n    c = 1"),
    ("def f():\n\nx = 1", "def f():\n    pass\n\nx = 1"),
    ("for i in x:\n    # nothing yet", "for i in x:\n    # nothing yet\n    pass"),
    ("def f():\n\ndef g():\n    return 1", "def f():\n    pass\n\ndef g():\n    return 1"),
    ("def f(x):\ny = x + 1\nreturn y\n\nprint(f(1))", "def f(x):\n    y = x + 1\n    return y\n\nprint(f(1))"),
    ("for i in x:\na = i\nprint(a)", "for i in x:\n    a = i\n    print(a)"),
    ("if x:\n    a\n  else:\n    b", "if x:\n    a\nelse:\n    b"),
    ("x = 1 + \\ \n    2", "x = 1 + \\\n    2"),
    ("my\\_var = 3", "my_var = 3"),
    ('print(\\"a\\")', 'print("a")'),
    ("print('a')\\nprint('b')", "print('a')\nprint('b')"),
    ("x = 4 \\ 2", "x = 4 / 2"),
    ("for i in x:\n    if i:\n    print(i)", "for i in x:\n    if i:\n        print(i)"),
    ("if x:\ny = 1\nelse:\nz = 2", "if x:\n    y = 1\nelse:\n    z = 2"),
]
MISPLACED = [
    ("x = 1\nreturn x", "x = 1\nx"),
    ("def f(x):\n    y = x\nreturn y", "def f(x):\n    y = x\n    return y"),
    ("for i in x:\n    print(i)\nif i > 3:\n    break", "for i in x:\n    print(i)\n    if i > 3:\n        break"),
    ("def f():\n    await g()\nf()", "async def f():\n    await g()\nawait f()"),
    ("nonlocal x\nx = 1", "x = 1"),
    ("def f():\n    x = 1\n    global x\n    return x", "def f():\n    global x\n    x = 1\n    return x"),
    ("def f():\n    nonlocal y\n    y = 1", "def f():\n    global y\n    y = 1"),
    ("x = 1\nfrom __future__ import division", "from __future__ import division\nx = 1\n"),
    ("def f():\n    from math import *\n    return pi", "from math import *\ndef f():\n    return pi"),
    ("*a = x", "*a, = x"),
    ("x = *y", "x = [*y]"),
    ("*a, *b = c", "*a, b = c"),
    ("f(a=1, 2)", "f(2, a=1)"),
    ("f(a=1, a=1)", "f(a=1)"),
]
PASTED = [
    ("This cell loads all the data.\nx = 1", "# This cell loads all the data.\nx = 1"),
    ("Step 1: Load the data\nx = 1", "# Step 1: Load the data\nx = 1"),
    ("x = 1\nLet's look at the result\nprint(x)", "x = 1\n# Let's look at the result\nprint(x)"),
    ("- first item of the list\n- second item of the list", "# - first item of the list\n# - second item of the list"),
    ("import os\npip install pandas", "import os\n%pip install pandas"),
    ("$ pip install pandas\nimport os", "%pip install pandas\nimport os"),
    ("git clone https://x.org/y\nx = 1", "!git clone https://x.org/y\nx = 1"),
    ("x = 1\nIn [3]: import os\nOut[3]: 2", "x = 1\nimport os\n# Out[3]: 2"),
    ("x = 1\n>>> y = 2", "x = 1\ny = 2"),
    ("1 import os\n2 x = 3\n3 print(x)", "import os\nx = 3\nprint(x)"),
    ("1. x = 3\n2. if x:\n3.     print(x)", "x = 3\nif x:\n    print(x)"),
    ("if x &lt; 3:\n    print(&quot;a&quot;)", 'if x < 3:\n    print("a")'),
    ("print（x）", "print(x)"),
    ("x = [1，2]", "x = [1,2]"),
    ("y = x²", "y = x**2"),
    ("x\u200e = 3", "x = 3"),
    ("x = ´a´", 'x = "a"'),
    ('x = “a"', 'x = "a"'),
    ("Here is the code:\n```python\nx = 1\n```", "# Here is the code:\nx = 1\n"),
]
CHOICES = [
    ("x = 007", ["x = 7", "x = '007'"]),
    ("x = 0755", ["x = 0o755"]),
    ("f(1,050)", ["f(1050)", "f(1,50)"]),
    ("def f(a=1, b):\n    pass", ["def f(b, a=1):\n    pass", "def f(a=1, b=None):\n    pass"]),
    ("f(a=1, b)", ["f(b, a=1)", "f(a=1, b=b)"]),
    ("f(a=1, a=2)", ["f(a=1)", "f(a=2)"]),
    ("def f(a, a):\n    pass", ["def f(a):\n    pass"]),
    ("x = 5 if y", ["x = 5 if y else None", "if y: x = 5"]),
    ("x = = 5", ["x = 5", "x == 5"]),
    ("mask = a && b", ["mask = a & b", "mask = a and b"]),
    ("foo(a.b = 3)", ["foo(a.b == 3)", "foo(b = 3)"]),
    ("f(class=3)", ["f(class_=3)", "f(**{'class': 3})"]),
    ("print(2 x)", ["print(2 * x)", "print(2, x)"]),
    ("x = 5kg", ["x = '5kg'"]),
    ("from pandas import", ["import pandas"]),
    ("np.ones(3, 3))", ["np.ones((3, 3))", "np.ones(3, 3)"]),
    ("foo(a[0 + b)", ["foo(a[0] + b)", "foo(a[0 + b])"]),
    ("np.sqrt(np.sum(x**2) / n", ["np.sqrt(np.sum(x**2) / n)", "np.sqrt(np.sum(x**2)) / n"]),
    ("x = (a + b * c", ["x = (a + b) * c", "x = (a + b * c)"]),
    ('print("a, b)', ['print("a, b")', 'print("a", b)']),
    (
        "if x:\n    y = 1\nz = 2\n    w = 3",
        ["if x:\n    y = 1\nz = 2\nw = 3", "if x:\n    y = 1\n    z = 2\n    w = 3"],
    ),
    (
        "for i in x:\nprint(i)\nprint(2)",
        ["for i in x:\n    print(i)\nprint(2)", "for i in x:\n    print(i)\n    print(2)"],
    ),
    ("height = ", ["height = None"]),
    ("if x:\n    a\n  b\nc = 1", ["if x:\n    a\n    b\nc = 1"]),
    ("f = lambda (x, y): x + y", ["f = lambda x, y: x + y"]),
    ("def f():\n    yield 1\nx = 3\nbreak", ["def f():\n    yield 1\nx = 3\npass"]),
    ("https://example.org/a.csv", ['"https://example.org/a.csv"', "# https://example.org/a.csv"]),
    (
        "try:\n    x = 1\ny = 2",
        ["x = 1\ny = 2", "try:\n    x = 1\nexcept Exception as error:\n    print(error)\ny = 2"],
    ),
]

QUOTES = [("f\"{'\\n'.join(x)}\"", 'f"{chr(10).join(x)}"'), ("f'{', '.join(x)}'", "f'{\", \".join(x)}'")]
"""What Python reads since 3.12."""
if sys.version_info < (3, 12):
    TEXTS += QUOTES


@pytest.mark.parametrize(
    ("source", "expected"),
    OTHER_LANGUAGES + OPERATORS + BRACKETS + SEPARATORS + TEXTS + NUMBERS + LAYOUT + MISPLACED + PASTED,
)
def test_what_is_meant_comes_first(source: str, expected: str) -> None:
    found = fixes(broken(source))
    assert [fix.edits[-1].source for fix in found][:1] == [expected]
    assert [fix.prior for fix in found] == sorted((fix.prior for fix in found), reverse=True)


@pytest.mark.parametrize(("source", "expected"), CHOICES)
def test_where_several_things_may_be_meant_each_is_a_candidate(source: str, expected: list[str]) -> None:
    found = {fix.edits[-1].source: fix.prior for fix in fixes(broken(source))}
    assert set(expected) <= set(found)
    assert max(found.values()) < 1


@given(source=CELLS)
@settings(max_examples=150, deadline=None)
def test_no_guess_raises_and_each_says_why(source: str) -> None:
    cell = read(source)
    if cell.problem is not None:
        for guess in GUESSES:
            for option in guess(Broken(cell, frozenset({"x", "y", "foo"}))):
                assert 0 < option.prior < 1
                assert option.why.endswith((".", "`", "'.", ":", '"'))


LONG = "".join(f"def f{i}(a):\n    '''It's {i}.'''\n    return [a, {i}]\n\n" for i in range(300))


@pytest.mark.parametrize(
    ("source", "expected"),
    [("x = a + b) * c\n", "x = (a + b) * c\n"), ("let x = 1\n", "x = 1\n"), ("print 'a'\n", "print('a')\n")],
)
def test_in_a_long_cell_only_the_statements_around_the_problem_are_read_again(source: str, expected: str) -> None:
    cell = read(f"{LONG}{source}{LONG}")
    part = window(cell)
    assert source in part.middle
    assert len(part.middle) < 1_000
    assert "".join(part) == cell.source
    found = fixes(broken(cell.source))
    assert found[0].edits[-1].source == f"{LONG}{expected}{LONG}"


def test_a_cell_with_problems_far_apart_is_read_as_a_whole() -> None:
    cell = read(f"print 'a'\n{LONG}print 'b'\n")
    assert window(cell).middle == cell.source
    assert fixed(broken(cell.source)) == f"print('a')\n{LONG}print('b')\n"


@pytest.mark.parametrize("source", ["df[flags & 1 == 0", "df[(df.a > 2) & (df.b < 8)"])
def test_a_comparison_that_is_whole_gets_no_brackets(source: str) -> None:
    assert [fix.edits[-1].source for fix in fixes(broken(source))][:1] == [f"{source}]"]


def test_a_name_that_has_a_value_is_no_word_of_a_text() -> None:
    source = "print(first second)"
    with_values = dataclasses.replace(broken(source), situation=Situation(CellRef(), source, names=("first", "second")))
    assert best(with_values) == "print(first, second)"
    assert best(broken(source)) == "print('first second')"


def test_a_name_beside_a_text_in_brackets_is_likely_another_item() -> None:
    assert best(broken("x = [\n  'a',\n  b\n  'c'\n]")) == "x = [\n  'a',\n  b,\n  'c'\n]"
