"""HTML from outside, cleaned within bounds.

The sanitiser is a step in C, which nothing ends once it is begun, and it takes as long as the
square of how deep elements lie in each other: a few hundred kilobytes of `<div>` are many seconds.
"""

from __future__ import annotations

import re
from typing import Any, Final

import nh3

# Elements of a text: what stands after so many beginnings of tags is text, tags and all.
MOST_TAGS: Final = 10_000
_BEGINNING: Final = re.compile(r"<(?=[A-Za-z])")


def cleaned_html(html: str, **rules: Any) -> str:
    """Return the part of HTML that rules keep, which are those of `nh3.clean`."""
    return nh3.clean(_bounded(html), **rules)


def _bounded(html: str) -> str:
    if html.count("<") <= MOST_TAGS:
        return html
    for number, found in enumerate(_BEGINNING.finditer(html)):
        if number == MOST_TAGS:
            return html[: found.start()] + html[found.start() :].replace("<", "&lt;")
    return html
