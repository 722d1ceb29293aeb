"""Healthy cells over frames and arrays that take hold of the same memory in every way that pandas and numpy allow."""

from __future__ import annotations

import importlib.util
from typing import NamedTuple


class Cell(NamedTuple):
    """A cell.

    Parameters
    ----------
    setup : str
        What ran before.
    lines : str
        Its statements, each on a line of its own.
    """

    setup: str
    lines: str


NUM = "num = pd.DataFrame(np.arange(12.).reshape(4, 3), columns=list('abc'))"
MIX = "mix = pd.DataFrame({'i': [1, 2, 3], 'f': [1., 2., 3.], 't': list('xyz'), 'j': [4, 5, 6]})"
SER = "ser = pd.Series([1., 2., 3.], name='s')"
ARR = "arr = np.arange(12.).reshape(4, 3)"
OBJ = "obj = pd.DataFrame({'o': pd.Series([[1], {}, None], dtype=object), 'n': [1, 2, 3]})"

ALIASES = (
    (NUM, "arr = num.to_numpy()\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num.values\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = np.asarray(num)\nnum.iloc[1, 1] = 99"),
    (NUM, "arr = np.array(num, copy=None)\nnum.loc[2, 'b'] = 99"),
    (NUM, "arr = num.to_numpy().T\nnum.at[0, 'a'] = 99\narr = arr + 0"),
    (NUM, "arr = num.to_numpy()[1:3, ::2]\nnum.iat[1, 0] = 99"),
    (NUM, "arr = num['a'].to_numpy()\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num['a'].values\nnum.loc[0, 'a'] = 99"),
    (NUM, "arr = num['a'].array\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num.iloc[:, 1].to_numpy()\nnum.iloc[:, 1] = 7."),
    (NUM, "arr = num.to_numpy()\nnum.loc[:, 'a'] = 5."),
    (NUM, "arr = num.to_numpy()\nnum['a'] = 5."),
    (NUM, "arr = num.to_numpy()\nnum[num > 4] = 0."),
    (NUM, "arr = num.to_numpy()\nnum[1:3] = 0."),
    (NUM, "arr = num.to_numpy()\nnum += 1"),
    (NUM, "arr = num.to_numpy()\nnum.update(pd.DataFrame({'a': [9.]}))"),
    (NUM, "arr = num.to_numpy()\nnum.fillna(0., inplace=True)\nnum.iloc[0, 0] = 5"),
    (NUM, "arr = num.to_numpy()\nnum.replace(3., 9., inplace=True)"),
    (NUM, "arr = num.to_numpy()\nnum.mask(num > 3, 0., inplace=True)"),
    (NUM, "arr = num.to_numpy()\nnum.where(num > 3, 0., inplace=True)"),
    (NUM, "arr = num.to_numpy()\nnum.clip(2, 5, inplace=True)"),
    (NUM, "arr = num.to_numpy()\nnum.sort_values('a', ascending=False, inplace=True)\nnum.iloc[0, 0] = 5"),
    (NUM, "arr = num.to_numpy()\nnum.columns = list('xyz')\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num.to_numpy()\nnum.rename(columns={'a': 'z'}, inplace=True)\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num.to_numpy()\nnum.insert(1, 'n', 1.)\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num.to_numpy()\ndel num['b']\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num.to_numpy()\ngone = num.pop('a')\ngone.iloc[0] = 5\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num.to_numpy()\nnum.drop(columns='b', inplace=True)\nnum.iloc[0, 0] = 99"),
    (NUM, "arr = num.to_numpy()\narr = arr.view()\narr.setflags(write=True)\narr[0, 0] = 99"),
    (NUM, "arr = num['b'].to_numpy()\narr.flags.writeable = True\narr[0] = 99"),
    (NUM, "arr = num.to_numpy()\nview = memoryview(arr)\nnum.iloc[0, 0] = 99\nseen = view.tolist()"),
    (NUM, "arr = np.asarray(num)\nowner = arr.base\nnum.iloc[0, 0] = 99\nsame = owner.sum()"),
    (NUM, "def f():\n  arr = num.to_numpy()\n  num.iloc[0, 0] = 99\n  return arr[0, 0]\nseen = f()"),
    (NUM, "for n in range(3): arr = num.to_numpy(); num.iloc[n, 0] = 90 + n; seen = arr[n, 0]"),
    (NUM, "flat = num.to_numpy().flat\nnum.iloc[0, 0] = 99\nseen = next(flat)"),
    (NUM, "arr = num.to_numpy()\nnum.iloc[0] = [7., 8., 9.]\nnum.iloc[1:3, 1] = 6."),
    (NUM, "row = num.iloc[0]\nnum.iloc[0, 0] = 99\nrow.iloc[1] = 98"),
    (NUM, "num.eval('d = a + b', inplace=True)\narr = num['d'].to_numpy()\nnum.iloc[0, 3] = 99"),
)
"""A frame of one block, and who else sees its memory."""

