"""Mistakes that were made, and mended, in one notebook, and are made again in another, with other names and values.

They are what people and models mend where no rule is sure, as it goes with libraries, with data of a house, with
functions of one's own.
"""

from __future__ import annotations

from typing import NamedTuple

PANDAS = "import pandas as pd, numpy as np\n"
SALES = PANDAS + (
    "df = pd.DataFrame({'region': ['n', 's', 'n'], 'sales': [1, 2, 3], 'price': ['1.5', '2', '3'], "
    "'when': ['2024-01-02', '2024-02-03', '2024-03-04']})\n"
)
PEOPLE = PANDAS + (
    "people = pd.DataFrame({'city': ['a', 'b', 'b'], 'age': [30, 40, 50], 'height': ['170', '181', '165'], "
    "'born': ['1990-01-02', '1980-02-03', '1970-03-04']})\n"
)
FILES = (
    "import pathlib, json, csv\n"
    "pathlib.Path('old.csv').write_bytes('name;wert\\nMüller;1\\n'.encode('latin-1'))\n"
    "pathlib.Path('prices.csv').write_bytes('ort;preis\\nKöln;2\\n'.encode('latin-1'))\n"
)


class Repeated(NamedTuple):
    """A mistake in two notebooks.

    Parameters
    ----------
    setup, cell, mended : str
        In the first: what ran before, the cell that fails, and how it was mended.
    setup2, cell2, right : str
        In the second, and what is right there.
    """

    setup: str
    cell: str
    mended: str
    setup2: str
    cell2: str
    right: str


