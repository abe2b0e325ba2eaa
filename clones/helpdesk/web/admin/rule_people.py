"""People and organizations in rules: as rows show them, and what is offered while one types."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.models import Organization, User
from clones.helpdesk.queries.definitions import ASSIGNEE, ME, Value
from clones.helpdesk.web import pages_queries
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.form_values import person_text
from clones.helpdesk.web.lookups import is_key, organization_named, person_named
from clones.helpdesk.web.suggestions import Suggestion, options, person_option

ORGANIZATION = "organization_id"
# By the field of a condition: the address that offers its values.
SUGGESTIONS = {
    ORGANIZATION: "helpdesk:suggest_organizations",
    "requester_id": "helpdesk:suggest_rule_requesters",
}


def text_of(field: str, value: str, listed: Sequence[Value]) -> str:
    """Return a value as its row shows it: a name, or the value itself if nothing has it."""
    for key, label in listed:
        if key == value:
            return label
    if not is_key(value):
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
    found = organization_named(wanted)
    if found is None and is_key(wanted):
        found = Organization.objects.filter(id=int(wanted)).first()
    return None if found is None else found.id


def _person(wanted: str) -> int | None:
    if is_key(wanted):
        found = User.objects.filter(id=int(wanted), active=True).first()
    else:
        found = person_named(wanted)
    return None if found is None else found.id


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
    return options([*special, *(person_option(user) for user in found)])
