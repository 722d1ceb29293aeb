"""What scientific libraries removed or moved, as far as it is imported: what to import instead."""

from __future__ import annotations

# Where something moved: (module, name) and the statement that brings it back under the name it had.
IMPORTS: dict[tuple[str, str], str] = {
    ("sklearn.preprocessing", "Imputer"): "from sklearn.impute import SimpleImputer as Imputer",
    ("sklearn.preprocessing", "CategoricalEncoder"):
        "from sklearn.preprocessing import OneHotEncoder as CategoricalEncoder",
    ("sklearn.metrics", "jaccard_similarity_score"):
        "from sklearn.metrics import jaccard_score as jaccard_similarity_score",
    ("sklearn.decomposition", "RandomizedPCA"): "from sklearn.decomposition import PCA as RandomizedPCA",
    ("sklearn.discriminant_analysis", "LDA"):
        "from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA",
    ("sklearn.discriminant_analysis", "QDA"):
        "from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as QDA",
    ("sklearn.lda", "LDA"): "from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA",
    ("sklearn.qda", "QDA"): "from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as QDA",
    ("sklearn.learning_curve", "learning_curve"): "from sklearn.model_selection import learning_curve",
    ("sklearn.learning_curve", "validation_curve"): "from sklearn.model_selection import validation_curve",
    ("sklearn.mixture", "GMM"): "from sklearn.mixture import GaussianMixture as GMM",
    ("sklearn.datasets", "fetch_mldata"): "from sklearn.datasets import fetch_openml as fetch_mldata",
    ("sklearn.datasets", "load_boston"): "from sklearn.datasets import fetch_california_housing as load_boston",
    ("sklearn.metrics", "roc_auc"): "from sklearn.metrics import roc_auc_score as roc_auc",
    ("sklearn.metrics", "rmse"): "from sklearn.metrics import root_mean_squared_error as rmse",
    ("sklearn.metrics", "mse"): "from sklearn.metrics import mean_squared_error as mse",
    ("sklearn.metrics", "mae"): "from sklearn.metrics import mean_absolute_error as mae",
    ("sklearn.metrics", "accuracy"): "from sklearn.metrics import accuracy_score as accuracy",
    ("sklearn.metrics", "calinski_harabaz_score"):
        "from sklearn.metrics import calinski_harabasz_score as calinski_harabaz_score",
    ("sklearn.neural_network", "MLP"): "from sklearn.neural_network import MLPClassifier as MLP",
    ("sklearn.utils", "safe_indexing"): "from sklearn.utils import _safe_indexing as safe_indexing",
    ("sklearn.utils.testing", "assert_equal"): "from numpy.testing import assert_equal",
    ("sklearn.model_selection", "cross_validation"): "from sklearn import model_selection as cross_validation",
    ("sklearn", "cross_validation"): "from sklearn import model_selection as cross_validation",
    ("sklearn", "grid_search"): "from sklearn import model_selection as grid_search",
    ("scipy.misc", "imread"): "from matplotlib.pyplot import imread",
    ("scipy.misc", "imsave"): "from matplotlib.pyplot import imsave",
    ("scipy.misc", "face"): "from scipy.datasets import face",
    ("scipy.misc", "ascent"): "from scipy.datasets import ascent",
    ("scipy.integrate", "trapz"): "from scipy.integrate import trapezoid as trapz",
    ("scipy.integrate", "simps"): "from scipy.integrate import simpson as simps",
    ("scipy.integrate", "cumtrapz"): "from scipy.integrate import cumulative_trapezoid as cumtrapz",
    ("scipy.stats", "median_absolute_deviation"):
        "from scipy.stats import median_abs_deviation as median_absolute_deviation",
    ("scipy.stats", "binom_test"): "from scipy.stats import binomtest as binom_test",
    ("scipy.stats", "chisqprob"): "from scipy.stats.distributions import chi2\nchisqprob = chi2.sf",
    ("scipy.linalg", "pinv2"): "from scipy.linalg import pinv as pinv2",
    ("scipy.special", "sph_harm"): "from scipy.special import sph_harm_y",
    ("scipy", "random"): "from numpy import random",
    ("scipy.sparse.linalg.eigen", "arpack"): "from scipy.sparse.linalg import eigs",
    ("matplotlib.cm", "get_cmap"): "from matplotlib.pyplot import get_cmap",
    ("matplotlib.pyplot", "spectral"): "from matplotlib.pyplot import nipy_spectral as spectral",
    ("matplotlib.mlab", "griddata"): "from scipy.interpolate import griddata",
    ("matplotlib.mlab", "PCA"): "from sklearn.decomposition import PCA",
    ("pandas.util.testing", "assert_frame_equal"): "from pandas.testing import assert_frame_equal",
    ("pandas.util.testing", "assert_series_equal"): "from pandas.testing import assert_series_equal",
    ("pandas", "Int64Index"): "from pandas import Index as Int64Index",
    ("pandas", "Float64Index"): "from pandas import Index as Float64Index",
    ("pandas", "datetime"): "from datetime import datetime",
    ("pandas", "set_options"): "from pandas import set_option as set_options",
    ("pandas", "np"): "import numpy as np",
    ("pandas.core.common", "SettingWithCopyWarning"):
        "from pandas.errors import ChainedAssignmentError as SettingWithCopyWarning",
    ("pandas.core.computation.ops", "UndefinedVariableError"): "from pandas.errors import UndefinedVariableError",
    ("numpy.core.umath_tests", "inner1d"): "from numpy import vecdot as inner1d",
    ("numpy", "NaN"): "from numpy import nan as NaN",
    ("numpy", "NAN"): "from numpy import nan as NAN",
    ("numpy", "Inf"): "from numpy import inf as Inf",
    ("numpy", "float_"): "from numpy import float64 as float_",
    ("numpy", "product"): "from numpy import prod as product",
    ("numpy", "cumproduct"): "from numpy import cumprod as cumproduct",
    ("numpy", "in1d"): "from numpy import isin as in1d",
    ("numpy", "trapz"): "from numpy import trapezoid as trapz",
    ("numpy", "VisibleDeprecationWarning"): "from numpy.exceptions import VisibleDeprecationWarning",
    ("numpy", "ComplexWarning"): "from numpy.exceptions import ComplexWarning",
    ("numpy", "RankWarning"): "from numpy.exceptions import RankWarning",
    **{("sklearn.metrics", f"plot_{old}"): f"from sklearn.metrics import {new}\nplot_{old} = {new}.from_estimator"
       for old, new in (("confusion_matrix", "ConfusionMatrixDisplay"), ("roc_curve", "RocCurveDisplay"),
                        ("precision_recall_curve", "PrecisionRecallDisplay"), ("det_curve", "DetCurveDisplay"))},
    **{("scipy.signal", window): f"from scipy.signal.windows import {window}"
       for window in ("hann", "hamming", "blackman", "gaussian", "kaiser", "boxcar", "triang", "bartlett", "tukey")},
    ("scipy.signal", "hanning"): "from scipy.signal.windows import hann as hanning",
    **{("scipy", name): f"from numpy import {name}"
       for name in ("pi", "array", "linspace", "zeros", "ones", "sqrt", "exp", "log", "sin", "cos", "arange", "mean",
                    "dot", "inf", "nan", "sum", "abs", "where", "eye", "polyfit", "random")},
}  # fmt: skip
