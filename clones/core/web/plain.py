"""Pages without navigation: for those who are not, or not rightly, at a clone's pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core.pages import secured


def plain_page(template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Return a page without navigation."""
    return secured(HttpResponse(render_to_string(template, context), status=status))


def refused_page(
    template: str, title: str, said: str, status: int, **context: object
) -> HttpResponse:
    """Return a clone's page that says why there is nothing else to see."""
    return plain_page(template, {"title": title, "said": said, **context}, status=status)
