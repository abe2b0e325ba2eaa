"""Pages that say why there is nothing else to see: plain, or in the frame of the clone's pages.

Whoever is signed in keeps the navigation round what was refused: a clone tells by `Clone.framed`
how. Everybody else gets the page as it is, without navigation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.module_loading import import_string

from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.refused import RefusedPage

Framed = Callable[[SandboxRequest, RefusedPage], HttpResponse | None]


def plain_page(template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Return a page without navigation."""
    return secured(HttpResponse(render_to_string(template, context), status=status))


def refused_page(
    template: str, title: str, said: str, status: int, **context: object
) -> RefusedPage:
    """Return a clone's page that says why there is nothing else to see."""
    html = render_to_string(template, {"title": title, "said": said, **context})
    page = RefusedPage(html, title=title, said=said, status=status)
    secured(page)
    return page


class FramedRefusals:
    """Put what was refused to somebody who is signed in into the frame of the clone's pages.

    It stands inside of the sandbox's middleware, and so is part of the request and its transaction.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        found = cast(SandboxRequest, request)
        answer = self.get_response(request)
        if not found.clone.framed or not isinstance(answer, RefusedPage):
            return answer
        framed: Framed = import_string(found.clone.framed)
        # After an error of the database nothing can be read: the navigation neither.
        return answer if connection.needs_rollback else (framed(found, answer) or answer)
