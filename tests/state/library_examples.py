"""The kinds of objects that libraries have."""

from __future__ import annotations

from tests.state.example import Example

ARRAYS = "numpy.ndarray"
FRAMES = "pandas.DataFrame, pandas.Series"

NUMPY = (
    Example(
        "described",
        "numpy.dtype",
        "described = numpy.dtype([('a', 'i4'), ('b', 'f8')])",
        ("described.names = described.names[::-1]",),
    ),
    Example("pairs", "numpy.broadcast", "pairs = numpy.broadcast([1, 2], [[1], [2]])", ("next(pairs)",)),
    Example(
        "grid",
        ARRAYS,
        "grid1 = grid2 = numpy.arange(12.).reshape(3, 4); grid = grid1",
        (
            "grid += 1",
            "grid[0, 0] = 7",
            "grid[:] = grid[::-1].copy()",
            "grid1.setflags(write=False)",
            "grid.fill(2) if grid.flags.writeable else 0",
        ),
    ),
    Example(
        "part", ARRAYS, "whole = numpy.arange(12); part = whole[2:5]", ("part[:] = 9", "whole[:] = 1", "part *= 2")
    ),
    Example(
        "turned", ARRAYS, "turned = numpy.asfortranarray(numpy.ones((3, 2)))", ("turned[0] = 5", "turned.T[0] = 3")
    ),
    Example(
        "cells",
        ARRAYS,
        "cells = numpy.array([[1], {'a': 1}, None], dtype=object)",
        ("cells[0] = 1", "cells[1]['b'] = 2"),
    ),
    Example(
        "sized",
        ARRAYS,
        "sized = numpy.arange(4.); holds_sized = [sized]",
        beyond=("sized.resize(sized.size + 9, refcheck=False)",),
    ),
    Example(
        "row",
        "numpy.void",
        "structured = numpy.zeros(3, dtype=[('a', 'i4'), ('b', 'f8')]); row = structured[1]",
        ("row['a'] = 5", "structured['b'] += 1"),
    ),
    Example(
        "masked",
        ARRAYS,
        "masked = numpy.ma.array([1, 2, 3], mask=[0, 1, 0])",
        ("masked[0] = 5", "masked[2] = numpy.ma.masked"),
    ),
    Example(
        "generator",
        "numpy.random.Generator",
        "generator = numpy.random.default_rng(1)",
        ("generator.random()", "generator.shuffle([1, 2, 3])"),
    ),
    Example("flat", "numpy.flatiter", "flat = numpy.arange(9).flat; next(flat)", beyond=("next(flat)",)),
    Example(
        "seeds",
        "numpy.random.SeedSequence",
        "seeds = numpy.random.SeedSequence(5)",
        ("seeds.spawn(2)", "seeds.spawn(1)"),
    ),
    Example("bits", "numpy bit generator", "bits = numpy.random.PCG64(3)", ("bits.random_raw()", "bits.advance(5)")),
    Example(
        "legacy",
        "numpy.random.RandomState",
        "legacy = numpy.random.RandomState(1)",
        ("legacy.rand()", "legacy.seed(9)", "numpy.random.rand()"),
    ),
    Example(
        "errors",
        "numpy error and print settings",
        "errors = numpy.geterr()",
        (
            "numpy.seterr(over='ignore')",
            "numpy.set_printoptions(precision=3)",
            "numpy.setbufsize(16384)",
            "numpy.seterrcall(print)",
        ),
    ),
)

