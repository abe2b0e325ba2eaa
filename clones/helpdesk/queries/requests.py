"""Which tickets are an end user's requests, and which organizations show theirs to them."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.helpdesk.models import Comment, Organization, OrganizationMembership, Ticket, User

# What an end user's status means in those of tickets: a held ticket looks open to them.
STATUSES = {
    "open": ("new", "open", "hold"),
    "answered": ("pending",),
    "solved": ("solved", "closed"),
}


def shared_organizations(user: User) -> QuerySet[Organization]:
    """Return the user's organizations whose requests they may read, by name.

    An organization shares them with all its members, a membership with one; and a user may be let
    see those of all their organizations.
    """
    places = OrganizationMembership.objects.filter(user=user)
    mine = Q(id__in=places.values("organization_id")) | Q(id=user.organization_id)
    found = Organization.objects.filter(mine)
    if user.ticket_restriction != "organization":
        shown = places.filter(view_tickets=True).values("organization_id")
        found = found.filter(Q(shared_tickets=True) | Q(id__in=shown))
    return found.order_by("name", "id")


def copied_to(user: User) -> Q:
    """Return the condition of tickets that a user is copied on."""
    key = user.id
    return (
        Q(email_cc_ids__icontains=f"[{key}]")
        | Q(email_cc_ids__icontains=f"[{key},")
        | Q(email_cc_ids__icontains=f" {key},")
        | Q(email_cc_ids__icontains=f" {key}]")
    )


def public_tickets() -> QuerySet[Ticket]:
    """Return the tickets that are not deleted and on which something was said in public."""
    return Ticket.objects.filter(deleted_at=None, is_public=True)


def asked_by(user: User) -> QuerySet[Ticket]:
    """Return the requests that a user asked for themselves."""
    return public_tickets().filter(requester=user)


def copied_requests(user: User) -> QuerySet[Ticket]:
    """Return the requests that a user is copied on."""
    return public_tickets().filter(copied_to(user))


def organization_requests(user: User, key: int | None = None) -> QuerySet[Ticket]:
    """Return the requests that a user's organizations show to them: of all of them, or of one."""
    shared = shared_organizations(user).order_by()
    if key is not None:
        shared = shared.filter(id=key)
    return public_tickets().filter(organization_id__in=shared.values("id"))


def requests_of(user: User) -> QuerySet[Ticket]:
    """Return the requests that a user has a part in: their own and those they are copied on."""
    return public_tickets().filter(Q(requester=user) | copied_to(user))


def readable_requests(user: User) -> QuerySet[Ticket]:
    """Return every request that an end user may read."""
    shared = shared_organizations(user).order_by().values("id")
    part = Q(requester=user) | copied_to(user) | Q(organization_id__in=shared)
    return public_tickets().filter(part)


def matching(rows: QuerySet[Ticket], text: str) -> QuerySet[Ticket]:
    """Return the requests that hold a text in their subject, or in what was said in public.

    Their description is not asked: it may be an internal note.
    """
    said = Comment.objects.filter(ticket=OuterRef("id"), public=True, body__icontains=text)
    return rows.filter(Q(subject__icontains=text) | Exists(said.order_by()))


def public_description(ticket: Ticket) -> str:
    """Return how a request begins: the first thing that was said in public."""
    said = Comment.objects.filter(ticket=ticket, public=True).order_by("created_at", "id")
    return said.values_list("body", flat=True).first() or ""


def may_write(ticket: Ticket, user: User) -> bool:
    """Tell whether a user who may read a request may also add to it.

    Its requester and those who are copied on it may; others of its organization if it lets its
    people write on each other's.
    """
    if user.is_agent or ticket.requester_id == user.id or user.id in ticket.email_cc_ids:
        return True
    organization = ticket.organization
    return organization is not None and organization.shared_comments
