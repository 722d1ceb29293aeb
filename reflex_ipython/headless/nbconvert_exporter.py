"""`jupyter nbconvert --to healed`, and a preprocessor that heals in front of any other exporter."""

from __future__ import annotations

from typing import Any

from nbconvert.exporters import NotebookExporter
from nbconvert.preprocessors import ExecutePreprocessor
from traitlets.config import Config

from reflex_ipython.headless.healing import HealingRunner


class HealPreprocessor(HealingRunner, ExecutePreprocessor):
    """Runs a notebook before it is exported, as `ExecutePreprocessor` does, and heals the cells that fail.

    `jupyter nbconvert --to html --HTMLExporter.preprocessors=NAME`, where NAME is this class with its module.
    """


class HealedExporter(NotebookExporter):
    """A notebook that was run and healed."""

    export_from_notebook = "Healed notebook"

    @property
    def default_config(self) -> Any:
        """With the preprocessor in front of all others."""
        ours = Config(
            {"NotebookExporter": {"preprocessors": [HealPreprocessor]}, "HealPreprocessor": {"enabled": True}}
        )
        ours.merge(super().default_config)
        return ours
