"""Kinds of objects of numpy, pandas, scikit-learn, scipy and matplotlib."""

from __future__ import annotations

from tests.property.kind import Kind

# A table: what makes one, what changes it, what looks at it, what it needs.
# fmt: off
_NP = ("import numpy as np",)
_PD = ("import numpy as np", "import pandas as pd")

NUMPY = (
    Kind("array", ("arr = np.arange(12.).reshape(3, 4)", "arr_too = arr", "view = arr[1:, ::2]"), (
        "arr += 1", "arr[0, 0] = 7", "view[:] = -1", "arr = arr * 2", "arr.sort(axis=0)", "np.add(arr, 1, out=arr)", "arr[arr > 5] = 0", "view *= 3",
        "arr.T[0] = 5", "arr.flat[2] = 99", "np.copyto(arr, 3)", "arr.fill(1)", "np.put(arr, [0], 4)", "rav = arr.ravel(); rav[0] = 8", "arr.ravel()[1] = 2",
        "arr.setflags(write=False); arr = arr.copy()", "np.fill_diagonal(arr, 6)", "arr.shape = (4, 3); arr.shape = (3, 4)", "for row in arr: row[0] = 1", "arr[:, 1] += arr[:, 0]",
        "view.base[0, 1] = 55", "np.random.default_rng(3).shuffle(arr)", "np.clip(arr, 0, 3, out=view.base)", "np.ufunc.at(np.add, arr, (0, 0), 1)", "arr.partition(1)", "arr.byteswap(inplace=True)",
    ), ("arr.shape", "arr.sum()", "arr.mean(axis=0)", "arr[0]", "np.dot(arr, arr.T)"), _NP),
    Kind("array flags", ("fixed = np.ones(3)", "fixed_view = fixed.view()", "fort = np.asfortranarray(np.arange(6).reshape(2, 3))"), (
        "fixed.setflags(write=False)", "fixed.flags.writeable = True", "fixed_view.flags.writeable = False", "fort[0] = 9", "fort = np.ascontiguousarray(fort)", "fort = fort.T", "fixed = fixed_view",
        "fort.dtype = 'float64' if fort.itemsize == 8 else fort.dtype",
    ), ("fixed.flags.writeable",), _NP),
    Kind("object array", ("obj = np.array([[1], {'a': 1}, None], dtype=object)",), (
        "obj[0] = [5]", "obj[1]['b'] = 2", "obj[2] = obj", "obj[::-1][0] = 'z'", "obj = np.array([o for o in obj] , dtype=object)",
    ), ("obj.shape",), _NP),
    Kind("resized array", ("siz = np.arange(4.)",), ("siz.resize(6, refcheck=False)", "siz[0] = 9", "siz = np.append(siz, 1)", "siz.resize(2, refcheck=False)"), ("siz.size",), _NP),
    Kind("structured", ("rcd = np.zeros(3, dtype=[('a', 'i4'), ('b', 'f8')])", "rrow = rcd[1]", "rarr = rcd.view(np.recarray)"), (
        "rcd['a'] = 5", "rrow['b'] = 2.5", "rarr.a[0] = 9", "rcd[0] = (1, 2)", "rcd.dtype.names = ('x', 'b') if rcd.dtype.names[0] == 'a' else ('a', 'b')", "rcd.sort(order='b')",
    ), ("rcd.dtype.names",), _NP),
    Kind("masked array", ("msk = np.ma.array([1., 2., 3.], mask=[0, 1, 0])",), (
        "msk[0] = 5", "msk[2] = np.ma.masked", "msk.mask = False", "msk += 1", "msk.fill_value = 7", "msk.data[1] = 44", "msk.harden_mask()", "msk.soften_mask()",
    ), ("msk.sum()",), _NP),
    Kind("array subclass", ("class Tagged(np.ndarray):\n    def __array_finalize__(self, o): self.tag = getattr(o, 'tag', [])", "tg = np.zeros(3).view(Tagged)"), (
        "tg.tag.append(1)", "tg[0] = 2", "tg.tag = ['new']", "part_t = tg[:2]; part_t[0] = 3", "tg += 1",
    ), ("tg.sum()",), _NP),
    Kind("numpy random", ("rng = np.random.default_rng(1)", "legacy = np.random.RandomState(2)", "bits = np.random.PCG64(3)", "seq = np.random.SeedSequence(4)", "child_r = np.random.Generator(bits)"), (
        "rng.random()", "rng.normal(size=2)", "legacy.rand()", "np.random.rand()", "np.random.seed(7)", "seq.spawn(1)", "child_r.integers(5)", "bits.random_raw()", "rng.shuffle([1, 2, 3])", "x_r = rng.integers(9, size=2)",
        "rng = np.random.default_rng(5)", "rng.bit_generator.state = np.random.default_rng(8).bit_generator.state", "spawned = rng.spawn(1)[0]", "np.random.shuffle(np.arange(3))", "rng.permutation(3)", "legacy.seed(4)",
        "draws = [rng.choice([1, 2]) for _ in range(2)]",
    ), (), _NP),
    Kind("numpy settings", ("np.seterr(all='warn')",), (
        "np.seterr(over='ignore')", "np.set_printoptions(precision=3)", "with np.errstate(divide='ignore'): pass", "np.setbufsize(8192 * 2)", "np.mine_np = 1",
    ), (), _NP),
    Kind("numpy iterators", ("itb = np.arange(12)", "flt = itb.flat", "ndi = np.nditer(itb)", "nde = np.ndenumerate(itb)", "ndx = np.ndindex(3, 2)", "bcs = np.broadcast(itb, 1)"), (
        "next(flt)", "next(ndi)", "next(nde)", "next(ndx)", "next(bcs)", "flt[0] = 5", "ndi.iternext()", "ndi.reset()", "bcs.reset()",
    ), ("flt.index",), _NP),
    Kind("memmap", ("mpm = np.memmap('mm.dat', dtype='i4', mode='w+', shape=4)", "frb = np.frombuffer(bytearray(8), dtype='i4')"), (
        "mpm[0] = 5", "mpm.flush()", "frb[0] = 3", "mpm += 1",
    ), ("mpm.shape",), _NP),
    Kind("poly and vectorize", ("poly = np.poly1d([1, 2, 3])", "vcalls = []", "vec = np.vectorize(lambda v: vcalls.append(v) or v)"), (
        "poly[0] = 9", "vec([1, 2])", "poly.coeffs[0] = 4", "np.apply_along_axis(lambda r: vcalls.append(len(r)) or 0, 0, np.ones((2, 2)))", "np.frompyfunc(vcalls.append, 1, 1)([7])", "vec.extra = 1",
    ), ("poly(1)",), _NP),
)

