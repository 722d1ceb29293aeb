"""What libraries renamed or removed, and what other languages call it: data only.

Only what has one exact replacement. Where that has the same owner, the rule also asks whether it is really there.
"""

from __future__ import annotations

from reflex_ipython.propose.rules.python2_urllib import HOMES as URLLIB

# Attributes by owner: a module's name, or a type's. On the right, with `{owner}` for the expression that was asked.
ATTRIBUTES: dict[str, dict[str, str]] = {
    "numpy": {
        "float": "float",
        "int": "int",
        "bool": "bool",
        "object": "object",
        "str": "str",
        "complex": "complex",
        "float_": "{owner}.float64",
        "complex_": "{owner}.complex128",
        "unicode_": "{owner}.str_",
        "string_": "{owner}.bytes_",
        "bool8": "{owner}.bool_",
        "object0": "{owner}.object_",
        "int0": "{owner}.intp",
        "uint0": "{owner}.uintp",
        "str0": "{owner}.str_",
        "bytes0": "{owner}.bytes_",
        "NaN": "{owner}.nan",
        "NAN": "{owner}.nan",
        "Inf": "{owner}.inf",
        "Infinity": "{owner}.inf",
        "infty": "{owner}.inf",
        "PINF": "{owner}.inf",
        "NINF": "-{owner}.inf",
        "longfloat": "{owner}.longdouble",
        "product": "{owner}.prod",
        "cumproduct": "{owner}.cumprod",
        "alltrue": "{owner}.all",
        "sometrue": "{owner}.any",
        "round_": "{owner}.round",
        "in1d": "{owner}.isin",
        "trapz": "{owner}.trapezoid",
        "row_stack": "{owner}.vstack",
        "randn": "{owner}.random.randn",
        "randint": "{owner}.random.randint",
        "rand": "{owner}.random.rand",
    },
    "pandas": {
        "scatter_matrix": "{owner}.plotting.scatter_matrix",
    },
    "pandas.DataFrame": {
        "iteritems": "{owner}.items",
        "applymap": "{owner}.map",
        "as_matrix": "{owner}.to_numpy",
    },
    "pandas.Series": {
        "iteritems": "{owner}.items",
        "as_matrix": "{owner}.to_numpy",
    },
    "time": {"clock": "{owner}.perf_counter"},
    "inspect": {"getargspec": "{owner}.getfullargspec"},
    "string": {
        "letters": "{owner}.ascii_letters",
        "lowercase": "{owner}.ascii_lowercase",
        "uppercase": "{owner}.ascii_uppercase",
        "maketrans": "str.maketrans",
    },
    "sys": {"maxint": "{owner}.maxsize"},
    "os": {"getcwdu": "{owner}.getcwd"},
    "itertools": {"izip": "zip", "imap": "map", "ifilter": "filter", "izip_longest": "{owner}.zip_longest"},
    "collections": {
        name: f"{{owner}}.abc.{name}"
        for name in (
            "Callable", "Container", "Hashable", "Iterable", "Iterator", "Mapping", "MutableMapping", "MutableSequence",
            "MutableSet", "Sequence", "Set", "Sized",
        )
    },
    "datetime": {
        "now": "{owner}.datetime.now",
        "today": "{owner}.datetime.today",
        "utcnow": "{owner}.datetime.utcnow",
        "strptime": "{owner}.datetime.strptime",
        "fromtimestamp": "{owner}.datetime.fromtimestamp",
    },
    # Of a class: after `from datetime import datetime`.
    "type datetime.datetime": {"datetime": "{owner}"},
    "dict": {"iteritems": "{owner}.items", "itervalues": "{owner}.values", "iterkeys": "{owner}.keys"},
    "list": {"push": "{owner}.append", "add": "{owner}.append", "push_back": "{owner}.append"},
    "set": {"append": "{owner}.add", "push": "{owner}.add"},
    "str": {
        "trim": "{owner}.strip",
        "toLowerCase": "{owner}.lower",
        "toUpperCase": "{owner}.upper",
        "startsWith": "{owner}.startswith",
        "endsWith": "{owner}.endswith",
        "replaceAll": "{owner}.replace",
    },
}  # fmt: skip

