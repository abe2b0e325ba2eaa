"""Admin Center's tags: how many tickets have each."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import ListPage, Panel, linked_row
from clones.helpdesk.queries.tags import tag_counts
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import pages
from clones.helpdesk.web.admin.frame import admin_page


@admin_page
def tags(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the tags of tickets, most frequent first; each leads to its tickets."""
    text = pages.search_text(request).lower()
    search = reverse("helpdesk:search")
    lines = [
        linked_row(
            f"{search}?{urlencode({'q': f'tags:{name}', 'type': 'ticket'})}", name, str(count)
        )
        for name, count in tag_counts(agent.user)
        if text in name
    ]
    listing = ListPage(
        "Tags",
        "admin_tags",
        [Panel(("Tag", "Tickets"), empty="No tags.")],
        search=pages.search(request),
    )
    return pages.show_all(request, agent, listing, lines)
