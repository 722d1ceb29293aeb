"""To plain JSON values and back. A field that an older file lacks gets its default."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, TypeVar, cast

T = TypeVar("T")


def to_json(value: Any) -> dict[str, Any]:
    """A dataclass of the models as plain dicts, lists, strings, numbers and None."""
    return dataclasses.asdict(value, dict_factory=dict)


def from_json(kind: type[T], data: Any) -> T:
    """The reverse of `to_json`: validate `data` and build a `kind`.

    Raises
    ------
    pydantic.ValidationError
        If `data` is not of that shape.
    """
    return cast(T, _adapter(kind).validate_python(data))  # type: ignore[arg-type]  # mypy: a class is hashable


@functools.lru_cache(maxsize=None)
def _adapter(kind: type[Any]) -> Any:
    import pydantic  # 0.1 s to import: only who reads JSON pays

    return pydantic.TypeAdapter(kind)
