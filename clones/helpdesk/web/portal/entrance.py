"""The portal's first page, and addresses that only lead on."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.queries import help_center as queries
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import SignedIn, end_user_page, open_page
from clones.helpdesk.web.portal import articles

INTENTIONS = {"16": "good", "17": "bad"}


@open_page
def portal(request: SandboxRequest, who: SignedIn | None) -> HttpResponse:
    """Show the help center's categories; where it has none, lead on to requests or the form."""
    rows = queries.readable_categories(articles.user_of(who)).order_by("position", "id")
    if categories := list(rows):
        return articles.home_page(request, who, categories)
    return shell.go(reverse("helpdesk:new_request" if who is None else "helpdesk:requests"))


@end_user_page
def request_link(request: SandboxRequest, who: SignedIn, key: int) -> HttpResponse:
    """Lead on from the address that messages have of a request."""
    return shell.go(reverse("helpdesk:request", args=[key]))


@end_user_page
def satisfaction_link(request: SandboxRequest, who: SignedIn, key: int) -> HttpResponse:
    """Lead on from the address that surveys have to a request's rating, with the answer chosen."""
    score = INTENTIONS.get(request.GET.get("intention", ""), "")
    query = f"?{urlencode({'score': score})}" if score else ""
    return shell.go(f"{reverse('helpdesk:request', args=[key])}{query}#satisfaction")
