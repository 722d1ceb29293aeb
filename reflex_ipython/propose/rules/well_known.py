"""Names that everybody imports in the same way: data only.

Each name has the statements that may be meant, with the uses that show that it is that one: attributes, or `()` for a
call. No uses: the name is so peculiar that any use will do. If uses fit two statements, the rule stays silent.

They stand here as texts in plain tuples: see `lookups/form_tables.py`.
"""

from __future__ import annotations

from typing import NamedTuple


class WellKnown(NamedTuple):
    """An import statement, and how the name is used where that one is meant."""

    statement: str
    uses: frozenset[str] = frozenset()


CALL = "()"

_ALIASES = """
    np: import numpy as np
    pd: import pandas as pd
    plt: import matplotlib.pyplot as plt
    sns: import seaborn as sns
    mpl: import matplotlib as mpl
    tf: import tensorflow as tf
    px: import plotly.express as px
    sm: import statsmodels.api as sm
    smf: import statsmodels.formula.api as smf
    nx: import networkx as nx
    xgb: import xgboost as xgb
    lgb: import lightgbm as lgb
    pl: import polars as pl
    alt: import altair as alt
    cv2: import cv2
    tqdm: from tqdm.auto import tqdm
"""

# Modules whose names serve as nothing else. `import` and the name is the statement.
_MODULES = """
    os sys re json math csv pickle shutil itertools functools collections subprocess threading asyncio tempfile zipfile
    hashlib base64 textwrap pathlib sqlite3 argparse urllib warnings multiprocessing traceback importlib heapq
    numpy pandas matplotlib scipy sklearn torch torchvision seaborn requests yaml tensorflow keras nltk spacy
    gc inspect unittest
"""

# Modules whose names are ordinary words too: only where one of these is used.
_WORDS = """
    random: random randint choice choices shuffle sample seed uniform randrange gauss
    time: time sleep perf_counter strftime localtime monotonic process_time gmtime strptime
    string: ascii_letters ascii_lowercase ascii_uppercase digits punctuation hexdigits whitespace printable
    copy: copy deepcopy
    glob: glob iglob
    operator: itemgetter attrgetter methodcaller
    statistics: mean median mode stdev pstdev variance pvariance fmean
    logging: getLogger basicConfig info debug warning error exception critical DEBUG INFO WARNING ERROR
    datetime: datetime timedelta date timezone
    timeit: timeit repeat Timer
    io: StringIO BytesIO
    uuid: uuid4 uuid1
    platform: platform system python_version machine
    pprint: pprint pformat
    queue: Queue PriorityQueue
    secrets: token_hex token_urlsafe
    getpass: getpass
    calendar: month_name monthrange isleap
    types: SimpleNamespace
    ast: literal_eval parse
    joblib: Parallel delayed dump load
"""