# Functions by module that were replaced by one whose first argument goes by a name: (new function, that name).
CALLS: dict[tuple[str, str], tuple[str, str]] = {("pandas", "TimeGrouper"): ("Grouper", "freq")}

# Values whose length other languages have as an attribute or a method.
SIZED = frozenset({"list", "str", "dict", "tuple", "set", "bytes", "collections.deque", "range"})
LENGTHS = frozenset({"length", "size", "len"})

# Names of Python 2, and of other languages, as plain names.
NAMES: dict[str, str] = {
    "raw_input": "input",
    "xrange": "range",
    "unicode": "str",
    "unichr": "chr",
    "basestring": "str",
    "long": "int",
}

# Modules that were renamed. Everything that was in them is under the new name.
MODULES: dict[str, str] = {
    "cPickle": "pickle",
    "ConfigParser": "configparser",
    "Queue": "queue",
    "Tkinter": "tkinter",
    "HTMLParser": "html.parser",
    "StringIO": "io",
    "cStringIO": "io",
    "urlparse": "urllib.parse",
    "robotparser": "urllib.robotparser",
    "httplib": "http.client",
    "cookielib": "http.cookiejar",
    "Cookie": "http.cookies",
    "BaseHTTPServer": "http.server",
    "SimpleHTTPServer": "http.server",
    "SocketServer": "socketserver",
    "xmlrpclib": "xmlrpc.client",
    "tkMessageBox": "tkinter.messagebox",
    "tkFileDialog": "tkinter.filedialog",
    "tkSimpleDialog": "tkinter.simpledialog",
    "ttk": "tkinter.ttk",
    "__builtin__": "builtins",
    "commands": "subprocess",
    "copy_reg": "copyreg",
    "anydbm": "dbm",
    "repr": "reprlib",
    "thread": "_thread",
    "UserDict": "collections",
    "UserList": "collections",
    "sklearn.cross_validation": "sklearn.model_selection",
    "sklearn.grid_search": "sklearn.model_selection",
    "pandas.tools.plotting": "pandas.plotting",
}

# Names that moved to another module under the same name: (module, name) and the module it is in now.
# An empty text: it is a module itself.
IMPORTS: dict[tuple[str, str], str] = {
    **{("collections", name): "collections.abc" for name in ATTRIBUTES["collections"]},
    ("scipy.misc", "comb"): "scipy.special",
    ("scipy.misc", "factorial"): "scipy.special",
    ("scipy.misc", "logsumexp"): "scipy.special",
    ("sklearn.externals", "joblib"): "",
    ("pandas.io.json", "json_normalize"): "pandas",
    ("pandas", "scatter_matrix"): "pandas.plotting",
    ("fractions", "gcd"): "math",
    ("IPython.core.display", "display"): "IPython.display",
    ("IPython.core.display", "HTML"): "IPython.display",
    ("cgi", "escape"): "html",
    ("itertools", "reduce"): "functools",
    **{(module, name): home for module in ("urllib", "urllib2") for name, home in URLLIB.items()},
}

# Data sets that were removed: (module, name), the version without them, and others for the same task: what they have,
# how likely they are meant.
DATASETS: dict[tuple[str, str], tuple[str, tuple[tuple[str, str, float], ...]]] = {
    ("sklearn.datasets", "load_boston"): (
        "scikit-learn 1.2",
        (
            ("load_diabetes", "comes with scikit-learn: 442 patients, 10 measurements, a number to predict", 0.45),
            ("fetch_california_housing", "has prices of houses as well: 20,640 districts, which it downloads", 0.4),
        ),
    ),
}

# Arguments by function: what it was called, what it is called.
ARGUMENTS: dict[tuple[str, str], str] = {
    ("hist", "normed"): "density",
    ("histogram", "normed"): "density",
    ("scatter", "size"): "s",
    ("to_csv", "line_terminator"): "lineterminator",
    ("OneHotEncoder", "sparse"): "sparse_output",
    ("AdaBoostClassifier", "base_estimator"): "estimator",
    ("AdaBoostRegressor", "base_estimator"): "estimator",
    ("BaggingClassifier", "base_estimator"): "estimator",
    ("BaggingRegressor", "base_estimator"): "estimator",
}