REPEATED: dict[str, Repeated] = {
    # ---- functions of one's own
    "own function, argument that is needed": Repeated(
        "def load(name, *, year): return [name, year]",
        "rows = load('a')",
        "rows = load('a', year=2024)",
        "def load(name, *, year): return [name, year]",
        "orders = load('orders')",
        "orders = load('orders', year=2024)",
    ),
    "own function, renamed argument": Repeated(
        "def plot_it(x, colour='r'): return x",
        "plot_it(3, color='b')",
        "plot_it(3, colour='b')",
        "def plot_it(x, colour='r'): return x",
        "plot_it(7, color='green')",
        "plot_it(7, colour='green')",
    ),
    "own function, surplus argument": Repeated(
        "def clean(rows): return rows",
        "ok = clean([1], verbose=True)",
        "ok = clean([1])",
        "def clean(rows): return rows",
        "good = clean([5, 6], verbose=False)",
        "good = clean([5, 6])",
    ),
    "own class, method renamed": Repeated(
        "class Store:\n    def fetch_all(self): return [1]\ns = Store()",
        "s.get_rows()",
        "s.fetch_all()",
        "class Store:\n    def fetch_all(self): return [1]\nshop = Store()",
        "items = shop.get_rows()",
        "items = shop.fetch_all()",
    ),
    "own class, connect first": Repeated(
        "class Db:\n    on = False\n    def connect(self): self.on = True\n    def query(self, t):\n"
        "        if not self.on: raise RuntimeError('not connected')\n        return t\ndb = Db()",
        "r = db.query('a')",
        "db.connect()\nr = db.query('a')",
        "class Db:\n    on = False\n    def connect(self): self.on = True\n    def query(self, t):\n"
        "        if not self.on: raise RuntimeError('not connected')\n        return t\nwarehouse = Db()",
        "found = warehouse.query('select 1')",
        "warehouse.connect()\nfound = warehouse.query('select 1')",
    ),
    "own function, wants a list": Repeated(
        "def total(xs):\n    if not isinstance(xs, list): raise TypeError('xs must be a list')\n    return sum(xs)",
        "t = total((1, 2))",
        "t = total(list((1, 2)))",
        "def total(xs):\n    if not isinstance(xs, list): raise TypeError('xs must be a list')\n    return sum(xs)\nvals = (4, 5)",
        "out = total(vals)",
        "out = total(list(vals))",
    ),
    "own function, wants a path": Repeated(
        "from pathlib import Path\ndef read(p): return p.suffix",
        "read('a.txt')",
        "read(Path('a.txt'))",
        "from pathlib import Path\ndef read(p): return p.suffix\nfile = 'data.csv'",
        "kind = read(file)",
        "kind = read(Path(file))",
    ),
    "own constant, moved into a class": Repeated(
        "class Config:\n    LIMIT = 3",
        "x = LIMIT + 1",
        "x = Config.LIMIT + 1",
        "class Config:\n    LIMIT = 3\nn = 2",
        "for i in range(LIMIT): n += i",
        "for i in range(Config.LIMIT): n += i",
    ),
    "own module's import": Repeated(
        "import pathlib, sys\npathlib.Path('housetools.py').write_text('def tidy(x): return x')\nsys.path.insert(0, '.')",
        "a = tidy(1)",
        "from housetools import tidy\na = tidy(1)",
        "import pathlib, sys\npathlib.Path('housetools.py').write_text('def tidy(x): return x')\nsys.path.insert(0, '.')\nrows = [3]",
        "rows = [tidy(r) for r in rows]",
        "from housetools import tidy\nrows = [tidy(r) for r in rows]",
    ),
    "own exception of a unit": Repeated(
        "def speed(km, h):\n    if h > 24: raise ValueError('give hours, not minutes')\n    return km / h",
        "v = speed(100, 90)",
        "v = speed(100, 90 / 60)",
        "def speed(km, h):\n    if h > 24: raise ValueError('give hours, not minutes')\n    return km / h\nminutes = 45",
        "w = speed(20, minutes)",
        "w = speed(20, minutes / 60)",
    ),
    # ---- reading files
    "encoding of the house's files": Repeated(
        FILES,
        "text = open('old.csv', encoding='utf-8').read()",
        "text = open('old.csv', encoding='latin-1').read()",
        FILES,
        "lines = open('prices.csv', encoding='utf-8').readlines()",
        "lines = open('prices.csv', encoding='latin-1').readlines()",
    ),
    "encoding in pandas": Repeated(
        FILES + PANDAS,
        "t = pd.read_csv('old.csv')",
        "t = pd.read_csv('old.csv', encoding='latin-1')",
        FILES + PANDAS,
        "prices = pd.read_csv('prices.csv', sep=';')",
        "prices = pd.read_csv('prices.csv', sep=';', encoding='latin-1')",
    ),
    "text of bytes": Repeated(
        FILES,
        "s = pathlib.Path('old.csv').read_text(encoding='utf-8')",
        "s = pathlib.Path('old.csv').read_text(encoding='latin-1')",
        FILES + "p = pathlib.Path('prices.csv')",
        "content = p.read_text(encoding='utf-8')",
        "content = p.read_text(encoding='latin-1')",
    ),
    "write needs a folder": Repeated(
        "import pathlib, os\nn = 'out1'",
        "open('out1/a.txt', 'w').write('x')",
        "os.makedirs('out1', exist_ok=True)\nopen('out1/a.txt', 'w').write('x')",
        "import pathlib, os\n",
        "open('out1/b.txt', 'w').write('why')",
        "os.makedirs('out1', exist_ok=True)\nopen('out1/b.txt', 'w').write('why')",
    ),
    "json of numpy": Repeated(
        PANDAS + "import json",
        "json.dumps({'a': np.int64(3)})",
        "json.dumps({'a': np.int64(3)}, default=int)",
        PANDAS + "import json\nn = np.int64(8)",
        "text = json.dumps({'count': n}, indent=1)",
        "text = json.dumps({'count': n}, indent=1, default=int)",
    ),
    "json of dates": Repeated(
        "import json, datetime\nd = datetime.date(2024, 1, 2)",
        "json.dumps({'d': d})",
        "json.dumps({'d': d}, default=str)",
        "import json, datetime\nwhen = datetime.date(2023, 5, 6)",
        "body = json.dumps([when])",
        "body = json.dumps([when], default=str)",
    ),
    "json of bytes": Repeated(
        "import json\nraw = b'{}'",
        "json.loads(raw.encode())",
        "json.loads(raw)",
        "import json\nanswer = b'[1]'",
        "data = json.loads(answer.encode())",
        "data = json.loads(answer)",
    ),
    "csv opened as bytes": Repeated(
        FILES,
        "list(csv.reader(open('old.csv', 'rb')))",
        "list(csv.reader(open('old.csv', 'r', encoding='latin-1')))",
        FILES,
        "rows = list(csv.reader(open('prices.csv', 'rb')))",
        "rows = list(csv.reader(open('prices.csv', 'r', encoding='latin-1')))",
    ),
    # ---- pandas
    "numbers that are text, mean": Repeated(
        SALES,
        "df['price'].mean() + df['price'].std()",
        "df['price'].astype(float).mean() + df['price'].astype(float).std()",
        PEOPLE,
        "people['height'].mean() + people['height'].std()",
        "people['height'].astype(float).mean() + people['height'].astype(float).std()",
    ),
    "numbers that are text, product": Repeated(
        SALES,
        "df['total'] = df['price'] * 1.1",
        "df['total'] = df['price'].astype(float) * 1.1",
        PEOPLE,
        "people['inches'] = people['height'] * 0.39",
        "people['inches'] = people['height'].astype(float) * 0.39",
    ),
    "numbers with a currency": Repeated(
        PANDAS + "t = pd.DataFrame({'p': ['$1', '$2']})",
        "t['p'].astype(float)",
        "t['p'].str.lstrip('$').astype(float)",
        PANDAS + "shop = pd.DataFrame({'cost': ['$10', '$25']})",
        "cost = shop['cost'].astype(float)",
        "cost = shop['cost'].str.lstrip('$').astype(float)",
    ),
    "gaps to whole numbers": Repeated(
        PANDAS + "t = pd.DataFrame({'n': [1.0, None]})",
        "t['n'].astype(int)",
        "t['n'].fillna(0).astype(int)",
        PANDAS + "log = pd.DataFrame({'hits': [None, 5.0, 6.0]})",
        "log['hits'] = log['hits'].astype(int)",
        "log['hits'] = log['hits'].fillna(0).astype(int)",
    ),
    "dates that are text": Repeated(
        SALES,
        "df['when'].dt.year",
        "pd.to_datetime(df['when']).dt.year",
        PEOPLE,
        "people['month'] = people['born'].dt.month",
        "people['month'] = pd.to_datetime(people['born']).dt.month",
    ),
    "dates compared": Repeated(
        SALES + "import datetime\ncut = datetime.datetime(2024, 2, 1)",
        "df[df['when'] > cut]",
        "df[pd.to_datetime(df['when']) > cut]",
        PEOPLE + "import datetime\nlimit = datetime.datetime(1985, 1, 1)",
        "old = people[people['born'] < limit]",
        "old = people[pd.to_datetime(people['born']) < limit]",
    ),
    "dates, day first": Repeated(
        PANDAS + "t = pd.Series(['13/02/2024', '14/03/2024'])",
        "pd.to_datetime(t, format='%m/%d/%Y')",
        "pd.to_datetime(t, format='%d/%m/%Y')",
        PANDAS + "due = pd.DataFrame({'d': ['25/12/2023']})",
        "due['d'] = pd.to_datetime(due['d'], format='%m/%d/%Y')",
        "due['d'] = pd.to_datetime(due['d'], format='%d/%m/%Y')",
    ),
    "dates that are none": Repeated(
        PANDAS + "t = pd.Series(['2024-01-01', 'n/a'])",
        "pd.to_datetime(t)",
        "pd.to_datetime(t, errors='coerce')",
        PANDAS + "seen = pd.Series(['2022-05-05', 'never'])",
        "days = pd.to_datetime(seen).dt.day",
        "days = pd.to_datetime(seen, errors='coerce').dt.day",
    ),
    "numbers that are none": Repeated(
        PANDAS + "t = pd.Series(['1', 'x'])",
        "pd.to_numeric(t)",
        "pd.to_numeric(t, errors='coerce')",
        PANDAS + "raw = pd.Series(['7', '-'])",
        "values = pd.to_numeric(raw).sum()",
        "values = pd.to_numeric(raw, errors='coerce').sum()",
    ),
    "mean of all columns": Repeated(
        SALES,
        "df.groupby('region').mean()",
        "df.groupby('region').mean(numeric_only=True)",
        PEOPLE,
        "by = people.groupby('city').mean()",
        "by = people.groupby('city').mean(numeric_only=True)",
    ),
    "correlation of all columns": Repeated(
        SALES,
        "df.corr()",
        "df.corr(numeric_only=True)",
        PEOPLE,
        "table = people.corr()",
        "table = people.corr(numeric_only=True)",
    ),
    "merge with other key types": Repeated(
        PANDAS + "a = pd.DataFrame({'k': [1, 2]})\nb = pd.DataFrame({'k': ['1', '2']})",
        "a.merge(b, on='k')",
        "a.merge(b.astype({'k': int}), on='k')",
        PANDAS + "left = pd.DataFrame({'id': [4]})\nright = pd.DataFrame({'id': ['4']})",
        "both = left.merge(right, on='id')",
        "both = left.merge(right.astype({'id': int}), on='id')",
    ),
    "merge with same columns": Repeated(
        PANDAS + "a = pd.DataFrame({'x': [1]})\nb = pd.DataFrame({'x': [2]})",
        "a.join(b)",
        "a.join(b, rsuffix='_right')",
        PANDAS + "jan = pd.DataFrame({'n': [5]})\nfeb = pd.DataFrame({'n': [6]})",
        "both = jan.join(feb)",
        "both = jan.join(feb, rsuffix='_right')",
    ),
    "pivot with duplicates": Repeated(
        PANDAS + "t = pd.DataFrame({'a': [1, 1], 'b': [2, 2], 'c': [3, 4]})",
        "t.pivot(index='a', columns='b', values='c')",
        "t.pivot_table(index='a', columns='b', values='c')",
        PANDAS + "log = pd.DataFrame({'day': [1, 1], 'hour': [2, 2], 'hits': [3, 4]})",
        "wide = log.pivot(index='day', columns='hour', values='hits')",
        "wide = log.pivot_table(index='day', columns='hour', values='hits')",
    ),
    "reindex with duplicates": Repeated(
        PANDAS + "s = pd.Series([1, 2], index=[0, 0])",
        "s.reindex([0, 1])",
        "s.groupby(level=0).first().reindex([0, 1])",
        PANDAS + "hits = pd.Series([4, 5], index=[3, 3])",
        "full = hits.reindex([3, 4, 5])",
        "full = hits.groupby(level=0).first().reindex([3, 4, 5])",
    ),
    "truth of a condition": Repeated(
        SALES,
        "df[df.sales > 1 and df.sales < 3]",
        "df[(df.sales > 1) & (df.sales < 3)]",
        PEOPLE,
        "some = people[people.age > 35 and people.age < 45]",
        "some = people[(people.age > 35) & (people.age < 45)]",
    ),
    "rows appended": Repeated(
        SALES,
        "df = df.append({'region': 'w'}, ignore_index=True)",
        "df = pd.concat([df, pd.DataFrame([{'region': 'w'}])], ignore_index=True)",
        PEOPLE,
        "people = people.append({'city': 'c'}, ignore_index=True)",
        "people = pd.concat([people, pd.DataFrame([{'city': 'c'}])], ignore_index=True)",
    ),
    "columns by attribute of a table by groups": Repeated(
        SALES,
        "df.groupby('region').sales.sum().plot_bars()",
        "df.groupby('region').sales.sum().sort_values()",
        PEOPLE,
        "people.groupby('city').age.mean().plot_bars()",
        "people.groupby('city').age.mean().sort_values()",
    ),
    "strings with gaps": Repeated(
        PANDAS + "t = pd.Series(['ab', None], dtype=object)",
        "t[t.str.contains('a')]",
        "t[t.str.contains('a', na=False)]",
        PANDAS + "mail = pd.DataFrame({'to': ['x@y', None]}, dtype=object)",
        "ours = mail[mail['to'].str.contains('@')]",
        "ours = mail[mail['to'].str.contains('@', na=False)]",
    ),
    "quantile cuts with the same edges": Repeated(
        PANDAS + "t = pd.Series([1, 1, 1, 2])",
        "pd.qcut(t, 3)",
        "pd.qcut(t, 3, duplicates='drop')",
        PANDAS + "ages = pd.Series([5, 5, 5, 9, 9])",
        "group = pd.qcut(ages, 4)",
        "group = pd.qcut(ages, 4, duplicates='drop')",
    ),
    "explode of several": Repeated(
        PANDAS + "t = pd.DataFrame({'a': [[1, 2], [3]], 'b': [[1], [2]]})",
        "t.explode(['a', 'b'])",
        "t.explode('a').explode('b')",
        PANDAS + "m = pd.DataFrame({'tags': [[1, 2], [3]], 'marks': [[1], [2]]})",
        "flat = m.explode(['tags', 'marks'])",
        "flat = m.explode('tags').explode('marks')",
    ),
    "sorted by mixed types": Repeated(
        PANDAS + "t = pd.Series([1, 'a'])",
        "t.sort_values()",
        "t.astype(str).sort_values()",
        PANDAS + "codes = pd.Series(['x', 3])",
        "order = codes.sort_values()",
        "order = codes.astype(str).sort_values()",
    ),
    # ---- numpy
    "shapes of a product": Repeated(
        PANDAS + "w = np.ones((3, 2))\nx = np.ones(3)",
        "w @ x",
        "w.T @ x",
        PANDAS + "weights = np.ones((5, 4))\nv = np.ones(5)",
        "out = weights @ v",
        "out = weights.T @ v",
    ),
    "concatenate with a row": Repeated(
        PANDAS + "m = np.ones((2, 3))\nr = np.ones(3)",
        "np.concatenate([m, r])",
        "np.concatenate([m, r.reshape(1, -1)])",
        PANDAS + "grid = np.ones((4, 2))\nlast = np.zeros(2)",
        "grid = np.concatenate([grid, last])",
        "grid = np.concatenate([grid, last.reshape(1, -1)])",
    ),
    "in place of whole numbers": Repeated(
        PANDAS + "a = np.arange(3)",
        "a += 0.5",
        "a = a + 0.5",
        PANDAS + "counts = np.arange(5)",
        "counts += 1.25",
        "counts = counts + 1.25",
    ),
    "array of unequal rows": Repeated(
        PANDAS,
        "np.array([[1, 2], [3]])",
        "np.array([[1, 2], [3]], dtype=object)",
        PANDAS + "a, b = [1], [2, 3]",
        "ragged = np.array([a, b])",
        "ragged = np.array([a, b], dtype=object)",
    ),
    "savetxt of texts": Repeated(
        PANDAS + "names = np.array(['a', 'b'])",
        "np.savetxt('names.txt', names)",
        "np.savetxt('names.txt', names, fmt='%s')",
        PANDAS + "words = np.array(['x', 'y'])",
        "np.savetxt('w.txt', words)",
        "np.savetxt('w.txt', words, fmt='%s')",
    ),
    "load of pickled arrays": Repeated(
        PANDAS + "np.save('o.npy', np.array([{}, 1], dtype=object))",
        "o = np.load('o.npy')",
        "o = np.load('o.npy', allow_pickle=True)",
        PANDAS + "np.save('items.npy', np.array([{}, 2], dtype=object))",
        "items = np.load('items.npy').tolist()",
        "items = np.load('items.npy', allow_pickle=True).tolist()",
    ),
    # ---- scikit-learn
    "one column for an estimator": Repeated(
        PANDAS
        + "from sklearn.linear_model import LinearRegression\nm = LinearRegression()\nx = np.arange(4)\ny = x * 2",
        "m.fit(x, y)",
        "m.fit(x.reshape(-1, 1), y)",
        PANDAS
        + "from sklearn.linear_model import LinearRegression\nmodel = LinearRegression()\nage = np.arange(6)\nh = age + 1",
        "model.fit(age, h)",
        "model.fit(age.reshape(-1, 1), h)",
    ),
    "gaps for an estimator": Repeated(
        PANDAS
        + "from sklearn.linear_model import LinearRegression\nm = LinearRegression()\nX = pd.DataFrame({'a': [1.0, None, 3.0]})\ny = [1, 2, 3]",
        "m.fit(X, y)",
        "m.fit(X.fillna(0), y)",
        PANDAS
        + "from sklearn.linear_model import LinearRegression\nreg = LinearRegression()\nfeatures = pd.DataFrame({'b': [None, 2.0]})\ntarget = [1, 2]",
        "reg.fit(features, target)",
        "reg.fit(features.fillna(0), target)",
    ),
    "predict before fit": Repeated(
        PANDAS
        + "from sklearn.linear_model import LinearRegression\nm = LinearRegression()\nX_train, y_train = [[1], [2]], [1, 2]",
        "m.predict([[3]])",
        "m.fit(X_train, y_train)\nm.predict([[3]])",
        PANDAS
        + "from sklearn.linear_model import LinearRegression\nreg = LinearRegression()\nX_train, y_train = [[1], [2]], [3, 4]",
        "guess = reg.predict([[5]])",
        "reg.fit(X_train, y_train)\nguess = reg.predict([[5]])",
    ),
    "texts for an estimator": Repeated(
        PANDAS
        + "from sklearn.tree import DecisionTreeClassifier\nm = DecisionTreeClassifier()\nX = pd.DataFrame({'c': ['r', 'g']})\ny = [0, 1]",
        "m.fit(X, y)",
        "m.fit(pd.get_dummies(X), y)",
        PANDAS
        + "from sklearn.tree import DecisionTreeClassifier\ntree = DecisionTreeClassifier()\ntraits = pd.DataFrame({'k': ['a', 'b']})\nlabel = [1, 0]",
        "tree.fit(traits, label)",
        "tree.fit(pd.get_dummies(traits), label)",
    ),
    "few members for a stratified split": Repeated(
        PANDAS + "from sklearn.model_selection import train_test_split\ny = [0, 0, 0, 1]",
        "train_test_split([1, 2, 3, 4], y, stratify=y)",
        "train_test_split([1, 2, 3, 4], y)",
        PANDAS + "from sklearn.model_selection import train_test_split\nkind = ['a', 'a', 'b']\nX = [1, 2, 3]",
        "parts = train_test_split(X, kind, stratify=kind)",
        "parts = train_test_split(X, kind)",
    ),
    # ---- Python
    "number beside text": Repeated(
        "n = 3",
        "msg = 'n: ' + n",
        "msg = 'n: ' + str(n)",
        "total = 12.5",
        "line = 'total ' + total",
        "line = 'total ' + str(total)",
    ),
    "join of numbers": Repeated(
        "xs = [1, 2]",
        "','.join(xs)",
        "','.join(map(str, xs))",
        "ids = [7, 8]",
        "text = ' '.join(ids)",
        "text = ' '.join(map(str, ids))",
    ),
    "key that may be missing": Repeated(
        "d = {'a': 1}\nk = 'b'",
        "v = d[k] + 1",
        "v = d.get(k, 0) + 1",
        "prices = {'x': 2}\nitem = 'y'",
        "cost = prices[item] + 5",
        "cost = prices.get(item, 0) + 5",
    ),
    "count of what is new": Repeated(
        "counts = {}",
        "for w in ['a', 'b']:\n    counts[w] += 1",
        "for w in ['a', 'b']:\n    counts[w] = counts.get(w, 0) + 1",
        "seen = {}",
        "for token in 'abc':\n    seen[token] += 1",
        "for token in 'abc':\n    seen[token] = seen.get(token, 0) + 1",
    ),
    "float that is text with a comma": Repeated(
        "s = '1,5'",
        "float(s)",
        "float(s.replace(',', '.'))",
        "price = '12,75'",
        "p = float(price) * 2",
        "p = float(price.replace(',', '.')) * 2",
    ),
    "unhashable key": Repeated(
        "pair = [1, 2]\nd = {}",
        "d[pair] = 1",
        "d[tuple(pair)] = 1",
        "place = [3, 4]\ngrid = {}",
        "grid[place] = 'x'",
        "grid[tuple(place)] = 'x'",
    ),
    "set of lists": Repeated(
        "rows = [[1], [1]]",
        "set(rows)",
        "set(map(tuple, rows))",
        "points = [[1, 2], [1, 2]]",
        "unique = set(points)",
        "unique = set(map(tuple, points))",
    ),
    "dates without a zone": Repeated(
        "from datetime import datetime, timezone\na = datetime.now(timezone.utc)\nb = datetime(2024, 1, 1)",
        "a - b",
        "a - b.replace(tzinfo=timezone.utc)",
        "from datetime import datetime, timezone\nnow = datetime.now(timezone.utc)\nstart = datetime(2023, 1, 1)",
        "age = now - start",
        "age = now - start.replace(tzinfo=timezone.utc)",
    ),
    "zip of different lengths": Repeated(
        "a, b = [1, 2], [3]",
        "list(zip(a, b, strict=True))",
        "list(zip(a, b))",
        "names, ages = ['x'], [1, 2]",
        "pairs = dict(zip(names, ages, strict=True))",
        "pairs = dict(zip(names, ages))",
    ),
}
