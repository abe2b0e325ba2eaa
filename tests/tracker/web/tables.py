"""Tables of pages, as people read them."""

from __future__ import annotations

import re

from tests.tracker.web.pages import Page, words_of


def table(page: Page, name: str) -> list[list[str]]:
    """Return the words of the body of the table of that name, row by row, cell by cell."""
    found = re.search(
        rf'<table[^>]*aria-label="{re.escape(name)}"[^>]*>(.*?)</table>', page.html, re.DOTALL
    )
    assert found is not None, (name, page.main)
    body = found[1].partition("<tbody>")[2]
    return [
        [words_of(cell) for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in body.split("<tr")[1:]
    ]


def has_table(page: Page, name: str) -> bool:
    """Tell whether a page has a table of that name."""
    return f'aria-label="{name}"' in page.html