SHARING = (
    (NUM, "other = num.copy(deep=False)\nnum.iloc[0, 0] = 99"),
    (NUM, "other = num[:]\nother.iloc[0, 0] = 99"),
    (NUM, "other = num[['a', 'b']]\nother.iloc[0, 0] = 99\nnum.iloc[1, 1] = 98"),
    (NUM, "other = num.rename(columns=str.upper)\nnum.iloc[0, 0] = 99\nother.iloc[1, 1] = 98"),
    (NUM, "other = pd.DataFrame(num)\nother.iloc[0, 0] = 99"),
    (NUM, "other = num.T\nnum.iloc[0, 1] = 99"),
    (NUM, "other = num.reset_index(drop=True)\nother.loc[0, 'a'] = 99"),
    (NUM, "col = num['a']\ncol.iloc[0] = 99\nnum.iloc[1, 0] = 98"),
    (NUM, "col = num['a']\ncol2 = col[:]\ncol2.iloc[0] = 99\ncol.iloc[1] = 98"),
    (NUM, "col = num['a']\nsame = num['a'] is col\ncol[1] = 7.\nseen = num.iloc[1, 0]"),
    (NUM, "num['copy'] = num['a']\nnum.loc[0, 'a'] = 99\nnum.loc[1, 'copy'] = 98"),
    (NUM, "other = num.set_index('a')\nnum.iloc[0, 0] = 99\nother.iloc[0, 0] = 98"),
    (NUM, "index = pd.Index(num['a'])\nnum.iloc[0, 0] = 99\nlabels = index.tolist()"),
    (NUM, "num['a'].iloc[0] = 99"),
    (NUM, "num['a'][0] = 99"),
    (NUM, "num[num.a > 2]['b'] = 5"),
    (NUM, "num['a'].fillna(0, inplace=True)"),
    (NUM, "part = num[num.a > 2]\npart['new'] = 1\npart.iloc[0, 0] = 5"),
    (
        NUM,
        "other = pd.concat([num, num], axis=1, copy=False) if 0 else pd.concat([num, num], axis=1)\n"
        "other.iloc[0, 0] = 9\nnum.iloc[1, 0] = 8",
    ),
    (f"{NUM}; other = num.copy(deep=False)", "num.iloc[0, 0] = 99\nother.iloc[0, 0] = 98"),
    (f"{NUM}; col = num['b']", "num.iloc[0, 1] = 99\ncol.iloc[1] = 98"),
    (f"{NUM}; arr = num.to_numpy()", "num.iloc[0, 0] = 99\nnum['d'] = 5.\nnum.iloc[1, 1] = 98"),
    (f"{NUM}; arr = num.to_numpy(); arr.setflags(write=True)", "arr[0, 0] = 99\nnum.iloc[1, 1] = 98"),
    (f"{ARR}; num = pd.DataFrame(arr, copy=False)", "arr[0, 0] = 99\nnum.iloc[1, 1] = 98"),
    (f"{ARR}; num = pd.DataFrame({{'a': arr[:, 0]}}, copy=False)", "arr[0, 0] = 99\nnum.iloc[1, 0] = 98"),
    ("arr = np.arange(3.); ser = pd.Series(arr, copy=False)", "ser.iloc[0] = 99\narr[1] = 98"),
    (
        "arr = np.arange(3.); ser = pd.Series(arr, copy=False); two = pd.Series(arr, copy=False)",
        "ser[0] = 9\ntwo[1] = 8",
    ),
    (SER, "arr = ser.to_numpy()\nser += 1\nser.iloc[0] = 9"),
    (SER, "arr = ser.values\nser.fillna(0, inplace=True)\nser[0] = 9."),
    (SER, "arr = np.asarray(ser)\nser.at[1] = 9.\nser.name = 'z'"),
    (SER, "other = ser.rename('o')\nother.iloc[0] = 9\nser.iloc[1] = 8"),
    (SER, "view = ser.iloc[1:]\nview.iloc[0] = 9\nser.iloc[2] = 8"),
    (SER, "frame = ser.to_frame()\nframe.iloc[0, 0] = 9\nser.iloc[1] = 8"),
)
"""Frames and columns that share memory with each other or with arrays."""

