"""Elements of XML: in C, with a tag, attributes, texts and children."""

from __future__ import annotations

import sys
from typing import Any

from reflex_ipython.state.kinds.kind import Kind, Walk
from reflex_ipython.state.kinds.layout import solid_base

_MODULE = "xml.etree.ElementTree"


def kinds() -> dict[type, Kind]:
    """The kind of an element, where the standard library's parser is loaded and is the one in C."""
    module: Any = sys.modules.get(_MODULE)
    cls = module.Element if module is not None else object
    if solid_base(cls) is not cls or "__setstate__" not in vars(cls):
        return {}
    get, put = vars(cls)["__getstate__"], vars(cls)["__setstate__"]

    def note(o: Any, walk: Walk) -> dict[str, Any]:
        state: dict[str, Any] = get(o)
        walk.follow([*state["_children"], state["attrib"]])
        return state

    def same(o: Any, saved: dict[str, Any]) -> bool:
        now = get(o)
        fields = all(now[name] is saved[name] for name in ("tag", "text", "tail"))
        attributes = now["attrib"] is saved["attrib"] or not (now["attrib"] or saved["attrib"])
        children = list(map(id, now["_children"])) == list(map(id, saved["_children"]))
        return fields and attributes and children

    return {cls: Kind("xml.etree.ElementTree.Element", "exact", note, same, put)}
