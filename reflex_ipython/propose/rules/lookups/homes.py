"""Where names come from that people use without importing them: data only.

The homes of one name, the likeliest first.
"""

from __future__ import annotations

USUAL = {
    "numpy": "np",
    "pandas": "pd",
    "matplotlib.pyplot": "plt",
    "seaborn": "sns",
}
"""Libraries whose members are asked for by a short name of the library."""

_MEMBERS = """
    math: sqrt pow exp log log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh floor ceil factorial gcd lcm pi
    math: e hypot degrees radians isclose isnan isinf fabs fsum prod comb perm trunc tau inf nan fmod isqrt dist cbrt
    random: random randint choice choices shuffle sample uniform gauss seed randrange normalvariate betavariate
    statistics: mean median mode stdev pstdev variance pvariance fmean quantiles multimode geometric_mean
    time: sleep perf_counter strftime localtime gmtime monotonic process_time time ctime
    datetime: datetime timedelta date timezone
    collections: Counter defaultdict deque OrderedDict namedtuple ChainMap
    itertools: chain product permutations combinations combinations_with_replacement accumulate cycle repeat count
    itertools: islice groupby zip_longest starmap takewhile dropwhile pairwise tee batched
    functools: reduce partial lru_cache wraps cache cached_property total_ordering cmp_to_key singledispatch
    os: getcwd listdir mkdir makedirs chdir rename remove environ getenv walk system path cpu_count
    os.path: join exists isfile isdir basename dirname abspath expanduser splitext getsize
    glob: glob iglob
    shutil: copyfile rmtree move copytree copy2 which
    json: loads dumps load dump
    pickle: dump load dumps loads
    copy: deepcopy copy
    re: findall search sub match compile finditer fullmatch IGNORECASE
    string: ascii_letters ascii_lowercase ascii_uppercase digits punctuation
    pathlib: Path PurePath
    operator: itemgetter attrgetter add mul methodcaller
    decimal: Decimal getcontext
    fractions: Fraction
    heapq: heappush heappop heapify nlargest nsmallest
    bisect: bisect bisect_left bisect_right insort
    contextlib: contextmanager suppress redirect_stdout closing
    dataclasses: dataclass field asdict
    enum: Enum IntEnum auto
    typing: List Dict Tuple Optional Union Any Callable Iterable Iterator Sequence Literal TypeVar NamedTuple
    abc: ABC abstractmethod
    pprint: pprint pformat
    textwrap: dedent wrap fill shorten
    urllib.request: urlopen urlretrieve
    urllib.parse: urlparse urlencode quote urljoin unquote
    io: StringIO BytesIO
    sys: argv exit stdin stdout stderr maxsize getsizeof
    csv: DictReader DictWriter reader writer
    subprocess: run check_output Popen
    threading: Thread Lock Timer
    multiprocessing: Pool cpu_count Process
    concurrent.futures: ThreadPoolExecutor ProcessPoolExecutor
    timeit: timeit default_timer
    types: SimpleNamespace
    ast: literal_eval
    html: escape unescape
    uuid: uuid4
    calendar: monthrange month_name isleap
    warnings: warn filterwarnings simplefilter
    traceback: print_exc format_exc
    importlib: reload import_module
    tempfile: NamedTemporaryFile TemporaryDirectory mkdtemp
    zipfile: ZipFile
    getpass: getpass
    inspect: signature getsource
    IPython.display: display Image HTML Markdown clear_output
    zoneinfo: ZoneInfo
    cmath: phase polar
    sqlite3: connect
    secrets: token_hex
    numpy: array arange linspace zeros ones empty eye full reshape concatenate vstack hstack where nan inf dot argmax
    numpy: argmin cumsum std var average percentile unique meshgrid matrix ndarray logspace isnan transpose random
    numpy: linalg array_equal zeros_like ones_like float64 int64 asarray histogram polyfit poly1d corrcoef loadtxt
    numpy: savetxt diag clip stack sqrt exp log sin cos tan pi mean median abs round_ nansum nanmean allclose vectorize
    pandas: DataFrame Series read_csv read_excel read_json read_sql to_datetime concat merge date_range get_dummies
    pandas: to_numeric Timestamp cut qcut isnull isna notnull pivot_table crosstab melt NaT Timedelta Index MultiIndex
    pandas: Categorical json_normalize read_html read_parquet set_option
    matplotlib.pyplot: plot figure subplots scatter xlabel ylabel title legend show savefig hist bar barh imshow grid
    matplotlib.pyplot: subplot xlim ylim boxplot pie axis colorbar errorbar fill_between xticks yticks tight_layout
    matplotlib.pyplot: contour contourf axhline axvline suptitle close text annotate hlines vlines semilogy loglog
    scipy: stats optimize integrate interpolate signal linalg sparse
    scipy.stats: norm ttest_ind pearsonr spearmanr linregress chi2_contingency zscore f_oneway shapiro binom poisson
    scipy.optimize: curve_fit minimize fsolve linprog brentq root
    scipy.integrate: quad odeint solve_ivp simpson
    scipy.interpolate: interp1d
    scipy.signal: find_peaks butter
    scipy.spatial.distance: cdist pdist euclidean cosine
    seaborn: heatmap pairplot countplot barplot lineplot scatterplot histplot kdeplot distplot boxplot violinplot
    seaborn: catplot jointplot regplot load_dataset set_theme set_style displot lmplot
    sklearn.model_selection: train_test_split cross_val_score GridSearchCV KFold
    sklearn: metrics datasets preprocessing linear_model tree svm cluster ensemble model_selection neighbors
    tqdm.auto: tqdm trange
    tqdm: tqdm trange
    bs4: BeautifulSoup
    requests: get post
    PIL: Image
    sympy: symbols Symbol solve diff integrate simplify Matrix
    networkx: Graph DiGraph
    plotly.express: scatter line bar
    torch: tensor Tensor
    torch.nn: Linear Module Conv2d
    tensorflow.keras.models: Sequential load_model
    tensorflow.keras.layers: Dense Dropout Conv2D Flatten
    keras.models: Sequential load_model
    keras.layers: Dense Dropout Conv2D Flatten
"""


def _homes() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _MEMBERS.strip().splitlines():
        home, _, names = line.strip().partition(": ")
        for name in names.split():
            found[name] = (*found.get(name, ()), home)
    return found


HOMES: dict[str, tuple[str, ...]] = _homes()
