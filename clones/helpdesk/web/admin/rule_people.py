"""People and organizations in rules: as rows show them, and what is offered while one types."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.models import Organization, User
from clones.helpdesk.queries.definitions import ASSIGNEE, ME, Value
from clones.helpdesk.web import pages_queries
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.form_values import addresses_in, person_text
from clones.helpdesk.web.plain_pages import secured
from clones.helpdesk.web.suggestions import Suggestion

ORGANIZATION = "organization_id"
# By the field of a condition: the address that offers its values.
SUGGESTIONS = {
    ORGANIZATION: "helpdesk:suggest_rule_organizations",
    "requester_id": "helpdesk:suggest_rule_requesters",
}
OFFERED = 10


def text_of(field: str, value: str, listed: Sequence[Value]) -> str:
    """Return a value as its row shows it: a name, or the value itself if nothing has it."""
    for key, label in listed:
        if key == value:
            return label
    if not _is_id(value):
        return value
    if field == ORGANIZATION:
        name = Organization.objects.filter(id=int(value)).values_list("name", flat=True).first()
        return name or value
    user = User.objects.filter(id=int(value)).first()
    return person_text(user) if user is not None else value


def value_of(field: str, text: str, listed: Sequence[Value]) -> str | None:
    """Return what a row's text stands for, None if nothing has that name."""
    wanted = text.strip()
    for special, label in listed:
        if wanted == label:
            return special
    if not wanted or wanted == "-":
        return ""
    key = _organization(wanted) if field == ORGANIZATION else _person(wanted)
    return None if key is None else str(key)


def _organization(wanted: str) -> int | None:
    rows = Organization.objects.order_by("id").values_list("id", flat=True)
    named = rows.filter(name__iexact=wanted).first()
    if named is None and _is_id(wanted):
        return rows.filter(id=int(wanted)).first()
    return named


def _person(wanted: str) -> int | None:
    rows = User.objects.filter(active=True).order_by("id").values_list("id", flat=True)
    if _is_id(wanted):
        return rows.filter(id=int(wanted)).first()
    for address in addresses_in(wanted):
        found = rows.filter(email__iexact=address).first()
        if found is not None:
            return found
    return rows.filter(name__iexact=wanted).first()


@agent_page
def requesters(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Offer whom a condition on the requester may name."""
    typed = request.GET.get("q", "")
    special = [
        Suggestion(label, key, label)
        for key, label in (ME, ASSIGNEE)
        if typed.strip(" (").lower() in label
    ]
    found = pages_queries.people_matching(typed)
    for user in found:
        sightings.note(user, "list")
    people = [
        Suggestion(person_text(user), str(user.id), user.name, user.email or "") for user in found
    ]
    return _options([*special, *people])


@agent_page
def organizations(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Offer organizations by a part of their name."""
    typed = request.GET.get("q", "").strip()
    rows = Organization.objects.filter(name__icontains=typed).order_by("name", "id")
    found = list(rows[:OFFERED]) if typed else []
    for organization in found:
        sightings.note(organization, "list")
    return _options([Suggestion(item.name, str(item.id), item.name) for item in found])


def _options(found: list[Suggestion]) -> HttpResponse:
    html = render_to_string("helpdesk/_options.html", {"options": found})
    return secured(HttpResponse(html.strip()))


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
