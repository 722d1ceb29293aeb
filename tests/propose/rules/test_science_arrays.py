"""Rules for numpy, on failures built by hand."""

from __future__ import annotations

from tests.propose.rules.build import best, failure, offered
from tests.propose.rules.scientific import array


class TestArrays:
    def test_a_side_is_transposed_where_the_shapes_want_it(self) -> None:
        error = "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature"
        found = offered(failure("A @ B", error, values=(array("A", 2, 3), array("B", 2, 4))))
        assert {"A.T @ B", "A @ B.T"} <= set(found)

    def test_what_lost_an_axis_keeps_it(self) -> None:
        error = "ValueError: operands could not be broadcast together with shapes (2,3) (2,)"
        found = offered(failure("A / A.sum(axis=1)", error, values=(array("A", 2, 3),)))
        assert max(found, key=lambda one: found[one]) == "A / A.sum(axis=1, keepdims=True)"

    def test_the_dimension_that_can_not_be_is_found_out(self) -> None:
        error = "ValueError: cannot reshape array of size 12 into shape (5,4)"
        assert best(failure("a.reshape(5, 4)", error)) == "a.reshape(-1, 4)"
        assert best(failure("a.reshape(5, 5)", error.replace("(5,4)", "(5,5)"))) is None

    def test_arrays_are_joined_as_one_list(self) -> None:
        error = "TypeError: vstack() takes 1 positional argument but 2 were given"
        assert best(failure("np.vstack(a, b)", error)) == "np.vstack([a, b])"

    def test_whole_numbers_are_not_changed_into_floats_in_place(self) -> None:
        error = (
            "UFuncTypeError: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64')"
            " with casting rule 'same_kind'"
        )
        assert best(failure("a += b if c else 0.5", error)) == "a = a + (b if c else 0.5)"

    def test_a_batch_gets_a_dimension_of_its_own(self) -> None:
        error = "ValueError: cannot reshape array of size 3920 into shape (28,28)"
        assert best(failure("a.reshape(28, 28)", error)) == "a.reshape(-1, 28, 28)"

    def test_a_mask_of_differences_belongs_to_the_later_values(self) -> None:
        error = (
            "IndexError: boolean index did not match indexed array along axis 0; size of axis is 4 but size of"
            " corresponding boolean axis is 3"
        )
        values = (array("p", 4), array("d", 3))
        source = "d = np.diff(p)\nup = p[d > 0]"
        assert best(failure(source, error, values=values, line=2)) == "d = np.diff(p)\nup = p[1:][d > 0]"
        found = offered(failure("up = p[d > 0]", error, values=values))
        assert {"up = p[1:][d > 0]", "up = p[:-1][d > 0]"} <= set(found)
        assert max(found.values()) < 0.5
