"""Cells that are meant to fail: their tag says so, or a comment on the failing statement."""

from __future__ import annotations

import pytest

from tests.kernel.driver import Kernel

EXPECTED = "get_ipython().reflex_extension.assembly.session.repairs.latest().failure.expected"


@pytest.mark.parametrize(
    "cell",
    [
        "1 / 0  # raises an error",
        "1 / 0  # ZeroDivisionError",
        "1 / 0  # error!",
        "x = (1 /\n     0)  # this fails",
        "def f():\n    return 1 / 0  # this will not work\nf()",
        "for n in range(2):\n    print(n)\n    1 / 0  # fails",
        "x = = 1  # SyntaxError",
    ],
)
def test_a_comment_on_the_failing_statement_announces_the_error(kernel: Kernel, cell: str) -> None:
    kernel.run(cell)
    assert kernel.value(EXPECTED) is True


@pytest.mark.parametrize(
    "cell",
    [
        "# this raises an error\n1 / 0",
        "1 / 0  # mean squared error of the bad rows",
        "x = 1  # fails\n1 / 0",
        "for n in range(2):  # fails\n    1 / 0",
        "'# raises'; 1 / 0",
        "1 / 0",
    ],
)
def test_a_comment_elsewhere_or_about_something_else_says_nothing(kernel: Kernel, cell: str) -> None:
    kernel.run(cell)
    assert kernel.value(EXPECTED) is False


def test_the_tag_of_a_cell_announces_the_error(kernel: Kernel) -> None:
    kernel.run("1 / 0", tags=("raises-exception",))
    assert kernel.value(EXPECTED) is True
    kernel.run("1 / 0", tags=("other",))
    assert kernel.value(EXPECTED) is False
