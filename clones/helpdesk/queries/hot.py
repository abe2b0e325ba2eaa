"""The reads that many requests make: compiled once per process, each by its name.

When to prepare a read, and when a queryset will do: docs/data-access.md.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from clones.core.models import Message
from clones.core.prepared import Prepared
from clones.helpdesk.models import (
    Attachment,
    AuditEvent,
    Automation,
    Comment,
    GroupSlaPolicy,
    OAuthToken,
    RoutingValue,
    SlaClock,
    SlaPolicy,
    SupportAddress,
    Ticket,
    TicketField,
    Trigger,
    User,
    Webhook,
)
from clones.helpdesk.queries.custom_objects import objects
from clones.helpdesk.rules.group_sla import METRIC

SIGNED_IN_USER: Prepared[User] = Prepared(
    lambda key: User.objects.select_related("custom_role").filter(id=key, active=True), int
)
ACTIVE_USER: Prepared[User] = Prepared(lambda key: User.objects.filter(id=key, active=True), int)
TOKEN_SCOPES: Prepared[list[str]] = Prepared(
    lambda key: OAuthToken.objects.filter(id=key).values_list("scopes", flat=True), int
)
CUSTOM_TICKET_FIELDS: Prepared[tuple[int, str]] = Prepared(
    lambda: (
        TicketField.objects.filter(active=True)
        .exclude(type__in=TicketField.SYSTEM_TYPES)
        .order_by("id")
        .values_list("id", "type")
    )
)
EVENTS_OF_AUDIT: Prepared[AuditEvent] = Prepared(
    lambda audit: AuditEvent.objects.filter(audit_id=audit).order_by("position"), int
)
FILES_OF_COMMENT: Prepared[Attachment] = Prepared(
    lambda comment: Attachment.objects.filter(comment_id=comment).order_by("id"), int
)
TICKET: Prepared[Ticket] = Prepared(lambda key: Ticket.objects.filter(id=key), int)
# With those of whom rules ask most.
TICKET_WITH_PEOPLE: Prepared[Ticket] = Prepared(
    lambda key: Ticket.objects.select_related("requester", "organization", "metric").filter(id=key),
    int,
)
COMMENT_WITH_AUTHOR: Prepared[Comment] = Prepared(
    lambda key: Comment.objects.select_related("author").filter(id=key), int
)
COMMENTS_OF_AUDIT: Prepared[Comment] = Prepared(
    lambda audit: Comment.objects.filter(audit_id=audit).order_by("id"), int
)
NAME_OF_USER: Prepared[str] = Prepared(
    lambda key: User.objects.filter(id=key).values_list("name", flat=True), int
)
ACTIVE_AUTOMATIONS: Prepared[Automation] = Prepared(
    lambda: Automation.objects.filter(active=True).order_by("position", "id")
)
ACTIVE_WEBHOOKS: Prepared[Webhook] = Prepared(
    lambda: Webhook.objects.filter(status="active").order_by("id")
)
WEBHOOK: Prepared[Webhook] = Prepared(lambda key: Webhook.objects.filter(id=key), str)
GROUP_SLA_POLICIES: Prepared[GroupSlaPolicy] = Prepared(
    lambda: GroupSlaPolicy.objects.order_by("position", "id")
)
LAST_GROUP_CLOCK: Prepared[SlaClock] = Prepared(
    lambda ticket: SlaClock.objects.filter(ticket_id=ticket, metric=METRIC).order_by("-instance")[
        :1
    ],
    int,
)
ACTIVE_TRIGGERS: Prepared[tuple[int, str, int, str, str]] = Prepared(
    lambda: (
        Trigger.objects.filter(active=True)
        .order_by("category__position", "position", "id")
        .values_list(
            "id",
            "title",
            "revision",
            Cast("conditions", TextField()),
            Cast("actions", TextField()),
        )
    )
)
CONDITIONED_SKILLS: Prepared[RoutingValue] = Prepared(
    lambda: RoutingValue.objects.filter(conditions__isnull=False).order_by("created_at", "id")
)
SLA_POLICIES: Prepared[SlaPolicy] = Prepared(lambda: SlaPolicy.objects.order_by("position", "id"))
CLOCKS_OF_TICKET: Prepared[SlaClock] = Prepared(
    lambda ticket: SlaClock.objects.filter(ticket_id=ticket).order_by("metric", "instance"), int
)
AUTHORS_OF_PUBLIC_COMMENTS: Prepared[tuple[int, str]] = Prepared(
    lambda ticket: (
        Comment.objects.filter(ticket_id=ticket, public=True)
        .order_by("created_at", "id")
        .values_list("id", "author__role")
    ),
    int,
)
NAMES_OF_MESSAGES_ABOUT: Prepared[str] = Prepared(
    lambda about: (
        Message.objects.filter(about=about).order_by("id").values_list("message_id", flat=True)
    ),
    str,
)
LATEST_COMMENT: Prepared[Comment] = Prepared(
    lambda ticket: Comment.objects.filter(ticket_id=ticket).order_by("-created_at", "-id")[:1], int
)
LATEST_PUBLIC_COMMENT: Prepared[Comment] = Prepared(
    lambda ticket: Comment.objects.filter(ticket_id=ticket, public=True).order_by(
        "-created_at", "-id"
    )[:1],
    int,
)
PUBLIC_COMMENTS: Prepared[tuple[str, datetime, str]] = Prepared(
    lambda ticket: (
        Comment.objects.filter(ticket_id=ticket, public=True)
        .order_by("-created_at", "-id")
        .values_list("author__name", "created_at", "body")
    ),
    int,
)


def _reachable(**which: Any) -> QuerySet[User]:
    people = User.objects.filter(active=True, suspended=False, email__isnull=False)
    return people.filter(**which).order_by("id")


REACHABLE_USER: Prepared[User] = Prepared(lambda key: _reachable(id=key), int)
REACHABLE_IN_GROUP: Prepared[User] = Prepared(
    lambda group: _reachable(group_memberships__group_id=group), int
)
REACHABLE_AGENTS: Prepared[User] = Prepared(lambda: _reachable(role__in=("agent", "admin")))
SUPPORT_ADDRESSES: Prepared[tuple[str, str]] = Prepared(
    lambda: SupportAddress.objects.order_by("-default", "id").values_list("email", "name")
)
LISTED_OBJECTS: Prepared[str] = Prepared(
    lambda: objects().filter(include_in_list_view=True).order_by("id").values_list("key", flat=True)
)
