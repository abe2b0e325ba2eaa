"""The customer context beside a ticket: who asks, what else they asked, and the apps."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from clones.core import sightings
from clones.core.accounts.handover import PARAMETER, mint_handover
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.models import Organization, Ticket, User
from clones.helpdesk.web import labels, pages_queries
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.shell import app_origin
from clones.helpdesk.web.times import ShownTime, Times
from clones.helpdesk.web.user_form import may_edit

APPS = (("billing", "Billing"),)


@dataclass(frozen=True, slots=True)
class AppPanel:
    """An app: another clone's own page in a frame."""

    key: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Interaction:
    """Another ticket of the same customer."""

    id: int
    subject: str
    badge: labels.Badge
    time: ShownTime


@dataclass(frozen=True, slots=True)
class CustomerContext:
    """What the pane at the right shows."""

    user: User
    initials: str
    hue: int
    organization: Organization | None
    local_time: str
    interactions: tuple[Interaction, ...]
    apps: tuple[AppPanel, ...]
    editable: bool


def customer_context(
    request: SandboxRequest, agent: Agent, ticket: Ticket, times: Times
) -> CustomerContext:
    """Return the context of a ticket's requester."""
    requester = ticket.requester
    sightings.note(requester, "detail")
    if ticket.organization is not None:
        sightings.note(ticket.organization, "list")
    others = pages_queries.recent_tickets_of(requester, agent.user, without=ticket.id)
    for other in others:
        sightings.note(other, "list")
    own = Times(requester)
    return CustomerContext(
        user=requester,
        initials=labels.initials(requester.name),
        hue=labels.hue(requester.id),
        organization=ticket.organization,
        local_time=f"{own.now:%a, %H:%M} {own.now:%Z}",
        interactions=tuple(
            Interaction(
                other.id,
                other.subject or "No subject",
                labels.status_badge(other.status),
                times.show(other.created_at),
            )
            for other in others
        ),
        apps=app_panels(request, agent, requester),
        editable=may_edit(agent.user, requester),
    )


def app_panels(request: SandboxRequest, agent: Agent, requester: User) -> tuple[AppPanel, ...]:
    """Return the apps that can show something of a customer."""
    signed_in = request.authenticated
    found = []
    for clone, title in APPS:
        origin = app_origin(request, clone)
        if origin is None or requester.email is None or signed_in is None:
            continue
        token = mint_handover(
            request.sandbox, clone, agent.session.account_id, own_client=signed_in.own_client
        )
        query = urlencode({"email": requester.email, PARAMETER: token})
        found.append(AppPanel(clone, title, f"{origin}/panel?{query}"))
    return tuple(found)


def frame_sources(request: SandboxRequest) -> str:
    """Return the origins that a ticket page may show in frames."""
    origins = [app_origin(request, clone) for clone, _ in APPS]
    return " ".join(origin for origin in origins if origin) or "'none'"
