"""Reads: what an actor may see, in a total order."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, Q, QuerySet

from clones.core.prepared import Prepared
from clones.core.words import asked_words
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import (
    Audit,
    Comment,
    Group,
    GroupMembership,
    Organization,
    Ticket,
    User,
)
from clones.helpdesk.queries.conditions import custom_is
from clones.helpdesk.queries.profile_fields import field_of_key
from clones.helpdesk.queries.requests import copied_to as copied_to  # most ask for it here
from clones.helpdesk.queries.requests import readable_requests

Row = TypeVar("Row", bound=Model)

REFERENCES = (
    "requester",
    "assignee",
    "group",
    "organization",
    "brand",
    "ticket_form",
    "custom_status",
    "metric",
)


def visible_tickets(actor: User) -> QuerySet[Ticket]:
    """Return the tickets that are not deleted and that the actor may see.

    End users see what they may read as requests; agents what their restriction leaves.
    """
    tickets = Ticket.objects.filter(deleted_at=None)
    if not actor.is_agent:
        return readable_requests(actor)
    restriction = actor.ticket_restriction
    if restriction == "groups":
        mine = GroupMembership.objects.filter(user=actor).values("group_id")
        return tickets.filter(Q(group_id__in=mine) | Q(requester=actor))
    if restriction == "organization":
        if actor.organization_id is None:
            return tickets.filter(requester=actor)
        return tickets.filter(organization_id=actor.organization_id)
    if restriction == "assigned":
        return tickets.filter(Q(assignee=actor) | Q(requester=actor))
    if restriction == "requested":
        return tickets.filter(requester=actor)
    return tickets


def sees_all(actor: User) -> bool:
    """Tell whether somebody sees every ticket that is not deleted."""
    return actor.is_agent and not actor.ticket_restriction


def open_problems(actor: User, text: str) -> QuerySet[Ticket]:
    """Return the problems that are not solved, by a part of their subject."""
    found = visible_tickets(actor).filter(type="problem", subject__icontains=text)
    return found.exclude(status__in=("solved", "closed"))


def ticket(actor: User, key: int, *, whole: bool = False) -> Ticket:
    """Return one ticket; `whole` brings what it refers to in the same query, for an update.

    Raises:
        RecordNotFound: there is none, or the actor may not see it.
    """
    if sees_all(actor):
        found = (_TICKET_WHOLE if whole else _TICKET).first(key)
    else:
        found = _ticket_rows(actor, key, whole=whole).first()
    if found is None:
        raise RecordNotFound("ticket", key)
    return found


def _ticket_rows(actor: User, key: int, *, whole: bool) -> QuerySet[Ticket]:
    rows = visible_tickets(actor).filter(id=key)
    return rows.select_related(*REFERENCES) if whole else rows


# Most callers are agents who see all tickets: for them the statement is always the same.
_UNRESTRICTED = User(role="agent")
_TICKET: Prepared[Ticket] = Prepared(lambda key: _ticket_rows(_UNRESTRICTED, key, whole=False), int)
_TICKET_WHOLE: Prepared[Ticket] = Prepared(
    lambda key: _ticket_rows(_UNRESTRICTED, key, whole=True), int
)


def comments_of(ticket: Ticket, actor: User) -> QuerySet[Comment]:
    """Return what was said on a ticket, oldest first; end users see what is public."""
    found = Comment.objects.filter(ticket=ticket).select_related("audit")
    found = found.prefetch_related("attachments")
    if not actor.is_agent:
        found = found.filter(public=True)
    return found.order_by("created_at", "id")


def audits_of(ticket: Ticket) -> QuerySet[Audit]:
    """Return the audits of a ticket, oldest first."""
    return Audit.objects.filter(ticket=ticket).order_by("created_at", "id")


def user(key: int) -> User:
    """Return one user, active or not.

    Raises:
        RecordNotFound: there is none.
    """
    return one(User.objects.all(), "user", key)


def organization(key: int) -> Organization:
    """Return one organization.

    Raises:
        RecordNotFound: there is none.
    """
    return one(Organization.objects.all(), "organization", key)


def group(key: int) -> Group:
    """Return one group that is not deleted.

    Raises:
        RecordNotFound: there is none.
    """
    return one(Group.objects.filter(deleted=False), "group", key)


def one(rows: QuerySet[Row], kind: str, key: object) -> Row:
    """Return the row of a key.

    Raises:
        RecordNotFound: there is none.
    """
    found = rows.filter(pk=key).first() if can_be(key) else None
    if found is None:
        raise RecordNotFound(kind, key)
    return found


def can_be(key: object) -> bool:
    """Tell whether a store can be asked for a key: none has a NUL, and PostgreSQL refuses one."""
    return not (isinstance(key, str) and "\x00" in key)


def user_matches(text: str) -> Q:
    """Return the condition of users that a search text finds.

    The text is an address, `key:value`, a quoted name, or words that all begin a word of the name.
    """
    text = text.strip()
    key, colon, value = text.partition(":")
    if colon and key in ("email", "phone", "external_id", "role", "name"):
        return Q(**{f"{key}__iexact": value.strip('"')})
    field = field_of_key("user", key) if colon else None
    if field is not None:
        return custom_is(field.key, value.strip('"'), "user_fields")
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        return Q(name__icontains=text.strip('"'))
    if "@" in text:
        return Q(identities__value__istartswith=text.rstrip("*"), identities__type="email")
    condition = Q()
    for word in asked_words(text.rstrip("*")):
        begins = Q(name__istartswith=word) | Q(name__icontains=f" {word}")
        condition &= begins | Q(email__istartswith=word) | Q(phone__startswith=word)
    return condition


def user_related(user: User, actor: User) -> dict[str, int]:
    """Count what belongs to a user, of what the actor may see."""
    seen = visible_tickets(actor)
    return {
        "assigned_tickets": seen.filter(assignee=user).count(),
        "requested_tickets": seen.filter(requester=user).count(),
        "ccd_tickets": seen.filter(copied_to(user)).count(),
        "organization_subscriptions": user.organization_subscriptions.count(),
    }