PANDAS = (
    Kind("frame", ("df = pd.DataFrame({'a': [3., 1., 2.], 'b': ['x', 'y', 'z'], 'c': [1, 2, 3]})", "df_too = df"), (
        "df['d'] = df['a'] * 2", "df.loc[0, 'a'] = 9", "df.iloc[1, 2] = 7", "df.drop(columns='c', inplace=True, errors='ignore')", "df.columns = [c.lower() for c in df]", "df.index.name = 'n'", "df.attrs['k'] = [1]",
        "df.sort_values('a', inplace=True)", "df = df.sort_values('a')", "df.insert(0, 'i' + str(df.shape[1]), 1)", "df['a'] += 1", "df.rename(columns={'c': 'cc'}, inplace=True)", "df.reset_index(drop=True, inplace=True)",
        "df.loc[len(df)] = df.iloc[0]", "df = df.assign(e=1)", "df.set_index(df.index + 1, inplace=True)", "df.pop(df.columns[-1])", "df.at[df.index[0], 'b'] = 'q'", "df.eval('f = a + 1', inplace=True)", "df.fillna(0, inplace=True)",
        "df['b'] = df['b'].astype('category')", "df.flags.allows_duplicate_labels = True", "df[df['a'] > 1] = df", "del df['b']; df['b'] = 'w'", "df.update(pd.DataFrame({'a': [5.]}))", "df.a = df.a + 1", "df.attrs = {'x': 1}",
        "df.index = pd.RangeIndex(len(df))", "df.mask(df['a'] > 2, inplace=True)", "df.T.iloc[0, 0]", "df.apply(lambda col: col)", "df['g'] = df.groupby('b')['a'].transform('sum')",
    ), ("df.shape", "df['a'].sum()", "df.head(1)", "df.describe()", "df.dtypes", "df is df_too"), _PD),
    Kind("series", ("ser = pd.Series([3, 1, 2], index=list('xyz'), name='s')", "ser_too = ser"), (
        "ser['x'] = 9", "ser.iloc[1] = 5", "ser.name = 'renamed'", "ser += 1", "ser.sort_values(inplace=True)", "ser = ser.sort_index()", "ser['new'] = 4", "ser.index.name = 'i'", "ser.attrs['u'] = 1", "ser.replace(5, 6, inplace=True)", "ser.index = list('pqrstuvw')[:len(ser)]",
        "ser.drop(ser.index[0], inplace=True); ser['x'] = 1",
    ), ("ser.sum()", "ser.index"), _PD),
    Kind("frame and array", ("nums = pd.DataFrame(np.arange(6.).reshape(3, 2), columns=['p', 'q'])", "as_arr = nums.to_numpy()", "col_p = nums['p']", "src_a = np.arange(3.)", "from_a = pd.Series(src_a, copy=False)"), (
        "nums.iloc[0, 0] = 99", "nums['p'] *= 2", "col_p.iloc[0] = -1", "src_a[0] = 42", "from_a.iloc[1] = 8", "nums.loc[:, 'q'] = 3", "as_arr = nums.to_numpy(copy=True); as_arr[0] = 1", "nums.values.flags.writeable", "nums2 = nums.copy(deep=False); nums2.iloc[0, 0] = 3",
        "np_v = nums['q'].to_numpy(); nums.iloc[1, 1] = 5", "nums += 1", "part_n = nums.iloc[:2]; nums.iloc[0] = 0",
    ), ("as_arr[0, 0]", "nums.sum()"), _PD),
    Kind("extension arrays", ("mixed = pd.DataFrame({'o': pd.Series([[1], {}], dtype=object), 'k': pd.Categorical(['u', 'v']), 'i': pd.array([1, None], dtype='Int64'), 't': pd.to_datetime(['2020-01-01', '2021-01-01']), 's': pd.array(['a', 'b'], dtype='string')})",
        "catg = pd.Categorical(['a', 'b', 'a'])", "ints = pd.array([1, 2, None], dtype='Int64')", "dates = pd.array(pd.to_datetime(['2020-01-01']))"), (
        "mixed['o'].iloc[0].append(1)", "mixed.loc[0, 'k'] = 'v'", "mixed['i'].array[0] = 99", "catg[0] = 'b'", "ints[2] = 7", "mixed.loc[1, 's'] = 'zz'", "mixed['t'] += pd.Timedelta(1, 'D')", "dates[0] = pd.Timestamp('1999-01-01')",
        "mixed['k'] = mixed['k'].cat.add_categories('n' + str(len(mixed['k'].cat.categories)))", "ints += 1", "mixed.at[0, 'o'] = (1, 2)",
    ), ("len(ints)",), _PD),
    Kind("index", ("idx = pd.Index([1, 2, 3], name='n')", "mi = pd.MultiIndex.from_product([['a', 'b'], [1, 2]], names=['l', 'm'])", "on_idx = pd.Series([1, 2, 3], index=idx)"), (
        "idx.name = 'm'", "idx = idx.append(pd.Index([4]))", "mi.names = ['p', 'q']", "on_idx.index.name = 'z'", "idx.names = ['w']", "on_idx.rename_axis('v', inplace=True)", "mi = mi.swaplevel()",
    ), ("idx.size",), _PD),
    Kind("groupby", ("gdf = pd.DataFrame({'g': list('aab'), 'v': [1, 2, 3]})", "gby = gdf.groupby('g')", "rol = gdf['v'].rolling(2)", "gcalls = []"), (
        "gby['v'].sum()", "gby['v'].apply(lambda p: gcalls.append(len(p)) or 1)", "gdf.loc[0, 'v'] = 50", "rol.sum()", "gdf['v'].map(gcalls.append)", "gdf.apply(lambda r: gcalls.append(r.name), axis=1)",
        "gdf.pipe(lambda d: d.__setitem__('w', 1))", "[part.shape for _, part in gby]", "gdf.agg({'v': lambda c: gcalls.append('agg') or 0})", "gdf['v'].apply(gcalls.append)", "gdf.groupby('g').filter(lambda p: gcalls.append('f') or True)", "gdf.sort_values('v', key=lambda s: gcalls.append('k') or s)",
        "gdf.loc[lambda d: gcalls.append('l') or d['v'] > 0]", "gdf.assign(z=lambda d: gcalls.append('z') or 1)",
    ), ("gby.ngroups",), _PD),
    Kind("chunk reader", ("rdr = pd.read_csv(io.StringIO('a,b\\n' + '1,2\\n' * 20), chunksize=3)", "jrd = pd.read_json(io.StringIO('{\"a\": 1}\\n' * 20), lines=True, chunksize=2)"), (
        "next(rdr)", "rdr.get_chunk(2)", "next(jrd)", "for chunk in rdr: break", "chunk_sum = rdr.get_chunk(1).sum().sum()",
    ), (), (*_PD, "import io")),
    Kind("frame iterators", ("idf = pd.DataFrame({'a': range(20)})", "itr = idf.iterrows()", "itt = idf.itertuples()", "iti = idf.items()", "its = iter(idf['a'])"), (
        "next(itr)", "next(itt)", "next(its)", "i_row, row_s = next(itr)", "row_s2 = next(itr)[1]; row_s2['a'] = 5", "idf.loc[0, 'a'] = 100",
    ), (), _PD),
    Kind("pandas settings", ("pd.set_option('display.max_rows', 50)",), (
        "pd.set_option('display.max_rows', pd.get_option('display.max_rows') + 1)", "with pd.option_context('display.width', 60): pass", "pd.options.display.precision = 3", "pd.reset_option('display.max_rows')",
        "@pd.api.extensions.register_series_accessor('acc' + str(len(pd.Series._accessors)))\nclass Accs:\n    def __init__(self, s): pass", "pd.mine_pd = 1",
    ), (), _PD),
    Kind("frame in containers", ("frames = {'one': pd.DataFrame({'a': [1]}), 'two': pd.DataFrame({'b': [2.]})}", "class HasFrame:\n    def __init__(self): self.df = pd.DataFrame({'m': [1, 2]}); self.hist = []\n    def step(self): self.df.loc[0, 'm'] += 1; self.hist.append(self.df['m'].sum()); return self", "hasf = HasFrame()"), (
        "frames['one'].loc[0, 'a'] = 5", "frames['three'] = frames['one'].copy()", "hasf.step()", "hasf.df = hasf.df.assign(n=1)", "for fr in frames.values(): fr['z'] = 1", "[fr.insert(0, 'i' + str(fr.shape[1]), 0) for fr in frames.values()]", "hasf.df['m'].array[0] = 33",
    ), ("len(frames)",), _PD),
)

