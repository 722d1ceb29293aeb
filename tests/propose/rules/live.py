"""What the likeliest fix that runs comes to, with the scientific libraries themselves."""

from __future__ import annotations

from reflex_ipython.models import Failure
from tests.capture.conftest import Notebook
from tests.propose.rules.build import offered


def prepared(*cells: str) -> Notebook:
    """A notebook in which these cells ran."""
    notebook = Notebook()
    for source in cells:
        notebook.run(source)
    return notebook


def failed(*cells: str) -> Failure:
    """The failure of the last of some cells."""
    return prepared(*cells[:-1]).fail(cells[-1])


def best_that_runs(*cells: str) -> tuple[Notebook, float]:
    """The namespace after the likeliest fix of the last cell that runs, and how likely it was held to be."""
    for source, prior in sorted(offered(failed(*cells)).items(), key=lambda pair: -pair[1]):
        notebook = prepared(*cells[:-1])
        try:
            notebook.run(source)
        except Exception:  # noqa: BLE001 - as in a trial: what does not run is not shown
            continue
        return notebook, prior
    raise AssertionError("no fix runs")
