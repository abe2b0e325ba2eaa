"""Comment text: from plain to HTML and back, and what of incoming HTML is kept."""

from __future__ import annotations

import re
from html import escape

from clones.core.sanitizing import cleaned_html

_LINK = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:!?)\]]")
_TAGS = {
    *(
        "a",
        "abbr",
        "b",
        "blockquote",
        "br",
        "code",
        "div",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ),
    *(
        "hr",
        "i",
        "img",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
    ),
    *("td", "th", "thead", "tr", "u", "ul"),
}
_ATTRIBUTES = {
    "a": {"href", "title", "target"},
    "img": {"src", "alt", "width", "height"},
    "p": {"dir"},
    "div": {"dir", "class"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}


def html_of_plain(text: str) -> str:
    """Return the HTML of a comment written as plain text: a paragraph per blank line."""
    paragraphs = re.split(r"\n[ \t]*\n+", text.replace("\r\n", "\n").strip("\n"))
    inner = "".join(f'<p dir="auto">{_inline(part)}</p>' for part in paragraphs)
    return f'<div class="zd-comment" dir="auto">{inner}</div>'


def html_of_html(html: str) -> str:
    """Return the kept part of incoming HTML, wrapped as comments are."""
    return f'<div class="zd-comment" dir="auto">{kept_of_html(html)}</div>'


def kept_of_html(html: str) -> str:
    """Return the kept part of HTML in its one form: what is kept already stays as it is."""
    return cleaned_html(html, tags=_TAGS, attributes=_ATTRIBUTES, link_rel="noreferrer")


def _inline(text: str) -> str:
    pieces, at = [], 0
    for found in _LINK.finditer(text):
        pieces.append(escape(text[at : found.start()], quote=False))
        url = escape(found.group(), quote=True)
        pieces.append(f'<a href="{url}" rel="noreferrer">{url}</a>')
        at = found.end()
    pieces.append(escape(text[at:], quote=False))
    return "".join(pieces).replace("\n", "<br>")
