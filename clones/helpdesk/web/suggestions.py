"""What fields offer while somebody types: options of a listbox, without a page around them."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain.object_access import check_scope
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.queries.custom_objects import object_of_key
from clones.helpdesk.queries.record_search import matching
from clones.helpdesk.web import pages_queries
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.form_values import person_text
from clones.helpdesk.web.lookups import plain
from clones.helpdesk.web.plain_pages import secured

MOST = 10


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An option: `value` goes into the field, `key` into the hidden one beside it."""

    value: str
    key: str
    label: str
    detail: str = ""


def people(request: SandboxRequest, *, agents_only: bool = False) -> HttpResponse:
    """Offer people by name or address."""
    return _people(request, agents_only=agents_only)


@agent_page
def _people(request: SandboxRequest, agent: Agent, *, agents_only: bool) -> HttpResponse:
    found = pages_queries.people_matching(request.GET.get("q", ""), agents_only=agents_only)
    for user in found:
        sightings.note(user, "list")
    return options([person_option(user) for user in found])


def agents(request: SandboxRequest) -> HttpResponse:
    """Offer agents by name or address."""
    return _people(request, agents_only=True)


@agent_page
def organizations(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Offer organizations by name."""
    found = pages_queries.organizations_matching(plain(request.GET.get("q", "")))
    for organization in found:
        sightings.note(organization, "list")
    return options([Suggestion(one.name, str(one.id), one.name) for one in found])


@agent_page
def records(request: SandboxRequest, agent: Agent, key: str) -> HttpResponse:
    """Offer records of a custom object by the beginning of a word of their name."""
    found = object_of_key(key)
    check_scope(agent.user, found, "read")
    rows = list(matching(found, plain(request.GET.get("q", "")), names_only=True)[:MOST])
    for record in rows:
        sightings.note(record, "list")
    return options([Suggestion(one.name, one.id, one.name, one.external_id or "") for one in rows])


@agent_page
def tags(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Offer tags in use, and the one being typed."""
    typed = request.GET.get("q", "")
    found = pages_queries.tags_in_use(typed)
    return options([Suggestion(tag, tag, tag) for tag in found])


@agent_page
def problems(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Offer problems that are not solved, by number or a part of their subject."""
    text = request.GET.get("q", "").strip().removeprefix("#")
    if not text or not queries.can_be(text):
        return options([])
    rows = queries.open_problems(agent.user, text)
    if is_digits(text, 11):
        rows = rows | queries.open_problems(agent.user, "").filter(id=int(text))
    found = list(rows.order_by("-updated_at", "-id")[:MOST])
    for ticket in found:
        sightings.note(ticket, "list")
    return options([_problem(ticket) for ticket in found])


def _problem(ticket: Ticket) -> Suggestion:
    return Suggestion(str(ticket.id), str(ticket.id), ticket.subject, f"#{ticket.id}")


def person_option(user: User) -> Suggestion:
    """Return the option that a person is."""
    return Suggestion(person_text(user), str(user.id), user.name, user.email or "")


def options(found: list[Suggestion]) -> HttpResponse:
    """Return options as a field asks for them."""
    return secured(
        HttpResponse(render_to_string("helpdesk/_options.html", {"options": found}).strip())
    )
