"""What pandas, matplotlib, scipy and scikit-learn keep: registries, readers, steppers; what of them is still."""

from __future__ import annotations

import pytest

from tests.state.halves.half import Half, check, check_read, halves

pytest.importorskip("pandas")
pytest.importorskip("matplotlib").use("agg")
pytestmark = pytest.mark.filterwarnings("ignore")

CSV = "import io, pandas as pd\ntext = io.StringIO('a,b\\n' + '1,2\\n' * 9)\n"
PLT = "import matplotlib as mpl, matplotlib.pyplot as plt\n"


@halves(
    Half("read_csv in chunks", CSV + "it = pd.read_csv(text, chunksize=2)", "next(it)", named="it"),
    Half("read_csv as an iterator", CSV + "it = pd.read_csv(text, iterator=True)", "it.get_chunk(3)", named="it"),
    Half(
        "read_csv in chunks with the Python engine",
        CSV + "it = pd.read_csv(text, chunksize=2, engine='python')",
        "next(it)",
        "it._currow",
    ),
    Half(
        "read_json in lines",
        "import io, pandas as pd\nit = pd.read_json(io.StringIO('{\"a\":1}\\n' * 4), lines=True, chunksize=1)",
        "next(it)",
        "it.nrows_seen",
    ),
    Half(
        "an iterator over rows",
        "import pandas as pd\nit = pd.DataFrame({'a': [1, 2]}).iterrows()",
        "next(it)",
        named="it",
    ),
    Half(
        "an iterator over tuples",
        "import pandas as pd\nit = pd.DataFrame({'a': [1, 2]}).itertuples()",
        "next(it)",
        named="it",
    ),
    Half(
        "an accessor of frames",
        "import pandas as pd\nclass A:\n    def __init__(self, o): pass",
        "pd.api.extensions.register_dataframe_accessor('mine')(A)",
        "hasattr(pd.DataFrame, 'mine'), 'mine' in pd.DataFrame._accessors",
    ),
    Half(
        "an accessor of columns",
        "import pandas as pd\nclass A:\n    def __init__(self, o): pass",
        "pd.api.extensions.register_series_accessor('mine')(A)",
        "hasattr(pd.Series, 'mine')",
    ),
    Half(
        "a dtype of one's own",
        "import pandas as pd\nfrom pandas.core.dtypes.base import _registry\n"
        "class D(pd.api.extensions.ExtensionDtype): name = 'mine'",
        "pd.api.extensions.register_extension_dtype(D)",
        "len(_registry.dtypes)",
    ),
    Half(
        "a method put on DataFrame",
        "import pandas as pd",
        "pd.DataFrame.mine = lambda self: 1",
        "hasattr(pd.DataFrame, 'mine')",
    ),
    Half("a function of pandas that is replaced", "import pandas as pd", "pd.read_csv = print", "pd.read_csv is print"),
    Half(
        "an option", "import pandas as pd", "pd.set_option('display.max_rows', 7)", "pd.get_option('display.max_rows')"
    ),
    Half(
        "an option through attributes",
        "import pandas as pd",
        "pd.options.display.max_rows = 7",
        "pd.get_option('display.max_rows')",
    ),
)
def test_what_pandas_keeps_is_put_back_or_named(half: Half) -> None:
    check(half)


@halves(
    Half(
        "a colormap",
        PLT,
        "mpl.colormaps.register(mpl.colormaps['viridis'].copy(), name='mine')",
        "'mine' in mpl.colormaps",
    ),
    Half(
        "a colormap through pyplot alone",
        "import matplotlib.pyplot as plt",
        "plt.colormaps.register(plt.get_cmap('viridis').copy(), name='mine')",
        "'mine' in plt.colormaps",
    ),
    Half("a sequence of colors", PLT, "mpl.color_sequences.register('mine', ['r'])", "'mine' in mpl.color_sequences"),
    Half(
        "a name of a color",
        PLT + "import matplotlib.colors as c",
        "c.get_named_colors_mapping()['mine'] = 'r'",
        "'mine' in c.get_named_colors_mapping()",
    ),
    Half(
        "units",
        PLT + "import matplotlib.units as u\nclass A: pass",
        "u.registry[A] = u.ConversionInterface()",
        "len(u.registry)",
    ),
    Half(
        "a projection",
        PLT + "import matplotlib.projections as p\nclass A(plt.Axes): name = 'mine'",
        "p.register_projection(A)",
        "'mine' in p.get_projection_names()",
    ),
    Half(
        "a scale",
        PLT + "import matplotlib.scale as s\nclass A(s.LinearScale): name = 'mine'",
        "s.register_scale(A)",
        "'mine' in s.get_scale_names()",
    ),
    Half("a style", PLT, "plt.style.library['mine'] = {}", "'mine' in plt.style.library"),
    Half("a style that is used", PLT, "plt.style.use('ggplot')", "dict(mpl.rcParams)"),
    Half("rcParams", PLT, "plt.rc('lines', linewidth=9)", "mpl.rcParams['lines.linewidth']"),
    Half(
        "a writer of animations",
        PLT + "import matplotlib.animation as an",
        "an.writers.register('mine')(object)",
        "'mine' in an.writers._registered",
    ),
    Half(
        "the number of the next callback",
        PLT + "fig = plt.figure()",
        "fig.canvas.mpl_connect('draw_event', print)",
        "fig.canvas.callbacks._cid_gen",
    ),
    Half(
        "a default of a class of artists",
        PLT + "from matplotlib.lines import Line2D",
        "Line2D.zorder = 9",
        "Line2D.zorder",
    ),
)
def test_a_registry_of_matplotlib_is_put_back(half: Half) -> None:
    check(half)