# `from MODULE import NAME`: names that are nothing else. After a bar: names that are, so only where they are called.
_FROM = """
    collections: Counter defaultdict deque OrderedDict ChainMap | namedtuple
    datetime: timedelta
    pathlib: Path
    functools: lru_cache wraps cached_property singledispatch | partial reduce
    itertools: zip_longest starmap islice | combinations permutations accumulate product groupby
    contextlib: contextmanager suppress redirect_stdout
    dataclasses: dataclass
    enum: Enum IntEnum
    decimal: Decimal
    fractions: Fraction
    io: StringIO BytesIO
    copy: deepcopy
    typing: List Dict Tuple Optional Union Any Callable Iterable Iterator Sequence Mapping NamedTuple TypedDict Literal
    abc: ABC abstractmethod
    heapq: heappush heappop heapify nlargest nsmallest
    bisect: bisect_left bisect_right insort
    operator: itemgetter attrgetter
    uuid: uuid4
    textwrap: dedent
    urllib.request: urlopen urlretrieve
    urllib.parse: urlparse urljoin urlencode
    time: perf_counter | sleep
    pprint: | pprint
    glob: | glob
    timeit: default_timer
    getpass: | getpass
    concurrent.futures: ThreadPoolExecutor ProcessPoolExecutor as_completed
    bs4: BeautifulSoup
    sqlalchemy: create_engine
    scipy.optimize: curve_fit linprog fsolve
    scipy.integrate: solve_ivp odeint quad
    sklearn.model_selection: train_test_split cross_val_score cross_validate GridSearchCV RandomizedSearchCV
    sklearn.model_selection: KFold StratifiedKFold
    sklearn.linear_model: LinearRegression LogisticRegression Ridge Lasso ElasticNet SGDClassifier SGDRegressor
    sklearn.ensemble: RandomForestClassifier RandomForestRegressor GradientBoostingClassifier GradientBoostingRegressor
    sklearn.ensemble: AdaBoostClassifier ExtraTreesClassifier VotingClassifier HistGradientBoostingClassifier
    sklearn.ensemble: IsolationForest
    sklearn.tree: DecisionTreeClassifier DecisionTreeRegressor plot_tree
    sklearn.neighbors: KNeighborsClassifier KNeighborsRegressor
    sklearn.svm: SVC SVR LinearSVC
    sklearn.naive_bayes: GaussianNB MultinomialNB BernoulliNB
    sklearn.cluster: KMeans DBSCAN AgglomerativeClustering
    sklearn.decomposition: PCA TruncatedSVD NMF
    sklearn.manifold: TSNE
    sklearn.preprocessing: StandardScaler MinMaxScaler RobustScaler LabelEncoder OneHotEncoder
    sklearn.preprocessing: OrdinalEncoder PolynomialFeatures
    sklearn.impute: SimpleImputer KNNImputer
    sklearn.pipeline: make_pipeline | Pipeline
    sklearn.compose: ColumnTransformer make_column_transformer
    sklearn.metrics: accuracy_score precision_score recall_score f1_score roc_auc_score roc_curve confusion_matrix
    sklearn.metrics: classification_report mean_squared_error mean_absolute_error r2_score silhouette_score
    sklearn.metrics: ConfusionMatrixDisplay log_loss precision_recall_curve
    sklearn.feature_extraction.text: CountVectorizer TfidfVectorizer TfidfTransformer
    sklearn.feature_selection: SelectKBest RFE
    sklearn.datasets: load_iris load_digits load_wine load_breast_cancer load_diabetes make_blobs make_classification
    sklearn.datasets: make_moons make_regression fetch_california_housing fetch_openml
    torch.utils.data: DataLoader TensorDataset
    transformers: AutoTokenizer AutoModel AutoModelForCausalLM AutoModelForSequenceClassification
"""

_PARTICULAR = (
    ("datetime", "from datetime import datetime", "now today utcnow strptime fromtimestamp fromisoformat combine ()"),
    ("date", "from datetime import date", "today fromisoformat ()"),
    ("time", "from time import time", "()"),
    (
        "nn",
        "import torch.nn as nn",
        "Module Linear Sequential Conv2d CrossEntropyLoss MSELoss ReLU Embedding LSTM Dropout",
    ),
    ("optim", "import torch.optim as optim", "SGD Adam AdamW RMSprop lr_scheduler"),
    (
        "F",
        "import torch.nn.functional as F",
        "relu softmax log_softmax cross_entropy nll_loss mse_loss max_pool2d dropout",
    ),
    (
        "stats",
        "from scipy import stats",
        "norm ttest_ind ttest_rel zscore pearsonr spearmanr linregress chi2_contingency",
    ),
    ("go", "import plotly.graph_objects as go", "Figure Scatter Bar Layout Heatmap Pie Histogram"),
    ("chain", "from itertools import chain", "from_iterable"),
    ("Image", "from PIL import Image", "open fromarray new"),
)


def _table() -> dict[str, tuple[tuple[str, str], ...]]:
    known: dict[str, tuple[tuple[str, str], ...]] = {}

    def add(name: str, statement: str, uses: str = "") -> None:
        known[name] = (*known.get(name, ()), (statement, uses))

    for line in _ALIASES.strip().splitlines():
        name, _, statement = line.strip().partition(": ")
        add(name, statement)
    for name in _MODULES.split():
        add(name, f"import {name}")
    for line in _WORDS.strip().splitlines():
        name, _, uses = line.strip().partition(": ")
        add(name, f"import {name}", uses)
    for line in _FROM.strip().splitlines():
        module, _, names = line.strip().partition(": ")
        peculiar, _, called = names.partition("|")
        for name in peculiar.split():
            add(name, f"from {module} import {name}")
        for name in called.split():
            add(name, f"from {module} import {name}", CALL)
    for name, statement, uses in _PARTICULAR:
        add(name, statement, uses)
    return known


WELL_KNOWN: dict[str, tuple[tuple[str, str], ...]] = _table()
"""The names, each with its statements and the uses of each."""


def well_known(name: str) -> tuple[WellKnown, ...]:
    """What a name may stand for."""
    return tuple(WellKnown(statement, frozenset(uses.split())) for statement, uses in WELL_KNOWN.get(name, ()))
