"""What every page of a clone needs that people look at: headers, and harmless HTML."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.safestring import SafeString

from clones.core.sanitizing import cleaned_html

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'; frame-src {frames}"
)
TAGS = {
    *("a", "b", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr"),
    *("i", "li", "ol", "p", "pre", "s", "span", "strong", "sub", "sup", "table", "tbody", "td"),
    *("th", "thead", "tr", "u", "ul"),
}
ATTRIBUTES = {"a": {"href", "title"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}
SCHEMES = {"http", "https", "mailto", "tel"}


def secured(response: HttpResponse, frames: str = "'none'") -> HttpResponse:
    """Set the headers every page has; `frames` are the origins it may show in frames."""
    for name, value in SECURITY.items():
        response.setdefault(name, value)
    response["Content-Security-Policy"] = POLICY.format(frames=frames)
    return response


def harmless_html(html: str) -> SafeString:
    """Return the part of HTML from outside that a page may show.

    Pictures, styles, classes and identifiers go: a page loads nothing from elsewhere, and what
    somebody wrote must not look or act like a part of it.
    """
    clean = cleaned_html(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return SafeString(clean)  # the sanitiser's output, and nothing built around it
