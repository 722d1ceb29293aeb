"""What others wrote can't act: neither in a page nor in a terminal."""

from __future__ import annotations

import io
import re
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from reflex_ipython.present.history import history_html, history_table, repair_report, repair_report_html
from reflex_ipython.present.page import as_html
from reflex_ipython.present.printable import one_line, printable
from reflex_ipython.present.text import repair_panel
from tests.present.looks import kept_html, kept_text

ALLOWED = {
    "div",
    "p",
    "strong",
    "span",
    "pre",
    "code",
    "br",
    "details",
    "summary",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}
hostile = pytest.mark.parametrize("name", ["hostile", "hostile decided"])


class Elements(HTMLParser):
    """Notes each element, and checks that they are nested well."""

    def __init__(self, page):
        super().__init__()
        self.open, self.found, self.text = [], set(), []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.found.add((tag, *(name for name, _ in attributes)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def pages(repair):
    return [kept_html(repair), repair_report_html(repair), history_html([repair])]


def in_terminal(renderable, **options):
    settings = {"force_terminal": True, "color_system": "truecolor", "legacy_windows": False, "_environ": {}, **options}
    console = Console(file=io.StringIO(), width=100, **settings)
    console.print(renderable)
    return console.file.getvalue()


@hostile
def test_html_holds_only_elements_of_ours(repairs, name):
    for page in pages(repairs[name]):
        found = Elements(page).found
        assert {tag for tag, *_ in found} <= ALLOWED
        assert {attribute for _, *attributes in found for attribute in attributes} <= {"style"}


@hostile
def test_the_hostile_text_can_still_be_read(repairs, name):
    for page in pages(repairs[name])[:2]:
        assert "<script>alert(1)</script>" in "".join(Elements(page).text)


@hostile
def test_html_has_no_character_that_acts_or_hides(repairs, name):
    for page in pages(repairs[name]):
        assert not hidden(page)


def hidden(text):
    return {
        char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in "\n\t"
    }


@hostile
def test_nothing_but_our_colours_reaches_the_terminal(repairs, name):
    repair = repairs[name]
    for renderable in (repair_panel(repair), repair_report(repair), history_table([repair])):
        shown = in_terminal(renderable)
        assert not hidden(re.sub(r"\x1b\[[0-9;]*m", "", shown))
        assert not hidden(in_terminal(renderable, color_system=None))
    assert not hidden(kept_text(repair))


@hostile
def test_markup_of_rich_is_not_interpreted(repairs, name):
    plain = in_terminal(repair_panel(repairs[name]), color_system=None)
    assert "[red]markup[/red]" in plain


def test_links_and_styles_in_text_do_not_become_any(repairs):
    shown = in_terminal(repair_report(repairs["hostile"]))
    assert "\x1b]8;" not in shown


@given(st.text(st.characters(blacklist_categories=())))
def test_printable_text_can_be_encoded_and_has_nothing_hidden(text):
    shown = printable(text)
    shown.encode("utf-8")
    risky = hidden(shown) - {char for char in text if unicodedata.category(char) == "Cf"}
    assert not risky


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("a\rb\x7f", "a␍b␡"),
        ("\x9b31m", "<9B>31m"),
        ("if a: # \u202e} \u2066", "if a: # <202E>} <2066>"),
        ("zero\u200bwidth", "zero<200B>width"),
        ("\ud800", "<D800>"),
        ("\ufeffx", "<FEFF>x"),
        (
            "tab\tand\nline, é日本🐍 👩\u200d💻 \u0645\u200c\u0646",
            "tab\tand\nline, é日本🐍 👩\u200d💻 \u0645\u200c\u0646",
        ),
    ],
)
def test_what_acts_or_hides_is_shown_as_a_sign_and_the_rest_is_left(text, shown):
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n\n  first \nsecond", "first"),
        ("", ""),
        ("abcdefghijk", "abcdefghi…"),
        ("abcdefgh  xyz", "abcdefgh…"),
        ("a\tb", "a b"),
    ],
)
def test_one_line_is_the_first_that_says_something(text, line):
    assert one_line(text, 10) == line


def test_an_empty_document_is_an_empty_box():
    assert Elements(as_html([])).text == []
