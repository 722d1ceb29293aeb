"""`papermill --engine reflex IN OUT`: papermill, which heals the cells that fail."""

from __future__ import annotations

from typing import Any

from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine
from papermill.log import logger

from reflex_ipython.headless.healing import HealingRunner

NOT_FOR_CLIENTS = ("input_path", "timeout", "startup_timeout")
"""What papermill gives to an engine and no nbclient takes, or takes under another name."""


class HealingClient(HealingRunner, PapermillNotebookClient):
    """Papermill's nbclient, which heals."""


class HealingEngine(NBClientEngine):
    """Papermill's engine `reflex`. What `HealingRunner` takes, such as `accept`, may be given to `execute_notebook`."""

    @classmethod
    def execute_managed_notebook(
        cls, nb_man: Any, kernel_name: str, start_timeout: int = 60, execution_timeout: int | None = None, **kwargs: Any
    ) -> Any:
        """Run the notebook of a manager.

        Parameters
        ----------
        nb_man : NotebookExecutionManager
        kernel_name : str
        start_timeout : int
            Seconds for the kernel to start.
        execution_timeout : int or None
            Seconds for each cell; None: what `timeout` says, else any.
        **kwargs
            Of the client.
        """
        traits = {name: value for name, value in kwargs.items() if name not in NOT_FOR_CLIENTS}
        traits.update(timeout=execution_timeout or kwargs.get("timeout"), startup_timeout=start_timeout)
        return HealingClient(nb_man, kernel_name=kernel_name, log=logger, **traits).execute()
