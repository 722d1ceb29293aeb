"""What can be read of the history: lists, one repair whole or as a log, and what all of them came to."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from jupyter_server.auth.decorator import authorized
from tornado.web import authenticated

from reflex_ipython.errors import BadInput, StoreError
from reflex_ipython.execution.workshop import history_of
from reflex_ipython.models import Repair, Tally, to_json
from reflex_ipython.protocols import IndexedStore
from reflex_ipython.server.answers import LOOKED_THROUGH, asked_lines, filters, listed
from reflex_ipython.server.base_handler import ServiceHandler

T = TypeVar("T")


class HistoryHandler(ServiceHandler):
    """One that asks the history."""

    @property
    def given(self) -> dict[str, str]:
        """What stands behind the address, by name."""
        return {name: self.get_argument(name) for name in self.request.arguments}

    async def read(self, ask: Callable[[IndexedStore], T]) -> T:
        """Ask it: a disk or a server may take its time, on a thread."""

        def answered() -> T:
            with contextlib.closing(history_of(self.service.now())) as store:
                found = ask(store)
                if problem := getattr(store, "problem", ""):  # it gave what it had in memory: nothing, here
                    raise StoreError(problem)
                return found

        try:
            return await asyncio.to_thread(answered)
        except (StoreError, BadInput) as error:
            self.refuse(503, str(error))

    async def one(self, repair_id: str) -> Repair:
        """The repair with that id; 404 without one."""

        def ask(store: IndexedStore) -> Repair | str:
            try:
                return store.get(repair_id)
            except BadInput as error:
                return str(error)

        found = await self.read(ask)
        if isinstance(found, str):
            self.refuse(404, found)
        return found


class RepairsHandler(HistoryHandler):
    """`GET repairs`."""

    @authenticated
    @authorized("read")
    async def get(self) -> None:
        """The latest that the filters let through, newest first."""
        try:
            wanted = filters(self.given)
        except BadInput as error:
            self.refuse(400, str(error))
        found = await self.read(lambda store: store.recent(LOOKED_THROUGH))
        self.answer(listed(wanted.chosen(found)))


class RepairHandler(HistoryHandler):
    """`GET repairs/ID`."""

    @authenticated
    @authorized("read")
    async def get(self, repair_id: str) -> None:
        """All of one."""
        self.answer(to_json(await self.one(repair_id)))


class RepairLogHandler(HistoryHandler):
    """`GET repairs/ID/log`."""

    @authenticated
    @authorized("read")
    async def get(self, repair_id: str) -> None:
        """One as Markdown that a colleague can read."""
        from reflex_ipython.reports.log import repair_log  # not before somebody reads one

        self.answer({"id": repair_id, "markdown": repair_log(await self.one(repair_id))})


class HistoryLinesHandler(HistoryHandler):
    """`GET history`."""

    @authenticated
    @authorized("read")
    async def get(self) -> None:
        """The latest that are meant, in a line each, and whether there are more."""
        try:
            which, limit = asked_lines(self.given)
        except BadInput as error:
            self.refuse(400, str(error))
        lines = await self.read(lambda store: store.summaries(which, limit + 1))
        self.answer({"repairs": [asdict(line) for line in lines[:limit]], "more": len(lines) > limit})


class StatisticsHandler(HistoryHandler):
    """`GET history/statistics`."""

    @authenticated
    @authorized("read")
    async def get(self) -> None:
        """What all came to, in a sentence and in charts, and what can be filtered by."""
        self.answer(_statistics(await self.read(lambda store: store.tallies())))


def _statistics(tallies: list[Tally]) -> Mapping[str, Any]:
    from reflex_ipython.reports.charts import charts
    from reflex_ipython.reports.page import figures_line
    from reflex_ipython.reports.statistics import by, in_all

    figures = in_all(tallies)
    values = {name: [one.value for one in by(name, tallies)] for name in ("ename", "provider", "rule", "model")}
    return {
        "repairs": figures.repairs,
        "summary": figures_line(figures),
        "charts": [{"title": title, "spec": spec} for title, spec in charts(tallies)],
        "values": {**values, "outcome": list(figures.outcomes)},
    }
