"""Fitted estimators of scikit-learn: nothing in them is named after they were only used."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from reflex_ipython.state.kinds.opaque import LIVE, UNKNOWN
from reflex_ipython.state.weak import found
from tests.state.cells import namespace, run

numpy = pytest.importorskip("numpy")
pytest.importorskip("sklearn", reason="the extra `test` has it")
pytestmark = pytest.mark.filterwarnings("ignore")

MODULES = [
    "calibration",
    "cluster",
    "covariance",
    "cross_decomposition",
    "decomposition",
    "discriminant_analysis",
    "ensemble",
    "gaussian_process",
    "isotonic",
    "kernel_approximation",
    "kernel_ridge",
    "linear_model",
    "manifold",
    "mixture",
    "naive_bayes",
    "neighbors",
    "neural_network",
    "preprocessing",
    "random_projection",
    "semi_supervised",
    "svm",
    "tree",
]


def _fitted(cls: Any) -> Any:
    """An estimator with what it learns from the first data that it takes; None if it takes none of these."""
    features = numpy.random.default_rng(0).normal(size=(40, 3))
    classes = (features[:, 0] > 0).astype(int)
    few = {"n_estimators": 2, "max_iter": 5, "n_components": 2}
    for data, target in (
        (features, classes),
        (abs(features), classes),
        (features, features[:, 1:]),
        (features[:, 0], classes),
    ):
        try:
            estimator = cls()
            estimator.set_params(**{name: few[name] for name in few.keys() & estimator.get_params().keys()})
            return estimator.fit(data, target)
        except Exception:  # noqa: BLE001 - it wants other data, or other estimators
            continue
    return None


@pytest.mark.parametrize("module", MODULES)
def test_nothing_in_a_fitted_estimator_is_opaque(module: str) -> None:
    from sklearn.utils import all_estimators

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = [cls for _, cls in all_estimators() if f"{cls.__module__}.".startswith(f"sklearn.{module}.")]
        fitted = [estimator for estimator in map(_fitted, chosen) if estimator is not None]
    assert fitted, "some of the module must take such data"
    names = namespace()
    names["fitted"] = fitted
    journal = run(names, "fitted.nothing")
    opaque = {
        type(found(o)).__name__
        for kind, o, _ in journal.aftermath.checkpoints[0].snapshots.entries
        if kind in (LIVE, UNKNOWN)
    }
    assert opaque == set()
    assert not journal.aftermath.uncovered()


SCALER = "from sklearn.preprocessing import StandardScaler\nit = StandardScaler().fit(X)"
IMPUTER = """
from sklearn.experimental import enable_iterative_imputer
from sklearn.impute import IterativeImputer
it = IterativeImputer(sample_posterior=True, random_state=3, max_iter=2).fit([[1, 2], [3, 4], [np.nan, 6], [5, np.nan]])
"""


@pytest.mark.parametrize(
    ("setup", "call", "shows"),
    [
        (SCALER, "it.transform(X, copy=False)", "X.tolist()"),
        (SCALER, "it.transform(X, False)", "X.tolist()"),
        (SCALER, "it.inverse_transform(X, copy=False)", "X.tolist()"),
        (IMPUTER, "it.transform([[np.nan, 1.]])", "repr(it.random_state_.get_state())"),
        ("from sklearn.neighbors import KDTree\nit = KDTree(X)", "it.query(X)", "it.get_n_calls()"),
    ],
)
def test_what_a_method_that_reads_changes_all_the_same_is_put_back(setup: str, call: str, shows: str) -> None:
    names = namespace("import numpy as np\nX = np.array([[1., 2], [3, 4]])", setup)
    before = eval(shows, names)
    journal = run(names, f"given = {call}\n1 / 0")
    assert eval(shows, names) != before, "the change must be one"
    assert journal.rollback(0).words == "state restored exactly"
    assert eval(shows, names) == before


def test_who_is_only_asked_is_not_noted_as_he_may_be_large() -> None:
    names = namespace("import numpy as np\nX = np.array([[1., 2], [3, 4]])", SCALER)
    journal = run(names, "given = it.transform(X, copy=True)\nmore = it.transform(X)\n1 / 0")
    assert [list(one.snapshots.entries) for one in journal.aftermath.checkpoints[:2]] == [[], []]