SCIENCE = (
    Kind("sklearn estimator", ("X = np.arange(20.).reshape(10, 2)", "y = (X[:, 0] > 8).astype(int)", "clf = DecisionTreeClassifier(random_state=0)", "lin = LinearRegression()", "sgd = SGDClassifier(random_state=np.random.RandomState(1))"), (
        "clf.fit(X, y)", "lin.fit(X, y)", "clf.set_params(max_depth=2)", "lin.fit(X, y).coef_[0] = 5", "sgd.partial_fit(X, y, classes=[0, 1])", "clf.note = [1]", "X[0] = 100", "pred = lin.fit(X, y).predict(X)", "clf.fit(X[:5], [0, 1, 0, 1, 1])", "clone_l = clone(lin)",
        "clf.fit(X, y).tree_.threshold[:] = 3",
    ), ("clf.max_depth",), ("import numpy as np", "from sklearn.base import clone", "from sklearn.linear_model import LinearRegression, SGDClassifier", "from sklearn.tree import DecisionTreeClassifier")),
    Kind("sklearn pipeline", ("Xp = np.arange(12.).reshape(6, 2)", "pipe = make_pipeline(StandardScaler(), KMeans(2, n_init=1, random_state=0))", "fold = iter(KFold(3, shuffle=True, random_state=0).split(Xp))", "ipca = IncrementalPCA(1)", "vecz = CountVectorizer()", "scl = StandardScaler()"), (
        "pipe.fit(Xp)", "next(fold, None)", "pipe.set_params(kmeans__n_clusters=3)", "pipe[0].fit(Xp)", "ipca.partial_fit(Xp)", "vecz.fit(['a bb', 'cc dd'])", "Xp = pipe[0].fit_transform(Xp)", "scl.partial_fit(Xp)", "sklearn.set_config(assume_finite=True)", "pipe.steps.append(('noop', 'passthrough')) if len(pipe.steps) < 3 else None",
        "with sklearn.config_context(display='text'): pass", "scl.fit(Xp).mean_[0] = 1", "best = GridSearchCV(KMeans(2, n_init=1, random_state=0), {'n_clusters': [2]}, cv=2).fit(Xp).best_params_",
    ), ("len(pipe)",), ("import numpy as np", "import sklearn", "from sklearn.cluster import KMeans", "from sklearn.decomposition import IncrementalPCA", "from sklearn.feature_extraction.text import CountVectorizer", "from sklearn.model_selection import GridSearchCV, KFold", "from sklearn.pipeline import make_pipeline", "from sklearn.preprocessing import StandardScaler")),
    Kind("scipy", ("sp = sparse.csr_matrix(np.eye(3))", "lil = sparse.lil_matrix((3, 3))", "dok = sparse.dok_matrix((2, 2))", "kd = spatial.cKDTree(np.arange(6.).reshape(3, 2))", "frz = stats.norm(0, 1)", "spl = interpolate.CubicSpline([0, 1, 2], [0, 1, 4])", "dln = spatial.Delaunay(np.array([[0., 0], [0, 1.1], [1, 0], [1.2, 1.3]]), incremental=True)", "ode = integrate.RK45(lambda t, v: -v, 0, [1.], 5)", "ode.step()"), (
        "sp.data[0] = 5", "lil[0, 1] = 2", "dok[0, 0] = 1", "sp = sp * 2", "frz.random_state = 3; frz.rvs()", "spl.c[0] = 1", "dln.add_points(np.array([[0.5, 0.5 + len(dln.points) / 100]]))", "ode.step()", "sp.sort_indices()", "sp.eliminate_zeros()", "sp.data *= 2",
        "lil.rows[0].append(2); lil.data[0].append(1.0)",
    ), ("sp.nnz",), ("import numpy as np", "from scipy import integrate, interpolate, sparse, spatial, stats")),
)

