"""Cells whose results depend on who else holds an object's memory."""

from __future__ import annotations

PRELUDE = "import array, sys\nimport numpy as np, pandas as pd"

BUFFERS: dict[str, tuple[str, ...]] = {
    "an array that resizes itself": ("a = np.arange(6)\na.resize(3)\nprint(a)\na.resize((2, 2))\nprint(a)", "a.resize(8)\nprint(a)", "b = a\ntry: a.resize(2)\nexcept ValueError: print('refused')\ndel b\na.resize(1)\nprint(a)"),
    "np.resize": ("a = np.arange(3)\nprint(np.resize(a, 7))\na = np.resize(a, (2, 3))\nprint(a, a.base is None)",),
    "a resize with refcheck after a read": ("a = np.zeros(4)\nprint(a.sum(), a.shape)\nn = len(a)\na.resize(n * 2)\nprint(a.shape)\nv = a[:2]\ndel v\na.resize(3)\nprint(a)",),
    "a bytearray with exports": ("b = bytearray(b'abc')\nv = memoryview(b)\ntry: b.append(1)\nexcept BufferError as e: print(e)\nv.release()\nb.append(100)\nprint(b)", "b.extend(b'xyz')\nb[1:3] = b''\nprint(b)\nb.clear()\nprint(b)"),
    "a bytearray over cells": ("b = bytearray(5)", "b[0] = 1", "b += b'more'\nprint(b)", "del b[2:]\nprint(b)\nv = memoryview(b)\nv[0] = 9\ndel v\nb.pop()\nprint(b)"),
    "an array.array with exports": ("a = array.array('i', [1, 2])\nv = memoryview(a)\nv[0] = 5\ntry: a.append(3)\nexcept BufferError as e: print(e)\ndel v\na.append(3)\nprint(a)", "a.extend([4])\nprint(a.pop(), a)"),
    "a BytesIO's buffer": ("import io\nb = io.BytesIO(b'abc')\nv = b.getbuffer()\ntry: b.write(b'x' * 9)\nexcept BufferError as e: print(e)\ndel v\nb.write(b'x' * 9)\nprint(b.getvalue())",),
    "a memoryview's base": ("b = bytearray(4)\nv = memoryview(b).cast('B')\nw = v[1:3]\nw[0] = 7\nprint(b, w.obj is b)\nw.release()\nv.release()\nb.clear()\nprint(b)",),
    "a view of a Series' values": ("num = pd.DataFrame({'a': [1, 2], 'b': [3, 4]})\narr = num.to_numpy()\nnum.iloc[0, 0] = 99\nprint(arr[0, 0], np.shares_memory(arr, num.to_numpy()))", "print(arr, num)"),
    "values taken before, written after in another cell": ("f = pd.DataFrame({'a': [1.0, 2.0]})\narr = f['a'].to_numpy()", "f.iloc[0, 0] = 5.0\nprint(arr)", "f.loc[1, 'a'] = 6.0\nprint(arr, f.a.tolist())"),
    "values that are unlocked": ("s = pd.Series([1, 2, 3])\na = s.to_numpy()\nprint(a.flags.writeable)\na.flags.writeable = True\na[0] = 9\nprint(s.tolist())", "s.iloc[1] = 8\nprint(a)\na.setflags(write=True)\na[2] = 7\nprint(s.tolist())"),
    "a Series over an array": ("arr = np.arange(3)\ns = pd.Series(arr, copy=False)\narr[0] = 9\nprint(s.tolist())", "s.iloc[1] = 8\nprint(arr)\narr[2] = 7\nprint(s.tolist())"),
    "a frame over an array": ("arr = np.zeros((2, 2))\nf = pd.DataFrame(arr, copy=False)\narr[0, 0] = 1\nprint(f)", "f.iloc[1, 1] = 5\nprint(arr)\nf += 1\nprint(arr)"),
    "Arrow strings": ("s = pd.Series(['a', 'b'])\na = s.array\ns.iloc[0] = 'z'\nprint(list(a), s.tolist())", "a[1] = 'y'\nprint(s.tolist())"),
    "an extension array": ("s = pd.Series([1, None], dtype='Int64')\na = s.array\ns.iloc[0] = 5\nprint(list(a))\nc = pd.Categorical(['a', 'b'])\nt = pd.Series(c, copy=False)\nt.iloc[0] = 'b'\nprint(list(c))",),
    "a column and its frame": ("f = pd.DataFrame({'a': [1, 2]})\nc = f['a']\nc.iloc[0] = 9\nprint(f.a.tolist(), c.tolist())", "f.loc[0, 'a'] = 7\nprint(c.tolist())\nv = f.values\nf.iloc[0, 0] = 3\nprint(v)"),
    "a frame that is written in place": ("f = pd.DataFrame({'a': [1.0, 2.0]})\nbefore = f['a'].to_numpy().__array_interface__['data'][0]\nf.iloc[0, 0] = 5.0\nprint(f['a'].to_numpy().__array_interface__['data'][0] == before)", "f['a'] *= 2\nf.fillna(0, inplace=True)\nf.iloc[1, 0] = 7.0\nprint(f)", "at = f['a'].to_numpy().__array_interface__['data'][0]\nf.iloc[0, 0] = 1.0\nprint(f['a'].to_numpy().__array_interface__['data'][0] == at)"),
    "copies and views of a frame": ("f = pd.DataFrame({'a': [1, 2]})\ng = f.copy(deep=False)\ng.iloc[0, 0] = 9\nprint(f.a.tolist(), g.a.tolist())\nh = f.copy()\nh.iloc[0, 0] = 8\nprint(np.shares_memory(f['a'], f['a'].to_numpy()))",),
    "an index": ("i = pd.Index([1, 2, 3])\na = i.to_numpy()\nf = pd.DataFrame({'x': [1, 2, 3]}, index=i)\nf.index.name = 'n'\nprint(i.name, np.shares_memory(a, f.index.to_numpy()))\nf.columns = ['y']\nprint(list(f))",),
    "views of an array": ("a = np.arange(6)\nv = a[::2]\nv[0] = 9\nprint(a)\nr = a.reshape(2, 3)\nr[1] = 0\nprint(a, r.base is a)\na = a + 1\nprint(v, r)", "v += 1\nprint(r)\nprint(v.base is r.base, v.flags.owndata)"),
    "an array that is locked": ("a = np.arange(3)\na.flags.writeable = False\ntry: a[0] = 1\nexcept ValueError as e: print(e)\na.flags.writeable = True\na[0] = 5\nprint(a)", "v = a[:]\nv.setflags(write=False)\nprint(v.flags.writeable, a.flags.writeable)"),
    "arrays and their bytes": ("a = np.frombuffer(bytearray(b'abcd'), dtype='u1')\nb = a.base\na[0] = 0\nprint(b)\ns = np.frombuffer(b'ab', dtype='u1')\nprint(s.flags.writeable)\nprint(np.asarray(memoryview(b))[1])",),
    "an array of objects": ("class O:\n    def __del__(self): print('ends')\na = np.array([O(), O()], dtype=object)\na[0] = None\nprint('set')\na = None\nprint('end')",),
    "structured and masked arrays": ("a = np.zeros(2, dtype=[('x', int), ('y', float)])\nr = a[0]\na['x'] = [1, 2]\nprint(r)\nr['y'] = 5\nprint(a)\nm = np.ma.masked_array([1, 2, 3], mask=[0, 1, 0])\nm[0] = np.ma.masked\nprint(m, m.mask)",),
    "in-place operations on shared memory": ("a = np.ones(3)\nb = a\na += 1\nprint(b)\na = a * 2\nprint(b)\nnp.add(a, 1, out=b)\nprint(b)\na.sort()\nb[:] = a[::-1]\nprint(b)\nnp.copyto(a, b)",),
    "an iterator over an array": ("a = np.arange(3)\nit = np.nditer(a, op_flags=['readwrite'])\nfor x in it: x[...] = x * 2\nprint(a)\nf = a.flat\nnext(f)\nprint(f.index, next(f))",),
    "readers in pieces": ("open('r.csv', 'w').write('a\\n1\\n2\\n3\\n')\nr = pd.read_csv('r.csv', chunksize=1)\nprint(next(r).a.tolist())", "print(next(r).a.tolist())", "print([c.a.tolist() for c in r])\nr.close()"),
    "a groupby and a rolling window": ("f = pd.DataFrame({'k': [1, 1, 2], 'v': [1., 2., 3.]})\ng = f.groupby('k')\nf.loc[0, 'v'] = 10.\nprint(g.v.sum().tolist())\nw = f.v.rolling(2)\nf.loc[1, 'v'] = 20.\nprint(w.sum().tolist())",),
    "an estimator that goes on": ("from sklearn.linear_model import SGDRegressor\nm = SGDRegressor(random_state=0)\nX = np.arange(8.).reshape(4, 2) / 8\nm.partial_fit(X, X.sum(1))\nc = m.coef_\nm.partial_fit(X, X.sum(1))\nprint(m.coef_, c is m.coef_)", "m.partial_fit(X, X.sum(1))\nprint(m.t_, m.coef_)"),
    "sparse matrices": ("import scipy.sparse as sp\nm = sp.csr_matrix([[1, 0], [0, 2]])\nd = m.data\nm.data[0] = 5\nprint(d, m.toarray())\nm = m * 2\nprint(d)\nl = sp.lil_matrix((2, 2))\nl[0, 1] = 3\nprint(l.toarray())",),
}  # fmt: skip
