"""An organization's page: properties that are changed in place, its tickets, its people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_of
from clones.core.web.posted import given_to, posted_text
from clones.helpdesk import queries
from clones.helpdesk.domain import organizations as domain
from clones.helpdesk.domain.errors import (
    AccessDenied,
    RecordInvalid,
)
from clones.helpdesk.domain.organization_merging import start_merge
from clones.helpdesk.models import Organization, OrganizationMembership
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.form_errors import attempt, attempt_on_found
from clones.helpdesk.web.lookups import is_key, organization_named, person_named
from clones.helpdesk.web.organization_form import (
    organization_changes,
    organization_fields,
    posted_organization,
    standing_form,
)
from clones.helpdesk.web.profile_form import ProfileForm, attempt_form
from clones.helpdesk.web.ticket_page import via_web
from clones.helpdesk.web.ticket_rows import ticket_page_context
from clones.helpdesk.web.times import Times

TICKET_COLUMNS = ("nice_id", "subject", "requester", "created", "updated", "group", "assignee")
TABS = ("organization", "organization_users")


@agent_page
def organization(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show an organization with its tickets, or take the form of its properties."""
    found = queries.organization(key)
    if request.method != "POST":
        return _show(request, agent, found, "organization")
    tab = posted_text(request, "tab", "organization")
    tab = tab if tab in TABS else "organization"
    form, fields = posted_organization(request.POST, found, agent.user)
    changes = organization_changes(form)
    _, errors = attempt_form(
        lambda: (
            domain.update_organization(found, actor=agent.user, changes=changes)
            if changes
            else None
        ),
        fields,
    )
    if errors is not None:
        form.errors = errors
        fresh = queries.organization(key)
        return _show(request, agent, fresh, tab, form=form, status=422)
    notice = "organization_saved" if changes else "organization_kept"
    return shell.go(reverse(f"helpdesk:{tab}", args=[key]), notice)


@agent_page
def users(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show the people of an organization, add somebody, or take somebody out."""
    found = queries.organization(key)
    if request.method != "POST":
        return _show(request, agent, found, "organization_users")
    _, errors = attempt_on_found(lambda: _change_member(request, agent, found))
    if errors is not None:
        failures = errors.sentences
        return _show(request, agent, found, "organization_users", failures=failures, status=422)
    return shell.go(reverse("helpdesk:organization_users", args=[key]), "organization_saved")


def _change_member(request: SandboxRequest, agent: Agent, found: Organization) -> None:
    post = request.POST
    if post.get("do") == "remove":
        text = post.get("membership", "")
        number = int(text) if is_key(text) else 0
        rows = _members(found)
        domain.unassign_organization(queries.one(rows, "membership", number), actor=agent.user)
        return
    person = person_named(post.get("person", ""), post.get("person_id", ""))
    if person is None:
        raise RecordInvalid.of("person", "User: nobody has that name or address")
    domain.add_organization_member(actor=agent.user, user_id=person.id, organization_id=found.id)


def _members(found: Organization) -> QuerySet[OrganizationMembership]:
    rows = OrganizationMembership.objects.filter(organization=found, user__active=True)
    return rows.select_related("user", "organization")


def _show(
    request: SandboxRequest,
    agent: Agent,
    found: Organization,
    tab: str,
    *,
    form: ProfileForm | None = None,
    failures: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    sightings.note(found, "detail")
    times = Times(agent.user)
    form = form or standing_form(found)
    members = _members(found).order_by("user__name", "user_id")
    tickets = queries.visible_tickets(agent.user).filter(organization=found)
    context: dict[str, Any] = {
        "organization": found,
        "created": times.show(found.created_at),
        "updated": times.show(found.updated_at),
        "form": form,
        "fields": organization_fields(agent.user, form),
        "editable": True,
        "failures": failures,
        "tab": tab,
        "tabs_of_organization": [
            (name, f"{label} ({count})", reverse(f"helpdesk:{name}", args=[found.id]))
            for name, label, count in (
                ("organization", "Tickets", tickets.count()),
                ("organization_users", "Users", members.count()),
            )
        ],
        "typed": posted_text(request, "person", strip=False),
    }
    if tab == "organization":
        context.update(ticket_page_context(request, tickets, times, TICKET_COLUMNS))
    else:
        shown = page_of(request, members)
        for place in shown.rows:
            sightings.note(place.user, "list")
        context["page"] = shown
    return shell.page(
        request,
        agent,
        "helpdesk/organization.html",
        context,
        title=found.name,
        active="organizations",
        status=status,
    )


@agent_page
def delete(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether to delete an organization, or do it."""
    found = _for_admins(agent, key)
    failures: list[str] = []
    if request.method == "POST":
        _, errors = attempt(lambda: domain.delete_organization(found, actor=agent.user))
        if errors is None:
            return shell.go(reverse("helpdesk:organizations"), "organization_deleted")
        failures = errors.sentences
    context: dict[str, Any] = {
        "people": _members(found).count(),
        "tickets": queries.visible_tickets(agent.user).filter(organization=found).count(),
        "failures": failures,
    }
    return _sheet(request, agent, found, "delete", context)


@agent_page
def merge(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Choose what to merge an organization into, confirm it, queue it."""
    found = _for_admins(agent, key)
    given = given_to(request)
    text, failures = given.get("into", ""), list[str]()
    winner = organization_named(text, given.get("into_id", "")) if text else None
    if text and winner is None:
        failures = ["Organization: is invalid"]
    if request.method == "POST" and winner is not None:
        into, client = winner, via_web(request).client
        _, errors = attempt(lambda: start_merge(found, into, actor=agent.user, client=client))
        if errors is None:
            address = reverse("helpdesk:organization", args=[winner.id])
            return shell.go(address, "organization_merging")
        failures = errors.sentences
    context = {"winner": winner, "into": text, "failures": failures}
    return _sheet(request, agent, found, "merge", context)


def _for_admins(agent: Agent, key: int) -> Organization:
    if agent.user.role != "admin":
        raise AccessDenied("only admins do this")
    return queries.organization(key)


def _sheet(
    request: SandboxRequest,
    agent: Agent,
    found: Organization,
    doing: str,
    context: dict[str, Any],
) -> HttpResponse:
    sightings.note(found, "detail")
    return shell.page(
        request,
        agent,
        f"helpdesk/organization_{doing}.html",
        {"organization": found, **context},
        title=f"{doing.capitalize()} {found.name}",
        active="organizations",
        status=422 if context["failures"] else 200,
    )
