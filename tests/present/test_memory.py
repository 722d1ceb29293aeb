"""The table of what was learnt, in a notebook."""

from __future__ import annotations

from reflex_ipython.present.memory import Remembered, memory_html


def test_long_code_is_wrapped_so_that_the_last_columns_stay_on_the_page() -> None:
    code = "very_long_name_of_a_table" * 8
    html = memory_html([Remembered("ab12", code, f"{code}.sum()", "1 time, today", "remembered")])
    assert f'<code style="white-space:pre-wrap;overflow-wrap:anywhere">{code}</code>' in html
    assert f'<code style="white-space:pre-wrap;overflow-wrap:anywhere">{code}.sum()</code>' in html
    assert '<span style="overflow-wrap:anywhere">1 time, today</span>' in html
    assert "<code>ab12</code>" in html


def test_a_bar_in_code_stays_in_its_column() -> None:
    html = memory_html([Remembered("ab12", "a | b", "a or b", "1 time, today", "remembered")])
    assert html.count("<td") == 5
    assert ">a | b</code>" in html
