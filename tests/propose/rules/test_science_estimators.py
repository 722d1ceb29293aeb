"""Rules for scikit-learn, on failures built by hand."""

from __future__ import annotations

import pytest

from reflex_ipython.models import LIKELY, CellRef, CellSource
from tests.propose.rules.build import best, failure, offered
from tests.propose.rules.scientific import table


class TestEstimators:
    ONE = "ValueError: Expected 2D array, got 1D array instead:"

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("model.fit(df['a'], y)", "model.fit(df[['a']], y)"),
            ("model.fit(x, y)", "model.fit(x.reshape(-1, 1), y)"),
            ("model.predict(50)", "model.predict([[50]])"),
            ("model.predict([50, 2])", "model.predict([[50, 2]])"),
        ],
    )
    def test_one_dimension_becomes_a_table(self, source: str, expected: str) -> None:
        assert best(failure(source, self.ONE)) == expected

    def test_the_side_that_belongs_to_the_other_is_found_by_its_name(self) -> None:
        error = "ValueError: Found input variables with inconsistent numbers of samples: [15, 5]"
        names = ("X_train", "X_test", "y_train", "y_test", "model")
        found = offered(failure("model.fit(X_train, y_test)", error, names=names))
        assert max(found, key=lambda one: found[one]) == "model.fit(X_train, y_train)"

    def test_what_is_not_fitted_is_fitted_to_the_training_data(self) -> None:
        error = "NotFittedError: This LinearRegression instance is not fitted yet."
        found = offered(failure("p = m.predict(X_test)", error, names=("X_train", "X_test", "y_train", "y_test")))
        assert max(found, key=lambda one: found[one]) == "m.fit(X_train, y_train)\np = m.predict(X_test)"

    def test_what_becomes_of_missing_values_is_a_choice(self) -> None:
        found = offered(failure("model.fit(X, y)", "ValueError: Input X contains NaN.", values=(table("X"),)))
        assert len(found) >= 3
        assert max(found.values()) < LIKELY

    def test_an_order_of_parts_that_the_split_does_not_give_is_mended(self) -> None:
        source = "X_train, y_train, X_test, y_test = train_test_split(X, y)\nmodel.fit(X_train, y_train)"
        error = "ValueError: Found input variables with inconsistent numbers of samples: [15, 5]"
        found = offered(failure(source, error, line=2))
        assert found[source.replace("y_train, X_test", "X_test, y_train", 1)] > 0.9
        split, fit = source.split("\n")
        earlier = (CellSource(CellRef("split", 2), split),)
        found = offered(failure(fit, error, earlier=earlier))
        assert found[split.replace("y_train, X_test", "X_test, y_train", 1)] > 0.9

    def test_predictions_belong_to_the_part_that_they_were_made_from(self) -> None:
        source = "guess = model.predict(X_test)\nscore = accuracy_score(y_train, guess)"
        error = "ValueError: Found input variables with inconsistent numbers of samples: [45, 15]"
        names = ("X_train", "X_test", "y", "y_train", "y_test", "guess")
        found = offered(failure(source, error, names=names, line=2))
        expected = source.replace("y_train", "y_test")
        assert max(found, key=lambda one: found[one]) == expected
        assert found[expected] >= LIKELY

    def test_words_as_targets_become_numbers(self) -> None:
        values = (table("t", "'ok': str; 'No', 'Yes', 'No'"),)
        found = offered(
            failure("m.fit(X, t['ok'])", "ValueError: could not convert string to float: 'No'", values=values)
        )
        assert found["m.fit(X, (t['ok'] == 'Yes').astype(int))"] >= LIKELY

    def test_a_variable_that_must_be_a_whole_number_is_made_one(self) -> None:
        error = (
            "InvalidParameterError: The 'max_depth' parameter of Tree must be an int in the range [1, inf) or None."
            " Got '3' instead."
        )
        found = failure("t = Tree(max_depth=depth)\nt.fit(X, y)", error, line=2)
        assert best(found) == "t = Tree(max_depth=int(depth))\nt.fit(X, y)"

    def test_two_parts_of_two_arrays_are_four(self) -> None:
        error = "ValueError: too many values to unpack (expected 2)"
        source = "train, test = train_test_split(X, y)"
        expected = "X_train, X_test, y_train, y_test = train_test_split(X, y)"
        assert offered(failure(source, error))[expected] >= LIKELY


class TestProbabilities:
    MIXED = "ValueError: Classification metrics can't handle a mix of binary and continuous-multioutput targets"
    TWO = "ValueError: y should be a 1d array, got an array of shape (4, 2) instead."

    def test_a_measure_of_classes_gets_classes(self) -> None:
        found = failure("s = accuracy_score(y, model.predict_proba(X))", self.MIXED)
        assert best(found) == "s = accuracy_score(y, model.predict(X))"

    def test_a_measure_of_scores_gets_those_of_the_positive_class(self) -> None:
        found = failure("s = roc_auc_score(y, model.predict_proba(X))", self.TWO)
        assert best(found) == "s = roc_auc_score(y, model.predict_proba(X)[:, 1])"

    def test_a_name_is_followed_to_what_it_stands_for(self) -> None:
        made = "p = model.predict_proba(X)"
        found = offered(failure(f"{made}\ns = f1_score(y, p)", self.MIXED, line=2))
        assert found[f"{made}\ns = f1_score(y, p.argmax(axis=1))"] < LIKELY
        assert offered(failure("s = f1_score(y, p)", self.MIXED)) == {}
