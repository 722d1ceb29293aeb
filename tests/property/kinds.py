"""All kinds of objects that random cells are about."""

from __future__ import annotations

from tests.property import code_kinds, library_kinds, process_kinds, python_kinds
from tests.property.kind import Kind

EVERY: tuple[Kind, ...] = (
    *python_kinds.CONTAINERS,
    *python_kinds.BUFFERS,
    *python_kinds.ITERATORS,
    *code_kinds.FUNCTIONS,
    *code_kinds.CLASSES,
    *code_kinds.REFERENCES,
    *process_kinds.OUTSIDE,
    *process_kinds.AMBIENT,
    *library_kinds.NUMPY,
    *library_kinds.PANDAS,
    *library_kinds.SCIENCE,
    *library_kinds.MATPLOTLIB,
)
