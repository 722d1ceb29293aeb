"""Code that has run, of cells and of files, gets a new text in place (`stages.Trials` do the same in a copy)."""

from __future__ import annotations

from reflex_ipython.ipython.earlier_cells import EarlierCells
from reflex_ipython.models import Edit, FileRef
from reflex_ipython.state.modules_in_place import ModulesInPlace
from reflex_ipython.state.new_text import Rewritten


class LivingCode:
    """Puts edits of what does not run again into effect.

    Parameters
    ----------
    cells : EarlierCells
    """

    def __init__(self, cells: EarlierCells) -> None:
        self._cells = cells
        self._modules = ModulesInPlace()

    def apply(self, edit: Edit, *, back: bool = False) -> Rewritten:
        """Have the living functions run the new text. On the main thread.

        Parameters
        ----------
        edit : Edit
        back : bool
            Whether this takes such an edit back.
        """
        what = self._modules if isinstance(edit.target, FileRef) else self._cells
        return what.apply(edit, back=back)

    def forget(self, edit: Edit) -> None:
        """Take away the names that only the old text of a cell has given: it is about to run again."""
        self._cells.forget(edit)

    def apply_again(self) -> None:
        """What was put into effect was put back with the state of a cell that ran before it: do it once more."""
        self._cells.apply_again()
        self._modules.apply_again()

    def settle(self) -> None:
        """The cell that they were changed for has run well: no state from before is put back any more."""
        self._cells.settle()
        self._modules.settle()
