"""What calls of Python and of the libraries do, by name.

Where a library has thousands of functions, the few that write are named; where it has few, those that write nothing.
A name that is in no table is unknown.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(text.split())


BUILTINS = words(
    """
    abs all any ascii bin bool bytes callable chr complex dict divmod enumerate filter float format frozenset
    hasattr hash hex id int isinstance issubclass len list map max min oct ord pow print range repr reversed
    round set slice sorted str sum tuple type zip bytearray object iter next getattr setattr
    """
)
"""Built-in functions and types that write nothing, if what they are given is plain."""

STANDARD_LIBRARY = {
    "math": None,
    "cmath": None,
    "_operator": words(
        """
        abs add and_ concat contains countOf eq floordiv ge getitem gt index indexOf inv invert is_ is_not le
        length_hint lshift lt matmul mod mul ne neg not_ or_ pos pow rshift sub truediv truth xor itemgetter
        attrgetter
        """
    ),
    "time": words(
        """
        time time_ns perf_counter perf_counter_ns monotonic process_time strftime localtime gmtime sleep ctime
        """
    ),
    "statistics": None,
    "re": words(
        """
        compile match search fullmatch findall split escape sub subn
        """
    ),
    "json": frozenset(["dumps", "loads"]),
    "textwrap": None,
    "posixpath": None,
    "ntpath": None,
    "genericpath": None,
    "calendar": frozenset(["monthrange", "isleap", "weekday"]),
    "html": frozenset(["escape", "unescape"]),
    "base64": None,
    "bisect": frozenset(["bisect", "bisect_left", "bisect_right"]),
    "_bisect": frozenset(["bisect", "bisect_left", "bisect_right"]),
    "posix": frozenset(["getcwd", "listdir", "getpid", "cpu_count", "stat", "urandom"]),
    "os": frozenset(["getenv"]),
    "_statistics": None,
    "unicodedata": None,
    "glob": frozenset(["glob", "escape"]),
    "sys": frozenset(["getsizeof", "getrecursionlimit"]),
    "gc": frozenset(["get_count", "isenabled"]),
    "builtins": None,
}
"""Functions of the standard library that write nothing, by the module that they are from; None: all of them."""

WRITING_FIRST = {
    "_heapq": frozenset(["heappush", "heappop", "heapify", "heapreplace", "heappushpop"]),
    "_bisect": frozenset(["insort", "insort_left", "insort_right"]),
}
"""Functions that write to their first argument and nothing else."""

PATH_METHODS = words(
    """
    absolute as_posix as_uri exists expanduser glob is_absolute is_dir is_file is_relative_to iterdir joinpath
    match read_bytes read_text relative_to resolve rglob samefile stat with_name with_stem with_suffix
    """
)
"""Methods of paths that only look."""
PATH_WRITES = words(
    """
    chmod copy copy_into delete hardlink_to lchmod link_to mkdir move move_into open rename replace rmdir symlink_to
    touch unlink write_bytes write_text
    """
)
"""Methods of paths that do something; of what may be one or not."""
LIST_READS = frozenset(["copy", "index", "count"])
SET_READS = frozenset(
    ["copy", "difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference", "union"]
)
DICT_READS = frozenset(["copy", "get", "items", "keys", "values", "most_common", "elements", "total"])
BOX_READS = LIST_READS | SET_READS | DICT_READS
BOX_WRITES = words(
    """
    add append appendleft clear difference_update discard extend extendleft insert intersection_update
    move_to_end pop popitem popleft remove reverse rotate setdefault sort subtract symmetric_difference_update
    update
    """
)

# ------------------------------------------------------------------------------------------ numpy

NUMPY_UNKNOWN = words(
    """
    apply_along_axis apply_over_axes copyto dsplit errstate fill_diagonal frombuffer from_dlpack fromfile
    fromfunction fromiter fromregex frompyfunc genfromtxt geterrcall load loadtxt memmap nditer nested_iters
    piecewise place printoptions put put_along_axis putmask rec save savetxt savez savez_compressed seterr
    seterrcall set_printoptions set_string_function setbufsize shuffle show_config show_runtime test vectorize
    info _set_promotion_state require_dlpack
    """
)
"""Functions of numpy that write to what they are given, change settings, run what they are given, or use files."""

ARRAY_VIEWS = words(
    """
    T mT real imag flat reshape ravel transpose swapaxes squeeze diagonal view values array astype to_numpy
    __array__ base data
    """
)
"""Attributes and methods whose result may be a window on the same memory."""
NUMPY_NUMBERS = frozenset(["arange", "empty", "eye", "identity", "ones", "zeros"])
"""Functions of numpy that give an array of numbers if they are given nothing but its shape."""
NUMPY_VIEWS = words(
    """
    asarray asanyarray ascontiguousarray asfortranarray atleast_1d atleast_2d atleast_3d broadcast_arrays
    broadcast_to diagonal expand_dims flip fliplr flipud hsplit moveaxis nan_to_num permute_dims ravel real imag
    reshape rollaxis rot90 split squeeze swapaxes transpose vsplit array_split array asmatrix diag
    matrix_transpose unstack require sliding_window_view as_strided real_if_close meshgrid ix_ trim_zeros unique
    where iterable histogram histogram2d histogram_bin_edges histogramdd einsum
    """
)
"""The same, of functions of numpy."""
NUMPY_POSITIONS: dict[str, tuple[tuple[int, bool], ...]] = {
    **dict.fromkeys(
        words(
            """
            arange array asanyarray asarray ascontiguousarray asfortranarray bincount can_cast empty empty_like inner
            lexsort result_type vdot where zeros
            """
        ),
        (),
    ),
    "concatenate": ((2, False),),
    "dot": ((2, False),),
}
"""Where `DANGEROUS` parameters stand of functions of C, as `positions` says: numpy before 2.4 tells no signatures."""
DATA_UNKNOWN_ATTRIBUTES = words(
    """
    base ctypes flags plot sparse iloc_ _data _values _mgr hist boxplot
    """
)
"""Attributes of arrays and frames that are none of ours: they draw figures, or reach into the inner parts."""

ARRAY_METHODS = words(
    """
    all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum
    diagonal dot flatten item max mean min nonzero prod ptp ravel repeat reshape round searchsorted squeeze std
    sum swapaxes take tobytes tolist trace transpose var view
    """
)
ARRAY_WRITES = frozenset(["fill", "sort", "partition", "put", "itemset"])
"""Methods of arrays that write to their elements, and to nothing else."""

# ------------------------------------------------------------------------------------------ pandas

PANDAS_FUNCTIONS = words(
    """
    DataFrame Series concat merge merge_asof merge_ordered crosstab cut qcut date_range bdate_range period_range
    timedelta_range interval_range factorize get_dummies from_dummies isna isnull notna notnull melt pivot
    pivot_table to_datetime to_numeric to_timedelta unique lreshape wide_to_long json_normalize read_csv
    read_excel read_json read_parquet read_table read_html value_counts infer_freq array
    """
)
"""Functions of pandas that write nothing that exists."""
FRAME_METHODS = words(
    """
    abs add add_prefix add_suffix agg aggregate align all any apply applymap asfreq asof assign astype at_time
    between between_time bfill clip combine combine_first compare convert_dtypes copy corr corrwith count cov
    cummax cummin cumprod cumsum describe diff div divide dot drop drop_duplicates droplevel dropna duplicated
    eq equals ewm expanding explode ffill fillna filter first first_valid_index floordiv ge get groupby gt head
    idxmax idxmin infer_objects interpolate isin isna isnull items iterrows itertuples join keys kurt kurtosis
    last last_valid_index le lt map mask max mean median melt memory_usage merge min mod mode mul multiply ne
    nlargest notna notnull nsmallest nunique pct_change pivot pivot_table pow prod product quantile radd rank
    rdiv reindex rename rename_axis reorder_levels repeat replace resample reset_index rfloordiv rmod rmul
    rolling round rpow rsub rtruediv sample sem select_dtypes set_axis set_index shift skew sort_index
    sort_values squeeze stack std sub subtract sum swaplevel tail take to_dict to_frame to_list to_numpy
    to_period to_records to_string to_timestamp tolist transform transpose truediv truncate tz_convert
    tz_localize unique unstack value_counts var where xs cat get_level_values get_loc get_indexer slice_indexer
    difference intersection union symmetric_difference searchsorted to_flat_index to_series month_name day_name
    strftime normalize floor ceil argsort argmax argmin factorize autocorr ravel insert_ ngroup cumcount size
    nth get_group info to_markdown to_html
    """
)
"""Methods of frames, series, indices and groups of them that write nothing, as long as nothing is `inplace`."""
FRAME_ATTRIBUTES = words(
    """
    shape size ndim dtype dtypes nbytes empty itemsize strides index columns name names axes loc iloc at iat
    values T str dt cat array hasnans is_unique is_monotonic_increasing is_monotonic_decreasing levels codes
    nlevels year month day hour minute second dayofweek day_of_week dayofyear quarter weekday date time days
    seconds groups ngroups indices freq tz left right mid categories ordered real imag flat flags mT start stop
    step inferred_type attrs style
    """
) - {"attrs", "style", "flags"}
"""Attributes of them, and of arrays, that write nothing."""
FRAME_WRITES = frozenset(["insert", "pop", "update"])
"""Methods of frames that write to them."""
STRING_METHODS = words(
    """
    capitalize casefold cat center contains count decode encode endswith extract extractall find findall
    fullmatch get get_dummies index isalnum isalpha isdecimal isdigit islower isnumeric isspace istitle isupper
    join len ljust lower lstrip match normalize pad partition removeprefix removesuffix repeat replace rfind
    rindex rjust rpartition rsplit rstrip slice slice_replace split startswith strip swapcase title translate
    upper wrap zfill date time floor ceil total_seconds isocalendar
    """
)
"""Methods of what `str`, `dt` and `cat` of a series are."""
LIST_LIKE_DATA_METHODS = frozenset(["format"])

# ------------------------------------------------------------------------------------------ sklearn

SKLEARN_MODULES = (
    "sklearn.metrics",
    "sklearn.model_selection",
    "sklearn.preprocessing",
    "sklearn.datasets._samples_generator",
    "sklearn.datasets._base",
    "sklearn.utils",
    "sklearn.base",
    "sklearn.pipeline",
)
ESTIMATOR_READS = words(
    """
    predict predict_proba predict_log_proba transform score decision_function get_params get_feature_names_out
    inverse_transform kneighbors score_samples staged_predict apply
    """
)
ESTIMATOR_FITS = frozenset(["fit", "fit_transform", "fit_predict"])

RANDOM_READS = frozenset(["getstate", "get_state", "bit_generator"])
RANDOM_WRITING_FIRST = frozenset(["shuffle"])

DANGEROUS = words(
    """
    out inplace overwrite_input overwrite_x overwrite_a overwrite_b overwrite_data file callback memory buf
    path_or_buf n_jobs on_bad_lines chunksize iterator fp where_
    """
)
"""Parameters by which a function writes to what it is given, or keeps it."""
DANGEROUS_IF_FALSE = frozenset(["copy", "copy_X", "copy_x"])