_PLT = ("import matplotlib.pyplot as plt", "import numpy as np")
MATPLOTLIB = (
    Kind("figure", ("fig, ax = plt.subplots()", "line, = ax.plot([1, 2, 3], label='l')"), (
        "ax.plot([3, 1])", "ax.set_title('t')", "ax.set_xlim(0, 5)", "line.set_ydata([5, 6, 7])", "line.set_color('red')", "ax.legend()", "ax.bar([1, 2], [3, 4])", "ax.scatter([1], [2])", "ax.text(0, 0, 'hi')", "fig.suptitle('s')", "ax.cla()", "ax.lines and ax.lines[0].set_linewidth(3)",
        "ax.set_yscale('log')", "ax.imshow(np.ones((2, 2)))", "ax.axhline(1)", "ax.annotate('n', (1, 1))", "ax.grid(True)", "fig.set_size_inches(3, 2)", "ax2 = ax.twinx(); ax2.plot([9])", "len(ax.lines) > 1 and ax.lines[-1].remove()", "ax.fill_between([1, 2], [1, 2])", "ax.invert_yaxis()", "ax.tick_params(labelsize=5)",
        "ax.hist([1, 2, 2])", "ax.set(xlabel='x', ylabel='y')", "ax.spines['top'].set_visible(False)", "fig.add_axes([0.1, 0.1, 0.2, 0.2])", "ax.xaxis.set_major_locator(plt.MaxNLocator(3))", "ax.margins(0.2)", "ax.relim(); ax.autoscale_view()", "line.set_label('q')", "ax.set_xticks([1, 2], ['a', 'b'])",
        "fig.colorbar(ax.imshow(np.eye(2)))", "ax.add_patch(plt.Circle((0, 0), 1))", "ax.errorbar([1], [2], yerr=[1])", "ax.pie([1, 2])", "ax.boxplot([1, 2, 3])", "fig.canvas.mpl_connect('draw_event', print)", "fig.clf(); ax = fig.add_subplot(); line, = ax.plot([1])",
    ), ("len(ax.lines)", "ax.get_title()", "ax.get_xlim()"), _PLT),
    Kind("pyplot state", ("plt.figure('main')", "plt.plot([1, 2])"), (
        "plt.plot([2, 3])", "plt.title('now')", "plt.figure()", "plt.figure('main')", "plt.xlabel('lab')", "plt.subplot(1, 2, 1)", "plt.close('all'); plt.plot([1])", "fnew, axes = plt.subplots(1, 2)", "plt.clf()", "plt.savefig('plot.png')", "plt.xticks([0, 1])", "plt.gca().set_facecolor('blue')", "plt.cla()", "plt.ylim(0, 9)",
    ), ("plt.gcf().number > 0",), _PLT),
    Kind("matplotlib settings", ("old_rc = plt.rcParams['lines.linewidth']",), (
        "plt.rcParams['lines.linewidth'] += 1", "plt.style.use('ggplot')", "plt.rc('font', size=9)", "with plt.rc_context({'axes.grid': True}): plt.rcParams['lines.color']", "plt.rcParams.update({'figure.dpi': 90})", "matplotlib.colormaps.register(matplotlib.colors.ListedColormap(['r'], name='mine' + str(len(matplotlib.colormaps))))",
        "plt.ion()", "plt.rcdefaults()", "matplotlib.rcParamsDefault_mine = 1", "matplotlib.units.registry[complex] = None",
    ), (), ("import matplotlib", *_PLT)),
)
