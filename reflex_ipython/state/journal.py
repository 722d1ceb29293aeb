"""The undo journal: before each top-level statement, what it may change; afterwards, the way back.

    journal = Journal(namespace)
    for node, code in statements:      # of one cell
        journal.before(code, node)
        exec(code, namespace)          # ... raises in the statement with the index k
        journal.after()
    journal.rollback(k)                # the state before that statement, in place; says what is not as it was
    journal.clear()                    # lets go of everything

What is noted of each is for `noting` to say, as far as there is credit for it. Nothing of the user's runs meanwhile: no
`__eq__`, `__len__`, `__iter__`, property or `__reduce__` of a class of theirs. What is not within the bounds, and what
can't be put back, is named in the `Restoration`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable
from types import CodeType
from typing import Any

from reflex_ipython.state.aftermath import Aftermath
from reflex_ipython.state.analysis.foreseen import Functions
from reflex_ipython.state.analysis.quick_values import ATOMS
from reflex_ipython.state.analysis.shapes import Shapes
from reflex_ipython.state.beside import at_work_beside
from reflex_ipython.state.bounds import NO_CREDIT, Bounds
from reflex_ipython.state.brief import Brief, Rebinding, may_be_kept, name_objects, unfold, unfold_last
from reflex_ipython.state.checkpoint import MISSING, NOTHING_NOTED, Checkpoint
from reflex_ipython.state.credit import Credit, Unlimited
from reflex_ipython.state.effects import Folders, OutsideEffect
from reflex_ipython.state.held import Holdings, Ledger
from reflex_ipython.state.introspection import (
    LOOKING,
    NOTICING,
    REASON_TO_FORGET,
    REASON_TO_LOOK,
    forgets,
    hold_nothing,
    may_use,
)
from reflex_ipython.state.kinds.layout import identity
from reflex_ipython.state.noting import Noting
from reflex_ipython.state.references import others
from reflex_ipython.state.resizing import let_go_in_earlier
from reflex_ipython.state.restoration import Restoration
from reflex_ipython.state.settling import hold_only_what_lives, settle
from reflex_ipython.state.statement_effects import StatementEffects

_LEAST = 0.0005
"""Seconds of credit below which a full checkpoint is not begun."""
_OWED = 0.002
"""Seconds spent beyond it with which nothing is kept any more of statements that are over."""


class Journal:
    """The journal of one cell at a time.

    Parameters
    ----------
    namespace : dict
        Where the statements run.
    bounds : Bounds
        How much it may look at and hold for one cell.
    ignored : container of str
        Names that are neither looked at nor put back: the shell's own, `In`, `Out`, `get_ipython`.
    results : callable
        Given an ignored name that code reads, gives the objects of the user's that it gets at by it, by their labels:
        `_` and `Out[3]` may be what a name of theirs is bound to.
    own_folders : callable
        Gives folders; files below these are the shell's own business, no effects of the cell.
    credit : Credit or None
        How much time it may take; None: all that the bounds allow.
    functions : Functions
        Where the source of the user's functions is found.
    shapes : Shapes
        Those of the short statements that were met.
    ledger : Ledger or None
        What the journals of other cells hold that are kept beside this one; None: there are none.
    printed : callable
        Told how many statements have begun as one more is about to, behind one that prints, of which `before` is not
        asked.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        bounds: Bounds | None = None,
        ignored: Container[str] = frozenset(),
        results: Callable[[str], dict[str, Any]] = lambda name: {},
        own_folders: Folders = tuple,
        credit: Credit | None = None,
        functions: Functions | None = None,
        shapes: Shapes | None = None,
        ledger: Ledger | None = None,
        printed: Callable[[int], None] = lambda begun: None,
    ) -> None:
        bounds = bounds or Bounds()
        self._namespace = namespace
        self._credit = credit or Unlimited()
        self._shapes = shapes or Shapes()
        self._printed = printed
        self._all: list[Checkpoint | Brief | Rebinding] = []
        """In the order in which the statements began."""
        self._noting = Noting(namespace, bounds, ignored, results, functions or Functions())
        self._effects = StatementEffects(self._all, namespace, ignored, own_folders, bounds.milliseconds)
        self._holdings = Holdings(namespace, ledger)
        self.aftermath = Aftermath(self._all, namespace, ignored, own_folders)
        self._began: float | None = None
        """When the statement that runs has begun."""
        self.is_short = False
        """Whether a short statement runs: nothing is to be done at its end, and nothing of the user's runs then, for it
        shows nothing.
        """
        self.prints = False
        """Whether a short statement runs that prints: at its end, `printed` is to be told, and that is all."""

    def __len__(self) -> int:
        """How many statements have started."""
        return len(self._all)

    def before(self, code: CodeType, node: ast.stmt | None = None) -> int:
        """A statement is about to run; call it on the thread that runs it.

        Parameters
        ----------
        code : code object
            The statement, compiled.
        node : ast.stmt or None
            Its tree. None: nothing is foreseen.

        Returns
        -------
        int
            Its index, for `rollback`.
        """
        if self.aftermath.end_state is not None:
            self.aftermath.goes_on()
        if node is not None and not self.is_short:  # else it was asked already
            if self._began is not None:
                self._is_over()
            self.is_short = True
            if self.next(code, node):
                self._effects.watch()
                return len(self._all) - 1
        short = None if node is None else self._noting.brief(node)
        if short is None:
            self._is_over()
            counts = self._credit.left > 0  # else next to nothing is done, and to ask for the time takes a part of that
            start = self._credit.work() if counts else 0.0
            checkpoint = self._checkpoint(code, node)
            checkpoint.node = node
            if not checkpoint.skipped:
                checkpoint.beside = at_work_beside(code)
            self._all.append(checkpoint)
            self._effects.watch()
            if counts:
                self._credit.spend(self._credit.work() - start)
            self._began = self._credit.clock()
        else:
            if self._began is not None:
                self._is_over()
            self._all.append(short)
            self._effects.watch()
        self.is_short = short is not None and (type(node) is not ast.Expr or short[3] is not None)
        self.prints = False
        return len(self._all) - 1

    def ran_before(self, node: ast.stmt, missed: dict[str, str], effects: Iterable[OutsideEffect] = ()) -> None:
        """A statement has run before anybody noted what there was.

        Parameters
        ----------
        node : ast.stmt
        missed : dict of str to str
            What of it is not undone, with the reason.
        effects : iterable of OutsideEffect
            What it may have done outside the namespace, which would be done a second time.
        """
        checkpoint = Checkpoint({}, NOTHING_NOTED, skipped="ran before")
        checkpoint.node, checkpoint.missed = node, missed
        checkpoint.effects += effects
        self._all.append(checkpoint)

    def next(self, code: CodeType, node: ast.stmt) -> bool:
        """The same of one more short statement behind a short one, in less time, if there is nothing else to be done.

        Parameters
        ----------
        code : code object
        node : ast.stmt

        Returns
        -------
        bool
            Whether it is noted; if not, the last statement is to be ended (`after`), and this one is for `before`.
        """
        shape = self._shapes.known.get(code.co_code)
        if shape is None:
            self._shapes.meet(code, node)
            return False
        if not self.is_short:
            if not self.prints:
                return False
            self._printed(len(self._all))
            self.is_short, self.prints = True, False
        names, get = code.co_names, self._namespace.get
        for place in shape.atoms:
            cls = type(get(names[place], MISSING))
            if cls is not int and cls is not str and cls is not float and identity(cls) not in ATOMS:
                return False
        for fits, place, wanted in shape.more:
            if not fits(names, place, wanted, self._namespace):
                return False
        if shape.binds >= 0:
            name = names[shape.binds]
            old = get(name, MISSING)
            if type(old) is not int and old is not MISSING:
                if not may_be_kept(old):
                    return False
                if type(old) is list and (shape.rereads or others(self._namespace, name) > 1):  # than `old`
                    return False
            self._all.append((node, name, old))
            return True
        short = self._noting.without_binding(shape, code, node)
        if short is None:
            return False
        self._all.append(short)
        self.is_short, self.prints = not shape.shows, shape.prints
        return True

    def after(self) -> None:
        """The statement is over, without an error: what it ended is ended, what it did not change needs no snapshot."""
        checkpoint = self._all[-1]
        if type(checkpoint) is not Checkpoint:  # it holds nothing that could end
            return
        self._is_over()
        if checkpoint.skipped:
            if self._credit.left < -_OWED:  # and to ask at each statement's end who holds what takes more than is left
                self._holdings.give_up()
            self.let_go()
        elif checkpoint.bindings or checkpoint.snapshots.entries or checkpoint.any_bound:
            start = self._credit.work()
            settle(checkpoint, self._namespace, self._holdings)
            self._credit.spend(self._credit.work() - start)

    @property
    def held(self) -> int:
        """Bytes held for this cell, in copies and in objects that have ended."""
        return self._holdings.kept + self._noting.budget.held

    @property
    def large(self) -> list[str]:
        """The names for which much is held, the one for which most is first."""
        return [name for name, _ in self._noting.budget.large.most_common() if name]

    @property
    def copying(self) -> float:
        """Seconds that copying the data of arrays took in this cell."""
        return self._noting.budget.copying

    def finished(self) -> None:
        """The cell has ended, well or not: effects are no longer watched."""
        if self._began is not None:
            self._is_over()
        self.is_short = self.prints = False
        if self._effects.watching is not None:  # else that was said already
            self._credit.end()
            self._effects.finish()

    def ended_well(self) -> None:
        """The cell has succeeded, and can still be taken back. What else its statements were is not asked any more.

        So their trees end now, as they do without us: to hold some ten objects for each of them would bring collections
        of garbage forward, which a short cell has none of.
        """
        self.finished()
        for index, checkpoint in enumerate(self._all):
            if type(checkpoint) is tuple:
                self._all[index] = (None, *checkpoint[1:])
            elif type(checkpoint) is Checkpoint and not checkpoint.skipped:  # its names are in the tree alone
                checkpoint.node = None
        self.let_go()  # other callbacks have ended things since the last statement: figures

    def note_end(self) -> None:
        """The cell is over: what threads, callbacks and others change from now on is theirs, and is not put back."""
        self.finished()
        self.aftermath.note_end()

    def let_go(self) -> None:
        """Let go of what only this journal holds, unless nobody sees that it lives; between two cells."""
        if self._holdings.are_any:
            start = self._credit.work()
            self._holdings.release()
            self._credit.spend(self._credit.work() - start)

    def retire(self) -> None:
        """Another cell begins, and this one may be taken back behind it: nothing is held whose end anybody could see.

        From here on, what threads and callbacks have changed since the cell ended is not told from what others did.
        """
        self.finished()
        start = self._credit.work()
        if self.aftermath.raised:  # then nobody has done so at its end
            settle(unfold_last(self._all, self._namespace), self._namespace, self._holdings)
        self.aftermath.goes_on()
        if name_objects(self._all):
            hold_only_what_lives(self._all, self._namespace, self._holdings)
        self._noting.forget_saved()
        self._holdings.is_older = True
        if self._holdings.are_any:
            self._holdings.release()
        self._credit.spend(self._credit.work() - start)

    def rollback(self, index: int, end: Callable[[], None] = lambda: None) -> Restoration:
        """Put everything back to the state before the statement of that index; forget the checkpoints from there on.

        Parameters
        ----------
        index : int
            As `before` returned it.
        end : callable
            Ends what else would end only later, in the midst of what runs then: what a traceback holds.

        Returns
        -------
        Restoration
            Whether all is as it was, else what is not.
        """
        self.finished()
        return self.aftermath.rollback(index, self._let_go, end)

    def clear(self) -> None:
        """Let go of every object; the next `before` begins a new cell."""
        if self._effects.watching is not None:  # most are finished already, as their cells have ended
            self.finished()
        self._all.clear()
        self.aftermath.clear()
        self._holdings.clear()
        self._noting.clear()

    def _checkpoint(self, code: CodeType, node: ast.stmt | None) -> Checkpoint:
        left = self._credit.left
        checkpoint = self._noting.foreseen(code, node) if node is not None and left > 0 else None
        if checkpoint is not None:
            return checkpoint
        notices = may_use(code, self._namespace, NOTICING)
        if notices and may_use(code, self._namespace, LOOKING):
            self._let_go_of_all()
            return Checkpoint.skip(code, self._namespace, REASON_TO_LOOK)
        if forgets(code):
            return Checkpoint.skip(code, self._namespace, REASON_TO_FORGET)
        if left > _LEAST:
            checkpoint, resizes = self._noting.full(code, node, left)
        else:
            checkpoint, resizes = Checkpoint.skip(code, self._namespace, NO_CREDIT), notices
        if resizes:
            self._let_go_of_arrays()
        return checkpoint

    def _is_over(self) -> None:
        """The statement that ran, if there is one, runs no more."""
        if self._began is not None:
            self._credit.earn(self._credit.clock() - self._began)
            self._began = None
            self._effects.see_what_runs()

    def _let_go_of_all(self) -> None:
        """The statement asks the interpreter who holds what: it must not find us."""
        hold_nothing(unfold(self._all, self._namespace))
        self._let_go()
        self._holdings.release(looks=True)  # nor what older cells hold

    def _let_go_of_arrays(self) -> None:
        """numpy resizes no array that anybody refers to, be it weakly."""
        self._noting.forget_saved()
        let_go_in_earlier([checkpoint for checkpoint in self._all if type(checkpoint) is Checkpoint])

    def _let_go(self) -> None:
        self._holdings.clear()
        self._noting.forget_saved()