PANDAS = (
    Example(
        "frame",
        FRAMES,
        "frame = pandas.DataFrame({'a': [1., 2.], 'b': ['x', 'y'], 'c': [1, 2]})",
        (
            "frame['d'] = 1",
            "frame.loc[0, 'a'] = 9",
            "frame.drop(columns='b', inplace=True, errors='ignore')",
            "frame.columns = [c.upper() for c in frame]",
            "frame.index.name = 'n'",
            "frame.attrs['k'] = 1",
            "frame.sort_values(list(frame)[0], ascending=False, inplace=True)",
            "frame.iloc[0] = frame.iloc[1]",
        ),
    ),
    Example("column", FRAMES, "column = frame['a']", ("column.iloc[0] = 3", "column.name = 'z'", "column *= 2")),
    Example(
        "mixed",
        FRAMES,
        "mixed = pandas.DataFrame({'o': pandas.Series([[1], {}], dtype=object), "
        "'k': pandas.Categorical(['u', 'v']), 'i': pandas.array([1, None], dtype='Int64')})",
        ("mixed['o'].iloc[0].append(1)", "mixed.loc[0, 'k'] = 'v'", "mixed['i'].array[0] = 99"),
    ),
    Example(
        "labels",
        "pandas.Index",
        "labels = pandas.Index([1, 2], name='n')",
        ("labels.name = 'm'", "labels._data[0] = 2"),
    ),
    Example(
        "categories",
        "pandas.Categorical, DatetimeArray, …",
        "categories = pandas.Categorical(['u', 'v'])",
        ("categories[0] = 'v'",),
    ),
    Example(
        "options",
        "pandas options",
        "options = pandas.options",
        ("pandas.set_option('display.max_rows', pandas.get_option('display.max_rows') + 1)",),
    ),
)

SKLEARN = (
    Example(
        "configured",
        "scikit-learn's configuration",
        "import sklearn; configured = 1",
        ("sklearn.set_config(working_memory=sklearn.get_config()['working_memory'] + 1)",),
    ),
    Example(
        "tree",
        "sklearn fitted tree",
        "from sklearn.tree import DecisionTreeClassifier; tree = DecisionTreeClassifier().fit([[0], [1]], [0, 1])",
        ("tree.tree_.value[:] += 1", "tree.fit([[0], [1], [2]], [0, 1, 2])", "tree.max_depth = 5"),
    ),
    Example(
        "near",
        "tree for neighbours, of scipy or scikit-learn",
        "from sklearn.neighbors import KDTree; near = KDTree([[0.], [1.], [2.]]); holds_near = [near.get_arrays()[0]]",
        ("near.get_arrays()[0][0] += 1",),
    ),
)

MATPLOTLIB = (
    Example(
        "figures",
        "pyplot's open figures and which is current",
        "import matplotlib.pyplot as plt; plt.close('all'); figures = plt.figure().number; "
        "windowed = plt.figure().number; give_a_window(plt, windowed)",
        ("plt.figure()", "plt.close(figures)"),
        ("plt.close(windowed)",),
    ),
    Example(
        "callbacks",
        "matplotlib callbacks",
        "callbacks = matplotlib.cbook.CallbackRegistry()",
        ("callbacks.connect('x', print)",),
    ),
    Example(
        "axes",
        "matplotlib's order of axes",
        "import matplotlib.figure; axes = matplotlib.figure._AxesStack()",
        ("axes.add(print)",),
    ),
    Example(
        "marker", "matplotlib marker", "marker = matplotlib.markers.MarkerStyle('o')", ("marker = marker.scaled(2)",)
    ),
    Example(
        "settings",
        "matplotlib.rcParams",
        "settings = matplotlib.rcParams",
        ("settings['lines.linewidth'] += 1",),
    ),
)

TORCH = (
    Example(
        "tensor",
        "torch.Tensor",
        "tensor = torch.ones(3)",
        ("tensor += 1", "tensor.unsqueeze_(0)", "tensor.requires_grad_(True)"),
    ),
    Example(
        "loss", "torch.Tensor", "loss = (torch.ones(2, requires_grad=True) ** 2).sum()", beyond=("loss.backward()",)
    ),
    Example("storage", "torch storage", "storage = torch.ones(3).untyped_storage()", ("storage.fill_(7)",)),
    Example(
        "torch_dice", "torch.Generator", "torch_dice = torch.Generator()", ("torch.rand(2, generator=torch_dice)",)
    ),
    Example(
        "torch_state",
        "state of torch.random",
        "torch_state = torch.manual_seed(1) and None",
        ("torch.rand(2)",),
        unseen=("torch.cuda.manual_seed(1)",),
    ),
)

EXAMPLES = {"numpy": NUMPY, "pandas": PANDAS, "sklearn": SKLEARN, "matplotlib": MATPLOTLIB, "torch": TORCH}
"""By the library that must be there."""
