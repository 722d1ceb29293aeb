"""What is shown again of an earlier run."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_ipython.ipython.replay import NOT_AGAIN, replayed

RUN = {
    "a script": {"application/javascript": "post()", "text/plain": "<Javascript>"},
    "an older name": {"text/javascript": "post()", "text/plain": "<Javascript>"},
    "HTML with one": {"text/html": "<p>a</p><script src='x.js'></script>", "text/plain": "<HTML>"},
    "HTML in lines": {"text/html": ["<p>a</p>", "<SCRIPT\n>post()</SCRIPT>"], "text/plain": "<HTML>"},
    "HTML with a handler": {"text/html": "<img src=x onerror='post()'>", "text/plain": "<HTML>"},
    "a drawing with one": {"image/svg+xml": "<svg><script>post()</script></svg>", "text/plain": "<SVG>"},
    "bokeh's own type": {"application/vnd.bokehjs_exec.v0+json": "", "text/plain": "<plot>"},
}


@pytest.mark.parametrize("data", RUN.values(), ids=list(RUN))
@pytest.mark.parametrize("kind", ["display_data", "execute_result", "update_display_data"])
def test_of_a_script_only_a_plain_line_is_shown_which_says_so(kind: str, data: dict[str, Any]) -> None:
    content = {"data": data, "metadata": {}, "transient": {"display_id": "a"}, "execution_count": 1}
    assert replayed(kind, content) == {**content, "data": {"text/plain": f"{NOT_AGAIN} {data['text/plain']}"}}


def test_a_picture_beside_a_script_is_shown() -> None:
    data = {"image/png": "iVBO", "text/html": "<script>post()</script>", "text/plain": "<Figure>"}
    content = {"data": data, "metadata": {"image/png": {"width": 3}, "text/html": {"isolated": True}}}
    shown = replayed("display_data", content)
    assert shown["data"] == {"image/png": "iVBO", "text/plain": "<Figure>"}
    assert shown["metadata"] == {"image/png": {"width": 3}}
    assert "text/html" in data


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("stream", {"name": "stdout", "text": "<script>"}),
        ("clear_output", {"wait": True}),
        ("display_data", {"data": {"text/html": "<b>prescripted online = 1</b>"}, "metadata": {}}),
        ("display_data", {"data": {"text/plain": "<script>post()</script>"}, "metadata": {}}),
        ("display_data", {"data": {"application/vnd.jupyter.widget-view+json": {"model_id": "a"}}, "metadata": {}}),
    ],
)
def test_all_else_is_shown_as_it_was(kind: str, content: dict[str, Any]) -> None:
    assert replayed(kind, content) is content
