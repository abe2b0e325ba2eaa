"""What agents have for themselves, as JSON: news, skips, bookmarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.api.presenters.people import present_user
from clones.helpdesk.api.presenters.tickets import TicketPresenter
from clones.helpdesk.models import Activity, Bookmark, Skip

SYSTEM = -1
SYSTEM_NAME = "System"


def present_activity(activity: Activity, show: Show) -> dict[str, Any]:
    """Return an agent's news as JSON; its people, ticket and comment must be loaded."""
    show.note(activity)
    actor = activity.actor
    aside = show.as_list()
    return {
        "url": show.url(f"activities/{activity.id}"),
        "id": activity.id,
        "title": activity_title(activity),
        "verb": activity.verb,
        "user_id": activity.user_id,
        "actor_id": SYSTEM if actor is None else actor.id,
        "updated_at": when(activity.created_at),
        "created_at": when(activity.created_at),
        "object": _object(activity),
        "target": _target(activity),
        "user": present_user(activity.user, aside),
        "actor": None if actor is None else present_user(actor, aside),
    }


def activity_title(activity: Activity) -> str:
    """Return what happened in a sentence."""
    who = SYSTEM_NAME if activity.actor is None else activity.actor.name
    ticket = f"ticket #{activity.ticket_id}"
    if activity.verb == "tickets.assignment":
        return f"{who} assigned {ticket} to you."
    if activity.comment is not None:
        return f"{who} commented on {ticket}: {activity.comment.body}."
    return f"{who} increased the priority of {ticket} to {activity.priority}."


def _object(activity: Activity) -> dict[str, Any]:
    if activity.verb == "tickets.assignment":
        return _target(activity)
    if activity.comment is not None:
        return {"comment": {"value": activity.comment.body, "public": activity.comment.public}}
    return {"change": {"priority": activity.priority}}


def _target(activity: Activity) -> dict[str, Any]:
    return {"ticket": {"id": activity.ticket_id, "subject": activity.ticket.subject}}


def present_skips(skips: Sequence[Skip], show: Show) -> list[dict[str, Any]]:
    """Return skips as JSON with their tickets, looked up for all at once."""
    presenter = TicketPresenter([skip.ticket for skip in skips], show.as_list())
    return [_skip(skip, presenter, show) for skip in skips]


def _skip(skip: Skip, presenter: TicketPresenter, show: Show) -> dict[str, Any]:
    show.note(skip)
    return {
        "id": skip.id,
        "ticket_id": skip.ticket_id,
        "user_id": skip.user_id,
        "reason": skip.reason,
        "created_at": when(skip.created_at),
        "updated_at": when(skip.updated_at),
        "ticket": presenter.present(skip.ticket),
    }


def present_bookmarks(bookmarks: Sequence[Bookmark], show: Show) -> list[dict[str, Any]]:
    """Return bookmarks as JSON with their tickets, looked up for all at once."""
    presenter = TicketPresenter([bookmark.ticket for bookmark in bookmarks], show.as_list())
    return [_bookmark(bookmark, presenter, show) for bookmark in bookmarks]


def _bookmark(bookmark: Bookmark, presenter: TicketPresenter, show: Show) -> dict[str, Any]:
    show.note(bookmark)
    return {
        "url": show.url(f"bookmarks/{bookmark.id}"),
        "id": bookmark.id,
        "created_at": when(bookmark.created_at),
        "ticket": presenter.present(bookmark.ticket),
    }
