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
