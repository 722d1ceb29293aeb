"""What Python and the libraries removed, since when, and what to take instead: from their own release notes."""

from __future__ import annotations

# (module, name), or (module, "") for all of a module: the version that no longer has it, and the next step.
_REMOVED: dict[tuple[str, str], tuple[str, str]] = {
    ("sklearn.datasets", "load_boston"): (
        "scikit-learn 1.2",
        "`fetch_california_housing()` has prices of houses as well, which it downloads; "
        "`load_diabetes()` comes with scikit-learn",
    ),
    ("sklearn.datasets", "fetch_mldata"): ("scikit-learn 0.22", "`fetch_openml(NAME)` loads data sets from openml.org"),
    ("sklearn.datasets.samples_generator", ""): ("scikit-learn 0.24", "import it from `sklearn.datasets` itself"),
    ("sklearn.cross_validation", ""): ("scikit-learn 0.20", "import it from `sklearn.model_selection`"),
    ("sklearn.grid_search", ""): ("scikit-learn 0.20", "import it from `sklearn.model_selection`"),
    ("sklearn.learning_curve", ""): ("scikit-learn 0.20", "import it from `sklearn.model_selection`"),
    ("sklearn.lda", ""): ("scikit-learn 0.19", "`sklearn.discriminant_analysis.LinearDiscriminantAnalysis`"),
    ("sklearn.qda", ""): ("scikit-learn 0.19", "`sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis`"),
    ("sklearn.mixture", "GMM"): ("scikit-learn 0.20", "`GaussianMixture` of the same module"),
    ("sklearn.externals", "joblib"): ("scikit-learn 0.23", "`import joblib`"),
    ("sklearn.externals", "six"): ("scikit-learn 0.23", "`import six`, or what Python 3 has itself"),
    ("sklearn.preprocessing", "Imputer"): ("scikit-learn 0.22", "`sklearn.impute.SimpleImputer`"),
    **{
        ("sklearn.metrics", f"plot_{old}"): ("scikit-learn 1.2", f"`sklearn.metrics.{new}.from_estimator(model, X, y)`")
        for old, new in (
            ("confusion_matrix", "ConfusionMatrixDisplay"),
            ("roc_curve", "RocCurveDisplay"),
            ("precision_recall_curve", "PrecisionRecallDisplay"),
            ("det_curve", "DetCurveDisplay"),
        )
    },
    **{
        ("scipy.misc", name): ("SciPy 1.3", instead)
        for name, instead in (
            ("imread", "`matplotlib.pyplot.imread(path)`, or `imageio.v3.imread(path)`"),
            ("imsave", "`matplotlib.pyplot.imsave(path, image)`"),
            ("imresize", "Pillow's `Image.fromarray(image).resize((width, height))`"),
            ("imrotate", "`scipy.ndimage.rotate(image, angle)`"),
            ("imshow", "`matplotlib.pyplot.imshow(image)`"),
            ("toimage", "Pillow's `Image.fromarray(array)`"),
            ("bytescale", "Pillow's `Image.fromarray(array)`"),
            ("comb", "`scipy.special.comb`"),
            ("factorial", "`scipy.special.factorial`"),
            ("logsumexp", "`scipy.special.logsumexp`"),
        )
    },
    ("scipy.interpolate", "interp2d"): ("SciPy 1.14", "`RegularGridInterpolator`, or `RectBivariateSpline` on a grid"),
    ("scipy.integrate", "simps"): ("SciPy 1.14", "`scipy.integrate.simpson`"),
    ("scipy.integrate", "trapz"): ("SciPy 1.14", "`scipy.integrate.trapezoid`"),
    ("scipy.integrate", "cumtrapz"): ("SciPy 1.14", "`scipy.integrate.cumulative_trapezoid`"),
    ("scipy.stats", "binom_test"): ("SciPy 1.12", "`scipy.stats.binomtest(…).pvalue`"),
    ("pandas", "Panel"): ("pandas 0.25", "a table with a `MultiIndex`, or an array of the package xarray"),
    ("matplotlib.finance", ""): ("matplotlib 2.2", "the package mplfinance"),
    ("matplotlib.mlab", "bivariate_normal"): ("matplotlib 3.1", "`scipy.stats.multivariate_normal`"),
    ("matplotlib.mlab", "normpdf"): ("matplotlib 3.1", "`scipy.stats.norm.pdf`"),
    ("tensorflow.contrib", ""): ("TensorFlow 2.0", "see what TensorFlow's guide on migrating names for it"),
    ("asyncio", "coroutine"): ("Python 3.11", "`async def`"),
    ("inspect", "getargspec"): ("Python 3.11", "`inspect.getfullargspec`, or `inspect.signature`"),
    ("fractions", "gcd"): ("Python 3.9", "`math.gcd`"),
    ("time", "clock"): ("Python 3.8", "`time.perf_counter`"),
    ("cgi", "escape"): ("Python 3.8", "`html.escape`"),
    ("imp", ""): ("Python 3.12", "`importlib`"),
    ("distutils", ""): ("Python 3.12", "`%pip install setuptools` brings it back; new code uses setuptools itself"),
    ("asyncore", ""): ("Python 3.12", "`asyncio`"),
    ("asynchat", ""): ("Python 3.12", "`asyncio`"),
    ("smtpd", ""): ("Python 3.12", "the package aiosmtpd"),
    ("cgi", ""): ("Python 3.13", "`urllib.parse` and `html`, or a web framework"),
    ("telnetlib", ""): ("Python 3.13", "the package telnetlib3"),
    ("imghdr", ""): ("Python 3.13", "the package filetype, or Pillow"),
    ("pipes", ""): ("Python 3.13", "`subprocess`; `shlex.quote`"),
}  # fmt: skip


def removal(module: str, name: str = "") -> tuple[str, str]:
    """Since when something is gone and what to do, in words; both empty if it is not known.

    Parameters
    ----------
    module : str
        Its full name.
    name : str
        What is wanted from it; empty for the module itself.
    """
    keys = [(module, name)] if name else []
    parts = module.split(".")
    keys += [(".".join(parts[:count]), "") for count in range(len(parts), 0, -1)]
    if not name and len(parts) > 1:  # `import sklearn.externals.joblib`
        keys.append((".".join(parts[:-1]), parts[-1]))
    for key in keys:
        if key in _REMOVED:
            version, instead = _REMOVED[key]
            full = f"{key[0]}.{key[1]}" if key[1] else key[0]
            return f"`{full}` was removed in {version}.", f"take instead: {instead}"
    return "", ""