KINDS = (
    (MIX, "arr = mix['i'].to_numpy()\nmix.iloc[0, 0] = 99"),
    (MIX, "arr = mix[['i', 'j']].to_numpy()\nmix.loc[1, 'j'] = 99"),
    (MIX, "text = mix['t'].array\nmix.loc[0, 't'] = 'new'\nseen = list(text)"),
    (MIX, "text = mix['t'].to_numpy()\nmix.loc[0, 't'] = 'new'\nseen = list(text)"),
    (MIX, "mix['k'] = 1\nmix['m'] = 2\narr = mix['k'].to_numpy()\nmix.iloc[0, 4] = 99"),
    (MIX, "mix.loc[9] = [1, 2., 'q', 3]\narr = mix['f'].to_numpy()\nmix.iloc[0, 1] = 99"),
    (MIX, "for name in 'uvw': mix[name] = 1.5\ntotal = mix[list('uvw')].sum()\nmix.iloc[0, 5] = 9"),
    (OBJ, "arr = obj['o'].to_numpy()\nobj['o'].iloc[0].append(2)\nobj.iat[1, 0] = 'x'"),
    (
        "cat = pd.Series(pd.Categorical(['u', 'v', 'u']))",
        "codes = cat.cat.codes.to_numpy()\nvalues = cat.array\ncat.iloc[0] = 'v'",
    ),
    ("cat = pd.Categorical(['u', 'v'])", "ser = pd.Series(cat, copy=False)\ncat[0] = 'v'\nser.iloc[1] = 'u'"),
    (
        "tz = pd.Series(pd.date_range('2020', periods=3, tz='UTC'))",
        "values = tz.array\ntz.iloc[0] = tz.iloc[2]\nseen = str(values[0])",
    ),
    (
        "day = pd.Series(pd.date_range('2020', periods=3))",
        "arr = day.to_numpy()\nvalues = day.array\nday.iloc[0] = day.iloc[2]",
    ),
    ("dur = pd.Series(pd.to_timedelta([1, 2], unit='s'))", "arr = dur.to_numpy()\ndur.iloc[0] = dur.iloc[1]"),
    (
        "per = pd.Series(pd.period_range('2020', periods=3))",
        "values = per.array\nper.iloc[0] = per.iloc[2]\nseen = str(values[0])",
    ),
    ("null = pd.Series([1, None, 3], dtype='Int64')", "values = null.array\nnull.iloc[0] = 9\nseen = str(values[0])"),
    ("null = pd.array([1, None, 3], dtype='Int64')", "ser = pd.Series(null, copy=False)\nnull[0] = 9\nser.iloc[1] = 5"),
    (
        "flag = pd.DataFrame({'b': pd.array([True, None], dtype='boolean')})",
        "values = flag['b'].array\nflag.iloc[0, 0] = False",
    ),
    (
        "span = pd.Series(pd.interval_range(0, 3))",
        "values = span.array\nspan.iloc[0] = span.iloc[2]\nseen = str(values[0])",
    ),
    (
        "few = pd.Series(pd.arrays.SparseArray([0, 0, 1]))",
        "values = few.array\ndense = few.sparse.to_dense()\ndense.iloc[0] = 5",
    ),
    (
        "twice = pd.DataFrame(np.ones((2, 3)), columns=list('aab'))",
        "arr = twice.to_numpy()\ntwice['a'] = 5.\ntwice.iloc[0, 2] = 9",
    ),
    ("none = pd.DataFrame()", "none['a'] = [1, 2]\narr = none.to_numpy()\nnone.iloc[0, 0] = 9"),
    (
        "none = pd.DataFrame(columns=['a'], dtype=float)",
        "none.loc[0, 'a'] = 1.\narr = none.to_numpy()\nnone.iloc[0, 0] = 9",
    ),
    (
        "cube = pd.DataFrame(np.ones((4, 2)), "
        "index=pd.MultiIndex.from_product([[1, 2], ['a', 'b']], names=['p', 'q']))",
        "arr = cube.to_numpy()\ncube.loc[(1, 'a'), 0] = 9\ncube.index.names = ['x', 'y']",
    ),
    (NUM, "num.attrs['k'] = [1]\nother = num.copy(deep=False)\nnum.attrs['k'].append(2)\nseen = other.attrs"),
    (NUM, "num.flags.allows_duplicate_labels = False\nseen = num.flags.allows_duplicate_labels"),
    (NUM, "num.index.name = 'n'\nnum.index = list('wxyz')\nlabels = num.index\nnum.columns.name = 'c'"),
    (
        "days = pd.DataFrame({'v': [1., 2.]}, index=pd.date_range('2020', periods=2))",
        "days.index.freq = None\narr = days.to_numpy()\ndays.iloc[0, 0] = 9",
    ),
    (
        f"{NUM}; groups = num.groupby('a'); groups.sum()",
        "arr = num.to_numpy()\nseen = groups.sum().to_numpy().tolist()\nnum.iloc[0, 1] = 99\n"
        "more = groups['b'].sum().tolist()",
    ),
    (
        f"{NUM}; window = num.rolling(2)",
        "arr = num.to_numpy()\nnum.iloc[0, 1] = 99\nmore = window.sum().to_numpy().tolist()",
    ),
    (f"{SER}; groups = ser.groupby([1, 1, 2])", "ser.iloc[0] = 9\nseen = groups.sum().tolist()"),
    (
        "class Own(pd.DataFrame):\n  _metadata = ['crs']\n  @property\n  def _constructor(self): return Own\n"
        "own = Own({'a': [1., 2.]}); own.crs = ['x']",
        "arr = own.to_numpy()\nown.crs.append('y')\nown.iloc[0, 0] = 9\nother = own[:]\nown.crs = 5",
    ),
    (
        "index = pd.Index([3., 1.])",
        "arr = index.to_numpy()\nser = index.to_series()\nser.iloc[0] = 9\nindex.name = 'n'",
    ),
    (
        "index = pd.Index([3, 1]); values = index.values",
        "values.setflags(write=True)\nvalues[0] = 7\nseen = index.values.tolist()",
    ),
)
"""Every kind of column and label."""

