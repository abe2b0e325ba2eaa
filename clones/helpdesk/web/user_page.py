"""A user's page: properties that are changed in place, and tabs of what belongs to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_of
from clones.core.web.posted import posted_text
from clones.helpdesk import queries
from clones.helpdesk.domain.sessions import sessions_of
from clones.helpdesk.domain.user_erasure import is_erased
from clones.helpdesk.domain.users import update_user
from clones.helpdesk.models import Identity, OrganizationMembership, User
from clones.helpdesk.rules import passwords
from clones.helpdesk.web import labels, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.profile_form import ProfileForm, attempt_form
from clones.helpdesk.web.ticket_rows import ticket_page_context
from clones.helpdesk.web.times import Times
from clones.helpdesk.web.user_form import (
    may_edit,
    posted_user,
    standing_form,
    user_changes,
    user_fields,
)

TICKET_COLUMNS = ("nice_id", "subject", "created", "updated", "group", "assignee")
LISTS = {
    "requested": "Requested tickets",
    "assigned": "Assigned tickets",
    "ccd": "CC'd tickets",
}
TABS = {
    "user": "Tickets",
    "user_identities": "Identities",
    "user_organizations": "Organizations",
    "user_security": "Security settings",
}
IDENTITY_LABELS = {
    "email": "Email",
    "phone_number": "Phone number",
    "twitter": "X (formerly Twitter)",
    "facebook": "Facebook",
    "google": "Google",
    "agent_forwarding": "Forwarding number",
    "any_channel": "Channel",
    "foreign": "Foreign",
    "sdk": "SDK",
}


@agent_page
def user(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a user with the tickets they asked for, have, or are copied on."""
    return show_user(request, agent, queries.user(key), "user")


@agent_page
def identities(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show the addresses of a user."""
    return show_user(request, agent, queries.user(key), "user_identities")


@agent_page
def organizations(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show the organizations that a user belongs to."""
    return show_user(request, agent, queries.user(key), "user_organizations")


@agent_page
def security(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show where a user is signed in; only admins and the user see that."""
    found = queries.user(key)
    if not may_see_security(agent.user, found):
        return shell.go(reverse("helpdesk:user", args=[key]))
    return show_user(request, agent, found, "user_security")


@agent_page
def profile(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Take the form of a user's properties; opened by itself, lead on to the user."""
    found = queries.user(key)
    if request.method != "POST":
        return shell.go(reverse("helpdesk:user", args=[key]))
    tab = posted_text(request, "tab", "user")
    tab = tab if tab in TABS else "user"
    form, fields = posted_user(request.POST, found, agent.user)
    changes = user_changes(form)
    _, errors = attempt_form(
        lambda: update_user(found, actor=agent.user, changes=changes) if changes else None, fields
    )
    if errors is not None:
        form.errors = errors
        return show_user(request, agent, queries.user(key), tab, form=form, status=422)
    notice = "user_saved" if changes else "user_kept"
    return shell.go(reverse(f"helpdesk:{tab}", args=[key]), notice)


def may_see_security(agent: User, user: User) -> bool:
    """Tell whether somebody may see where a user is signed in."""
    return agent.role == "admin" or agent.id == user.id


def show_user(
    request: SandboxRequest,
    agent: Agent,
    found: User,
    tab: str,
    *,
    form: ProfileForm | None = None,
    failures: Sequence[str] = (),
    typed: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return a user's page with one of its tabs; `failures` is what an action was refused for."""
    sightings.note(found, "detail")
    times = Times(agent.user)
    form = form or standing_form(found)
    places = _places(found)
    context = {
        "user": found,
        "initials": labels.initials(found.name),
        "hue": labels.hue(found.id),
        "identities": _identities(found),
        "created": times.show(found.created_at),
        "updated": times.show(found.updated_at),
        "last_login": times.maybe(found.last_login_at),
        "fields": user_fields(found, agent.user, form),
        "form": form,
        "editable": may_edit(agent.user, found),
        "may_erase": agent.user.role == "admin" and not found.active and not is_erased(found),
        "tab": tab,
        "tabs_of_user": _tabs(agent.user, found, places),
        "failures": failures,
        "typed": typed or {},
        **_OF_TAB[tab](request, agent, found, times, places),
    }
    return shell.page(
        request,
        agent,
        "helpdesk/user.html",
        context,
        title=found.name,
        active="customers",
        status=status,
    )


def _identities(found: User) -> list[tuple[Identity, str]]:
    rows = Identity.objects.filter(user=found).order_by("-primary", "id")
    shown = []
    for identity in rows:
        sightings.note(identity, "list")
        shown.append((identity, IDENTITY_LABELS.get(identity.type, identity.type)))
    return shown


def _places(found: User) -> list[OrganizationMembership]:
    rows = OrganizationMembership.objects.filter(user=found).select_related("organization")
    return list(rows.order_by("-default", "organization__name", "id"))


def _tabs(
    agent: User, found: User, places: list[OrganizationMembership]
) -> list[tuple[str, str, str]]:
    counts = {"user_organizations": f" ({len(places)})"}
    return [
        (name, f"{label}{counts.get(name, '')}", reverse(f"helpdesk:{name}", args=[found.id]))
        for name, label in TABS.items()
        if name != "user_security" or may_see_security(agent, found)
    ]


def _tickets_tab(
    request: SandboxRequest,
    agent: Agent,
    found: User,
    times: Times,
    places: list[OrganizationMembership],
) -> dict[str, Any]:
    chosen = request.GET.get("list", "requested")
    chosen = chosen if chosen in LISTS else "requested"
    seen = queries.visible_tickets(agent.user)
    tickets = {
        "requested": seen.filter(requester=found),
        "assigned": seen.filter(assignee=found),
        "ccd": seen.filter(queries.copied_to(found)),
    }
    return {
        "lists": [(name, LISTS[name], rows.count()) for name, rows in tickets.items()],
        "chosen": chosen,
        **ticket_page_context(request, tickets[chosen], times, TICKET_COLUMNS),
    }


def _identities_tab(*_: Any) -> dict[str, Any]:
    return {"kinds": [("email", "Email"), ("phone_number", "Phone number")]}


def _organizations_tab(
    request: SandboxRequest,
    agent: Agent,
    found: User,
    times: Times,
    places: list[OrganizationMembership],
) -> dict[str, Any]:
    for place in places:
        sightings.note(place.organization, "list")
    return {"places": places}


def _security_tab(
    request: SandboxRequest,
    agent: Agent,
    found: User,
    times: Times,
    places: list[OrganizationMembership],
) -> dict[str, Any]:
    shown = page_of(request, sessions_of(found).order_by("-created_at", "-id"))
    return {
        "page": shown,
        "sessions": [(item, times.show(item.created_at)) for item in shown.rows],
        "own_session": agent.session.id,
        "own": found.id == agent.user.id,
        "requirements": [text for text, _ in passwords.REQUIREMENTS],
    }


Tab = Callable[[SandboxRequest, Agent, User, Times, list[OrganizationMembership]], dict[str, Any]]
_OF_TAB: dict[str, Tab] = {
    "user": _tickets_tab,
    "user_identities": _identities_tab,
    "user_organizations": _organizations_tab,
    "user_security": _security_tab,
}
