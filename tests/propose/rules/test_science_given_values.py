"""Values that scientific libraries refuse: the one that is meant, among those that they take."""

from __future__ import annotations

import pytest

from tests.propose.rules.build import best, failure, offered


@pytest.mark.parametrize(
    ("source", "error", "expected"),
    [
        (
            "a.merge(b, on='k', how='left outer')",
            "ValueError: 'left outer' is not a valid Merge type: left, right, inner, outer, cross",
            "a.merge(b, on='k', how='left')",
        ),
        ("s.astype('flaot')", "TypeError: data type 'flaot' not understood", "s.astype('float')"),
        ("s.astype('integer')", "TypeError: data type 'integer' not understood", "s.astype('int')"),
        (
            "np.searchsorted(a, 3, side='rigth')",
            "ValueError: side must be one of 'left' or 'right' (got 'rigth')",
            "np.searchsorted(a, 3, side='right')",
        ),
        (
            "cross_val_score(m, X, y, scoring='rmse')",
            "InvalidParameterError: The 'scoring' parameter of cross_val_score must be a str among "
            "{'r2', 'neg_mean_squared_error', 'neg_root_mean_squared_error'}. Got 'rmse' instead.",
            "cross_val_score(m, X, y, scoring='neg_root_mean_squared_error')",
        ),
        (
            "df.assign('total', df.a + df.b)",
            "TypeError: DataFrame.assign() takes 1 positional argument but 3 were given",
            "df.assign(total=df.a + df.b)",
        ),
        (
            "KMeans(n_clusters=8).fit(X)",
            "ValueError: n_samples=6 should be >= n_clusters=8.",
            "KMeans(n_clusters=6).fit(X)",
        ),
        (
            "e = OneHotEncoder().fit(a)\ne.transform(b)",
            "ValueError: Found unknown categories ['x'] in column 0 during transform",
            'e = OneHotEncoder(handle_unknown="ignore").fit(a)\ne.transform(b)',
        ),
        (
            "cv.transform('good coffee')",
            "ValueError: Iterable over raw text documents expected, string object received.",
            "cv.transform(['good coffee'])",
        ),
        (
            "df['rank'] = range(1, len(df))",
            "ValueError: Length of values (5) does not match length of index (6)",
            "df['rank'] = range(1, len(df) + 1)",
        ),
        (
            "load.reset_index().between_time('01:00', '05:00')",
            "TypeError: Index must be DatetimeIndex",
            "load.between_time('01:00', '05:00')",
        ),
    ],
)
def test_what_is_meant_comes_first(source: str, error: str, expected: str) -> None:
    assert best(failure(source, error, line=source.count("\n") + 1)) == expected


def test_a_parameter_of_a_pipeline_is_tried_at_each_step() -> None:
    error = (
        "ValueError: Invalid parameter 'C' for estimator Pipeline(steps=[('scale', StandardScaler()), "
        "('svc', SVC())]). Valid parameters are: ['memory', 'steps', 'verbose']."
    )
    assert list(offered(failure("p.set_params(C=10)", error))) == [
        "p.set_params(svc__C=10)",
        "p.set_params(scale__C=10)",
    ]


def test_what_becomes_of_several_values_for_one_place_is_a_question() -> None:
    error = "ValueError: Index contains duplicate entries, cannot reshape"
    found = offered(failure("df.pivot(index='a', columns='b', values='c')", error))
    assert [text[text.index("aggfunc") :] for text in found] == [
        f'aggfunc="{way}")' for way in ("mean", "sum", "first")
    ]
    assert max(found.values()) < 0.7


def test_the_lengths_of_columns_are_told() -> None:
    from tests.propose.rules.build import fixes

    error = "ValueError: All arrays must be of the same length"
    [first, *_] = fixes(failure('import pandas as pd\npd.DataFrame({"x": [1, 2, 3], "y": [4, 5]})', error, line=2))
    assert "(x has 3, y has 2)" in first.explanation


def test_a_row_and_a_column_are_turned_where_the_index_fits_the_other_axis() -> None:
    error = "IndexError: index 5 is out of bounds for axis 0 with size 4"
    found = offered(failure("img[5, r]", error))
    assert set(found) == {"img[r, 5]", "img[-1, r]"}


def test_two_arrays_are_compared_pair_by_pair() -> None:
    error = "TypeError: only integer scalar arrays can be converted to a scalar index"
    assert best(failure("import numpy as np\nnp.max(a, b)", error, line=2, meanings={"np": "numpy"})) == (
        "import numpy as np\nnp.maximum(a, b)"
    )