INTEGRATE = "import numpy as np, scipy.integrate, scipy.stats, scipy.interpolate, scipy.spatial, scipy.sparse\n"


@halves(
    Half(
        "a step of RK45",
        INTEGRATE + "it = scipy.integrate.RK45(lambda t, y: y, 0, [1.], 10)",
        "it.step()",
        "it.t, it.y.tolist(), it.nfev",
    ),
    Half(
        "a step of BDF",
        INTEGRATE + "it = scipy.integrate.BDF(lambda t, y: -y, 0, [1.], 10)",
        "it.step()",
        "it.t, it.y.tolist(), it.nfev",
    ),
    Half(
        "a Sobol sequence",
        INTEGRATE + "it = scipy.stats.qmc.Sobol(2, rng=1)",
        "it.random(2)",
        "it.num_generated, it._quasi.tolist()",
    ),
    Half("a Halton sequence", INTEGRATE + "it = scipy.stats.qmc.Halton(2, rng=1)", "it.random(2)", "it.num_generated"),
    Half(
        "a sampler",
        INTEGRATE + "import scipy.stats.sampling\n"
        "it = scipy.stats.sampling.NumericalInversePolynomial(scipy.stats.norm(), random_state=1)",
        "it.rvs()",
        named="it",
    ),
    Half(
        "Delaunay to which points are added",
        INTEGRATE + "it = scipy.spatial.Delaunay(np.random.rand(9, 2), incremental=True)",
        "it.add_points([[5, 5]])",
        named="it",
    ),
    Half(
        "coefficients of a spline",
        INTEGRATE + "it = scipy.interpolate.CubicSpline([0, 1, 2], [0, 1, 4])",
        "it.c[0, 0] = 9; it.extend(it.c[:, -1:], [3.])",
        "it.c.tolist(), it.x.tolist()",
    ),
    Half(
        "smoothing of a spline",
        INTEGRATE + "x = np.arange(9.)\nit = scipy.interpolate.UnivariateSpline(x, x ** 2)",
        "it.set_smoothing_factor(3.)",
        "it.get_coeffs().tolist(), it._data[6]",
    ),
    Half(
        "a rotation",
        INTEGRATE + "from scipy.spatial.transform import Rotation as R\nit = R.from_euler('z', [[1], [2]])",
        "it[0] = R.from_euler('x', 2)",
        "it.as_quat().tolist()",
    ),
    Half(
        "the points of a tree",
        INTEGRATE + "it = scipy.spatial.KDTree([[1., 2], [3, 4]])",
        "for row in it.data: row += 1",
        "it.data.tolist()",
    ),
    Half(
        "the points of a tree by a method",
        INTEGRATE + "it = scipy.spatial.cKDTree([[1., 2], [3, 4]])",
        "it.data.__setitem__(0, 7.); it.indices.sort()",
        "it.data.tolist(), it.indices.tolist()",
    ),
    Half(
        "a sparse matrix",
        INTEGRATE + "it = scipy.sparse.lil_matrix((2, 2)); s = scipy.sparse.csr_matrix(np.eye(2))",
        "it[0, 1] = 5; s.data[0] = 7; s.resize(3, 3)",
        "it.toarray().tolist(), s.toarray().tolist()",
    ),
    Half(
        "a frozen distribution's seed",
        INTEGRATE + "it = scipy.stats.norm(); it.random_state = np.random.default_rng(1)",
        "it.rvs()",
        "it.random_state.bit_generator.state",
    ),
)
def test_an_incremental_algorithm_of_scipy_is_put_back_or_named(half: Half) -> None:
    pytest.importorskip("scipy", reason="comes with scikit-learn, which the extra `test` has")
    check(half)