ARRAYS = (
    (ARR, "part = arr[1:3]\nturned = arr.T\narr[1, 1] = 99\narr += 1"),
    (ARR, "part = arr[:, 1]\npart *= 2\nflat = arr.ravel()\nflat[0] = 7"),
    (ARR, "view = memoryview(arr)\narr[0, 0] = 99\nseen = view.tolist()"),
    (ARR, "arr.setflags(write=False)\nother = arr.view()\nfixed = other.flags.writeable"),
    (ARR, "arr.shape = (3, 4)\narr[0, 3] = 9"),
    ("raw = bytearray(16); arr = np.frombuffer(raw)", "arr[0] = 5\nraw[8:16] = raw[0:8]"),
    ("arr = np.arange(4.)", "arr.resize(6)\narr[5] = 1"),
    ("whole = np.zeros((1000, 100)); part = whole[5]", "part[:] = 3\nwhole[5, 1] = 4\nother = whole[5]"),
    ("whole = np.zeros((1000, 100)); part = whole[5]", "part.base[6] = 1\npart += 1"),
    (
        "rec = np.zeros(3, dtype=[('a', 'i4'), ('b', 'f8')]); row = rec[1]",
        "row['a'] = 5\nrec['b'] += 1\ncol = rec['b']",
    ),
    (
        "masked = np.ma.array([1., 2., 3.], mask=[0, 1, 0])",
        "data = masked.data\nmasked[0] = 5\nmasked[2] = np.ma.masked",
    ),
    ("cells = np.array([[1], {}, None], dtype=object)", "part = cells[:2]\ncells[0].append(2)\npart[1] = 5"),
)
"""Arrays without pandas."""

ARROW = (
    (
        (
            "text = pd.Series(['a', 'b'], dtype='string[pyarrow]')",
            "values = text.array\ntext.iloc[0] = 'z'\nseen = list(values)",
        ),
        (
            "nums = pd.Series([1, 2], dtype='int64[pyarrow]')",
            "values = nums.array\nnums.iloc[0] = 9\nseen = list(values)",
        ),
        (
            "lists = pd.DataFrame({'l': pd.Series(['a', 'b'], dtype='string[pyarrow]')})",
            "text = lists['l'].array\ntext[0] = 'z'\nseen = list(lists['l'])",
        ),
    )
    if importlib.util.find_spec("pyarrow")
    else ()
)
"""Columns whose memory is Arrow's, where that is installed."""

CELLS = tuple(Cell(*pair) for table in (ALIASES, SHARING, KINDS, ARRAYS, ARROW) for pair in table)

REBOUND = tuple(
    Cell(NUM, lines)
    for lines in (
        "other = num[:]\narr = np.asarray(other)\nnum = None\nother.iloc[0, 0] = 99",
        "other = num['a']\narr = np.asarray(other)\nnum = None\nother.iloc[0] = 99",
        "num = num.rename(columns=str.upper)\narr = num.to_numpy()\nnum.iloc[0, 0] = 99",
    )
)
"""What shares its data loses its name: a rollback may have to name it."""
