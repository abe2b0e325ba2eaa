"""Reads of what agents have for themselves."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet

from clones.core import clock
from clones.helpdesk import queries
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.models import Activity, Bookmark, ContentPin, Skip, User

KEPT = timedelta(days=30)


def activities_of(user: User, *, since: datetime | None = None) -> QuerySet[Activity]:
    """Return an agent's news of the last thirty days, or since a later time."""
    start = clock.now() - KEPT
    if since is not None:
        start = max(start, since)
    rows = Activity.objects.filter(user=user, created_at__gte=start)
    return rows.select_related("user", "actor", "ticket", "comment")


def skips_seen_by(actor: User) -> QuerySet[Skip]:
    """Return the skips of tickets that somebody may see."""
    seen = queries.visible_tickets(actor).values("id")
    return Skip.objects.filter(ticket__in=seen).select_related("ticket")


def may_see_reports(actor: User) -> bool:
    """Tell whether somebody may see reports: admins, and agents whose role does not forbid it."""
    if actor.role == "admin":
        return True
    role = actor.custom_role
    closed = role is not None and role.configuration.get("report_access") == "none"
    return actor.is_agent and not closed


def check_reports(actor: User, *, owner: User | None = None) -> None:
    """Refuse who may not see reports; what is their own anybody may see.

    Raises:
        AccessDenied: the actor's role gives no access to reports.
    """
    if not may_see_reports(actor) and (owner is None or owner.id != actor.id):
        raise AccessDenied("the role gives no access to reports")


def bookmarks_of(user: User) -> QuerySet[Bookmark]:
    """Return an agent's bookmarks of tickets that they may still see."""
    seen = queries.visible_tickets(user).values("id")
    return Bookmark.objects.filter(user=user, ticket__in=seen).select_related("ticket")


def pins_seen_by(actor: User) -> QuerySet[ContentPin]:
    """Return the content that is pinned to tickets that somebody may see."""
    seen = queries.visible_tickets(actor).values("id")
    return ContentPin.objects.filter(ticket__in=seen)
