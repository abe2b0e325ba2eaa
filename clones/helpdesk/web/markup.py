"""Comment HTML as pages show it: only what is harmless, whatever was stored."""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString

TAGS = {
    *("a", "b", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr"),
    *("i", "li", "ol", "p", "pre", "s", "span", "strong", "sub", "sup", "table", "tbody", "td"),
    *("th", "thead", "tr", "u", "ul"),
}
ATTRIBUTES = {"a": {"href", "title"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}
SCHEMES = {"http", "https", "mailto", "tel"}


def comment_html(html: str) -> SafeString:
    """Return the part of a comment's HTML that a page may show.

    Pictures, styles, classes and identifiers go: a page loads nothing from elsewhere, and a comment
    must not look or act like a part of the desk.
    """
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return SafeString(clean)  # the sanitiser's output, and nothing built around it
