"""What every page stands in."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core.pages import secured
from clones.crm.web.access import Visitor


def page(
    who: Visitor,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    here: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return a page in the frame; `here` is the key of its entry in the navigation."""
    shell = {
        "account": who.account,
        "token": who.token,
        "title": title,
        "here": here,
    }
    html = render_to_string(template, {**shell, **context})
    return secured(HttpResponse(html, status=status))
