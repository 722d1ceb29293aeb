"""Rules about the names and the number of features, against scikit-learn itself."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY
from tests.propose.rules.build import offered
from tests.propose.rules.live import best_that_runs, failed

pytest.importorskip("sklearn")

SETUP = (
    "import numpy as np\nimport pandas as pd\nfrom sklearn.linear_model import LinearRegression, LogisticRegression\n"
    "from sklearn.preprocessing import LabelEncoder, StandardScaler\nfrom sklearn.compose import ColumnTransformer\n"
    "from sklearn.feature_extraction.text import CountVectorizer\nfrom sklearn.svm import LinearSVC\n"
    "from sklearn.model_selection import train_test_split\n"
    "df = pd.DataFrame({'height': [1., 2, 3, 4], 'weight': [2., 1, 4, 3], 'kind': ['a', 'b', 'a', 'c'],"
    " 'said': ['yes it is', None, 'no', 'never']})\n"
    "X, y = df[['height', 'weight']], pd.Series([1.5, 2.5, 3.0, 4.0])\nmodel = LinearRegression().fit(X, y)\n"
    "scaler = StandardScaler().fit(X.values)"
)


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ("new = pd.DataFrame({'height': [1.], 'wieght': [2.]})\nx = model.predict(new)", "len(x) == 1"),
        ("new = X.rename(columns={'weight': 'mass'})\nx = model.predict(new)", "len(x) == 4"),
        ("x = ColumnTransformer([('n', StandardScaler(), ['Height'])]).fit_transform(df)", "x.shape == (4, 1)"),
        ("x = scaler.transform(X[['height']].values)", "x.shape == (4, 2)"),
        ("x = CountVectorizer().fit_transform(df['said'])", "x.shape[0] == 4"),
        ("le = LabelEncoder().fit(['a', 'b'])\nx = le.transform(df['kind'])", "list(x) == [0, 1, 0, 2]"),
        ("a, x = train_test_split(df, stratify=df['kind'], random_state=1)", "len(x) == 1"),
        ("model = LogisticRegression(C=2)\nx = model.fit(X, y).predict(X)", "x.dtype.kind == 'f'"),
    ],
)
def test_the_fit_tells_what_is_meant(cell: str, check: str) -> None:
    notebook, prior = best_that_runs(SETUP, cell)
    assert prior >= LIKELY
    assert eval(check, notebook.namespace)


def test_scores_and_classes_in_place_of_probabilities_are_a_choice() -> None:
    found = offered(failed(SETUP, "svc = LinearSVC().fit(X, df['kind'] == 'a')\nx = svc.predict_proba(X)"))
    likely = [source for source, prior in found.items() if prior >= LIKELY]
    assert any(".decision_function(X)" in source for source in likely)
    assert any(".predict(X)" in source for source in likely)


def test_features_that_are_like_none_of_the_fit_are_not_renamed() -> None:
    cell = "x = model.predict(pd.DataFrame({'colour': [1.], 'mood': [2.]}))"
    assert not any("rename" in source or "weight" in source for source in offered(failed(SETUP, cell)))
