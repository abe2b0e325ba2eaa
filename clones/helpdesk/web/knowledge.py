"""Articles beside a ticket: those that fit a search, to be opened or linked in the reply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.pages import harmless_html
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Article, Ticket, User
from clones.helpdesk.queries import help_center
from clones.helpdesk.rules.article_paths import page_path
from clones.helpdesk.rules.text import html_of_plain
from clones.helpdesk.web import labels, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.composer import Composer

MOST = 5
MARKS = {True: "Draft", False: "Internal"}


@dataclass(frozen=True, slots=True)
class KnowledgeRow:
    """An article that fits: `linkable` if those who get the reply may read it."""

    id: int
    title: str
    url: str
    place: str
    snippet: SafeString
    mark: str
    linkable: bool


@agent_page
def knowledge(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show the articles that fit a search, beside a ticket or on a page of their own."""
    ticket = queries.ticket(agent.user, key)
    text = request.GET.get("knowledge", "").strip().replace("\0", "")
    context = {
        "ticket": ticket,
        "badge": labels.status_badge(ticket.status),
        "knowledge": knowledge_context(
            ticket, agent.user, text, beside="HX-Request" in request.headers
        ),
    }
    return shell.page(
        request,
        agent,
        "helpdesk/ticket/knowledge_page.html",
        context,
        title=f"Knowledge - #{ticket.id}",
        ticket=ticket,
    )


def knowledge_context(
    ticket: Ticket, reader: User, text: str = "", *, beside: bool = True
) -> dict[str, Any]:
    """Return what the part of a ticket's context shows that has articles; none before a search.

    `beside` tells whether the reply is on the same page, so that articles can be linked in it.
    """
    found = help_center.search_articles(reader, text)[:MOST] if text else []
    return {
        "url": reverse("helpdesk:knowledge", args=[ticket.id]),
        "text": text,
        "rows": [_row(item) for item in found],
        "may_link": beside and ticket.status != "closed",
    }


def link_article(composer: Composer, text: str, reader: User) -> Composer:
    """Return a composer with the link to an article at the end of what it holds.

    Raises:
        RecordNotFound: there is no such article, or none that the reader may read.
    """
    if not is_digits(text, 18):
        raise RecordNotFound("article", text)
    found = help_center.article(reader, int(text))
    path = page_path("articles", found.id, found.title)
    before = composer.html or (html_of_plain(composer.body) if composer.body.strip() else "")
    link = f'<p><a href="{escape(path)}">{escape(found.title, quote=False)}</a></p>'
    body = "\n".join(part for part in (composer.body.rstrip(), found.title) if part)
    return replace(composer, body=body, html=f"{before}{link}")


def _row(item: help_center.ArticleHit) -> KnowledgeRow:
    row: Article = item.article
    sightings.note(row, "list")
    internal = row.draft or row.user_segment_id is not None
    return KnowledgeRow(
        id=row.id,
        title=row.title,
        url=page_path("articles", row.id, row.title),
        place=row.section.name,
        snippet=harmless_html(item.snippet),
        mark=MARKS[row.draft] if internal else "",
        linkable=not internal,
    )
