"""An error that is raised once more is as it was before: where it was raised, its links, its notes."""

from __future__ import annotations

import pytest

from tests.state.cells import namespace, run

RAISED = [
    "try: raise e\nexcept ValueError: pass",
    "try: fails()\nexcept ValueError: pass",
    "for one in errors:\n try: raise one\n except ValueError: pass",
    "try: raise errors[0]\nexcept ValueError: pass",
    "try: raise e from KeyError(1)\nexcept ValueError: pass",
    "try:\n try: {}[1]\n except KeyError: raise e\nexcept ValueError: pass",
    "e.add_note('more')",
    "raise e",
]


@pytest.mark.parametrize("cell", RAISED)
def test_it_is_put_back(cell: str) -> None:
    names = namespace(
        "e = ValueError('x'); errors = [e]\ndef fails(): raise e",
        "raised = KeyError()\ntry: raise raised\nexcept KeyError: pass",
    )
    e, raised = names["e"], names["raised"]
    where = raised.__traceback__
    restoration = run(names, f"{cell}\n1 / 0").rollback(0)
    assert restoration.words == "state restored exactly"
    assert (e.__traceback__, e.__context__, e.__cause__, vars(e)) == (None, None, None, {})
    assert raised.__traceback__ is where is not None


@pytest.mark.parametrize("cell", ["raised.__traceback__ = None", "raised.with_traceback(None)"])
def test_a_traceback_that_is_taken_away_is_held_by_nobody(cell: str) -> None:
    """It ends as without us, with all that its functions hold; that it does not come back is said."""
    names = namespace(
        "class Held: pass\ndef fails():\n held = Held()\n raise KeyError(held)",
        "try: fails()\nexcept KeyError as error: raised = error",
        "import weakref\nended = weakref.ref(raised.args[0])\nraised.args = ()",
    )
    journal = run(names, f"{cell}\n1 / 0")
    assert names["ended"]() is None
    assert "raised" in journal.rollback(0).words