@pytest.mark.parametrize(
    ("setup", "read"),
    [
        (
            "import pandas as pd; it = [pd.Timestamp('2020'), pd.NaT, "
            "pd.Timedelta(1), pd.Period('2020'), pd.Interval(0, 1), pd.NA]",
            "it[0].year; it[4].left; [o == o for o in it[:5]]",
        ),
        (
            "import pandas as pd; it = [pd.offsets.BDay(), pd.DateOffset(months=1), "
            "pd.offsets.MonthEnd(), pd.CategoricalDtype(['a'])]",
            "pd.Timestamp('2020') + it[0]; it[1].months; it[3].categories",
        ),
        (
            "import pandas as pd; df = pd.DataFrame({'a': [1], 's': ['x'], 'd': "
            "pd.date_range('2020', periods=1, tz='UTC'), 'p': pd.period_range('2020', "
            "periods=1), 'c': pd.Categorical(['a']), 'i': pd.interval_range(0, "
            "1), 'z': pd.arrays.SparseArray([0]), "
            "'o': [[1]], 'I': pd.array([1])})",
            "df.describe(); df.loc[0]; df.groupby('s').size(); df.dtypes; df.index.get_loc(0); df['c'].cat.codes",
        ),
        (
            "import pandas as pd; df = pd.DataFrame({'a': [1, 2]}); g = df.groupby('a'); r = df.rolling(2)",
            "g.groups; r.sum(); g.ngroups",
        ),
        (
            "import pandas as pd; m = pd.MultiIndex.from_product([[1], ['a']]); i = pd.interval_range(0, 5)",
            "m.get_loc((1, 'a')); i.get_loc(2); m.levels",
        ),
        (
            "import numpy as np, scipy.spatial, scipy.sparse.linalg, "
            "scipy.interpolate, scipy.stats; t = scipy.spatial.cKDTree(np.eye(3)); lu = "
            "scipy.sparse.linalg.splu(scipy.sparse.eye(3, format='csc')); n = "
            "scipy.stats.norm(); r = scipy.spatial.transform.Rotation.identity()",
            "t.query([0, 0, 0]); lu.solve(np.ones(3)); n.pdf(0); r.as_quat(); scipy.stats.norm.cdf(0)",
        ),
        (
            "from sklearn.neighbors import KDTree, KNeighborsClassifier; import numpy as np; "
            "t = KDTree(np.eye(4)); k = "
            "KNeighborsClassifier(1).fit(np.eye(4), [0, 1, 0, 1])",
            "t.query(np.eye(4)); k.predict(np.eye(4))",
        ),
        (
            "from sklearn.ensemble import HistGradientBoostingClassifier as H, "
            "RandomForestClassifier as R, BaggingClassifier as B; import numpy as "
            "np; X = np.arange(40.).reshape(-1, 2); y = [0, 1] * 10; h = "
            "H(max_iter=2).fit(X, y); r = R(2).fit(X, "
            "y); b = B(n_estimators=2).fit(X, y)",
            "h.predict(X); r.predict(X); b.predict(X)",
        ),
        (
            "from sklearn.linear_model import SGDClassifier as S, LogisticRegression as L; import numpy as "
            "np; X = np.arange(40.).reshape(-1, 2); y = [0, "
            "1] * 10; s = S().fit(X, y); l = L().fit(X, y)",
            "s.predict(X); l.coef_; s.get_params()",
        ),
        (
            PLT + "fig, ax = plt.subplots(); ax.plot([1]); ax.contourf([[1, "
            "2], [3, 4]]); ax.imshow([[1]]); ax.scatter([1], "
            "[2]); ax.text(0, 0, '$x$'); ax.tricontour([0, "
            "1, 0], [0, 0, 1], [1, 2, 3]); fig.canvas.draw()",
            "fig.axes; ax.get_title(); ax.lines; fig.get_size_inches()",
        ),
        (
            "import pydantic\nclass M(pydantic.BaseModel):\n    a: int = 1\nm = M()",
            "m.a; m.model_dump(); M.model_fields",
        ),
    ],
)
def test_what_is_still_is_not_named(setup: str, read: str) -> None:
    if "scipy" in setup or "sklearn" in setup:
        pytest.importorskip("sklearn", reason="the extra `test` has it, with scipy")
    check_read(setup, read)


@pytest.fixture(autouse=True)
def figures_are_closed() -> None:
    yield
    import matplotlib.pyplot

    matplotlib.pyplot.close("all")
